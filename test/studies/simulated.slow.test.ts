import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { quantile, rootKey, Stream } from '../../src/numeric/index.js';
import {
  encodeRows,
  parseProblemFile,
  stateProblem,
  toCells,
  writeProblemFile,
} from '../../src/problem/index.js';
import { sample, violations } from '../../src/space/index.js';
import { readTable } from '../../src/table/index.js';
import { demoProcess, simulatedProblems } from '../../studies/simulated/index.mjs';

const stored: { results: { name: string; design: Record<string, string | number> }[] } = JSON.parse(
  readFileSync(new URL('../../studies/simulated/headroom.json', import.meta.url), 'utf8'),
);
const all = [...simulatedProblems, demoProcess];

const design = ({ columns }: (typeof all)[number], row: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(columns.map(({ name }) => [name, row[name]]));

const seeds = [0, 1, 2, 3, 4];

it('are ten and a demo, with 4 to 30 columns and 150 to 1500 rows', () => {
  expect(simulatedProblems).toHaveLength(10);
  expect(new Set(all.map(({ name }) => name)).size).toBe(11);
  for (const { columns, rows } of all) {
    expect(columns.length).toBeGreaterThanOrEqual(4);
    expect(columns.length).toBeLessThanOrEqual(30);
    expect(rows).toBeGreaterThanOrEqual(150);
    expect(rows).toBeLessThanOrEqual(1500);
  }
  expect(Math.min(...all.map(({ columns }) => columns.length))).toBe(4);
  expect(Math.max(...all.map(({ columns }) => columns.length))).toBe(30);
});

it('between them ask for everything the words can say', () => {
  const types = new Set(all.flatMap(({ columns }) => columns.map(({ type }) => type)));
  expect([...types].sort()).toEqual(['boolean', 'category', 'integer', 'number', 'ordered', 'sequence']);
  const words = JSON.stringify(all.map((problem) => problem.words));
  for (const part of ['min ', 'mixtures', 'at most 2 of', '<=', 'forbid', '"log":true', '"role":"context"'])
    expect(words).toContain(part);
  const cells = all.flatMap(({ makeTable }) => makeTable(0).rows.flatMap((row) => Object.values(row)));
  expect(cells).toContain(null);
  expect(cells).toContain('<0.5');
});

describe.each(all.map((problem) => [problem.name, problem] as const))('%s', (name, problem) => {
  const sign = problem.wanted === 'max' ? 1 : -1;
  const tables = new Map<number, ReturnType<typeof problem.makeTable>>();
  const tableOf = (seed: number) => {
    const table = tables.get(seed) ?? problem.makeTable(seed);
    tables.set(seed, table);
    return table;
  };
  const goal = problem.words.goals[0]!.replace(/^\w+ /, '');

  it('gives the same table for a seed and another for another', () => {
    expect(problem.makeTable(3)).toEqual(tableOf(3));
    expect(tableOf(3).rows).not.toEqual(tableOf(4).rows);
    for (const seed of seeds) expect(tableOf(seed).rows).toHaveLength(problem.rows);
  });

  it('is said in words that a problem file can hold', () => {
    const spec = { version: 1 as const, data: 'past.csv', ...problem.words };
    expect(parseProblemFile(writeProblemFile(spec), 'nemokit.yaml')).toEqual(spec);
  });

  it('is typed as intended, and its rows satisfy its own constraints', async () => {
    for (const seed of seeds) {
      const { rows } = tableOf(seed);
      const table = await readTable(rows);
      const { space, columns, tableColumns: types } = stateProblem(table, problem.words);
      const found = types.filter((type) => type.name !== goal).map((type) => [type.name, type.type]);
      expect(found).toEqual(problem.columns.map((column) => [column.name, column.type]));
      expect(columns.map((column) => column.name).filter((text) => !text.endsWith(' (missing)'))).toEqual(
        problem.columns.map((column) => column.name),
      );
      // What past runs did not choose, the context and which cells are empty, is fixed for designs only.
      const { fixed = [], ...open } = space;
      const allowed = fixed.map(({ label }) => label);
      for (const label of allowed) expect(label).toMatch(/is context$| \(missing\) = known$/);
      const complete = rows.filter((row) => Object.values(row).every((cell) => cell !== null));
      expect(complete.length).toBeGreaterThan(0.8 * rows.length);
      for (const row of complete) {
        const cells = columns.map((column) => row[column.name] ?? 'known');
        expect(violations(open, encodeRows(columns, [cells]))).toEqual([]);
      }
    }
  });

  it('has a finite truth wherever designs may lie', async () => {
    const { space, columns } = stateProblem(await readTable(tableOf(0).rows), problem.words);
    const x = await sample(space, new Stream(rootKey(11)), 500);
    const truths = toCells({ columns }, x).map((cells) => problem.truth(cells));
    expect(truths).toHaveLength(500);
    for (const truth of truths) expect(Number.isFinite(truth)).toBe(true);
    expect(new Set(truths).size).toBeGreaterThan(400);
    if (problem === demoProcess) expect(Math.max(...truths)).toBeLessThanOrEqual(100);
  });

  it('shows nothing that is withheld, and measures with the noise it says', () => {
    for (const seed of seeds) {
      const table = tableOf(seed);
      const complete = table.rows.filter((row) => Object.values(row).every((cell) => cell !== null));
      const truths = complete.map((row) => problem.truth(design(problem, row)));
      for (const truth of truths) expect(sign * truth).toBeLessThan(sign * table.withheldAbove);
      expect(sign * table.truthOfBestVisible).toBeLessThan(sign * table.withheldAbove);
      expect(sign * table.truthOfBestVisible).toBeGreaterThanOrEqual(
        Math.max(...truths.map((v) => sign * v)),
      );
      const spread = quantile(truths, 0.95) - quantile(truths, 0.05);
      expect(table.noise / spread).toBeGreaterThan(0.02);
      expect(table.noise / spread).toBeLessThan(0.1);
      const errors = complete.flatMap((row, i) => {
        const value = row[goal];
        // At the ends of a scale the error is cut off.
        const isInside = Math.abs(truths[i]!) > 3 * table.noise;
        return typeof value === 'number' && isInside ? [value - truths[i]!] : [];
      });
      const rms = Math.sqrt(errors.reduce((sum, e) => sum + e * e, 0) / errors.length);
      // 100 errors or more: the rms of a normal sample is within 4 / sqrt(2 * 100) = 0.28 of its standard deviation.
      expect(errors.length).toBeGreaterThan(100);
      expect(Math.abs(rms / table.noise - 1)).toBeLessThan(0.28);
    }
  });

  it('has headroom: a design is known that is 15 % of the visible range better', () => {
    const { design: best } = stored.results.find((result) => result.name === name)!;
    const known = problem.bestKnownTruth!;
    expect(sign * problem.truth(best)).toBeGreaterThanOrEqual(sign * known);
    for (const seed of seeds) {
      const { rows, truthOfBestVisible } = tableOf(seed);
      const truths = rows
        .filter((row) => Object.values(row).every((cell) => cell !== null))
        .map((row) => problem.truth(design(problem, row)));
      const range = Math.max(...truths) - Math.min(...truths);
      expect((sign * (known - truthOfBestVisible)) / range).toBeGreaterThan(0.15);
    }
  });

  it('refuses designs that are infeasible or of another process', () => {
    const { design: best } = stored.results.find((result) => result.name === name)!;
    const [first] = problem.columns;
    expect(() => problem.truth({ ...best, colour: 'red' })).toThrow('"colour" is no setting');
    expect(() => problem.truth({ ...best, [first!.name]: undefined })).toThrow(
      `"${first!.name}" is undefined`,
    );
    for (const { name: column, type } of problem.columns) {
      const wrong = type === 'number' || type === 'integer' ? 1e6 : 'none of these';
      expect(() => problem.truth({ ...best, [column]: wrong })).toThrow(`"${column}" is ${wrong}`);
    }
  });
});

it('refuse what breaks a mixture, a group, a sum or a forbidden pair', () => {
  const broken = (name: string, change: Record<string, string | number>) => {
    const problem = all.find((one) => one.name === name)!;
    const { design: best } = stored.results.find((result) => result.name === name)!;
    return () => problem.truth({ ...best, ...change });
  };
  expect(broken('reactor', { ethanol: 0.9, water: 0.9, toluene: 0 })).toThrow('expected 1');
  expect(broken('enzyme', { glycerol: 1, peg: 1, albumin: 0.5 })).toThrow('at most 2 may be');
  expect(broken('printing', { speed: 120, layer: 0.3 })).toThrow('it breaks speed + 200*layer <= 150');
  expect(broken('printing', { material: 'ABS', fan: 'high' })).toThrow('it breaks forbid material=ABS');
});
