/**
 * A table as trees read it: each number is replaced by its rank among the distinct values of its column. Ranks order
 * rows exactly as the numbers do, fit in 16 bits as a rule, and can be counted.
 */
import { NotFiniteError } from '../numeric/errors.js';

export type CodeArray = Uint16Array | Int32Array;

export interface ColumnCodes {
  /** N. */
  readonly rows: number;
  /** d. */
  readonly columns: number;
  /** Row i of column j at j N + i: near each other while a node has many rows. */
  readonly byColumn: CodeArray;
  /** The same at i d + j: near each other once a node has few. */
  readonly byRow: CodeArray;
  /** Of each column, its distinct values, ascending. */
  readonly values: readonly Float64Array[];
}

/** `x` is N x d, row-major, N at least 1; `names` of the columns are for messages. */
export function encodeColumns(
  x: ArrayLike<number>,
  columns: number,
  names?: readonly string[] | undefined,
): ColumnCodes {
  const rows = x.length / columns;
  const values: Float64Array[] = [];
  for (let j = 0; j < columns; j++) {
    const sorted = new Float64Array(rows);
    for (let i = 0; i < rows; i++) {
      const value = x[i * columns + j]!;
      if (!Number.isFinite(value)) {
        const name = names?.[j] === undefined ? `column ${j}` : `column "${names[j]}"`;
        throw new NotFiniteError('x', `${name} is ${value} in row ${i}; trees need a number in every cell`);
      }
      // -0 and 0 are one value
      sorted[i] = value === 0 ? 0 : value;
    }
    values.push(distinct(sorted.sort()));
  }
  const Codes = values.every(({ length }) => length <= 2 ** 16) ? Uint16Array : Int32Array;
  const byColumn = new Codes(x.length);
  const byRow = new Codes(x.length);
  for (let j = 0; j < columns; j++) {
    const ranked = values[j]!;
    for (let i = 0; i < rows; i++) {
      const code = rankOf(ranked, x[i * columns + j]!);
      byColumn[j * rows + i] = code;
      byRow[i * columns + j] = code;
    }
  }
  return { rows, columns, byColumn, byRow, values };
}

function distinct(sorted: Float64Array): Float64Array {
  let count = 0;
  for (let i = 0; i < sorted.length; i++) {
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i]!;
  }
  return sorted.slice(0, count);
}

/** Of a value that is among them. */
function rankOf(ranked: Float64Array, value: number): number {
  let low = 0;
  let high = ranked.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranked[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
