// Makes every access to shared words late, at random: what a busy machine does once in a million runs happens all the time.

const nap = new Int32Array(new SharedArrayBuffer(4));
const real = methods();
const realWait = Atomics.wait.bind(Atomics);

function methods() {
  const { load, store, add, or, compareExchange, wait, notify } = Atomics;
  return { load, store, add, or, compareExchange, wait, notify };
}

/**
 * A delay before, and one after, each access with the given chance: half of them a sleep, half of them a spin.
 * @param {number} seed
 * @param {number} chance
 * @returns {() => void} takes the delays away again
 */
export function delayAtomics(seed, chance) {
  let state = seed >>> 0 || 1;
  /** xorshift32 */
  const draw = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const dawdle = () => {
    const u = draw();
    if (u > chance) return;
    if (u > chance / 2) realWait(nap, 0, 0, draw() * 0.6);
    else for (let i = draw() * 100_000; i > 0; i--);
  };
  for (const name of /** @type {(keyof typeof real)[]} */ (Object.keys(real))) {
    const method = /** @type {(...args: unknown[]) => unknown} */ (/** @type {unknown} */ (real[name]));
    /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (Atomics))[name] = (
      /** @type {unknown[]} */ ...args
    ) => {
      dawdle();
      const result = method.apply(Atomics, args);
      dawdle();
      return result;
    };
  }
  return () => Object.assign(Atomics, real);
}
