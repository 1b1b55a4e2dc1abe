/**
 * MATCH-OPT: learning surrogates for offline black-box optimisation via gradient matching. Hoang, Fadhel, Deshwal, Doppa
 * & Hoang, ICML 2024. How far an ascent goes astray depends on the slopes of the surrogate, not on its values: a network
 * is trained so that its slopes explain the differences of scores between rows, and the best visible designs climb it.
 * Departures from the paper and their reasons: docs/algorithms/match-opt.md.
 *
 *   f network   Q rows of a path, from low to high scores   S points on the line between two of them
 */
import {
  type Algorithm,
  type AlgorithmState,
  defineAlgorithm,
  type Preset,
  type Setup,
} from '../algorithm.js';
import { GradientMatching, type GradientMatchingState } from '../models/gradientMatching.js';
import { requireSteps } from '../numeric/errors.js';
import { foldKey } from '../numeric/key.js';
import { Stream, type StreamState } from '../numeric/random.js';
import { choice, count, number, type OptionsOf, steps, widths } from '../options/option.js';
import { batchSize, box, startFrom } from '../options/searchOptions.js';
import { type AscentState, ascend, ascentMetrics, copyAscent, startAscent } from '../search/ascent.js';
import { requireConverging } from '../search/divergence.js';
import { isAllClasses } from '../search/encoding.js';
import { SearchSpace } from '../search/searchSpace.js';
import { Sessions } from '../search/session.js';

const matchOptOptions = {
  batchSize: batchSize('M, designs that climb'),
  hidden: widths([128, 128], 'Widths of the hidden layers'),
  activation: choice('softplus', 'After every hidden layer', {
    softplus: 'log(1 + e^x)',
    leakyRelu: 'slope 0.01 below 0',
  }),
  buckets: count(64, 'Q, quantiles of the scores; a path has a row of each', { least: 2 }),
  points: count(5, 'S, points at which slopes are taken on the line between two rows'),
  trainSteps: steps(2000, 'Steps of training; an epoch is N / buckets of them'),
  trainRate: number(1e-3, "Adam's rate in training", { least: 0 }),
  steps: count(150, 'Steps of the designs'),
  designRate: number('auto', "Adam's rate for the designs (standard deviations, logits)", {
    least: 0,
    words: { auto: '0.001, or 0.05 where all columns are classes' },
  }),
  startFrom: startFrom(),
  box: box(),
};

export type MatchOptOptions = OptionsOf<typeof matchOptOptions>;

const presets: Readonly<Record<string, Preset<MatchOptOptions>>> = {
  paper: {
    help: "the authors' settings; trainSteps are 201 epochs at 17,014 rows (133 steps an epoch)",
    options: {
      hidden: [512, 128, 32],
      activation: 'leakyRelu',
      buckets: 128,
      trainSteps: 26_733,
      trainRate: 1e-4,
      designRate: 1e-3,
      box: null,
    },
  },
};

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export interface MatchOptState extends AlgorithmState, AscentState {
  readonly stream: StreamState;
  readonly surrogate: GradientMatchingState;
  /** M x d, inside the space. */
  readonly proposals: Float64Array;
}

const advice = { training: 'lower trainRate', search: 'lower designRate or trainRate' };

export const matchOpt: Algorithm<MatchOptOptions, MatchOptState> = defineAlgorithm({
  id: 'match-opt',
  version: '0.2.0',
  options: matchOptOptions,
  presets,

  length({ options }) {
    return { training: options.trainSteps, search: options.steps };
  },

  async init(setup, key) {
    const { options } = setup;
    const { search, network } = sessions.begin(setup);
    await search.prepare(); // an infeasible space is refused before anything is trained
    network.initialize(foldKey(key, 'networks'));
    const designs = search.start(options, foldKey(key, 'start'));
    return sessions.hold(setup, {
      iteration: 0 - options.trainSteps,
      stream: new Stream(foldKey(key, 'paths')).state(),
      surrogate: network.state(),
      ...startAscent(designs),
      proposals: search.settle(designs),
    });
  },

  async step(state, setup, iterations = 1) {
    requireSteps('iterations', iterations);
    const { search, network, rates } = sessions.change(setup, state);
    await search.prepare();
    const stream = new Stream(state.stream);
    const climbing = copyAscent(state);
    const end = state.iteration + iterations;
    for (let t = state.iteration; t < end; t++) {
      if (t < 0) {
        await network.train(stream); // f and its slopes, along a fresh path
        if (t === -1) requireConverging([await network.dataLoss()], 0, advice);
        continue;
      }
      const gradient = await network.gradientAt(climbing.designs);
      ascend(climbing, gradient, t + 1, { ascent: 'adam', rates });
      requireConverging(climbing.designs, t + 1, advice);
      if (search.isLimited) search.hold(climbing.designs);
    }
    return sessions.hold(setup, {
      iteration: end,
      stream: stream.state(),
      surrogate: network.state(),
      ...climbing,
      proposals: end > 0 ? search.settle(climbing.designs) : state.proposals,
    });
  },

  propose(state) {
    return state.proposals.slice();
  },

  async watch(state, setup) {
    const { search, network } = sessions.read(setup, state);
    await search.prepare();
    const { iteration, designs } = state;
    const trainingLoss = await network.dataLoss();
    requireConverging([trainingLoss], iteration, advice);
    const { mismatch } = state.surrogate;
    if (iteration < 0) return { iteration, trainingLoss, mismatch };
    const predicted = await network.valuesAt(designs);
    const start = search.start(setup.options, null);
    return { iteration, trainingLoss, ...ascentMetrics(predicted, designs, start), mismatch };
  },
});

const sessions = new Sessions(
  ({ data, space, options, engine }: Setup<MatchOptOptions>) => {
    const search = new SearchSpace(data, space, options);
    const { encoding, parameters } = search;
    const rate = options.designRate === 'auto' ? (isAllClasses(space) ? 0.05 : 0.001) : options.designRate;
    return {
      search,
      network: new GradientMatching(engine, { ...options, encoding, parameters, y: data.y }),
      rates: new Float64Array(encoding.parameters).fill(rate),
    };
  },
  ({ network }, { surrogate }: MatchOptState) => network.restore(surrogate),
);
