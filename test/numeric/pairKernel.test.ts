import { describe, expect, it } from 'vitest';
import { NotFiniteError, ShapeError } from '../../src/numeric/errors.js';
import { capabilities } from '../../src/numeric/index.js';
import { foldKey, rootKey } from '../../src/numeric/key.js';
import { openLinearAlgebra } from '../../src/numeric/linalg.js';
import {
  matern,
  type PairKernel,
  type PairTable,
  radial,
  tableStride,
} from '../../src/numeric/pairKernel.js';
import { platform } from '../../src/numeric/platform/node.js';
import { Stream } from '../../src/numeric/random.js';
import { compiledKernels } from './compute.js';

const reference = await openLinearAlgebra({ kernel: 'reference' });
/** n, m, numbers, classes: around the widths of strips and blocks. */
const sizes = [
  [1, 1, 1, 0],
  [5, 9, 3, 2],
  [8, 16, 1, 1],
  [70, 65, 0, 3],
  [130, 67, 20, 0],
] as const;
const forms = [false, true];

/** Bits, in which 0 and -0 differ. */
function expectBits(actual: Float64Array, expected: Float64Array): void {
  expect(actual.length).toBe(expected.length);
  const [a, b] = [actual, expected].map((values) => new BigInt64Array(values.slice().buffer));
  expect(a!.findIndex((bits, i) => bits !== b![i])).toBe(-1);
}

function kernelOf(stream: Stream, columns: number, isMatern: boolean): PairKernel {
  return {
    isMatern,
    v: 1.3,
    line: 0.07,
    // some so short that the Matern kernel is 0
    inverse: Float64Array.from({ length: columns }, () => 200 * stream.uniform() ** 4),
    effects: Float64Array.from({ length: columns }, () => (stream.uniform() < 0.3 ? 0 : stream.uniform())),
  };
}

function rowsOf(stream: Stream, count: number, numbers: number, classes: number) {
  return {
    count,
    x: Float64Array.from({ length: count * numbers }, () => stream.normal()),
    k: Int32Array.from({ length: count * classes }, () => stream.integer(3)),
  };
}

function tableOf(stream: Stream, n: number, groups: number): PairTable {
  const stride = tableStride(n);
  const some = (count: number) => Float64Array.from({ length: count }, () => stream.normal() ** 2);
  return {
    n,
    groups,
    apart: some(groups * stride),
    alike: some(groups * stride),
    product: some(stride),
  };
}

describe('q of a squared distance', () => {
  it('is the rational quadratic and the Matern kernel', () => {
    for (const r of [0, 1e-9, 0.1, 1, 7, 100, 300]) {
      const t = Math.sqrt(5 * r);
      expect(radial(r) / (1 + r / 16) ** -8 - 1).toBeCloseTo(0, 13);
      expect(matern(r) / ((1 + t + t ** 2 / 3) * Math.exp(-t)) - 1).toBeCloseTo(0, 11);
    }
    expect(matern(321)).toBe(0);
  });
});

