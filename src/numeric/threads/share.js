// How threads divide the models of a run. Plain JavaScript, because workers load it as it stands, from the sources
// as well as from the built package.

/**
 * What one thread computes with.
 * @typedef {{ run(program: number, length: number, first: number, last: number, group: number, thread: number): void }} Kernels
 */

/** Words of the control block: [claim, done, program, length, models, groups, generation, serving]. */
export const CONTROL_WORDS = 8;
export const CLAIM = 0;
export const DONE = 1;
export const PROGRAM = 2;
export const LENGTH = 3;
export const MODELS = 4;
export const GROUPS = 5;
export const GENERATION = 6;
/** One bit per thread that is ready for work. */
export const SERVING = 7;
/** As a generation: the engine is closing. */
export const CLOSING = -1;

/** Every run has a generation, so that a thread that wakes up late cannot take work of the next run for its own. */
const GENERATIONS = 0x7fffff;

/**
 * @param {number} generation
 * @returns {number} the claim word of a run that nobody has begun
 */
export function freshClaim(generation) {
  return (generation & GENERATIONS) << 8;
}

/**
 * Takes the next group of models, or -1 if none is left.
 * @param {Int32Array} control
 * @param {number} generation
 */
function claim(control, generation) {
  const groups = Atomics.load(control, GROUPS);
  for (;;) {
    const word = Atomics.load(control, CLAIM);
    const group = word & 0xff;
    if (word >> 8 !== (generation & GENERATIONS) || group >= groups) return -1;
    if (Atomics.compareExchange(control, CLAIM, word, word + 1) === word) return group;
  }
}

/**
 * Works until no group is left. Which thread computes a group does not matter to its result.
 * @param {Kernels} kernels
 * @param {Int32Array} control
 * @param {number} generation
 * @param {number} thread
 * @returns {boolean} whether this thread finished the last group
 */
export function share(kernels, control, generation, thread) {
  const program = Atomics.load(control, PROGRAM);
  const length = Atomics.load(control, LENGTH);
  const models = Atomics.load(control, MODELS);
  const groups = Atomics.load(control, GROUPS);
  let finished = false;
  for (let group = claim(control, generation); group >= 0; group = claim(control, generation)) {
    const first = Math.floor((group * models) / groups);
    const last = Math.floor(((group + 1) * models) / groups);
    kernels.run(program >>> 0, length, first, last, group, thread);
    finished = Atomics.add(control, DONE, 1) + 1 === groups;
  }
  return finished;
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
 * A worker's life: sleeps until a run begins, does its share, says when a run is finished.
 * @param {{ module: WebAssembly.Module, memory: WebAssembly.Memory, control: Int32Array, thread: number }} setup
 * @param {(message: { serving: number } | { finished: number } | { failed: string }) => void} post
 */
export function serve({ module, memory, control, thread }, post) {
  try {
    const kernels = /** @type {Kernels} */ (
      /** @type {unknown} */ (new WebAssembly.Instance(module, { env: { memory } }).exports)
    );
    Atomics.or(control, SERVING, 1 << thread);
    post({ serving: thread });
    for (let seen = 0; ; ) {
      Atomics.wait(control, GENERATION, seen);
      seen = Atomics.load(control, GENERATION);
      if (seen === CLOSING) return;
      if (share(kernels, control, seen, thread)) post({ finished: seen });
    }
  } catch (error) {
    post({ failed: error instanceof Error ? error.message : String(error) });
  }
}
