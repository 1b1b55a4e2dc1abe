// `npm run demo`: what the compute core is for, on a problem small enough to draw. Twenty networks learn the same few
// measurements; each is also told that designs all over the axis scored its own number. Where measurements contradict
// that, the networks agree; where nothing does, they drift apart, and an optimiser that looks at all of them is warned.
import pc from 'picocolors';
import {
  gradient,
  NetworkStack,
  openEngine,
  rootKey,
  rows,
  Stream,
  thermometer,
  value,
} from '../dist/numeric/index.js';

const [K, d, h, steps] = [20, 1, 32, 3000];
const [queries, queryWeight, rate, scale] = [4, 0.02, 3e-3, 1 / K];
const truth = (/** @type {number} */ x) => Math.sin(2 * x);

// 28 measurements in two stretches, nothing between them
const stream = new Stream(rootKey(1));
const xs = Array.from({ length: 28 }, (_, i) =>
  i < 14 ? -2.6 + (1.5 * i) / 13 : 0.7 + (1.5 * (i - 14)) / 13,
);
const ys = xs.map((x) => truth(x) + 0.05 * stream.normal());
const [low, high] = [-1.25, 1.25];
const binOf = (/** @type {number} */ y) =>
  Math.max(0, Math.min(K - 1, Math.floor(((y - low) / (high - low)) * K)));

const columns = 72;
const grid = Array.from({ length: columns }, (_, i) => -3.6 + (7.2 * i) / (columns - 1));

const engine = await openEngine();
const stack = new NetworkStack(engine, { models: K, inputs: d, hidden: [h, h], targets: true });
stack.initialize(rootKey(0));
const pool = engine.variable('pool', { rows: xs.length + columns, columns: d });
pool.write([...xs, ...grid]);
const batch = xs.length + queries;
const table = engine.variable('table', { rows: batch, columns: 1, models: K, index: true });
const labels = engine.variable('labels', { rows: batch, columns: 2, models: K });
const weights = engine.variable('weights', { rows: batch, columns: 1 });
weights.write([...xs.map(() => 1 / xs.length), ...Array(queries).fill(queryWeight)]);
const loss = thermometer(stack.output(rows(pool, table)), value(labels), K, scale);
const program = engine.compile('train', [
  stack.update(gradient(loss, stack.parameters().map(value), value(weights))),
]);

const started = performance.now();
for (let step = 0; step < steps; step++) {
  const numbers = [];
  const bins = [];
  for (let k = 0; k < K; k++) {
    for (let i = 0; i < xs.length; i++) {
      numbers.push(i);
      bins.push(binOf(ys[i] ?? 0), binOf(ys[i] ?? 0));
    }
    for (let q = 0; q < queries; q++) {
      numbers.push(xs.length + stream.integer(columns));
      bins.push(k, k);
    }
  }
  table.write(numbers);
  labels.write(bins);
  stack.advance({ rate, targetRate: 0.05 });
  await program.run();
}
const seconds = (performance.now() - started) / 1000;
// mean outcome of each network: (1/K) sum_j sigmoid((mu - j/K) / s), back in the units of y
const mu = await stack.evaluate(grid, 'targets');
const outcome = (/** @type {number} */ m) => {
  let sum = 0;
  for (let j = 0; j < K; j++) sum += 1 / (1 + Math.exp(-(m - j / K) / scale));
  return low + ((sum - 0.5) / K) * (high - low);
};
const columnsOf = grid.map((_, i) =>
  Array.from({ length: K }, (_, k) => outcome(mu[k * columns + i] ?? 0)).sort((a, b) => a - b),
);
await engine.close();

draw();

function draw() {
  const height = 21;
  const rowOf = (/** @type {number} */ y) => Math.round(((high - y) / (high - low)) * (height - 1));
  const lines = Array.from({ length: height }, () => Array(columns).fill(' '));
  const put = (/** @type {number} */ row, /** @type {number} */ column, /** @type {string} */ mark) => {
    if (lines[row] && column >= 0 && column < columns) lines[row][column] = mark;
  };
  columnsOf.forEach((sorted, i) => {
    const [bottom, top] = [sorted[1] ?? 0, sorted[K - 2] ?? 0];
    for (let row = rowOf(top); row <= rowOf(bottom); row++) put(row, i, pc.cyan('░'));
  });
  grid.forEach((x, i) => put(rowOf(truth(x)), i, pc.dim('·')));
  columnsOf.forEach((sorted, i) => put(rowOf((sorted[9] ?? 0) / 2 + (sorted[10] ?? 0) / 2), i, pc.cyan('━')));
  xs.forEach((x, i) => put(rowOf(ys[i] ?? 0), Math.round(((x + 3.6) / 7.2) * (columns - 1)), pc.yellow('●')));

  const spread = (/** @type {number} */ from, /** @type {number} */ to) => {
    const widths = columnsOf
      .filter((_, i) => (grid[i] ?? 0) >= from && (grid[i] ?? 0) <= to)
      .map((s) => (s[K - 2] ?? 0) - (s[1] ?? 0));
    return (widths.reduce((a, b) => a + b, 0) / widths.length).toFixed(2);
  };
  process.stdout.write(`
${pc.bold('Twenty networks, each told a different story')}
Every network learns the ${xs.length} measurements ${pc.yellow('●')}. Network k is also told, here and there along the axis, "this scored k".

${lines.map((line) => `  ${line.join('')}`).join('\n')}

  ${pc.yellow('●')} measured   ${pc.cyan('━')} middle of the networks   ${pc.cyan('░')} where 18 of 20 lie   ${pc.dim('·')} the truth, which nobody was shown

  How far apart the networks are, on a scale of ${(high - low).toFixed(1)}:
    on the measurements          ${spread(-2.6, -1.1)} and ${spread(0.7, 2.2)}
    in the gap between them      ${spread(-0.7, 0.3)}
    beyond the last measurement  ${spread(2.6, 3.6)}

  A single network would have drawn one confident line through the gap. NEMO climbs the average of all of them.
  ${steps} steps of ${K} networks in ${seconds.toFixed(1)} s on ${engine.threads} thread${engine.threads > 1 ? 's' : ''}, kernel ${engine.kernel}. Designs from a table: npm run example custom-problem

`);
}
