/**
 * ROOT: offline optimisation as translation from worse designs to better ones by a probabilistic bridge. Dao, Tran, Nguyen,
 * Truong & Hoang, NeurIPS 2025. Gaussian processes that differ in their hyperparameters stand for the unknown score. On
 * each, rows of the data climb and descend, which gives pairs of a worse and a better design. A network learns the
 * Brownian bridges between them, and the best visible designs are then taken over such a bridge.
 * Departures from the paper and their reasons: docs/algorithms/root.md.
 *
 *   x_t design at time t, from 1 (the worse end) to 0   y_lo, y_hi scores of the ends
 */
import {
  type Algorithm,
  type AlgorithmState,
  defineAlgorithm,
  type Preset,
  type Setup,
} from '../algorithm.js';
import { BrownianBridge, bridgeBack, type Ends } from '../models/brownianBridge.js';
import { endsOn, variedTheta } from '../models/processEnds.js';
import { ProcessFit } from '../models/processFit.js';
import { requireSteps } from '../numeric/errors.js';
import { foldKey, type Key } from '../numeric/key.js';
import { Stream, type StreamState } from '../numeric/random.js';
import type { StackState } from '../numeric/stack.js';
import { largest, median, standardize } from '../numeric/stats.js';
import { choice, count, number, type OptionsOf, steps, widths } from '../options/option.js';
import { batchSize, box, startFrom } from '../options/searchOptions.js';
import { distances } from '../search/ascent.js';
import { requireConverging } from '../search/divergence.js';
import { decode, encode, modelInputs } from '../search/encoding.js';
import { SearchSpace } from '../search/searchSpace.js';
import { Sessions } from '../search/session.js';

const rootOptions = {
  batchSize: batchSize('M, designs that are taken over the bridge'),
  functions: count(8, 'Gaussian processes, one after the other in training'),
  rows: count(1024, 'Rows that a process is conditioned on, at most: the best half by score, the rest drawn'),
  pairs: count(256, 'Rows that climb and descend each process, the best; a pair of designs each'),
  lengthscale: number('auto', 'Length scale of the processes, in standard deviations', {
    above: 0,
    words: { auto: 'sqrt(d), d continuous columns' },
  }),
  noise: number(0.01, 'Variance of the noise, of standardised scores', { above: 0 }),
  jitter: number(0.25, 'Length scale and variance are multiplied by 1, give or take this', {
    least: 0,
    below: 1,
  }),
  climbSteps: steps(50, 'Steps of the rows up and down a process'),
  climbRate: number(0.02, "Adam's rate for them (standard deviations, logits)", { least: 0 }),
  hidden: widths([256, 256], 'Widths of the hidden layers'),
  activation: choice('softplus', 'After every hidden layer', { softplus: 'log(1 + e^x)', relu: 'max(0, x)' }),
  trainSteps: steps(4000, 'Steps of training'),
  trainRate: number(1e-3, "Adam's rate in training", { least: 0 }),
  averageRate: number(0.005, 'tau, how fast the averaged weights follow', { least: 0, most: 1 }),
  drop: number(0.15, 'Share of the pairs whose scores are withheld in training', { least: 0, most: 1 }),
  minibatch: count(128, 'Pairs per step'),
  target: number(0.5, 'y_hi that is asked for, above the best visible score, in standard deviations', {}),
  guidance: number(
    0,
    'w: (1 + w) times what the network says with scores, less w times what it says without',
    {},
  ),
  steps: count(200, 'Steps over the bridge'),
  startFrom: startFrom('Which visible designs are taken over the bridge'),
  box: box(),
};

export type RootOptions = OptionsOf<typeof rootOptions>;

const presets: Readonly<Record<string, Preset<RootOptions>>> = {
  paper: {
    help: "the authors' settings; the target, which they take from hidden scores, and how long training lasts are ours",
    options: {
      pairs: 1024,
      lengthscale: 1,
      climbSteps: 100,
      hidden: [1024, 1024, 1024],
      guidance: -1.5,
      box: null,
    },
  },
};

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export interface RootState extends AlgorithmState {
  readonly stream: StreamState;
  readonly network: StackState;
  /** Which rows, and which processes. */
  readonly key: Key;
  /** x_t: numbers standardised, classes as shares, M x P. */
  readonly designs: Float64Array;
  /** M x d, inside the space. */
  readonly proposals: Float64Array;
}

const advice = { training: 'lower trainRate', search: 'lower target or guidance' };

