/**
 * Gradient ascent on an ensemble: B networks, each with its own beginning and its own bootstrap resample of the rows
 * (Lakshminarayanan et al. 2017, Breiman 1996); the best visible designs climb what they say together. 'mean' is their
 * mean, 'min' the least of them, 'ucb' mean + kappa sd. Design-Bench's "Grad. Mean" took a minimum by mistake.
 * Departures from the public versions and their reasons: docs/algorithms/ensemble.md.
 */
import { type Algorithm, defineAlgorithm, type Preset, type Setup } from '../algorithm.js';
import type { Aggregate } from '../models/aggregate.js';
import { networkAscentOptions, networkAscentPresets } from '../models/networkAscent.js';
import type { RegressionState } from '../models/regressionNetworks.js';
import { makeNetworks, regressionSurrogate } from '../models/regressionSurrogate.js';
import { designRatesOf, SurrogateAscent, type SurrogateAscentState } from '../models/surrogateAscent.js';
import { choice, count, flag, number, type OptionsOf } from '../options/option.js';
import { SearchSpace } from '../search/searchSpace.js';

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
export type EnsembleState = SurrogateAscentState<RegressionState>;

export const ensemble: Algorithm<EnsembleOptions, EnsembleState> = defineAlgorithm({
  id: 'ensemble',
  options: ensembleOptions,
  presets,

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
});

const sessions = new WeakMap<Setup<EnsembleOptions>, SurrogateAscent<RegressionState>>();

function sessionOf(setup: Setup<EnsembleOptions>): SurrogateAscent<RegressionState> {
  const known = sessions.get(setup);
  if (known) return known;
  const { data, space, options, engine } = setup;
  const { networks } = options;
  const aggregate = aggregateOf(options);
  const search = new SearchSpace(data, space, options);
  const models = makeNetworks(engine, data, search, networks, options);
  const surrogate = regressionSurrogate(models, networks, options, aggregate);
  const session = new SurrogateAscent(search, surrogate, options, designRatesOf(options, search.encoding));
  sessions.set(setup, session);
  return session;
}

function aggregateOf({ aggregate, kappa }: EnsembleOptions): Aggregate {
  return aggregate === 'ucb' ? { kind: aggregate, kappa } : { kind: aggregate };
}
