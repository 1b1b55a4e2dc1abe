/**
 * The categorical head: K logits of a model, p = softmax(logits) over the bins of the label. It knows no order of the
 * bins; the discretised logistic (discretizedLogistic.ts) is the one that does.
 */
import { requireFinite, requireLength, ShapeError } from '../numeric/errors.js';
import { portableExp } from '../numeric/portable.js';
import { logSumExp } from '../numeric/special.js';
import { extent } from '../numeric/stats.js';
import { requireBins } from './discretizedLogistic.js';

function check(logits: ArrayLike<number>): void {
  if (logits.length === 0) throw new ShapeError('logits', 'logits is empty; expected at least one bin');
  requireFinite('logits', logits);
}

/** p[k] = exp(logits[k]) / sum exp(logits). */
export function probabilities(logits: ArrayLike<number>): Float64Array {
  check(logits);
  const largest = extent(logits).max;
  const p = Float64Array.from(logits, (logit) => portableExp(logit - largest));
  const total = p.reduce((sum, v) => sum + v, 0);
  return p.map((v) => v / total);
}

/** -log of the probability of the bins `low`..`high`, where a censored label may lie. */
export function loss(logits: ArrayLike<number>, low: number, high = low): number {
  check(logits);
  requireBins(logits.length, low, high);
  return Math.max(0, logSumExp(logits) - logSumExp(Array.from(logits).slice(low, high + 1)));
}

/** d `loss` / d logits: p less its share within `low`..`high`, K. */
export function lossSlope(logits: ArrayLike<number>, low: number, high = low): Float64Array {
  const slope = probabilities(logits);
  requireBins(logits.length, low, high);
  const inside = probabilities(Array.from(logits).slice(low, high + 1));
  inside.forEach((share, k) => {
    slope[low + k] -= share;
  });
  return slope;
}

/** Sum of g[k] p[k], for a value of each bin. */
export function expected(logits: ArrayLike<number>, g: ArrayLike<number>): number {
  requireLength('g', g, logits.length);
  requireFinite('g', g);
  return probabilities(logits).reduce((sum, p, k) => sum + g[k] * p, 0);
}
