/**
 * Gradient ascent on one network: train it to predict the score, then let the best visible designs climb it. The
 * baseline called "Grad" in Design-Bench (Trabucco et al. 2022) and its successors. Nothing keeps designs where the
 * network knows anything but the box of the data.
 * Departures from the public versions and their reasons: docs/algorithms/forward.md.
 */
import { type Algorithm, type AlgorithmState, defineAlgorithm, type Setup } from '../algorithm.js';
import { makeNetworks, type RegressionState } from '../models/regressionNetworks.js';
import { requireSteps } from '../numeric/errors.js';
import { foldKey } from '../numeric/key.js';
import { Stream, type StreamState } from '../numeric/random.js';
import {
  type NetworkAscentOptions,
  networkAscentOptions,
  networkAscentPresets,
} from '../options/networkAscentOptions.js';
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

export type ForwardOptions = NetworkAscentOptions;

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export interface ForwardState extends AlgorithmState, AscentState {
  readonly stream: StreamState;
  readonly surrogate: RegressionState;
  /** M x d, inside the space. */
  readonly proposals: Float64Array;
}

const advice = { training: 'lower trainRate', search: 'lower designRate or trainRate' };

export const forward: Algorithm<ForwardOptions, ForwardState> = defineAlgorithm({
  id: 'forward',
  version: '0.2.0',
  options: networkAscentOptions,
  presets: networkAscentPresets,

  length({ options }) {
    return { training: options.trainSteps, search: options.steps };
  },

  async init(setup, key) {
    const { options } = setup;
    const { search, network } = sessions.begin(setup);
    await search.prepare(); // an infeasible space is refused before anything is trained
    network.initialize(foldKey(key, 'networks'), options);
    const designs = search.start(options, foldKey(key, 'start'));
    return sessions.hold(setup, {
      iteration: 0 - options.trainSteps,
      stream: new Stream(foldKey(key, 'minibatches')).state(),
      surrogate: network.state(),
      ...startAscent(designs),
      proposals: search.settle(designs),
    });
  },

  async step(state, setup, iterations = 1) {
    requireSteps('iterations', iterations);
    const { trainRate, ascent } = setup.options;
    const { search, network, rates } = sessions.change(setup, state);
    await search.prepare();
    const stream = new Stream(state.stream);
    const climbing = copyAscent(state);
    const end = state.iteration + iterations;
    for (let t = state.iteration; t < end; t++) {
      if (t < 0) {
        await network.train(network.draw(stream), trainRate);
        if (t === -1) requireConverging([await network.dataLoss()], 0, advice);
        continue;
      }
      const gradient = await network.gradientAt(climbing.designs, mean);
      ascend(climbing, gradient, t + 1, { ascent, rates });
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
    const predicted = (await network.predictDesigns(designs)).mean;
    const start = search.start(setup.options, null);
    return { iteration, trainingLoss, ...ascentMetrics(predicted, designs, start) };
  },
});

/** The aggregate of one network. */
const mean = { kind: 'mean' } as const;

const sessions = new Sessions(
  ({ data, space, options, engine }: Setup<ForwardOptions>) => {
    const search = new SearchSpace(data, space, options);
    const network = makeNetworks(engine, search, 1, options);
    return { search, network, rates: designRatesOf(options, search.encoding) };
  },
  ({ network }, { surrogate }: ForwardState) => network.restore(surrogate),
);
