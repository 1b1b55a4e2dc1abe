// Trials of algorithms on benchmark tasks, scored once at the end, one line of JSON each.
//   NEMOKIT_DATA=<folder> node benchmarks/baselines.mjs --task tfbind8-exact-v1 --algorithm forward --seeds 0-7
//     --preset <name>      one of the algorithm's presets instead of its defaults
//     --set <name>=<json>  an option of its own; may be repeated
//     --threads <n>        default 1
//     --again              also trials that are there
//   node benchmarks/baselines.mjs --summary     a table of all that is there
// Appends to results/baselines.jsonl; trials that are there already (same task, algorithm, options and seed) are skipped.
// `best` and `median` are of the batch, normalised by the worst and best score of the whole dataset; `rawBest` and
// `rawMedian` are as scored. `seconds` is the search alone, training included;
// `cpuSeconds` is what it used of all cores, for machines that are shared.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import * as exported from '../dist/algorithms/index.js';
import { openDataFolder } from '../dist/evaluation/dataFolder.js';
import { median, openEngine, rootKey } from '../dist/numeric/index.js';
import { run } from '../dist/run.js';
import { taskOf } from '../dist/tasks/index.js';

/**
 * @typedef {{ task: string, algorithm: string, preset: string | null, options: Record<string, unknown>, seed: number,
 *   commit: string, best: number, median: number, rawBest: number, rawMedian: number, seconds: number, cpuSeconds: number,
 *   threads: number, kernel: string, processor: string | undefined }} Trial
 */

const file = new URL('results/baselines.jsonl', import.meta.url);
const { values: asked } = parseArgs({
  options: {
    task: { type: 'string' },
    algorithm: { type: 'string' },
    seeds: { type: 'string', default: '0-7' },
    preset: { type: 'string' },
    set: { type: 'string', multiple: true, default: [] },
    threads: { type: 'string', default: '1' },
    again: { type: 'boolean', default: false },
    summary: { type: 'boolean', default: false },
  },
});

if (asked.summary) summarize(trials());
else await measure();

async function measure() {
  const { task: id, algorithm: name } = asked;
  if (!id || !name) throw new Error('--task and --algorithm are needed; or --summary');
  const algorithm = /** @type {any} */ (exported.algorithms)[name];
  if (!algorithm) {
    throw new Error(`no algorithm "${name}"; there are ${Object.keys(exported.algorithms).join(', ')}`);
  }
  const options = { ...presetOf(name, algorithm.defaults), ...settings() };
  const known = asked.again ? [] : trials();
  const task = await taskOf(id).open(openDataFolder());
  const { worst, best } = task.range;
  const normalized = (/** @type {number} */ score) => (score - worst) / (best - worst);
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
  for (const seed of seedsOf(asked.seeds)) {
    const same = known.find(
      (trial) =>
        trial.task === id &&
        trial.algorithm === name &&
        trial.seed === seed &&
        JSON.stringify(trial.options) === JSON.stringify(options),
    );
    if (same) continue;
    const engine = await openEngine({ threads: Number(asked.threads) });
    const setup = { data: task.data, space: task.space, options, engine };
    const [start, used] = [performance.now(), process.cpuUsage()];
    const state = await run(algorithm, setup, rootKey(seed));
    const designs = algorithm.propose(state, setup);
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(used);
    await engine.close();
    const scores = await task.score(designs);
    const [rawBest, rawMedian] = [Math.max(...scores), median(scores)];
    /** @type {Trial} */
    const trial = {
      task: id,
      algorithm: name,
      preset: asked.preset ?? null,
      options,
      seed,
      commit,
      best: normalized(rawBest),
      median: normalized(rawMedian),
      rawBest,
      rawMedian,
      seconds: Number(seconds.toFixed(1)),
      cpuSeconds: Number(((user + system) / 1e6).toFixed(1)),
      threads: engine.threads,
      kernel: engine.kernel,
      processor: cpus()[0]?.model,
    };
    appendFileSync(file, `${JSON.stringify(trial)}\n`);
    process.stdout.write(
      `${id} ${name} seed ${seed}: best ${trial.best.toFixed(4)} median ${trial.median.toFixed(4)} ` +
        `(raw ${rawBest.toFixed(4)}, ${rawMedian.toFixed(4)}) in ${trial.seconds} s (${trial.cpuSeconds} s of processor)\n`,
    );
  }
  summarize(trials().filter((trial) => trial.task === id && trial.algorithm === name));
}

/** @returns {Trial[]} */
function trials() {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** @param {string} name @param {Record<string, unknown>} defaults @returns {Record<string, unknown>} */
function presetOf(name, defaults) {
  if (!asked.preset) return defaults;
  const camel = name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  const presets = /** @type {any} */ (exported)[`${camel}Presets`];
  const found = presets?.[asked.preset];
  if (found) return found;
  throw new Error(
    `${name} has no preset "${asked.preset}"; it has ${Object.keys(presets ?? {}).join(', ') || 'none'}`,
  );
}

function settings() {
  return Object.fromEntries(
    asked.set.map((text) => {
      const at = text.indexOf('=');
      const word = text.slice(at + 1);
      try {
        return [text.slice(0, at), JSON.parse(word)];
      } catch {
        return [text.slice(0, at), word];
      }
    }),
  );
}

/** "0-7" or "1,4". @param {string} text */
function seedsOf(text) {
  return text.split(',').flatMap((part) => {
    const [from = 0, to = from] = part.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
}

/** Mean and population standard deviation over seeds, as the published tables have them. @param {Trial[]} all */
function summarize(all) {
  /** @type {Map<string, Trial[]>} */
  const groups = new Map();
  for (const trial of all) {
    const name = JSON.stringify([trial.task, trial.algorithm, trial.preset, trial.options]);
    groups.set(name, [...(groups.get(name) ?? []), trial]);
  }
  for (const group of groups.values()) {
    const [first] = group;
    if (!first) continue;
    const defaults = /** @type {any} */ (exported.algorithms)[first.algorithm]?.defaults ?? {};
    const changed = Object.entries(first.options)
      .filter(([name, given]) => JSON.stringify(given) !== JSON.stringify(defaults[name]))
      .map(([name, given]) => `${name}=${JSON.stringify(given)}`);
    const spread = (/** @type {number[]} */ values) => {
      const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
      const sd = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length);
      return `${mean.toFixed(3)} ± ${sd.toFixed(3)}`;
    };
    process.stdout.write(
      `${[
        first.task,
        first.algorithm,
        first.preset ?? 'defaults',
        changed.join(' ') || '-',
        `n ${group.length}`,
        `best ${spread(group.map((t) => t.best))}`,
        `median ${spread(group.map((t) => t.median))}`,
        `raw ${spread(group.map((t) => t.rawBest))}, ${spread(group.map((t) => t.rawMedian))}`,
        `${spread(group.map((t) => t.seconds))} s`,
      ].join(' | ')}\n`,
    );
  }
}
