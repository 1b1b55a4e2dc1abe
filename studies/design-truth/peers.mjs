// What else one could do with the same table: each peer gets the stated problem (data and space, never the truth) and
// proposes a batch of different designs that are no past rows, on the steps of the table as `design` does.
import { ensemble, forward } from '../../dist/algorithms/index.js';
import { doableDesigns } from '../../dist/design/doableDesigns.js';
import {
  encode,
  fitForest,
  logExpectedImprovement,
  predictTrees,
  SearchSpace,
} from '../../dist/models/index.js';
import { makeNetworks } from '../../dist/models/regressionNetworks.js';
import {
  argsort,
  fitStandardization,
  foldKey,
  openLinearAlgebra,
  rootKey,
  Stream,
  standardDeviation,
} from '../../dist/numeric/index.js';
import { states } from '../../dist/run.js';
import { toScale } from '../../dist/space/index.js';
import { joined, openSearch } from './designSearch.mjs';
import { conditioned, fitProcess } from './plainProcess.mjs';

/**
 * @typedef {import('../../dist/problem/index.js').Problem} Problem
 * @typedef {import('../../dist/numeric/index.js').Engine} Engine
 * @typedef {object} Task what a peer gets
 * @property {Problem} problem
 * @property {number} seed
 * @property {number} batch
 * @property {Engine} engine
 * @property {() => void} check called often; throws where the peer has had its time
 * @property {<T>(name: string, make: () => T | Promise<T>) => Promise<T>} share computed once for all peers of a table; its time counts for each
 */

/** Of `gp-mean` and `forest`, which score many designs at little cost, and of each of the batch's designs by EI. */
const WIDE = { lines: 40, rounds: 60, children: 3 };
const NARROW = { lines: 16, rounds: 40, children: 2 };
/** Noise of `best-rows-noise`, as a share of a column's standard deviation and as the chance of another class. */
const NOISE = 0.1;

/** Designs, n x d, by name of the peer. @type {Record<string, (task: Task) => Promise<Float64Array>>} */
export const peers = {
  'gp-mean': async (task) => {
    const { inputs, process } = await processOf(task);
    return highest(task, (designs) => process.mean(inputs(designs)));
  },
  'gp-ei': expectedImprovement,
  forest: async (task) => {
    const { data } = task.problem;
    const inputs = inputsOf(task.problem);
    const x = inputs(data.x);
    const trees = fitForest({ x, y: data.y, columns: x.length / data.y.length }, {}, rootKey(task.seed));
    return highest(task, (designs) => predictTrees(trees, inputs(designs)));
  },
  forward: (task) => ascent(task, forward, 1),
  ensemble: (task) => ascent(task, ensemble, ensemble.defaults.networks),
  repeat: async ({ problem: { data, space }, batch }) => {
    const d = space.columns.length;
    const best = argsort(data.y, 'descending')[0];
    return joined(Array(batch).fill(data.x.subarray(best * d, (best + 1) * d)), d);
  },
  random: async (task) => {
    const { draws } = await searchOf(task);
    return newOnes(task, draws);
  },
  'best-rows-noise': bestRowsWithNoise,
};

/** @param {Task} task */
const searchOf = ({ problem, seed, share }) => share('search', () => openSearch(problem, seed));

/** Numbers standardised, on their scale; a column of 0 and 1 for each class. @param {Problem} problem */
export function inputsOf({ data, space }) {
  const { columns } = space;
  const d = columns.length;
  const scaled = (/** @type {Float64Array} */ x) => x.map((v, i) => toScale(columns[i % d], v));
  const { mean, scale } = fitStandardization(scaled(data.x), d);
  const widths = columns.map((column) => (column.kind === 'categorical' ? column.classes : 1));
  const P = widths.reduce((a, b) => a + b);
  return (/** @type {Float64Array} */ designs) => {
    const inputs = new Float64Array((designs.length / d) * P);
    let at = 0;
    for (let i = 0; i < designs.length; i++) {
      const j = i % d;
      if (columns[j].kind === 'categorical') inputs[at + designs[i]] = 1;
      else inputs[at] = (toScale(columns[j], designs[i]) - mean[j]) / scale[j];
      at += widths[j];
    }
    return inputs;
  };
}

/** The process of a table, with its hyperparameters. @param {Task} task */
async function processOf({ problem, seed, check, share }) {
  return share('process', async () => {
    const linalg = await openLinearAlgebra();
    const { data } = problem;
    const inputs = inputsOf(problem);
    const { mean, scale } = fitStandardization(data.y, 1);
    const x = inputs(data.x);
    const y = data.y.map((v) => (v - mean[0]) / scale[0]);
    const { theta } = fitProcess(linalg, x, y, new Stream(foldKey(rootKey(seed), 'process')), check);
    return { linalg, inputs, x, y, theta, process: conditioned(linalg, x, y, theta) };
  });
}

