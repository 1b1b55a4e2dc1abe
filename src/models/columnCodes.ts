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
  /** N x d, row-major: the rows of a small node are then near each other in memory. */
  readonly codes: CodeArray;
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
  const codes = new Codes(x.length);
  for (let j = 0; j < columns; j++) {
    const ranked = values[j]!;
    for (let i = 0; i < rows; i++) codes[i * columns + j] = rankOf(ranked, x[i * columns + j]!);
  }
  return { rows, columns, codes, values };
}

function distinct(sorted: Float64Array): Float64Array {
  let count = 0;
  for (let i = 0; i < sorted.length; i++) {
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i]!;
  }
  return sorted.slice(0, count);
}

/** Where a table of columns with at most two values has the greater one: row i in columns[first[i]] … columns[first[i + 1] - 1]. */
export interface SparseOnes {
  readonly first: Int32Array;
  readonly columns: Int32Array;
}

/** Undefined if a column has more values, or most cells are ones. */
export function sparseOnes({ rows, columns, codes, values }: ColumnCodes): SparseOnes | undefined {
  if (values.some(({ length }) => length > 2)) return undefined;
  const first = new Int32Array(rows + 1);
  for (let i = 0; i < rows; i++) {
    let ones = 0;
    for (let j = 0; j < columns; j++) ones += codes[i * columns + j]!;
    first[i + 1] = first[i]! + ones;
  }
  const count = first[rows]!;
  if (2 * count > rows * columns) return undefined;
  const found = new Int32Array(count);
  let at = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) if (codes[i * columns + j]! > 0) found[at++] = j;
  }
  return { first, columns: found };
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
