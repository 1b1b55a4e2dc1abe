// Tables and figures of the committed records: studies/<name>/tables.md, figures in docs/results/, and docs/results.md.
//   node studies/render.mjs           what nemokit bench table and bench plot make, in one go
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { oneVersion } from '../dist/bench/algorithmVersions.js';
import { compareRanks, compareRows } from '../dist/bench/comparison.js';
import { benchFigures } from '../dist/bench/figures.js';
import { metricPlots } from '../dist/bench/furtherFigures.js';
import { compareWithNulls } from '../dist/bench/nullComparison.js';
import { isNull } from '../dist/bench/nulls/index.js';
import { nullTables } from '../dist/bench/nullTables.js';
import { readRecords } from '../dist/bench/records.js';
import { withSecondScorers } from '../dist/bench/rescore.js';
import { rowName, summarize } from '../dist/bench/summary.js';
import { formatTables } from '../dist/bench/tableFormats.js';
import { paperLayout, readPaperTables, resultTables } from '../dist/bench/tables.js';
import { parseSpec } from '../dist/bench/trialPlan.js';
import { noModelText } from './no-model/table.mjs';
import { resultsPage } from './resultsPage.mjs';
import { besideNulls, linesOf } from './studyRecords.mjs';

const bench = {
  oneVersion,
  summarize,
  rowName,
  compareRanks,
  compareRows,
  compareWithNulls,
  nullTables,
  resultTables,
  formatTables,
  isNull,
  parseSpec,
  withSecondScorers,
};
const folders = [
  'nulls',
  'as-published',
  'blind',
  'paper-ablations',
  'paper-tasks',
  'other-tasks',
  'newer-methods',
  'effect-of-nml',
  'architecture',
  'steps-ratio',
];
const paper = await readPaperTables();
for (const name of folders) {
  const folder = fileURLToPath(new URL(name, import.meta.url));
  if (!existsSync(`${folder}/records.jsonl`)) continue;
  const { records: own, leftOut } = oneVersion((await readRecords(folder)).records);
  const records = besideNulls(bench, name);
  const cells = summarize(records);
  const tables = [
    ...(name === 'paper-tasks' ? paperLayout(cells, paper) : []),
    ...resultTables(cells, { scale: 'raw' }),
    ...nullTables(compareWithNulls(records)),
    ...resultTables(cells, { scale: 'normalized' }),
  ];
  const commits = [...new Set(own.map(({ made }) => made.commit?.slice(0, 7) ?? 'unknown'))].join(', ');
  const seconds = own.reduce((sum, { made }) => sum + made.cpuSeconds, 0);
  const intro = [
    `# ${name}`,
    '',
    `${own.length} trials at commits ${commits}, ${(seconds / 3600).toFixed(1)} hours of processor time. Rendered by`,
    '`node studies/render.mjs` from [records.jsonl](records.jsonl), which has options, seeds and machines.',
    ...leftOut.map(
      ({ algorithm, version, records: n, beside }) =>
        `Left out: ${n} of ${algorithm} ${version}, beside those of ${beside}.`,
    ),
    '',
    '',
  ];
  writeFileSync(`${folder}/tables.md`, intro.join('\n') + formatTables(tables, 'md'));
  const figures = fileURLToPath(new URL(`../docs/results/${name}`, import.meta.url));
  rmSync(figures, { recursive: true, force: true }); // a figure that the records no longer give would stay as it was
  mkdirSync(figures, { recursive: true });
  // of an ablation the search itself is what is looked at
  const isPass = name.endsWith('-tasks') || ['nulls', 'as-published', 'blind'].includes(name);
  const isWanted = (/** @type {string} */ file) => isPass || /^(curves|stability|metrics)/.test(file);
  for (const [file, svg] of benchFigures(records))
    if (isWanted(file)) writeFileSync(`${figures}/${file}`, svg);
  process.stdout.write(`${name}: ${own.length} records\n`);
}

// spread, Γ and tracking error along the search, drawn as the benchmark draws what algorithms report
const points = linesOf('nml-along-search/records.jsonl');
const nameOf = (/** @type {{ task: string, preset: string, seed: number }} */ { task, preset, seed }) =>
  JSON.stringify([task, preset, seed]);
const watched = [...new Set(points.map(nameOf))].map((name) => {
  const own = points.filter((point) => nameOf(point) === name);
  const [{ task, preset: variant, seed }] = own;
  const curve = own.map(({ iteration, ...metrics }) => ({ iteration, watched: metrics }));
  return { id: '', task, algorithm: 'nemo', variant, seed, result: { curve } };
});
const along = fileURLToPath(new URL('../docs/results/nml-along-search', import.meta.url));
rmSync(along, { recursive: true, force: true });
mkdirSync(along, { recursive: true });
const trials = /** @type {import('../dist/bench/records.js').TrialRecord[]} */ (
  /** @type {unknown} */ (watched)
);
for (const [file, svg] of metricPlots(trials, [...new Set(trials.map(rowName))]))
  writeFileSync(`${along}/${file}`, svg);

writeFileSync(new URL('../docs/results.md', import.meta.url), resultsPage(bench));

/** Puts a text between two marks of a page. @param {string} page @param {string} mark @param {string} text */
function fill(page, mark, text) {
  const file = new URL(page, import.meta.url);
  const old = readFileSync(file, 'utf8');
  const [from, to] = [`<!-- ${mark} -->\n\n`, `\n<!-- end of ${mark} -->`];
  writeFileSync(file, old.slice(0, old.indexOf(from) + from.length) + text + old.slice(old.indexOf(to)));
}
const script = fileURLToPath(new URL('nml-along-search/run.mjs', import.meta.url));
fill(
  'nml-along-search/README.md',
  'table',
  execFileSync(process.execPath, [script, '--table'], { encoding: 'utf8' }),
);

const firstPass = await readRecords(fileURLToPath(new URL('paper-tasks', import.meta.url)));
fill('no-model/README.md', 'no model', noModelText(summarize(firstPass.records), compareRanks));
