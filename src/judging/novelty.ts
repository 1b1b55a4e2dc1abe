/** How far designs lie from past rows, in the units the model sees: standard deviations, and softened one-hots. */

import { nearestRows, rowOf } from '../numeric/rows.js';
import { quantiles } from '../numeric/stats.js';
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
      const point = rowOf(this.inputs, P, row);
      return this.nearestTo(point, row).distance;
    }).sort();
  }

  /** Designs (n x d) as points, n x P. */
  place(x: ArrayLike<number>): Float64Array {
    return modelInputs(this.encoding, encode(this.encoding, x));
  }

  /** The nearest past row of a point; the first of those at the same distance. */
  nearestTo(point: Float64Array, except = -1): { row: number; distance: number } {
    const [nearest] = nearestRows(this.inputs, point, 1, except);
    return nearest ? { row: nearest.row, distance: Math.sqrt(nearest.squared) } : { row: 0, distance: 0 };
  }

  /** The `count` nearest past rows of a point, the nearest first. */
  nearestRows(point: Float64Array, count: number): number[] {
    return nearestRows(this.inputs, point, count).map(({ row }) => row);
  }
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

/** Where rows of a table lie evenly, this ratio is 1.2 to 1.5; in campaigns around a few settings it is 2.5 and more. */
const EVEN = 1.5;
const CLUMPED = 2.5;

/**
 * How clumped rows are, 0 to 1, by their distances to the nearest other row (ascending): the 90th percentile against the
 * median. In clumps most rows have close neighbours, and the space between clumps is empty.
 */
export function clumping(distances: Float64Array): number {
  const positive = distances.filter((distance) => distance > 0);
  if (positive.length === 0) return 0;
  const [middle, far] = quantiles(positive, [0.5, 0.9]);
  return Math.max(0, Math.min(1, (far! / middle! - EVEN) / (CLUMPED - EVEN)));
}
