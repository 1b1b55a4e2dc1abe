/**
 * The discretised logistic head (Fu & Levine, ICLR 2021, §4.2): one output mu of a model, K bins of the label.
 *
 *     o[k] = sigmoid((mu - k/K) / s)        probability of a label in bin k or above, k = 0..K-1
 *
 * Departs from paper: its plus before k/K would make o grow with k, and its s is 1 (docs/algorithms/nemo.md).
 * As a distribution over bins o[0] counts as 1 and o[K] as 0: the tails belong to the end bins.
 */
import {
  ArgumentError,
  NotFiniteError,
  requireFinite,
  requireLength,
  ShapeError,
} from '../numeric/errors.js';
import { portableExp, portableExpm1 } from '../numeric/portable.js';
import { sigmoid, softplus } from '../numeric/special.js';

export interface Head {
  /** K. */
  readonly bins: number;
  /** s, in units of the label range. */
  readonly scale: number;
}

/** Throws `ArgumentError` unless K is a positive integer and s a positive number. */
export function requireHead({ bins, scale }: Head): void {
  if (!Number.isSafeInteger(bins) || bins < 1) {
    throw new ArgumentError('head.bins', `head.bins is ${bins}; expected a positive integer`);
  }
  if (!(scale > 0 && scale < Number.POSITIVE_INFINITY)) {
    throw new ArgumentError('head.scale', `head.scale is ${scale}; expected a positive number`);
  }
}

function check(head: Head, mu: number): void {
  requireHead(head);
  if (!Number.isFinite(mu)) throw new NotFiniteError('mu', `mu is ${mu}; expected a finite number`);
}

/** Throws `ArgumentError` unless 0 <= low <= high < K, all whole. */
export function requireBins(bins: number, low: number, high: number): void {
  if (!Number.isInteger(low) || low < 0 || low >= bins) {
    throw new ArgumentError('low', `low is ${low}; expected a bin from 0 to ${bins - 1}`);
  }
  if (!Number.isInteger(high) || high < low || high >= bins) {
    throw new ArgumentError('high', `high is ${high}; expected a bin from ${low} to ${bins - 1}`);
  }
}

/** o[k], k = 0..K-1 (§4.2). */
export function cumulative(head: Head, mu: number): Float64Array {
  check(head, mu);
  const { bins: K, scale: s } = head;
  const o = new Float64Array(K);
  for (let k = 0; k < K; k++) o[k] = sigmoid((mu - k / K) / s);
  return o;
}

/** p[k] = o[k] - o[k+1], tails folded in; sums to 1. */
export function binProbabilities(head: Head, mu: number): Float64Array {
  check(head, mu);
  const p = new Float64Array(head.bins);
  for (let k = 0; k < p.length; k++) p[k] = probability(head, mu, k);
  return p;
}

/** Probability of one bin. */
export function binProbability(head: Head, mu: number, bin: number): number {
  check(head, mu);
  requireBins(head.bins, bin, bin);
  return probability(head, mu, bin);
}

/** d `binProbability` / d mu. */
export function binProbabilitySlope(head: Head, mu: number, bin: number): number {
  check(head, mu);
  requireBins(head.bins, bin, bin);
  const { bins: K, scale: s } = head;
  if (K === 1) return 0;
  const upper = (mu - bin / K) / s;
  const lower = (mu - (bin + 1) / K) / s;
  if (bin === 0) return (-sigmoid(lower) * sigmoid(-lower)) / s;
  if (bin === K - 1) return (sigmoid(upper) * sigmoid(-upper)) / s;
  // d log sigmoid(a) = sigmoid(-a), d log sigmoid(-b) = -sigmoid(b)
  return (probability(head, mu, bin) * (sigmoid(-upper) - sigmoid(lower))) / s;
}

/** sigmoid(a) - sigmoid(b) = sigmoid(a) sigmoid(-b) (1 - exp(b - a)), which does not cancel. */
function probability({ bins: K, scale: s }: Head, mu: number, k: number): number {
  if (K === 1) return 1;
  const lower = (mu - (k + 1) / K) / s;
  if (k === 0) return sigmoid(-lower);
  const upper = (mu - k / K) / s;
  if (k === K - 1) return sigmoid(upper);
  return -sigmoid(upper) * sigmoid(-lower) * portableExpm1(-1 / (K * s));
}

/**
 * Mean over K of the binary cross entropy against the thermometer label, 1 for j <= low and 0 for j > high (§4.2).
 * A censored label lies anywhere in `low`..`high`; the thresholds between are left out, the divisor stays K.
 */
