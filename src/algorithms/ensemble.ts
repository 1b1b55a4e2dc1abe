/**
 * Gradient ascent on an ensemble: B networks, each with its own beginning and its own bootstrap resample of the rows
 * (Lakshminarayanan et al. 2017, Breiman 1996); the best visible designs climb what they say together. 'mean' is their
 * mean, 'min' the least of them, 'ucb' mean + kappa sd. Design-Bench's "Grad. Mean" took a minimum by mistake.
 * Departures from the public versions and their reasons: docs/algorithms/ensemble.md.
 */
import type { Algorithm, Setup } from '../algorithm.js';
import type { Aggregate } from '../models/aggregate.js';
import type { RegressionState } from '../models/regressionNetworks.js';
import {
  makeNetworks,
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
import { requireCount, requireOption } from '../numeric/errors.js';

export interface EnsembleOptions {
  /** B. */
  readonly networks: number;
  /** What designs climb. */
  readonly aggregate: 'mean' | 'min' | 'ucb';
  /** Of 'ucb': how many standard deviations over the networks are added; negative ones are a lower bound. */
  readonly kappa: number;
  /** M, designs that climb. */
  readonly batchSize: number;
  /** Widths of the hidden layers. */
  readonly hidden: readonly number[];
  /** After every hidden layer; leakyRelu has slope 0.3 below 0. */
  readonly activation: 'softplus' | 'relu' | 'leakyRelu';
  /** 'mean': squared error; 'gaussian': mean and standard deviation by likelihood. The means are climbed. */
  readonly head: 'mean' | 'gaussian';
  /** A resample of the rows for each network; otherwise they differ in their beginnings alone. */
  readonly bootstrap: boolean;
  /** Steps of training; an epoch is N / minibatch of them. */
  readonly trainSteps: number;
  /** Adam's rate in training. */
  readonly trainRate: number;
  /** Rows of data per step and network. */
  readonly minibatch: number;
  /** Steps of the designs. */
  readonly steps: number;
  /** 'adam', or 'plain' gradient ascent. */
  readonly ascent: 'adam' | 'plain';
  /** As in `ForwardOptions`. */
  readonly designRate: number | 'auto';
  /** Begin at the best visible designs, or at the worst. */
  readonly startFrom: 'best' | 'worst';
  /** The search stays where all but this share of the data lies, on either side of each column; null: anywhere. */
  readonly box: number | null;
}

const defaults: EnsembleOptions = {
  networks: 5,
  aggregate: 'mean',
  kappa: 1,
  batchSize: 128,
  hidden: [256, 256],
  activation: 'softplus',
  head: 'mean',
  bootstrap: true,
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
export const ensemblePresets = {
  /** NEMO's comparison, 2020: 8 networks, 100 epochs, 1000 plain steps. */
  paper: {
    ...defaults,
    networks: 8,
    hidden: [2048, 2048],
    activation: 'leakyRelu',
    head: 'gaussian',
    trainSteps: 13_300,
    steps: 1000,
    ascent: 'plain',
    designRate: 0.01,
    box: null,
  },
  /** Design-Bench's "Grad. Min", 2022: 5 networks, 50 epochs, 200 plain steps. */
  designBench: {
    ...defaults,
    aggregate: 'min',
    hidden: [2048, 2048],
    activation: 'leakyRelu',
    head: 'gaussian',
    trainSteps: 6650,
    trainRate: 3e-4,
    steps: 200,
    ascent: 'plain',
    designRate: 0.01,
    box: null,
  },
  /** The recipe of tables since 2023 on continuous tasks: squared error, Adam for each design. */
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
} as const satisfies Record<string, EnsembleOptions>;

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export type EnsembleState = SurrogateAscentState<RegressionState>;

export const ensemble: Algorithm<EnsembleOptions, EnsembleState> = {
  id: 'ensemble',
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

const sessions = new WeakMap<Setup<EnsembleOptions>, SurrogateAscent<RegressionState>>();

function sessionOf(setup: Setup<EnsembleOptions>): SurrogateAscent<RegressionState> {
  const known = sessions.get(setup);
  if (known) return known;
  const { data, space, options, engine } = setup;
  const { networks } = options;
  requireAscentOptions(options);
  requireRegressionOptions(options);
  requireCount('networks', networks);
  const aggregate = aggregateOf(options);
  const search = new SearchSpace(data, space, options);
  const models = makeNetworks(engine, data, search, networks, options);
  const surrogate = regressionSurrogate(models, networks, options, aggregate);
  const session = new SurrogateAscent(search, surrogate, options, designRateOf(options, space));
  sessions.set(setup, session);
  return session;
}

function aggregateOf({ aggregate, kappa }: EnsembleOptions): Aggregate {
  const isKnown = aggregate === 'mean' || aggregate === 'min' || aggregate === 'ucb';
  requireOption('aggregate', aggregate, isKnown, "'mean', 'min' or 'ucb'");
  requireOption('kappa', kappa, Number.isFinite(kappa), 'a finite number');
  return aggregate === 'ucb' ? { kind: aggregate, kappa } : { kind: aggregate };
}
