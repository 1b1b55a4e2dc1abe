// Problems of this study: closed forms of which the worst part is visible. True scores are asked by the study alone.
import { quantile, rootKey, Stream } from '../../dist/numeric/index.js';
import { hartmann6, levy, rosenbrock } from '../../dist/tasks/closedForms.js';
import { tfbind8 } from '../nemo-choices/problems.mjs';

/** @typedef {(x: Float64Array) => number} Score */

/** @param {number} d @param {number} lower @param {number} upper @param {number} rows @param {number} share @param {Score} f @param {number} seed */
function boxProblem(d, lower, upper, rows, share, f, seed) {
  const stream = new Stream(rootKey(seed));
  const all = Array.from({ length: rows }, () => {
    const x = Float64Array.from({ length: d }, () => lower + (upper - lower) * stream.uniform());
    return { x, y: f(x) };
  });
  const cut = quantile(
    all.map(({ y }) => y),
    share,
  );
  const visible = all.filter(({ y }) => y <= cut);
  return {
    data: {
      x: Float64Array.from(visible.flatMap(({ x }) => [...x])),
      y: Float64Array.from(visible, ({ y }) => y),
    },
    space: {
      columns: Array.from({ length: d }, () => ({ kind: /** @type {const} */ ('continuous'), lower, upper })),
    },
    score: (/** @type {Float64Array} */ x) =>
      Array.from({ length: x.length / d }, (_, i) => f(x.subarray(i * d, (i + 1) * d))),
  };
}

/** Minus the Styblinski-Tang function. @type {Score} */
function styblinskiTang(x) {
  let sum = 0;
  for (const v of x) sum += v ** 4 - 16 * v * v + 5 * v;
  return -sum / 2;
}

/**
 * Each makes a problem; the last needs the data folder.
 * @type {Record<string, () => any>}
 */
export const problems = {
  hartmann6: () => boxProblem(6, 0, 1, 5000, 0.6, hartmann6, 6),
  levy20: () => boxProblem(20, -10, 10, 10_000, 0.6, levy, 20),
  styblinski12: () => boxProblem(12, -5, 5, 4000, 0.8, styblinskiTang, 15),
  rosenbrock15: () => boxProblem(15, -2, 2, 4000, 0.8, (x) => rosenbrock(x) / 1000, 12),
  /** A text that says why, where the data are not there. */
  tfbind8: () => tfbind8(process.env.NEMOKIT_DATA),
};
