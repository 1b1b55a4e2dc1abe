// `npm run perf`: the speed of one full NEMO iteration at the four shapes of the paper's tasks.
//   npm run perf -- [--json] [--shape ant,gfp] [--rounds 5] [--kernels native,wasm] [--threads 1,2] [--scaling 10,20,40]
//     [--turn 4]   turns of a quarter of the length: on a busy machine many short turns say more than a few long ones
// Where NEMOKIT_TORCH names a Python with PyTorch, its step is run in turn with ours, and the ratio is printed.
import { spawnSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { shapes } from './shapes.mjs';
import { median, StepProcess } from './stepProcess.mjs';

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    shape: { type: 'string', default: Object.keys(shapes).join(',') },
    rounds: { type: 'string', default: '5' },
    kernels: { type: 'string', default: 'native,wasm,wasm-relaxed' },
    threads: { type: 'string', default: '1,2' },
    scaling: { type: 'string', default: '10,20,40' },
    turn: { type: 'string', default: '1' },
  },
});

const file = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
/**
 * @typedef {object} Row
 * @property {number} load  load average of the machine when its rounds began
 * @property {string} shape
 * @property {string} engine
 * @property {number} threads
 * @property {number} iterationsPerSecond
 * @property {number} cpuMillisecondsPerIteration
 * @property {number} gigaflopPerCpuSecond
 * @property {number} peakMegabytes
 * @property {number} readySeconds
 * @property {number} firstStepSeconds
 * @property {number | null} torchCpuOverOurs
 */

/** @type {Row[]} */
const results = [];

for (const name of flags.shape.split(',')) {
  const shape = shapes[name];
  if (!shape) {
    process.stderr.write(`perf: there is no shape "${name}"; there are ${Object.keys(shapes).join(', ')}\n`);
    process.exit(2);
  }
  /** @type {StepProcess[]} */
  const contestants = [];
  /** @type {{ kernel: string, threads: number, readySeconds: number, firstStepSeconds: number }[]} */
  const greetings = [];
  // one at a time, so that nobody's start is slowed by another's
  const enter = async (/** @type {StepProcess} */ contestant) => {
    contestants.push(contestant);
    greetings.push(await contestant.answer());
  };
  for (const kernel of flags.kernels.split(',')) {
    for (const threads of flags.threads.split(',')) {
      await enter(StepProcess.ours(name, kernel, threads));
    }
  }
  if (process.env.NEMOKIT_TORCH) {
    const args = [file('torch_step.py'), JSON.stringify(shape), '1'];
    await enter(new StepProcess('torch 1', process.env.NEMOKIT_TORCH, args));
  }
  const iterations = Math.max(1, Math.round(shape.iterations / Number(flags.turn)));
  const load = loadavg()[0] ?? Number.NaN;
  for (let round = 0; round < Number(flags.rounds); round++) {
    for (const contestant of contestants) {
      await contestant.measure(iterations);
    }
  }
  const rows = contestants.map((contestant, i) => {
    const greeting = greetings[i];
    if (!greeting) throw new Error(`${contestant.name} never said it was ready`);
    const cpu = median(contestant.measurements.map((m) => m.cpu)) / iterations;
    const wall = median(contestant.measurements.map((m) => m.wall)) / iterations;
    return {
      load,
      shape: name,
      engine: greeting.kernel,
      threads: greeting.threads,
      iterationsPerSecond: 1 / wall,
      cpuMillisecondsPerIteration: 1000 * cpu,
      gigaflopPerCpuSecond: shape.operations / cpu / 1e9,
      peakMegabytes: contestant.measurements.reduce((peak, m) => Math.max(peak, m.peak), 0) / 1e6,
      readySeconds: greeting.readySeconds,
      firstStepSeconds: greeting.firstStepSeconds,
    };
  });
  const torch = rows.find((row) => row.engine.startsWith('torch'));
  const theirs = contestants.at(torch ? rows.indexOf(torch) : contestants.length)?.measurements;
  rows.forEach((row, i) => {
    // of each round by itself: what else the machine does changes from round to round
    const ratios = contestants[i]?.measurements.map(({ cpu }, round) => (theirs?.[round]?.cpu ?? 0) / cpu);
    const torchCpuOverOurs = ratios && theirs && row !== torch ? median(ratios) : null;
    results.push({ ...row, torchCpuOverOurs });
  });
  for (const contestant of contestants) contestant.end();
  if (!flags.json)
    print(
      results.filter((row) => row.shape === name),
      results.length === rows.length,
    );
}

/** @type {{ models: number, cpuMillisecondsPerModel: number }[]} */
const scaling = [];
for (const models of flags.scaling.split(',').filter(Boolean).map(Number)) {
  const contestant = StepProcess.ours('supercond', 'auto', 1, models);
  await contestant.answer();
  for (let round = 0; round < Number(flags.rounds); round++) await contestant.measure(12);
  const cpu = median(contestant.measurements.map((m) => m.cpu)) / 12;
  scaling.push({ models, cpuMillisecondsPerModel: (1000 * cpu) / models });
  contestant.end();
}
if (!flags.json && scaling.length > 0) {
  const cells = scaling.map(
    ({ models, cpuMillisecondsPerModel }) => `K = ${models}: ${cpuMillisecondsPerModel.toFixed(2)}`,
  );
  process.stdout.write(`\nCPU ms per model and iteration (supercond): ${cells.join('   ')}\n`);
}

const commit =
  spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout?.trim() || 'unknown';
const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version };
if (flags.json)
  process.stdout.write(
    `${JSON.stringify({ commit, machine, rounds: Number(flags.rounds), results, scaling }, null, 2)}\n`,
  );
else
  process.stdout.write(
    `\n${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; medians of ${flags.rounds} rounds in turn\n`,
  );

/** @param {Row[]} rows @param {boolean} withHeading */
function print(rows, withHeading) {
  const widths = [10, 16, 8, 8, 9, 12, 9, 9, 12];
  const line = (/** @type {string[]} */ cells) =>
    `${cells.map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('')}\n`;
  if (withHeading) {
    process.stdout.write(
      line([
        'shape',
        'engine',
        'threads',
        'it/s',
        'CPU ms',
        'GFLOP/CPU s',
        'peak MB',
        'ready s',
        'torch/ours',
      ]),
    );
  }
  for (const row of rows) {
    process.stdout.write(
      line([
        row.shape,
        row.engine,
        String(row.threads),
        row.iterationsPerSecond.toFixed(row.iterationsPerSecond < 20 ? 2 : 0),
        row.cpuMillisecondsPerIteration.toFixed(1),
        row.gigaflopPerCpuSecond.toFixed(1),
        row.peakMegabytes.toFixed(0),
        row.readySeconds.toFixed(2),
        row.torchCpuOverOurs === null ? '-' : `${row.torchCpuOverOurs.toFixed(2)}x`,
      ]),
    );
  }
}
