/**
 * The paper's Figure 3: sin(x) in 32 bins, seen in two stretches. Quantised NML beside a bootstrap ensemble of 32, both
 * softmax networks of the same size. NML opens up in the gap and outside the data; the ensemble stays sure of itself.
 *
 *     npm run example uncertainty-1d docs/algorithms/uncertainty-1d.svg
 */
import { writeFileSync } from 'node:fs';
import {
  AmortizedCnml,
  binOf,
  categorical,
  constant,
  type Engine,
  encode,
  fitEncoding,
  fitQuantizer,
  foldKey,
  gradient,
  modelInputs,
  NetworkStack,
  openEngine,
  rootKey,
  rows,
  Stream,
  value,
} from 'nemokit/research';

const K = 32;
const hidden = [32, 32];
const steps = 1500;
const [left, right] = [-6, 6];

const xs = Float64Array.from({ length: 48 }, (_, i) =>
  i < 24 ? -4 + (2.6 * i) / 23 : 1.2 + (2.6 * (i - 24)) / 23,
);
const ys = xs.map(Math.sin);
const space = { columns: [{ kind: 'continuous' as const, lower: left, upper: right }] };
const encoding = {
  ...fitEncoding({ x: xs, y: ys }, space, { box: null }),
  mean: new Float64Array(1),
  scale: Float64Array.of(1),
};
const quantizer = fitQuantizer([-1.2, 1.2], { bins: K, headroom: 0 });
const bins = Array.from(ys, (y) => binOf(quantizer, y));
const grid = Float64Array.from({ length: 97 }, (_, i) => left + ((right - left) * i) / 96);

/** p_NML on the grid, `[column][bin]`: network k is told at one place after the other that k was measured there. */
export async function quantizedNml(engine: Engine): Promise<Float64Array> {
  const models = new AmortizedCnml(engine, {
    encoding,
    quantizer,
    head: { kind: 'categorical', bins: K },
    hidden,
    objective: 'mu',
    parameters: encode(encoding, xs),
    labels: bins.flatMap((bin) => [bin, bin]),
    minibatch: xs.length,
    batchSize: grid.length,
    queryWeight: 1 / xs.length,
  });
  models.initialize(rootKey(0));
  models.startFrom(encode(encoding, grid));
  const everyRow = Array.from(xs, (_, i) => i);
  const stream = new Stream(rootKey(1));
  for (let step = 0; step < steps; step++) {
    await models.train(everyRow, stream.sampleWithReplacement(grid.length, K), {
      rate: 6e-3,
      targetRate: 0.05,
    });
  }
  return (await models.read(modelInputs(encoding, encode(encoding, grid)))).probabilities;
}

/** Mean prediction of 32 networks on the grid, each from its own start and its own resampled rows. */
export async function bootstrapEnsemble(engine: Engine): Promise<Float64Array> {
  const members = 32;
  const stack = new NetworkStack(engine, { models: members, inputs: 1, hidden, outputs: K });
  stack.initialize(rootKey(2));
  const pool = engine.variable('pool', { rows: xs.length, columns: 1 });
  const labels = engine.variable('labels', { rows: xs.length, columns: 2 });
  const table = engine.variable('table', { rows: xs.length, columns: 1, models: members, index: true });
  pool.write(xs);
  labels.write(bins.flatMap((bin) => [bin, bin]));
  const stream = new Stream(foldKey(rootKey(2), 'bootstrap'));
  table.write(
    Array.from({ length: members }, () => [...stream.sampleWithReplacement(xs.length, xs.length)]).flat(),
  );
  const loss = categorical(stack.output(rows(pool, table)), rows(labels, table));
  const gradients = gradient(loss, stack.parameters().map(value), constant(1 / xs.length, xs.length, 1));
  const program = engine.compile('ensemble', [stack.update(gradients)]);
  for (let step = 0; step < steps; step++) {
    stack.advance({ rate: 6e-3 });
    await program.run();
  }
  const logits = await stack.evaluate(grid);
  const mean = new Float64Array(grid.length * K);
  for (let m = 0; m < members; m++) {
    for (let i = 0; i < grid.length; i++) {
      const from = (m * grid.length + i) * K;
      const e = Array.from(logits.subarray(from, from + K), Math.exp);
      const total = e.reduce((a, b) => a + b, 0);
      e.forEach((v, b) => {
        mean[i * K + b]! += v / total / members;
      });
    }
  }
  return mean;
}

/** Entropy of each column of `[column][bin]`, in units of its greatest value, log K. */
export function entropies(p: Float64Array): Float64Array {
  return grid.map((_, i) => {
    let sum = 0;
    for (const v of p.subarray(i * K, (i + 1) * K)) if (v > 0) sum -= v * Math.log(v);
    return sum / Math.log(K);
  });
}

