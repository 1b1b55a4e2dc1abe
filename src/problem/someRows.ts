/** Rows from which `check` judges a long table: comparing millions of rows with each other takes gigabytes. */
import type { Table, TableColumn } from '../table/table.js';

/** Tables of more rows are judged by about as many of theirs. */
export const MANY_ROWS = 200_000;
/** Levels of a column that are looked for; more are no categories. */
const MOST_LEVELS = 2000;

/**
 * Rows of a long table, in its order: spread evenly over it, over the cells of each column that has empty ones, and with
 * the extremes and the levels of every column. Undefined where every row can be looked at.
 */
export function someRows({ rows, columns }: Table): Uint32Array | undefined {
  if (rows <= MANY_ROWS) return undefined;
  const isTaken = new Uint8Array(rows);
  for (let i = 0; i < MANY_ROWS; i++) isTaken[Math.floor((i * rows) / MANY_ROWS)] = 1;
  for (const column of columns) {
    const known = knownCells(column);
    // every column may be a goal, and only its own cells say something about it
    if (known < rows) spread(column, known, Math.ceil(MANY_ROWS / columns.length), isTaken);
    if (column.kind === 'number') extremes(column.values, isTaken);
    else firstOfLevels(column.codes, column.levels.length, isTaken);
  }
  const taken = new Uint32Array(isTaken.reduce((sum, is) => sum + is, 0));
  for (let row = 0, at = 0; row < rows; row++) if (isTaken[row]) taken[at++] = row;
  return taken;
}

function isKnown(column: TableColumn, row: number): boolean {
  return column.kind === 'number' ? !Number.isNaN(column.values[row]!) : column.codes[row]! >= 0;
}

function knownCells(column: TableColumn): number {
  const rows = column.kind === 'number' ? column.values.length : column.codes.length;
  let known = 0;
  for (let row = 0; row < rows; row++) if (isKnown(column, row)) known++;
  return known;
}

/** Marks `wanted` of the rows in which the column has a value. */
function spread(column: TableColumn, known: number, wanted: number, isTaken: Uint8Array): void {
  const every = Math.max(1, known / wanted);
  let next = 0;
  for (let row = 0, seen = 0; row < isTaken.length; row++) {
    if (!isKnown(column, row)) continue;
    if (seen++ < next) continue;
    isTaken[row] = 1;
    next += every;
  }
}

function extremes(values: Float64Array, isTaken: Uint8Array): void {
  let [low, high] = [-1, -1];
  for (let row = 0; row < values.length; row++) {
    if (Number.isNaN(values[row]!)) continue;
    if (low < 0 || values[row]! < values[low]!) low = row;
    if (high < 0 || values[row]! > values[high]!) high = row;
  }
  if (low >= 0) [isTaken[low], isTaken[high]] = [1, 1];
}

function firstOfLevels(codes: Int32Array, levels: number, isTaken: Uint8Array): void {
  if (levels > MOST_LEVELS) return;
  const isSeen = new Uint8Array(levels);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]!;
    if (code < 0 || isSeen[code]) continue;
    isSeen[code] = 1;
    isTaken[row] = 1;
  }
}
