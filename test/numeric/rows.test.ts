import { describe, expect, it } from 'vitest';
import { rootKey } from '../../src/numeric/key.js';
import { Stream } from '../../src/numeric/random.js';
import { dot, nearestRows, rowOf, squaredDistance, takeRows } from '../../src/numeric/rows.js';
import { argsort } from '../../src/numeric/stats.js';

const x = Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8);

describe('rowOf', () => {
  it('is a view of one row, of the kind of its matrix', () => {
    const row = rowOf(x, 2, 1);
    expect(Array.from(row)).toEqual([3, 4]);
    expect(row.buffer).toBe(x.buffer);
    expect(rowOf(Uint8Array.of(1, 2, 3, 4), 2, 0)).toEqual(Uint8Array.of(1, 2));
  });
});

describe('takeRows', () => {
  it('copies rows in the order asked for, repeated ones too', () => {
    const taken = takeRows(x, 2, [3, 0, 3]);
    expect(Array.from(taken)).toEqual([7, 8, 1, 2, 7, 8]);
    taken[0] = 0;
    expect(x[6]).toBe(7);
  });
});

describe('dot', () => {
  it('adds the products of two vectors or of stretches of them', () => {
    expect(dot(Float64Array.of(1, 2, 3), Float64Array.of(4, 5, 6))).toBe(32);
    expect(dot(x, x, 2, 2, 4)).toBe(3 * 5 + 4 * 6);
  });
});

describe('nearestRows', () => {
  const d = 37;
  const n = 200;
  const stream = new Stream(rootKey(1));
  const rows = Float64Array.from({ length: n * d }, () => Math.round(2 * stream.uniform()));
  const point = Float64Array.from({ length: d }, () => Math.round(2 * stream.uniform()));

  /** All distances, by the definition. */
  const all = Float64Array.from({ length: n }, (_, row) =>
    point.reduce((sum, value, j) => sum + (value - rows[row * d + j]!) ** 2, 0),
  );

  it('gives the first rows of a stable sort of all distances', () => {
    expect(new Set(all).size).toBeLessThan(n);
    for (const count of [1, 5, n, n + 1]) {
      const near = nearestRows(rows, point, count);
      const expected = Array.from(argsort(all)).slice(0, count);
      expect(near.map(({ row }) => row)).toEqual(expected);
      expect(near.map(({ squared }) => squared)).toEqual(expected.map((row) => all[row]));
    }
  });

  it('leaves out a row', () => {
    const [first, second] = nearestRows(rows, point, 2);
    expect(nearestRows(rows, point, 1, first!.row)).toEqual([second]);
    expect(nearestRows(point, point, 1, 0)).toEqual([]);
  });

  it('measures with the exact distance below the limit', () => {
    expect(squaredDistance(rows, 3, point)).toBe(all[3]);
    expect(squaredDistance(rows, 3, point, all[3]! / 2)).toBeGreaterThanOrEqual(all[3]! / 2);
  });
});