/** Mean entropy on the data, in the gap, and outside. */
export function summary(p: Float64Array): { data: number; gap: number; outside: number } {
  const entropy = entropies(p);
  const over = (isIn: (x: number) => boolean) => {
    const values = entropy.filter((_, i) => isIn(grid[i]!));
    return values.reduce((a, b) => a + b, 0) / values.length;
  };
  return {
    data: over((x) => (x >= -4 && x <= -1.4) || (x >= 1.2 && x <= 3.8)),
    gap: over((x) => x > -0.9 && x < 0.7),
    outside: over((x) => x < -4.8 || x > 4.6),
  };
}

function draw(nml: Float64Array, ensemble: Float64Array): string {
  const [width, height, gutter, top] = [300, 220, 28, 46];
  const X = (x: number) => ((x - left) / (right - left)) * width;
  const Y = (y: number) => ((1.2 - y) / 2.4) * height;
  const truth = Array.from({ length: 121 }, (_, i) => left + i / 10).map(
    (x) => `${X(x).toFixed(1)},${Y(Math.sin(x)).toFixed(1)}`,
  );
  const dots = Array.from(
    xs,
    (x, i) => `<circle cx="${X(x).toFixed(1)}" cy="${Y(ys[i]!).toFixed(1)}" r="2.4" fill="#c2410c"/>`,
  ).join('');
  const heat = (p: Float64Array) => {
    const [w, h] = [width / grid.length, height / K];
    let cells = '';
    // the root brings out small probabilities; neighbours of one shade become one rectangle
    const shade = (i: number, b: number) => Math.round(25 * Math.sqrt(p[i * K + b]!)) / 25;
    for (let b = 0; b < K; b++) {
      for (let i = 0, next = 1; i < grid.length; i = next) {
        for (next = i + 1; next < grid.length && shade(next, b) === shade(i, b); next++);
        if (shade(i, b) === 0) continue;
        const [x, y] = [(i * w).toFixed(1), (height - (b + 1) * h).toFixed(1)];
        cells += `<rect x="${x}" y="${y}" width="${((next - i) * w + 0.2).toFixed(1)}" height="${(h + 0.2).toFixed(1)}" fill-opacity="${shade(i, b)}"/>`;
      }
    }
    return `<g fill="#1d4ed8">${cells}</g>`;
  };
  const panel = (n: number, title: string, note: string, inside: string) =>
    `<g transform="translate(${gutter + n * (width + gutter)} ${top})">
<text y="-22" font-size="14" font-weight="600">${title}</text><text y="-7" font-size="11" fill="#57534e">${note}</text>
<rect width="${width}" height="${height}" fill="#fff" stroke="#d6d3d1"/>${inside}
<polyline points="${truth.join(' ')}" fill="none" stroke="#0c0a09" stroke-width="1.2" stroke-dasharray="2 3"/>
${[-4, -2, 0, 2, 4].map((x) => `<text x="${X(x)}" y="${height + 15}" font-size="10" text-anchor="middle" fill="#57534e">${x}</text>`).join('')}</g>`;
  const words = ({ data, gap, outside }: ReturnType<typeof summary>) =>
    `entropy: data ${data.toFixed(2)}, gap ${gap.toFixed(2)}, outside ${outside.toFixed(2)}`;
  const total = gutter + 3 * (width + gutter);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${total} ${top + height + 28}" font-family="system-ui, sans-serif">
<title>Quantised NML and a bootstrap ensemble on sin(x)</title>
<rect width="100%" height="100%" fill="#fafaf9"/>
${panel(0, 'Measured', `${xs.length} points of sin(x), ${K} bins`, dots)}
${panel(1, 'Quantised NML', words(summary(nml)), heat(nml) + dots)}
${panel(2, 'Bootstrap ensemble of 32', words(summary(ensemble)), heat(ensemble) + dots)}
</svg>
`;
}

export async function main([file = 'uncertainty-1d.svg']: readonly string[]): Promise<void> {
  const engine = await openEngine();
  const nml = await quantizedNml(engine);
  const ensemble = await bootstrapEnsemble(engine);
  await engine.close();
  writeFileSync(file, draw(nml, ensemble));
  const line = (name: string, { data, gap, outside }: ReturnType<typeof summary>) =>
    `${name.padEnd(20)} ${[data, gap, outside].map((v) => v.toFixed(2).padStart(8)).join('')}`;
  console.log(`mean entropy (1 = anything goes)\n${' '.repeat(20)}     data     gap outside`);
  console.log(line('quantised NML', summary(nml)));
  console.log(line('bootstrap ensemble', summary(ensemble)));
  console.log(`drawn to ${file}`);
}
