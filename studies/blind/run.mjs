// Picks the settings of each method without its scorer: the best fifth of the visible rows is hidden, the method runs on the
// rest with each of its four settings, and a judge that was fitted to all visible rows says what its designs are worth. The
// setting whose batch is best on the judge is taken. Settings are the defaults times the factors of settings.json.
//   NEMOKIT_DATA=<folder> node studies/blind/run.mjs [--task id,...] [--algorithm name,...] [--into folder]
// One line per rehearsal in rehearsals.jsonl; rehearsals that are there are not repeated. Then spec.json has the choices.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { builtIn } from '../../dist/bench/registry.js';
import { openDataFolder } from '../../dist/data/dataFolder.js';
import { fitBoosting, predictTrees } from '../../dist/models/index.js';
import { foldKey, median, openEngine, quantile, rootKey } from '../../dist/numeric/index.js';
import { takeRows } from '../../dist/numeric/rows.js';
import { extent, fitStandardization } from '../../dist/numeric/stats.js';
import { run } from '../../dist/run.js';
import { encode, fitEncoding, modelInputs } from '../../dist/search/encoding.js';
import { commit, openRecords } from '../lineFile.mjs';

const { values: flags } = parseArgs({
  options: { task: { type: 'string' }, algorithm: { type: 'string' }, into: { type: 'string' } },
});
const folder = flags.into === undefined ? new URL('.', import.meta.url) : pathToFileURL(`${flags.into}/`);
/**
 * @typedef {'training' | 'search'} Part
 * @type {{ hidden: number, seeds: number[], tasks: string[], factors: Record<Part, number>[], options: Record<string, Record<Part, string>> }}
 */
const plan = JSON.parse(readFileSync(new URL('settings.json', import.meta.url), 'utf8'));
/** The defaults of the method times the factors; counts are rounded. */
const settingsOf = (/** @type {string} */ algorithm) => {
  const { defaults } = builtIn.algorithmOf(algorithm);
  const names = plan.options[algorithm];
  if (!names) throw new Error(`settings.json has no options of ${algorithm}`);
  const times = (/** @type {string} */ name, /** @type {number} */ factor) => {
    const value = Number(/** @type {Record<string, unknown>} */ (defaults)[name]);
    return Number.isInteger(value) ? Math.round(value * factor) : value * factor;
  };
  return plan.factors.map(({ training, search }) => ({
    [names.training]: times(names.training, training),
    [names.search]: times(names.search, search),
  }));
};
const asked = (/** @type {string[]} */ all, /** @type {string | undefined} */ some) =>
  some === undefined ? all : all.filter((name) => some.split(',').includes(name));

/**
 * @typedef {{ task: string, algorithm: string, version: string, setting: number, seed: number, best: number, median: number, commit: string }} Rehearsal
 * @type {ReturnType<typeof openRecords<Rehearsal>>}
 */
const { runs, add } = openRecords(new URL('rehearsals.jsonl', folder));
/** The same for every method: few trees, each on a part of rows and columns. */
const judgeOptions = { rate: 0.05, trees: 200, depth: 8, rowShare: 0.5, columnsPerTree: 100 };
const engine = await openEngine({ threads: 1 });

for (const id of asked(plan.tasks, flags.task)) {
  const { data, space } = await builtIn.taskOf(id).open(openDataFolder());
  const d = space.columns.length;
  const limit = quantile(data.y, 1 - plan.hidden);
  const rows = Array.from(data.y.keys()).filter((i) => (data.y[i] ?? 0) <= limit);
  const shown = { x: takeRows(data.x, d, rows), y: Float64Array.from(rows, (i) => data.y[i] ?? 0) };
  const encoding = fitEncoding(data, space, { box: null });
  const inputs = (/** @type {Float64Array} */ x) => modelInputs(encoding, encode(encoding, x));
  const columns = encoding.parameters;
  const options = { ...judgeOptions, columnsPerTree: Math.min(columns, judgeOptions.columnsPerTree) };
  const judge = fitBoosting(
    { x: inputs(data.x), y: data.y, columns },
    options,
    foldKey(rootKey(0), `judge of ${id}`),
  );
  const { mean, scale } = fitStandardization(data.y, 1);
  for (const algorithm of asked(Object.keys(plan.options), flags.algorithm)) {
    const method = builtIn.algorithmOf(algorithm);
    for (const [setting, changes] of settingsOf(algorithm).entries()) {
      for (const seed of plan.seeds) {
        const is = (/** @type {Rehearsal} */ one) =>
          one.task === id &&
          one.algorithm === algorithm &&
          one.setting === setting &&
          one.seed === seed &&
          one.version === method.version;
        if (runs.some(is)) continue;
        const setup = { data: shown, space, options: { ...method.defaults, ...changes }, engine };
        // a setting with which training or search diverges is worth nothing
        const designs = await run(method, setup, rootKey(seed)).then(
          (state) => method.propose(state, setup),
          (/** @type {Error} */ error) => {
            if (error.name === 'NotFiniteError') return null;
            throw error;
          },
        );
        const judged =
          designs === null
            ? Float64Array.of(-1e9)
            : predictTrees(judge, inputs(designs)).map((y) => (y - (mean[0] ?? 0)) / (scale[0] ?? 1));
        const line = {
          task: id,
          algorithm,
          version: method.version,
          setting,
          seed,
          best: extent(judged).max,
          median: median(judged),
          commit,
        };
        add(line);
        process.stdout.write(
          `${id} ${algorithm} setting ${setting}: ${line.best.toFixed(2)}, median ${line.median.toFixed(2)}\n`,
        );
      }
    }
  }
}
await engine.close();

// best + median, in standard deviations of the visible scores, mean over seeds; of equals the first
const variants = Object.keys(plan.options).map((algorithm) => ({
  algorithm,
  variant: 'blind',
  preset: 'defaults',
  onTask: Object.fromEntries(
    plan.tasks.flatMap((task) => {
      const settings = settingsOf(algorithm);
      const worth = settings.map((_, setting) => {
        const own = runs.filter(
          (one) => one.task === task && one.algorithm === algorithm && one.setting === setting,
        );
        return own.length === 0
          ? Number.NaN
          : own.reduce((sum, one) => sum + one.best + one.median, 0) / own.length;
      });
      if (worth.some(Number.isNaN)) return []; // not all were rehearsed
      const chosen = settings[worth.indexOf(extent(worth).max)];
      return chosen ? [[task, chosen]] : [];
    }),
  ),
}));
// a task is in the spec when every method has its settings there
const tasks = plan.tasks.filter((task) => variants.every(({ onTask }) => onTask[task] !== undefined));
process.stdout.write(`every method has its settings on ${tasks.length} of ${plan.tasks.length} tasks\n`);
if (tasks.length > 0)
  writeFileSync(
    new URL('spec.json', folder),
    `${JSON.stringify(
      {
        title: 'Blind',
        question: `Settings that rehearsals on visible rows picked, ${plan.factors.length} per method.`,
        tasks,
        seeds: '0-7',
        curve: { every: 50, withScores: false },
        variants: variants.map(({ onTask, ...row }) => ({
          ...row,
          onTask: Object.fromEntries(tasks.map((task) => [task, onTask[task]])),
        })),
      },
      null,
      2,
    )}\n`,
  );
