// The records of this study as a table, and where the best rows themselves would rank among the algorithms.
import { readFileSync } from 'node:fs';

/**
 * @typedef {import('../../dist/bench/summary.js').Cell} Cell
 * @typedef {{ task: string, noise: number, seed: number, best: number, median: number, commit: string }} Batch
 */

/**
 * @param {readonly Cell[]} cells of the paper's tasks
 * @param {typeof import('../../dist/bench/comparison.js').compareRanks} compareRanks
 * @returns {string} Markdown
 */
export function noModelText(cells, compareRanks) {
  /** @type {Batch[]} */
  const batches = readFileSync(new URL('records.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const tasks = [...new Set(cells.map(({ task }) => task))];
  const noises = [...new Set(batches.map(({ noise }) => noise))].sort((a, b) => a - b);
  /** Scores of the best visible rows of every task. @type {Record<string, { startBest: number, startMedian: number }>} */
  const starts = JSON.parse(readFileSync(new URL('../tasks/results.json', import.meta.url), 'utf8')).tasks;
  const at = (/** @type {string} */ task, /** @type {number} */ noise) =>
    batches.filter((batch) => batch.task === task && batch.noise === noise);
  const lines = noises.map((noise) => {
    const numbers = tasks.map((task) => {
      if (noise === 0)
        return pair(starts[task]?.startBest ?? Number.NaN, starts[task]?.startMedian ?? Number.NaN);
      const found = at(task, noise);
      return found.length === 0 ? '' : pair(mean(found, 'best'), mean(found, 'median'));
    });
    return row(noise === 0 ? 'as they are' : `noise ${noise}`, numbers);
  });
  const tuned = tasks.map((task) => {
    const cell = cells.find(
      ({ task: name, algorithm, variant }) => name === task && algorithm === 'nemo' && variant === 'tuned',
    );
    return cell ? pair(cell.raw[100].mean, cell.raw[50].mean) : '';
  });
  const seeds = batches.reduce((most, { seed }) => Math.max(most, seed), 0) + 1;
  return [
    row('128 best visible rows', tasks),
    `| --- |${' ---: |'.repeat(tasks.length)}`,
    ...lines,
    row('nemo (tuned)', tuned),
    '',
    `best / median of 128 designs; noise: its standard deviation, as a share of that of each column; ${seeds === 1 ? 'one seed' : `1 to ${seeds} seeds`}`,
    '',
    `Doing nothing at all, the rows as they are, has mean rank ${place('100')} at the 100th percentile and ${place('50')} at the 50th.`,
  ].join('\n');

  /** @param {'100' | '50'} percentile */
  function place(percentile) {
    const rows = tasks.map((task) => {
      const start = starts[task];
      const like = cells.find((cell) => cell.task === task);
      if (!start || !like) throw new Error(`no numbers of ${task}: node studies/tasks/run.mjs ${task}`);
      const raw = {
        100: { ...like.raw[100], mean: start.startBest },
        50: { ...like.raw[50], mean: start.startMedian },
      };
      return { ...like, algorithm: 'nothing', variant: 'defaults', changed: [], raw };
    });
    const ranked = compareRanks([...cells, ...rows], percentile)?.rows ?? [];
    const index = ranked.findIndex(({ name }) => name.startsWith('nothing'));
    return `${ranked[index]?.rank.toFixed(2)}, place ${index + 1} of ${ranked.length},`;
  }
}

/** @param {readonly Batch[]} batches @param {'best' | 'median'} name */
function mean(batches, name) {
  return batches.reduce((sum, batch) => sum + batch[name], 0) / batches.length;
}

/** @param {number} best @param {number} median */
function pair(best, median) {
  return [best, median]
    .map((value) => (Math.abs(value) >= 1000 ? value.toFixed(0) : value.toPrecision(4)))
    .join(' / ');
}

/** @param {string} first @param {readonly string[]} rest */
function row(first, rest) {
  return `| ${[first, ...rest].join(' | ')} |`;
}
