// Writes the measured part of docs/design.md from the committed records: node scripts/designPage.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { median } from '../dist/numeric/index.js';

/**
 * @typedef {{ problem: string, seed: number, direction: 'max' | 'min', rows: number, columns: number, bestVisible: number,
 *   verdict: string, nemo: { truth: number, lo80: number, hi80: number, trust: string }[], plain: number[] }} Trial
 */

export const page = new URL('../docs/design.md', import.meta.url);
const records = new URL('../studies/design/records.jsonl', import.meta.url);
const begin = '<!-- measured: node scripts/designPage.mjs -->';
const end = '<!-- end of measured -->';

/** @param {string} text the page; its part between the two marks is replaced */
export function withMeasured(text) {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/design.md lacks "${begin}" or "${end}"`);
  return `${text.slice(0, from + begin.length)}\n\n${measured()}\n\n${text.slice(to)}`;
}

function measured() {
  /** @type {Trial[]} */
  const trials = readFileSync(records, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
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
  const widths = head.map((name, j) => Math.max(name.length, ...rows.map((row) => row[j]?.length ?? 0)));
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, j) => cell.padEnd(widths[j] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(page, withMeasured(readFileSync(page, 'utf8')));
}
