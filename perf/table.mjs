// Renders perf/results.json, or the file beside it that is named, as a table of perf/README.md.
//   node perf/table.mjs [native.json]
import { readFileSync } from 'node:fs';

const { commit, machine, rounds, results, scaling } = JSON.parse(
  readFileSync(new URL(process.argv[2] ?? 'results.json', import.meta.url), 'utf8'),
);
const lines = [
  '| shape | engine | threads | iterations/s | CPU ms | GFLOP per CPU second | peak MB | ready s | torch/ours |',
  '|---|---|---|---|---|---|---|---|---|',
];
for (const row of results) {
  const cells = [
    row.shape,
    row.engine,
    row.threads,
    row.iterationsPerSecond.toFixed(row.iterationsPerSecond < 20 ? 2 : 0),
    row.cpuMillisecondsPerIteration.toFixed(1),
    row.gigaflopPerCpuSecond.toFixed(1),
    row.peakMegabytes.toFixed(0),
    row.readySeconds.toFixed(2),
    row.torchCpuOverOurs === null ? '' : `${row.torchCpuOverOurs.toFixed(2)}x`,
  ];
  lines.push(`| ${cells.join(' | ')} |`);
}
const perModel = scaling.map(
  (/** @type {{ models: number, cpuMillisecondsPerModel: number }} */ s) =>
    `${s.cpuMillisecondsPerModel.toFixed(2)} (K = ${s.models})`,
);
lines.push(
  '',
  `Commit ${commit}, ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, medians of ${rounds} rounds in turn.`,
);
if (perModel.length > 0)
  lines.push(`The cost is linear in K: CPU ms per model of supercond ${perModel.join(', ')}.`);
process.stdout.write(`${lines.join('\n')}\n`);
