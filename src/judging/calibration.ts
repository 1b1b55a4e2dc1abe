/**
 * Intervals that hold: those of p_NML are widened until they contain the share of unseen values that they claim. Each
 * end is moved by a multiple of the interval's width, the quantile of the multiples that unseen values would have
 * needed: conformalised quantile regression, Y. Romano, E. Patterson & E. Candes, NeurIPS 2019, each tail by itself
 * (their Theorem 2), divided by the width. Proposals are no random rows, so each end is asked of the rows most like
 * them: how far values fall below, of the rows that promised most; how far they rise above, of the best rows, by
 * networks that had seen none of them.
 */
import { largest, quantile } from '../numeric/stats.js';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface Calibration {
  /** Widths by which the lower end moves down and the upper end up. */
  readonly below: number;
  readonly above: number;
}

/** One interval and what it should have contained. */
export interface Outcome {
  readonly interval: Interval;
  readonly measured: number;
}

/**
 * `miss`: share of values that may lie outside at each end. Never narrower than before: unseen rows are like those seen,
 * and proposals are not.
 */
export function fitCalibration(
  { falls, rises }: { readonly falls: readonly Outcome[][]; readonly rises: readonly Outcome[][] },
  miss: number,
): Calibration {
  const below = ({ interval, measured }: Outcome) => interval.low - measured;
  const above = ({ interval, measured }: Outcome) => measured - interval.high;
  return {
    below: largest(
      falls.map((outcomes) => needed(outcomes, below, miss)),
      0,
    ),
    above: largest(
      rises.map((outcomes) => needed(outcomes, above, miss)),
      0,
    ),
  };
}

/** The multiple of their widths by which all but `miss` of the outcomes would lie inside. */
function needed(outcomes: readonly Outcome[], excess: (outcome: Outcome) => number, miss: number): number {
  const n = outcomes.length;
  if (n === 0) return 0;
  // the ceil((n + 1)(1 - miss))-th of n
  const p = Math.min(1, Math.ceil((n + 1) * (1 - miss)) / n);
  return quantile(
    outcomes.map((outcome) => excess(outcome) / (outcome.interval.high - outcome.interval.low)),
    p,
  );
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
