/**
 * Gradient ascent on an ensemble: B networks, each with its own beginning and its own bootstrap resample of the rows
 * (Lakshminarayanan et al. 2017, Breiman 1996); the best visible designs climb what they say together. 'mean' is their
 * mean, 'min' the least of them, 'ucb' mean + kappa sd. Design-Bench's "Grad. Mean" took a minimum by mistake.
 * Departures from the public versions and their reasons: docs/algorithms/ensemble.md.
 */
import {
  type Algorithm,
  type AlgorithmState,
  defineAlgorithm,
  type Preset,
  type Setup,
} from '../algorithm.js';
import { type Aggregate, aggregateMeans } from '../models/aggregate.js';
import { makeNetworks, type RegressionState } from '../models/regressionNetworks.js';
import { requireSteps } from '../numeric/errors.js';
import { foldKey } from '../numeric/key.js';
import { Stream, type StreamState } from '../numeric/random.js';
import { networkAscentOptions, networkAscentPresets } from '../options/networkAscentOptions.js';
import { choice, count, flag, number, type OptionsOf } from '../options/option.js';
import {
  type AscentState,
  ascend,
  ascentMetrics,
  copyAscent,
  designRatesOf,
  startAscent,
} from '../search/ascent.js';
import { requireConverging } from '../search/divergence.js';
import { SearchSpace } from '../search/searchSpace.js';
import { Sessions } from '../search/session.js';

/** Those of `forward`, and how its networks become several. */
const ensembleOptions = {
  ...networkAscentOptions,
  networks: count(5, 'B, networks'),
  aggregate: choice('mean', 'What designs climb', {
    mean: 'the mean of the networks',
    min: 'the lowest of them',
    ucb: 'mean + kappa standard deviations',
  }),
  kappa: number(
    1,
    'How many standard deviations over the networks ucb adds; a negative number gives a lower bound',
    {},
  ),
  bootstrap: flag(true, 'A resample of the rows for each network; otherwise only their first weights differ'),
};

export type EnsembleOptions = OptionsOf<typeof ensembleOptions>;

const { paper, designBench, modern, modernDiscrete } = networkAscentPresets;

const presets: Readonly<Record<string, Preset<EnsembleOptions>>> = {
  paper: {
    help: "NEMO's comparison, 2020: 8 networks, 100 epochs, 1000 plain steps",
    options: { ...paper.options, networks: 8, bootstrap: true },
  },
  designBench: {
    help: 'Design-Bench\'s "Grad. Min", 2022',
    options: { ...designBench.options, aggregate: 'min', bootstrap: true },
  },
  modern: { ...modern, help: 'the recipe of tables since 2023 on continuous tasks' },
  modernDiscrete,
};

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export interface EnsembleState extends AlgorithmState, AscentState {
  readonly stream: StreamState;
  readonly surrogate: RegressionState;
  /** M x d, inside the space. */
  readonly proposals: Float64Array;
}

const advice = { training: 'lower trainRate', search: 'lower designRate or trainRate' };

export const ensemble: Algorithm<EnsembleOptions, EnsembleState> = defineAlgorithm({
  id: 'ensemble',
  version: '0.2.0',
  options: ensembleOptions,
  presets,

  length({ options }) {
    return { training: options.trainSteps, search: options.steps };
  },

  async init(setup, key) {
    const { options } = setup;
    const { search, networks } = sessions.begin(setup);
    await search.prepare(); // an infeasible space is refused before anything is trained
    networks.initialize(foldKey(key, 'networks'), options);
    const designs = search.start(options, foldKey(key, 'start'));
    return sessions.hold(setup, {
      iteration: 0 - options.trainSteps,
      stream: new Stream(foldKey(key, 'minibatches')).state(),
      surrogate: networks.state(),
      ...startAscent(designs),
      proposals: search.settle(designs),
    });
  },

  async step(state, setup, iterations = 1) {
    requireSteps('iterations', iterations);
    const { trainRate, ascent } = setup.options;
    const { search, networks, aggregate, rates } = sessions.change(setup, state);
    await search.prepare();
    const stream = new Stream(state.stream);
    const climbing = copyAscent(state);
    const end = state.iteration + iterations;
    for (let t = state.iteration; t < end; t++) {
      if (t < 0) {
        await networks.train(networks.draw(stream), trainRate);
        if (t === -1) requireConverging([await networks.dataLoss()], 0, advice);
        continue;
      }
      const gradient = await networks.gradientAt(climbing.designs, aggregate);
      ascend(climbing, gradient, t + 1, { ascent, rates });
      requireConverging(climbing.designs, t + 1, advice);
      if (search.isLimited) search.hold(climbing.designs);
    }
    return sessions.hold(setup, {
      iteration: end,
      stream: stream.state(),
      surrogate: networks.state(),
      ...climbing,
      proposals: end > 0 ? search.settle(climbing.designs) : state.proposals,
    });
  },

  propose(state) {
    return state.proposals.slice();
  },

  async watch(state, setup) {
    const { search, networks, aggregate } = sessions.read(setup, state);
    await search.prepare();
    const { iteration, designs } = state;
    const trainingLoss = await networks.dataLoss();
    requireConverging([trainingLoss], iteration, advice);
    if (iteration < 0) return { iteration, trainingLoss };
    const { mean } = await networks.predictDesigns(designs);
    const predicted = aggregateMeans(aggregate, mean, setup.options.networks);
    const start = search.start(setup.options, null);
    return { iteration, trainingLoss, ...ascentMetrics(predicted, designs, start) };
  },
});

const sessions = new Sessions(
  ({ data, space, options, engine }: Setup<EnsembleOptions>) => {
    const search = new SearchSpace(data, space, options);
    return {
      search,
      networks: makeNetworks(engine, search, options.networks, options),
      aggregate: aggregateOf(options),
      rates: designRatesOf(options, search.encoding),
    };
  },
  ({ networks }, { surrogate }: EnsembleState) => networks.restore(surrogate),
);

function aggregateOf({ aggregate, kappa }: EnsembleOptions): Aggregate {
  return aggregate === 'ucb' ? { kind: aggregate, kappa } : { kind: aggregate };
}
