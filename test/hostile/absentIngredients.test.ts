// "At most 3 of a, b, c, d" as a chemist counts: what is absent is 0, not a trace that a solver left.
import { describe, expect, it } from 'vitest';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { exactZeros, projector, sample, violations } from '../../src/space/index.js';
import type { Space } from '../../src/space/space.js';

const d = 8;
/** A recipe of eight ingredients that adds up to 100, with at most three of them and a linear limit. */
const space: Space = {
  columns: Array.from({ length: d }, (_, j) => ({
    kind: 'continuous' as const,
    name: `i${j}`,
    lower: 0,
    upper: 80,
  })),
  linear: [
    {
      terms: Array.from({ length: d }, (_, column) => ({ column, weight: 1 })),
      relation: '=',
      bound: 100,
      label: 'sum',
    },
    {
      terms: Array.from({ length: d }, (_, column) => ({ column, weight: 1 + 0.37 * column })),
      relation: '<=',
      bound: 233.7,
      label: 'cost',
    },
  ],
  cardinality: [
    { columns: Array.from({ length: d }, (_, j) => j), atLeast: 2, atMost: 3, label: 'at most 3' },
  ],
};
const present = (x: Float64Array) => x.filter((value) => value !== 0).length;

describe('absent ingredients', () => {
  it('are exactly 0 in 300 projections and 60 samples', async () => {
    const stream = new Stream(rootKey(4));
    const { project } = await projector(space);
    const designs = Array.from({ length: 300 }, () =>
      project(Float64Array.from({ length: d }, () => 60 * stream.uniform() ** 3)),
    );
    const drawn = await sample(space, stream, 60);
    for (let i = 0; i < 60; i++) designs.push(drawn.slice(i * d, (i + 1) * d));
    for (const x of designs) {
      expect(present(x)).toBeLessThanOrEqual(3);
      expect(present(x)).toBeGreaterThanOrEqual(2);
      expect(violations(space, x)).toEqual([]);
    }
  });

  it('are counted by the verifier as people count', () => {
    const x = Float64Array.of(50, 30, 20, 3e-12, 0, 0, 0, 0);
    expect(violations(space, x)).toEqual(['at most 3: 4 are not zero']);
    expect(violations(space, exactZeros(space, x.slice()))).toEqual([]);
    // two are there only because of a trace
    const trace = Float64Array.of(100, 3e-12, 0, 0, 0, 0, 0, 0);
    const wide = { ...space, columns: space.columns.map((column) => ({ ...column, upper: 200 })) };
    expect(violations(wide, exactZeros(wide, trace))).toEqual(['at most 3: 1 are not zero']);
  });

  it('are no traces where the unit makes all numbers tiny', () => {
    const tiny: Space = {
      columns: [{ kind: 'continuous', name: 'a', lower: 0, upper: 1e-9 }],
      cardinality: [{ columns: [0], atLeast: 1, atMost: 1, label: 'one' }],
    };
    expect(exactZeros(tiny, Float64Array.of(4e-10))).toEqual(Float64Array.of(4e-10));
  });
});
