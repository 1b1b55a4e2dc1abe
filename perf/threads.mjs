// Two threads against one: iterations per second of the wall clock, in turn. Needs two free cores, so it refuses on a busy machine.
// Measures, writes threads.json and prints a table.
//   node perf/threads.mjs [--shape ant,gfp] [--rounds 5] [--kernels native,wasm-relaxed] [--busy]   (--busy: measure all the same)
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { keepResults } from './keepResults.mjs';
import { shapes } from './shapes.mjs';
import { median, StepProcess } from './stepProcess.mjs';

const { values: flags } = parseArgs({
  options: {
    shape: { type: 'string', default: Object.keys(shapes).join(',') },
    rounds: { type: 'string', default: '5' },
    kernels: { type: 'string', default: 'native,wasm-relaxed' },
    busy: { type: 'boolean', default: false },
  },
});
const load = loadavg()[0] ?? Number.NaN;
if (!(load < 0.5) && !flags.busy) {
  process.stderr.write(
    `threads: the load average is ${load.toFixed(2)}; two free cores are needed (below 0.5)\n`,
  );
  process.exit(1);
}

/** @type {{ shape: string, kernel: string, one: number, two: number, ratio: number }[]} */
const results = [];
for (const kernel of flags.kernels.split(','))
  for (const shape of flags.shape.split(',')) {
    const iterations = shapes[shape]?.iterations;
    if (!iterations) throw new Error(`there is no shape "${shape}"`);
    const both = [1, 2].map((threads) => StepProcess.ours(shape, kernel, threads));
    for (const one of both) await one.answer();
    for (let round = 0; round < Number(flags.rounds); round++)
      for (const one of both) await one.measure(iterations);
    const [one = Number.NaN, two = Number.NaN] = both.map(
      ({ measurements }) => iterations / median(measurements.map(({ wall }) => wall)),
    );
    for (const process of both) process.end();
    results.push({ shape, kernel, one, two, ratio: two / one });
    process.stderr.write(`${shape}, ${kernel}: ${(two / one).toFixed(2)}\n`);
  }
keepResults(
  'threads.json',
  { load, rounds: Number(flags.rounds), results },
  ['shape', 'kernel', 'iterations/s, 1 thread', '2 threads', 'ratio'],
  results.map(({ shape, kernel, one, two, ratio }) => [
    shape,
    kernel,
    ...[one, two, ratio].map((x) => x.toFixed(2)),
  ]),
);
