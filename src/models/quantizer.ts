/**
 * Scores in K bins of equal width (§4.2): from the least visible score up to the greatest plus some head-room, because
 * what no bin stands for cannot be predicted, and the designs we look for score above all that was seen.
 */
import { ArgumentError, requireCount, requireFinite, requireLength } from '../numeric/errors.js';
import { quantileOf } from './discretizedLogistic.js';

export interface Quantizer {
  /** K. */
  readonly bins: number;
  /** Lower end of bin 0. */
  readonly low: number;
  /** Upper end of bin K - 1. */
  readonly high: number;
}

export interface QuantizerOptions {
  /** K. */
  readonly bins: number;
  /** Room above the best score, as a share of the scores' range. 0 is the paper's letter. */
  readonly headroom: number;
}

/** Scores that are all alike, a single one included, get a range of their own size (at least 1) around them. */
export function fitQuantizer(y: ArrayLike<number>, { bins, headroom }: QuantizerOptions): Quantizer {
  requireCount('bins', bins);
  if (!(headroom >= 0 && headroom < Number.POSITIVE_INFINITY)) {
    throw new ArgumentError('headroom', `headroom is ${headroom}; expected a number >= 0`);
  }
  if (y.length === 0) throw new ArgumentError('y', 'y has no scores');
  requireFinite('y', y);
  let least = y[0]!;
  let most = y[0]!;
  for (let i = 1; i < y.length; i++) {
    least = Math.min(least, y[i]!);
    most = Math.max(most, y[i]!);
  }
  if (least === most) {
    const half = Math.max(1, Math.abs(least)) / 2;
    return { bins, low: least - half, high: least + half };
  }
  return { bins, low: least, high: most + headroom * (most - least) };
}

/** bin(y), 0 to K - 1; what lies outside the range goes to the end bins. */
export function binOf({ bins, low, high }: Quantizer, y: number): number {
  return Math.max(0, Math.min(bins - 1, Math.floor(((y - low) / (high - low)) * bins)));
}

/** The thermometer code of a score: 1 up to its bin, 0 above (§4.2). */
export function thermometerOf(quantizer: Quantizer, y: number): Float64Array {
  const bin = binOf(quantizer, y);
  return Float64Array.from({ length: quantizer.bins }, (_, k) => (k <= bin ? 1 : 0));
}

/** The score in the middle of bin k; k may be a fraction. */
export function scoreOf({ bins, low, high }: Quantizer, k: number): number {
  return low + ((k + 0.5) / bins) * (high - low);
}

/** Where a distribution over the bins reaches p, as a score. */
export function scoreQuantile(quantizer: Quantizer, probabilities: ArrayLike<number>, p: number): number {
  return scoreOf(quantizer, quantileOf(probabilities, p) - 0.5);
}

/**
 * The score that a mean of the head stands for. The thermometer code of bin b has mean (b + 1) / K, which training
 * makes the head's mean approach, so that a mean of (b + 1) / K is the middle of bin b.
 */
export function scoreOfMean(quantizer: Quantizer, mean: number): number {
  return scoreOf(quantizer, mean * quantizer.bins - 1);
}

/**
 * Lowest and highest bin of each score, N x 2: one bin twice for a score that is known, all bins on one side for a
 * censored one (-1: at most y, 1: at least y).
 */
export function labelsOf(
  y: ArrayLike<number>,
  quantizer: Quantizer,
  censored?: ArrayLike<number>,
): Int32Array {
  if (censored) requireLength('censored', censored, y.length);
  const labels = new Int32Array(2 * y.length);
  for (let i = 0; i < y.length; i++) {
    const bin = binOf(quantizer, y[i]!);
    const side = censored?.[i] ?? 0;
    labels[2 * i] = side < 0 ? 0 : bin;
    labels[2 * i + 1] = side > 0 ? quantizer.bins - 1 : bin;
  }
  return labels;
}