export const root: Algorithm<RootOptions, RootState> = defineAlgorithm({
  id: 'root',
  version: '0.2.0',
  options: rootOptions,
  presets,

  length({ options }) {
    return { training: options.trainSteps, search: options.steps };
  },

  async init(setup, key) {
    const { options } = setup;
    const { search, bridge } = sessions.begin(setup);
    await search.prepare(); // an infeasible space is refused before anything is trained
    bridge.initialize(foldKey(key, 'networks'));
    const start = search.start(options, foldKey(key, 'start'));
    return sessions.hold(setup, {
      iteration: 0 - options.trainSteps,
      stream: new Stream(foldKey(key, 'pairs')).state(),
      network: bridge.state(),
      key: foldKey(key, 'processes'),
      designs: modelInputs(search.encoding, start),
      proposals: search.settle(start),
    });
  },

  async step(state, setup, iterations = 1) {
    requireSteps('iterations', iterations);
    const { guidance, steps: whole } = setup.options;
    const session = sessions.change(setup, state);
    const { search, bridge } = session;
    await search.prepare();
    const stream = new Stream(state.stream);
    const end = state.iteration + iterations;
    let { designs } = state;
    for (let i = state.iteration; i < end; i++) {
      if (i < 0) {
        const ends = await endsOf(setup, session, state.key, i);
        await bridge.train(ends, stream);
        if (i === -1) requireConverging([await bridge.dataLoss(ends)], 0, advice);
        continue;
      }
      if (i >= whole) continue; // the other side is reached
      const [t, s] = [1 - i / whole, 1 - (i + 1) / whole];
      const reached = await bridge.endsOf(designs, t, scoresAsked(setup, session), guidance);
      designs = bridgeBack(designs, reached, t, s, stream);
      requireConverging(designs, i + 1, advice);
    }
    return sessions.hold(setup, {
      iteration: end,
      stream: stream.state(),
      network: bridge.state(),
      key: state.key,
      designs,
      proposals: end > 0 ? search.settle(parametersOf(search, designs)) : state.proposals,
    });
  },

  propose(state) {
    return state.proposals.slice();
  },

  async watch(state, setup) {
    const session = sessions.read(setup, state);
    const { search, bridge } = session;
    await search.prepare();
    const { iteration, designs, key } = state;
    const trainingLoss = await bridge.dataLoss(await endsOf(setup, session, key, Math.min(iteration, -1)));
    requireConverging([trainingLoss], iteration, advice);
    if (iteration < 0) return { iteration, trainingLoss };
    const { encoding } = search;
    const start = modelInputs(encoding, search.start(setup.options, null));
    return { iteration, trainingLoss, moved: median(distances(designs, start, encoding.parameters)) };
  },
});

/** Parameters of designs that the search may have. */
function parametersOf(search: SearchSpace, designs: Float64Array): Float64Array {
  const parameters = encode(search.encoding, decode(search.encoding, designs));
  if (search.isLimited) search.hold(parameters);
  return parameters;
}

/** y_lo of the designs that are taken over, their own scores; y_hi above the best visible one. */
function scoresAsked({ data, options }: Setup<RootOptions>, { regression }: Session) {
  const z = standardize(data.y, regression.scores);
  const order = z.toSorted((a, b) => (options.startFrom === 'best' ? b - a : a - b));
  const { batchSize: M, target } = options;
  return {
    lowScores: Float64Array.from({ length: M }, (_, m) => order[m % order.length]!),
    highScores: new Float64Array(M).fill(largest(z) + target),
  };
}

/** The pairs that step `iteration` (below 0) trains on: those of its process, found once. */
async function endsOf(
  { options }: Setup<RootOptions>,
  session: Session,
  key: Key,
  iteration: number,
): Promise<Ends> {
  const done = options.trainSteps + iteration;
  const round = Math.max(0, Math.floor((done * options.functions) / Math.max(1, options.trainSteps)));
  const known = session.ends;
  if (known && known.round === round && known.key[0] === key[0] && known.key[1] === key[1]) return known.ends;
  const { search, regression } = session;
  const theta = variedTheta(regression.shape, options, new Stream(foldKey(key, round)));
  const { gp } = await regression.posterior(theta, key);
  const start = search.start({ batchSize: options.pairs, startFrom: 'best' }, foldKey(key, 'visible'));
  const ends = endsOn(gp, search, start, options);
  session.ends = { key, round, ends };
  return ends;
}

interface Session {
  readonly search: SearchSpace;
  readonly regression: ProcessFit;
  readonly bridge: BrownianBridge;
  ends: { readonly key: Key; readonly round: number; readonly ends: Ends } | null;
}

const sessions = new Sessions(
  ({ data, space, options, engine }: Setup<RootOptions>): Session => {
    const search = new SearchSpace(data, space, options);
    const fixed = { rows: options.rows, fitRows: 1, ard: false, trainSteps: 0, trainRate: 0 };
    return {
      search,
      regression: new ProcessFit(engine.kernel, search, fixed),
      bridge: new BrownianBridge(engine, { ...options, columns: search.encoding.parameters }),
      ends: null,
    };
  },
  ({ bridge }, { network }: RootState) => bridge.restore(network),
);
