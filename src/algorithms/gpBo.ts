/**
 * Bayesian optimisation with a Gaussian process, one batch (GP-BO): exact regression, hyperparameters by maximum marginal
 * likelihood, designs by expected improvement, one after the other as kriging believer (Ginsbourger et al. 2010).
 * Options, departures from the paper's baseline and results: docs/algorithms/gp-bo.md.
 *
 *   theta logarithms of the hyperparameters   M batchSize   EI expected improvement
 */
import {
  type Algorithm,
  type AlgorithmState,
  defineAlgorithm,
  type Preset,
  type Setup,
} from '../algorithm.js';
import { climbImprovement, improvementsOf } from '../models/expectedImprovement.js';
import type { GaussianPrediction, GaussianProcess } from '../models/gaussianProcess.js';
import { hyperparametersOf } from '../models/gpKernel.js';
import { type HyperparameterFit, startFit } from '../models/marginalLikelihood.js';
import { ProcessFit } from '../models/processFit.js';
import { requireSteps } from '../numeric/errors.js';
import { foldKey, type Key } from '../numeric/key.js';
import { rowOf, takeRows } from '../numeric/rows.js';
import { argsort, extent, largest, median } from '../numeric/stats.js';
import { count, flag, number, type OptionsOf, steps } from '../options/option.js';
import { batchSize, box, startFrom } from '../options/searchOptions.js';
import { changeClasses, concatenate, drawCandidates } from '../search/candidates.js';
import { encode, modelInputs } from '../search/encoding.js';
import { SearchSpace } from '../search/searchSpace.js';
import { perSetup } from '../search/session.js';

const gpBoOptions = {
  batchSize: batchSize('M, designs; one is found per step of the search'),
  rows: count(
    4000,
    'Rows that the process is conditioned on, at most: the best half by score, the rest drawn from the others',
  ),
  fitRows: count(1000, 'Rows of these that the hyperparameters are fitted to, at most'),
  ard: flag(false, 'A length scale for every continuous column, not one for all'),
  trainSteps: steps(60, 'Steps of Adam on the hyperparameters'),
  trainRate: number(0.1, 'Its rate for their logarithms, which falls to a tenth on the way', { least: 0 }),
  candidates: count(
    256,
    'Designs among which every climb finds its starts: half visible rows, half drawn from the box',
    {
      least: 2,
    },
  ),
  restarts: count(8, 'Climbs per design of the batch, from the best candidates'),
  ascentSteps: steps(20, 'Steps of a climb'),
  designRate: number(
    0.1,
    "Adam's rate for the designs (standard deviations, logits), which falls to 0 on the way",
    {
      least: 0,
    },
  ),
  startFrom: startFrom('Which rows are the visible candidates'),
  box: box(),
};

export type GpBoOptions = OptionsOf<typeof gpBoOptions>;

const presets: Readonly<Record<string, Preset<GpBoOptions>>> = {
  paper: {
    help: 'the paper prints no settings; these climb expected improvement as far as it leads, and do so on GFP as it reports',
    options: { ascentSteps: 40, designRate: 0.5, box: null },
  },
};

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export interface GpBoState extends AlgorithmState, HyperparameterFit {
  /** Which rows, and which candidates. */
  readonly key: Key;
  /** M x d; the first `iteration` of them are found, the others are where a search would start. */
  readonly proposals: Float64Array;
  /** log EI of the designs found, each when it was found; 0 for the others. */
  readonly improvements: Float64Array;
}

export const gpBo: Algorithm<GpBoOptions, GpBoState> = defineAlgorithm({
  id: 'gp-bo',
  version: '0.2.0', // exponentials and logarithms are nemokit's own since (src/numeric/portable.ts)
  options: gpBoOptions,
  presets,

  length({ options }) {
    return { training: options.trainSteps, search: options.batchSize };
  },

  async init(setup, key) {
    const { options } = setup;
    const { search, regression } = sessionOf(setup);
    await search.prepare();
    return {
      ...startFit(regression.shape),
      iteration: 0 - options.trainSteps,
      key: [key[0], key[1]],
      proposals: search.settle(search.start(options, foldKey(key, 'start'))),
      improvements: new Float64Array(options.batchSize),
    };
  },

  async step(state, setup, iterations = 1) {
    requireSteps('iterations', iterations);
    const { options } = setup;
    const session = sessionOf(setup);
    await session.search.prepare();
    const end = state.iteration + iterations;
    let reached = state;
    for (let t = state.iteration; t < Math.min(end, 0); t++) {
      const fit = await session.regression.step(reached, state.key, options.trainSteps + t);
      reached = { ...reached, ...fit, iteration: t + 1 };
    }
    if (end <= 0) return reached;
    const posterior = await posteriorOf(setup, session, reached);
    session.posterior = null; // what comes next changes it
    const proposals = reached.proposals.slice();
    const improvements = reached.improvements.slice();
    for (let t = Math.max(0, state.iteration); t < Math.min(end, options.batchSize); t++) {
      improvements[t] = findDesign(setup, session, posterior, proposals, t);
    }
    const found = { ...reached, iteration: end, proposals, improvements };
    session.posterior = { ...posterior, state: found };
    return found;
  },

  propose(state) {
    return state.proposals.slice();
  },

  async watch(state, setup) {
    const session = sessionOf(setup);
    await session.search.prepare();
    const { iteration } = state;
    const { noise, lengthscales, variance } = hyperparametersOf(session.regression.shape, state.theta);
    const rows = Math.min(setup.options.rows, setup.data.y.length);
    const fitted = { variance, noise, ...(lengthscales.length > 0 && { lengthscale: median(lengthscales) }) };
    if (iteration < 0) {
      const { loss: trainingLoss, rows: fitRows } = await session.regression.loss(state.theta, state.key);
      return { iteration, trainingLoss, rows, fitRows, ...fitted };
    }
    const { gp } = await posteriorOf(setup, session, state);
    const { mean, scale } = session.regression.scores;
    const { encoding } = session.search;
    const at = encode(encoding, state.proposals);
    const predicted = gp.predict(modelInputs(encoding, at)).mean.map((mu) => mean[0]! + scale[0]! * mu);
    const found = state.improvements.subarray(0, Math.min(iteration, state.improvements.length));
    return {
      iteration,
      predictedBest: largest(predicted),
      predictedMedian: median(predicted),
      ...(found.length > 0 && { logImprovement: found.at(-1)! }),
      rows,
      ...fitted,
    };
  },
});

