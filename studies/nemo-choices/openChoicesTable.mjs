// Renders studies/nemo-choices/openChoices.jsonl as the table of docs/algorithms/nemo.md.
import { readFileSync } from 'node:fs';

/** @typedef {{ problem: string, setting: string, seed: number, commit: string, kernel: string, curve: { step: number, best: number, median: number }[] }} Run */

/** @type {Run[]} */
const runs = readFileSync(new URL('openChoices.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const shown = [50, 100, 150, 200, 300];
for (const problem of new Set(runs.map((run) => run.problem))) {
  const digits = problem === 'tfbind8' ? 3 : 1;
  const ofProblem = runs.filter((run) => run.problem === problem);
  const lines = [
    `| ${problem}: model rate, w | ${shown.map((step) => `step ${step}`).join(' | ')} |`,
    `|---|${'---|'.repeat(shown.length)}`,
  ];
  for (const setting of new Set(ofProblem.map((run) => run.setting))) {
    const same = ofProblem.filter((run) => run.setting === setting);
    const cells = shown.map((step) => {
      const points = same.flatMap(({ curve }) => curve.filter((point) => point.step === step));
      const mean = (/** @type {'best' | 'median'} */ name) =>
        (points.reduce((sum, point) => sum + point[name], 0) / points.length).toFixed(digits);
      return `(${mean('best')}, ${mean('median')})`;
    });
    lines.push(`| ${setting} | ${cells.join(' | ')} |`);
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
const seeds = new Set(runs.map((run) => run.seed)).size;
process.stdout.write(
  `Means over ${seeds} seeds; commit ${[...new Set(runs.map((run) => run.commit))].join(', ')}, kernel ${[...new Set(runs.map((run) => run.kernel))].join(', ')}.\n`,
);
