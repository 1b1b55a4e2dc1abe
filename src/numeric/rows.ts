/** Rows of a row-major matrix `x` (n x d): one row, several rows, products of rows, and the rows nearest to a point. */

type Numbers = Float64Array | Float32Array | Int32Array | Uint32Array | Int8Array | Uint8Array;

/** Row `i` of `x` (n x d), as a view: writing to it changes `x`. */
export function rowOf<Matrix extends Numbers>(x: Matrix, d: number, i: number): Matrix {
  return x.subarray(i * d, (i + 1) * d) as Matrix;
}

/** These rows of `x` (n x d), copied in this order. */
export function takeRows(x: Float64Array, d: number, rows: ArrayLike<number>): Float64Array {
  const taken = new Float64Array(rows.length * d);
  for (let i = 0; i < rows.length; i++) taken.set(rowOf(x, d, rows[i]), i * d);
  return taken;
}

/** Rows, or matrices of the same width, below each other. */
export function joinRows(parts: readonly Float64Array[]): Float64Array {
  const x = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    x.set(part, at);
    at += part.length;
  }
  return x;
}

/** Sum of the products of `count` values of `a` and of `b`, from these positions on. */
export function dot(a: Float64Array, b: Float64Array, count = a.length, fromA = 0, fromB = 0): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += a[fromA + i] * b[fromB + i];
  return sum;
}

/**
 * Squared Euclidean distance of row `i` of `x` (n x d) to `point`, summed in the order of the columns. A sum that has
 * reached `limit` need not be complete.
 */
export function squaredDistance(
  x: Float64Array,
  i: number,
  point: Float64Array,
  limit = Number.POSITIVE_INFINITY,
): number {
  const d = point.length;
  const from = i * d;
  let sum = 0;
  for (let j = 0; j < d; ) {
    const end = Math.min(d, j + 16);
    for (; j < end; j++) {
      const difference = x[from + j] - point[j];
      sum += difference * difference;
    }
    if (sum >= limit) break;
  }
  return sum;
}

export interface NearRow {
  readonly row: number;
  /** Squared Euclidean distance. */
  readonly squared: number;
}

/**
 * The `count` rows of `x` (n x d) nearest to `point` (d), the nearest first; of equally near rows the first. Fewer if
 * `x` has fewer. Row `except` is left out.
 */
export function nearestRows(x: Float64Array, point: Float64Array, count: number, except = -1): NearRow[] {
  const near: NearRow[] = [];
  const n = x.length / point.length;
  let limit = Number.POSITIVE_INFINITY;
  for (let row = 0; row < n; row++) {
    if (row === except) continue;
    const squared = squaredDistance(x, row, point, limit);
    if (squared >= limit) continue;
    let at = near.length;
    while (at > 0 && near[at - 1].squared > squared) at -= 1;
    near.splice(at, 0, { row, squared });
    if (near.length > count) near.pop();
    if (near.length === count) limit = near[count - 1].squared;
  }
  return near;
}
