import { describe, expect, it } from 'vitest';
import type { Stream } from '../../src/numeric/index.js';
import { buildSpace, type DesignColumn } from '../../src/problem/buildSpace.js';
import { parseConstraint } from '../../src/problem/expressions.js';
import { decideFeasibility, projector, sample, violations } from '../../src/space/index.js';
import type { Space } from '../../src/space/space.js';
import { streamOf } from './randomSpaces.js';

const columns: DesignColumn[] = [
  { name: 'a', kind: 'number', min: 0.5, max: 3 },
  { name: 'b', kind: 'number', min: 0, max: 2 },
  { name: 'c', kind: 'integer', min: 0, max: 10 },
  { name: 'temp', kind: 'number', min: 20, max: 90 },
  { name: 'catalyst', kind: 'category', levels: ['A', 'B', 'C'] },
  { name: 'solvent', kind: 'category', levels: ['water', 'dmf'] },
];

function spaceOf(...constraints: string[]): Space {
  return buildSpace(columns, { constraints: constraints.map((text) => parseConstraint(text)) });
}

type Row = readonly [number, number, number, number, number, number];

/** What the texts say, written down a second time. */
const meanings: readonly (readonly [string, (row: Row) => boolean])[] = [
  ['if catalyst = B then temp <= 60', ([, , , t, k]) => k !== 1 || t <= 60],
  ['if solvent = water then c = 1..3', ([, , c, , , s]) => s !== 0 || (c >= 1 && c <= 3)],
  [
    'if catalyst = C and solvent = dmf then a + b = 2',
    ([a, b, , , k, s]) => k !== 2 || s !== 1 || Math.abs(a + b - 2) < 2e-9,
  ],
  ['if temp > 70 then catalyst != A', ([, , , t, k]) => k !== 0 || t <= 70],
  ['if catalyst = B then a*b <= 1', ([a, b, , , k]) => k !== 1 || a * b <= 1 + 1e-9],
  ['if catalyst = A then at most 1 of b, c', ([, b, c, , k]) => k !== 0 || b * c === 0],
  ['a*b <= 3', ([a, b]) => a * b <= 3 + 3e-9],
  ['a/b = 2..4', ([a, b]) => a / b >= 2 - 4e-9 && a / b <= 4 + 4e-9],
  ['a/(a+b) >= 0.4', ([a, b]) => a / (a + b) >= 0.4 - 1e-9],
  ['2*a*b + c <= 10', ([a, b, c]) => 2 * a * b + c <= 10 + 1e-8],
  ['a^2 + b^2 >= 4', ([a, b]) => a * a + b * b >= 4 - 4e-9],
  ['a*c = 4', ([a, , c]) => Math.abs(a * c - 4) <= 4e-9],
];

function drawn(stream: Stream): Float64Array {
  const x = Float64Array.from([0.5, 0, 0, 20, 0, 0]);
  const width = [2.5, 2, 10, 70];
  for (let j = 0; j < 4; j++) x[j]! += width[j]! * stream.uniform();
  x[2] = Math.round(x[2]!);
  x[4] = stream.integer(3);
  x[5] = stream.integer(2);
  return x;
}