export function loss(head: Head, mu: number, low: number, high = low): number {
  check(head, mu);
  requireBins(head.bins, low, high);
  const { bins: K, scale: s } = head;
  let sum = 0;
  for (let j = 0; j <= low; j++) sum += softplus((j / K - mu) / s);
  for (let j = high + 1; j < K; j++) sum += softplus((mu - j / K) / s);
  return sum / K;
}

/** d `loss` / d mu = (sum of o over the supervised thresholds - (low + 1)) / (K s). */
export function lossSlope(head: Head, mu: number, low: number, high = low): number {
  check(head, mu);
  requireBins(head.bins, low, high);
  const { bins: K, scale: s } = head;
  let sum = 0;
  for (let j = 0; j <= low; j++) sum -= sigmoid((j / K - mu) / s);
  for (let j = high + 1; j < K; j++) sum += sigmoid((mu - j / K) / s);
  return sum / (K * s);
}

/** d2 `loss` / d mu2, the sum of o (1 - o) / (K s2) over the supervised thresholds; never negative. */
export function lossCurvature(head: Head, mu: number, low: number, high = low): number {
  check(head, mu);
  requireBins(head.bins, low, high);
  const { bins: K, scale: s } = head;
  let sum = 0;
  for (let j = 0; j < K; j++) {
    if (j > low && j <= high) continue;
    const t = (mu - j / K) / s;
    sum += sigmoid(t) * sigmoid(-t);
  }
  return sum / (K * s * s);
}

/** `lossSlope` and `lossCurvature` at once, into two numbers; unchecked, for loops over rows. */
export function lossDerivatives(head: Head, mu: number, low: number, high: number, into: Float64Array): void {
  const { bins: K, scale: s } = head;
  let slope = 0;
  let curvature = 0;
  for (let j = 0; j < K; j++) {
    if (j > low && j <= high) continue;
    const t = (mu - j / K) / s;
    const e = portableExp(-Math.abs(t));
    const far = 1 / (1 + e); // sigmoid(|t|)
    const near = e * far; // sigmoid(-|t|)
    if (j <= low) slope -= t > 0 ? near : far;
    else slope += t > 0 ? far : near;
    curvature += far * near;
  }
  into[0] = slope / (K * s);
  into[1] = curvature / (K * s * s);
}

/** y_mean = (1/K) sum of o, in [0, 1] (§4.2). */
export function mean(head: Head, mu: number): number {
  check(head, mu);
  const { bins: K, scale: s } = head;
  let sum = 0;
  for (let k = 0; k < K; k++) sum += sigmoid((mu - k / K) / s);
  return sum / K;
}

/** d `mean` / d mu = sum of o (1 - o) / (K s), never negative (Prop. 4.1). */
export function meanSlope(head: Head, mu: number): number {
  return head.scale * lossCurvature(head, mu, 0);
}

/** Sum of g[k] p[k], for a value of each bin. */
export function expected(head: Head, mu: number, g: ArrayLike<number>): number {
  check(head, mu);
  requireLength('g', g, head.bins);
  requireFinite('g', g);
  let sum = 0;
  for (let k = 0; k < head.bins; k++) sum += g[k] * probability(head, mu, k);
  return sum;
}

/**
 * Where the distribution function reaches p, in bins: bin k spans k..k+1, and the probability in it is spread evenly.
 * `probabilities` need not sum to 1. 0 and 1 give the ends of what has any probability.
 */
export function quantileOf(probabilities: ArrayLike<number>, p: number): number {
  if (!(p >= 0 && p <= 1)) throw new ArgumentError('p', `p is ${p}; expected a number from 0 to 1`);
  requireFinite('probabilities', probabilities);
  let total = 0;
  let last = -1;
  for (let k = 0; k < probabilities.length; k++) {
    if (probabilities[k] < 0) {
      throw new ArgumentError(
        'probabilities',
        `probabilities[${k}] is ${probabilities[k]}; expected none below 0`,
      );
    }
    if (probabilities[k] > 0) last = k;
    total += probabilities[k];
  }
  if (last < 0) throw new ShapeError('probabilities', 'probabilities holds no positive value');
  let below = 0;
  for (let k = 0; k < last; k++) {
    const here = probabilities[k];
    if (here > 0 && below + here >= p * total) return k + (p * total - below) / here;
    below += here;
  }
  return last + Math.min(1, (p * total - below) / probabilities[last]);
}
