import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArgumentError, NotFiniteError, ShapeError } from '../../src/numeric/errors.js';
import {
  argsort,
  extent,
  fitStandardization,
  mean,
  median,
  pearson,
  quantile,
  quantiles,
  ranks,
  spearman,
  standardDeviation,
  standardize,
  topIndices,
  unstandardize,
  variance,
  weightedMean,
} from '../../src/numeric/stats.js';

// Expected values for these two by exact fractions in Python.
const a = [2.5, -1, 4.25, 3, 0.5, 4.25, -7.75, 10];
const b = [1, 0.5, 2, 2, -1, 3.5, -4, 2];
const tight = { rtol: 1e-15, atol: 0 };

describe('location and spread', () => {
  it('mean, variance, standard deviation', () => {
    expect(mean(a)).toBe(1.96875);
    expect([variance(a), variance(a, { unbiased: true }), standardDeviation(a)]).toBeAllClose(
      [22.7099609375, 25.954241071428573, 4.765496924508503],
      tight,
    );
    expect(standardDeviation([1, 3], { unbiased: true })).toBe(Math.SQRT2);
    expect([mean([7]), variance([7])]).toEqual([7, 0]);
  });

  it('survives a large offset', () => {
    const shifted = [1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16];
    expect(mean(shifted)).toBe(1e9 + 10);
    expect(variance(shifted, { unbiased: true })).toBe(30);
    expect(variance(new Float64Array(1000).fill(0.1))).toBeLessThan(1e-33);
  });

  it('averages values whose sum overflows', () => {
    expect(mean([1.5e308, 1.5e308, 1.5e308])).toBe(1.5e308);
  });

  it('weightedMean', () => {
    expect([weightedMean(a, [1, 0, 2, 0.5, 1, 3, 0.25, 1])]).toBeAllClose([3.8642857142857143], tight);
    expect(weightedMean([5, 1e300], [1e-300, 0])).toBe(5);
    expect(() => weightedMean(a, [1])).toThrow(ShapeError);
    expect(() => weightedMean([1, 2], [1, -1])).toThrow('weights[1] is -1');
    expect(() => weightedMean([1, 2], [0, 0])).toThrow(ArgumentError);
    expect(() => weightedMean([1, 2], [0, Number.NaN])).toThrow(NotFiniteError);
  });

  it('extent', () => {
    expect(extent(a)).toEqual({ min: -7.75, max: 10 });
    expect(extent(new Float32Array([3]))).toEqual({ min: 3, max: 3 });
  });
});

describe('quantiles', () => {
  it('interpolates as type 7', () => {
    expect(quantiles(a, [0, 0.1, 0.25, 0.5, 0.9, 1])).toBeAllClose([-7.75, -3.025, 0.125, 2.75, 5.975, 10], {
      rtol: 1e-15,
      atol: 1e-15,
    });
    expect([quantile([1, 2, 3, 4], 0.4), median([3, 1, 2]), median([4, 1, 2, 3]), median([9])]).toBeAllClose(
      [2.2, 2, 2.5, 9],
      tight,
    );
  });

  it('sorts by value, not by text, and leaves its input alone', () => {
    const values = [10, 9, -1, -10];
    expect(median(values)).toBe(4);
    expect(values).toEqual([10, 9, -1, -10]);
  });

  it.each([-0.01, 1.01, Number.NaN])('refuses probability %d', (p) => {
    expect(() => quantile(a, p)).toThrow(ArgumentError);
  });
});

describe('order', () => {
  it('argsort keeps equal values in order, both ways', () => {
    expect([...argsort(a)]).toEqual([6, 1, 4, 0, 3, 2, 5, 7]);
    expect([...argsort(a, 'descending')]).toEqual([7, 2, 5, 3, 0, 4, 1, 6]);
    expect([...argsort([0, -0, 0])]).toEqual([0, 1, 2]);
  });

  it('topIndices breaks ties by the lower index', () => {
    expect([...topIndices(a, 2)]).toEqual([7, 2]);
    expect([...topIndices([1, 1, 1], 3)]).toEqual([0, 1, 2]);
    for (const k of [0, 9, 1.5]) expect(() => topIndices(a, k)).toThrow(ArgumentError);
  });

  it('ranks average over ties', () => {
    expect([...ranks(a)]).toEqual([4, 2, 6.5, 5, 3, 6.5, 1, 8]);
    expect([...ranks(b)]).toEqual([4, 3, 6, 6, 2, 8, 1, 6]);
  });

  it('argsort sorts, and ranks sum to n(n + 1)/2', () => {
    const values = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(values, (v) => {
        expect([...argsort(v)].map((i) => v[i])).toEqual([...v].sort((x, y) => x - y));
        expect(ranks(v).reduce((x, y) => x + y, 0)).toBe((v.length * (v.length + 1)) / 2);
      }),
      { seed: 1 },
    );
  });
});

