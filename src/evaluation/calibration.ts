/**
 * Intervals that hold: those of p_NML are widened, or narrowed, until they contain the share of unseen rows that they
 * claim. Each end is moved by a multiple of the interval's width, the quantile of the multiples that unseen rows would
 * have needed: conformalised quantile regression, Y. Romano, E. Patterson & E. Candes, NeurIPS 2019, each tail by
 * itself (their Theorem 2), scores divided by the width.
 */
import { quantile } from '../numeric/stats.js';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface Calibration {
  /** Widths by which the lower end moves down and the upper end up; negative: inwards. */
  readonly below: number;
  readonly above: number;
}

/** Never narrower than this share of what p_NML says, on either side: unseen rows are not proposals. */
const MOST_INWARDS = -0.25;

/** `miss`: share of values that may lie outside at each end. */
export function fitCalibration(
  intervals: readonly Interval[],
  measured: ArrayLike<number>,
  miss: number,
): Calibration {
  const n = intervals.length;
  if (n === 0) return { below: 0, above: 0 };
  // the ceil((n + 1)(1 - miss))-th of n
  const p = Math.min(1, Math.ceil((n + 1) * (1 - miss)) / n);
  const needed = (excess: (interval: Interval, y: number) => number) =>
    Math.max(
      MOST_INWARDS,
      quantile(
        intervals.map((interval, i) => excess(interval, measured[i]!) / (interval.high - interval.low)),
        p,
      ),
    );
  return {
    below: needed(({ low }, y) => low - y),
    above: needed(({ high }, y) => y - high),
  };
}

/** The interval after calibration; what is expected stays inside. */
export function calibrated(
  { below, above }: Calibration,
  { low, high }: Interval,
  expected: number,
): Interval {
  const width = high - low;
  return {
    low: Math.min(expected, low - below * width),
    high: Math.max(expected, high + above * width),
  };
}
