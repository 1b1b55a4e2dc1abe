/** One number from what B networks say of a design. */
import { ArgumentError } from '../numeric/errors.js';

/** `ucb`: mean + kappa times the standard deviation over the networks; a negative kappa is a lower bound. */
export type Aggregate = { readonly kind: 'mean' | 'min' } | { readonly kind: 'ucb'; readonly kappa: number };

/** Of `means` `[network][row]`, one number per row. */
export function aggregateMeans(
  aggregate: Aggregate,
  means: ArrayLike<number>,
  networks: number,
): Float64Array {
  const n = rowsOf(means, networks);
  return Float64Array.from({ length: n }, (_, i) => {
    const { mean, sd, least } = summary(means, networks, n, i);
    if (aggregate.kind === 'ucb') return mean + aggregate.kappa * sd;
    return aggregate.kind === 'mean' ? mean : means[least * n + i]!;
  });
}

/**
 * Slopes of the aggregate in each mean, `[network][row]`. The least network's is 1 and the others' 0 for `min`;
 * d sd / d mu_b = (mu_b - mean) / (B sd), 0 where all agree.
 */
export function aggregateSlopes(
  aggregate: Aggregate,
  means: ArrayLike<number>,
  networks: number,
): Float64Array {
  const n = rowsOf(means, networks);
  const slopes = new Float64Array(networks * n);
  for (let i = 0; i < n; i++) {
    const { mean, sd, least } = summary(means, networks, n, i);
    for (let b = 0; b < networks; b++) {
      const at = b * n + i;
      if (aggregate.kind === 'min') {
        slopes[at] = b === least ? 1 : 0;
        continue;
      }
      const spread = aggregate.kind === 'ucb' && sd > 0 ? (aggregate.kappa * (means[at]! - mean)) / sd : 0;
      slopes[at] = (1 + spread) / networks;
    }
  }
  return slopes;
}

function rowsOf(means: ArrayLike<number>, networks: number): number {
  const n = means.length / networks;
  if (Number.isInteger(n)) return n;
  throw new ArgumentError('means', `${means.length} numbers are not whole rows of ${networks} networks`);
}

/** Population standard deviation; the first of the least. */
function summary(means: ArrayLike<number>, networks: number, n: number, i: number) {
  let sum = 0;
  let least = 0;
  for (let b = 0; b < networks; b++) {
    sum += means[b * n + i]!;
    if (means[b * n + i]! < means[least * n + i]!) least = b;
  }
  const mean = sum / networks;
  let squares = 0;
  for (let b = 0; b < networks; b++) squares += (means[b * n + i]! - mean) ** 2;
  return { mean, sd: Math.sqrt(squares / networks), least };
}
