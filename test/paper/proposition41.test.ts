/** Proposition 4.1: mu and y_mean have the same maxima, and their gradients in x do not point apart. */
import { describe, expect, it } from 'vitest';
import { type Head, mean, meanSlope } from '../../src/models/discretizedLogistic.js';
import {
  type Activation,
  add,
  apply,
  gradient,
  NetworkStack,
  openEngine,
  rootKey,
  Stream,
  scale,
  type Tensor,
  value,
} from '../../src/numeric/index.js';

const ROWS = 40;
const INPUTS = 5;

/** (1/K) sum_k o_k as an expression. */
function meanOf(mu: Tensor, { bins: K, scale: s }: Head): Tensor {
  const o = Array.from({ length: K }, (_, k) => apply('sigmoid', scale(mu, 1 / s, -k / (K * s))));
  return scale(
    o.reduce((sum, term) => add(sum, term)),
    1 / K,
  );
}

/** mu, y_mean and their gradients at random points of a random network, in float64. */
async function atRandomPoints(activation: Activation, head: Head, seed: number) {
  await using engine = await openEngine({ kernel: 'reference', threads: 1 });
  const stack = new NetworkStack(engine, { models: 1, inputs: INPUTS, hidden: [16, 16], activation });
  stack.initialize(rootKey(seed));
  const x = engine.variable('x', { rows: ROWS, columns: INPUTS });
  const stream = new Stream(rootKey(100 + seed));
  x.write(Float64Array.from({ length: ROWS * INPUTS }, () => 2 * stream.normal()));
  const mu = scale(stack.output(value(x)), 2, 0.3); // spread over the label range and beyond
  const yMean = meanOf(mu, head);
  const wanted = [mu, yMean, ...gradient(mu, [value(x)]), ...gradient(yMean, [value(x)])];
  const results = wanted.map(({ rows, columns }, i) =>
    engine.variable(`result ${i}`, { rows, columns, models: 1 }),
  );
  const program = engine.compile('gradients', [
    results.map((to, i) => ({ kind: 'store', to, from: wanted[i]! })),
  ]);
  await program.run();
  return results.map((result) => Float64Array.from(result.read())) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
}

const indexOfMax = (values: Float64Array) => values.indexOf(Math.max(...values));

describe('Prop. 4.1', () => {
  it.each([
    ['softplus', { bins: 40, scale: 0.05 }],
    ['tanh', { bins: 20, scale: 1 }],
    ['leakyRelu', { bins: 8, scale: 0.25 }],
  ] as const)('holds at random points of networks with %s', async (activation, head) => {
    for (let seed = 0; seed < 3; seed++) {
      const [mu, yMean, ofMu, ofMean] = await atRandomPoints(activation, head, seed);
      expect(Math.max(...mu) - Math.min(...mu)).toBeGreaterThan(0.1);
      for (let i = 0; i < ROWS; i++) {
        expect(yMean[i]).toBeCloseTo(mean(head, mu[i]), 13);
        const a = ofMu.subarray(i * INPUTS, (i + 1) * INPUTS);
        const b = ofMean.subarray(i * INPUTS, (i + 1) * INPUTS);
        const product = a.reduce((sum, v, j) => sum + v * b[j], 0);
        const square = a.reduce((sum, v) => sum + v * v, 0);
        expect(square).toBeGreaterThan(1e-6);
        expect(product).toBeGreaterThan(0);
        // the proof: <grad mu, grad y_mean> = (d y_mean / d mu) |grad mu|^2
        expect([product]).toBeAllClose([meanSlope(head, mu[i]) * square], { rtol: 1e-10, atol: 1e-14 });
      }
      expect(yMean[indexOfMax(mu)]).toBe(Math.max(...yMean));
    }
  });

  it('holds along a grid: y_mean rises wherever mu does', () => {
    for (const head of [
      { bins: 1, scale: 0.1 },
      { bins: 8, scale: 0.25 },
      { bins: 40, scale: 0.025 },
    ]) {
      // up to 30 s from the thresholds, where y_mean still differs from 0 and 1 by more than rounding
      const mu = Array.from({ length: 400 }, (_, i) => -30 * head.scale + (i / 399) * (1 + 60 * head.scale));
      const slopes = mu.map((m) => meanSlope(head, m));
      expect(Math.min(...slopes)).toBeGreaterThan(0);
      const landscape = mu.map((_, i) => Math.sin(i / 20) * Math.exp(-(((i - 150) / 90) ** 2))); // many maxima
      const atMu = Float64Array.from(landscape);
      const atMean = atMu.map((m) => mean(head, m));
      expect(indexOfMax(atMean)).toBe(indexOfMax(atMu));
    }
  });
});
