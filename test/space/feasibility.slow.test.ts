import { describe, expect, it } from 'vitest';
import type { Stream } from '../../src/numeric/index.js';
import { decideFeasibility, violations } from '../../src/space/index.js';
import type { LinearConstraint, Space } from '../../src/space/space.js';
import { feasibleSpace, streamOf } from './randomSpaces.js';

/** Wide enough to be no bound: what a column gets whose bounds are taken back. */
const WIDE = 5000;

/** The space with only those demands whose labels are listed. */
function reduced(space: Space, labels: ReadonlySet<string>): Space {
  const kept = <T extends { readonly label: string }>(list: readonly T[] = []) =>
    list.filter(({ label }) => labels.has(label));
  const cardinality = kept(space.cardinality);
  return {
    columns: space.columns.map((column, j) => {
      if (column.kind === 'categorical') return column;
      const { kind, name, lower, upper, step } = column;
      const isCounted = cardinality.some(({ columns }) => columns.includes(j));
      const isBounded = labels.has(`${name} in ${lower}..${upper}`);
      const isStepped = labels.has(`${name} in steps of ${step} from ${lower}`);
      const grid = isStepped ? { step: step! } : {};
      if (isBounded) return { kind, name: name!, lower, upper, ...grid };
      const wide = isStepped ? step! * Math.ceil(WIDE / step!) : WIDE;
      const far = isCounted || isStepped ? wide : Number.POSITIVE_INFINITY;
      return { kind, name: name!, lower: lower - far, upper: upper + far, ...grid };
    }),
    fixed: kept(space.fixed),
    linear: kept(space.linear),
    cardinality,
    forbidden: kept(space.forbidden),
    ...(space.choices && labels.has('one of the given rows') ? { choices: space.choices } : {}),
  };
}

/** Adds something that cannot hold with the rest; null where the space has no place for it. */
function spoil(space: Space, known: Float64Array, stream: Stream, way: number): Space | null {
  const numbers = space.columns.flatMap((column, j) => (column.kind === 'continuous' ? [j] : []));
  const j = numbers[stream.integer(numbers.length)]!;
  const column = space.columns[j]!;
  const linear = space.linear ?? [];
  const row = (
    terms: LinearConstraint['terms'],
    relation: '<=' | '>=' | '=',
    bound: number,
    label: string,
  ) => ({
    terms,
    relation,
    bound,
    label,
  });
  if (column.kind !== 'continuous') return null;
  const all = numbers.map((c) => ({ column: c, weight: 1 }));
  const total = numbers.reduce((sum, c) => sum + known[c]!, 0);
  switch (way) {
    case 0: // two rows against each other
      return {
        ...space,
        linear: [...linear, row(all, '<=', total, 'not above'), row(all, '>=', total + 1e-6, 'above')],
      };
    case 1: {
      // a sum that the bounds do not reach
      const reach = numbers.reduce((sum, c) => {
        const spec = space.columns[c]!;
        return sum + (spec.kind === 'continuous' ? spec.upper : 0);
      }, 0);
      return { ...space, linear: [...linear, row(all, '>=', reach + 0.1 + stream.uniform(), 'too much')] };
    }
    case 2: {
      // more than one member is needed, only one is allowed
      if (numbers.length < 3) return null;
      const most = Math.max(
        ...numbers.map((c) => {
          const spec = space.columns[c]!;
          return spec.kind === 'continuous' ? spec.upper : 0;
        }),
      );
      return {
        ...space,
        cardinality: [
          ...(space.cardinality ?? []),
          { columns: numbers, atLeast: 0, atMost: 1, label: 'one' },
        ],
        linear: [...linear, row(all, '>=', Math.max(0, most) + 0.5, 'much')],
      };
    }
    case 3: // outside its bounds
      return { ...space, fixed: [{ column: j, value: column.upper + 0.01, label: 'held outside' }] };
    case 4: // between two grid points
      if (!column.step) return null;
      return {
        ...space,
        fixed: [{ column: j, value: column.lower + 0.5 * column.step, label: 'held between' }],
      };
    case 5: {
      // every class of a column, over two combinations
      const c = space.columns.findIndex(({ kind }) => kind === 'categorical');
      const spec = space.columns[c];
      if (spec?.kind !== 'categorical') return null;
      const rest = Array.from({ length: spec.classes - 1 }, (_, i) => i + 1);
      return {
        ...space,
        forbidden: [
          ...(space.forbidden ?? []),
          { terms: [{ column: c, classes: [0] }], label: 'not the first' },
          { terms: [{ column: c, classes: rest }], label: 'not the others' },
        ],
      };
    }
    case 6: {
      // parity: twice a sum of whole numbers is odd
      const whole = space.columns.map((spec) =>
        spec.kind === 'continuous' ? { ...spec, lower: 0, upper: 12, step: 1 } : spec,
      );
      const even = numbers.map((c) => ({ column: c, weight: 2 }));
      return { columns: whole, linear: [row(even, '=', 5, 'odd')] };
    }
    default: {
      // only rows that break something
      const choices = new Float64Array(3 * known.length);
      for (let i = 0; i < 3; i++) {
        choices.set(known, i * known.length);
        choices[i * known.length + j] = column.upper + 1 + i;
      }
      return { ...space, choices };
    }
  }
}

