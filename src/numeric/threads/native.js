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
