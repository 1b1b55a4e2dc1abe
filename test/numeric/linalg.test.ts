import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Kernel } from '../../src/numeric/backend.js';
import { ArgumentError, NotFiniteError, OutOfMemoryError, ShapeError } from '../../src/numeric/errors.js';
import { foldKey, rootKey } from '../../src/numeric/key.js';
import { NotPositiveDefiniteError, openLinearAlgebra } from '../../src/numeric/linalg.js';
import { Stream } from '../../src/numeric/random.js';
import { compiledKernels } from './compute.js';

const kernels: readonly Kernel[] = ['reference', ...compiledKernels];
const sizes = [1, 2, 3, 5, 31, 64, 65, 127, 200];
/** 0 and -0 are the same. */
const exactly = { rtol: 0, atol: 0 };
const reference = await openLinearAlgebra({ kernel: 'reference' });

function normals(count: number, seed: number): Float64Array {
  const stream = new Stream(foldKey(rootKey(5), seed));
  return Float64Array.from({ length: count }, () => stream.normal());
}

/** G G' / n + I / 10, G n x n standard normal. */
function positiveDefinite(n: number, seed: number): Float64Array {
  const g = normals(n * n, seed);
  return reference.multiplyTransposed(g, g, n, n, n).map((s, i) => s / n + (i % (n + 1) === 0 ? 0.1 : 0));
}

/** Whole numbers from -3 to 3 below a diagonal of 1 to 4: with these every step of every kernel is exact. */
function integerFactor(n: number, seed: number): Float64Array {
  const stream = new Stream(foldKey(rootKey(6), seed));
  const l = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) l[i * n + j] = stream.integer(7) - 3;
    l[i * n + i] = 1 + stream.integer(4);
  }
  return l;
}

function integers(count: number, seed: number): Float64Array {
  const stream = new Stream(foldKey(rootKey(7), seed));
  return Float64Array.from({ length: count }, () => stream.integer(11) - 5);
}

function transpose(a: Float64Array, rows: number, columns: number): Float64Array {
  return Float64Array.from({ length: a.length }, (_, i) => a[(i % rows) * columns + Math.floor(i / rows)]!);
}

/** A (rows x depth) X (depth x columns). */
function times(a: Float64Array, x: Float64Array, rows: number, depth: number, columns: number): Float64Array {
  return reference.multiplyTransposed(a, transpose(x, depth, columns), rows, columns, depth);
}

