/** Shared by the checks of an algorithm: setups, runs, and checks of its designs and metrics. */
import type { AlgorithmState, Setup } from '../algorithm.js';
import { ProgramRefusal } from '../bench/plugins.js';
import type { AnyAlgorithm, Options } from '../bench/registry.js';
import type { Engine } from '../numeric/engine.js';
import { rootKey } from '../numeric/key.js';
import { rowOf } from '../numeric/rows.js';
import { run } from '../run.js';
import { violations } from '../space/index.js';
import { type Check, demand, messageOf, Nonconformity, NotAsked } from './check.js';
import { plainProblems, type SmallProblem } from './problems.js';
import { suiteOptions } from './suiteOptions.js';

export interface AlgorithmContext {
  readonly algorithm: AnyAlgorithm;
  /** Ids of other algorithms. */
  readonly taken: readonly string[];
  /** On one and on two threads, of the same kernel. */
  readonly engines: readonly [Engine, Engine];
  /** An executable: nemokit keeps its states and reads its input. */
  readonly isProgram?: boolean;
}

export type AlgorithmCheck = Check<AlgorithmContext>;

/** The algorithm with every step checked to advance as far as asked: otherwise a run might never end. */
export function paced(algorithm: AnyAlgorithm): AnyAlgorithm {
  const lengthOf: AnyAlgorithm['length'] = (setup) => {
    const length = algorithm.length(setup);
    const isCount = (n: unknown) => Number.isSafeInteger(n) && (n as number) >= 0;
    demand(
      isCount(length?.training) && isCount(length.search),
      () =>
        `length() gave training ${length?.training} and search ${length?.search}; expected two whole numbers, 0 or more.`,
    );
    return length;
  };
  return {
    id: algorithm.id,
    version: algorithm.version,
    options: algorithm.options,
    defaults: algorithm.defaults,
    presets: algorithm.presets,
    length: lengthOf,
    init: async (setup, key) => {
      const start = await algorithm.init(setup, key);
      const { training } = lengthOf(setup);
      demand(
        start?.iteration === 0 - training,
        () =>
          `init() gave a state at iteration ${start?.iteration}; expected ${0 - training}, minus the steps of training.`,
      );
      return start;
    },
    step: async (state, setup, iterations = 1) => {
      const before = state.iteration;
      const next = await algorithm.step(state, setup, iterations);
      demand(
        next?.iteration === before + iterations,
        () =>
          `step(state, setup, ${iterations}) went from iteration ${before} to ${next?.iteration}; expected ${before + iterations}. Each call takes as many steps as it is asked.`,
      );
      return next;
    },
    propose: (state, setup) => algorithm.propose(state, setup),
    watch: (state, setup) => algorithm.watch(state, setup),
  };
}

/** With a copy of the data: an algorithm that writes into it does not affect other checks. */
export function setupOf(
  { algorithm, engines }: AlgorithmContext,
  { data, space }: SmallProblem,
  { threads = 1, options = {} }: { threads?: 1 | 2; options?: Options } = {},
): Setup<Record<string, unknown>> {
  return {
    data: structuredClone(data),
    space,
    engine: engines[threads - 1]!,
    options: { ...suiteOptions(algorithm, 'short'), ...options },
  };
}

/** A copy of a state; throws if it holds what cannot be copied. */
export function copyOf(state: AlgorithmState): AlgorithmState {
  try {
    return structuredClone(state);
  } catch (error) {
    throw new Nonconformity(`a state cannot be copied: ${messageOf(error)} ${plainData}`);
  }
}

export const plainData =
  'Keep plain data in it: numbers, texts, lists, typed arrays, no classes or functions.';

/** A whole run. A program may refuse a problem that it does not support. */
export async function wholeRun(
  context: AlgorithmContext,
  setup: Setup<Record<string, unknown>>,
  seed: number,
): Promise<AlgorithmState> {
  try {
    return await run(paced(context.algorithm), setup, rootKey(seed));
  } catch (error) {
    if (!(error instanceof ProgramRefusal)) throw error;
    if (setup.space !== plainProblems.bowl.space)
      throw new NotAsked(`it refuses this problem: ${error.message}`);
    throw new Nonconformity(
      `${error.message}. A program may refuse columns, constraints and data that it does not know, but not this one: 64 rows of three numbers between bounds.`,
    );
  }
}

const bring = 'SearchSpace of nemokit/research (hold, settle) brings designs into any space.';

/** Designs of a state, which have to be as many as asked for, finite and inside the space. */
export function designsOf(
  { algorithm }: AlgorithmContext,
  state: AlgorithmState,
  setup: Setup<Record<string, unknown>>,
): Float64Array {
  const x = algorithm.propose(state, setup);
  const d = setup.space.columns.length;
  const M = Number(setup.options.batchSize ?? algorithm.defaults.batchSize);
  demand(
    x instanceof Float64Array && x.length === M * d,
    () =>
      `propose() gave ${x instanceof Float64Array ? `${x.length} numbers` : 'no Float64Array'}; expected a Float64Array of ${M} designs (options.batchSize) x ${d} columns.`,
  );
  for (let m = 0; m < M; m++) {
    const [broken] = violations(setup.space, rowOf(x, d, m));
    demand(broken === undefined, () => `design ${m} is outside the space: ${broken}. ${bring}`);
  }
  return x;
}

export async function watchedOf(
  { algorithm }: AlgorithmContext,
  state: AlgorithmState,
  setup: Setup<Record<string, unknown>>,
): Promise<void> {
  const watched = await algorithm.watch(state, setup);
  for (const [name, value] of Object.entries(watched ?? {}))
    demand(
      Number.isFinite(value),
      () => `watch() gave ${name} = ${value}; expected finite numbers only. Leave out what is not known yet.`,
    );
  demand(
    watched?.iteration === state.iteration,
    () =>
      `watch() gave iteration ${watched?.iteration} at iteration ${state.iteration}; expected the state's own among the numbers.`,
  );
}

/** Throws `NotAsked` where nemokit does for programs what is checked. */
export function notOfPrograms({ isProgram = false }: AlgorithmContext, why: string): void {
  if (isProgram) throw new NotAsked(`not asked of programs: ${why}`);
}
