/**
 * CbAS: conditioning by adaptive sampling. Brookes, Park & Listgarten, ICML 2019, Alg. 1; as a baseline of the NEMO paper.
 * Departures and their reasons: docs/algorithms/cbas.md.
 *
 *   p0 prior   q search model   gamma threshold   Q quantile   S samples   M batchSize
 *   weight of a draw: p0(x|z) / q(x|z) P(y > gamma | x)
 */
import {
  type Algorithm,
  type AlgorithmState,
  defineAlgorithm,
  type Preset,
  type Setup,
} from '../algorithm.js';
import {
  type AdaptiveSamplingState,
  drawProposals,
  drawWeights,
  endTraining,
  nextThreshold,
  samplingMetrics,
  samplingModels,
  startSampling,
} from '../models/adaptiveSampling.js';
import { requireSteps } from '../numeric/errors.js';
import { Stream } from '../numeric/random.js';
import { type AdaptiveSamplingOptions, adaptiveSamplingOptions } from '../options/adaptiveSamplingOptions.js';
import { Sessions } from '../search/session.js';

export type CbasOptions = AdaptiveSamplingOptions;

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export interface CbasState extends AlgorithmState, AdaptiveSamplingState {}

/** Of the baseline of Design-Bench; its steps are for 5,000 rows. */
const published: Partial<CbasOptions> = {
  trainSteps: 5000, // 100 epochs in batches of 100
  trainRate: 3e-4,
  minibatch: 100,
  vaeSteps: 10_000, // 200 epochs
  vaeRate: 3e-4,
  threshold: 'free',
  leastEffective: 0,
  refitSteps: 80, // 10 epochs of 800 draws
  box: null,
};

const presets: Readonly<Record<string, Preset<CbasOptions>>> = {
  designBench: {
    help: 'as the baseline was run for Design-Bench; what is not published is as in the defaults',
    options: published,
  },
  paper: {
    help: 'the same in 2020, when the NEMO paper compared itself with it',
    options: { ...published, trainRate: 1e-3, vaeRate: 1e-3, steps: 50 },
    byTask: {
      Superconductor: { beta: 20, steps: 200, trainSteps: 17_000, vaeSteps: 34_000 },
      MoleculeActivity: { beta: 10 },
      GFP: { beta: 5 },
      HopperController: { beta: 200, trainSteps: 3200, vaeSteps: 6400 },
      AntMorphology: { beta: 2 },
      DKittyMorphology: { beta: 2, vaeRate: 5e-4 },
    },
  },
};

export const cbas: Algorithm<CbasOptions, CbasState> = defineAlgorithm({
  id: 'cbas',
  version: '0.2.0',
  options: adaptiveSamplingOptions,
  presets,

  length({ options }) {
    return { training: options.trainSteps + options.vaeSteps, search: options.steps };
  },

  async init(setup, key) {
    const { options } = setup;
    const start = await startSampling(sessions.begin(setup), options, key);
    return sessions.hold(setup, { ...start, iteration: 0 - options.trainSteps - options.vaeSteps });
  },

  async step(state, setup, iterations = 1) {
    requireSteps('iterations', iterations);
    const { options } = setup;
    const { trainRate, vaeSteps, vaeRate, refitSteps } = options;
    const models = sessions.change(setup, state);
    const { search, oracle, searchModel } = models;
    await search.prepare();
    const stream = new Stream(state.stream);
    const { key } = state.stream;
    let { threshold, effective, proposals } = state;
    const end = state.iteration + iterations;
    for (let t = state.iteration; t < end; t++) {
      if (t < -vaeSteps) await oracle.train(oracle.draw(stream), trainRate);
      else if (t < 0) await searchModel.learnData(stream, vaeRate);
      if (t === -1) await endTraining(models, key); // p0 <- q
      if (t < 0) continue;
      const { designs, logRatios } = await searchModel.draw(stream, t + 1); // Alg. 1, x_i, z_i ~ q
      const prediction = await oracle.predictDesigns(designs);
      threshold = nextThreshold(prediction, threshold, options); // Alg. 1, gamma
      const found = drawWeights(prediction, logRatios, threshold, options); // Alg. 1, w_i
      effective = found?.effective ?? 0;
      if (found) await searchModel.refit(found.weights, refitSteps, stream, vaeRate); // Alg. 1, q
    }
    if (end > 0 && iterations > 0) proposals = await drawProposals(models, options, key, end);
    return sessions.hold(setup, {
      iteration: end,
      stream: stream.state(),
      oracle: oracle.state(),
      vae: searchModel.state(),
      threshold,
      effective,
      proposals,
    });
  },

  propose(state) {
    return state.proposals.slice();
  },

  async watch(state, setup) {
    return samplingMetrics(sessions.read(setup, state), state, setup.options, state.iteration);
  },
});

const sessions = new Sessions(
  ({ engine, data, space, options }: Setup<CbasOptions>) => samplingModels(engine, data, space, options),
  ({ oracle, searchModel }, state: CbasState) => {
    oracle.restore(state.oracle);
    searchModel.restore(state.vae);
  },
);