describe.each(compiledKernels)('pairs of rows on %s', (kernel) => {
  const opened = openLinearAlgebra({ kernel });

  it.each(sizes)('covariances of %i x %i rows of %i numbers and %i classes: bits', async (n, m, c, G) => {
    const linalg = await opened;
    const stream = new Stream(foldKey(rootKey(41), n));
    for (const isMatern of forms) {
      const of = kernelOf(stream, c + G, isMatern);
      const [a, b] = [rowsOf(stream, n, c, G), rowsOf(stream, m, c, G)];
      expectBits(linalg.pairCovariances(of, c, a, b), reference.pairCovariances(of, c, a, b));
      expectBits(linalg.pairCovariances(of, c, a, a), reference.pairCovariances(of, c, a, a));
      const part = { count: 1, x: a.x.subarray(0, c), k: a.k.subarray(0, G) };
      expectBits(linalg.pairCovariances(of, c, part, a), reference.pairCovariances(of, c, part, a));
    }
  });

  it.each([1, 2, 7, 33, 64])('values and slopes of a table of %i rows: bits', async (n) => {
    const linalg = await opened;
    const stream = new Stream(foldKey(rootKey(42), n));
    for (const groups of [1, 3, 4, 9]) {
      const table = tableOf(stream, n, groups);
      const alpha = Float64Array.from({ length: n }, () => stream.normal());
      const inverted = Float64Array.from({ length: n * n }, () => stream.normal());
      for (const isMatern of forms) {
        const of = kernelOf(stream, groups, isMatern);
        const [values, expected] = [linalg, reference].map((on) => on.pairValues(of, 0.3, table));
        const size = (n * (n + 1)) / 2;
        expectBits(values!.k, expected!.k);
        expectBits(values!.q.subarray(0, size), expected!.q.subarray(0, size));
        expectBits(
          linalg.pairSlopes(isMatern, table, values!, alpha, inverted),
          reference.pairSlopes(isMatern, table, expected!, alpha, inverted),
        );
      }
    }
  });

  it.each([1, 2, 9, 64, 65, 130, 300, 323])(
    'inverses of %i rows are the solutions for the identity',
    async (n) => {
      const linalg = await opened;
      const stream = new Stream(foldKey(rootKey(43), n));
      const l = new Float64Array(n * n);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < i; j++) l[i * n + j] = stream.normal() / n;
        l[i * n + i] = 1 + stream.uniform();
      }
      const identity = Float64Array.from({ length: n * n }, (_, at) => Number(at % (n + 1) === 0));
      const [root, whole] = [linalg.invertLower(l, n), linalg.invertCholesky(l, n)];
      const [solved, all] = [linalg.solveLower(l, n, identity, n), linalg.solveCholesky(l, n, identity, n)];
      let differing = 0;
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          const [low, high] = [Math.max(i, j) * n + Math.min(i, j), i * n + j];
          if (root[high] !== (j <= i ? solved[high] : 0)) differing++;
          if (whole[high] !== all[low]) differing++;
        }
      }
      expect(differing).toBe(0);
    },
  );

  it('refuses rows of another length, and numbers that are not finite', async () => {
    const linalg = await opened;
    const stream = new Stream(rootKey(44));
    const of = kernelOf(stream, 2, false);
    const [a, b] = [rowsOf(stream, 3, 1, 1), rowsOf(stream, 2, 1, 1)];
    expect(() => linalg.pairCovariances(of, 1, { ...a, count: 4 }, b)).toThrow(ShapeError);
    expect(() => linalg.pairCovariances(of, 1, a, { ...b, k: new Int32Array(1) })).toThrow(ShapeError);
    expect(() => linalg.pairCovariances(of, 3, a, b)).toThrow('numbers is 3 of 2 columns');
    expect(() => linalg.pairCovariances(of, 1, { ...a, x: a.x.fill(Number.NaN, 1, 2) }, b)).toThrow(
      NotFiniteError,
    );
    const table = tableOf(stream, 4, 2);
    expect(() => linalg.pairValues(of, 1, { ...table, n: 6 })).toThrow(ShapeError);
    expect(() => linalg.pairValues(of, 1, { ...table, groups: 3 })).toThrow(ShapeError);
  });
});

const { native, nativeMissing } = capabilities();
describe.skipIf(!native)(`the addon's boundary${native ? '' : ` (not here: ${nativeMissing})`}`, () => {
  it('refuses sizes that its arrays do not have', () => {
    const found = platform.native();
    if (!('addon' in found)) throw new Error('no addon');
    const { addon } = found;
    const f = (count: number) => new Float64Array(count);
    const wrong = 'wrong arguments';
    const k = new Int32Array(4);
    const covariances = (n: number, m: number, to: number, weights = 7, same = 0) =>
      addon.pairCovariances(0, 0, same, 1, 1, f(weights), n, f(4), k, m, f(4), k, f(to));
    expect(() => covariances(4, 4, 16)).not.toThrow();
    expect(() => covariances(5, 4, 20)).toThrow(wrong);
    expect(() => covariances(4, 4, 15)).toThrow(wrong);
    expect(() => covariances(4, 4, 16, 6)).toThrow(wrong);
    expect(() => covariances(4, 3, 16, 7, 1)).toThrow(wrong);
    const stride = tableStride(3);
    const values = (n: number, groups: number, q = stride) =>
      addon.pairValues(0, 1, n, groups, f(2 * stride), f(2 * stride), f(stride), f(7), f(stride), f(q), f(9));
    expect(() => values(3, 2)).not.toThrow();
    expect(() => values(4, 2)).toThrow(wrong);
    expect(() => values(3, 3)).toThrow(wrong);
    expect(() => values(3, 2, stride - 1)).toThrow(wrong);
    const slopes = (alpha: number, sums: number) =>
      addon.pairSlopes(
        0,
        1,
        3,
        2,
        f(2 * stride),
        f(2 * stride),
        f(stride),
        f(alpha),
        f(9),
        f(stride),
        f(stride),
        f(sums),
      );
    expect(() => slopes(3, 7)).not.toThrow();
    expect(() => slopes(2, 7)).toThrow(wrong);
    expect(() => slopes(3, 6)).toThrow(wrong);
    expect(() => addon.invertFactor(0, 1, 3, f(9), f(8))).toThrow(wrong);
    expect(() => addon.invertFactor(0, 2, 3, f(9), f(9))).toThrow(wrong);
  });
});
