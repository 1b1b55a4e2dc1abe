import { expect, it } from 'vitest';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { recombine } from '../../src/search/recombine.js';
import type { Space } from '../../src/space/space.js';

const numbers: Space = {
  columns: Array.from({ length: 20 }, () => ({ kind: 'continuous', lower: -9, upper: 9 })),
};
const letters: Space = { columns: Array.from({ length: 20 }, () => ({ kind: 'categorical', classes: 6 })) };

const distance = (x: Float64Array, at: number) =>
  x.subarray(at * 20, (at + 1) * 20).reduce((sum, v) => sum + (v - 1) ** 2, 0);
const mean = (x: Float64Array) => {
  const n = x.length / 20;
  return Array.from({ length: n }, (_, i) => distance(x, i)).reduce((sum, v) => sum + v, 0) / n;
};

it('cancels what is bad in single rows: the more parents, the nearer to what they share', () => {
  const stream = new Stream(rootKey(1));
  const rows = Float64Array.from({ length: 128 * 20 }, () => 1 + stream.normal());
  const made = recombine(numbers, rows, 300, rootKey(2));
  const of = (turn: number) => {
    const kept = Array.from({ length: 100 }, (_, i) => 3 * i + turn);
    return mean(Float64Array.from(kept.flatMap((i) => [...made.subarray(i * 20, (i + 1) * 20)])));
  };
  // uniform weights on the simplex of k parts have a mean square of 2 / (k + 1)
  for (const [turn, k] of [4, 8, 32].entries()) {
    expect(of(turn) / mean(rows)).toBeGreaterThan(0.85 * (2 / (k + 1)));
    expect(of(turn) / mean(rows)).toBeLessThan(1.15 * (2 / (k + 1)));
  }
});

it('means logarithmic columns on their scale', () => {
  const log: Space = { columns: [{ kind: 'continuous', lower: 1e-3, upper: 1e3, scale: 'log' }] };
  const made = recombine(log, Float64Array.of(0.01, 100), 3, rootKey(3));
  for (const v of made) expect(v).toBeGreaterThan(0.01);
  const again = recombine(log, Float64Array.of(1, 10_000), 3, rootKey(3));
  again.forEach((v, i) => {
    expect(v / made[i]!).toBeCloseTo(100, 8);
  });
});

it('takes classes of parents only, changed rows undone by the others, none twice while there are others', () => {
  const stream = new Stream(rootKey(4));
  const rows = new Float64Array(128 * 20).map(() => (stream.uniform() < 0.2 ? 1 + stream.integer(4) : 0));
  const made = recombine(letters, rows, 90, rootKey(5));
  expect(made.some((v) => v === 5)).toBe(false);
  const changed = (x: Float64Array) => x.filter((v) => v !== 0).length / x.length;
  const of = (turn: number) => changed(made.filter((_, at) => Math.floor(at / 20) % 3 === turn));
  // of two rows each is taken as often; of eight the 0 wins where changed rows have less than half of the weight
  expect(of(0) / changed(rows)).toBeGreaterThan(0.85);
  expect(of(2) / changed(rows)).toBeLessThan(0.65);
  expect(new Set(Array.from({ length: 90 }, (_, i) => made.subarray(i * 20, (i + 1) * 20).join())).size).toBe(
    90,
  );
});

it('has as many parents as there are rows, and gives the same again for a key', () => {
  const row = Float64Array.from({ length: 20 }, (_, j) => j / 10);
  const copies = recombine(numbers, row, 3, rootKey(6));
  copies.forEach((v, i) => {
    expect(v).toBeCloseTo(row[i % 20]!, 12);
  });
  expect(recombine(letters, new Float64Array(40), 4, rootKey(7))).toEqual(new Float64Array(80));
});
