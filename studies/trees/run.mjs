// Gradient boosting and a random forest on the superconductor table (Hamidieh 2018): accuracy on formulas that were
// not seen, time to fit, time to predict, size as bytes.
//   node studies/trees/run.mjs <folder>     or NEMOKIT_DATA=<folder>; writes results/trees.json
//   node studies/trees/run.mjs <folder> --held rows.json     only writes which rows are held out, for trees.py
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { encodeTrees, fitBoosting, forestTrees, joinForest, predictTrees } from '../../dist/models/index.js';
import { foldKey, rootKey, Stream } from '../../dist/numeric/index.js';
import { commit } from '../lineFile.mjs';

/**
 * @typedef {import('../../dist/models/index.js').TreeData} TreeData
 * @typedef {import('../../dist/models/index.js').Tree} Tree
 * @typedef {import('../../dist/models/index.js').Trees} Trees
 */

const seed = 0;
/** The oracle of Design-Bench v0: scikit-learn's GradientBoostingRegressor with these options. */
const boosting = { trees: 374, depth: 16, rate: 0.02, rowShare: 0.5 };
const forest = { trees: 100 };

if (isMainThread) await main();
else {
  const { data, first, last } = workerData;
  for (const tree of forestTrees(data, forest, foldKey(rootKey(seed), 'forest'), first, last))
    parentPort?.postMessage(tree);
}

async function main() {
  const folder = join(process.argv[2] ?? process.env.NEMOKIT_DATA ?? '', 'superconductor');
  if (!existsSync(join(folder, 'train.csv.gz'))) {
    process.stdout.write(`no train.csv.gz in ${folder}: name the data folder, or set NEMOKIT_DATA\n`);
    process.exitCode = 2;
    return;
  }
  const { seen, held, all, formulas, out } = readTable(folder);
  if (process.argv[3] === '--held' && process.argv[4]) {
    writeFileSync(process.argv[4], JSON.stringify([...out].sort((a, b) => a - b)));
    return;
  }
  process.stdout.write(`${all.y.length} rows, ${formulas} formulas; ${held.y.length} rows held out\n`);
  const key = foldKey(rootKey(seed), 'boosting');

  const boosted = await timed('boosting, seen rows', () => fitBoosting(seen, boosting, key));
  const whole = await timed('boosting, all rows', () => fitBoosting(all, boosting, key));
  const threads = availableParallelism();
  const grown = await timed(`forest, seen rows, ${threads} threads`, () => growForest(seen, threads));

  const result = {
    commit,
    node: process.version,
    processor: cpus()[0]?.model,
    rows: { all: all.y.length, held: held.y.length },
    boosting: { ...boosting, ...accuracy(boosted.trees, held), ...boosted.time, ...shape(boosted.trees) },
    boostingOfAll: { ...whole.time, ...shape(whole.trees) },
    forest: { ...forest, threads, ...accuracy(grown.trees, held), ...grown.time, ...shape(grown.trees) },
    predict128: {
      boosting: predictTime(boosted.trees, held.x),
      forest: predictTime(grown.trees, held.x),
    },
  };
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(new URL('results.json', import.meta.url), `${JSON.stringify(result, null, 2)}\n`);
}

/**
 * A tenth of the rows is held out, by whole formulas.
 * @param {string} folder
 */
