/** Designs climb the expected improvement of a Gaussian process. */
import { modelInputs, parameterSlopes } from './encoding.js';
import { logExpectedImprovement } from './expectedImprovement.js';
import type { GaussianProcess, Prediction } from './gaussianProcess.js';
import type { SearchSpace } from './searchSpace.js';

/** log EI over `best` at every input of a prediction. */
export function improvementsOf({ mean, variance }: Prediction, best: number): Float64Array {
  return mean.map((mu, q) => logExpectedImprovement(mu, Math.sqrt(variance[q]!), best).log);
}

/** Adam (Kingma & Ba 2015) up log EI from every start (n x P), inside the space; the rate falls to 0 on the way. */
export function climbImprovement(
  search: SearchSpace,
  process: GaussianProcess,
  starts: Float64Array,
  best: number,
  { ascentSteps, designRate }: { readonly ascentSteps: number; readonly designRate: number },
): Float64Array {
  const { encoding } = search;
  const at = starts.slice();
  const first = new Float64Array(at.length);
  const second = new Float64Array(at.length);
  for (let s = 1; s <= ascentSteps; s++) {
    const inputs = modelInputs(encoding, at);
    const prediction = process.predict(inputs);
    const byMean = new Float64Array(prediction.mean.length);
    const byVariance = new Float64Array(byMean.length);
    prediction.mean.forEach((mu, q) => {
      const sd = Math.sqrt(prediction.variance[q]!);
      const { byMean: mean, bySd } = logExpectedImprovement(mu, sd, best);
      byMean[q] = mean;
      byVariance[q] = bySd / (2 * sd);
    });
    const slopes = parameterSlopes(encoding, inputs, process.slopes(prediction, byMean, byVariance));
    const rate = designRate * (1 - (s - 1) / ascentSteps);
    slopes.forEach((g, i) => {
      first[i] = 0.9 * first[i]! + 0.1 * g;
      second[i] = 0.99 * second[i]! + 0.01 * g * g;
      const size = Math.sqrt(second[i]! / (1 - 0.99 ** s)) + 1e-12;
      at[i]! += (rate * first[i]!) / (1 - 0.9 ** s) / size;
    });
    search.hold(at);
  }
  return at;
}
