// The native kernels as threads call them. Plain JavaScript, because workers load it as it stands.

/**
 * The addon that native/addon.c makes. Addresses are in bytes. Wrong arguments throw; none reaches outside of its arrays.
 * @typedef {object} NativeAddon
 * @property {number} interface of opcodes.ts, when it was compiled
 * @property {readonly string[]} variants sets of instructions that this processor has, best first
 * @property {(variant: number, memory: Uint8Array, program: number, length: number, first: number, last: number,
 *   group: number, thread: number) => void} run
 * @property {(variant: number, memory: Uint8Array, count: number, groups: number, from: number, to: number) => void} addGroups
 * @property {(variant: number, n: number, a: Float64Array) => number} choleskyFactor
 * @property {(variant: number, isTransposed: number, n: number, columns: number, l: Float64Array, b: Float64Array) => void} solve
 * @property {(variant: number, rows: number, columns: number, depth: number, a: Float64Array, b: Float64Array,
 *   c: Float64Array) => void} multiplyTransposed
 * @property {(variant: number, isWhole: number, n: number, l: Float64Array, x: Float64Array) => void} invertFactor
 * @property {(variant: number, isMatern: number, isSame: number, numbers: number, classes: number, weights: Float64Array,
 *   n: number, xa: Float64Array, ka: Int32Array, m: number, xb: Float64Array, kb: Int32Array, to: Float64Array) => void} pairCovariances
 * @property {(variant: number, isMatern: number, n: number, groups: number, apart: Float64Array, alike: Float64Array,
 *   product: Float64Array, weights: Float64Array, r: Float64Array, q: Float64Array, k: Float64Array) => void} pairValues
 * @property {(variant: number, isMatern: number, n: number, groups: number, apart: Float64Array, alike: Float64Array,
 *   product: Float64Array, alpha: Float64Array, inverted: Float64Array, r: Float64Array, q: Float64Array,
 *   sums: Float64Array) => void} pairSlopes
 */

/**
 * @param {NativeAddon} addon
 * @param {number} variant
 * @param {WebAssembly.Memory} memory
 */
export function nativeKernels(addon, variant, memory) {
  let view = new Uint8Array(memory.buffer);
  const bytes = () => {
    // memory that has grown has a new buffer
    if (view.buffer !== memory.buffer) view = new Uint8Array(memory.buffer);
    return view;
  };
  return {
    /** @type {import('./share.js').Kernels['run']} */
    run(program, length, first, last, group, thread) {
      addon.run(variant, bytes(), program, length, first, last, group, thread);
    },
    /** @param {number} count @param {number} groups @param {number} from @param {number} to */
    addGroups(count, groups, from, to) {
      addon.addGroups(variant, bytes(), count, groups, from, to);
    },
  };
}
