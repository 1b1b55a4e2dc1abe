/** How far designs lie from past rows, in the units the model sees: standard deviations, and softened one-hots. */

import { argsort } from '../numeric/stats.js';
import { type Encoding, encode, modelInputs } from '../search/encoding.js';
import { evenly } from '../search/rowSubset.js';

/** Past rows whose distance to their own nearest neighbour stands for all. */
const REFERENCES = 1000;

export class PastRows {
  private readonly inputs: Float64Array;
  /** Distances of past rows to their nearest other row, ascending. */
  readonly distances: Float64Array;

  /** `x` N x d. */
  constructor(
    private readonly encoding: Encoding,
    x: Float64Array,
  ) {
    this.inputs = this.place(x);
    const P = encoding.parameters;
    this.distances = Float64Array.from(evenly(this.inputs.length / P, REFERENCES), (row) => {
      const own = this.inputs.subarray(row * P, (row + 1) * P);
      return this.nearestTo(own, row).distance;
    }).sort();
  }

  /** Designs (n x d) as points, n x P. */
  place(x: ArrayLike<number>): Float64Array {
    return modelInputs(this.encoding, encode(this.encoding, x));
  }

  /** The nearest past row of a point; the first of those at the same distance. */
  nearestTo(point: Float64Array, except = -1): { row: number; distance: number } {
    const P = point.length;
    let row = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0, at = 0; at < this.inputs.length; i++, at += P) {
      if (i === except) continue;
      const squared = squaredDistance(this.inputs, at, point, 0, P, least);
      if (squared < least) {
        least = squared;
        row = i;
      }
    }
    return row < 0 ? { row: 0, distance: 0 } : { row, distance: Math.sqrt(least) };
  }

  /** The `count` nearest past rows of a point, the nearest first. */
  nearestRows(point: Float64Array, count: number): number[] {
    const P = point.length;
    const distances = Float64Array.from({ length: this.inputs.length / P }, (_, row) =>
      squaredDistance(this.inputs, row * P, point, 0, P),
    );
    return Array.from(argsort(distances).subarray(0, count));
  }
}

/** Stops adding where the sum has passed `enough`. */
export function squaredDistance(
  a: Float64Array,
  from: number,
  b: Float64Array,
  to: number,
  count: number,
  enough = Number.POSITIVE_INFINITY,
): number {
  let sum = 0;
  for (let j = 0; j < count; ) {
    const end = Math.min(count, j + 16);
    for (; j < end; j++) {
      const difference = a[from + j]! - b[to + j]!;
      sum += difference * difference;
    }
    if (sum >= enough) break;
  }
  return sum;
}

/** Share of ascending `reference` values below `value`, 0 to 100. */
export function percentileOf(reference: Float64Array, value: number): number {
  let low = 0;
  let high = reference.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reference[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return reference.length === 0 ? 100 : (100 * low) / reference.length;
}
