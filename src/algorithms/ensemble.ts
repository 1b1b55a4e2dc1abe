/**
 * Gradient ascent on an ensemble: B networks, each with its own beginning and its own bootstrap resample of the rows
 * (Lakshminarayanan et al. 2017, Breiman 1996); the best visible designs climb what they say together. 'mean' is their
 * mean, 'min' the least of them, 'ucb' mean + kappa sd. Design-Bench's "Grad. Mean" took a minimum by mistake.
 * Departures from the public versions and their reasons: docs/algorithms/ensemble.md.
 */
import type { Algorithm, Setup } from '../algorithm.js';
import type { Aggregate } from '../models/aggregate.js';
import {
  type NetworkAscentOptions,
  networkAscentDefaults,
  networkAscentPresets,
} from '../models/networkAscent.js';
import type { RegressionState } from '../models/regressionNetworks.js';
import {
  makeNetworks,
  regressionSurrogate,
  requireRegressionOptions,
} from '../models/regressionSurrogate.js';
import {
  designRatesOf,
  requireAscentOptions,
  SurrogateAscent,
  type SurrogateAscentState,
} from '../models/surrogateAscent.js';
import { requireCount, requireOption } from '../numeric/errors.js';
import { SearchSpace } from '../search/searchSpace.js';

/** Those of `forward`, and how its networks become several. */
export interface EnsembleOptions extends NetworkAscentOptions {
  /** B. */
  readonly networks: number;
  /** What designs climb. */
  readonly aggregate: 'mean' | 'min' | 'ucb';
  /** Of 'ucb': how many standard deviations over the networks are added; negative ones are a lower bound. */
  readonly kappa: number;
  /** A resample of the rows for each network; otherwise they differ in their beginnings alone. */
  readonly bootstrap: boolean;
}

const several = { networks: 5, aggregate: 'mean', kappa: 1, bootstrap: true } as const;

const defaults: EnsembleOptions = { ...networkAscentDefaults, ...several };

/** Settings of public versions, beside those they share with `forward`. */
export const ensemblePresets = {
  /** NEMO's comparison, 2020: 8 networks. */
  paper: { ...networkAscentPresets.paper, ...several, networks: 8 },
  /** Design-Bench's "Grad. Min", 2022. */
  designBench: { ...networkAscentPresets.designBench, ...several, aggregate: 'min' },
  /** The recipe of tables since 2023 on continuous tasks. */
  modern: { ...networkAscentPresets.modern, ...several },
  /** The same on discrete tasks. */
  modernDiscrete: { ...networkAscentPresets.modernDiscrete, ...several },
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
  const session = new SurrogateAscent(search, surrogate, options, designRatesOf(options, search.encoding));
  sessions.set(setup, session);
  return session;
}

function aggregateOf({ aggregate, kappa }: EnsembleOptions): Aggregate {
  const isKnown = aggregate === 'mean' || aggregate === 'min' || aggregate === 'ucb';
  requireOption('aggregate', aggregate, isKnown, "'mean', 'min' or 'ucb'");
  requireOption('kappa', kappa, Number.isFinite(kappa), 'a finite number');
  return aggregate === 'ucb' ? { kind: aggregate, kappa } : { kind: aggregate };
}
