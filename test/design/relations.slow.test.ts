// Designs from tables with relations between numbers and classes, products and ratios; check reads what design reads.
import { describe, expect, it } from 'vitest';
import { check, design, readTable } from '../../src/index.js';
import { rootKey, Stream } from '../../src/numeric/index.js';

const stream = new Stream(rootKey(3));
const rows = Array.from({ length: 30 }, (_, i) => {
  const temp = 20 + 5 * stream.integer(15);
  const a = Math.round(50 + 200 * stream.uniform()) / 100;
  const b = Math.round(50 + 100 * stream.uniform()) / 100;
  const catalyst = 'ABC'[i % 3]!;
  const y = temp / 10 + 3 * a * b + (catalyst === 'B' ? 4 : 0) + stream.uniform();
  return {
    temp,
    catalyst,
    ligand: `L${1 + (i % 4)}`,
    a,
    b,
    operator: 'xy'[i % 2]!,
    yield: Number(y.toFixed(2)),
  };
});
const table = await readTable(rows, { name: 'past.csv' });
const choices = await readTable(rows.slice(3, 12).map(({ yield: _, ...rest }) => rest));
const fast = { goal: 'max yield', effort: 'fast', options: { steps: 8 }, batch: 4, kernel: 'wasm' } as const;

type Cells = Readonly<Record<string, string | number>>;
const num = (cells: Cells, name: string) => Number(cells[name]);

describe('design', () => {
  it.each<[string, (cells: Cells) => boolean]>([
    ['if catalyst = B then temp <= 60', (c) => c.catalyst !== 'B' || num(c, 'temp') <= 60 + 6e-8],
    ['if catalyst = B then ligand != L3', (c) => c.catalyst !== 'B' || c.ligand !== 'L3'],
    ['a*b <= 1.5', (c) => num(c, 'a') * num(c, 'b') <= 1.5 + 2e-9],
    ['a/b = 0.8..1.2', (c) => Math.abs(num(c, 'a') / num(c, 'b') - 1) <= 0.2 + 2e-9],
  ])('%s', async (constraint, holds) => {
    const run = await design(table, { ...fast, constraints: [constraint] });
    expect(run.candidates).toHaveLength(4);
    expect(run.constraints).toContain(constraint);
    for (const { cells } of run.candidates)
      expect({ cells, holds: holds(cells) }).toEqual({ cells, holds: true });
  });

  it('says what cannot be, before anything is trained', async () => {
    await expect(design(table, { ...fast, constraints: ['a*b >= 9'] })).rejects.toThrow(
      /^in 200 tries no design was found that satisfies all of: .*a\*b >= 9/,
    );
    await expect(
      design(table, { ...fast, constraints: ['if catalyst in (A, B, C) then temp >= 95'] }),
    ).rejects.toThrow('if catalyst in (A, B, C) then temp >= 95');
  });
});

describe('check and design see the same table', () => {
  it.each<[string, object]>([
    ['as it is', {}],
    ['constraints', { constraints: ['if catalyst = B then temp <= 60', 'a/b <= 2'] }],
    ['context and ignore', { columns: { operator: { role: 'context' }, ligand: { role: 'ignore' } } }],
    ['types and fixed values', { columns: { temp: { type: 'category' }, catalyst: { fixed: 'B' } } }],
    ['choices', { choices }],
  ])('%s', async (_, more) => {
    const report = await check(table, { goal: 'max yield', ...more });
    const run = await design(table, { ...fast, options: { steps: 1 }, batch: 1, ...more });
    expect(report.columns.map(({ name, type, role }) => ({ name, type, role }))).toEqual(
      run.data.columns.map(({ name, type, role }) => ({ name, type, role })),
    );
    expect(report.support!.rows).toBe(run.data.used);
    expect(report.conflict).toEqual([]);
    expect(report.goals).toEqual(run.goal.labels);
  });
});
