/**
 * Pairs of a worse and a better design that a Gaussian process gives (Dao et al. 2025): rows that climbed its mean, and the
 * same rows that descended it.
 */
import { portableLog } from '../numeric/portable.js';
import type { Stream } from '../numeric/random.js';
import { ascend, startAscent } from '../search/ascent.js';
import { modelInputs, parameterSlopes, project } from '../search/encoding.js';
import type { SearchSpace } from '../search/searchSpace.js';
import type { Ends } from './brownianBridge.js';
import type { GaussianProcess } from './gaussianProcess.js';
import type { KernelShape } from './gpKernel.js';
import { startFit } from './marginalLikelihood.js';

export interface VariedProcess {
  readonly lengthscale: number | 'auto';
  /** Variance of the noise, of standardised scores. */
  readonly noise: number;
  /** Length scale and variance are multiplied by 1, give or take this. */
  readonly jitter: number;
}

/** Hyperparameters, as logarithms. `shape` has one length scale. */
export function variedTheta(
  shape: KernelShape,
  { lengthscale, noise, jitter }: VariedProcess,
  stream: Stream,
): Float64Array {
  const theta = startFit(shape).theta.slice(); // v, the length scale, offset of the classes, noise
  const vary = () => portableLog(1 + jitter * (2 * stream.uniform() - 1));
  theta[0]! += vary();
  if (shape.continuous.length > 0) {
    if (lengthscale !== 'auto') theta[1] = portableLog(lengthscale);
    theta[1]! += vary();
  }
  theta[theta.length - 1] = portableLog(noise);
  return theta;
}

interface Climb {
  readonly climbSteps: number;
  /** Adam's rate. */
  readonly climbRate: number;
}

/** Where rows (n x P parameters) arrive on the way down and on the way up, and the means there. */
export function endsOn(gp: GaussianProcess, search: SearchSpace, rows: Float64Array, climb: Climb): Ends {
  const low = follow(gp, search, rows, climb, -1);
  const high = follow(gp, search, rows, climb, 1);
  return { low: low.inputs, high: high.inputs, lowScores: low.mean, highScores: high.mean };
}

/** Adam up (sign 1) or down the mean, inside the box, and at its end inside the space. */
function follow(
  gp: GaussianProcess,
  search: SearchSpace,
  rows: Float64Array,
  { climbSteps, climbRate }: Climb,
  sign: 1 | -1,
): { inputs: Float64Array; mean: Float64Array } {
  const { encoding } = search;
  const climbing = startAscent(rows);
  const weights = new Float64Array(rows.length / encoding.parameters).fill(sign);
  const rates = new Float64Array(encoding.parameters).fill(climbRate);
  for (let t = 1; t <= climbSteps; t++) {
    const inputs = modelInputs(encoding, climbing.designs);
    const slopes = gp.meanSlopes(gp.predictMean(inputs), weights);
    ascend(climbing, parameterSlopes(encoding, inputs, slopes), t, { ascent: 'adam', rates });
    project(encoding, climbing.designs);
  }
  if (search.isLimited) search.hold(climbing.designs); // sums and the like once: they cost more than a step
  const inputs = modelInputs(encoding, climbing.designs);
  return { inputs, mean: gp.predictMean(inputs).mean };
}
