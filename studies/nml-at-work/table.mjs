// Writes the tables of this study into tables.md, from its records.
//   node studies/nml-at-work/table.mjs
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** @typedef {{ problem: string, seed: number, row: string, range: number[], start: number[], proposed: number[], met?: number[], bred?: number[], settled: number | null, cpuSeconds: number }} Run */
/** @typedef {{ problem: string, seed: number, range: number[], last: Record<string, number[]>, errors: { process: number, trees: number }, chosen: Record<string, number[]> }} Choice */
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

const runs = /** @type {Run[]} */ (read('runs.jsonl'));
const choices = /** @type {Choice[]} */ (read('choosers.jsonl'));
const keys = [...new Set(runs.map(({ problem, seed }) => `${problem} ${seed}`))];
const rowNames = [...new Set(runs.map(({ row }) => row))];
const runRows = keys.map((key) => {
  const own = runs.filter(({ problem, seed }) => `${problem} ${seed}` === key);
  const main = own.find(({ row }) => row === 'the rule');
  const any = own[0];
  if (!any) return [];
  return [
    key,
    shares(any.range, any.start),
    ...rowNames.map((name) => shares(any.range, own.find(({ row }) => row === name)?.proposed)),
    shares(any.range, main?.met),
    shares(any.range, main?.bred),
    String(main?.settled ?? 'no'),
    String(main?.cpuSeconds ?? ''),
  ];
});
const choosers = Object.keys(choices[0]?.chosen ?? {});
const lasts = ['lockstep 150', 'lockstep 1000', 'gp 200', 'last-layer 300'];
const choiceRows = choices.map(({ problem, seed, range, last, errors, chosen }) => [
  `${problem} ${seed}`,
  ...lasts.map((name) => shares(range, last[name])),
  `${errors.process} / ${errors.trees}`,
  ...choosers.map((name) => shares(range, chosen[name])),
]);
writeFileSync(
  new URL('tables.md', import.meta.url),
  `# Tables: NML at work

Made by \`node studies/nml-at-work/table.mjs\` from [runs.jsonl](runs.jsonl) and choosers.jsonl. Cells: best / median of 128 designs by the true score, 0 the worst and 1 the best row
of the whole table, hidden rows included. A problem's name is followed by its seed.

## What is proposed

\`met\` and \`bred\`: a batch of designs met alone, and of variants alone, of the row \`the rule\`. \`judged\` is the rule before its first and last step were added.

${table(['problem', 'start', ...rowNames, 'met', 'bred', 'settled at', 'CPU seconds'], runRows)}

## Who chooses well

From all designs that the three estimators met. Errors: mean squared, for unseen rows, of the process and of the trees.

${choiceRows.length > 0 ? table(['problem', ...lasts, 'errors', ...choosers], choiceRows) : 'Not run yet.'}
`,
);
