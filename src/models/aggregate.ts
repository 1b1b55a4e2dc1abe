/** The predictions of B networks combined into one number per design. */
import { ArgumentError } from '../numeric/errors.js';

/** `ucb`: mean + kappa times the standard deviation over the networks; a negative kappa is a lower bound. */
export type Aggregate = { readonly kind: 'mean' | 'min' } | { readonly kind: 'ucb'; readonly kappa: number };

/** Combines `predictions` `[network][row]` into one number per row. */
export function aggregateMeans(
  aggregate: Aggregate,
  predictions: ArrayLike<number>,
  networks: number,
): Float64Array {
  const n = rowsOf(predictions, networks);
  return Float64Array.from({ length: n }, (_, i) => {
    const { mean, sd, least } = summary(predictions, networks, n, i);
    if (aggregate.kind === 'ucb') return mean + aggregate.kappa * sd;
    return aggregate.kind === 'mean' ? mean : predictions[least * n + i]!;
  });
}

/**
 * Slopes of the aggregate in each mean, `[network][row]`. The least network's is 1 and the others' 0 for `min`;
 * d sd / d mu_b = (mu_b - mean) / (B sd), 0 where all agree.
 */
export function aggregateSlopes(
  aggregate: Aggregate,
  predictions: ArrayLike<number>,
  networks: number,
): Float64Array {
  const n = rowsOf(predictions, networks);
  const slopes = new Float64Array(networks * n);
  for (let i = 0; i < n; i++) {
    const { mean, sd, least } = summary(predictions, networks, n, i);
    for (let b = 0; b < networks; b++) {
      const at = b * n + i;
      if (aggregate.kind === 'min') {
        slopes[at] = b === least ? 1 : 0;
        continue;
      }
      const spread =
        aggregate.kind === 'ucb' && sd > 0 ? (aggregate.kappa * (predictions[at]! - mean)) / sd : 0;
      slopes[at] = (1 + spread) / networks;
    }
  }
  return slopes;
}

function rowsOf(predictions: ArrayLike<number>, networks: number): number {
  const n = predictions.length / networks;
  if (Number.isInteger(n)) return n;
  throw new ArgumentError(
    'predictions',
    `${predictions.length} numbers are not whole rows of ${networks} networks`,
  );
}

/** Population standard deviation; the first of the least. */
function summary(predictions: ArrayLike<number>, networks: number, n: number, i: number) {
  let sum = 0;
  let least = 0;
  for (let b = 0; b < networks; b++) {
    sum += predictions[b * n + i]!;
    if (predictions[b * n + i]! < predictions[least * n + i]!) least = b;
  }
  const mean = sum / networks;
  let squares = 0;
  for (let b = 0; b < networks; b++) squares += (predictions[b * n + i]! - mean) ** 2;
  return { mean, sd: Math.sqrt(squares / networks), least };
}
