import type { PairKernel } from './pairKernel.js';
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

    invert(isWhole, l, n) {
      const x = new Float64Array(n * n);
      addon.invertFactor(variant, Number(isWhole), n, l, x);
      return x;
    },

    pairCovariances(of, numbers, a, b) {
      const k = new Float64Array(a.count * b.count);
      const [matern, same] = [Number(of.isMatern), Number(a.x === b.x && a.k === b.k)];
      const classes = of.inverse.length - numbers;
      const [n, m] = [a.count, b.count];
      addon.pairCovariances(
        variant,
        matern,
        same,
        numbers,
        classes,
        weightsOf(of, 0),
        n,
        a.x,
        a.k,
        m,
        b.x,
        b.k,
        k,
      );
      return k;
    },

    pairValues(of, noise, { n, groups, apart, alike, product }) {
      const [r, q] = [new Float64Array(product.length), new Float64Array(product.length)];
      const k = new Float64Array(n * n);
      const weights = weightsOf(of, noise);
      addon.pairValues(variant, Number(of.isMatern), n, groups, apart, alike, product, weights, r, q, k);
      return { r, q, k };
    },

    pairSlopes(isMatern, { n, groups, apart, alike, product }, { r, q }, alpha, inverted) {
      const sums = new Float64Array(3 + 2 * groups);
      const matern = Number(isMatern);
      addon.pairSlopes(variant, matern, n, groups, apart, alike, product, alpha, inverted, r, q, sums);
      return sums;
    },

    hold: () => kernel,
  };
  return kernel;
}

/** As native/addon.c takes them. */
function weightsOf({ v, line, inverse, effects }: PairKernel, noise: number): Float64Array {
  const weights = new Float64Array(3 + 2 * inverse.length);
  weights.set([v, line, noise]);
  weights.set(inverse, 3);
  weights.set(effects, 3 + inverse.length);
  return weights;
}