/** The posterior of a state, its beliefs included. */
interface Posterior {
  readonly gp: GaussianProcess;
  /** Parameters of the candidates, and the posterior there. */
  readonly candidates: Float64Array;
  readonly predicted: GaussianPrediction;
  /** What improvement is counted from, in standardised scores. */
  readonly best: { value: number };
  readonly state: GpBoState;
}

interface Session {
  readonly search: SearchSpace;
  readonly regression: ProcessFit;
  posterior: Posterior | null;
}

const sessionOf = perSetup(({ data, space, options, engine }: Setup<GpBoOptions>): Session => {
  const search = new SearchSpace(data, space, options);
  return { search, regression: new ProcessFit(engine.kernel, search, options), posterior: null };
});

async function posteriorOf(
  setup: Setup<GpBoOptions>,
  session: Session,
  state: GpBoState,
): Promise<Posterior> {
  if (session.posterior?.state === state) return session.posterior;
  const { search, regression } = session;
  const { encoding } = search;
  const { gp, y } = await regression.posterior(state.theta, state.key);
  const candidates = drawCandidates(search, setup.options, foldKey(state.key, 'candidates'));
  const predicted = gp.predict(modelInputs(encoding, candidates));
  const posterior = {
    gp,
    candidates,
    predicted,
    best: { value: extent(gp.fitted(y)).max },
    state,
  };
  const d = setup.space.columns.length;
  for (let t = 0; t < Math.min(state.iteration, setup.options.batchSize); t++) {
    believe(session, posterior, rowOf(state.proposals, d, t));
  }
  session.posterior = posterior;
  return posterior;
}

/** Adds design t to the batch, in `proposals`; returns its log EI. */
function findDesign(
  { space, options }: Setup<GpBoOptions>,
  session: Session,
  posterior: Posterior,
  proposals: Float64Array,
  t: number,
): number {
  const { search } = session;
  const { gp, candidates, predicted, best } = posterior;
  const d = space.columns.length;
  const order = argsort(improvementsOf(predicted, best.value), 'descending').subarray(0, options.restarts);
  const starts = takeRows(candidates, search.encoding.parameters, order);
  const climbed = climbImprovement(search, gp, starts, best.value, options);

  // EI is asked again where a design can be made: on grids, in lists, with whole classes
  const found = judge(posterior, search, concatenate(search.settle(climbed), search.settle(starts)));
  const { designs, values } = withVariants(search, posterior, found, foldKey(posterior.state.key, t));
  const ranked = argsort(values, 'descending');
  const row = (i: number) => rowOf(designs, d, i);
  const isNew = (i: number) => {
    for (let s = 0; s < t; s++) if (row(i).every((v, j) => v === proposals[s * d + j])) return false;
    return true;
  };
  const chosen = ranked.find(isNew) ?? ranked[0]!;
  proposals.set(row(chosen), t * d);
  believe(session, posterior, row(chosen));
  return values[chosen]!;
}

/** Designs (n x d) and their log EI. */
interface Judged {
  readonly designs: Float64Array;
  readonly values: Float64Array;
}

function judge({ gp, best }: Posterior, { encoding }: SearchSpace, designs: Float64Array): Judged {
  const predicted = gp.predict(modelInputs(encoding, encode(encoding, designs)));
  return { designs, values: improvementsOf(predicted, best.value) };
}

/** Where there are classes, also designs like the best but for a few of them: climbs end at the same ones again and again. */
function withVariants(search: SearchSpace, posterior: Posterior, found: Judged, key: Key): Judged {
  const { encoding, space } = search;
  if (space.columns.every(({ kind }) => kind === 'continuous')) return found;
  const d = space.columns.length;
  const top = argsort(found.values, 'descending')[0]!;
  const drawn = changeClasses(space, rowOf(found.designs, d, top), VARIANTS, key);
  const variants = judge(posterior, search, search.settle(encode(encoding, drawn)));
  return {
    designs: concatenate(found.designs, variants.designs),
    values: concatenate(found.values, variants.values),
  };
}

const VARIANTS = 64;

/** Takes a design (1 x d) as observed, with the score that is expected of it. */
function believe(
  { search: { encoding } }: Session,
  { gp, predicted, best }: Posterior,
  x: Float64Array,
): void {
  const inputs = modelInputs(encoding, encode(encoding, x));
  best.value = Math.max(best.value, gp.predict(inputs).mean[0]!);
  gp.believe(inputs);
  gp.condition(predicted);
}
