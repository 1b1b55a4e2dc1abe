/**
 * CbAS: conditioning by adaptive sampling. Brookes, Park & Listgarten, ICML 2019, Alg. 1; as a baseline of the NEMO paper.
 * Departures and their reasons: docs/algorithms/cbas.md.
 *
 *   p0 prior   q search model   gamma threshold   Q quantile   S samples   M batchSize
 *   weight of a draw: p0(x|z) / q(x|z) P(y > gamma | x)
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
  type AdaptiveSamplingOptions,
  type AdaptiveSamplingState,
  adaptiveSamplingOptions,
} from '../models/adaptiveSampling.js';
import { requireSteps } from '../numeric/errors.js';

export type CbasOptions = AdaptiveSamplingOptions;

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export interface CbasState extends AlgorithmState, AdaptiveSamplingState {}

/** Of the baseline of Design-Bench; its steps are for 5,000 rows. */
const published: Partial<CbasOptions> = {
  trainSteps: 5000, // 100 epochs in batches of 100
  trainRate: 3e-4,
  minibatch: 100,
  vaeSteps: 10_000, // 200 epochs
  vaeRate: 3e-4,
  threshold: 'free',
  leastEffective: 0,
  refitSteps: 80, // 10 epochs of 800 draws
  box: null,
};

const presets: Readonly<Record<string, Preset<CbasOptions>>> = {
  designBench: {
    help: 'as the baseline was run for Design-Bench; what is not published is as in the defaults',
    options: published,
  },
  paper: {
    help: 'the same in 2020, when the NEMO paper compared itself with it',
    options: { ...published, trainRate: 1e-3, vaeRate: 1e-3, steps: 50 },
    byTask: {
      Superconductor: { beta: 20, steps: 200, trainSteps: 17_000, vaeSteps: 34_000 },
      MoleculeActivity: { beta: 10 },
      GFP: { beta: 5 },
      HopperController: { beta: 200, trainSteps: 3200, vaeSteps: 6400 },
      AntMorphology: { beta: 2 },
      DKittyMorphology: { beta: 2, vaeRate: 5e-4 },
    },
  },
};

export const cbas: Algorithm<CbasOptions, CbasState> = defineAlgorithm({
  id: 'cbas',
  options: adaptiveSamplingOptions,
  presets,

  length({ options }) {
    return { training: options.trainSteps + options.vaeSteps, search: options.steps };
  },

  async init(setup, key) {
    const session = sessionOf(setup);
    session.resident = null;
    await session.sampling.initialize(key);
    return leave(session, 0 - setup.options.trainSteps - setup.options.vaeSteps);
  },

  async step(state, setup, iterations = 1) {
    requireSteps('iterations', iterations);
    const session = await enter(setup, state);
    const end = state.iteration + iterations;
    for (let t = state.iteration; t < end; t++) await session.sampling.step(t);
    if (end > 0 && iterations > 0) await session.sampling.drawProposals(end);
    return leave(session, end);
  },

  propose(state) {
    return state.proposals.slice();
  },

  async watch(state, setup) {
    const session = await enter(setup, state);
    session.resident = state;
    return session.sampling.watch(state.iteration);
  },
});

/** The networks of a setup in the engine's memory, and the state they are in. */
interface Session {
  readonly sampling: AdaptiveSampling;
  resident: CbasState | null;
}

const sessions = new WeakMap<Setup<CbasOptions>, Session>();

function sessionOf(setup: Setup<CbasOptions>): Session {
  const known = sessions.get(setup);
  if (known) return known;
  const { engine, data, space, options } = setup;
  const session = { sampling: new AdaptiveSampling(engine, data, space, options), resident: null };
  sessions.set(setup, session);
  return session;
}

/** Brings the networks into `state`; what comes next changes them. */
async function enter(setup: Setup<CbasOptions>, state: CbasState): Promise<Session> {
  const session = sessionOf(setup);
  await session.sampling.search.prepare();
  if (session.resident !== state) session.sampling.restore(state);
  session.resident = null;
  return session;
}

function leave(session: Session, iteration: number): CbasState {
  const state = { ...session.sampling.state(), iteration };
  session.resident = state;
  return state;
}
