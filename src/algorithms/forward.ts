/**
 * Gradient ascent on one network: train it to predict the score, then let the best visible designs climb it. The
 * baseline called "Grad" in Design-Bench (Trabucco et al. 2022) and its successors. Nothing keeps designs where the
 * network knows anything but the box of the data.
 * Departures from the public versions and their reasons: docs/algorithms/forward.md.
 */
import { type Algorithm, defineAlgorithm, type Setup } from '../algorithm.js';
import {
  type NetworkAscentOptions,
  networkAscentOptions,
  networkAscentPresets,
} from '../models/networkAscent.js';
import type { RegressionState } from '../models/regressionNetworks.js';
import { makeNetworks, regressionSurrogate } from '../models/regressionSurrogate.js';
import { designRatesOf, SurrogateAscent, type SurrogateAscentState } from '../models/surrogateAscent.js';
import { SearchSpace } from '../search/searchSpace.js';

export type ForwardOptions = NetworkAscentOptions;

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export type ForwardState = SurrogateAscentState<RegressionState>;

export const forward: Algorithm<ForwardOptions, ForwardState> = defineAlgorithm({
  id: 'forward',
  options: networkAscentOptions,
  presets: networkAscentPresets,

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

const sessions = new WeakMap<Setup<ForwardOptions>, SurrogateAscent<RegressionState>>();

function sessionOf(setup: Setup<ForwardOptions>): SurrogateAscent<RegressionState> {
  const known = sessions.get(setup);
  if (known) return known;
  const { data, space, options, engine } = setup;
  const search = new SearchSpace(data, space, options);
  const models = makeNetworks(engine, data, search, 1, options);
  const surrogate = regressionSurrogate(models, 1, options, { kind: 'mean' });
  const session = new SurrogateAscent(search, surrogate, options, designRatesOf(options, search.encoding));
  sessions.set(setup, session);
  return session;
}
