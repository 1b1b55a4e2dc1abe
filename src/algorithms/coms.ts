/**
 * COMs: conservative objective models. Trabucco, Kumar, Geng & Levine, ICML 2021. One network is trained to be low
 * where ascent from the data leads; then the best visible designs take as many steps on it as its adversaries did.
 * Departures from the paper and their reasons: docs/algorithms/coms.md.
 *
 *   f network   x- adversaries   alpha Lagrange multiplier   tau overestimation that is allowed, in sd of the scores
 */
import type { Algorithm, Setup } from '../algorithm.js';
import { ConservativeNetwork, type ConservativeState } from '../models/conservativeNetwork.js';
import {
  requireAscentOptions,
  SurrogateAscent,
  type SurrogateAscentState,
} from '../models/surrogateAscent.js';
import { requireCount, requireOption, requireSteps } from '../numeric/errors.js';
import { isAllClasses } from '../search/encoding.js';
import { SearchSpace } from '../search/searchSpace.js';
import type { Space } from '../space/space.js';

export interface ComsOptions {
  /** M, designs that climb. */
  readonly batchSize: number;
  /** Widths of the hidden layers. */
  readonly hidden: readonly number[];
  /** After every hidden layer. */
  readonly activation: 'softplus' | 'relu';
  /** Steps of training; an epoch is N / minibatch of them. */
  readonly trainSteps: number;
  /** Adam's rate in training. */
  readonly trainRate: number;
  /** Rows of data per step, and adversaries. */
  readonly minibatch: number;
  /** Steps of ascent that make an adversary. */
  readonly adversarySteps: number;
  /** Overestimation that is allowed; 'auto': 0.5, or 2 where all columns are classes. */
  readonly tau: number | 'auto';
  /** alpha at the beginning. */
  readonly alpha: number;
  /** Adam's rate for log alpha. */
  readonly alphaRate: number;
  /** Steps of the designs. */
  readonly steps: number;
  /**
   * A step of a design or an adversary is this times sqrt(P) times the gradient, P numbers per design. 'auto': 0.05, or
   * 2 where all columns are classes.
   */
  readonly designRate: number | 'auto';
  /** Begin at the best visible designs, or at the worst. */
  readonly startFrom: 'best' | 'worst';
  /** Designs and adversaries stay where all but this share of the data lies, on either side of each column. */
  readonly box: number | null;
}

const defaults: ComsOptions = {
  batchSize: 128,
  hidden: [128, 128],
  activation: 'softplus',
  trainSteps: 2000,
  trainRate: 1e-3,
  minibatch: 128,
  adversarySteps: 50,
  tau: 'auto',
  alpha: 0.1,
  alphaRate: 0.01,
  steps: 50,
  designRate: 'auto',
  startFrom: 'best',
  box: 0.01,
};

/** The authors' settings; trainSteps are 50 epochs at 17,014 rows (133 steps an epoch). */
export const comsPresets = {
  paper: {
    ...defaults,
    hidden: [2048, 2048],
    activation: 'relu',
    trainSteps: 6650,
    trainRate: 3e-4,
    box: null,
  },
} as const satisfies Record<string, ComsOptions>;

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export type ComsState = SurrogateAscentState<ConservativeState>;

export const coms: Algorithm<ComsOptions, ComsState> = {
  id: 'coms',
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
    const { multiplier, overestimation } = state.surrogate;
    const alpha = Math.exp(multiplier.logAlpha);
    return { ...(await sessionOf(setup).watch(state)), alpha, overestimation };
  },
};

const sessions = new WeakMap<Setup<ComsOptions>, SurrogateAscent<ConservativeState>>();

function sessionOf(setup: Setup<ComsOptions>): SurrogateAscent<ConservativeState> {
  const known = sessions.get(setup);
  if (known) return known;
  const { data, space, engine } = setup;
  const options = { ...setup.options, ascent: 'plain' as const };
  requireOptions(options);
  requireAscentOptions(options);
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

function requireOptions(options: ComsOptions): void {
  const { hidden, activation, adversarySteps, tau, alpha, alphaRate } = options;
  for (const width of hidden) requireCount('hidden', width);
  const isKnown = activation === 'softplus' || activation === 'relu';
  requireOption('activation', activation, isKnown, "'softplus' or 'relu'");
  requireSteps('adversarySteps', adversarySteps);
  requireOption('tau', tau, tau === 'auto' || Number.isFinite(tau), "'auto' or a finite number");
  requireOption('alpha', alpha, alpha > 0 && Number.isFinite(alpha), 'a number above 0');
  requireOption('alphaRate', alphaRate, alphaRate >= 0, 'a number >= 0');
}
