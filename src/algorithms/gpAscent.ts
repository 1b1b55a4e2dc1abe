/**
 * Ascent of a Gaussian process: exact regression, hyperparameters by maximum marginal likelihood, and the best visible
 * designs climb the posterior by Adam, all at once. Away from the data the mean goes back to the mean of the scores, so
 * there is no false peak out there; "GA on GP" in the comparison of ROOT (2025).
 * Options and what is known of other versions: docs/algorithms/gp-ascent.md.
 *
 *   theta logarithms of the hyperparameters   mu, s posterior mean and standard deviation   EI expected improvement
 */
import {
  type Algorithm,
  type AlgorithmState,
  defineAlgorithm,
  type Preset,
  type Setup,
} from '../algorithm.js';
import { improvementSlopes } from '../models/expectedImprovement.js';
import type { GaussianProcess } from '../models/gaussianProcess.js';
import { hyperparametersOf, type KernelShape } from '../models/gpKernel.js';
import { type HyperparameterFit, startFit } from '../models/marginalLikelihood.js';
import { ProcessFit } from '../models/processFit.js';
import { requireSteps } from '../numeric/errors.js';
import { foldKey, type Key } from '../numeric/key.js';
import { portableLog } from '../numeric/portable.js';
import { extent, median } from '../numeric/stats.js';
import { choice, count, flag, number, type OptionsOf, steps } from '../options/option.js';
import { batchSize, box, startFrom } from '../options/searchOptions.js';
import {
  type AscentState,
  ascend,
  ascentMetrics,
  copyAscent,
  designRatesOf,
  startAscent,
} from '../search/ascent.js';
import { requireConverging } from '../search/divergence.js';
import { modelInputs, parameterSlopes, roundToGrid } from '../search/encoding.js';
import { SearchSpace } from '../search/searchSpace.js';
import { perSetup } from '../search/session.js';

const gpAscentOptions = {
  batchSize: batchSize('M, designs that climb'),
  objective: choice('mean', 'What is climbed', {
    mean: 'mu',
    bound: 'mu + kappa s',
    improvement: 'log EI over the greatest mean of a row',
  }),
  kappa: number(-0.5, 'Of the bound; below 0 it is a lower one', {}),
  rows: count(
    4000,
    'Rows that the process is conditioned on, at most: the best half by score, the rest drawn from the others',
  ),
  fitRows: count(1000, 'Rows of these that the hyperparameters are fitted to, at most'),
  ard: flag(false, 'A length scale for every continuous column, not one for all'),
  lengthscale: number('auto', 'Length scale that the fit begins at, in standard deviations', {
    above: 0,
    words: { auto: 'sqrt(d), d continuous columns' },
  }),
  noise: number(0.1, 'Variance of the noise that the fit begins at, of standardised scores', { above: 0 }),
  trainSteps: steps(60, 'Steps of Adam on the hyperparameters'),
  trainRate: number(0.1, 'Its rate for their logarithms, which falls to a tenth on the way', { least: 0 }),
  steps: count(200, 'Steps of the designs'),
  designRate: number('auto', "Adam's rate for the designs (standard deviations, logits)", {
    least: 0,
    words: { auto: '0.02, or 0.05 where all columns are classes' },
  }),
  startFrom: startFrom(),
  box: box(),
};

export type GpAscentOptions = OptionsOf<typeof gpAscentOptions>;

const presets: Readonly<Record<string, Preset<GpAscentOptions>>> = {
  paper: {
    help: 'the process that ROOT climbs, 2025: nothing is fitted, length scale and variance 1, noise 0.01, 1,024 rows, 100 steps',
    options: { lengthscale: 1, noise: 0.01, trainSteps: 0, rows: 1024, steps: 100, box: null },
  },
};

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export interface GpAscentState extends AlgorithmState, AscentState {
  /** Which rows. */
  readonly key: Key;
  readonly fit: HyperparameterFit;
  /** M x d, inside the space. */
  readonly proposals: Float64Array;
}

const advice = { training: 'lower trainRate', search: 'lower designRate' };

