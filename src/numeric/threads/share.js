// How threads divide the models of a run. Plain JavaScript, because workers load it as it stands, from the sources
// as well as from the built package.
//
// The protocol. One thread, the caller, begins runs, one after the other; all threads, the caller among them, take
// groups of models. All words are read and written with Atomics, so every thread sees one order of all accesses.
//
//   begin   the caller stores PROGRAM, LENGTH, MODELS, GROUPS and DONE = 0, then LEFT = GROUPS, which opens the run,
//           then a new GENERATION, which wakes the threads.
//   take    a thread lowers LEFT by 1 with one compare-and-exchange from a value above 0. That is the only way to get
//           a group, and LEFT is the only word that decides it.
//   compute the thread reads the other words, and computes group GROUPS - LEFT before the exchange.
//   finish  the thread raises DONE by 1. If that makes it GROUPS, it says so with a message.
//   end     the caller has seen DONE = GROUPS. It begins the next run only after that.
//
// Invariants, which test/numeric/threads/interleavings.test.ts checks for all orders of accesses:
//
//   1. LEFT + groups being computed + DONE = GROUPS from the store of LEFT on, and LEFT = 0 while the words are stored.
//   2. So between a thread's take and its finish, DONE < GROUPS, the caller is in the same run, and no word but LEFT and
//      DONE changes: what the thread reads belongs to the group it took.
//   3. Each group of each run is computed once. A thread that wakes late, or sleeps between its look at LEFT and the
//      exchange, either fails to take, or takes a group of the run that is open now: nothing it knew before counts.
//   4. The message comes after the last finish, and the caller looks at DONE when it hears one. A late message of a run
//      before does no harm, and the last one of a run is never missed.

/**
 * What one thread computes with.
 * @typedef {{ run(program: number, length: number, first: number, last: number, group: number, thread: number): void }} Kernels
 */

/** Words of the control block. */
export const CONTROL_WORDS = 8;
/** Groups that nobody has taken yet. */
export const LEFT = 0;
/** Groups that are computed. */
export const DONE = 1;
export const PROGRAM = 2;
export const LENGTH = 3;
export const MODELS = 4;
export const GROUPS = 5;
/** Counts the runs. Threads sleep on it; no decision depends on it. */
export const GENERATION = 6;
/** One bit per thread that is ready for work. */
export const SERVING = 7;
/** As a generation: the engine is closing. */
export const CLOSING = -1;

/**
 * Opens a run to all threads. The run before must have ended.
 * @param {Int32Array} control
 * @param {{ program: number, length: number, models: number, groups: number }} work program: its address in bytes
 */
export function begin(control, { program, length, models, groups }) {
  Atomics.store(control, PROGRAM, program);
  Atomics.store(control, LENGTH, length);
  Atomics.store(control, MODELS, models);
  Atomics.store(control, GROUPS, groups);
  Atomics.store(control, DONE, 0);
  Atomics.store(control, LEFT, groups);
  Atomics.store(control, GENERATION, (Atomics.load(control, GENERATION) + 1) & 0x7fffffff);
  // a single group is the caller's
  if (groups > 1) Atomics.notify(control, GENERATION);
}

/**
 * Whether all groups of the run are computed.
 * @param {Int32Array} control
 */
export function isFinished(control) {
  return Atomics.load(control, DONE) === Atomics.load(control, GROUPS);
}

/**
 * Takes a group of the run that is open.
 * @param {Int32Array} control
 * @returns {number} how many were left with it, 0 if none was
 */
function take(control) {
  for (let left = Atomics.load(control, LEFT); left > 0; ) {
    const found = Atomics.compareExchange(control, LEFT, left, left - 1);
    if (found === left) return left;
    left = found;
  }
  return 0;
}

/**
 * Works until no group is left. Which thread computes a group does not matter to its result.
 * @param {Kernels} kernels
 * @param {Int32Array} control
 * @param {number} thread
 * @param {() => void} [onLast] called when this thread has finished the last group of a run
 */
export function share(kernels, control, thread, onLast) {
  for (let left = take(control); left > 0; left = take(control)) {
    const program = Atomics.load(control, PROGRAM);
    const length = Atomics.load(control, LENGTH);
    const models = Atomics.load(control, MODELS);
    const groups = Atomics.load(control, GROUPS);
    const group = groups - left;
    const first = Math.floor((group * models) / groups);
    const last = Math.floor(((group + 1) * models) / groups);
    kernels.run(program >>> 0, length, first, last, group, thread);
    if (Atomics.add(control, DONE, 1) + 1 === groups) onLast?.();
  }
}

/**
 * Sleeps until a run begins, and does its share of it.
 * @param {Kernels} kernels
 * @param {Int32Array} control
 * @param {number} thread
 * @param {number} seen the generation that this thread knows
 * @param {() => void} onLast
 * @returns {number} the generation that it woke up to, or CLOSING
 */
export function attend(kernels, control, thread, seen, onLast) {
  Atomics.wait(control, GENERATION, seen);
  const generation = Atomics.load(control, GENERATION);
  if (generation !== CLOSING) share(kernels, control, thread, onLast);
  return generation;
}

/**
 * Whether a thread may have taken work. One that never could is not missed.
 * @param {Int32Array} control
 * @param {number} thread
 */
export function isServing(control, thread) {
  return (Atomics.load(control, SERVING) & (1 << thread)) !== 0;
}

/**
 * What a thread is started with: WebAssembly, or the file of a native addon and which of its variants to use.
 * @typedef {object} ThreadSetup
 * @property {WebAssembly.Module} [module]
 * @property {{ readonly path: string, readonly variant: number }} [native]
 * @property {WebAssembly.Memory} memory
 * @property {Int32Array} control
 * @property {number} thread
 */

/**
 * A worker's life.
 * @param {ThreadSetup} setup
 * @param {(message: { serving: number } | { finished: number } | { failed: string }) => void} post
 * @param {(setup: ThreadSetup) => Kernels | undefined} [loadNative] where there can be native kernels
 */
export function serve(setup, post, loadNative) {
  const { module, memory, control, thread } = setup;
  try {
    const kernels = loadNative?.(setup) ?? instantiate(module, memory);
    Atomics.or(control, SERVING, 1 << thread);
    post({ serving: thread });
    const onLast = () => post({ finished: thread });
    for (let seen = 0; seen !== CLOSING; ) seen = attend(kernels, control, thread, seen, onLast);
  } catch (error) {
    post({ failed: error instanceof Error ? error.message : String(error) });
  }
}

/**
 * @param {WebAssembly.Module | undefined} module
 * @param {WebAssembly.Memory} memory
 */
function instantiate(module, memory) {
  if (!module) throw new Error('there are no kernels');
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  return /** @type {Kernels} */ (/** @type {unknown} */ (exports));
}
