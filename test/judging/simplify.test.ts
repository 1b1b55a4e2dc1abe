// Promises by formula, so that which columns can go back is known.
import { describe, expect, it } from 'vitest';
import { type Simplification, simplify } from '../../src/judging/simplify.js';
import { violations } from '../../src/space/index.js';
import type { Space } from '../../src/space/space.js';

const number = { kind: 'continuous' as const, lower: 0, upper: 10 };

/** -Σ weight_j (x_j - best_j)^2, row by row. */
function bowl(best: readonly number[], weights: readonly number[]): Simplification['promise'] {
  const d = best.length;
  return async (x) =>
    Array.from({ length: x.length / d }, (_, i) =>
      best.reduce((sum, at, j) => sum - weights[j]! * (x[i * d + j]! - at) ** 2, 0),
    );
}

function settings(space: Space, more: Partial<Simplification>): Simplification {
  return {
    promise: async (x) => Array(x.length / space.columns.length).fill(0),
    tolerance: 0.5,
    isAllowed: (x) => violations(space, x).length === 0,
    decimals: space.columns.map(() => 2),
    held: new Set<number>(),
    ...more,
  };
}

describe('a design', () => {
  const space = { columns: [number, number, number, number] };
  const design = Float64Array.of(8, 2, 5, 5);
  const past = [3, 4, 6, 1];

  it('goes back in the columns that promise nothing, and stays in those that do', async () => {
    // going back costs 25 in the first column, 0.4 in the second, 0 in the third, 0.16 in the last
    const promise = bowl([8, 2, 0, 5], [1, 0.1, 0, 0.01]);
    const simpler = await simplify(space, design, past, settings(space, { promise }));
    expect([...simpler]).toEqual([8, 2, 6, 1]);
    const all = await simplify(space, design, past, settings(space, { promise, tolerance: 0.6 }));
    expect([...all]).toEqual([8, 4, 6, 1]);
  });

  it('stays where nothing may be lost, and where it is held', async () => {
    const promise = bowl([8, 2, 5, 5], [1, 1, 1, 1]);
    expect([...(await simplify(space, design, past, settings(space, { promise })))]).toEqual([...design]);
    const held = new Set([0, 2]);
    expect([...(await simplify(space, design, past, settings(space, { held })))]).toEqual([8, 4, 5, 1]);
  });

  it('never becomes what is not allowed', async () => {
    const isAllowed = (x: Float64Array) => x[0]! >= 5 || x[3]! >= 5;
    const simpler = await simplify(space, design, past, settings(space, { isAllowed }));
    expect(isAllowed(simpler)).toBe(true);
    expect([...simpler].filter((value, j) => value !== past[j])).toHaveLength(1);
  });
});

describe('a recipe', () => {
  const columns = [number, number, number].map((column) => ({ ...column, upper: 1 }));
  const linear = [
    {
      terms: [0, 1, 2].map((column) => ({ column, weight: 1 })),
      relation: '=' as const,
      bound: 1,
      label: 'a + b + c = 1',
    },
  ];
  const space: Space = { columns, linear };

  it('keeps its sum: what goes back is taken up by another part', async () => {
    // the first part has to stay at 0.5; the other two may be anything
    const promise = bowl([0.5, 0, 0], [100, 0, 0]);
    const design = Float64Array.of(0.5, 0.2, 0.3);
    const simpler = await simplify(space, design, [0.3, 0.3, 0.4], settings(space, { promise }));
    expect(simpler[0]).toBe(0.5);
    expect([...simpler].filter((value, j) => value !== [0.3, 0.3, 0.4][j])).toHaveLength(2);
    expect(simpler[0]! + simpler[1]! + simpler[2]!).toBeCloseTo(1, 12);
  });

  it('goes back as a whole where no part matters', async () => {
    const design = Float64Array.of(0.5, 0.2, 0.3);
    const simpler = await simplify(space, design, [0.3, 0.3, 0.4], settings(space, {}));
    expect([...simpler]).toEqual([0.3, 0.3, 0.4]);
  });
});
