// Tables and figures of the committed records: studies/<name>/tables.md, figures in docs/results/, and the tables between
// the marks of docs/results.md.
//   node studies/render.mjs           what nemokit bench table and bench plot make, in one go
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compareRanks } from '../dist/bench/comparison.js';
import { benchFigures } from '../dist/bench/figures.js';
import { readRecords } from '../dist/bench/records.js';
import { summarize } from '../dist/bench/summary.js';
import { formatTables } from '../dist/bench/tableFormats.js';
import { paperLayout, readPaperTables, resultTables } from '../dist/bench/tables.js';
import { noModelText } from './no-model/table.mjs';

const folders = ['paper-tasks', 'other-tasks', 'effect-of-nml', 'architecture', 'steps-ratio'];
const paper = await readPaperTables();
for (const name of folders) {
  const folder = fileURLToPath(new URL(name, import.meta.url));
  if (!existsSync(folder)) continue;
  const { records } = await readRecords(folder);
  const cells = summarize(records);
  const tables = [
    ...(name === 'paper-tasks' ? paperLayout(cells, paper) : []),
    ...resultTables(cells, { scale: 'raw' }),
    ...resultTables(cells, { scale: 'normalized' }),
  ];
  if (name === 'paper-tasks') {
    const floor = noModelText(cells, compareRanks);
    replaceBetween('../docs/results.md', 'no model', floor);
    replaceBetween('no-model/README.md', 'no model', floor);
    replaceBetween('../docs/results.md', 'tables', formatTables(resultTables(cells, { scale: 'raw' }), 'md'));
  }
  const commits = [...new Set(records.map(({ made }) => made.commit?.slice(0, 7) ?? 'unknown'))].join(', ');
  const seconds = records.reduce((sum, { made }) => sum + made.cpuSeconds, 0);
  const intro = [
    `# ${name}`,
    '',
    `${records.length} trials at commits ${commits}, ${(seconds / 3600).toFixed(1)} hours of processor time. Rendered by`,
    '`node studies/render.mjs` from [records.jsonl](records.jsonl), which has options, seeds and machines.',
    '',
    '',
  ];
  writeFileSync(`${folder}/tables.md`, intro.join('\n') + formatTables(tables, 'md'));
  const figures = fileURLToPath(new URL(`../docs/results/${name}`, import.meta.url));
  rmSync(figures, { recursive: true, force: true }); // a figure that the records no longer give would stay as it was
  mkdirSync(figures, { recursive: true });
  // of an ablation the search itself is what is looked at
  const isWanted = (/** @type {string} */ file) =>
    name.endsWith('-tasks') || /^(curves|stability)/.test(file);
  for (const [file, svg] of benchFigures(records))
    if (isWanted(file)) writeFileSync(`${figures}/${file}`, svg);
  process.stdout.write(`${name}: ${records.length} records\n`);
}

/**
 * Replaces what stands between `<!-- name -->` and `<!-- end of name -->`.
 * @param {string} path @param {string} name @param {string} text
 */
function replaceBetween(path, name, text) {
  const file = new URL(path, import.meta.url);
  const marked = new RegExp(`(<!-- ${name} -->\n)[^]*(<!-- end of ${name} -->)`);
  const page = readFileSync(file, 'utf8');
  if (!marked.test(page)) throw new Error(`${path} lacks <!-- ${name} -->`);
  writeFileSync(
    file,
    page.replace(marked, (_, begin, end) => `${begin}\n${text}\n${end}`),
  );
}
