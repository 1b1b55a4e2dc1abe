// How long and how fast to pretrain, from visible rows alone: rank correlation of predictions with scores on a held-out
// tenth of the visible rows (mean over 4 networks). No true score of any proposal is looked at.
//   NEMOKIT_DATA=<folder> node studies/nemo-choices/pretraining.mjs     writes results/nemo-pretraining.json
import { writeFileSync } from 'node:fs';
import { binOf, encode, fitEncoding, fitQuantizer, modelInputs } from '../../dist/models/index.js';
import {
  constant,
  gradient,
  NetworkStack,
  openEngine,
  rootKey,
  rows,
  Stream,
  spearman,
  thermometer,
  value,
} from '../../dist/numeric/index.js';
import { commit } from '../lineFile.mjs';
import { dixonPrice10, levy20, rosenbrock12, styblinski15, tfbind8 } from './problems.mjs';

const [members, bins, B] = [4, 20, 128];
const checkpoints = [500, 1000, 1500, 2000, 3000, 4000, 6000];
const rates = [1e-3, 3e-3, 1e-2];
const results = [];

const engine = await openEngine();
for (const problem of [
  levy20(),
  rosenbrock12(),
  styblinski15(),
  dixonPrice10(),
  await tfbind8(process.env.NEMOKIT_DATA),
]) {
  if (typeof problem === 'string') {
    process.stdout.write(`${problem}\n`);
    continue;
  }
  const { name, data, space } = problem;
  const d = space.columns.length;
  const stream = new Stream(rootKey(5));
  const order = stream.permutation(data.y.length);
  const part = (/** @type {Uint32Array} */ numbers) => ({
    x: Float64Array.from([...numbers].flatMap((i) => [...data.x.subarray(i * d, (i + 1) * d)])),
    y: Float64Array.from(numbers, (i) => data.y[i] ?? Number.NaN),
  });
  const held = part(order.subarray(0, Math.min(1000, Math.floor(data.y.length / 10))));
  const seen = part(order.subarray(Math.floor(data.y.length / 10)));
  const encoding = fitEncoding(seen, space, { box: null });
  const quantizer = fitQuantizer(seen.y, { bins, headroom: 0.3 });
  const P = encoding.parameters;
  const pool = engine.variable('pool', { rows: seen.y.length, columns: P });
  const labels = engine.variable('labels', { rows: seen.y.length, columns: 2 });
  const table = engine.variable('table', { rows: B, columns: 1, index: true });
  pool.write(modelInputs(encoding, encode(encoding, seen.x)));
  labels.write([...seen.y].flatMap((y) => Array(2).fill(binOf(quantizer, y))));
  const questions = modelInputs(encoding, encode(encoding, held.x));
  for (const rate of rates) {
    const stack = new NetworkStack(engine, { models: members, inputs: P, hidden: [64, 64] });
    stack.initialize(rootKey(0));
    const loss = thermometer(stack.output(rows(pool, table)), rows(labels, table), bins, 1 / bins);
    const gradients = gradient(loss, stack.parameters().map(value), constant(1 / B, B, 1));
    const program = engine.compile('train', [stack.update(gradients)]);
    const correlations = [];
    for (let step = 1; step <= (checkpoints.at(-1) ?? 0); step++) {
      table.write(stream.sampleWithReplacement(seen.y.length, B));
      stack.advance({ rate });
      await program.run();
      if (!checkpoints.includes(step)) continue;
      const mu = await stack.evaluate(questions);
      const n = held.y.length;
      let sum = 0;
      for (let m = 0; m < members; m++) sum += spearman(mu.subarray(m * n, (m + 1) * n), held.y);
      correlations.push(Number((sum / members).toFixed(3)));
    }
    results.push({ problem: name, rate, correlations });
    process.stdout.write(`${name} ${rate}: ${correlations.join(' ')}\n`);
  }
}
await engine.close();
const record = { commit, bins, minibatch: B, hidden: [64, 64], checkpoints, results };
writeFileSync(new URL('pretraining.json', import.meta.url), `${JSON.stringify(record, null, 2)}\n`);