describe('infeasible sets', () => {
  it('are all refused, with a conflict of which nothing can be left out', async () => {
    const refused = new Int32Array(8);
    for (let index = 0; refused.reduce((a, b) => a + b) < 200; index++) {
      const stream = streamOf('infeasible', index);
      const { space, known } = feasibleSpace(stream);
      const spoiled = spoil(space, known, stream, index % 8);
      if (!spoiled) continue;
      const answer = await decideFeasibility(spoiled);
      if (answer.feasible) throw new Error(`space ${index} was not refused: ${answer.example}`);
      const { conflict } = answer;
      const labels = new Set(conflict);
      expect(labels.size).toBe(conflict.length);
      expect((await decideFeasibility(reduced(spoiled, labels))).feasible, `${index}: ${conflict}`).toBe(
        false,
      );
      for (const label of conflict) {
        const rest = reduced(spoiled, new Set(conflict.filter((other) => other !== label)));
        const without = await decideFeasibility(rest);
        expect(without.feasible, `${index}: ${conflict} without ${label}`).toBe(true);
        if (without.feasible) expect(violations(rest, without.example)).toEqual([]);
      }
      refused[index % 8]! += 1;
    }
    expect(Math.min(...refused)).toBeGreaterThan(5);
  });

  it('are told in the words of the space', async () => {
    const amount = (name: string) => ({ kind: 'continuous', name, lower: 0, upper: 1 }) as const;
    const space: Space = {
      columns: [amount('water'), amount('salt'), { kind: 'continuous', name: 'temp', lower: 20, upper: 90 }],
      linear: [
        {
          terms: [0, 1].map((column) => ({ column, weight: 1 })),
          relation: '=',
          bound: 1,
          label: 'sum is 1',
        },
        { terms: [{ column: 0, weight: 1 }], relation: '<=', bound: 0.3, label: 'water <= 0.3' },
        { terms: [{ column: 1, weight: 1 }], relation: '<=', bound: 0.6, label: 'salt <= 0.6' },
      ],
    };
    expect(await decideFeasibility(space)).toEqual({
      feasible: false,
      conflict: ['sum is 1', 'water <= 0.3', 'salt <= 0.6'],
    });
    const hot = {
      ...space,
      linear: [{ terms: [{ column: 2, weight: 2 }], relation: '>=', bound: 190, label: 'hot' }],
    };
    expect(await decideFeasibility(hot as Space)).toEqual({
      feasible: false,
      conflict: ['temp in 20..90', 'hot'],
    });
  });
});

describe('borders', () => {
  const pair = (gap: number): Space => ({
    columns: [0, 1].map(() => ({ kind: 'continuous', lower: 0, upper: 10 })),
    linear: [
      { terms: [0, 1].map((column) => ({ column, weight: 1 })), relation: '<=', bound: 5, label: 'low' },
      {
        terms: [0, 1].map((column) => ({ column, weight: 1 })),
        relation: '>=',
        bound: 5 + gap,
        label: 'high',
      },
    ],
  });

  it.each([
    [0, true],
    [1e-12, true],
    [1e-7, false],
    [1e-8, false],
  ])('a gap of %d between two rows: feasible %s', async (gap, feasible) => {
    const answer = await decideFeasibility(pair(gap));
    expect(answer.feasible).toBe(feasible);
    if (answer.feasible) expect(violations(pair(gap), answer.example)).toEqual([]);
  });

  it('keeps the last grid point when the division is inexact', async () => {
    // (0.3 - 0) / 0.1 is 2.9999999999999996
    const space: Space = {
      columns: [{ kind: 'continuous', lower: 0, upper: 0.3, step: 0.1 }],
      linear: [{ terms: [{ column: 0, weight: 1 }], relation: '>=', bound: 0.25, label: 'much' }],
    };
    expect(await decideFeasibility(space)).toEqual({
      feasible: true,
      example: Float64Array.of(0.30000000000000004),
    });
  });
});
