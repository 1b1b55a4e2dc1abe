import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { symmetricEigen } from '../../src/numeric/eigen.js';
import { rootKey, Stream } from '../../src/numeric/index.js';

function symmetric(n: number, seed: number): Float64Array {
  const a = new Float64Array(n * n);
  new Stream(rootKey(seed)).fillNormal(a, 0, 1);
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) a[j * n + i] = a[i * n + j]!;
  return a;
}

function expectDecomposition(a: Float64Array, n: number): void {
  const { values, vectors } = symmetricEigen(a, n);
  const size = Math.sqrt(a.reduce((sum, v) => sum + v * v, 0)) || 1;
  for (let i = 0; i < n; i++) {
    if (i > 0) expect(values[i]).toBeGreaterThanOrEqual(values[i - 1]!);
    const v = vectors.subarray(i * n, (i + 1) * n);
    for (let j = 0; j < n; j++) {
      let [moved, product] = [0, 0];
      for (let k = 0; k < n; k++) {
        moved += a[j * n + k]! * v[k]!;
        product += vectors[j * n + k]! * v[k]!;
      }
      expect(Math.abs(moved - values[i]! * v[j]!)).toBeLessThan(1e-13 * n * size);
      expect(Math.abs(product - (i === j ? 1 : 0))).toBeLessThan(1e-13 * n);
    }
  }
}

describe('eigenvalues and eigenvectors of a symmetric matrix', () => {
  it('are A v = lambda v with orthonormal v, ascending', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 24 }), fc.nat(1000), (n, seed) => {
        expectDecomposition(symmetric(n, seed), n);
      }),
      { seed: 1, numRuns: 40 },
    );
    expectDecomposition(symmetric(90, 7), 90);
  });

  it('are known of the second difference matrix: 2 - 2 cos(k pi / (n + 1))', () => {
    const n = 30;
    const a = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      a[i * n + i] = 2;
      if (i > 0) a[i * n + i - 1] = -1;
    }
    const expected = Array.from({ length: n }, (_, k) => 2 - 2 * Math.cos(((k + 1) * Math.PI) / (n + 1)));
    expect(symmetricEigen(a, n).values).toBeAllClose(expected, { rtol: 0, atol: 1e-13 });
  });

  it('are found where they are many times the same, zero or far apart', () => {
    for (const scales of [
      [1, 1, 1, 1],
      [0, 0, 0, 0],
      [1e12, 1, 1, 1e-9],
      [5, -5, 5, -5],
    ]) {
      // Q diag Q' of a random rotation
      const n = scales.length;
      const { vectors } = symmetricEigen(symmetric(n, 3), n);
      const a = new Float64Array(n * n);
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++)
          for (let k = 0; k < n; k++) a[i * n + j]! += scales[k]! * vectors[k * n + i]! * vectors[k * n + j]!;
      expectDecomposition(a, n);
      // an eigenvalue is known to some units in the last place of the greatest
      const atol = 16 * Number.EPSILON * Math.max(...scales.map(Math.abs));
      const sorted = [...scales].sort((p, q) => p - q);
      expect(symmetricEigen(a, n).values).toBeAllClose(sorted, { rtol: 0, atol });
    }
  });

  it('refuses what is no matrix', () => {
    expect(() => symmetricEigen([1, 2, 3], 2)).toThrow('a has length 3; expected 4');
    expect(() => symmetricEigen([1, 0, 0, Number.NaN], 2)).toThrow('a[3] is NaN');
  });
});
