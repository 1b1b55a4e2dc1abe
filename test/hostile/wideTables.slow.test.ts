// Tables with many columns: `check` looks at each column once or at a few neighbours, and says what it did not look for.
import { describe, expect, it } from 'vitest';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { checkTable } from '../../src/problem/checkTable.js';
import { copiesAmong } from '../../src/problem/copiedColumns.js';
import { findMixtures } from '../../src/problem/mixtures.js';
import { readTable } from '../../src/table/readTable.js';
import type { NumberColumn, Table } from '../../src/table/table.js';
import { secondsSince } from '../processorTime.js';

const ROWS = 30;

function wide(columns: number): Table {
  const stream = new Stream(rootKey(columns));
  const made = Array.from(
    { length: columns },
    (_, j): NumberColumn => ({
      kind: 'number',
      name: j === columns - 1 ? 'yield' : `x${j}`,
      values: Float64Array.from({ length: ROWS }, () => Math.round(1e4 * stream.uniform()) / 1e4),
      decimals: 4,
    }),
  );
  return { name: 'wide.csv', rows: ROWS, columns: made, notes: [] };
}

/** The copy of a column in another unit. */
function copy(table: Table, from: number, to: number, factor: number, offset: number): void {
  const [a, b] = [table.columns[from], table.columns[to]] as [NumberColumn, NumberColumn];
  for (let i = 0; i < ROWS; i++) b.values[i] = factor * a.values[i]! + offset;
}

describe('a table with many columns', () => {
  it('takes time in proportion to its columns', async () => {
    const timeOf = async (columns: number) => {
      const table = wide(columns);
      const start = process.cpuUsage();
      await checkTable(table, { goals: ['max yield'] });
      return secondsSince(start);
    };
    await timeOf(500);
    const [some, many] = [await timeOf(750), await timeOf(6000)];
    // eight times the columns: 64 times as long where pairs are compared, 8 times where not; timings are noisy
    expect(many / some).toBeLessThan(24);
  });

  it('is said not to have been searched for everything', async () => {
    const table = wide(1200);
    copy(table, 17, 1100, -2, 5);
    const { notes, findings } = await checkTable(table, { goals: ['max yield'] });
    expect(notes).toEqual([
      expect.stringMatching(/^Columns that follow from several others were not looked for: there are 1199/),
      expect.stringMatching(/^Recipes were looked for among at most 60 neighbouring columns/),
    ]);
    expect(findings).toContainEqual(
      expect.objectContaining({ kind: 'derivedColumn', columns: ['x17', 'x1100'] }),
    );
  });

  it('has its recipe of neighbours found', () => {
    const table = wide(900);
    const columns = table.columns as NumberColumn[];
    for (let i = 0; i < ROWS; i++) {
      let sum = 0;
      for (let j = 500; j < 504; j++) sum += columns[j]!.values[i]! / 5;
      for (let j = 500; j < 504; j++) columns[j]!.values[i]! /= 5;
      columns[504]!.values[i] = 1 - sum;
    }
    const found = findMixtures(
      table,
      columns.map(({ name }) => name),
    );
    expect(found).toMatchObject([{ columns: ['x500', 'x501', 'x502', 'x503', 'x504'], sum: 1 }]);
  });
});

/** 12 rows of small values that repeat, as plans of experiments have them. */
const repeating: readonly (readonly [string, (i: number, j: number) => number | string])[] = [
  ['whole numbers', (i, j) => (i * ((j % 7) + 1) + j) % 5],
  ['percentages', (i, j) => 25 * ((i * ((j % 4) + 1) + j) % 5)],
  ['one column again and again', (i) => i % 3],
  ['0 and 1', (i, j) => Number(i === j % 12)],
  ['nearly one trend', (i, j) => i + ((i * 7919 + j * 104729) % 1000) / 1e5],
  ['whole numbers and empty cells', (i, j) => ((i + j) % 6 === 0 ? Number.NaN : (i * ((j % 7) + 1) + j) % 5)],
  ['constants', (_, j) => j % 9],
  ['words', (i, j) => ['red', 'green', 'blue'][(i * ((j % 5) + 1) + j) % 3]!],
  ['dates', (i, j) => `2024-${String(1 + ((i + j) % 12)).padStart(2, '0')}-0${1 + (i % 9)}`],
];