describe('relations of numbers and classes', () => {
  it.each(meanings)('%s: violations says what the text says', (text, holds) => {
    const space = spaceOf(text);
    const stream = streamOf(text);
    for (let i = 0; i < 300; i++) {
      const x = drawn(stream);
      const row = Array.from(x) as unknown as Row;
      expect({ row, held: violations(space, x).length === 0 }).toEqual({ row, held: holds(row) });
    }
  });

  it('hold in 200 random spaces, wherever brute force finds a design', async () => {
    let feasible = 0;
    const missed: string[] = [];
    for (let index = 0; index < 200; index++) {
      const stream = streamOf('relations', index);
      const chosen = Array.from(stream.choose(meanings.length, 1 + stream.integer(4)), (i) => meanings[i]!);
      const space = spaceOf(...chosen.map(([text]) => text));
      const holds = (x: Float64Array) => chosen.every(([, one]) => one(Array.from(x) as unknown as Row));
      const known = Array.from({ length: 200 }, () => drawn(stream)).filter(holds);
      const answer = await decideFeasibility(space);
      if (!answer.feasible) {
        if (known.length > 0) missed.push(chosen.map(([text]) => text).join('; '));
        continue;
      }
      feasible += 1;
      const { project } = await projector(space);
      for (let i = 0; i < 4; i++) {
        const moved = project(drawn(stream));
        expect({ broken: violations(space, moved), index }).toEqual({ broken: [], index });
        expect(holds(moved)).toBe(true);
        expect(Array.from(project(moved))).toEqual(Array.from(moved));
      }
      // what is feasible stays where it is
      for (const x of known.slice(0, 2)) expect(Array.from(project(x))).toEqual(Array.from(x));
    }
    expect(missed).toEqual([]);
    expect(feasible).toBeGreaterThan(150);
  });

  it('projects to the nearest point of a hyperbola', async () => {
    const space: Space = {
      columns: [
        { kind: 'continuous', lower: 0, upper: 4 },
        { kind: 'continuous', lower: 0, upper: 4 },
      ],
      formulas: [
        {
          formula: {
            kind: 'product',
            left: { kind: 'column', column: 0 },
            right: { kind: 'column', column: 1 },
          },
          lower: Number.NEGATIVE_INFINITY,
          upper: 3,
          label: 'a*b <= 3',
        },
      ],
    };
    const { project } = await projector(space);
    const target = [2.5, 2.2];
    const found = project(target);
    const distance = (a: number, b: number) => Math.hypot(a - target[0]!, b - target[1]!);
    let best = Number.POSITIVE_INFINITY;
    for (let a = 0.75; a <= 4; a += 1e-5) best = Math.min(best, distance(a, 3 / a));
    expect(distance(found[0]!, found[1]!)).toBeCloseTo(best, 4);
  });

  it('keeps the class and moves the number; changes the class where no number is left', async () => {
    const { project } = await projector(spaceOf('if catalyst = B then temp <= 60'));
    expect(Array.from(project([1, 1, 3, 80, 1, 0]))).toEqual([1, 1, 3, 60, 1, 0]);
    const tight = await projector(spaceOf('if catalyst = B then temp <= 60', 'temp >= 70'));
    const moved = tight.project([1, 1, 3, 80, 1, 0]);
    expect(moved[3]).toBe(80);
    expect(moved[4]).not.toBe(1);
  });

  it('names the constraints that exclude each other', async () => {
    const classes = await decideFeasibility(
      spaceOf('if catalyst in (A, B, C) then temp <= 60', 'temp >= 70', 'a <= 2'),
    );
    expect(classes).toEqual({
      feasible: false,
      conflict: ['temp >= 70', 'if catalyst in (A, B, C) then temp <= 60'],
    });
    const curved = await decideFeasibility(spaceOf('a*b >= 7', 'temp <= 50'));
    expect(curved).toMatchObject({ feasible: false, tries: 200 });
    expect(curved.feasible || curved.conflict).toContain('a*b >= 7');
    expect(curved.feasible || curved.conflict).not.toContain('temp <= 50');
  });

  it('are kept by samples, which spread', async () => {
    const space = spaceOf('if catalyst = B then temp <= 60', 'a*b <= 1', 'a/b >= 0.5');
    const x = await sample(space, streamOf('relation samples'), 60);
    const rows = Array.from({ length: 60 }, (_, i) => x.subarray(6 * i, 6 * i + 6));
    expect(rows.flatMap((row) => violations(space, row))).toEqual([]);
    expect(new Set(rows.map((row) => row[4])).size).toBe(3);
    const products = rows.map((row) => row[0]! * row[1]!);
    expect(products.filter((v) => v < 0.9).length).toBeGreaterThan(20);
  });
});
