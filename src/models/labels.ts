import { requireLength } from '../numeric/errors.js';
import { binOf, type Quantizer } from './quantizer.js';

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
