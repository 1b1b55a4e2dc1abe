/**
 * A distribution over designs whose columns are independent of each other, and how its log-density changes with its
 * parameters theta, one per parameter of a design:
 *
 *   numbers  x ~ N(theta, deviation^2)     d log p / d theta = (x - theta) / deviation^2
 *   classes  u ~ softmax(theta), one-hot   d log p / d theta = u - softmax(theta)
 *
 * Designs of a policy are n x P numbers: standardised columns and one-hots.
 */
import { portableLog } from '../numeric/portable.js';
import type { Stream } from '../numeric/random.js';
import { fitStandardization, standardize } from '../numeric/stats.js';
import { type Encoding, modelInputs, oneHots } from '../search/encoding.js';

/** Share of the first distribution over classes that is even, so that each class can be drawn. */
const EVEN = 0.01;

/** theta of the mean of designs (n x P parameters): of numbers the mean, of classes the logarithm of their shares. */
export function policyOf(encoding: Encoding, parameters: ArrayLike<number>): Float64Array {
  const { blocks, parameters: P } = encoding;
  const hard = oneHots(encoding, parameters);
  const n = hard.length / P;
  const theta = new Float64Array(P);
  for (let i = 0; i < hard.length; i++) theta[i % P]! += hard[i]! / n;
  for (const { from, count, classes } of blocks) {
    if (classes === 0) continue;
    for (let j = from; j < from + count; j++) theta[j] = portableLog((1 - EVEN) * theta[j]! + EVEN / classes);
  }
  return theta;
}

/** n draws, n x P. */
export function drawDesigns(
  encoding: Encoding,
  theta: Float64Array,
  deviation: number,
  n: number,
  stream: Stream,
): Float64Array {
  const { blocks, parameters: P } = encoding;
  const chances = modelInputs(encoding, theta);
  const x = new Float64Array(n * P);
  for (let row = 0; row < x.length; row += P) {
    for (const { from, count, classes } of blocks) {
      for (let j = from; j < from + count; j += Math.max(1, classes)) {
        if (classes === 0) x[row + j] = theta[j]! + deviation * stream.normal();
        else x[row + j + stream.categorical(chances.subarray(j, j + classes))] = 1;
      }
    }
  }
  return x;
}

/** Mean over draws of advantage times the slopes of their log-density in theta, P (Williams 1992). */
export function policyGradient(
  encoding: Encoding,
  theta: Float64Array,
  deviation: number,
  draws: Float64Array,
  advantages: Float64Array,
): Float64Array {
  const { blocks, parameters: P } = encoding;
  const chances = modelInputs(encoding, theta);
  const gradient = new Float64Array(P);
  const n = advantages.length;
  for (const { from, count, classes } of blocks) {
    const center = classes === 0 ? theta : chances;
    const scale = n * (classes === 0 ? deviation * deviation : 1);
    for (let s = 0; s < n; s++) {
      const weight = advantages[s]! / scale;
      for (let j = from; j < from + count; j++) gradient[j]! += weight * (draws[s * P + j]! - center[j]!);
    }
  }
  return gradient;
}

/** Rewards of a batch minus their mean, over their deviation. */
export function advantagesOf(rewards: Float64Array): Float64Array {
  return standardize(rewards, fitStandardization(rewards, 1));
}