/** Largest magnitude, the scale that errors are measured against. */
function scaleOf(a: Float64Array): number {
  return a.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
}

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe.each(kernels)('linear algebra on %s', (kernel) => {
  const opened = openLinearAlgebra({ kernel });

  it('says which kernel it is', async () => {
    expect((await opened).kernel).toBe(kernel);
  });

  it.each(sizes)('Cholesky of %i rows: L L\u2032 = A, zeros above, as the reference', async (n) => {
    const linalg = await opened;
    const a = positiveDefinite(n, n);
    const before = a.slice();
    const l = linalg.cholesky(a, n);
    expect(a).toBeAllClose(before, exactly);
    const product = reference.multiplyTransposed(l, l, n, n, n);
    expect(product).toBeAllClose(a, { rtol: 0, atol: 1e-12 * scaleOf(a) });
    expect(l).toBeAllClose(reference.cholesky(a, n), { rtol: 1e-12, atol: 1e-12 });
    for (let i = 0; i < n; i++) {
      expect(l[i * n + i]).toBeGreaterThan(0);
      expect(l.subarray(i * n + i + 1, (i + 1) * n).every((v) => v === 0)).toBe(true);
    }
  });

  it.each(sizes.flatMap((n) => [1, 2, 3, 7, 130].map((columns) => ({ n, columns }))))(
    'solves of $n rows, $columns columns: residuals, as the reference',
    async ({ n, columns }) => {
      const linalg = await opened;
      const a = positiveDefinite(n, n);
      const l = reference.cholesky(a, n);
      const b = normals(n * columns, 1000 + n);
      const before = { l: l.slice(), b: b.slice() };
      const cases = [
        { solve: 'solveLower', matrix: l },
        { solve: 'solveLowerTransposed', matrix: transpose(l, n, n) },
        { solve: 'solveCholesky', matrix: a },
      ] as const;
      for (const { solve, matrix } of cases) {
        const x = linalg[solve](l, n, b, columns);
        expect(times(matrix, x, n, n, columns)).toBeAllClose(b, {
          rtol: 0,
          atol: 1e-12 * (1 + scaleOf(matrix) * scaleOf(x)),
        });
        expect(x).toBeAllClose(reference[solve](l, n, b, columns), {
          rtol: 0,
          atol: 1e-12 * (1 + scaleOf(x)),
        });
      }
      expect(l).toBeAllClose(before.l, exactly);
      expect(b).toBeAllClose(before.b, exactly);
    },
  );

  it('takes b as one column unless told otherwise', async () => {
    const linalg = await opened;
    const l = Float64Array.of(2, 0, 1, 2);
    expect(linalg.solveLower(l, 2, Float64Array.of(4, 6))).toEqual(Float64Array.of(2, 2));
    expect(linalg.solveLowerTransposed(l, 2, Float64Array.of(4, 6))).toEqual(Float64Array.of(0.5, 3));
    expect(linalg.solveCholesky(l, 2, Float64Array.of(10, 13))).toEqual(Float64Array.of(1.5, 2));
  });

  it('finds a factor of whole numbers exactly', async () => {
    const linalg = await opened;
    // A = L L' by hand
    const l = Float64Array.of(2, 0, 0, 0, -1, 3, 0, 0, 3, 2, 1, 0, 0, -2, 4, 5);
    const a = Float64Array.of(4, -2, 6, 0, -2, 10, 3, -6, 6, 3, 14, 0, 0, -6, 0, 45);
    expect(linalg.cholesky(a, 4)).toEqual(l);
    expect(linalg.logDeterminant(l, 4)).toBeCloseTo(Math.log(900), 14);
    // L x = b and L' x = b for x = (1, 2, 3, 4)
    const x = Float64Array.of(1, 2, 3, 4);
    expect(linalg.solveLower(l, 4, Float64Array.of(2, 5, 10, 28))).toEqual(x);
    expect(linalg.solveLowerTransposed(l, 4, Float64Array.of(9, 4, 19, 20))).toEqual(x);
  });

  it('is exact on whole numbers, whatever the shape', async () => {
    const linalg = await opened;
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 150 }).map((half) => 2 * half + 1),
        fc.integer({ min: 1, max: 150 }),
        fc.nat(),
        (n, columns, seed) => {
          const l = integerFactor(n, seed);
          const x = integers(n * columns, seed);
          const a = reference.multiplyTransposed(l, l, n, n, n);
          expect(linalg.cholesky(a, n)).toBeAllClose(l, exactly);
          const upper = transpose(l, n, n);
          expect(linalg.solveLower(l, n, times(l, x, n, n, columns), columns)).toBeAllClose(x, exactly);
          expect(linalg.solveLowerTransposed(l, n, times(upper, x, n, n, columns), columns)).toBeAllClose(
            x,
            exactly,
          );
        },
      ),
      { numRuns: 25, seed: 11 },
    );
  });

  it('multiplies exactly on whole numbers, whatever the shape', async () => {
    const linalg = await opened;
    const size = fc.integer({ min: 1, max: 140 });
    fc.assert(
      fc.property(size, size, fc.integer({ min: 1, max: 600 }), fc.nat(), (rowsA, rowsB, columns, seed) => {
        const a = integers(rowsA * columns, seed);
        const b = integers(rowsB * columns, seed + 1);
        const product = linalg.multiplyTransposed(a, b, rowsA, rowsB, columns);
        expect(product).toBeAllClose(reference.multiplyTransposed(a, b, rowsA, rowsB, columns), exactly);
      }),
      { numRuns: 25, seed: 12 },
    );
  });

  it('factors 500 rows, past every block boundary', async () => {
    const linalg = await opened;
    const n = 500;
    const l = integerFactor(n, 1);
    const a = reference.multiplyTransposed(l, l, n, n, n);
    expect(linalg.cholesky(a, n)).toBeAllClose(l, exactly);
  });

  it('is backward stable on a Hilbert matrix', async () => {
    const linalg = await opened;
    const n = 11; // condition number 5e14
    const a = Float64Array.from({ length: n * n }, (_, i) => 1 / (1 + (i % n) + Math.floor(i / n)));
    const l = linalg.cholesky(a, n);
    expect(reference.multiplyTransposed(l, l, n, n, n)).toBeAllClose(a, { rtol: 0, atol: 1e-15 });
    const b = new Float64Array(n).fill(1);
    const x = linalg.solveCholesky(l, n, b);
    expect(times(a, x, n, n, 1)).toBeAllClose(b, { rtol: 0, atol: 1e-15 * n * scaleOf(x) });
  });

  it('is backward stable on a smooth kernel with a jitter of 1e-10', async () => {
    const linalg = await opened;
    const n = 200; // condition number about 1e12
    const a = Float64Array.from({ length: n * n }, (_, i) => {
      const gap = ((i % n) - Math.floor(i / n)) / n;
      return Math.exp(-2 * gap * gap) + (gap === 0 ? 1e-10 : 0);
    });
    const l = linalg.cholesky(a, n);
    expect(reference.multiplyTransposed(l, l, n, n, n)).toBeAllClose(a, { rtol: 0, atol: 1e-13 });
  });

  it.each([0, 1, 4, 62, 63, 64, 65, 127, 128, 129])('reports pivot %i as not positive', async (pivot) => {
    const linalg = await opened;
    const n = 130;
    const l = integerFactor(n, 3);
    const a = reference.multiplyTransposed(l, l, n, n, n);
    // the pivot becomes exactly 0
    a[pivot * (n + 1)]! -= l[pivot * (n + 1)]! ** 2;
    const error = thrownBy(() => linalg.cholesky(a, n));
    expect(error).toBeInstanceOf(NotPositiveDefiniteError);
    expect(error).toMatchObject({ name: 'NotPositiveDefiniteError', argument: 'a', pivot });
    expect(String(error)).toContain(`pivot ${pivot}`);
  });

  it('says so when values too large for a factor overflow on the way', async () => {
    const linalg = await opened;
    const a = Float64Array.of(1e-300, 1e300, 1e300, 1e300);
    expect(thrownBy(() => linalg.cholesky(a, 2))).toMatchObject({ pivot: 1 });
  });

  it('reads the lower triangle only', async () => {
    const linalg = await opened;
    const n = 70;
    const a = positiveDefinite(n, 4);
    const l = linalg.cholesky(a, n);
    const b = normals(n * 3, 5);
    const x = linalg.solveCholesky(l, n, b, 3);
    const y = linalg.solveCholesky(l, n, b.subarray(0, n));
    for (let i = 0; i < n; i++) {
      a.fill(1e9, i * n + i + 1, (i + 1) * n);
    }
    expect(linalg.cholesky(a, n)).toBeAllClose(l, exactly);
    for (let i = 0; i < n; i++) l.fill(Number.NaN, i * n + i + 1, (i + 1) * n);
    expect(linalg.solveCholesky(l, n, b, 3)).toBeAllClose(x, exactly);
    expect(linalg.solveCholesky(l, n, b.subarray(0, n))).toBeAllClose(y, exactly);
  });

  it('gives the same bits again, whatever was done in between', async () => {
    const linalg = await opened;
    const a = positiveDefinite(33, 8);
    const l = linalg.cholesky(a, 33);
    const copy = l.slice();
    linalg.cholesky(positiveDefinite(190, 9), 190);
    linalg.solveCholesky(l, 33, normals(33 * 40, 10), 40);
    expect(l).toBeAllClose(copy, exactly);
    expect(linalg.cholesky(a, 33)).toBeAllClose(copy, exactly);
  });

  it('gives the same bits with a matrix that it holds, beside others', async () => {
    const linalg = await opened;
    const n = 70;
    const l = linalg.cholesky(positiveDefinite(n, 8), n);
    const other = linalg.cholesky(positiveDefinite(n, 9), n);
    const b = normals(n * 5, 10);
    const held = linalg.hold(l);
    for (const factor of [l, other, l]) {
      expect(held.solveLower(factor, n, b, 5)).toEqual(linalg.solveLower(factor, n, b, 5));
      expect(held.solveLowerTransposed(factor, n, b, 5)).toEqual(
        linalg.solveLowerTransposed(factor, n, b, 5),
      );
      expect(held.multiplyTransposed(factor, b, n, 5, n)).toEqual(
        linalg.multiplyTransposed(factor, b, n, 5, n),
      );
    }
    expect(() => linalg.hold(Float64Array.of(1, Number.NaN))).toThrow(NotFiniteError);
  });

  it('sums the logarithms of the diagonal', async () => {
    const linalg = await opened;
    const n = 300;
    const l = new Float64Array(n * n);
    // the determinant itself, 2^6000, is not a float64
    for (let i = 0; i < n; i++) l[i * (n + 1)] = 1024;
    expect([linalg.logDeterminant(l, n)]).toBeAllClose([6000 * Math.LN2], { rtol: 1e-14, atol: 0 });
  });

  describe('refuses', () => {
    const { NaN: NAN, POSITIVE_INFINITY: INF } = Number;
    const good = Float64Array.of(2, 0, 1, 2);
    const two = Float64Array.of(1, 2);
    const solves = ['solveLower', 'solveLowerTransposed', 'solveCholesky'] as const;

    it('lengths that do not fit, by name', async () => {
      const linalg = await opened;
      const failures = [
        [() => linalg.cholesky(two, 2), 'a'],
        [() => linalg.logDeterminant(two, 2), 'l'],
        ...solves.flatMap((solve) => [
          [() => linalg[solve](two, 2, two), 'l'] as const,
          [() => linalg[solve](good, 2, good), 'b'] as const,
          [() => linalg[solve](good, 2, two, 2), 'b'] as const,
        ]),
        [() => linalg.multiplyTransposed(two, good, 2, 2, 2), 'a'],
        [() => linalg.multiplyTransposed(good, two, 2, 2, 2), 'b'],
      ] as const;
      for (const [action, argument] of failures) {
        const error = thrownBy(action);
        expect(error).toBeInstanceOf(ShapeError);
        expect(error).toMatchObject({ argument });
      }
    });

    it.each([0, -1, 1.5, NAN, INF])('a size of %d', async (n) => {
      const linalg = await opened;
      const failures = [
        [() => linalg.cholesky(good, n), 'n'],
        [() => linalg.logDeterminant(good, n), 'n'],
        ...solves.flatMap((solve) => [
          [() => linalg[solve](good, n, two), 'n'] as const,
          [() => linalg[solve](good, 2, two, n), 'columns'] as const,
        ]),
        [() => linalg.multiplyTransposed(good, good, n, 2, 2), 'rowsA'],
        [() => linalg.multiplyTransposed(good, good, 2, n, 2), 'rowsB'],
        [() => linalg.multiplyTransposed(good, good, 2, 2, n), 'columns'],
      ] as const;
      for (const [action, argument] of failures) {
        const error = thrownBy(action);
        expect(error).toBeInstanceOf(ArgumentError);
        expect(error).toMatchObject({ argument });
      }
    });

    it.each([NAN, INF, -INF])('%d among the values', async (bad) => {
      const linalg = await opened;
      const n = 70;
      const failures: [() => unknown, string][] = [];
      for (const at of [0, 1, n, 69 * n + 3, n * n - 1]) {
        const broken = positiveDefinite(n, 1);
        broken[at] = bad;
        failures.push([() => linalg.cholesky(broken, n), 'a']);
        failures.push([() => linalg.multiplyTransposed(broken, integers(n, 1), n, 1, n), 'a']);
        failures.push([() => linalg.multiplyTransposed(integers(n, 1), broken, 1, n, n), 'b']);
        if (at === 1) continue;
        const l = integerFactor(n, 2);
        l[at] = bad;
        for (const solve of solves) {
          // zeros, so that an infinity is nowhere but in l
          for (const columns of [1, 5])
            failures.push([() => linalg[solve](l, n, new Float64Array(n * columns), columns), 'l']);
        }
      }
      for (const solve of solves) failures.push([() => linalg[solve](good, 2, Float64Array.of(1, bad)), 'b']);
      failures.push([() => linalg.logDeterminant(Float64Array.of(bad), 1), 'l']);
      for (const [action, argument] of failures) {
        const error = thrownBy(action);
        expect(error).toBeInstanceOf(NotFiniteError);
        expect(error).toMatchObject({ argument });
      }
    });

    it.each([0, -0, -1])('a factor with %d on its diagonal', async (pivot) => {
      const linalg = await opened;
      const l = Float64Array.of(2, 0, 1, pivot);
      for (const action of [
        () => linalg.logDeterminant(l, 2),
        ...solves.map((solve) => () => linalg[solve](l, 2, two)),
      ]) {
        const error = thrownBy(action);
        expect(error).toBeInstanceOf(ArgumentError);
        expect(error).toMatchObject({ argument: 'l' });
      }
    });

    it('results too large for a float64', async () => {
      const linalg = await opened;
      const tiny = Float64Array.of(1e-200);
      const huge = Float64Array.of(1e200);
      for (const solve of solves) {
        const error = thrownBy(() => linalg[solve](tiny, 1, huge));
        expect(error).toBeInstanceOf(NotFiniteError);
        expect(error).toMatchObject({ argument: 'b' });
      }
      expect(thrownBy(() => linalg.multiplyTransposed(huge, huge, 1, 1, 1))).toBeInstanceOf(NotFiniteError);
    });

    it('a product larger than memory', async () => {
      const linalg = await opened;
      const rows = 7_000_000; // more pages than a uint32 counts
      const column = new Float64Array(rows);
      const error = thrownBy(() => linalg.multiplyTransposed(column, column, rows, rows, 1));
      expect(error).toBeInstanceOf(OutOfMemoryError);
      expect(error).toMatchObject({ argument: 'rowsB' });
      expect((error as Error).message).toContain('392000000 MB');
      // and goes on working
      expect(linalg.cholesky(Float64Array.of(9), 1)).toEqual(Float64Array.of(3));
    });
  });
});