function readTable(folder) {
  const lines = (/** @type {string} */ name) =>
    gunzipSync(readFileSync(join(folder, name)))
      .toString('utf8')
      .trim()
      .split(/\r?\n/);
  const [heading = '', ...rows] = lines('train.csv.gz');
  const names = heading.split(',').slice(0, -1);
  const table = rows.map((line) => line.split(',').map(Number));
  const formulas = lines('unique_m.csv.gz')
    .slice(1)
    .map((line) => line.slice(line.lastIndexOf(',') + 1));
  if (formulas.length !== table.length) throw new Error(`${table.length} rows, ${formulas.length} formulas`);
  /** @type {Map<string, number[]>} */
  const groups = new Map();
  formulas.forEach((formula, i) => {
    const group = groups.get(formula);
    if (group) group.push(i);
    else groups.set(formula, [i]);
  });
  const ordered = [...groups.values()];
  /** @type {Set<number>} */
  const out = new Set();
  for (const g of new Stream(rootKey(seed)).permutation(ordered.length)) {
    if (out.size >= Math.floor(table.length / 10)) break;
    for (const i of ordered[g] ?? []) out.add(i);
  }
  const part = (/** @type {(i: number) => boolean} */ isIn) => {
    const chosen = table.filter((_, i) => isIn(i));
    return {
      x: Float64Array.from(chosen.flatMap((row) => row.slice(0, -1))),
      y: Float64Array.from(chosen, (row) => row.at(-1) ?? Number.NaN),
      columns: names.length,
      names,
    };
  };
  return {
    out,
    formulas: ordered.length,
    seen: part((i) => !out.has(i)),
    held: part((i) => out.has(i)),
    all: part(() => true),
  };
}

/**
 * Parts of the forest on so many threads; a tree is the same wherever it is grown.
 * @param {TreeData} data
 * @param {number} threads
 * @returns {Promise<Trees>}
 */
async function growForest(data, threads) {
  const parts = Array.from({ length: threads }, (_, k) => {
    const first = Math.floor((k * forest.trees) / threads);
    const last = Math.floor(((k + 1) * forest.trees) / threads);
    return new Promise((/** @type {(trees: Tree[]) => void} */ resolve, reject) => {
      /** @type {Tree[]} */
      const trees = [];
      new Worker(new URL(import.meta.url), { workerData: { data, first, last } })
        .on('message', (tree) => trees.push(tree))
        .on('error', reject)
        .on('exit', () => resolve(trees));
    });
  });
  return joinForest((await Promise.all(parts)).flat(), data.columns);
}

/**
 * @param {string} name
 * @param {() => Trees | Promise<Trees>} make
 */
async function timed(name, make) {
  const [start, used] = [performance.now(), process.cpuUsage()];
  const trees = await make();
  const { user, system } = process.cpuUsage(used);
  const time = {
    seconds: Number(((performance.now() - start) / 1000).toFixed(1)),
    cpuSeconds: Number(((user + system) / 1e6).toFixed(1)),
  };
  process.stdout.write(`${name}: ${time.seconds} s, ${time.cpuSeconds} s of processor time\n`);
  return { trees, time };
}

/**
 * @param {Trees} trees
 * @param {{ x: Float64Array, y: Float64Array }} held
 */
function accuracy(trees, { x, y }) {
  const mean = y.reduce((sum, v) => sum + v, 0) / y.length;
  let [left, all] = [0, 0];
  predictTrees(trees, x).forEach((v, i) => {
    left += (v - (y[i] ?? 0)) ** 2;
    all += ((y[i] ?? 0) - mean) ** 2;
  });
  return { r2: Number((1 - left / all).toFixed(4)), rmse: Number(Math.sqrt(left / y.length).toFixed(3)) };
}

/** @param {Trees} trees */
function shape(trees) {
  return { nodes: trees.column.length, bytes: encodeTrees(trees).length };
}

/**
 * Milliseconds for 128 rows and 100 trees: least and median of 50 calls after 10.
 * @param {Trees} trees
 * @param {Float64Array} x
 */
function predictTime(trees, x) {
  const rows = x.slice(0, 128 * trees.columns);
  const times = Array.from({ length: 60 }, () => {
    const start = performance.now();
    predictTrees(trees, rows);
    return ((performance.now() - start) * 100) / (trees.first.length - 1);
  })
    .slice(10)
    .sort((a, b) => a - b);
  return { least: Number(times[0]?.toFixed(3)), median: Number(times[25]?.toFixed(3)) };
}
