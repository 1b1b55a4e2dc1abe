/**
 * REINFORCE (Williams 1992) on an ensemble, the baseline of that name in Design-Bench (Trabucco et al. 2022). A
 * distribution over designs with independent columns begins at the best visible designs and moves to where its draws
 * please bootstrapped networks. It needs no slopes of the networks. Designs are drawn from it at the end.
 * Departures from the public version and their reasons: docs/algorithms/reinforce.md.
 *
 *   theta parameters of the distribution   S draws per step   r reward of a draw, what the networks say together
 */
import {
  type Algorithm,
  type AlgorithmState,
  defineAlgorithm,
  type Preset,
  type Setup,
} from '../algorithm.js';
import { aggregateMeans } from '../models/aggregate.js';
import { advantagesOf, drawDesigns, policyGradient, policyOf } from '../models/factorizedPolicy.js';
import { makeNetworks, type RegressionState } from '../models/regressionNetworks.js';
import { requireSteps } from '../numeric/errors.js';
import { foldKey, type Key } from '../numeric/key.js';
import { Stream, type StreamState } from '../numeric/random.js';
import { largest, median } from '../numeric/stats.js';
import { choice, count, flag, number, type OptionsOf, steps, widths } from '../options/option.js';
import { batchSize, box, startFrom } from '../options/searchOptions.js';
import { type AscentState, ascend, copyAscent, distances, startAscent } from '../search/ascent.js';
import { requireConverging } from '../search/divergence.js';
import { decode, encode } from '../search/encoding.js';
import { SearchSpace } from '../search/searchSpace.js';
import { Sessions } from '../search/session.js';

const reinforceOptions = {
  networks: count(5, 'B, networks'),
  batchSize: batchSize('M, designs that the distribution begins at, and that are drawn at the end'),
  hidden: widths([256, 256], 'Widths of the hidden layers'),
  activation: choice('softplus', 'After every hidden layer', {
    softplus: 'log(1 + e^x)',
    relu: 'max(0, x)',
    leakyRelu: 'slope 0.3 below 0',
  }),
  head: choice('mean', 'How the networks are fitted; their means are the reward', {
    mean: 'squared error',
    gaussian: 'mean and standard deviation by likelihood',
  }),
  bootstrap: flag(true, 'A resample of the rows for each network'),
  trainSteps: steps(2000, 'Steps of training; an epoch is N / minibatch of them'),
  trainRate: number(1e-3, "Adam's rate in training", { least: 0 }),
  minibatch: count(128, 'Rows of data per step and network'),
  steps: count(200, 'Steps of the distribution'),
  samples: count(512, 'S, draws per step', { least: 2 }),
  deviation: number(0.1, 'Of a number, in standard deviations of its column; held', { above: 0 }),
  designRate: number(0.01, "Adam's rate for theta", { least: 0 }),
  startFrom: startFrom('Which visible designs the distribution begins at'),
  box: box(),
};

export type ReinforceOptions = OptionsOf<typeof reinforceOptions>;

const published = {
  hidden: [256],
  activation: 'leakyRelu',
  head: 'gaussian',
  trainSteps: 13_300,
  box: null,
} as const;

const presets: Readonly<Record<string, Preset<ReinforceOptions>>> = {
  paper: {
    help: "Design-Bench's settings on continuous tasks, 2022; trainSteps are 100 epochs at 17,014 rows (133 steps an epoch)",
    options: { ...published, samples: 2048 },
  },
  paperDiscrete: {
    help: 'the same on discrete tasks',
    options: { ...published, samples: 256 },
  },
};

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export interface ReinforceState extends AlgorithmState {
  readonly stream: StreamState;
  readonly surrogate: RegressionState;
  /** theta and Adam's moments, P each. */
  readonly policy: AscentState;
  /** Of which the proposals are drawn. */
  readonly key: Key;
  /** M x d, inside the space. */
  readonly proposals: Float64Array;
}

const advice = { training: 'lower trainRate', search: 'lower designRate or trainRate' };

