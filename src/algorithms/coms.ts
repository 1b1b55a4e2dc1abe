/**
 * COMs: conservative objective models. Trabucco, Kumar, Geng & Levine, ICML 2021. One network is trained to be low
 * where ascent from the data leads; then the best visible designs take as many steps on it as its adversaries did.
 * Departures from the paper and their reasons: docs/algorithms/coms.md.
 *
 *   f network   x- adversaries   alpha Lagrange multiplier   tau overestimation that is allowed, in sd of the scores
 */
import { type Algorithm, defineAlgorithm, type Preset, type Setup } from '../algorithm.js';
import { ConservativeNetwork, type ConservativeState } from '../models/conservativeNetwork.js';
import { SurrogateAscent, type SurrogateAscentState } from '../models/surrogateAscent.js';
import { choice, count, number, type OptionsOf, steps, widths } from '../options/option.js';
import { batchSize, box, startFrom } from '../options/searchOptions.js';
import { isAllClasses } from '../search/encoding.js';
import { SearchSpace } from '../search/searchSpace.js';
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
export type ComsState = SurrogateAscentState<ConservativeState>;

export const coms: Algorithm<ComsOptions, ComsState> = defineAlgorithm({
  id: 'coms',
  options: comsOptions,
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
    const { multiplier, overestimation } = state.surrogate;
    const alpha = Math.exp(multiplier.logAlpha);
    return { ...(await sessionOf(setup).watch(state)), alpha, overestimation };
  },
});

const sessions = new WeakMap<Setup<ComsOptions>, SurrogateAscent<ConservativeState>>();

function sessionOf(setup: Setup<ComsOptions>): SurrogateAscent<ConservativeState> {
  const known = sessions.get(setup);
  if (known) return known;
  const { data, space, engine } = setup;
  const options = { ...setup.options, ascent: 'plain' as const };
  const search = new SearchSpace(data, space, options);
  const rate = options.designRate === 'auto' ? byKind(space, 0.05, 2) : options.designRate;
  const network = new ConservativeNetwork(engine, {
    ...options,
    encoding: search.encoding,
    parameters: search.parameters,
    y: data.y,
    adversaryRate: rate,
    tau: options.tau === 'auto' ? byKind(space, 0.5, 2) : options.tau,
  });
  const session = new SurrogateAscent(
    search,
    network,
    options,
    new Float64Array(search.encoding.parameters).fill(rate),
  );
  sessions.set(setup, session);
  return session;
}

function byKind(space: Space, continuous: number, discrete: number): number {
  return isAllClasses(space) ? discrete : continuous;
}
