import type { NativeKernels } from './platform/platform.js';
import type { LinalgKernel } from './referenceLinalg.js';

/** The linear algebra in native code, on the arrays themselves: nothing has to be copied to a memory of its own. */
export function nativeLinalg({ addon, variant }: NativeKernels): LinalgKernel {
  const kernel: LinalgKernel = {
    kernel: 'native',

    factor(a, n) {
      const l = a.slice();
      const failed = addon.choleskyFactor(variant, n, l);
      return failed === 0 ? l : failed - 1;
    },

    solve(which, l, n, b, columns) {
      const x = b.slice();
      if (which.lower) addon.solve(variant, 0, n, columns, l, x);
      if (which.transposed) addon.solve(variant, 1, n, columns, l, x);
      return x;
    },

    multiplyTransposed(a, b, rowsA, rowsB, columns) {
      const product = new Float64Array(rowsA * rowsB);
      addon.multiplyTransposed(variant, rowsA, rowsB, columns, a, b, product);
      return product;
    },

    hold: () => kernel,
  };
  return kernel;
}
