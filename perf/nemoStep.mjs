// One process that runs NEMO iterations of one shape on one kernel. Speaks JSON lines: {"iterations": n} in,
// {"wall", "cpu" (seconds), "peak" (bytes)} out. `perf/torch_step.py` speaks the same.
// Its first line says how long it took to be ready (load, make and initialise the networks, compile; without making
// up data) and to finish the first iteration.
import { createInterface } from 'node:readline';
import { shapes } from './shapes.mjs';

const [shapeName = '', kernel = 'auto', threads = '1', models] = process.argv.slice(2);
const { adam, constant, gradient, NetworkStack, openEngine, rootKey, rows, Stream, thermometer, value } =
  await import('../dist/numeric/index.js');
const shape = shapes[shapeName];
if (!shape) throw new Error(`unknown shape ${shapeName}`);
const { d, h } = shape;
const K = models ? Number(models) : shape.K;
const [N, B, M] = [1024, 128, 128];

const engine = await openEngine({ kernel: /** @type {'auto'} */ (kernel), threads: Number(threads) });
const stack = new NetworkStack(engine, { models: K, inputs: d, hidden: [h, h], targets: true });
stack.initialize(rootKey(0));
const stream = new Stream(rootKey(1));
// rows 0 to N - 1 are data, the others are the designs
const pool = engine.variable('pool', { rows: N + M, columns: d });
const table = engine.variable('table', { rows: B + 1, columns: 1, models: K, index: true });
const labels = engine.variable('labels', { rows: B + 1, columns: 2, models: K });
const weights = engine.variable('weights', { rows: B + 1, columns: 1 });
const designs = pool.window('designs', N, M);
const designGradient = engine.variable('designGradient', { rows: M, columns: d });
const block = new Float32Array(128 * d);
const beforeData = performance.now();
for (let from = 0; from < N; from += 128) {
  stream.fillUniform(block, -1.7, 1.7);
  // sequences: one letter in each position
  if (shape.classes) {
    block.fill(0);
    for (let at = 0; at < block.length; at += shape.classes) block[at + stream.integer(shape.classes)] = 1;
  }
  pool.writeRows(from, block);
}
if (shape.classes) stream.fillUniform(block, 0, 1 / shape.classes);
designs.write(block);
weights.write([...Array(B).fill(1 / B), 0.1]);
const bins = Array.from({ length: N }, () => stream.integer(K));
const dataTime = performance.now() - beforeData;

const loss = thermometer(stack.output(rows(pool, table)), value(labels), K, 1 / K);
const gradients = gradient(loss, stack.parameters().map(value), value(weights));
const targetMu = stack.output(value(designs), 'targets');
const [dx] = gradient(targetMu, [value(designs)], constant(1 / K, M, 1));
if (!dx) throw new Error('no design gradient');
const iterate = engine.compile('iterate', [
  stack.update(gradients),
  [{ kind: 'sum', to: designGradient, from: dx }],
]);
const ascent = adam({ ascend: true });
const moments = ascent.init(engine, [designs]);
const ascend = engine.compile('ascend', [ascent.update([designs], [value(designGradient)], moments)]);

const rowNumbers = new Int32Array(K * (B + 1));
const labelNumbers = new Float32Array(K * (B + 1) * 2);

async function iteration() {
  // every model sees rows of its own, as in the measurements this is compared with
  for (let k = 0, i = 0; k < K; k++) {
    for (let b = 0; b <= B; b++, i++) {
      const row = b < B ? stream.integer(N) : N + stream.integer(M);
      const bin = b < B ? bins[row] : k;
      rowNumbers[i] = row;
      labelNumbers[2 * i] = labelNumbers[2 * i + 1] = /** @type {number} */ (bin);
    }
  }
  table.write(rowNumbers);
  labels.write(labelNumbers);
  stack.advance({ rate: 3e-4, targetRate: 0.05 });
  await iterate.run();
  ascent.advance(moments, { rate: 0.02 });
  await ascend.run();
}

// performance.now() counts from the start of the process
const readySeconds = (performance.now() - dataTime) / 1000;
await iteration();
const firstStepSeconds = (performance.now() - dataTime) / 1000;
process.stdout.write(
  `${JSON.stringify({ kernel: engine.kernel, threads: engine.threads, readySeconds, firstStepSeconds })}\n`,
);

for await (const line of createInterface({ input: process.stdin })) {
  const { iterations } = JSON.parse(line);
  const cpu = process.cpuUsage();
  const wall = performance.now();
  for (let i = 0; i < iterations; i++) await iteration();
  const used = process.cpuUsage(cpu);
  const answer = {
    wall: (performance.now() - wall) / 1000,
    cpu: (used.user + used.system) / 1e6,
    peak: process.resourceUsage().maxRSS * 1024,
  };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await engine.close();