/**
 * The designs of highest score that somebody can make.
 * @param {Task} task @param {import('./designSearch.mjs').Score} score
 */
async function highest(task, score) {
  const { problem, batch, seed, check } = task;
  const search = await searchOf(task);
  const checked = (/** @type {Float64Array} */ designs) => {
    check();
    return score(designs);
  };
  const found = search.maximise(checked, WIDE, new Stream(foldKey(rootKey(seed), 'maximise')));
  return best(
    await doableDesigns(
      problem,
      found.map(({ design }) => design),
      batch,
    ),
    score,
    search.d,
    batch,
  );
}

/** @param {Float64Array[]} designs @param {import('./designSearch.mjs').Score} score @param {number} d @param {number} count */
function best(designs, score, d, count) {
  const order = Array.from(argsort(score(joined(designs, d)), 'descending')).slice(0, count);
  return joined(
    order.map((i) => designs[i]),
    d,
  );
}

/** One design after the other by log EI; each is then believed to give what is expected of it (kriging believer). @param {Task} task */
async function expectedImprovement(task) {
  const { problem, batch, seed, check } = task;
  const { linalg, inputs, theta, ...first } = await processOf(task);
  const search = await searchOf(task);
  const { d } = search;
  let { x, y, process } = first;
  /** @type {Float64Array[]} */
  const chosen = [];
  for (let t = 0; t < batch; t++) {
    const incumbent = y.reduce((most, v) => Math.max(most, v));
    const score = (/** @type {Float64Array} */ designs) => {
      check();
      const { mean, sd } = process.predict(inputs(designs));
      // at a row without noise the deviation may be 0, and log EI no number
      const floor = (/** @type {number} */ log) => (Number.isFinite(log) ? log : -1e300);
      return mean.map((mu, i) => floor(logExpectedImprovement(mu, Math.max(1e-9, sd[i]), incumbent).log));
    };
    const found = search.maximise(score, NARROW, new Stream(foldKey(rootKey(seed), `improvement ${t}`)));
    const pool = found.slice(0, 60).map(({ design }) => design);
    const taken = new Set(chosen.map((design) => design.join()));
    const others = (await doableDesigns(problem, pool, 1)).filter((design) => !taken.has(design.join()));
    if (others.length === 0) break;
    const next = best(others, score, d, 1);
    chosen.push(next);
    const at = inputs(next);
    y = joined([y, process.mean(at)], 1);
    x = joined([x, at], at.length);
    process = conditioned(linalg, x, y, theta);
  }
  return joined(chosen, d);
}

/**
 * An algorithm of the library at its defaults; of the designs it ends with, those it predicts most of.
 * @param {Task} task @param {any} algorithm `forward` or `ensemble` @param {number} networks
 */
async function ascent({ problem, batch, seed, engine, check }, algorithm, networks) {
  const { data, space } = problem;
  const options = algorithm.defaults;
  const setup = { data, space, engine, options };
  let last = null;
  for await (const state of states(algorithm, setup, rootKey(seed))) {
    check();
    last = state;
  }
  const pool = await doableDesigns(problem, [algorithm.propose(last, setup)], batch);
  const d = space.columns.length;
  const search = new SearchSpace(data, space, options);
  const model = makeNetworks(engine, search, networks, options);
  model.restore(/** @type {any} */ (last).surrogate);
  const { mean } = await model.predictDesigns(encode(search.encoding, joined(pool, d)));
  const together = Float64Array.from(pool, (_, i) => {
    let sum = 0;
    for (let b = 0; b < networks; b++) sum += mean[b * pool.length + i];
    return sum / networks;
  });
  return best(pool, () => together, d, batch);
}

/** The first designs that can be made and are no past rows, in the order given. @param {Task} task @param {Float64Array} designs */
async function newOnes({ problem, batch }, designs) {
  const d = problem.space.columns.length;
  const doable = await doableDesigns(problem, [designs.slice(0, 20 * batch * d)], 1);
  return joined(doable.slice(0, batch), d);
}

/** The best rows in turn, each a little moved. @param {Task} task */
async function bestRowsWithNoise(task) {
  const { problem, batch, seed } = task;
  const { data, space } = problem;
  const search = await searchOf(task);
  const d = space.columns.length;
  const stream = new Stream(foldKey(rootKey(seed), 'noise'));
  const deviations = space.columns.map((column, j) =>
    standardDeviation(Float64Array.from(data.y, (_, i) => toScale(column, data.x[i * d + j]))),
  );
  const order = argsort(data.y, 'descending').slice(0, batch);
  const moved = Array.from({ length: 20 * batch }, (_, i) => {
    const row = order[i % order.length];
    return search.near(data.x.slice(row * d, (row + 1) * d), NOISE, deviations, stream);
  });
  return newOnes(task, joined(moved, d));
}
