// `npm run perf` is about one iteration; this is about whole commands: `design` on tables of 20 columns, with native kernels and
// without, in turn. Measures what endToEnd.json lacks, and prints a table.
//   node perf/endToEnd.mjs
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { command } from './command.mjs';

const records = fileURLToPath(new URL('endToEnd.json', import.meta.url));
const known = existsSync(records) ? JSON.parse(readFileSync(records, 'utf8')) : { points: {} };
const kernels = ['native', 'wasm-relaxed'];
const sizes = [240, 1000, 10_000];
const asked = ['design', '--goal', 'max yield', '--quiet', '--out', 'run'];

for (const rows of sizes)
  for (const kernel of kernels) {
    const name = `design ${rows} x 20, ${kernel}`;
    if (known.points[name]) continue;
    const { cpu, megabytes } = command(asked, rows, 20, { NEMOKIT_KERNEL: kernel });
    known.points[name] = { cpu: Number(cpu.toPrecision(4)), megabytes: Math.round(megabytes) };
    known.commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout?.trim();
    known.machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version };
    writeFileSync(records, `${JSON.stringify(known, null, 2)}\n`);
    process.stderr.write(`${name}: ${cpu.toFixed(1)} s, ${megabytes.toFixed(0)} MB\n`);
  }
const cell = (/** @type {number} */ rows, /** @type {string} */ kernel) =>
  known.points[`design ${rows} x 20, ${kernel}`];
const lines = [
  '| `design` on | CPU s, wasm-relaxed | CPU s, native | MB, native |',
  '| --- | --- | --- | --- |',
];
for (const rows of sizes) {
  const [native, relaxed] = [cell(rows, 'native'), cell(rows, 'wasm-relaxed')];
  lines.push(
    `| ${rows} x 20 | ${relaxed?.cpu.toFixed(1) ?? ''} | ${native?.cpu.toFixed(1) ?? ''} | ${native?.megabytes ?? ''} |`,
  );
}
process.stdout.write(
  `${lines.join('\n')}\n\n${known.commit}, ${known.machine?.cpu}, Node ${known.machine?.node}\n`,
);
