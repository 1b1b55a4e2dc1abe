/**
 * PropEn: implicitly guided design. Tagasovska, Gligorijevic, Cho & Loukas, NeurIPS 2024. There is no surrogate of the
 * score. Rows are matched with rows that are alike and better, a network learns to make one out of the other, and it is
 * applied to the best visible designs again and again. As there are more pairs than rows, small tables suffice.
 * Departures from the paper and their reasons: docs/algorithms/propen.md.
 *
 *   f network   (x, x') a matched pair   dx greatest distance within a pair   dy least difference of scores
 */
import {
  type Algorithm,
  type AlgorithmState,
  defineAlgorithm,
  type Preset,
  type Setup,
} from '../algorithm.js';
import type { MatchedPairs } from '../models/matchedPairs.js';
import { PairNetwork } from '../models/pairNetwork.js';
import { requireSteps } from '../numeric/errors.js';
import { foldKey, type Key } from '../numeric/key.js';
import { Stream, type StreamState } from '../numeric/random.js';
import type { StackState } from '../numeric/stack.js';
import { median } from '../numeric/stats.js';
import { choice, count, flag, number, type OptionsOf, steps, widths } from '../options/option.js';
import { batchSize, box, startFrom } from '../options/searchOptions.js';
import { distances } from '../search/ascent.js';
import { requireConverging } from '../search/divergence.js';
import { chooseRows } from '../search/rowSubset.js';
import { SearchSpace } from '../search/searchSpace.js';
import { Sessions } from '../search/session.js';

const propEnOptions = {
  batchSize: batchSize('M, designs that are improved'),
  rows: count(
    4000,
    'Rows that are matched, at most: the best half by score, the rest drawn from the others',
    {
      most: 20_000,
    },
  ),
  reach: number('auto', 'dx, greatest distance of two rows of a pair; columns are standardised', {
    least: 0,
    words: { auto: 'the median distance of a row to its nearest better rows, counted by `partners`' },
  }),
  partners: count(10, 'Nearest better rows that an automatic reach counts to'),
  rise: number(0.1, 'dy, difference of scores above which a row is better, in standard deviations', {
    least: 0,
  }),
  hidden: widths([256, 128, 256], 'Widths of the hidden layers'),
  activation: choice('softplus', 'After every hidden layer', { softplus: 'log(1 + e^x)', relu: 'max(0, x)' }),
  mixUp: flag(false, 'The answer is to be near the first row of the pair as well'),
  trainSteps: steps(3000, 'Steps of training'),
  trainRate: number(1e-3, "Adam's rate in training", { least: 0 }),
  minibatch: count(128, 'Pairs per step'),
  steps: count(10, 'How often the network is applied'),
  startFrom: startFrom('Which visible designs are improved'),
  box: box(),
};

export type PropEnOptions = OptionsOf<typeof propEnOptions>;

const published = {
  reach: 1,
  hidden: [128, 128, 128, 64, 128, 128, 128],
  activation: 'relu',
  box: null,
} as const;

const presets: Readonly<Record<string, Preset<PropEnOptions>>> = {
  paper: {
    help: "the authors' demonstration: dx 1, dy 0.1, three layers, one of half their width, three layers; the width is ours",
    options: published,
  },
  paperMixUp: {
    help: 'the same, with the mix-up loss',
    options: { ...published, mixUp: true },
  },
};

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export interface PropEnState extends AlgorithmState {
  readonly stream: StreamState;
  readonly network: StackState;
  /** Which rows are matched. */
  readonly key: Key;
  /** M x P. */
  readonly designs: Float64Array;
  /** M x d, inside the space. */
  readonly proposals: Float64Array;
}

const advice = { training: 'lower trainRate', search: 'lower trainRate, or take fewer steps' };

export const propEn: Algorithm<PropEnOptions, PropEnState> = defineAlgorithm({
  id: 'propen',
  version: '0.2.0',
  options: propEnOptions,
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
      stream: new Stream(foldKey(key, 'pairs')).state(),
      network: network.state(),
      key: foldKey(key, 'rows'),
      designs,
      proposals: search.settle(designs),
    });
  },

  async step(state, setup, iterations = 1) {
    requireSteps('iterations', iterations);
    const { search, network } = sessions.change(setup, state);
    await search.prepare();
    const stream = new Stream(state.stream);
    const end = state.iteration + iterations;
    let { designs } = state;
    for (let t = state.iteration; t < end; t++) {
      if (t < 0) {
        const pairs = pairsOf(setup, state.key);
        await network.train(pairs, stream);
        if (t === -1) requireConverging([await network.dataLoss(pairs)], 0, advice);
        continue;
      }
      designs = await network.improve(designs); // x <- f(x)
      requireConverging(designs, t + 1, advice);
      if (search.isLimited) search.hold(designs);
    }
    return sessions.hold(setup, {
      iteration: end,
      stream: stream.state(),
      network: network.state(),
      key: state.key,
      designs,
      proposals: end > 0 ? search.settle(designs) : state.proposals,
    });
  },

  propose(state) {
    return state.proposals.slice();
  },

  async watch(state, setup) {
    const { search, network } = sessions.read(setup, state);
    await search.prepare();
    const { iteration, designs, key } = state;
    const pairs = pairsOf(setup, key);
    const trainingLoss = await network.dataLoss(pairs);
    requireConverging([trainingLoss], iteration, advice);
    const found = pairs.from === pairs.to ? 0 : pairs.from.length; // rows that are their own partners are no pairs
    const seen = { iteration, trainingLoss, pairs: found, reach: pairs.reach };
    if (iteration < 0) return seen;
    const start = search.start(setup.options, null);
    return { ...seen, moved: median(distances(designs, start, search.encoding.parameters)) };
  },
});

/** The pairs of a run: found once, as they are the same at every step. */
function pairsOf(setup: Setup<PropEnOptions>, key: Key): MatchedPairs {
  const session = sessions.of(setup);
  const known = session.matched;
  if (known && known.key[0] === key[0] && known.key[1] === key[1]) return known.pairs;
  const pairs = session.network.match(chooseRows(setup.data.y, setup.options.rows, key));
  session.matched = { key, pairs };
  return pairs;
}

interface Session {
  readonly search: SearchSpace;
  readonly network: PairNetwork;
  matched: { readonly key: Key; readonly pairs: MatchedPairs } | null;
}

const sessions = new Sessions(
  ({ data, space, options, engine }: Setup<PropEnOptions>): Session => {
    const search = new SearchSpace(data, space, options);
    const { encoding, parameters } = search;
    const network = new PairNetwork(engine, { ...options, encoding, parameters, y: data.y });
    return { search, network, matched: null };
  },
  ({ network }, { network: saved }: PropEnState) => network.restore(saved),
);
