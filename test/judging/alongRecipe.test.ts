import { describe, expect, it } from 'vitest';
import { movedDesigns } from '../../src/judging/alongRecipe.js';
import type { Space } from '../../src/space/space.js';

const number = (upper: number) => ({ kind: 'continuous', lower: 0, upper }) as const;

describe('a profile along a recipe', () => {
  const space: Space = {
    columns: [number(1), number(1), number(1), number(90)],
    linear: [
      { terms: [0, 1, 2].map((column) => ({ column, weight: 1 })), relation: '=', bound: 1, label: 'sum' },
    ],
  };
  const design = Float64Array.from([0.2, 0.6, 0.2, 50]);

  it('scales the rest in its proportions, and leaves out what the recipe has no room for', async () => {
    const { designs, along } = await movedDesigns(space, design, 0, [0, 0.6, 1, 1.1]);
    expect(along).toEqual([1, 2]);
    const expected = [
      [0, 0.75, 0.25, 50],
      [0.6, 0.3, 0.1, 50],
      [1, 0, 0, 50],
    ];
    expect(designs).toHaveLength(3);
    designs.forEach((x, i) => {
      x.forEach((v, j) => {
        expect(v).toBeCloseTo(expected[i]![j]!, 12);
      });
    });
  });

  it('moves a column outside the recipe alone', async () => {
    const { designs, along } = await movedDesigns(space, design, 3, [10, 100]);
    expect([along, designs.map((x) => Array.from(x))]).toEqual([
      [],
      [
        [0.2, 0.6, 0.2, 10],
        [0.2, 0.6, 0.2, 100],
      ],
    ]);
  });

  it('keeps an equality with other weights', async () => {
    const weighted: Space = {
      columns: [number(4), number(4)],
      linear: [
        {
          terms: [
            { column: 0, weight: 1 },
            { column: 1, weight: 2 },
          ],
          relation: '=',
          bound: 6,
          label: 'a + 2 b = 6',
        },
      ],
    };
    const { designs } = await movedDesigns(weighted, Float64Array.from([2, 2]), 0, [0, 4, 7]);
    expect(designs.map((x) => Array.from(x, (v) => Math.round(1e9 * v) / 1e9))).toEqual([
      [0, 3],
      [4, 1],
    ]);
  });
});
