/**
 * The slope of the discretised logistic loss in mu, without what depends on the label:
 *
 *     loss'(mu, b) = T(mu) - (b + 1) / (K s),   T(mu) = sum_j o_j / (K s)
 *
 * tabulated, linear between grid points and constant beyond them, where o is saturated to 2e-9.
 */
import { type Head, lossSlope } from './discretizedLogistic.js';

export interface SlopeTable {
  /** mu of the first grid point. */
  readonly start: number;
  /** Grid points per unit of mu. */
  readonly perUnit: number;
  readonly values: Float64Array;
}

/** Of s, on either side of the thresholds. */
const TAIL = 20;
/** Grid points per s: an error of 1e-5 of the largest T. */
const POINTS = 128;
const MOST_POINTS = 2 ** 18;

/** T over the thresholds that a label in `low`..`high` supervises: all of them for a label that is known. */
export function slopeTable(head: Head, low: number, high: number): SlopeTable {
  const { bins: K, scale: s } = head;
  const width = 1 + 2 * TAIL * s;
  const cells = Math.ceil(Math.min((width / s) * POINTS, MOST_POINTS));
  const start = -TAIL * s;
  const values = new Float64Array(cells + 1);
  for (let i = 0; i <= cells; i++) {
    values[i] = lossSlope(head, start + (i * width) / cells, low, high) + (low + 1) / (K * s);
  }
  values[0] = 0;
  values[cells] = (K - (high - low)) / (K * s);
  return { start, perUnit: cells / width, values };
}

/** T(mu). */
export function slopeAt({ start, perUnit, values }: SlopeTable, mu: number): number {
  const last = values.length - 1;
  const at = Math.max(0, Math.min(last, (mu - start) * perUnit));
  const cell = Math.min(last - 1, Math.floor(at));
  return values[cell] + (at - cell) * (values[cell + 1] - values[cell]);
}
