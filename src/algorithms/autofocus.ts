/**
 * Autofocused CbAS: conditioning by adaptive sampling whose oracle is refitted where the search is. Fannjiang &
 * Listgarten, NeurIPS 2020, Alg. 1. Departures and their reasons: docs/algorithms/autofocus.md.
 *
 *   p0 prior   q search model   v_i weight of row i of the data, (q(x_i) / p0(x_i))^focus
 */
import {
  type Algorithm,
  type AlgorithmState,
  defineAlgorithm,
  type Preset,
  type Setup,
} from '../algorithm.js';
import {
  AdaptiveSampling,
  type AdaptiveSamplingState,
  adaptiveSamplingOptions,
} from '../models/adaptiveSampling.js';
import { focusWeights } from '../models/conditioning.js';
import { requireSteps } from '../numeric/errors.js';
import { foldKey } from '../numeric/key.js';
import { count, number, type OptionsOf, steps } from '../options/option.js';

const autofocusOptions = {
  ...adaptiveSamplingOptions,
  focus: number(
    0.2,
    'Exponent that flattens density ratios; 1 is the ratio itself, 0 is CbAS with an oracle that trains on',
    { least: 0, most: 1 },
  ),
  ratioDraws: count(8, 'Draws of z per row from which log q(x) and log p0(x) are estimated'),
  focusSteps: steps(100, 'Steps of the oracle per iteration'),
};

export type AutofocusOptions = OptionsOf<typeof autofocusOptions>;

const presets: Readonly<Record<string, Preset<AutofocusOptions>>> = {
  paper: {
    help: 'as published, with our search model in place of a Gaussian; what is not published is as in the defaults',
    options: {
      networks: 3,
      hidden: [100, 100, 100, 100, 10],
      trainRate: 5e-4,
      minibatch: 100,
      quantile: 0.9,
      leastEffective: 0,
      box: null,
    },
  },
};

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export interface AutofocusState extends AlgorithmState, AdaptiveSamplingState {
  /** Lower bounds of log p0(x) of the data, N; null before the search. */
  readonly priorEvidence: Float64Array | null;
  /** Iterations in which the oracle was not refitted, because no row of data knew about where the search was. */
  readonly skipped: number;
}

export const autofocus: Algorithm<AutofocusOptions, AutofocusState> = defineAlgorithm({
  id: 'autofocus',
  options: autofocusOptions,
  presets,

  length({ options }) {
    return { training: options.trainSteps + options.vaeSteps, search: options.steps };
  },

  async init(setup, key) {
    const session = sessionOf(setup);
    session.resident = null;
    await session.sampling.initialize(key);
    return leave(session, 0 - setup.options.trainSteps - setup.options.vaeSteps, null, 0);
  },

  async step(state, setup, iterations = 1) {
    requireSteps('iterations', iterations);
    const { focus, ratioDraws, focusSteps } = setup.options;
    const session = await enter(setup, state);
    const { sampling } = session;
    const noise = foldKey(sampling.keyOf(), 'ratio'); // the same for p0 and q, so that their errors are alike
    const end = state.iteration + iterations;
    let { priorEvidence, skipped } = state;
    for (let t = state.iteration; t < end; t++) {
      await sampling.step(t);
      if (t < 0) continue;
      priorEvidence ??= await sampling.model.logEvidence(ratioDraws, noise, 'targets');
      const evidence = await sampling.model.logEvidence(ratioDraws, noise, 'models');
      const before = priorEvidence;
      const weights = focusWeights(
        evidence.map((q, i) => q - before[i]!),
        focus,
      );
      if (weights) await sampling.refitOracle(weights, focusSteps, t + 1);
      else skipped += 1;
    }
    if (end > 0 && iterations > 0) await sampling.drawProposals(end);
    return leave(session, end, priorEvidence, skipped);
  },

  propose(state) {
    return state.proposals.slice();
  },

  async watch(state, setup) {
    const session = await enter(setup, state);
    session.resident = state;
    const seen = await session.sampling.watch(state.iteration);
    return state.iteration < 0 ? seen : { ...seen, skipped: state.skipped };
  },
});

/** The networks of a setup in the engine's memory, and the state they are in. */
interface Session {
  readonly sampling: AdaptiveSampling;
  resident: AutofocusState | null;
}

const sessions = new WeakMap<Setup<AutofocusOptions>, Session>();

function sessionOf(setup: Setup<AutofocusOptions>): Session {
  const known = sessions.get(setup);
  if (known) return known;
  const { engine, data, space, options } = setup;
  const session = { sampling: new AdaptiveSampling(engine, data, space, options), resident: null };
  sessions.set(setup, session);
  return session;
}

/** Brings the networks into `state`; what comes next changes them. */
async function enter(setup: Setup<AutofocusOptions>, state: AutofocusState): Promise<Session> {
  const session = sessionOf(setup);
  await session.sampling.search.prepare();
  if (session.resident !== state) session.sampling.restore(state);
  session.resident = null;
  return session;
}

function leave(
  session: Session,
  iteration: number,
  priorEvidence: Float64Array | null,
  skipped: number,
): AutofocusState {
  const state = { ...session.sampling.state(), iteration, priorEvidence, skipped };
  session.resident = state;
  return state;
}
