// The hidden scorer of molecule-activity-forest-v1: accuracy on molecules that were not seen, time to fit and to load,
// size, time to score, and the numbers of its page.
//   node studies/molecule-oracle/run.mjs <folder>     or NEMOKIT_DATA=<folder>; writes results/molecule-oracle.json
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fitForest, predictTrees } from '../../dist/models/index.js';
import { foldKey, quantile, rootKey, Stream, topIndices } from '../../dist/numeric/index.js';
import { openFingerprints } from '../../dist/problem/platform/rdkit.js';
import { moleculeActivity } from '../../dist/tasks/moleculeActivity.js';
import { checksumOf, printsOf, readMoleculeTable } from '../../dist/tasks/moleculeTable.js';
import { commit } from '../lineFile.mjs';

const folder = process.argv[2] ?? process.env.NEMOKIT_DATA;
if (!folder) {
  process.stderr.write('Say where the data are: node studies/molecule-oracle/run.mjs <folder>\n');
  process.exit(2);
}

const bits = 1024;
const options = { trees: 500, depth: 32 };

/** @type {Map<string, Uint8Array>} */
const kept = new Map();
/** @type {import('../../dist/tasks/task.js').DataSource} */
const source = {
  read: async (dataset, file) => readFileSync(join(folder, dataset, file)),
  async cached(name, make) {
    const bytes = kept.get(name) ?? (await make(() => {}));
    kept.set(name, bytes);
    return bytes;
  },
  fingerprints: openFingerprints,
};

const file = 'CHEMBL234_Ki.smiles_y.csv';
const table = await readMoleculeTable(await source.read('molecule', file), file);
const prints = printsOf(table, await openFingerprints({ bits, radius: 2 }), bits);
const { y } = table;
const N = y.length;

// A tenth is held out; molecules with the same bits stay together.
/** @type {Map<string, number[]>} */
const groups = new Map();
for (let i = 0; i < N; i++) {
  const print = prints.subarray(i * bits, (i + 1) * bits).join('');
  groups.set(print, [...(groups.get(print) ?? []), i]);
}
const ordered = [...groups.values()];
/** @type {Set<number>} */
const out = new Set();
for (const g of new Stream(rootKey(0)).permutation(ordered.length)) {
  if (out.size >= Math.floor(N / 10)) break;
  for (const i of ordered[g] ?? []) out.add(i);
}
const part = (/** @type {(i: number) => boolean} */ isIn) => {
  const rows = [...y.keys()].filter(isIn);
  const x = new Float64Array(rows.length * bits);
  rows.forEach((row, i) => {
    x.set(prints.subarray(row * bits, (row + 1) * bits), i * bits);
  });
  return { x, y: Float64Array.from(rows, (row) => y[row] ?? 0), columns: bits };
};
const seen = part((i) => !out.has(i));
const held = part((i) => out.has(i));
const forest = fitForest(seen, options, foldKey(rootKey(0), 'held out'));
process.stdout.write(`fitted on ${seen.y.length} molecules\n`);

const first = await timed(() => moleculeActivity.open(source));
const again = await timed(() => moleculeActivity.open(source));
const task = again.made;
const all = part(() => true);
const scores = await task.score(all.x);
const threshold = quantile(y, 0.8);
const best = topIndices(task.data.y, 128);
const start = new Float64Array(128 * bits);
best.forEach((row, i) => {
  start.set(task.data.x.subarray(row * bits, (row + 1) * bits), i * bits);
});
const startScores = await task.score(start);
const times = [];
for (let k = 0; k < 60; k++) times.push((await timed(() => task.score(start))).seconds * 1000);
const ordinary = times.slice(10).sort((a, b) => a - b);

const result = {
  commit,
  node: process.version,
  processor: cpus()[0]?.model,
  rdkit: JSON.parse(
    readFileSync(new URL('../../node_modules/@rdkit/rdkit/package.json', import.meta.url), 'utf8'),
  ).version,
  checksum: `0x${checksumOf(y, prints).toString(16).padStart(8, '0')}`,
  molecules: { all: N, differentBits: groups.size, visible: task.data.y.length },
  bitsPerMolecule: round(prints.reduce((sum, bit) => sum + bit, 0) / N, 1),
  y: {
    min: task.range.worst,
    max: task.range.best,
    visibleMax: task.data.y.reduce((a, b) => Math.max(a, b)),
  },
  held: { molecules: held.y.length, ...accuracy(predictTrees(forest, held.x), held.y) },
  oracle: {
    ofAll: accuracy(scores, y),
    hiddenMax: round(max(scores.filter((_, i) => (y[i] ?? 0) > threshold)), 3),
    visibleMax: round(max(scores.filter((_, i) => (y[i] ?? 0) <= threshold)), 3),
    startMax: round(max(startScores), 3),
    startMedian: round(quantile(startScores, 0.5), 3),
  },
  open: { first: seconds(first), again: seconds(again) },
  bytes: Object.fromEntries([...kept].map(([name, data]) => [name, data.length])),
  score128: { leastMs: round(ordinary[0] ?? 0, 2), medianMs: round(ordinary[25] ?? 0, 2) },
};
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
writeFileSync(new URL('results.json', import.meta.url), `${JSON.stringify(result, null, 2)}\n`);

/**
 * @template T
 * @param {() => Promise<T>} make
 */
async function timed(make) {
  const [start, used] = [performance.now(), process.cpuUsage()];
  const made = await make();
  const { user, system } = process.cpuUsage(used);
  return { made, seconds: (performance.now() - start) / 1000, cpuSeconds: (user + system) / 1e6 };
}

/** @param {{ seconds: number, cpuSeconds: number }} time */
function seconds(time) {
  return { seconds: round(time.seconds, 2), cpuSeconds: round(time.cpuSeconds, 2) };
}

/**
 * @param {Float64Array} found
 * @param {Float64Array} truth
 */
function accuracy(found, truth) {
  const mean = truth.reduce((sum, v) => sum + v, 0) / truth.length;
  let [left, whole] = [0, 0];
  truth.forEach((v, i) => {
    left += ((found[i] ?? 0) - v) ** 2;
    whole += (v - mean) ** 2;
  });
  return { r2: round(1 - left / whole, 4), rmse: round(Math.sqrt(left / truth.length), 3) };
}

/** @param {Float64Array} values */
function max(values) {
  return values.reduce((a, b) => Math.max(a, b));
}

/**
 * @param {number} value
 * @param {number} digits
 */
function round(value, digits) {
  return Number(value.toFixed(digits));
}
