// Committed records of the studies, as the page of results and its tables read them.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {import('../dist/bench/records.js').TrialRecord} TrialRecord
 * @typedef {import('../dist/bench/rescore.js').Rescored} Rescored
 */

/** Lines of JSON under studies/; none where the file is not there. @param {string} path @returns {any[]} */
export function linesOf(path) {
  const file = fileURLToPath(new URL(path, import.meta.url));
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/**
 * Trials of a study, of each algorithm those of its newest version; none where it was not run.
 * @param {{ oneVersion: typeof import('../dist/bench/algorithmVersions.js').oneVersion }} bench @param {string} name
 */
export function recordsOf({ oneVersion }, name) {
  /** @type {TrialRecord[]} */
  const all = linesOf(`${name}/records.jsonl`);
  return [...oneVersion(all).records];
}

/**
 * The same, and behind them what second scorers say.
 * @param {Parameters<typeof recordsOf>[0] & { withSecondScorers: typeof import('../dist/bench/rescore.js').withSecondScorers }} bench
 * @param {string} name
 */
export function withRescored(bench, name) {
  /** @type {Rescored[]} */
  const rescored = linesOf(`${name}/rescored.jsonl`);
  return bench.withSecondScorers(recordsOf(bench, name), rescored);
}

/**
 * Trials of a study beside rows without a model on its tasks.
 * @param {Parameters<typeof withRescored>[0]} bench @param {string} name
 */
export function besideNulls(bench, name) {
  const nulls = withRescored(bench, 'nulls');
  if (name === 'nulls') return nulls;
  const own = withRescored(bench, name);
  const tasks = new Set(own.map(({ task }) => plainTask(task)));
  return [...own, ...nulls.filter(({ task }) => tasks.has(plainTask(task)))];
}

/** Of "superconductor-gbdt-v1 by forest" the task. @param {string} task */
export function plainTask(task) {
  return task.split(' by ')[0] ?? task;
}

/** Four digits. @param {number} value */
export function short(value) {
  return Math.abs(value) >= 1000 ? value.toFixed(0) : value.toPrecision(4);
}

/** @param {number} n @param {string} what */
export function counted(n, what) {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
