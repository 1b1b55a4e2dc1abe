// Tables and figures of the committed records: studies/<name>/tables.md, figures in docs/results/, and docs/results.md.
//   node studies/render.mjs           what nemokit bench table and bench plot make, in one go
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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
import { atDefaults, resultsPage } from './resultsPage.mjs';
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
  'nemo-rule',
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
  // of an ablation the search itself is what is looked at; the page's figures are those of its tables, see below
  const isPass = ['other-tasks', 'nulls', 'as-published', 'blind'].includes(name);
  const isWanted = (/** @type {string} */ file) => isPass || /^(curves|stability|metrics)/.test(file);
  if (name !== 'paper-tasks')
    drawn(
      name,
      benchFigures(records).filter(([file]) => isWanted(file)),
    );
  process.stdout.write(`${name}: ${own.length} records\n`);
}

// the page's figures have the rows of its tables: no setting that was picked by hand
const { first, nulls } = atDefaults(bench);
drawn('defaults', benchFigures([...first, ...nulls]));

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
const trials = /** @type {import('../dist/bench/records.js').TrialRecord[]} */ (
  /** @type {unknown} */ (watched)
);
drawn('nml-along-search', metricPlots(trials, [...new Set(trials.map(rowName))]));

writeFileSync(new URL('../docs/results.md', import.meta.url), resultsPage(bench));

/** Figures of docs/results/; one that the records no longer give goes. @param {string} name @param {readonly (readonly [string, string])[]} files */
function drawn(name, files) {
  const folder = fileURLToPath(new URL(`../docs/results/${name}`, import.meta.url));
  rmSync(folder, { recursive: true, force: true });
  if (files.length > 0) mkdirSync(folder, { recursive: true });
  for (const [file, svg] of files) writeFileSync(`${folder}/${file}`, svg);
}

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
const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
const tracked = fileURLToPath(new URL('nml-along-search/README.md', import.meta.url));
execFileSync(process.execPath, [biome, 'format', '--write', tracked], { stdio: 'ignore' });

const firstPass = await readRecords(fileURLToPath(new URL('paper-tasks', import.meta.url)));
fill('no-model/README.md', 'no model', noModelText(summarize(firstPass.records), compareRanks));