it('refuses a kernel that it does not know', async () => {
  await expect(openLinearAlgebra({ kernel: 'fortran' as 'wasm' })).rejects.toMatchObject({
    name: 'ArgumentError',
    argument: 'kernel',
  });
});

describe.each(kernels)('Gaussian process regression of scikit-learn on %s', (kernel) => {
  interface Posterior {
    readonly mean: number[];
    readonly sd: number[];
    readonly noise: number;
  }
  const golden: {
    readonly X: number[][];
    readonly y: number[];
    readonly query: number[][];
    readonly rbf: Posterior & {
      readonly variance: number;
      readonly lengthscale: number;
      readonly logMarginal: number;
    };
    readonly dot: Posterior & { readonly sigma0: number };
  } = JSON.parse(readFileSync(new URL('../golden/gp.json', import.meta.url), 'utf8'));
  const N = golden.X.length;
  const M = golden.query.length;
  const d = golden.X[0]!.length;
  const X = Float64Array.from(golden.X.flat());
  const query = Float64Array.from(golden.query.flat());
  const y = Float64Array.from(golden.y);
  const opened = openLinearAlgebra({ kernel });

  /** Mean and latent sd at the query, log marginal likelihood of y; `covariance` of a.b, a.a and b.b. */
  async function posterior(noise: number, covariance: (ab: number, aa: number, bb: number) => number) {
    const linalg = await opened;
    const squares = (x: Float64Array, rows: number) =>
      Array.from({ length: rows }, (_, i) =>
        x.subarray(i * d, (i + 1) * d).reduce((sum, v) => sum + v * v, 0),
      );
    const xx = squares(X, N);
    const qq = squares(query, M);
    const k = linalg
      .multiplyTransposed(X, X, N, N, d)
      .map((ab, i) => covariance(ab, xx[Math.floor(i / N)]!, xx[i % N]!) + (i % (N + 1) === 0 ? noise : 0));
    const l = linalg.cholesky(k, N);
    const alpha = linalg.solveCholesky(l, N, y);
    // N x M
    const cross = linalg
      .multiplyTransposed(X, query, N, M, d)
      .map((ab, i) => covariance(ab, xx[Math.floor(i / M)]!, qq[i % M]!));
    const v = transpose(linalg.solveLower(l, N, cross, M), N, M);
    return {
      mean: linalg.multiplyTransposed(transpose(cross, N, M), alpha, M, 1, N),
      sd: qq.map((q, i) =>
        Math.sqrt(
          covariance(q, q, q) - v.subarray(i * N, (i + 1) * N).reduce((sum, value) => sum + value * value, 0),
        ),
      ),
      logMarginal:
        -0.5 *
        (linalg.multiplyTransposed(y, alpha, 1, 1, N)[0]! +
          linalg.logDeterminant(l, N) +
          N * Math.log(2 * Math.PI)),
    };
  }

  it('rbf: mean, sd, log marginal likelihood', async () => {
    const { variance, lengthscale, noise, ...expected } = golden.rbf;
    const { mean, sd, logMarginal } = await posterior(
      noise,
      (ab, aa, bb) => variance * Math.exp(-(aa + bb - 2 * ab) / (2 * lengthscale ** 2)),
    );
    expect(mean).toBeAllClose(expected.mean, { rtol: 1e-10, atol: 1e-12 });
    expect(sd).toBeAllClose(expected.sd, { rtol: 1e-10, atol: 0 });
    expect([logMarginal]).toBeAllClose([expected.logMarginal], { rtol: 1e-10, atol: 0 });
  });

  it('dot product: mean, sd', async () => {
    const { sigma0, noise, ...expected } = golden.dot;
    const { mean, sd } = await posterior(noise, (ab) => sigma0 ** 2 + ab);
    expect(mean).toBeAllClose(expected.mean, { rtol: 1e-10, atol: 1e-12 });
    expect(sd).toBeAllClose(expected.sd, { rtol: 1e-10, atol: 0 });
  });
});