export const gpAscent: Algorithm<GpAscentOptions, GpAscentState> = defineAlgorithm({
  id: 'gp-ascent',
  version: '0.2.0',
  options: gpAscentOptions,
  presets,

  length({ options }) {
    return { training: options.trainSteps, search: options.steps };
  },

  async init(setup, key) {
    const { options } = setup;
    const { search, regression } = sessionOf(setup);
    await search.prepare(); // an infeasible space is refused before anything is fitted
    const designs = search.start(options, foldKey(key, 'start'));
    return {
      iteration: 0 - options.trainSteps,
      key: [key[0], key[1]],
      fit: firstFit(regression.shape, options),
      ...startAscent(designs),
      proposals: search.settle(designs),
    };
  },

  async step(state, setup, iterations = 1) {
    requireSteps('iterations', iterations);
    const session = sessionOf(setup);
    const { search, regression, rates } = session;
    await search.prepare();
    const climbing = copyAscent(state);
    const end = state.iteration + iterations;
    let { fit } = state;
    for (let t = state.iteration; t < end; t++) {
      if (t < 0) {
        fit = await regression.step(fit, state.key, setup.options.trainSteps + t);
        continue;
      }
      const posterior = await posteriorOf(session, fit, state.key);
      const slopes = slopesAt(posterior, search, climbing.designs, setup.options);
      ascend(climbing, slopes, t + 1, { ascent: 'adam', rates });
      requireConverging(climbing.designs, t + 1, advice);
      if (search.isLimited) search.hold(climbing.designs);
    }
    return {
      iteration: end,
      key: state.key,
      fit,
      ...climbing,
      proposals: end > 0 ? search.settle(climbing.designs) : state.proposals,
    };
  },

  propose(state) {
    return state.proposals.slice();
  },

  async watch(state, setup) {
    const session = sessionOf(setup);
    const { search, regression } = session;
    await search.prepare();
    const { iteration, designs, fit, key } = state;
    const { noise, lengthscales, variance } = hyperparametersOf(regression.shape, fit.theta);
    const rows = Math.min(setup.options.rows, setup.data.y.length);
    const fitted = { variance, noise, ...(lengthscales.length > 0 && { lengthscale: median(lengthscales) }) };
    if (iteration < 0) {
      const { loss: trainingLoss, rows: fitRows } = await regression.loss(fit.theta, key);
      return { iteration, trainingLoss, rows, fitRows, ...fitted };
    }
    const { gp } = await posteriorOf(session, fit, key);
    const { mean, scale } = regression.scores;
    const predicted = gp.predictMean(inputsOf(search, designs)).mean.map((mu) => mean[0]! + scale[0]! * mu);
    const start = search.start(setup.options, null);
    return { iteration, ...ascentMetrics(predicted, designs, start), rows, ...fitted };
  },
});

/** Where a fit begins: a variance of 1, and what the options say. */
function firstFit(shape: KernelShape, { lengthscale, noise }: GpAscentOptions): HyperparameterFit {
  const fit = startFit(shape);
  const theta = fit.theta.slice(); // v, length scales, offset of the classes, noise
  theta[theta.length - 1] = portableLog(noise);
  const offsets = shape.groups > 0 ? 1 : 0;
  if (lengthscale !== 'auto') theta.fill(portableLog(lengthscale), 1, theta.length - 1 - offsets);
  return { ...fit, theta };
}

interface Posterior {
  readonly gp: GaussianProcess;
  /** What improvement is counted from, in standardised scores. */
  readonly best: number;
}

/** What the process sees of designs (n x P parameters); on fine grids the nearest point. */
function inputsOf({ encoding }: SearchSpace, designs: Float64Array): Float64Array {
  return modelInputs(encoding, roundToGrid(encoding, designs));
}

/** Slopes of the objective in the parameters of designs, M x P. */
function slopesAt(
  { gp, best }: Posterior,
  search: SearchSpace,
  designs: Float64Array,
  { objective, kappa }: GpAscentOptions,
): Float64Array {
  const inputs = inputsOf(search, designs);
  const ones = new Float64Array(inputs.length / search.encoding.parameters).fill(1);
  const slopes = () => {
    if (objective === 'mean') return gp.meanSlopes(gp.predictMean(inputs), ones);
    const predicted = gp.predict(inputs);
    if (objective === 'improvement') return improvementSlopes(gp, predicted, best);
    const byVariance = predicted.variance.map((v) => kappa / (2 * Math.sqrt(v))); // of kappa s
    return gp.slopes(predicted, ones, byVariance);
  };
  return parameterSlopes(search.encoding, inputs, slopes());
}

interface Session {
  readonly search: SearchSpace;
  readonly regression: ProcessFit;
  readonly rates: Float64Array;
  posterior: (Posterior & { readonly theta: Float64Array; readonly key: Key }) | null;
}

const sessionOf = perSetup(({ data, space, options, engine }: Setup<GpAscentOptions>): Session => {
  const search = new SearchSpace(data, space, options);
  const { designRate } = options;
  return {
    search,
    regression: new ProcessFit(engine.kernel, search, options),
    rates: designRatesOf({ ascent: 'adam', designRate }, search.encoding),
    posterior: null,
  };
});

async function posteriorOf(session: Session, { theta }: HyperparameterFit, key: Key): Promise<Posterior> {
  const known = session.posterior;
  const isSame = (a: ArrayLike<number>, b: Float64Array) => b.every((v, i) => v === a[i]);
  if (known && known.key[0] === key[0] && known.key[1] === key[1] && isSame(known.theta, theta)) return known;
  const { gp, y } = await session.regression.posterior(theta, key);
  session.posterior = { gp, best: extent(gp.fitted(y)).max, theta, key };
  return session.posterior;
}
