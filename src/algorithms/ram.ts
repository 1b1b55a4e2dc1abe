/**
 * RaM: offline model-based optimisation by learning to rank. Tan, Xue, Lyu, Shang, Wang, Wang, Fu & Qian, ICLR 2025. A
 * search needs to know which of two designs is better, not how good they are: a network is trained on lists of designs
 * to put them in order, its output is standardised over the data, and the best visible designs climb it by Adam.
 * Departures from the paper and their reasons: docs/algorithms/ram.md.
 *
 *   s output of the network   m designs of a list   L lists of a step
 */
import {
  type Algorithm,
  type AlgorithmState,
  defineAlgorithm,
  type Preset,
  type Setup,
} from '../algorithm.js';
import { RankingNetwork, type RankingState } from '../models/rankingNetwork.js';
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

const ramOptions = {
  batchSize: batchSize('M, designs that climb'),
  hidden: widths([256, 256], 'Widths of the hidden layers'),
  activation: choice('softplus', 'After every hidden layer', { softplus: 'log(1 + e^x)', relu: 'max(0, x)' }),
  loss: choice('listNet', 'What a list is trained by', {
    listNet: 'cross entropy of softmax(s) to softmax(y)',
    rankCosine: 'one minus the correlation of s and y',
  }),
  listLength: count(256, 'm, rows of a list, drawn without replacement; all where there are fewer', {
    least: 2,
  }),
  lists: count(2, 'L, lists per step'),
  trainSteps: steps(2000, 'Steps of training'),
  trainRate: number(1e-3, "Adam's rate in training", { least: 0 }),
  weightDecay: number(1e-5, 'What the gradient is increased by, times the weights', { least: 0 }),
  steps: count(200, 'Steps of the designs'),
  designRate: number('auto', "Adam's rate for the designs (standard deviations, logits)", {
    least: 0,
    words: { auto: '0.001, or 0.05 where all columns are classes' },
  }),
  startFrom: startFrom(),
  box: box(),
};

export type RamOptions = OptionsOf<typeof ramOptions>;

const published = {
  hidden: [2048, 2048],
  activation: 'relu',
  listLength: 1000,
  lists: 128,
  trainSteps: 7900,
  trainRate: 3e-4,
  box: null,
} as const;

const presets: Readonly<Record<string, Preset<RamOptions>>> = {
  paper: {
    help: "the authors' settings on continuous tasks; trainSteps are 100 epochs of 10,000 lists (79 steps an epoch)",
    options: { ...published, steps: 200, designRate: 1e-3 },
  },
  paperDiscrete: {
    help: 'the same on discrete tasks',
    options: { ...published, steps: 100, designRate: 0.1 },
  },
};

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export interface RamState extends AlgorithmState, AscentState {
  readonly stream: StreamState;
  readonly surrogate: RankingState;
  /** M x d, inside the space. */
  readonly proposals: Float64Array;
}

const advice = { training: 'lower trainRate', search: 'lower designRate or trainRate' };

export const ram: Algorithm<RamOptions, RamState> = defineAlgorithm({
  id: 'ram',
  version: '0.2.0',
  options: ramOptions,
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
      stream: new Stream(foldKey(key, 'lists')).state(),
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
        await network.train(stream); // on L fresh lists of m designs
        if (t < -1) continue;
        requireConverging([await network.dataLoss()], 0, advice);
        await network.settleLevel(); // "output adaptation"
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
    if (iteration < 0) return { iteration, trainingLoss };
    const predicted = await network.valuesAt(designs);
    const start = search.start(setup.options, null);
    return { iteration, trainingLoss, ...ascentMetrics(predicted, designs, start) };
  },
});

const sessions = new Sessions(
  ({ data, space, options, engine }: Setup<RamOptions>) => {
    const search = new SearchSpace(data, space, options);
    const { encoding, parameters } = search;
    const rate = options.designRate === 'auto' ? (isAllClasses(space) ? 0.05 : 0.001) : options.designRate;
    return {
      search,
      network: new RankingNetwork(engine, { ...options, encoding, parameters, y: data.y }),
      rates: new Float64Array(encoding.parameters).fill(rate),
    };
  },
  ({ network }, { surrogate }: RamState) => network.restore(surrogate),
);
