// Offline problems with a known true score, for choosing an algorithm's options. The algorithm sees the visible rows and
// the space of a problem, never its `score`. Levy and Rosenbrock come from the package; Styblinski-Tang and Dixon-Price
// are no tasks of the package and stand here.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quantile, rootKey, Stream } from '../../dist/numeric/index.js';
import { levy, rosenbrock } from '../../dist/tasks/closedForms.js';
import { tfbind8Exact } from '../../dist/tasks/tfbind8.js';

/** @typedef {import('../../dist/space/space.js').Dataset} Dataset */
/** @typedef {import('../../dist/space/space.js').Space} Space */
/** @typedef {{ name: string, data: Dataset, space: Space, score(x: Float64Array): number[] }} Problem */

/**
 * Designs drawn uniformly in a box, only the worst `share` of them visible.
 * @param {string} name @param {number} d @param {number} lower @param {number} upper @param {number} rows
 * @param {number} share @param {(x: Float64Array) => number} f @param {number} seed
 * @returns {Problem}
 */
function boxProblem(name, d, lower, upper, rows, share, f, seed) {
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
    name,
    data: {
      x: Float64Array.from(visible.flatMap(({ x }) => [...x])),
      y: Float64Array.from(visible, ({ y }) => y),
    },
    space: { columns: Array.from({ length: d }, () => ({ kind: 'continuous', lower, upper })) },
    score: (x) => Array.from({ length: x.length / d }, (_, i) => f(x.subarray(i * d, (i + 1) * d))),
  };
}

/** Levy, 20 dimensions, 10,000 designs in the usual domain [-10, 10]^20, the worst 60 % visible. */
export function levy20() {
  return boxProblem('levy20', 20, -10, 10, 10_000, 0.6, levy, 20);
}

/** Rosenbrock over 1000, 12 dimensions, 3,000 designs in [-2, 2]^12, the best 20 % hidden. @param {number} seed */
export function rosenbrock12(seed = 12) {
  return boxProblem('rosenbrock12', 12, -2, 2, 3000, 0.8, (x) => rosenbrock(x) / 1000, seed);
}

/**
 * Minus the Styblinski-Tang function per dimension; greatest value 39.166 at (-2.9035, ...).
 * @param {Float64Array} x
 */
function styblinskiTang(x) {
  let sum = 0;
  for (const v of x) sum += v ** 4 - 16 * v * v + 5 * v;
  return -sum / (2 * x.length);
}

/** 15 dimensions, 4,000 designs in [-5, 5]^15, the best 20 % hidden. @param {number} seed */
export function styblinski15(seed = 15) {
  return boxProblem('styblinski15', 15, -5, 5, 4000, 0.8, styblinskiTang, seed);
}

/**
 * Minus the Dixon-Price function over 1000; greatest value 0.
 * @param {Float64Array} x
 */
function dixonPrice(x) {
  let sum = ((x[0] ?? 0) - 1) ** 2;
  for (let i = 1; i < x.length; i++) sum += (i + 1) * (2 * (x[i] ?? 0) ** 2 - (x[i - 1] ?? 0)) ** 2;
  return -sum / 1000;
}

/** 10 dimensions, 3,000 designs in [-5, 5]^10, the best 20 % hidden. @param {number} seed */
export function dixonPrice10(seed = 10) {
  return boxProblem('dixonPrice10', 10, -5, 5, 3000, 0.8, dixonPrice, seed);
}

/**
 * Binding of SIX6 to every DNA sequence of length 8: the task tfbind8-exact-v1.
 * @param {string | undefined} folder the data folder
 * @returns {Promise<import('../../dist/tasks/task.js').Task & { name: string } | string>} the task, or why there is none
 */
export async function tfbind8(folder) {
  if (!folder || !existsSync(join(folder, 'tfbind8', 'tfbind8_SIX6_REF_R1.csv.gz')))
    return 'tfbind8 is not run: set NEMOKIT_DATA to a folder with tfbind8/tfbind8_SIX6_REF_R1.csv.gz';
  const task = await tfbind8Exact.open({
    read: async (dataset, file) => readFileSync(join(folder, dataset, file)),
    cached: (_name, make) => make(() => {}),
  });
  return { name: 'tfbind8', ...task };
}
