import { describe, expect, it } from 'vitest';
import { presetOptions } from '../../src/algorithm.js';
import { type GpAscentOptions, gpAscent } from '../../src/algorithms/gpAscent.js';
import { bowlOf } from '../../src/conformance/problems.js';
import { openEngine, rootKey } from '../../src/numeric/index.js';
import { run } from '../../src/run.js';
import type { Dataset, Space } from '../../src/space/space.js';

/** Two rows at -1 and 1, standardised as they are, with scores that become -1 and 1. */
const data: Dataset = { x: Float64Array.of(-1, 1), y: Float64Array.of(10, 14) };
const space: Space = { columns: [{ kind: 'continuous', lower: -9, upper: 9 }] };
const options: GpAscentOptions = {
  ...gpAscent.defaults,
  batchSize: 2,
  lengthscale: 0.8,
  noise: 0.04,
  trainSteps: 0,
  steps: 12,
  designRate: 0.05,
  box: null,
};

const kernel = (a: number, b: number) => Math.exp(-0.5 * ((a - b) / 0.8) ** 2);

/** Posterior of two rows in closed form: K + noise I = [[p, q], [q, p]]. */
function posterior(x: number) {
  const [p, q] = [1.04, kernel(-1, 1)];
  const determinant = p * p - q * q;
  const [a, b] = [kernel(x, -1), kernel(x, 1)];
  const solve = (u: number, v: number) => [(p * u - q * v) / determinant, (p * v - q * u) / determinant];
  const [wu, wv] = solve(a, b) as [number, number];
  return { mean: wv - wu, sd: Math.sqrt(1 - a * wu - b * wv) };
}

/** log E max(0, f - best) by Simpson's rule over ten standard deviations. */
function logImprovement({ mean, sd }: { mean: number; sd: number }, best: number): number {
  const n = 4000;
  const to = Math.max(best, mean) + 10 * sd;
  const h = (to - best) / n;
  let sum = 0;
  for (let i = 0; i <= n; i++) {
    const f = best + i * h;
    const weight = i === 0 || i === n ? 1 : 2 + 2 * (i % 2);
    sum += weight * (f - best) * Math.exp(-0.5 * ((f - mean) / sd) ** 2);
  }
  return Math.log((sum * h) / (3 * sd * Math.sqrt(2 * Math.PI)));
}

const best = Math.max(posterior(-1).mean, posterior(1).mean);
const objectives = {
  mean: (x: number) => posterior(x).mean,
  bound: (x: number) => posterior(x).mean + 0.7 * posterior(x).sd,
  improvement: (x: number) => logImprovement(posterior(x), best),
};

/** Adam (Kingma & Ba 2015, Alg. 1) up the slopes of central differences. */
function climb(objective: (x: number) => number, from: number, rate: number, steps: number): number {
  let [x, m, v] = [from, 0, 0];
  for (let t = 1; t <= steps; t++) {
    const slope = (objective(x + 1e-5) - objective(x - 1e-5)) / 2e-5;
    m = 0.9 * m + 0.1 * slope;
    v = 0.999 * v + 0.001 * slope ** 2;
    x += (rate * (m / (1 - 0.9 ** t))) / (Math.sqrt(v / (1 - 0.999 ** t)) + 1e-8);
  }
  return x;
}

describe('ascent of a Gaussian process', () => {
  it.each(['mean', 'bound', 'improvement'] as const)('climbs its %s in closed form', async (objective) => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = { data, space, engine, options: { ...options, objective, kappa: 0.7 } };
    const state = await run(gpAscent, setup, rootKey(1));
    expect(state.designs).toBeAllClose(
      [1, -1].map((from) => climb(objectives[objective], from, 0.05, 12)),
      { rtol: 0, atol: 1e-6 },
    );
    const { predictedBest, lengthscale, noise, variance } = await gpAscent.watch(state, setup);
    const means = [...state.designs].map((x) => 12 + 2 * posterior(x).mean);
    expect(predictedBest).toBeCloseTo(Math.max(...means), 9);
    expect([lengthscale, noise, variance]).toBeAllClose([0.8, 0.04, 1], { rtol: 1e-12, atol: 0 });
  });

  it('comes to the top of the mean', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = { data, space, engine, options: { ...options, steps: 400, designRate: 0.01 } };
    const state = await run(gpAscent, setup, rootKey(1));
    let top = 1;
    for (let x = 0.5; x < 2; x += 1e-4) if (posterior(x).mean > posterior(top).mean) top = x;
    expect(state.designs[0]).toBeCloseTo(top, 3);
  });

  it.each(Object.keys(gpAscent.presets))('takes its preset %s', async (name) => {
    const preset = presetOptions(gpAscent, name);
    expect(preset).toMatchObject({ lengthscale: 1, noise: 0.01, rows: 1024, trainSteps: 0 });
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const { data: bowl, space: inside } = bowlOf(40);
    const setup = { data: bowl, space: inside, engine, options: { ...preset, steps: 2 } };
    const state = await run(gpAscent, setup, rootKey(1));
    expect(state.proposals.every(Number.isFinite)).toBe(true);
    expect((await gpAscent.watch(state, setup)).lengthscale).toBeCloseTo(1, 12);
  });

  it.each([
    { changes: { objective: 'ei' }, says: `objective is "ei"; expected 'mean', 'bound' or 'improvement'` },
    { changes: { noise: 0 }, says: 'noise is 0; expected a number above 0' },
    { changes: { kappa: Number.NaN }, says: 'kappa is NaN; expected a finite number' },
  ])('refuses $changes', async ({ changes, says }) => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const wrong = { ...options, ...changes } as GpAscentOptions;
    await expect(gpAscent.init({ data, space, engine, options: wrong }, rootKey(1))).rejects.toThrow(says);
  });
});
