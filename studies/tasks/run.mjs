// Opens every benchmark task whose data are there, and prints its reference numbers and how long it took.
//   NEMOKIT_DATA=<folder> node studies/tasks/run.mjs [task...]     writes results/tasks.json; of other tasks keeps it
// The first time fits oracles (minutes); the second time reads them from the cache.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { openDataFolder } from '../../dist/data/dataFolder.js';
import { median } from '../../dist/numeric/index.js';
import { datasetOf } from '../../dist/tasks/datasets.js';
import { tasks } from '../../dist/tasks/index.js';
import { commit } from '../lineFile.mjs';

/** Designs that a method starts from: the best visible rows, first come first. */
const starts = 128;

const folder = openDataFolder({
  onProgress: (name, share) => {
    if (Math.floor(share * 100) % 10 === 0) process.stderr.write(`\r${name} ${Math.floor(share * 100)} %`);
  },
});
/** @type {Record<string, any>} */
const results = {};
/** Scores of all visible rows, by task. @type {Record<string, Float64Array>} */
const rowScores = {};
const file = new URL('results.json', import.meta.url);
const wanted = process.argv.slice(2);
if (wanted.length > 0) Object.assign(results, JSON.parse(readFileSync(file, 'utf8')).tasks);
for (const definition of tasks) {
  if (wanted.length > 0 && !wanted.includes(definition.id)) continue;
  const cache = { isUsed: true };
  /** @type {import('../../dist/tasks/index.js').DataSource} */
  const source = {
    ...folder,
    cached: (name, make) =>
      folder.cached(name, (report) => {
        cache.isUsed = false;
        return make(report);
      }),
  };
  try {
    const first = await timed(() => definition.open(source));
    const wasFitted = cache.isUsed;
    const second = wasFitted ? first : await timed(() => definition.open(source));
    const task = second.value;
    const { x, y } = task.data;
    const d = task.space.columns.length;
    const order = Array.from(y.keys()).sort((a, b) => (y[b] ?? 0) - (y[a] ?? 0) || a - b);
    const designs = new Float64Array(starts * d);
    order.slice(0, starts).forEach((row, i) => {
      designs.set(x.subarray(row * d, (row + 1) * d), i * d);
    });
    const scored = await timed(() => task.score(designs));
    // A simulation takes a tenth of a second for a design; so not all of them.
    const isSimulated = definition.datasets.some((name) => datasetOf(name).ships);
    const every = isSimulated ? Math.ceil(y.length / starts) : 1;
    const some = x.filter((_, at) => Math.floor(at / d) % every === 0);
    const all = await timed(() => task.score(some));
    rowScores[definition.id] = all.value;
    let squares = 0;
    let most = 0;
    all.value.forEach((score, i) => {
      const error = score - (y[i * every] ?? Number.NaN);
      squares += error * error;
      most = Math.max(most, Math.abs(error));
    });
    results[definition.id] = {
      rows: y.length,
      columns: d,
      visibleMax: y[order[0] ?? 0],
      range: task.range,
      startBest: scored.value.reduce((a, b) => Math.max(a, b)),
      startMedian: median(scored.value),
      visibleRmse: Math.sqrt(squares / all.value.length),
      visibleMostError: most,
      openSeconds: second.seconds,
      ...(wasFitted ? {} : { fitSeconds: first.seconds, fitCpuSeconds: first.cpuSeconds }),
      score128Ms: 1000 * scored.seconds,
      memoryMB: Math.round(process.memoryUsage.rss() / 2 ** 20),
    };
  } catch (error) {
    results[definition.id] = {
      notOpened: error instanceof Error ? error.message.split('. ')[0] : String(error),
    };
  }
  process.stdout.write(`\n${definition.id} ${JSON.stringify(results[definition.id], null, 2)}\n`);
}
const [byFeatures, byFormula] = [
  rowScores['superconductor-gbdt-v1'],
  rowScores['superconductor-composition-v1'],
];
if (byFeatures && byFormula) {
  const apart = byFeatures.map((score, i) => Math.abs(score - (byFormula[i] ?? Number.NaN)));
  Object.assign(results['superconductor-composition-v1'], {
    rowsScoredOtherwise: apart.filter((value) => value > 0).length,
    mostOtherwise: apart.reduce((a, b) => Math.max(a, b)),
  });
}
const document = {
  commit,
  node: process.version,
  processor: cpus()[0]?.model,
  tasks: results,
};
writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);

/**
 * @template T
 * @param {() => Promise<T>} work
 */
async function timed(work) {
  const [start, used] = [performance.now(), process.cpuUsage()];
  const value = await work();
  const { user, system } = process.cpuUsage(used);
  return {
    value,
    seconds: Number(((performance.now() - start) / 1000).toFixed(3)),
    cpuSeconds: Number(((user + system) / 1e6).toFixed(1)),
  };
}
