// Tables of fewer than ten rows: a plan that spreads, inside the constraints, without promises.
import { describe, expect, it } from 'vitest';
import {
  design,
  explain,
  type Run,
  readTable,
  renderReport,
  score,
  toCandidatesCsv,
} from '../../src/index.js';

const base = [
  { temp: 20, catalyst: 'A', a: 0.2, b: 0.8, yield: 31 },
  { temp: 40, catalyst: 'B', a: 0.5, b: 0.5, yield: 42 },
  { temp: 80, catalyst: 'A', a: 0.4, b: 0.6, yield: 47 },
  { temp: 60, catalyst: 'B', a: 0.7, b: 0.3, yield: 39 },
  { temp: 30, catalyst: 'A', a: 0.9, b: 0.1, yield: 44 },
  { temp: 50, catalyst: 'B', a: 0.3, b: 0.7, yield: 33 },
  { temp: 70, catalyst: 'A', a: 0.6, b: 0.4, yield: 36 },
  { temp: 35, catalyst: 'B', a: 0.1, b: 0.9, yield: 45 },
  { temp: 65, catalyst: 'A', a: 0.8, b: 0.2, yield: 40 },
];

async function planFor(rows: number, more: object = {}): Promise<Run> {
  const table = await readTable(base.slice(0, rows), { name: 'few.csv' });
  return design(table, { goal: 'max yield', kernel: 'wasm', batch: 6, ...more });
}

describe('too few rows to model', () => {
  it.each([1, 3, 5, 9])('%i rows: a plan in place of candidates', async (rows) => {
    const columns = { temp: { bounds: [20, 80], step: 5 }, a: { bounds: [0, 1] } };
    const run = await planFor(rows, { columns });
    expect(run.candidates).toEqual([]);
    expect(run.plan).toHaveLength(6);
    expect(run.verdict).toMatchObject({
      level: 'unsupported',
      sentence: 'Too few to model: a plan that spreads over the space.',
    });
    const cells = run.plan!.map((row) => JSON.stringify(row.cells));
    expect(new Set(cells).size).toBe(6);
    for (const { cells: row, nearest } of run.plan!) {
      expect(Number(row.temp) % 5).toBe(0);
      expect(nearest.row).toBeLessThanOrEqual(rows);
      expect(nearest.differences.length).toBeGreaterThan(0);
    }
    expect(structuredClone(run)).toEqual(run);
    expect((await planFor(rows, { columns, seed: 0 })).plan).toEqual(run.plan);
  });

  it('keeps every kind of constraint, and the recipe', async () => {
    const run = await planFor(9, {
      batch: 12,
      constraints: ['if catalyst = B then temp <= 45', 'a*temp <= 40', 'a/b = 0.25..3'],
      mixtures: [{ columns: ['a', 'b'], sum: 1 }],
    });
    expect(run.plan).toHaveLength(12);
    for (const { cells } of run.plan!) {
      const [a, b, temp] = [cells.a, cells.b, cells.temp].map(Number) as [number, number, number];
      expect(Math.abs(a + b - 1)).toBeLessThan(1e-9);
      expect(a / b).toBeGreaterThan(0.25 - 1e-8);
      expect(a / b).toBeLessThan(3 + 1e-8);
      expect(a * temp).toBeLessThan(40 + 1e-7);
      if (cells.catalyst === 'B') expect(temp).toBeLessThanOrEqual(45 + 1e-8);
    }
    expect(new Set(run.plan!.map(({ cells }) => cells.catalyst)).size).toBe(2);
    expect(run.constraints).toContain('if catalyst = B then temp <= 45');
  });

  it('spreads wider than draws do', async () => {
    const run = await planFor(3, { batch: 4, columns: { a: { role: 'ignore' }, b: { role: 'ignore' } } });
    const temps = run.plan!.map(({ cells }) => Number(cells.temp)).toSorted((x, y) => x - y);
    expect(temps.at(-1)! - temps[0]!).toBeGreaterThan(30);
  });

  it('is written for people and programs, and says nothing of other rows', async () => {
    const run = await planFor(5);
    const [head, first] = toCandidatesCsv(run).split('\n');
    expect(head).toBe('temp,catalyst,a,b,yield,nearest_row');
    expect(first!.split(',')[4]).toBe('');
    const report = renderReport(run);
    expect(report).toContain('A plan that spreads over the space');
    expect(report).toContain('Too few rows to model');
    await expect(score(run, await readTable(base.slice(0, 1)))).rejects.toThrow('too few rows to model');
    await expect(explain(run)).rejects.toThrow('nothing to explain');
  });
});
