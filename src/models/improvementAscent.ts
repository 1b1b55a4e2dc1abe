/** Designs climb the expected improvement of a Gaussian process. */
import { ascend, startAscent } from '../search/designAscent.js';
import { modelInputs, parameterSlopes } from '../search/encoding.js';
import type { SearchSpace } from '../search/searchSpace.js';
import { logExpectedImprovement } from './expectedImprovement.js';
import type { GaussianProcess, Prediction } from './gaussianProcess.js';

/** log EI over `best` at every input of a prediction. */
export function improvementsOf({ mean, variance }: Prediction, best: number): Float64Array {
  return mean.map((mu, q) => logExpectedImprovement(mu, Math.sqrt(variance[q]!), best).log);
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
    const prediction = gp.predict(inputs);
    const byMean = new Float64Array(prediction.mean.length);
    const byVariance = new Float64Array(byMean.length);
    prediction.mean.forEach((mu, q) => {
      const sd = Math.sqrt(prediction.variance[q]!);
      const { byMean: mean, bySd } = logExpectedImprovement(mu, sd, best);
      byMean[q] = mean;
      byVariance[q] = bySd / (2 * sd);
    });
    const slopes = parameterSlopes(encoding, inputs, gp.slopes(prediction, byMean, byVariance));
    const rate = designRate * (1 - (s - 1) / ascentSteps);
    const rates = new Float64Array(encoding.parameters).fill(rate);
    ascend(climbing, slopes, s, { ascent: 'adam', rates });
    search.hold(climbing.designs);
  }
  return climbing.designs;
}
