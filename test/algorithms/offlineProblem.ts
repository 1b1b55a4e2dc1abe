import { quantile, rootKey, Stream } from '../../src/numeric/index.js';
import type { Dataset, Space } from '../../src/problem.js';

export interface OfflineProblem {
  readonly data: Dataset;
  readonly space: Space;
  /** The truth, for the test alone. */
  score(x: Float64Array): Float64Array;
}

/** Designs drawn uniformly in [-2, 2]^d; the best `hidden` of them are withheld. */
export function offlineProblem(
  d: number,
  rows: number,
  hidden: number,
  f: (x: Float64Array) => number,
  seed: number,
): OfflineProblem {
  const stream = new Stream(rootKey(seed));
  const designs = Array.from({ length: rows }, () =>
    Float64Array.from({ length: d }, () => 4 * stream.uniform() - 2),
  );
  const scores = designs.map(f);
  const cut = quantile(scores, 1 - hidden);
  const kept = designs.filter((_, i) => scores[i]! <= cut);
  return {
    data: { x: Float64Array.from(kept.flatMap((x) => [...x])), y: Float64Array.from(kept, f) },
    space: { columns: Array.from({ length: d }, () => ({ kind: 'continuous', lower: -2, upper: 2 })) },
    score: (x) => Float64Array.from({ length: x.length / d }, (_, i) => f(x.subarray(i * d, (i + 1) * d))),
  };
}

/** Minus the Rosenbrock function over 1000; its greatest value, 0, is at (1, ..., 1). */
export function rosenbrock(x: Float64Array): number {
  let sum = 0;
  for (let i = 0; i + 1 < x.length; i++) sum += 100 * (x[i + 1]! - x[i]! ** 2) ** 2 + (1 - x[i]!) ** 2;
  return -sum / 1000;
}
