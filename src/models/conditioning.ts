/**
 * Importance weights of adaptive sampling: of draws from the search model, for the prior conditioned on a score above a
 * threshold (Brookes, Park & Listgarten 2019); and of rows of data, for the distribution of the search model
 * (Fannjiang & Listgarten 2020). Computed in logarithms.
 */
import { requireLength } from '../numeric/errors.js';
import { portableExp, portableLog } from '../numeric/portable.js';
import { logSumExp, normalLogCdf } from '../numeric/special.js';
import type { NetworkPrediction } from './regressionNetworks.js';

/** log P(y > threshold) of n designs under the equal mixture of the networks' Gaussians. */
export function logExceedance({ mean, std }: NetworkPrediction, n: number, threshold: number): Float64Array {
  if (!std) throw new TypeError('a probability needs networks with a gaussian head');
  requireLength('std', std, mean.length);
  const networks = mean.length / n;
  const parts = new Float64Array(networks);
  return Float64Array.from({ length: n }, (_, i) => {
    for (let b = 0; b < networks; b++) {
      const at = b * n + i;
      parts[b] = normalLogCdf((mean[at]! - threshold) / std[at]!);
    }
    return logSumExp(parts) - portableLog(networks);
  });
}

/** Mean over the networks, n. */
export function meanOfNetworks({ mean }: NetworkPrediction, n: number): Float64Array {
  const networks = mean.length / n;
  const sum = new Float64Array(n);
  for (let at = 0; at < mean.length; at++) sum[at % n]! += mean[at]! / networks;
  return sum;
}

export interface Weights {
  /** Sum 1. */
  readonly weights: Float64Array;
  /** Effective sample size (sum w)^2 / sum w^2, as a share of n. */
  readonly effective: number;
  /** What log-weights were multiplied by to have it: 1 unless they were too uneven. */
  readonly exponent: number;
}

/** Halvings when an exponent is searched: to a millionth. */
const HALVINGS = 20;

/**
 * exp(log-weights), normalised. Where fewer than a share `leastEffective` of the draws would count, the log-weights are
 * multiplied by the greatest exponent below 1 with which that many do. Log-weights that are not finite count nothing;
 * null if none is finite.
 */
export function normalizedWeights(logWeights: Float64Array, leastEffective: number): Weights | null {
  const top = logWeights.reduce(
    (most, v) => (Number.isFinite(v) && v > most ? v : most),
    Number.NEGATIVE_INFINITY,
  );
  if (top === Number.NEGATIVE_INFINITY) return null;
  const n = logWeights.length;
  const at = (exponent: number): Weights => {
    const raw = logWeights.map((v) => (Number.isFinite(v) ? portableExp(exponent * (v - top)) : 0));
    let [sum, squares] = [0, 0];
    for (const w of raw) {
      sum += w;
      squares += w * w;
    }
    return { weights: raw.map((w) => w / sum), effective: (sum * sum) / squares / n, exponent };
  };
  const whole = at(1);
  if (whole.effective >= leastEffective) return whole;
  let [low, high] = [0, 1];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (at(middle).effective >= leastEffective) low = middle;
    else high = middle;
  }
  return at(low);
}

/** Weights whose squares sum to less teach nothing (Fannjiang & Listgarten's code has the same number). */
const VANISHING = 1e-8;

/**
 * Weights of data rows for refitting an oracle where the search is: (q(x) / p0(x))^exponent, mean 1. Rows of which no
 * finite ratio is known count nothing. Null if all vanish: the search has left the data, and no row knows about it.
 */
export function focusWeights(logRatios: Float64Array, exponent: number): Float64Array | null {
  const logs = logRatios.map((v) => (Number.isFinite(v) ? exponent * v : Number.NEGATIVE_INFINITY));
  if (!(logSumExp(logs.map((v) => 2 * v)) >= portableLog(VANISHING))) return null;
  const total = logSumExp(logs);
  return logs.map((v) => (v === Number.NEGATIVE_INFINITY ? 0 : logs.length * portableExp(v - total)));
}
