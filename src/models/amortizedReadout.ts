/**
 * p_NML of designs from the outputs of K networks. For every bin, Eq. 2 takes the probability under the most likely fit
 * to the data and that bin. Network k is trained to be that fit. Because the fit is a maximum and every network fits the
 * data, the largest probability over all K networks is taken for each bin. So Gamma is never below 0, as in Eq. 2, even
 * at designs that no network was trained on.
 */

import { portableLog } from '../numeric/portable.js';
import { rowOf } from '../numeric/rows.js';
import { probabilities } from './categoricalHead.js';
import {
  binProbabilities,
  binProbability,
  binProbabilitySlope,
  mean as meanOf,
} from './discretizedLogistic.js';
import { type Quantizer, scoreOf, scoreOfMean, scoreQuantile } from './quantizer.js';

/** What a network's outputs mean: mu of the discretised logistic, or a logit for each bin. */
export type OutputHead =
  | { readonly kind: 'logistic'; readonly bins: number; readonly scale: number }
  | { readonly kind: 'categorical'; readonly bins: number };

export interface AmortizedReadout {
  /** n x K: p_NML(k | x). */
  readonly probabilities: Float64Array;
  /** Gamma = log sum_k max_j p(k | x, theta_j): 0 where all networks agree, log K where any score can be had. */
  readonly gamma: Float64Array;
  /** Mean over the networks of the score each expects. */
  readonly mean: Float64Array;
  /** 10 % and 90 % points of p_NML, as scores. */
  readonly low80: Float64Array;
  readonly high80: Float64Array;
  /** Standard deviation over the networks of the score each expects. */
  readonly spread: Float64Array;
}

/** The middle of bin k on a scale from 0 to 1. */
const middle = (k: number, K: number) => (k + 0.5) / K;

/** `outputs` `[model][row][output]`, n rows. */
export function readOutputs(
  head: OutputHead,
  quantizer: Quantizer,
  outputs: ArrayLike<number>,
  n: number,
): AmortizedReadout {
  const K = head.bins;
  const readout: AmortizedReadout = {
    probabilities: new Float64Array(n * K),
    gamma: new Float64Array(n),
    mean: new Float64Array(n),
    low80: new Float64Array(n),
    high80: new Float64Array(n),
    spread: new Float64Array(n),
  };
  for (let i = 0; i < n; i++) {
    const best = rowOf(readout.probabilities, K, i);
    const scores = new Float64Array(K);
    for (let k = 0; k < K; k++) {
      const mu = outputs[k * n + i]!;
      const p = head.kind === 'logistic' ? binProbabilities(head, mu) : rowProbabilities(outputs, k, i, n, K);
      for (let b = 0; b < K; b++) best[b] = Math.max(best[b]!, p[b]!);
      scores[k] =
        head.kind === 'logistic'
          ? scoreOfMean(quantizer, meanOf(head, mu))
          : scoreOf(quantizer, expectedBin(p) * K - 0.5);
    }
    const total = best.reduce((sum, p) => sum + p, 0);
    for (let b = 0; b < K; b++) best[b]! /= total;
    readout.gamma[i] = portableLog(Math.max(total, 1)); // rounding may leave the sum a little below 1
    const mean = scores.reduce((sum, v) => sum + v, 0) / K;
    readout.mean[i] = mean;
    readout.spread[i] = Math.sqrt(scores.reduce((sum, v) => sum + (v - mean) ** 2, 0) / K);
    readout.low80[i] = scoreQuantile(quantizer, best, 0.1);
    readout.high80[i] = scoreQuantile(quantizer, best, 0.9);
  }
  return readout;
}

function rowProbabilities(
  outputs: ArrayLike<number>,
  k: number,
  i: number,
  n: number,
  K: number,
): Float64Array {
  const from = (k * n + i) * K;
  return probabilities(Float64Array.from({ length: K }, (_, j) => outputs[from + j]!));
}

/** sum_j g_j p_j, g the middles of the bins. */
function expectedBin(p: Float64Array): number {
  return p.reduce((sum, v, j) => sum + v * middle(j, p.length), 0);
}

/**
 * Slopes of the objective in every output, `[model][row][output]`.
 *
 * Alg. 1, E = sum_k g_k p_k / Z with Z = sum_k p_k and p_k = p(k | x, theta_k):
 *     dE / d p_k = (g_k - E) / Z.
 * The categorical head has no mu; there 'mu' stands for the mean over models of each one's expected bin.
 */
export function seedsOf(
  head: OutputHead,
  objective: 'mu' | 'nml',
  outputs: ArrayLike<number>,
  n: number,
): Float64Array {
  const K = head.bins;
  const seeds = new Float64Array(outputs.length);
  for (let i = 0; i < n; i++) {
    const bins =
      head.kind === 'logistic'
        ? []
        : Array.from({ length: K }, (_, k) => rowProbabilities(outputs, k, i, n, K));
    const likelihoods = Array.from({ length: K }, (_, k) =>
      head.kind === 'logistic' ? binProbability(head, outputs[k * n + i]!, k) : bins[k]![k]!,
    );
    const Z = likelihoods.reduce((sum, p) => sum + p, 0);
    const E = likelihoods.reduce((sum, p, k) => sum + middle(k, K) * p, 0) / Z;
    for (let k = 0; k < K; k++) {
      const outer = Z > 0 ? (middle(k, K) - E) / Z : 0;
      if (head.kind === 'logistic') {
        seeds[k * n + i] = outer * binProbabilitySlope(head, outputs[k * n + i]!, k);
        continue;
      }
      const p = bins[k]!;
      const expected = expectedBin(p);
      for (let j = 0; j < K; j++) {
        const slope =
          objective === 'nml'
            ? outer * p[k]! * ((j === k ? 1 : 0) - p[j]!)
            : (p[j]! * (middle(j, K) - expected)) / K;
        seeds[(k * n + i) * K + j] = slope;
      }
    }
  }
  return seeds;
}
