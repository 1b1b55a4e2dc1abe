import { describe, expect, it } from 'vitest';
import { sample, violations } from '../../src/space/index.js';
import type { Space } from '../../src/space/space.js';
import { feasibleSpace, logSpace, streamOf } from './randomSpaces.js';

const rowsOf = (x: Float64Array, d: number) =>
  Array.from({ length: x.length / d }, (_, i) => x.subarray(i * d, (i + 1) * d));

describe('samples', () => {
  it('hold to 1e-9 in 1,000 random feasible spaces', async () => {
    const broken: string[] = [];
    for (let index = 0; index < 1000; index++) {
      const { space } = feasibleSpace(streamOf('feasible', index));
      const x = await sample(space, streamOf('sample', index), 2);
      for (const row of rowsOf(x, space.columns.length)) {
        broken.push(...violations(space, row).map((text) => `${index}: ${text}`));
      }
    }
    expect(broken).toEqual([]);
  });

  it('hold with logarithmic columns and a list', async () => {
    const broken: string[] = [];
    for (let index = 0; index < 200; index++) {
      const { space } = logSpace(streamOf('log', index));
      const x = await sample(space, streamOf('log sample', index), 2);
      for (const row of rowsOf(x, space.columns.length)) {
        broken.push(...violations(space, row).map((text) => `${index}: ${text}`));
      }
    }
    expect(broken).toEqual([]);
  });

  it('are as frequent in every decade of a logarithmic column that no row ties', async () => {
    const decades = { kind: 'continuous', lower: 1e-2, upper: 1e2, scale: 'log' } as const;
    const share = { kind: 'continuous', lower: 0, upper: 1 } as const;
    const linear = [
      {
        terms: [1, 2].map((column) => ({ column, weight: 1 })),
        relation: '=' as const,
        bound: 1,
        label: 'sum is 1',
      },
    ];
    const listed = [{ columns: [3], rows: Float64Array.of(0.25, 0.75), label: 'a quarter' }];
    const space: Space = { columns: [decades, share, share, share], linear, listed };
    const rows = rowsOf(await sample(space, streamOf('decades'), 2000), 4);
    for (const from of [-2, -1, 0, 1]) {
      const inside = rows.filter((row) => row[0]! >= 10 ** from && row[0]! < 10 ** (from + 1)).length;
      // a quarter each; 2,000 draws have a standard error of 0.01
      expect(Math.abs(inside / 2000 - 0.25)).toBeLessThan(0.04);
    }
    const quarter = rows.filter((row) => row[3] === 0.25).length;
    expect(Math.abs(quarter / 2000 - 0.5)).toBeLessThan(0.05);
  });

  it('need no upper bound on a logarithmic scale', async () => {
    const space: Space = {
      columns: [{ kind: 'continuous', lower: 2, upper: Number.POSITIVE_INFINITY, scale: 'log' }],
    };
    const x = await sample(space, streamOf('open'), 50);
    expect(Math.min(...x)).toBeGreaterThanOrEqual(2);
    expect(Math.max(...x)).toBeGreaterThan(1000);
    expect(Math.max(...x)).toBeLessThan(2 * Math.exp(10.001));
  });

  it('are a function of the stream', async () => {
    const { space } = feasibleSpace(streamOf('feasible', 3));
    const first = await sample(space, streamOf('a'), 5);
    expect(await sample(space, streamOf('a'), 5)).toEqual(first);
    expect(await sample(space, streamOf('b'), 5)).not.toEqual(first);
  });

  it('spread over a mixture as the uniform distribution does', async () => {
    const space: Space = {
      columns: [0, 1, 2].map(() => ({ kind: 'continuous', lower: 0, upper: 1 })),
      linear: [
        {
          terms: [0, 1, 2].map((column) => ({ column, weight: 1 })),
          relation: '=',
          bound: 1,
          label: 'sum is 1',
        },
      ],
    };
    const rows = rowsOf(await sample(space, streamOf('mixture'), 2000), 3);
    const shareOf = (test: (row: Float64Array) => boolean) => rows.filter(test).length / rows.length;
    // uniform on the simplex: P(x > t) = (1 - t)^2; 2,000 draws have a standard error of 0.01
    for (const j of [0, 1, 2]) {
      for (const t of [0.1, 0.5]) {
        expect(Math.abs(shareOf((row) => row[j]! > t) - (1 - t) ** 2)).toBeLessThan(0.04);
      }
    }
    expect(shareOf((row) => Math.min(...row) < 1e-9)).toBeLessThan(0.005);
  });

  it('reach every class, every grid point and every row of a list', async () => {
    const space: Space = {
      columns: [
        { kind: 'categorical', classes: 3 },
        { kind: 'continuous', lower: 0, upper: 4, step: 1 },
      ],
    };
    const seen = rowsOf(await sample(space, streamOf('cells'), 300), 2).map((row) => row.join());
    expect(new Set(seen).size).toBe(15);
    const choices = Float64Array.of(0, 1, 2, 3, 1, 4);
    const chosen = rowsOf(await sample({ ...space, choices }, streamOf('rows'), 60), 2).map((row) =>
      row.join(),
    );
    expect(new Set(chosen)).toEqual(new Set(['0,1', '2,3', '1,4']));
  });

  it('need no bounds', async () => {
    const free = {
      kind: 'continuous',
      lower: Number.NEGATIVE_INFINITY,
      upper: Number.POSITIVE_INFINITY,
    } as const;
    const terms = [0, 1].map((column) => ({ column, weight: 1 }));
    const space: Space = {
      columns: [free, free],
      linear: [{ terms, relation: '=', bound: 7, label: 'sum' }],
    };
    for (const row of rowsOf(await sample(space, streamOf('free'), 20), 2)) {
      expect(violations(space, row)).toEqual([]);
    }
  });
});
