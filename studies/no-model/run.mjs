// What designs score that no model chose: the 128 best visible rows as they are, and the same rows with a little noise.
// One line of JSON per batch in records.jsonl; batches that are there are not scored again.
//   NEMOKIT_DATA=<folder> node studies/no-model/run.mjs [--seeds 4] [task...]
// No noise is added on tasks with classes (GFP, molecules).
import { parseArgs } from 'node:util';
import { openDataFolder } from '../../dist/data/dataFolder.js';
import { foldKey, median, rootKey, Stream, topIndices } from '../../dist/numeric/index.js';
import { taskOf } from '../../dist/tasks/index.js';
import { commit, openRecords } from '../lineFile.mjs';

const { values: flags, positionals } = parseArgs({
  options: { seeds: { type: 'string', default: '4' } },
  allowPositionals: true,
});
const ids = [
  'superconductor-gbdt-v1',
  'gfp-gp-v1',
  'molecule-activity-forest-v1',
  'hopper-controller-v1',
  'ant-morphology-cpg-v1',
  'dkitty-morphology-cpg-v1',
];
const wanted = positionals.length > 0 ? positionals : ids;
const M = 128;
/** Standard deviation of the noise, as a share of the standard deviation of each column over the visible rows. */
const sizes = [0.01, 0.03, 0.1, 0.3, 1];

/**
 * @typedef {{ task: string, noise: number, seed: number, best: number, median: number, commit: string }} Batch
 * @type {ReturnType<typeof openRecords<Batch>>}
 */
const { runs, add } = openRecords(new URL('records.jsonl', import.meta.url));

for (const id of wanted) {
  const plan = [
    { noise: 0, seed: 0 },
    ...Array.from({ length: Number(flags.seeds) }, (_, seed) =>
      sizes.map((noise) => ({ noise, seed })),
    ).flat(),
  ].filter(
    ({ noise, seed }) => !runs.some((run) => run.task === id && run.noise === noise && run.seed === seed),
  );
  if (plan.length === 0) continue;
  const task = await taskOf(id).open(openDataFolder());
  const isNumeric = task.space.columns.every(({ kind }) => kind === 'continuous');
  for (const { noise, seed } of plan) {
    if (noise > 0 && !isNumeric) continue;
    const scores = await task.score(batchOf(task, noise, seed));
    const batch = {
      task: id,
      noise,
      seed,
      best: scores.reduce((a, b) => Math.max(a, b)),
      median: median(scores),
      commit,
    };
    add(batch);
    process.stdout.write(
      `${id}, noise ${noise}, seed ${seed}: ${batch.best.toPrecision(4)}, median ${batch.median.toPrecision(4)}\n`,
    );
  }
}

/**
 * The best visible rows, first come first where scores are equal, moved inside the bounds.
 * @param {import('../../dist/tasks/index.js').Task} task @param {number} noise @param {number} seed
 */
function batchOf({ data: { x, y }, space: { columns } }, noise, seed) {
  const d = columns.length;
  const rows = topIndices(y, M);
  const stream = new Stream(foldKey(rootKey(seed), 'best rows with noise'));
  const designs = new Float64Array(M * d);
  columns.forEach((column, j) => {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < y.length; i++) {
      const value = x[i * d + j] ?? 0;
      sum += value;
      squares += value * value;
    }
    const sd = Math.sqrt(Math.max(0, squares / y.length - (sum / y.length) ** 2));
    rows.forEach((row, m) => {
      const moved = (x[row * d + j] ?? 0) + (noise > 0 ? noise * sd * stream.normal() : 0);
      const isBound = noise > 0 && column.kind === 'continuous';
      designs[m * d + j] = isBound ? Math.min(column.upper, Math.max(column.lower, moved)) : moved;
    });
  });
  return designs;
}
