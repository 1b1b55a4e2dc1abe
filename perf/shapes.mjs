// Sequences (`classes`) have a 1 for the letter of each position and zeros for the others; designs are dense. Operations are
// counted as if all were dense, for all engines alike.
// The four shapes of the paper's tasks: d inputs, two hidden layers of h, K models; 128 rows, one query, 128 designs.

/**
 * Floating-point operations of one iteration's matrix products: forward and backward on 129 rows (the input's
 * gradient is not needed there), forward and input gradient on 128 designs.
 * @param {number} d @param {number} h @param {number} K
 */
function operations(d, h, K) {
  const upper = h * h + h;
  const all = d * h + upper;
  return K * (2 * 129 * (2 * all + upper) + 2 * 128 * 2 * all);
}

/** @type {Record<string, { d: number, h: number, K: number, operations: number, iterations: number, classes?: number }>} */
export const shapes = {
  ant: { d: 60, h: 64, K: 20, operations: operations(60, 64, 20), iterations: 150 },
  supercond: { d: 81, h: 256, K: 40, operations: operations(81, 256, 40), iterations: 12 },
  molecule: { d: 1024, h: 256, K: 40, operations: operations(1024, 256, 40), iterations: 4 },
  gfp: { d: 4760, h: 64, K: 40, operations: operations(4760, 64, 40), iterations: 4, classes: 20 },
};
