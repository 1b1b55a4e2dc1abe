/**
 * Numbers far away from all others of their column: a slip of the pen, another unit, a code for "missing". The range of
 * the others is taken without the outermost fiftieth at each end (one value at least), so that the far ones are no part
 * of it.
 */
import type { NumberColumn, Table } from '../table/table.js';
import { quoteName } from './tokens.js';

export interface FarValues {
  /** Where the other values lie. */
  readonly low: number;
  readonly high: number;
  /** Rows of the far values, the furthest first. */
  readonly rows: readonly number[];
}

/** With fewer values, nobody can say which of them is odd. */
const LEAST_VALUES = 8;
const TRIMMED = 0.02;
/**
 * Widths of the others' range from which a value leaves nothing else visible: networks count in float32, which has seven
 * digits, so that next to it all others would be one number.
 */
export const BLINDING = 1e6;

/** Values of `rows` more than `widths` times the others' range beyond it; undefined where there is none. */
export function farValues(
  { values }: NumberColumn,
  rows: readonly number[],
  widths: number,
): FarValues | undefined {
  const known = rows.filter((row) => !Number.isNaN(values[row]!));
  if (known.length < LEAST_VALUES) return undefined;
  const sorted = Float64Array.from(known, (row) => values[row]!).sort();
  const trimmed = Math.max(1, Math.floor(TRIMMED * sorted.length));
  const low = sorted[trimmed]!;
  const high = sorted[sorted.length - 1 - trimmed]!;
  const width = high - low;
  if (width === 0) return undefined;
  const beyond = (row: number) => Math.max(values[row]! - high, low - values[row]!);
  const far = known.filter((row) => beyond(row) > widths * width);
  return far.length === 0 ? undefined : { low, high, rows: far.sort((a, b) => beyond(b) - beyond(a)) };
}

/** '"a" is 1e15 in line 9 and between 0 and 1 elsewhere'. */
export function farText(
  table: Table,
  { name, values }: NumberColumn,
  { low, high, rows }: FarValues,
): string {
  const [first] = rows;
  const line = table.lines?.[first!];
  const where = line === undefined ? `row ${first! + 1}` : `line ${line}`;
  const more = rows.length > 1 ? ` (and ${rows.length - 1} more rows are as far off)` : '';
  return `${quoteName(name)} is ${values[first!]} in ${where}${more}, and between ${short(low)} and ${short(high)} elsewhere`;
}

function short(value: number): number {
  return Number(value.toPrecision(4));
}
