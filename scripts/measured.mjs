// Writes the measured parts of README.md, docs/design.md, docs/tasks/ant-morphology.md, docs/algorithms/*.md and
// studies/nemo-rule/README.md from the committed records.
//   node scripts/measured.mjs
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rowName, summarize } from '../dist/bench/summary.js';
import { mean } from '../dist/numeric/index.js';
import { gainsOf, isWeak, judgedRuns, promisesOf } from '../studies/design-truth/figures.mjs';
import { halves } from '../studies/design-truth/tables.mjs';
import { closedSets, latest } from '../studies/design-truth/targets.mjs';
import { ruleSentence, ruleTable } from '../studies/nemo-rule/results.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const begin = '<!-- measured: node scripts/measured.mjs -->';
const end = '<!-- end of measured -->';

/** Pages with a measured part. */
export const pages = [
  'README.md',
  'docs/design.md',
  'docs/tasks/ant-morphology.md',
  'docs/algorithms/nemo.md',
  'studies/nemo-rule/README.md',
  ...readdirSync(`${root}docs/algorithms`)
    .filter(
      (name) => name.endsWith('.md') && !['README.md', 'nemo.md', 'nemo-and-the-paper.md'].includes(name),
    )
    .map((name) => `docs/algorithms/${name}`),
];

/** Pages that are not about an algorithm, and what makes their measured part. @type {Record<string, () => string>} */
const otherPages = {
  'README.md': judgedShortly,
  'docs/design.md': judged,
  'docs/tasks/ant-morphology.md': thrown,
  'docs/algorithms/nemo.md': byRule,
  'studies/nemo-rule/README.md': byRule,
};

/** A page with its measured part made from the records. @param {string} path */
export function withMeasured(path) {
  const text = readFileSync(root + path, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${path} lacks "${begin}" or "${end}"`);
  const make = otherPages[path] ?? (() => benchmarked(basename(path, '.md')));
  return { text, made: `${text.slice(0, from + begin.length)}\n\n${make()}\n\n${text.slice(to)}` };
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
  const cells = ['paper-tasks', 'other-tasks', 'newer-methods'].flatMap((study) =>
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

/** What NEMO's defaults reached on the paper's tasks. */
function byRule() {
  const [head, rows] = ruleTable();
  return `${table(head, rows)}\n\n${ruleSentence()}`;
}

/** Bodies of Ant by the task's scorer and where joints begin inside their limits. */
function thrown() {
  const groups = JSON.parse(readFileSync(`${root}studies/robots/ant-throw.json`, 'utf8'));
  /** @type {readonly (readonly [string, string])[]} */
  const names = [
    ['default', 'default'],
    ['bestFound', 'best found by asking the simulator'],
    ['bestVisible', 'best 128 visible'],
    ['visible', 'every twelfth visible'],
    ['drawnEvenly', '128 drawn evenly from the space'],
  ];
  const rows = names.map(([key, name]) => {
    const { designs, best, median, bestByOwn, rankCorrelation } = groups[key];
    return [
      name,
      `${rounded(best.own)} / ${rounded(median.own)}`,
      `${rounded(best.inside)} / ${rounded(median.inside)}`,
      designs > 1 ? `${rounded(bestByOwn.inside)}` : '',
      `${bestByOwn.highest.toFixed(1)} m`,
      designs > 1 ? rankCorrelation.toFixed(2) : '',
    ];
  });
  const head = ['bodies', 'own: best / median', '`joints-inside`', 'of the best by own', 'how high it flies'];
  return table([...head, 'rank correlation'], rows);
}

/** To the decimals with which `scale` has four digits. @param {number} value */
function rounded(value, scale = value) {
  const whole = Math.floor(Math.log10(Math.max(Math.abs(scale), 1e-3))) + 1;
  return value.toFixed(Math.max(0, Math.min(4, 4 - whole)));
}

/** The same in two sentences. */
function judgedShortly() {
  const { half, version } = latest();
  const { designs, shown } = judgedRuns(half, version);
  const strong = shown.filter((run) => !isWeak(run));
  const gain = (/** @type {string} */ method) => {
    const all = gainsOf(strong, method).map((value) => Math.max(-1, value));
    return `${(100 * mean(all)).toFixed(0)} %`;
  };
  const { right, held } = promisesOf(designs);
  return `On ${gainsOf(strong, 'design').length} tables with a known truth that no setting was chosen on, the middle design of a batch goes ${gain('design')} of the way from the best row to the best there is, a plain Gaussian process ${gain('gp-mean')} (by its mean) or ${gain('gp-ei')} (by expected improvement), a random forest ${gain('forest')}, and repeating the best row ${gain('repeat')}; a table below -100 % counts as -100 %. Of ${right.length} verdicts LIKELY ${right.filter(Boolean).length} were right, and ${((100 * held.filter(Boolean).length) / held.length).toFixed(0)} % of the 80 % ranges hold the truth.`;
}

/** What `nemokit design` reached on the last judging set of tables with exact truth: the tables of the study's summary. */
function judged() {
  const text = readFileSync(`${root}studies/design-truth/summary.md`, 'utf8');
  const { half, version } = latest();
  const title = `${halves[/** @type {import('../studies/design-truth/tables.mjs').Half} */ (half)]}, design version ${version}\n`;
  const part = text.split('\n## ').find((section) => section.startsWith(title));
  if (part === undefined) throw new Error(`summary.md lacks "${title.trim()}"`);
  const blocks = part
    .slice(title.length)
    .trim()
    .split('\n\n')
    .map((block) => {
      if (!block.startsWith('|')) return block;
      const [head, , ...rows] = block.split('\n').map((line) =>
        line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      );
      return table(head ?? [], rows);
    });
  return [...blocks, closedSets()].join('\n\n');
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