describe('correlation', () => {
  it('of two samples', () => {
    expect([pearson(a, b), spearman(a, b)]).toBeAllClose([0.8432195062199097, 0.8835852486128687], tight);
  });

  it('is exact on lines, at any scale', () => {
    for (const scale of [1, 1e-200, 1e200]) {
      const scaled = a.map((v) => v * scale);
      expect([
        pearson(a, scaled),
        pearson(
          scaled,
          a.map((v) => 3 - v),
        ),
      ]).toBeAllClose([1, -1], tight);
    }
    expect([
      spearman(
        a,
        a.map((v) => v ** 3),
      ),
    ]).toBeAllClose([1], tight);
  });

  it('names the constant or mismatched side', () => {
    expect(() =>
      pearson(
        a,
        a.map(() => 0.1),
      ),
    ).toThrow(expect.objectContaining({ argument: 'b' }));
    expect(() => spearman([2, 2], [1, 2])).toThrow(expect.objectContaining({ argument: 'a' }));
    expect(() => pearson([1, 2], [1, Number.NaN])).toThrow('b[1] is NaN');
    expect(() => spearman([1, 2], [1, Number.NaN])).toThrow('b[1] is NaN');
    expect(() => pearson([1, 2], [1, 2, 3])).toThrow(ShapeError);
    expect(() => spearman([1, 2], [1, 2, 3])).toThrow(ShapeError);
  });
});

describe('standardization', () => {
  it('by column, with 1 for a constant one', () => {
    const x = new Float32Array([1, 0.1, -2, 3, 0.1, 4]);
    const fitted = fitStandardization(x, 3);
    expect(fitted.mean).toBeAllClose([2, Math.fround(0.1), 1], tight);
    expect([...fitted.scale]).toEqual([1, 1, 3]);
    expect([...standardize(x, fitted)]).toEqual([-1, 0, -1, 1, 0, 1]);
    expect([...unstandardize([2, 5, -1], fitted)]).toEqual([4, 5 + Math.fround(0.1), -2]);
  });

  it('round trips, to zero mean and unit variance', () => {
    const cell = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 2, maxLength: 20 }), (rows) => {
        const x = rows.flat();
        const fitted = fitStandardization(x, 2);
        const z = standardize(x, fitted);
        expect(unstandardize(z, fitted)).toBeAllClose(x, { rtol: 1e-14, atol: 1e-9 });
        for (const column of [0, 1]) {
          const values = z.filter((_, i) => i % 2 === column);
          const { min, max } = extent(rows.map((row) => row[column]));
          // Rounding of the mean is felt when a column varies by little of its size.
          const atol = 1e-12 + (1e-15 * Math.max(Math.abs(min), Math.abs(max))) / fitted.scale[column];
          expect([mean(values)]).toBeAllClose([0], { rtol: 0, atol });
          if (max - min > 1e-3) expect(variance(values)).toBeCloseTo(1, 6);
        }
      }),
      { seed: 2 },
    );
  });

  it('refuses a ragged matrix', () => {
    expect(() => fitStandardization([1, 2, 3], 2)).toThrow(ShapeError);
    expect(() => fitStandardization([1, 2], 0)).toThrow(ArgumentError);
    const fitted = fitStandardization([1, 2], 2);
    expect(() => standardize([1, 2, 3], fitted)).toThrow(ShapeError);
    expect(() => unstandardize([1], fitted)).toThrow(ShapeError);
  });
});

describe('empty and not finite input', () => {
  const functions: [string, (values: number[]) => unknown][] = [
    ['mean', mean],
    ['variance', variance],
    ['standardDeviation', standardDeviation],
    ['weightedMean', (v) => weightedMean(v, v)],
    ['extent', extent],
    ['quantile', (v) => quantile(v, 0.5)],
    ['quantiles', (v) => quantiles(v, [])],
    ['median', median],
    ['argsort', (v) => argsort(v)],
    ['ranks', ranks],
    ['pearson', (v) => pearson(v, v)],
    ['spearman', (v) => spearman(v, v)],
    ['fitStandardization', (v) => fitStandardization(v, 1)],
  ];

  it.each(functions)('%s', (_, f) => {
    expect(() => f([])).toThrow(ShapeError);
    expect(() => f([1, Number.NaN])).toThrow(NotFiniteError);
    expect(() => f([1, 2, Number.NEGATIVE_INFINITY])).toThrow('[2] is -Infinity');
  });

  it('topIndices, an unbiased variance of one value, and a matrix to transform', () => {
    expect(() => topIndices([], 1)).toThrow(ArgumentError);
    expect(() => topIndices([1, Number.NaN], 1)).toThrow(NotFiniteError);
    expect(() => variance([1], { unbiased: true })).toThrow(ShapeError);
    expect(() => standardize([Number.NaN], fitStandardization([1, 2], 1))).toThrow(NotFiniteError);
  });
});