export const reinforce: Algorithm<ReinforceOptions, ReinforceState> = defineAlgorithm({
  id: 'reinforce',
  version: '0.2.0',
  options: reinforceOptions,
  presets,

  length({ options }) {
    return { training: options.trainSteps, search: options.steps };
  },

  async init(setup, key) {
    const { options } = setup;
    const { search, models } = sessions.begin(setup);
    await search.prepare(); // an infeasible space is refused before anything is trained
    models.initialize(foldKey(key, 'networks'), options);
    const start = search.start(options, foldKey(key, 'start'));
    return sessions.hold(setup, {
      iteration: 0 - options.trainSteps,
      stream: new Stream(foldKey(key, 'minibatches')).state(),
      surrogate: models.state(),
      policy: startAscent(policyOf(search.encoding, start)),
      key: foldKey(key, 'proposals'),
      proposals: search.settle(start),
    });
  },

  async step(state, setup, iterations = 1) {
    requireSteps('iterations', iterations);
    const { trainRate, samples, deviation, designRate, batchSize: M } = setup.options;
    const { search, models, networks } = sessions.change(setup, state);
    const { encoding } = search;
    await search.prepare();
    const stream = new Stream(state.stream);
    const policy = copyAscent(state.policy);
    const theta = policy.designs;
    const rates = new Float64Array(theta.length).fill(designRate);
    const end = state.iteration + iterations;
    for (let t = state.iteration; t < end; t++) {
      if (t < 0) {
        await models.train(models.draw(stream), trainRate);
        if (t === -1) requireConverging([await models.dataLoss()], 0, advice);
        continue;
      }
      const draws = drawDesigns(encoding, theta, deviation, samples, stream);
      const rewards = await rewardsOf(models, networks, held(search, draws));
      requireConverging(rewards, t + 1, advice);
      const gradient = policyGradient(encoding, theta, deviation, draws, advantagesOf(rewards));
      ascend(policy, gradient, t + 1, { ascent: 'adam', rates });
      if (search.isLimited) search.hold(theta);
    }
    const drawn = () => drawDesigns(encoding, theta, deviation, M, new Stream(state.key));
    return sessions.hold(setup, {
      iteration: end,
      stream: stream.state(),
      surrogate: models.state(),
      policy,
      key: state.key,
      proposals: end > 0 ? search.settle(held(search, drawn())) : state.proposals,
    });
  },

  propose(state) {
    return state.proposals.slice();
  },

  async watch(state, setup) {
    const { search, models, networks } = sessions.read(setup, state);
    await search.prepare();
    const { iteration, proposals, policy } = state;
    const { encoding } = search;
    const trainingLoss = await models.dataLoss();
    requireConverging([trainingLoss], iteration, advice);
    if (iteration < 0) return { iteration, trainingLoss };
    const predicted = await rewardsOf(models, networks, encode(encoding, proposals));
    const begin = policyOf(encoding, search.start(setup.options, null));
    return {
      iteration,
      trainingLoss,
      predictedBest: largest(predicted),
      predictedMedian: median(predicted),
      moved: distances(policy.designs, begin, encoding.parameters)[0]!,
    };
  },
});

type Session = ReturnType<typeof sessions.of>;

/** What the networks say of designs (n x P parameters) together, in the units of the scores. */
async function rewardsOf(
  models: Session['models'],
  networks: number,
  parameters: Float64Array,
): Promise<Float64Array> {
  return aggregateMeans({ kind: 'mean' }, (await models.predictDesigns(parameters)).mean, networks);
}

/** Draws (numbers and one-hots) as parameters of designs that the search may have. */
function held(search: SearchSpace, draws: Float64Array): Float64Array {
  const designs = encode(search.encoding, decode(search.encoding, draws));
  if (search.isLimited) search.hold(designs);
  return designs;
}

const sessions = new Sessions(
  ({ data, space, options, engine }: Setup<ReinforceOptions>) => {
    const search = new SearchSpace(data, space, options);
    const { networks } = options;
    return { search, networks, models: makeNetworks(engine, search, networks, options) };
  },
  ({ models }, { surrogate }: ReinforceState) => models.restore(surrogate),
);
