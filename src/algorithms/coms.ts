/**
 * COMs: conservative objective models. Trabucco, Kumar, Geng & Levine, ICML 2021. One network is trained to be low
 * where ascent from the data leads; then the best visible designs take as many steps on it as its adversaries did.
 * Departures from the paper and their reasons: docs/algorithms/coms.md.
 *
 *   f network   x- adversaries   alpha Lagrange multiplier   tau overestimation that is allowed, in sd of the scores
 */
import {
  type Algorithm,
  type AlgorithmState,
  defineAlgorithm,
  type Preset,
  type Setup,
} from '../algorithm.js';
import { ConservativeNetwork, type ConservativeState } from '../models/conservativeNetwork.js';
import { requireSteps } from '../numeric/errors.js';
import { foldKey } from '../numeric/key.js';
import { portableExp } from '../numeric/portable.js';
import { Stream, type StreamState } from '../numeric/random.js';
import { choice, count, number, type OptionsOf, steps, widths } from '../options/option.js';
import { batchSize, box, startFrom } from '../options/searchOptions.js';
import { type AscentState, ascend, ascentMetrics, copyAscent, startAscent } from '../search/ascent.js';
import { requireConverging } from '../search/divergence.js';
import { isAllClasses } from '../search/encoding.js';
import { SearchSpace } from '../search/searchSpace.js';
import { Sessions } from '../search/session.js';
import type { Space } from '../space/space.js';

const comsOptions = {
  batchSize: batchSize('M, designs that climb'),
  hidden: widths([128, 128], 'Widths of the hidden layers'),
  activation: choice('softplus', 'After every hidden layer', { softplus: 'log(1 + e^x)', relu: 'max(0, x)' }),
  trainSteps: steps(2000, 'Steps of training; an epoch is N / minibatch of them'),
  trainRate: number(1e-3, "Adam's rate in training", { least: 0 }),
  minibatch: count(128, 'Rows of data per step, and adversaries'),
  adversarySteps: steps(50, 'Steps of ascent that make an adversary'),
  tau: number('auto', 'tau, overestimation that is allowed, in standard deviations of the scores', {
    words: { auto: '0.5, or 2 where all columns are classes' },
  }),
  alpha: number(0.1, 'alpha at the beginning', { above: 0 }),
  alphaRate: number(0.01, "Adam's rate for log alpha", { least: 0 }),
  steps: count(
    50,
    'Steps of the designs; more than adversarySteps lead to where the network was not trained',
  ),
  designRate: number(
    'auto',
    'A step of a design or an adversary is this times sqrt(P) times the gradient, P numbers per design',
    { least: 0, words: { auto: '0.05, or 2 where all columns are classes' } },
  ),
  startFrom: startFrom(),
  box: box(
    'Designs and adversaries stay where all but this share of the data lies, on either side of each column',
  ),
};

export type ComsOptions = OptionsOf<typeof comsOptions>;

const presets: Readonly<Record<string, Preset<ComsOptions>>> = {
  paper: {
    help: "the authors' settings; trainSteps are 50 epochs at 17,014 rows (133 steps an epoch)",
    options: { hidden: [2048, 2048], activation: 'relu', trainSteps: 6650, trainRate: 3e-4, box: null },
  },
};

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export interface ComsState extends AlgorithmState, AscentState {
  readonly stream: StreamState;
  readonly surrogate: ConservativeState;
  /** M x d, inside the space. */
  readonly proposals: Float64Array;
}

const advice = { training: 'lower trainRate', search: 'lower designRate or trainRate' };

export const coms: Algorithm<ComsOptions, ComsState> = defineAlgorithm({
  id: 'coms',
  version: '0.2.0',
  options: comsOptions,
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
      stream: new Stream(foldKey(key, 'minibatches')).state(),
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
        await network.train(stream); // x- from a minibatch, then f (Eq. 3), then alpha
        if (t === -1) requireConverging([await network.dataLoss()], 0, advice);
        continue;
      }
      const gradient = await network.gradientAt(climbing.designs);
      ascend(climbing, gradient, t + 1, { ascent: 'plain', rates });
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
    const { iteration, designs, surrogate } = state;
    const trainingLoss = await network.dataLoss();
    requireConverging([trainingLoss], iteration, advice);
    const metrics =
      iteration < 0
        ? {}
        : ascentMetrics(await network.valueAt(designs), designs, search.start(setup.options, null));
    const { multiplier, overestimation } = surrogate;
    return { iteration, trainingLoss, ...metrics, alpha: portableExp(multiplier.logAlpha), overestimation };
  },
});

const sessions = new Sessions(
  ({ data, space, options, engine }: Setup<ComsOptions>) => {
    const search = new SearchSpace(data, space, options);
    const { encoding, parameters } = search;
    const rate = options.designRate === 'auto' ? byKind(space, 0.05, 2) : options.designRate;
    const tau = options.tau === 'auto' ? byKind(space, 0.5, 2) : options.tau;
    const spec = { ...options, encoding, parameters, y: data.y, adversaryRate: rate, tau };
    return {
      search,
      network: new ConservativeNetwork(engine, spec),
      rates: new Float64Array(encoding.parameters).fill(rate),
    };
  },
  ({ network }, { surrogate }: ComsState) => network.restore(surrogate),
);

function byKind(space: Space, continuous: number, discrete: number): number {
  return isAllClasses(space) ? discrete : continuous;
}
