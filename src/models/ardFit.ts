/**
 * Parameters of the kernel (ardKernel.ts) that explain scores best, a posteriori: the log likelihood (Rasmussen &
 * Williams 2006, Eq. 2.30 and 5.9) and priors on each parameter, climbed by L-BFGS.
 */
import { minimize, type Slope } from '../numeric/lbfgs.js';
import { type LinearAlgebra, NotPositiveDefiniteError } from '../numeric/linalg.js';
import { effectOf, type PairTable, tableStride } from '../numeric/pairKernel.js';
import { portableExp, portableLog } from '../numeric/portable.js';
import { type ArdForm, type ArdRows, type ArdShape, ardParameters, isMatern } from './ardKernel.js';

/** A normal prior on the logarithm of a parameter, and how far the parameter may go. */
interface Prior {
  readonly mean: number;
  readonly deviation: number;
  /** Deviation above the mean; default the same. */
  readonly above?: number;
  readonly lower: number;
  readonly upper: number;
}

/**
 * Lengths: those of BoTorch's and BayBE's presets, which grow with the root of the number of columns, for columns of
 * standard deviation 1. Effects share a variance of about 1. A large variance with long lengths is a curve that goes on
 * beyond the rows, so that v may be large. `sparse`: a length may be as long as it likes, so that a column that does not
 * matter is out of the way. `plain`: lengths are hardly expected at all. `noise`: variance of repeated measurements where known.
 */
function priorsOf({ groupCount: S }: ArdShape, noise: number | null, form: ArdForm): Prior[] {
  const log = portableLog;
  const hasParts = form === 'parts';
  const length = log(1.5 * Math.sqrt(S));
  const none = { mean: log(1e-6), deviation: 1, lower: log(1e-6), upper: log(1e-6) };
  return [
    { mean: 0, deviation: hasParts ? 2 : 3, lower: log(1e-3), upper: log(hasParts ? 100 : 1000) },
    ...Array.from({ length: S }, () => ({
      mean: length,
      deviation: form === 'plain' ? 2.5 : 1.3,
      ...(form === 'sparse' && { above: 4 }),
      lower: log(0.1),
      upper: log(1e3),
    })),
    ...Array.from({ length: S }, () =>
      hasParts ? { mean: log(0.3 / S), deviation: 2, lower: log(1e-6), upper: log(100) } : none,
    ),
    hasParts ? { mean: log(0.3), deviation: 1.5, lower: log(1e-6), upper: log(100) } : none,
    noise === null
      ? { mean: log(0.02), deviation: 1.5, lower: log(1e-5), upper: log(2) }
      : { mean: log(noise), deviation: 0.5, lower: log(1e-5), upper: log(4) },
  ];
}

export interface ArdFit {
  readonly theta: Float64Array;
  /** log p(z | X, theta) + log p(theta). */
  readonly logPosterior: number;
}

export interface ArdFitOptions {
  readonly evaluations: number;
  /** Where to begin; default the better of the priors' means and of short lengths, after a few evaluations of each. */
  readonly start?: Float64Array;
  /** Variance of the noise on a score of variance 1, where known. */
  readonly noise?: number | null;
  /** Default `parts`. */
  readonly form?: ArdForm;
}

/** Evaluations of each of two starts. */
const FIRST_EVALUATIONS = 20;
/** The second one: lengths of a third, and little noise. Where the first finds nothing but noise, it may find more. */
const SHORTER = -1.1;
const LITTLE_NOISE = 0.005;

/** The means of the priors. */
export function ardStart(shape: ArdShape, form: ArdForm): Float64Array {
  return Float64Array.from(priorsOf(shape, null, form), ({ mean }) => mean);
}

/** `z`: n scores on the scale of the process. */
export function fitArd(
  linalg: LinearAlgebra,
  shape: ArdShape,
  rows: ArdRows,
  z: Float64Array,
  { evaluations, start, noise = null, form = 'parts' }: ArdFitOptions,
): ArdFit {
  const priors = priorsOf(shape, noise, form);
  const column = (of: (prior: Prior) => number) => Float64Array.from(priors, of);
  const evaluate = negativeLogPosterior(linalg, shape, rows, z, form, priors);
  const climb = (from: Float64Array, count: number) =>
    minimize(evaluate, from, {
      lower: column(({ lower }) => lower),
      upper: column(({ upper }) => upper),
      evaluations: count,
      tolerance: 1e-3,
    });
  let from = start;
  if (!from) {
    const means = column(({ mean }) => mean);
    const short = means.map((mean, i) => (i > 0 && i <= shape.groupCount ? mean + SHORTER : mean));
    short[short.length - 1] = portableLog(LITTLE_NOISE);
    const [first, second] = [climb(means, FIRST_EVALUATIONS), climb(short, FIRST_EVALUATIONS)];
    from = second.value < first.value ? second.x : first.x;
  }
  const { x, value } = climb(from, evaluations);
  return { theta: x, logPosterior: -value };
}

