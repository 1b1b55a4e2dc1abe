/**
 * Autofocused CbAS: conditioning by adaptive sampling whose oracle is refitted where the search is. Fannjiang &
 * Listgarten, NeurIPS 2020, Alg. 1. Departures and their reasons: docs/algorithms/autofocus.md.
 *
 *   p0 prior   q search model   v_i weight of row i of the data, (q(x_i) / p0(x_i))^focus
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
  samplingAdvice,
  samplingMetrics,
  samplingModels,
  startSampling,
} from '../models/adaptiveSampling.js';
import { focusWeights } from '../models/conditioning.js';
import { requireSteps } from '../numeric/errors.js';
import { foldKey } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import { adaptiveSamplingOptions } from '../options/adaptiveSamplingOptions.js';
import { count, number, type OptionsOf, steps } from '../options/option.js';
import { requireConverging } from '../search/divergence.js';
import { Sessions } from '../search/session.js';

const autofocusOptions = {
  ...adaptiveSamplingOptions,
  focus: number(
    0.2,
    'Exponent that flattens density ratios; 1 is the ratio itself, 0 is CbAS with an oracle that trains on',
    { least: 0, most: 1 },
  ),
  ratioDraws: count(8, 'Draws of z per row from which log q(x) and log p0(x) are estimated'),
  focusSteps: steps(100, 'Steps of the oracle per iteration'),
};

export type AutofocusOptions = OptionsOf<typeof autofocusOptions>;

const presets: Readonly<Record<string, Preset<AutofocusOptions>>> = {
  paper: {
    help: 'as published, with our search model in place of a Gaussian; what is not published is as in the defaults',
    options: {
      networks: 3,
      hidden: [100, 100, 100, 100, 10],
      trainRate: 5e-4,
      minibatch: 100,
      quantile: 0.9,
      leastEffective: 0,
      box: null,
    },
  },
};

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export interface AutofocusState extends AlgorithmState, AdaptiveSamplingState {
  /** Lower bounds of log p0(x) of the data, N; null before the search. */
  readonly priorEvidence: Float64Array | null;
  /** Iterations in which the oracle was not refitted, because no row of data knew about where the search was. */
  readonly skipped: number;
}

export const autofocus: Algorithm<AutofocusOptions, AutofocusState> = defineAlgorithm({
  id: 'autofocus',
  version: '0.2.0',
  options: autofocusOptions,
  presets,

  length({ options }) {
    return { training: options.trainSteps + options.vaeSteps, search: options.steps };
  },

  async init(setup, key) {
    const { options } = setup;
    const start = await startSampling(sessions.begin(setup), options, key);
    const iteration = 0 - options.trainSteps - options.vaeSteps;
    return sessions.hold(setup, { ...start, iteration, priorEvidence: null, skipped: 0 });
  },

  async step(state, setup, iterations = 1) {
    requireSteps('iterations', iterations);
    const { options } = setup;
    const { trainRate, vaeSteps, vaeRate, refitSteps, focus, focusSteps, ratioDraws } = options;
    const models = sessions.change(setup, state);
    const { search, oracle, searchModel } = models;
    await search.prepare();
    const stream = new Stream(state.stream);
    const { key } = state.stream;
    const noise = foldKey(key, 'ratio'); // the same for p0 and q, so that their errors are alike
    let { threshold, effective, proposals, priorEvidence, skipped } = state;
    const end = state.iteration + iterations;
    for (let t = state.iteration; t < end; t++) {
      if (t < -vaeSteps) await oracle.train(oracle.draw(stream), trainRate);
      else if (t < 0) await searchModel.learnData(stream, vaeRate);
      if (t === -1) await endTraining(models, key); // p0 <- q
      if (t < 0) continue;
      // an iteration of CbAS
      const { designs, logRatios } = await searchModel.draw(stream, t + 1);
      const prediction = await oracle.predictDesigns(designs);
      threshold = nextThreshold(prediction, threshold, options);
      const found = drawWeights(prediction, logRatios, threshold, options);
      effective = found?.effective ?? 0;
      if (found) await searchModel.refit(found.weights, refitSteps, stream, vaeRate);
      // Alg. 1: the oracle is refitted to the data, row i with weight v_i
      const prior = priorEvidence ?? (await searchModel.logEvidence(ratioDraws, noise, 'targets'));
      priorEvidence = prior;
      const evidence = await searchModel.logEvidence(ratioDraws, noise, 'models');
      const rowWeights = focusWeights(
        evidence.map((q, i) => q - prior[i]!),
        focus,
      );
      if (!rowWeights) {
        skipped += 1;
        continue;
      }
      oracle.setWeights(rowWeights);
      for (let step = 0; step < focusSteps; step++) await oracle.train(oracle.draw(stream), trainRate);
      requireConverging([await oracle.dataLoss()], t + 1, samplingAdvice);
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
      priorEvidence,
      skipped,
    });
  },

  propose(state) {
    return state.proposals.slice();
  },

  async watch(state, setup) {
    const { iteration, skipped } = state;
    const metrics = await samplingMetrics(sessions.read(setup, state), state, setup.options, iteration);
    return iteration < 0 ? metrics : { ...metrics, skipped };
  },
});

const sessions = new Sessions(
  ({ engine, data, space, options }: Setup<AutofocusOptions>) => samplingModels(engine, data, space, options),
  ({ oracle, searchModel }, state: AutofocusState) => {
    oracle.restore(state.oracle);
    searchModel.restore(state.vae);
  },
);
