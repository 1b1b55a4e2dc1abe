import { describe, expect, it } from 'vitest';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { evolve } from '../../src/search/evolve.js';
import type { Space } from '../../src/space/space.js';

const space: Space = {
  columns: [
    { kind: 'continuous', lower: 0, upper: 1 },
    { kind: 'categorical', classes: 3 },
    { kind: 'continuous', lower: -5, upper: 5 },
    { kind: 'continuous', lower: 0, upper: 1 },
  ],
  fixed: [{ column: 3, value: 0.25, label: 'fixed' }],
};
const d = 4;

/** Best at 0.7, class 2 and the upper bound 5. */
function hill(x: Float64Array): Float64Array {
  return Float64Array.from({ length: x.length / d }, (_, i) => {
    const [a, k, b] = x.subarray(i * d, (i + 1) * d);
    return -((a! - 0.7) ** 2) + (k === 2 ? 1 : 0) + b! / 10;
  });
}

function project(x: Float64Array): Float64Array {
  x[0] = Math.max(0, Math.min(1, x[0]!));
  x[2] = Math.max(-5, Math.min(5, x[2]!));
  return x;
}

function starts(): Float64Array {
  const stream = new Stream(rootKey(4));
  return Float64Array.from({ length: 40 * d }, (_, at) => {
    if (at % d === 1) return stream.integer(2); // class 2 has to be found
    if (at % d === 3) return 0.25;
    return at % d === 2 ? 10 * stream.uniform() - 5 : stream.uniform();
  });
}

const options = { population: 24, generations: 60, key: rootKey(1), project, spread: [0.3, 1, 3, 1] };
const rowsOf = (x: Float64Array) =>
  Array.from({ length: x.length / d }, (_, i) => Array.from(x.subarray(i * d, (i + 1) * d)));

describe('evolution', () => {
  it('finds the top of a hill of numbers and classes, and stays in the space', async () => {
    const { x, scores } = await evolve(space, starts(), hill, options);
    const best = rowsOf(x)[scores.indexOf(Math.max(...scores))]!;
    expect(best[0]).toBeCloseTo(0.7, 1);
    expect(best.slice(1)).toEqual([2, 5, 0.25]);
    expect([...hill(x)]).toEqual([...scores]);
    for (const [a, k, b, fixed] of rowsOf(x)) {
      expect(a! >= 0 && a! <= 1 && b! >= -5 && b! <= 5).toBe(true);
      expect([0, 1, 2]).toContain(k);
      expect(fixed).toBe(0.25);
    }
  });

  it('gives no score to what is not allowed', async () => {
    const isAllowed = ([a]: Float64Array) => Math.abs(a! - 0.7) > 0.1;
    const { x, scores } = await evolve(space, starts(), hill, { ...options, isAllowed });
    const allowed = rowsOf(x).filter((_, i) => scores[i]! > Number.NEGATIVE_INFINITY);
    expect(allowed.length).toBeGreaterThan(20);
    for (const [a] of allowed) expect(Math.abs(a! - 0.7)).toBeGreaterThan(0.1);
    expect(Math.max(...scores)).toBeGreaterThan(1.47); // 1.49 at 0.6 or 0.8
  });

  it('repeats itself bit for bit, and not with another key', async () => {
    const few = { ...options, generations: 5 };
    const [one, two] = [await evolve(space, starts(), hill, few), await evolve(space, starts(), hill, few)];
    expect([...one.x]).toEqual([...two.x]);
    const other = await evolve(space, starts(), hill, { ...few, key: rootKey(2) });
    expect([...other.x]).not.toEqual([...one.x]);
  });

  it('returns the starts where nothing can move', async () => {
    const fixed = space.columns.map((_, column) => ({ column, value: 0, label: '' }));
    const { x } = await evolve({ ...space, fixed }, starts().slice(0, 8), hill, options);
    expect(new Set(rowsOf(x).map(String))).toEqual(new Set(rowsOf(starts().slice(0, 8)).map(String)));
  });
});
