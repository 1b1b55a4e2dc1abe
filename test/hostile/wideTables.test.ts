// Tables with many columns: `check` looks at each column once or at a few neighbours, and says what it did not look for.
import { describe, expect, it } from 'vitest';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { checkTable } from '../../src/problem/checkTable.js';
import { copiesAmong } from '../../src/problem/copiedColumns.js';
import { findMixtures } from '../../src/problem/mixtures.js';
import type { NumberColumn, Table } from '../../src/table/table.js';

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
      const start = performance.now();
      await checkTable(table, { goals: ['max yield'] });
      return performance.now() - start;
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

describe('copies among columns', () => {
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
      copiesAmong(columns, rows, 0.999999).map(({ first, second }) => [first.name, second.name]),
    ).toEqual([
      ['x50', 'x60'],
      ['x3', 'x100'],
      ['x3', 'x200'],
      ['x250', 'yield'],
    ]);
  });
});
