import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseBatch } from '../../src/judging/chooseBatch.js';
import { clumping, PastRows, percentileOf } from '../../src/judging/novelty.js';
import { squaredDistance } from '../../src/numeric/rows.js';
import { fitEncoding } from '../../src/search/encoding.js';

const space = { columns: [{ kind: 'continuous' as const, lower: -10, upper: 10 }] };
/** -3, -2, ... 3: standardised by 2, neighbours are half a unit apart. */
const x = Float64Array.from({ length: 7 }, (_, i) => i - 3);
const encoding = fitEncoding({ x, y: x }, space, { box: null });
const past = new PastRows(encoding, x);

describe('past rows', () => {
  it('know their nearest neighbours', () => {
    expect([...past.distances]).toEqual(Array(7).fill(0.5));
    const point = past.place([2.2]);
    const { row, distance } = past.nearestTo(point);
    expect(row).toBe(5);
    expect(distance).toBeCloseTo(0.1, 12);
    expect(past.nearestTo(point, 5).row).toBe(6);
    expect(percentileOf(Float64Array.of(1, 2, 3, 4), 2.5)).toBe(50);
    expect(percentileOf(Float64Array.of(1, 2, 3, 4), 0)).toBe(0);
    expect(percentileOf(Float64Array.of(1, 2, 3, 4), 9)).toBe(100);
  });
});

describe('clumps', () => {
  const distancesOf = (values: readonly number[]) =>
    new PastRows(encoding, Float64Array.from(values)).distances;

  it('are told from rows that lie evenly', () => {
    expect(clumping(distancesOf([-3, -2, -1, 0, 1, 2, 3]))).toBe(0);
    // three clumps of three with small steps, and three rows between them
    expect(clumping(distancesOf([-9, -8.9, -8.8, 0, 0.1, 0.2, 8, 8.1, 8.2, -5, 4.5, -2.5]))).toBe(1);
    expect(clumping(distancesOf([1, 1, 1]))).toBe(0);
  });
});

describe('a batch', () => {
  const choiceOf = (designs: readonly number[], promise: readonly number[], enough: number) => {
    const points = past.place(Float64Array.from(designs));
    const toPast = designs.map((_, i) => past.nearestTo(points.subarray(i, i + 1)).distance);
    return { points, promise, toPast, tiers: [(i: number) => promise[i]! >= enough] };
  };
  const choose = (designs: readonly number[], promise: readonly number[], enough: number, count: number) =>
    chooseBatch(choiceOf(designs, promise, enough), past, count).map((i) => designs[i]!);

  it('takes the most promising designs that lie at least half as far apart as past rows', () => {
    // past rows are 0.5 apart, which is 1 in the column's units
    const designs = [5, 5.1, 4.9, 3.2, 6.1, -7, -8.1];
    expect(choose(designs, [9, 8, 7, 6, 5, 4, 3], 0, 4)).toEqual([5, 6.1, -7, -8.1]);
  });

  it('goes closer before it takes designs that promise less', () => {
    const designs = [5, 5.4, 8, 9];
    expect(choose(designs, [9, 8, 3, 2], 5, 2)).toEqual([5, 5.4]);
    expect(choose(designs, [9, 8, 3, 2], 0, 2)).toEqual([5, 8]);
    expect(choose(designs, [9, 8, 3, 2], 5, 3)).toEqual([5, 5.4, 8]);
  });

  it('asks for less distance where designs are few, and never takes one twice', () => {
    expect(choose([5, 5.1, 5.1, 3], [4, 3, 2, 1], 0, 4)).toEqual([5, 5.1]);
    expect(choose([3, 2, 1], [3, 2, 1], 0, 2)).toEqual([]);
  });

  it('is varied, in order of promise, and of the size asked for where it can be', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.double({ min: -9, max: 9, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
          { minLength: 1, maxLength: 40 },
        ),
        fc.integer({ min: 1, max: 12 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (pairs, count, enough) => {
          const points = past.place(Float64Array.from(pairs, ([design]) => design));
          const promise = pairs.map(([, own]) => own);
          const designs = pairs.map(([design]) => design);
          const chosen = chooseBatch(choiceOf(designs, promise, enough), past, count);
          const isNew = (i: number) => past.nearestTo(points.subarray(i, i + 1)).distance > 0;
          const different = new Set(
            pairs
              .map((_, i) => i)
              .filter(isNew)
              .map((i) => points[i]),
          );
          expect(chosen.length).toBe(Math.min(count, different.size));
          expect(new Set(chosen.map((i) => points[i])).size).toBe(chosen.length);
          for (let i = 1; i < chosen.length; i++) {
            expect(promise[chosen[i - 1]!]!).toBeGreaterThanOrEqual(promise[chosen[i]!]!);
          }
          expect(chosen.every(isNew)).toBe(true);
        },
      ),
      { seed: 11 },
    );
  });

  it('measures distances as far as is needed', () => {
    const a = Float64Array.from({ length: 40 }, (_, i) => i);
    const b = new Float64Array(40);
    expect(squaredDistance(a, 0, b)).toBe(20540);
    expect(squaredDistance(a, 0, b, 100)).toBe(1240); // the first sixteen
  });
});
