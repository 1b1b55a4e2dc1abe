import { describe, expect, it } from 'vitest';
import { checkTable } from '../../src/problem/checkTable.js';
import { MANY_ROWS, someRows } from '../../src/problem/someRows.js';
import type { Table } from '../../src/table/table.js';

const ROWS = MANY_ROWS + 50_001;

/** A goal in every thousandth row, one row of a rare level, one far value in a row of its own. */
function long(): Table {
  const [a, y] = [new Float64Array(ROWS), new Float64Array(ROWS).fill(Number.NaN)];
  for (let i = 0; i < ROWS; i++) a[i] = ((i * 7919) % 1009) / 10;
  for (let i = 7; i < ROWS; i += 1000) y[i] = a[i]! ** 2 + (i % 13);
  const kind = Int32Array.from({ length: ROWS }, (_, i) => i % 2);
  kind[123_457] = 2;
  a[200_001] = 5000;
  y[200_001] = 3;
  y[123_457] = 4;
  return {
    name: 'long.csv',
    rows: ROWS,
    columns: [
      { kind: 'number', name: 'a', values: a, decimals: 1 },
      { kind: 'text', name: 'kind', levels: ['A', 'B', 'rare'], codes: kind },
      { kind: 'number', name: 'y', values: y, decimals: 2 },
    ],
    lines: Uint32Array.from({ length: ROWS }, (_, i) => i + 2),
    notes: [],
  };
}

describe('a long table', () => {
  it('is represented by rows with every level, the extremes and the cells of sparse columns', () => {
    const table = long();
    const rows = new Set(someRows(table));
    expect(rows.size).toBeLessThan(MANY_ROWS + 1000);
    expect(rows.has(123_457)).toBe(true);
    expect(rows.has(200_001)).toBe(true);
    for (let i = 7; i < ROWS; i += 1000) expect(rows.has(i)).toBe(true);
  });

  it('is looked at whole up to a limit', () => {
    const { columns } = long();
    expect(someRows({ name: 'a', rows: MANY_ROWS, columns, notes: [] })).toBeUndefined();
  });

  it('keeps its counts, ranges and row numbers in what check says', async () => {
    const report = await checkTable(long(), { goals: ['max y'], columns: { kind: { fixed: 'rare' } } });
    expect(report.rows).toBe(ROWS);
    expect(report.columns[0]).toMatchObject({ range: { min: 0, max: 5000 }, missing: 0 });
    expect(report.columns[1]!.levels).toContainEqual({ text: 'rare', rows: 1 });
    expect(report.notes.join()).toMatch(/is about 200\d{3} of the 250001 rows/);
    expect(report.replicates).toBeNull();
    const missing = ROWS - Math.ceil((ROWS - 7) / 1000) - 2;
    expect(report.findings).toContainEqual(
      expect.objectContaining({
        kind: 'missingGoal',
        message: `${missing} of ${ROWS} rows have no value of "y"`,
      }),
    );
    expect(report.findings).toContainEqual(
      expect.objectContaining({ kind: 'outliers', columns: ['a'], rows: [200_001] }),
    );
    expect(report.findings.find(({ columns }) => columns[0] === 'a')!.message).toContain('line 200003');
  });
});
