/** An algorithm from its first step, or from a state on the way, to its last. */
import type { Algorithm, AlgorithmState, Setup } from './algorithm.js';
import { requireCount } from './numeric/errors.js';
import type { Key } from './numeric/key.js';

/** Where a run starts, ends and shows its states. */
export interface RunOptions<State> {
  /**
   * Steps from one state to the next (default 50). States are at whole multiples of it, so that a resumed run shows the
   * same ones, and always at 0, where training ends.
   */
  readonly every?: number;
  /** A state to go on from; the key is not used then. */
  readonly from?: State;
  /** The iteration to end at; default: the end of the run. 0 trains and moves no design. */
  readonly until?: number;
  /** Asked between two states; once it is aborted, its reason is thrown, and states given before stay good. */
  readonly signal?: AbortSignal;
}

/**
 * The states of a run, the one it starts from first, the one at its end last.
 *
 * @example
 * for await (const state of states(nemo, setup, rootKey(0), { every: 100 })) {
 *   console.log(await nemo.watch(state, setup));
 * }
 */
export async function* states<Options, State extends AlgorithmState>(
  algorithm: Algorithm<Options, State>,
  setup: Setup<Options>,
  key: Key,
  options: RunOptions<State> = {},
): AsyncGenerator<State, void, void> {
  const { every = 50, from, until = algorithm.length(setup).search, signal } = options;
  requireCount('every', every);
  signal?.throwIfAborted();
  let state = from ?? (await algorithm.init(setup, key));
  yield state;
  while (state.iteration < until) {
    await turnOfEvents();
    signal?.throwIfAborted();
    const next = Math.min(until, (Math.floor(state.iteration / every) + 1) * every);
    state = await algorithm.step(state, setup, next - state.iteration);
    yield state;
  }
}

/** The state at the end of a run. */
export async function run<Options, State extends AlgorithmState>(
  algorithm: Algorithm<Options, State>,
  setup: Setup<Options>,
  key: Key,
  options: RunOptions<State> = {},
): Promise<State> {
  let last: State | undefined;
  for await (const state of states(algorithm, setup, key, options)) last = state;
  return last!; // there is at least the state it starts from
}

/** Browsers have no `setImmediate`, and a timer of Node waits for a millisecond. */
const later: (callback: () => void) => unknown = globalThis.setImmediate ?? setTimeout;

/** Lets timers, sockets and clicks have their turn: promises alone never do, and nobody could abort. */
export function turnOfEvents(): Promise<void> {
  return new Promise((resolve) => later(resolve));
}