describe('few rows of many columns', () => {
  it.each(repeating)('are checked soon: %s', { timeout: 300_000 }, async (_, cell) => {
    const csvOf = (columns: number) => {
      const header = [...Array.from({ length: columns }, (_, j) => `c${j}`), 'y'].join(',');
      const rows = Array.from({ length: 12 }, (_, i) =>
        [...Array.from({ length: columns }, (_, j) => cell(i, j)), (((i * 37) % 13) / 3).toFixed(3)]
          .join(',')
          .replaceAll('NaN', ''),
      );
      return Buffer.from(`${[header, ...rows].join('\n')}\n`);
    };
    const timeOf = async (columns: number) => {
      const start = process.cpuUsage();
      const table = await readTable(csvOf(columns), { name: 'wide.csv' });
      const report = await checkTable(table, { goals: ['max y'] });
      return { seconds: secondsSince(start), report };
    };
    const { seconds, report } = await timeOf(5000);
    // 2.5 s at most on the machine where this was written; minutes where pairs of columns are compared
    expect(seconds).toBeLessThan(20);
    expect(report.mixtures).toEqual([]);
    expect(report.columns).toHaveLength(5001);
  });

  it('have no recipe where constant sums are everywhere, and it is said', async () => {
    const columns = Array.from(
      { length: 300 },
      (_, j): NumberColumn => ({
        kind: 'number',
        name: j === 299 ? 'y' : `c${j}`,
        values: Float64Array.from({ length: 12 }, (_, i) =>
          j === 299 ? ((i * 37) % 13) / 3 : (i * ((j % 7) + 1) + j) % 5,
        ),
        decimals: j === 299 ? 3 : 0,
      }),
    );
    const { notes, mixtures } = await checkTable(
      { name: 'plan.csv', rows: 12, columns, notes: [] },
      { goals: ['max y'] },
    );
    expect(mixtures).toEqual([]);
    expect(notes).toContainEqual(
      expect.stringMatching(/^No recipe was taken for one: more than 1000 groups/),
    );
  });
});

describe('copies among columns', () => {
  it('are found in every class of equal columns, without comparing all pairs', () => {
    const columns = Array.from(
      { length: 20_000 },
      (_, j): NumberColumn => ({
        kind: 'number',
        name: `c${j}`,
        values: Float64Array.from({ length: 12 }, (_, i) => ((i * ((j % 3) + 1)) % 7) * (1 + (j % 5))),
        decimals: 0,
      }),
    );
    const rows = Array.from({ length: 12 }, (_, i) => i);
    const { copies, left } = copiesAmong(columns, rows, 0.999999);
    expect(left).toBe(0);
    expect(copies).toHaveLength(20_000 - 3);
    expect(new Set(copies.map(({ first }) => first.name))).toEqual(new Set(['c0', 'c1', 'c2']));
  });

  it('are not all sought among thousands that are nearly alike, and it is said', () => {
    const stream = new Stream(rootKey(7));
    const columns = Array.from(
      { length: 3000 },
      (_, j): NumberColumn => ({
        kind: 'number',
        name: `c${j}`,
        values: Float64Array.from({ length: 30 }, (_, i) => i + 0.05 * stream.uniform()),
        decimals: 4,
      }),
    );
    const rows = Array.from({ length: 30 }, (_, i) => i);
    expect(copiesAmong(columns, rows, 0.999999).left).toBeGreaterThan(1000);
  });

  it('are those that every pair would show', () => {
    const table = wide(300);
    copy(table, 3, 100, 2, 0);
    copy(table, 3, 200, -1, 1);
    copy(table, 250, 299, 1.8, 32);
    const columns = table.columns as NumberColumn[];
    // empty cells: compared over the rows that both have
    columns[50]!.values[4] = Number.NaN;
    copy(table, 50, 60, 3, 0);
    const rows = Array.from({ length: ROWS }, (_, i) => i);
    expect(
      copiesAmong(columns, rows, 0.999999).copies.map(({ first, second }) => [first.name, second.name]),
    ).toEqual([
      ['x50', 'x60'],
      ['x3', 'x100'],
      ['x3', 'x200'],
      ['x250', 'yield'],
    ]);
  });
});
