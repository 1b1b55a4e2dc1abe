// What the products alone reach: C = A W, C = A W' and G = A' B of 128 rows at molecule's shape, in operations per second of the
// processor, and what that means for an iteration: its products at that speed, and all the rest.
//   node perf/products.mjs [--rounds 15] [--kernels native,wasm-relaxed,wasm]
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { gradient, matmul, openEngine, rootKey, Stream, value } from '../dist/numeric/index.js';
import { keepResults } from './keepResults.mjs';
import { shapes } from './shapes.mjs';
import { median, StepProcess } from './stepProcess.mjs';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    kernels: { type: 'string', default: 'native,wasm-relaxed,wasm' },
  },
});
const [rows, k, n] = [128, 1024, 256];
const times = 10;
const { iterations = 0, operations = 0 } = shapes.molecule ?? {};

/** Seconds of the processor for all three products, `times` times. @param {string} kernel */
async function products(kernel) {
  const engine = await openEngine({ kernel: /** @type {'auto'} */ (kernel), threads: 1 });
  const stream = new Stream(rootKey(0));
  const a = engine.variable('a', { rows, columns: k });
  const w = engine.variable('w', { rows: k, columns: n, layout: 'weight' });
  const results = [
    engine.variable('c', { rows, columns: n }),
    engine.variable('da', { rows, columns: k }),
    engine.variable('dw', { rows: k, columns: n, layout: 'weight' }),
  ];
  const dc = engine.variable('dc', { rows, columns: n });
  for (const to of [a, w, dc]) {
    const numbers = new Float32Array(to.size);
    stream.fillUniform(numbers, -1, 1);
    to.write(numbers);
  }
  const c = matmul(value(a), value(w));
  const found = [c, ...gradient(c, [value(a), value(w)], value(dc))];
  const program = engine.compile('products', [
    found.map((from, i) => {
      const to = results[i];
      if (!to) throw new Error('no variable for a product');
      return { kind: /** @type {const} */ ('store'), to, from };
    }),
  ]);
  await program.run();
  return async () => {
    const before = process.cpuUsage();
    for (let i = 0; i < times; i++) await program.run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
}

const kernels = flags.kernels.split(',');
const alone = await Promise.all(kernels.map(products));
const whole = kernels.map((kernel) => StepProcess.ours('molecule', kernel, 1));
for (const one of whole) await one.answer();
/** @type {number[][]} */
const seconds = kernels.map(() => []);
const load = loadavg()[0] ?? Number.NaN;
for (let round = 0; round < Number(flags.rounds); round++)
  for (const [i] of kernels.entries()) {
    const cpu = await alone[i]?.();
    if (cpu) seconds[i]?.push(cpu);
    await whole[i]?.measure(Math.max(1, iterations / 4));
  }
const results = kernels.map((kernel, i) => {
  const speed = (3 * 2 * rows * k * n * times) / median(seconds[i] ?? []);
  const step = median((whole[i]?.measurements ?? []).map(({ cpu }) => cpu)) / Math.max(1, iterations / 4);
  whole[i]?.end();
  return {
    kernel,
    gigaflopPerCpuSecond: speed / 1e9,
    productsMilliseconds: (1000 * operations) / speed,
    stepMilliseconds: 1000 * step,
  };
});
keepResults(
  'products.json',
  { load, rounds: Number(flags.rounds), results },
  [
    'kernel',
    'GFLOP per CPU second, products alone',
    'molecule’s products at that speed, ms',
    'its iteration, CPU ms',
  ],
  results.map((one) => [
    one.kernel,
    ...[one.gigaflopPerCpuSecond, one.productsMilliseconds, one.stepMilliseconds].map((x) => x.toFixed(0)),
  ]),
);
