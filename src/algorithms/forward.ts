/**
 * Gradient ascent on one network: train it to predict the score, then let the best visible designs climb it. The
 * baseline called "Grad" in Design-Bench (Trabucco et al. 2022) and its successors. Nothing keeps designs where the
 * network knows anything but the box of the data.
 * Departures from the public versions and their reasons: docs/algorithms/forward.md.
 */
import type { Algorithm, Setup } from '../algorithm.js';
import type { RegressionState } from '../models/regressionNetworks.js';
import {
  makeNetworks,
  type RegressionOptions,
  regressionSurrogate,
  requireRegressionOptions,
} from '../models/regressionSurrogate.js';
import { SearchSpace } from '../models/searchSpace.js';
import {
  designRateOf,
  requireAscentOptions,
  SurrogateAscent,
  type SurrogateAscentState,
} from '../models/surrogateAscent.js';

export interface ForwardOptions extends RegressionOptions {
  /** M, designs that climb. */
  readonly batchSize: number;
  /** Widths of the hidden layers. */
  readonly hidden: readonly number[];
  /** After every hidden layer; leakyRelu has slope 0.3 below 0. */
  readonly activation: 'softplus' | 'relu' | 'leakyRelu';
  /** 'mean': squared error; 'gaussian': mean and standard deviation by likelihood. The mean is climbed. */
  readonly head: 'mean' | 'gaussian';
  /** Train on a bootstrap resample of the rows instead of the rows. */
  readonly bootstrap: boolean;
  /** Steps of training; an epoch is N / minibatch of them. */
  readonly trainSteps: number;
  /** Adam's rate in training. */
  readonly trainRate: number;
  /** Rows of data per step. */
  readonly minibatch: number;
  /** Steps of the designs. */
  readonly steps: number;
  /** 'adam', or 'plain' gradient ascent. */
  readonly ascent: 'adam' | 'plain';
  /**
   * Adam's rate for the designs; columns are standardised. In plain ascent a step is designRate sqrt(P) times the
   * gradient, P numbers per design. 'auto': Adam 0.02, or 0.05 where all columns are classes; plain 0.01.
   */
  readonly designRate: number | 'auto';
  /** Begin at the best visible designs, or at the worst. */
  readonly startFrom: 'best' | 'worst';
  /** The search stays where all but this share of the data lies, on either side of each column; null: anywhere. */
  readonly box: number | null;
}

const defaults: ForwardOptions = {
  batchSize: 128,
  hidden: [256, 256],
  activation: 'softplus',
  head: 'mean',
  bootstrap: false,
  trainSteps: 2000,
  trainRate: 1e-3,
  minibatch: 128,
  steps: 150,
  ascent: 'adam',
  designRate: 'auto',
  startFrom: 'best',
  box: 0.01,
};

/** Settings of public versions; trainSteps are their epochs at 17,014 rows (133 steps an epoch). */
export const forwardPresets = {
  /** NEMO's comparison, 2020: 100 epochs, 1000 plain steps. */
  paper: {
    ...defaults,
    hidden: [2048, 2048],
    activation: 'leakyRelu',
    head: 'gaussian',
    bootstrap: true,
    trainSteps: 13_300,
    steps: 1000,
    ascent: 'plain',
    designRate: 0.01,
    box: null,
  },
  /** Design-Bench 2022: 50 epochs, 200 plain steps. */
  designBench: {
    ...defaults,
    hidden: [2048, 2048],
    activation: 'leakyRelu',
    head: 'gaussian',
    bootstrap: true,
    trainSteps: 6650,
    trainRate: 3e-4,
    steps: 200,
    ascent: 'plain',
    designRate: 0.01,
    box: null,
  },
  /** What tables since 2023 call "Grad" on continuous tasks: squared error, Adam for each design. */
  modern: {
    ...defaults,
    hidden: [2048, 2048],
    activation: 'relu',
    trainSteps: 13_300,
    trainRate: 3e-4,
    steps: 200,
    designRate: 1e-3,
    box: null,
  },
  /** The same on discrete tasks. */
  modernDiscrete: {
    ...defaults,
    hidden: [2048, 2048],
    activation: 'relu',
    trainSteps: 13_300,
    trainRate: 3e-4,
    steps: 100,
    designRate: 0.1,
    box: null,
  },
} as const satisfies Record<string, ForwardOptions>;

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export type ForwardState = SurrogateAscentState<RegressionState>;

export const forward: Algorithm<ForwardOptions, ForwardState> = {
  id: 'forward',
  defaults,

  length({ options }) {
    return { training: options.trainSteps, search: options.steps };
  },

  async init(setup, key) {
    return sessionOf(setup).start(key);
  },

  async step(state, setup, iterations = 1) {
    return sessionOf(setup).step(state, iterations);
  },

  propose(state) {
    return state.proposals.slice();
  },

  async watch(state, setup) {
    return sessionOf(setup).watch(state);
  },
};

const sessions = new WeakMap<Setup<ForwardOptions>, SurrogateAscent<RegressionState>>();

function sessionOf(setup: Setup<ForwardOptions>): SurrogateAscent<RegressionState> {
  const known = sessions.get(setup);
  if (known) return known;
  const { data, space, options, engine } = setup;
  requireAscentOptions(options);
  requireRegressionOptions(options);
  const search = new SearchSpace(data, space, options);
  const models = makeNetworks(engine, data, search, 1, options);
  const surrogate = regressionSurrogate(models, 1, options, { kind: 'mean' });
  const session = new SurrogateAscent(search, surrogate, options, designRateOf(options, space));
  sessions.set(setup, session);
  return session;
}
