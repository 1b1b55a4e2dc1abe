/**
 * Expected improvement of a normal score over the best one (Mockus 1978; Jones et al. 1998), as its logarithm and its
 * slopes (Ament et al. 2023): EI itself is 0 in float64 where a search still needs to know which way is up.
 *
 *   EI = s h(z),  z = (mean - best) / s,  h(z) = phi(z) + z Phi(z)
 */
import { portableExp, portableLog } from '../numeric/portable.js';
import { erfcx, normalLogPdf } from '../numeric/special.js';
import { ascend, startAscent } from '../search/ascent.js';
import { modelInputs, parameterSlopes } from '../search/encoding.js';
import type { SearchSpace } from '../search/searchSpace.js';
import type { GaussianPrediction, GaussianProcess } from './gaussianProcess.js';

export interface Improvement {
  /** log EI. */
  readonly log: number;
  /** Slopes of log EI. */
  readonly byMean: number;
  readonly bySd: number;
}

export function logExpectedImprovement(mean: number, sd: number, best: number): Improvement {
  const z = (mean - best) / sd;
  const mills = Math.sqrt(Math.PI / 2) * erfcx(-z / Math.SQRT2); // Phi(z) / phi(z)
  if (mills === Number.POSITIVE_INFINITY) {
    // z is above 37: h(z) = z to the last bit
    return { log: portableLog(mean - best), byMean: 1 / (mean - best), bySd: 0 };
  }
  const h = overDensity(z, mills);
  return {
    log: portableLog(sd) + normalLogPdf(z) + portableLog(h),
    byMean: mills / (sd * h),
    bySd: 1 / (sd * h),
  };
}

export function expectedImprovement(mean: number, sd: number, best: number): number {
  return portableExp(logExpectedImprovement(mean, sd, best).log);
}

/** From here on the difference 1 + z Phi / phi loses more digits than the series. */
const FAR = -40;

/** h(z) / phi(z) = 1 + z Phi(z) / phi(z). */
function overDensity(z: number, mills: number): number {
  if (z > FAR) return 1 + z * mills;
  const r = 1 / (z * z); // Abramowitz & Stegun 26.2.12
  return r * (1 - 3 * r * (1 - 5 * r * (1 - 7 * r * (1 - 9 * r * (1 - 11 * r)))));
}

/** log EI over `best` at every input of a prediction. */
export function improvementsOf({ mean, variance }: GaussianPrediction, best: number): Float64Array {
  return mean.map((mu, q) => logExpectedImprovement(mu, Math.sqrt(variance[q]!), best).log);
}

/** Slopes of the log EI over `best` of every input of a prediction, m x P. */
export function improvementSlopes(
  gp: GaussianProcess,
  prediction: GaussianPrediction,
  best: number,
): Float64Array {
  const byMean = new Float64Array(prediction.mean.length);
  const byVariance = new Float64Array(byMean.length);
  prediction.mean.forEach((mu, q) => {
    const sd = Math.sqrt(prediction.variance[q]!);
    const { byMean: mean, bySd } = logExpectedImprovement(mu, sd, best);
    byMean[q] = mean;
    byVariance[q] = bySd / (2 * sd);
  });
  return gp.slopes(prediction, byMean, byVariance);
}

/** Adam up log EI from every start (n x P), inside the space; the rate falls to 0 on the way. */
export function climbImprovement(
  search: SearchSpace,
  gp: GaussianProcess,
  starts: Float64Array,
  best: number,
  { ascentSteps, designRate }: { readonly ascentSteps: number; readonly designRate: number },
): Float64Array {
  const { encoding } = search;
  const climbing = startAscent(starts);
  for (let s = 1; s <= ascentSteps; s++) {
    const inputs = modelInputs(encoding, climbing.designs);
    const slopes = parameterSlopes(encoding, inputs, improvementSlopes(gp, gp.predict(inputs), best));
    const rate = designRate * (1 - (s - 1) / ascentSteps);
    const rates = new Float64Array(encoding.parameters).fill(rate);
    ascend(climbing, slopes, s, { ascent: 'adam', rates });
    search.hold(climbing.designs);
  }
  return climbing.designs;
}
