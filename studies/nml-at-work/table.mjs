// Writes the tables of this study into tables.md, from its records.
//   node studies/nml-at-work/table.mjs
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** @typedef {{ problem: string, seed: number, row: string, range: number[], start: number[], proposed: number[], isUnranked?: boolean, curve?: number[][], settled: number | null, cpuSeconds: number }} Run */
const RULE = 'rule 0.4.0';
/** @template Line @param {string} name @returns {Line[]} */
const read = (name) => {
  const file = new URL(name, import.meta.url);
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
};
/** Score as a share of the range of all rows, hidden ones included. @param {number[]} range @param {number[] | undefined} pair */
const shares = ([low = 0, high = 1], pair) =>
  pair ? pair.map((value) => ((value - low) / (high - low)).toFixed(3)).join(' / ') : 'not run';
/** @param {string[]} head @param {string[][]} rows */
const table = (head, rows) =>
  [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

/**
 * SOO-Bench's stability: the area under the best of the batch along the steps, above the best visible row less what was gained, as a share of
 * what it would be had the best step been held throughout. @param {Run | undefined} run
 */
function stability(run) {
  const best = run?.curve?.map(([, value]) => Number(value)) ?? [];
  if (!run || best.length < 2) return 'not run';
  const offline = Number(run.start[0]);
  const top = best.reduce((a, b) => Math.max(a, b));
  const zero = offline - Math.max(top - offline, 0.01);
  return (best.reduce((sum, value) => sum + value - zero, 0) / (best.length * (top - zero))).toFixed(3);
}

const runs = /** @type {Run[]} */ (read('runs.jsonl'));
const keys = [...new Set(runs.map(({ problem, seed }) => `${problem} ${seed}`))];
const rowNames = [...new Set(runs.map(({ row }) => row))];
const runRows = keys.map((key) => {
  const own = runs.filter(({ problem, seed }) => `${problem} ${seed}` === key);
  const main = own.find(({ row }) => row === RULE);
  const any = own[0];
  if (!any) return [];
  return [
    key,
    shares(any.range, any.start),
    ...rowNames.map((name) => shares(any.range, own.find(({ row }) => row === name)?.proposed)),
    main?.isUnranked ? 'not begun' : String(main?.settled ?? 'no'),
    String(main?.cpuSeconds ?? ''),
  ];
});
const stableRows = [RULE, 'ten times the steps', 'never settled, 4000 steps', 'lockstep, 1000 steps'];
const stable = keys.flatMap((key) => {
  const own = runs.filter(({ problem, seed, curve }) => curve && `${problem} ${seed}` === key);
  if (own.length < 2) return [];
  return [[key, ...stableRows.map((name) => stability(own.find(({ row }) => row === name)))]];
});
writeFileSync(
  new URL('tables.md', import.meta.url),
  `# Tables: NML at work

Made by \`node studies/nml-at-work/table.mjs\` from [runs.jsonl](runs.jsonl). Cells: best / median of 128 designs by the true score, 0 the worst and 1 the best row
of the whole table, hidden rows included. A problem's name is followed by its seed; constants were chosen with seed 0. The columns at the right are of \`${RULE}\`;
\`the rule\` is that of version 0.3.0, \`judged\` the same without its first and last step.

${table(['problem', 'start', ...rowNames, 'settled at', 'CPU seconds'], runRows)}

## Stability

SOO-Bench's SI of the best proposed design, every 100 steps from 0: 1 would be the best step held throughout.

${table(['problem', ...stableRows], stable)}
`,
);