/** -log p(z | X, theta) - log p(theta), up to a constant, and its gradient. */
export function negativeLogPosterior(
  linalg: LinearAlgebra,
  shape: ArdShape,
  rows: ArdRows,
  z: Float64Array,
  form: ArdForm,
  priors: readonly Prior[] = priorsOf(shape, null, form),
): (theta: Float64Array) => Slope {
  const pairs = pairsOf(shape, rows);
  return (theta) => {
    const likelihood = logLikelihood(linalg, shape, pairs, z, theta, form);
    if (!likelihood) return { value: Number.POSITIVE_INFINITY, gradient: new Float64Array(theta.length) };
    let value = -likelihood.value;
    const gradient = likelihood.gradient.map((slope, i) => {
      const { mean, deviation: below, above = below } = priors[i]!;
      const deviation = theta[i]! > mean ? above : below;
      const off = (theta[i]! - mean) / deviation;
      value += (off * off) / 2;
      return -slope + off / deviation;
    });
    return { value, gradient };
  };
}

function pairsOf({ numbers, groups, groupCount, classes }: ArdShape, { count: n, x, k }: ArdRows): PairTable {
  const [c, G] = [numbers.length, classes.length];
  const stride = tableStride(n);
  const apart = new Float64Array(groupCount * stride);
  const alike = new Float64Array(groupCount * stride);
  const product = new Float64Array(stride);
  const members = new Float64Array(groupCount);
  for (const g of groups) members[g]! += 1;
  for (let u = 0; u < c + G; u++) {
    const group = groups[u]!;
    const [far, near] = [apart, alike].map((all) => all.subarray(group * stride, (group + 1) * stride));
    const share = 1 / members[group]!;
    for (let i = 0, at = 0; i < n; i++) {
      for (let j = 0; j <= i; j++, at++) {
        if (u < c) {
          const xa = x[i * c + u]!;
          const xb = x[j * c + u]!;
          const d = (xa - xb) * (xa - xb);
          far![at]! += d;
          near![at]! += share * effectOf(d);
          product[at]! += (xa * xb) / c;
        } else if (k[i * G + u - c] === k[j * G + u - c]) near![at]! += share;
        else far![at]! += 1;
      }
    }
  }
  return { n, groups: groupCount, apart, alike, product };
}

/** Null where the matrix has no Cholesky factor. */
function logLikelihood(
  linalg: LinearAlgebra,
  shape: ArdShape,
  pairs: PairTable,
  z: Float64Array,
  theta: Float64Array,
  form: ArdForm,
): { value: number; gradient: Float64Array } | null {
  const S = shape.groupCount;
  const { n } = pairs;
  const { v, noise } = ardParameters(shape, theta, form);
  const inverse = Float64Array.from({ length: S }, (_, g) => portableExp(-2 * theta[1 + g]!));
  const effects = Float64Array.from({ length: S }, (_, g) => portableExp(theta[1 + S + g]!));
  const line = portableExp(theta[1 + 2 * S]!);
  const kernel = { isMatern: isMatern(form), v, inverse, effects, line };
  const values = linalg.pairValues(kernel, noise, pairs);
  let l: Float64Array;
  try {
    l = linalg.cholesky(values.k, n);
  } catch (error) {
    if (error instanceof NotPositiveDefiniteError) return null;
    throw error;
  }
  const alpha = linalg.solveCholesky(l, n, z);
  let fit = 0;
  for (let i = 0; i < n; i++) fit += z[i]! * alpha[i]!;
  const value = -0.5 * (fit + linalg.logDeterminant(l, n) + n * portableLog(2 * Math.PI));

  // d/dt = 1/2 tr(A dK/dt), A = alpha alpha' - K^-1; pairs off the diagonal count twice
  const sums = linalg.pairSlopes(kernel.isMatern, pairs, values, alpha, linalg.invertCholesky(l, n));
  const gradient = new Float64Array(theta.length);
  gradient[0] = v * sums[0]!;
  for (let g = 0; g < S; g++) {
    gradient[1 + g] = -2 * v * inverse[g]! * sums[3 + g]!;
    gradient[1 + S + g] = effects[g]! * sums[3 + S + g]!;
  }
  gradient[1 + 2 * S] = line * sums[1]!;
  gradient[2 + 2 * S] = noise * sums[2]!;
  return { value, gradient };
}
