/** A table as the app shows it: cards of its columns, and pages of its rows. */
import { extent, mean } from '../../numeric/stats.js';
import { cellAt, type Table, type TableColumn } from '../../table/table.js';
import { sheetExtent, sheetNames } from '../../table/workbookParts.js';
import type { ColumnCard, OpenedTable, Spread, TableCell, TableRows } from '../protocol/index.js';

/** Bars of a histogram. */
const BARS = 24;
const MOST_LEVELS = 20;

/** What the host knows about a table beside its cells. */
export type TableOrigin = Pick<OpenedTable, 'id' | 'sha256' | 'bytes' | 'sheets' | 'sheet'>;

export function openedTable(table: Table, origin: TableOrigin): OpenedTable {
  return {
    ...origin,
    name: table.name,
    rows: table.rows,
    columns: table.columns.map(cardOf),
    notes: table.notes,
    rounds: table.rounds?.length ?? 0,
  };
}

function cardOf(column: TableColumn): ColumnCard {
  const missing =
    column.kind === 'number'
      ? column.values.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0)
      : column.codes.reduce((count, code) => count + (code < 0 ? 1 : 0), 0);
  return { name: column.name, unit: column.unit ?? null, missing, spread: spreadOf(column) };
}

function spreadOf(column: TableColumn): Spread {
  if (column.kind === 'text') {
    const rows = new Array<number>(column.levels.length).fill(0);
    for (const code of column.codes) if (code >= 0) rows[code]!++;
    const levels = column.levels
      .map((text, i) => ({ text, rows: rows[i]! }))
      .filter((level) => level.rows > 0)
      .sort((a, b) => b.rows - a.rows);
    if (levels.length === 0) return { kind: 'empty' };
    return { kind: 'text', levels: levels.slice(0, MOST_LEVELS), distinct: levels.length };
  }
  const known = column.values.filter(Number.isFinite);
  if (known.length === 0) return { kind: 'empty' };
  const { min, max } = extent(known);
  const counts = new Array<number>(BARS).fill(0);
  const width = max - min;
  for (const value of known)
    counts[width > 0 ? Math.min(BARS - 1, Math.floor(((value - min) / width) * BARS)) : 0]!++;
  return { kind: 'number', min, max, mean: mean(known), counts };
}

/** Rows from `from` on, `count` at most. */
export function tableRows({ rows, columns }: Table, from: number, count: number): TableRows {
  const first = Math.max(0, Math.min(from, rows));
  const last = Math.min(rows, first + count);
  return {
    from: first,
    rows: Array.from({ length: last - first }, (_, i) =>
      columns.map((column) => shownCell(column, first + i)),
    ),
  };
}

function shownCell(column: TableColumn, row: number): TableCell {
  const cell = cellAt(column, row);
  const side = column.kind === 'number' ? (column.censored?.[row] ?? 0) : 0;
  return side === 0 || cell === null ? cell : `${side < 0 ? '<' : '>'}${cell}`;
}

/** Names of the sheets if the bytes are a workbook. */
export async function sheetsOf(bytes: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
  if (!isZip) return [];
  const found = await sheetExtent(bytes, 2e9).catch(() => undefined);
  return found ? sheetNames(found) : [];
}
