// Writes the measured parts of docs/design.md and docs/algorithms/*.md from the committed records.
//   node scripts/measured.mjs
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rowName, summarize } from '../dist/bench/summary.js';
import { median } from '../dist/numeric/index.js';

/**
 * @typedef {{ problem: string, seed: number, direction: 'max' | 'min', rows: number, columns: number, bestVisible: number,
 *   verdict: string, nemo: { truth: number, lo80: number, hi80: number, trust: string }[], plain: number[] }} Trial
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const begin = '<!-- measured: node scripts/measured.mjs -->';
const end = '<!-- end of measured -->';

/** Pages with a measured part; docs/results.md shows NEMO's results beside all others. */
export const pages = [
  'docs/design.md',
  ...readdirSync(`${root}docs/algorithms`)
    .filter((name) => name.endsWith('.md') && !['README.md', 'nemo.md'].includes(name))
    .map((name) => `docs/algorithms/${name}`),
];

/** A page with its measured part made from the records. @param {string} path */
export function withMeasured(path) {
  const text = readFileSync(root + path, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${path} lacks "${begin}" or "${end}"`);
  const part = path === 'docs/design.md' ? simulated() : benchmarked(basename(path, '.md'));
  return { text, made: `${text.slice(0, from + begin.length)}\n\n${part}\n\n${text.slice(to)}` };
}

/** @param {string} study @returns {any[]} */
function recordsOf(study) {
  return readFileSync(`${root}studies/${study}/records.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** What an algorithm reached on the tasks of the benchmark. @param {string} algorithm */
function benchmarked(algorithm) {
  const cells = ['paper-tasks', 'other-tasks'].flatMap((study) =>
    summarize(recordsOf(study).filter((record) => record.algorithm === algorithm)),
  );
  const rows = cells.map((cell) => {
    const spread = (/** @type {'100' | '50'} */ percentile) => {
      const { mean, deviation } = cell.raw[percentile];
      return cell.seeds.length > 1 ? `${rounded(mean)} ± ${rounded(deviation, mean)}` : rounded(mean);
    };
    return [
      cell.task,
      rowName(cell) + (cell.changed.length > 0 ? ' \\*' : ''),
      `${cell.seeds.length}`,
      spread('100'),
      spread('50'),
      rounded(cell.visibleMax),
      cell.cpuSecondsPerTrial.toFixed(0),
    ];
  });
  return table(['task', 'row', 'seeds', 'best', 'median', 'best visible', 'CPU seconds'], rows);
}

/** To the decimals with which `scale` has four digits. @param {number} value */
function rounded(value, scale = value) {
  const whole = Math.floor(Math.log10(Math.max(Math.abs(scale), 1e-3))) + 1;
  return value.toFixed(Math.max(0, Math.min(4, 4 - whole)));
}

/** What `nemokit design` reached on simulated processes. */
function simulated() {
  /** @type {Trial[]} */
  const trials = recordsOf('design');
  const reactor = trials.filter(({ problem }) => problem === 'reactor').map(compare);
  const others = trials.filter(({ problem }) => problem !== 'reactor').map(compare);
  return [
    table(
      [
        'tables',
        'nemokit beats best past run',
        'plain ascent beats best past run',
        'nemokit beats plain ascent',
        'true values inside 80 % interval',
      ],
      [
        ['the demo (reactor), ten tables', ...counts(reactor)],
        ['ten other processes', ...counts(others)],
      ],
    ),
    table(
      [
        'process',
        'rows',
        'columns',
        'best past run',
        'nemokit',
        'plain ascent',
        'proposals better than best past run',
        'inside 80 % interval',
        'verdict',
      ],
      others.map(({ trial, ours, plain, better, inside }) => [
        trial.problem + (trial.direction === 'min' ? ' (min)' : ''),
        `${trial.rows}`,
        `${trial.columns}`,
        trial.bestVisible.toFixed(2),
        ours.toFixed(2),
        plain.toFixed(2),
        `${better} of ${trial.nemo.length}`,
        `${inside} of ${trial.nemo.length}`,
        trial.verdict,
      ]),
    ),
    [
      sentence('nemokit ends below the best past run on', others, ({ beatsPast }) => !beatsPast),
      sentence('Plain ascent ends below it on', others, ({ plainBeatsPast }) => !plainBeatsPast),
      sentence('Plain ascent beats nemokit on', others, ({ beatsPlain }) => !beatsPlain),
      `- By label, the interval holds the true value for ${byLabel(trials)}.`,
    ].join('\n'),
  ].join('\n\n');
}

/** @typedef {ReturnType<typeof compare>} Comparison */

/** Medians of a batch's true values, and who is better. @param {Trial} trial */
function compare(trial) {
  const sign = trial.direction === 'max' ? 1 : -1;
  const ours = median(trial.nemo.map(({ truth }) => truth));
  const plain = median(trial.plain);
  return {
    trial,
    ours,
    plain,
    beatsPast: sign * ours > sign * trial.bestVisible,
    plainBeatsPast: sign * plain > sign * trial.bestVisible,
    beatsPlain: sign * ours > sign * plain,
    better: trial.nemo.filter(({ truth }) => sign * truth > sign * trial.bestVisible).length,
    inside: trial.nemo.filter(isInside).length,
  };
}

/** @param {{ truth: number, lo80: number, hi80: number }} proposal */
function isInside({ truth, lo80, hi80 }) {
  return lo80 <= truth && truth <= hi80;
}

/** @param {Comparison[]} compared */
function counts(compared) {
  const many = (/** @type {(one: Comparison) => boolean} */ test) =>
    `${compared.filter(test).length} of ${compared.length}`;
  const proposals = compared.reduce((sum, { trial }) => sum + trial.nemo.length, 0);
  const inside = compared.reduce((sum, one) => sum + one.inside, 0);
  return [
    many(({ beatsPast }) => beatsPast),
    many(({ plainBeatsPast }) => plainBeatsPast),
    many(({ beatsPlain }) => beatsPlain),
    `${inside} of ${proposals}`,
  ];
}

/** @param {string} start @param {Comparison[]} compared @param {(one: Comparison) => boolean} test */
function sentence(start, compared, test) {
  const names = compared.filter(test).map(({ trial }) => trial.problem);
  return `- ${start} ${names.length} of ${compared.length}: ${names.join(', ')}.`;
}

/** @param {Trial[]} trials */
function byLabel(trials) {
  const proposals = trials.flatMap(({ nemo }) => nemo);
  const parts = ['Trusted', 'Stretch', 'Guess'].map((trust) => {
    const labelled = proposals.filter((one) => one.trust === trust);
    return labelled.length === 0
      ? `no ${trust} row (there is none)`
      : `${labelled.filter(isInside).length} of ${labelled.length} ${trust} rows`;
  });
  return parts.join(', ');
}

/** @param {string[]} head @param {string[][]} rows */
function table(head, rows) {
  const widths = head.map((name, j) =>
    rows.reduce((width, row) => Math.max(width, row[j]?.length ?? 0), name.length),
  );
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, j) => cell.padEnd(widths[j] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const path of pages) writeFileSync(root + path, withMeasured(path).made);
}
