import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logExpectedImprovement } from '../../src/models/expectedImprovement.js';
import { GaussianProcess } from '../../src/models/gaussianProcess.js';
import type { KernelShape } from '../../src/models/gpKernel.js';
import { thetaBounds } from '../../src/models/gpKernel.js';
import {
  factorWithNoise,
  MarginalLikelihood,
  startFit,
  stepFit,
} from '../../src/models/marginalLikelihood.js';
import { openLinearAlgebra, rootKey, Stream } from '../../src/numeric/index.js';

const golden = JSON.parse(readFileSync(new URL('../golden/gp.json', import.meta.url), 'utf8'));
const X = Float64Array.from(golden.X.flat() as number[]);
const y = Float64Array.from(golden.y as number[]);
const query = Float64Array.from(golden.query.flat() as number[]);
const close = { rtol: 1e-8, atol: 1e-12 };

const plain: KernelShape = { inputs: 3, continuous: [0, 1, 2], discrete: [], groups: 0, ard: false };
const inner: KernelShape = { inputs: 3, continuous: [], discrete: [0, 1, 2], groups: 3, ard: false };
/** Two numbers around two columns of two and three classes. */
const mixed: KernelShape = { inputs: 7, continuous: [0, 6], discrete: [1, 2, 3, 4, 5], groups: 2, ard: true };
const shapes = { plain, inner, mixed, ard: { ...plain, ard: true } };
const logs = (...values: number[]) => Float64Array.from(values, Math.log);

function normals(count: number, seed: number): Float64Array {
  const stream = new Stream(rootKey(seed));
  return Float64Array.from({ length: count }, () => stream.normal());
}

/** Some theta of the right length, near where a fit begins. */
function someTheta(shape: KernelShape, seed: number): Float64Array {
  const { start } = thetaBounds(shape);
  const moves = normals(start.length, seed);
  return start.map((v, i) => v + 0.3 * moves[i]!);
}

describe.each(['reference', 'wasm'] as const)('a Gaussian process on %s', (kernel) => {
  const opened = openLinearAlgebra({ kernel });

  it('gives the golden posterior, likelihood and expected improvement of an RBF kernel', async () => {
    const linalg = await opened;
    const { variance, lengthscale, noise, ...expected } = golden.rbf;
    const theta = logs(variance, lengthscale, noise);
    const process = new GaussianProcess(linalg, plain, X, y, theta);
    const { mean, variance: variances } = process.predict(query);
    const sd = variances.map(Math.sqrt);
    expect(mean).toBeAllClose(expected.mean, close);
    expect(sd).toBeAllClose(expected.sd, close);
    const { value, gradient } = new MarginalLikelihood(linalg, plain, X, y).evaluate(theta);
    expect([value]).toBeAllClose([expected.logMarginal], close);
    expect(gradient).toBeAllClose(expected.gradLogTheta, close);
    const best = Math.max(...y);
    const ei = mean.map((mu, i) => Math.exp(logExpectedImprovement(mu, sd[i]!, best).log));
    expect(ei).toBeAllClose(expected.ei, { rtol: 1e-8, atol: 1e-45 });
  });

  it('gives the golden posterior of an inner product', async () => {
    const { sigma0, noise, ...expected } = golden.dot;
    // v (o + u.u / 3) = sigma0^2 + u.u
    const theta = logs(3, sigma0 ** 2 / 3, noise);
    const { mean, variance } = new GaussianProcess(await opened, inner, X, y, theta).predict(query);
    expect(mean).toBeAllClose(expected.mean, close);
    expect(variance.map(Math.sqrt)).toBeAllClose(expected.sd, close);
  });

  it.each(Object.entries(shapes))('has the slopes of its likelihood: %s', async (_, shape) => {
    const linalg = await opened;
    const n = 15;
    const likelihood = new MarginalLikelihood(linalg, shape, normals(n * shape.inputs, 3), normals(n, 4));
    const theta = someTheta(shape, 5);
    const { gradient } = likelihood.evaluate(theta);
    const h = 1e-5;
    const differences = theta.map((_, i) => {
      const at = (step: number) => likelihood.evaluate(theta.with(i, theta[i]! + step)).value;
      return (at(h) - at(-h)) / (2 * h);
    });
    expect(gradient).toBeAllClose(differences, { rtol: 1e-6, atol: 1e-6 });
  });

  it.each(Object.entries(shapes))(
    'has the slopes of mean and variance, beliefs included: %s',
    async (_, shape) => {
      const n = 15;
      const P = shape.inputs;
      const process = new GaussianProcess(
        await opened,
        shape,
        normals(n * P, 3),
        normals(n, 4),
        someTheta(shape, 6),
      );
      for (const seed of [10, 11, 12]) process.believe(normals(P, seed));
      const at = normals(2 * P, 7);
      const byMean = [0.7, -1.1];
      const byVariance = [1.3, 0.4];
      const objective = (x: Float64Array) => {
        const { mean, variance } = process.predict(x);
        return mean.reduce((sum, mu, q) => sum + byMean[q]! * mu + byVariance[q]! * variance[q]!, 0);
      };
      const h = 1e-5;
      const differences = at.map(
        (v, i) => (objective(at.with(i, v + h)) - objective(at.with(i, v - h))) / (2 * h),
      );
      expect(process.slopes(process.predict(at), byMean, byVariance)).toBeAllClose(differences, {
        rtol: 1e-6,
        atol: 1e-8,
      });

      const alone = process.predictMean(at);
      expect(alone.mean).toEqual(process.predict(at).mean);
      const meanOf = (x: Float64Array) =>
        process.predict(x).mean.reduce((sum, mu, q) => sum + byMean[q]! * mu, 0);
      const ofMean = at.map((v, i) => (meanOf(at.with(i, v + h)) - meanOf(at.with(i, v - h))) / (2 * h));
      expect(process.meanSlopes(alone, byMean)).toBeAllClose(ofMean, { rtol: 1e-6, atol: 1e-8 });
    },
  );

  it.each(Object.entries(shapes))(
    'believes what it expects, as a fit with those rows would: %s',
    async (_, shape) => {
      const linalg = await opened;
      const P = shape.inputs;
      const theta = someTheta(shape, 6);
      const [x, scores, added, at] = [
        normals(12 * P, 1),
        normals(12, 2),
        normals(3 * P, 3),
        normals(4 * P, 4),
      ];
      const process = new GaussianProcess(linalg, shape, x, scores, theta);
      const expected = process.predict(added).mean;
      const early = process.predict(at);
      for (let s = 0; s < 3; s++) process.believe(added.subarray(s * P, (s + 1) * P));
      process.condition(early);
      const late = process.predict(at);
      expect(late.variance).toEqual(early.variance);
      const refitted = new GaussianProcess(
        linalg,
        shape,
        Float64Array.of(...x, ...added),
        Float64Array.of(...scores, ...expected),
        theta,
      ).predict(at);
      expect(late.mean).toBeAllClose(refitted.mean, { rtol: 1e-9, atol: 1e-10 });
      expect(late.variance).toBeAllClose(refitted.variance, { rtol: 1e-8, atol: 1e-10 });
    },
  );
});

describe('hyperparameters', () => {
  it('are found again from a draw of the process', async () => {
    const linalg = await openLinearAlgebra();
    const n = 150;
    const x = normals(n * 2, 1);
    const shape: KernelShape = { inputs: 2, continuous: [0, 1], discrete: [], groups: 0, ard: true };
    // a draw from v = 1, l = (0.5, 2), noise 0.01
    const k = Float64Array.from({ length: n * n }, (_, at) => {
      const [i, j] = [Math.floor(at / n), at % n];
      return Math.exp(
        -0.5 * (((x[2 * i]! - x[2 * j]!) / 0.5) ** 2 + ((x[2 * i + 1]! - x[2 * j + 1]!) / 2) ** 2),
      );
    });
    const l = factorWithNoise(linalg, k, n, 0.01);
    const z = normals(n, 2);
    const scores = Float64Array.from({ length: n }, (_, i) =>
      l.subarray(i * n, i * n + i + 1).reduce((sum, v, j) => sum + v * z[j]!, 0),
    );
    const likelihood = new MarginalLikelihood(linalg, shape, x, scores);
    let fit = startFit(shape);
    for (let t = 1; t <= 150; t++) fit = stepFit(likelihood, shape, fit, n, t, 0.1);
    const [v, first, second, noise] = fit.theta.map(Math.exp);
    // one draw of 150 rows says each of them to within a factor of about 1.5
    expect(first! / 0.5).toBeGreaterThan(0.67);
    expect(first! / 0.5).toBeLessThan(1.5);
    expect(second! / 2).toBeGreaterThan(0.67);
    expect(second! / 2).toBeLessThan(1.5);
    expect(noise! / 0.01).toBeGreaterThan(0.6);
    expect(noise! / 0.01).toBeLessThan(1.7);
    expect(v!).toBeGreaterThan(0.3);
    const slopes = likelihood.evaluate(fit.theta).gradient;
    expect(Math.max(...slopes.map(Math.abs)) / n).toBeLessThan(0.01);
  });

  it('survive rows that are the same, and scores that are', async () => {
    const linalg = await openLinearAlgebra();
    const x = Float64Array.from({ length: 60 }, (_, i) => i % 3);
    const likelihood = new MarginalLikelihood(linalg, plain, x, new Float64Array(20));
    let fit = startFit(plain);
    for (let t = 1; t <= 100; t++) fit = stepFit(likelihood, plain, fit, 20, t, 0.3);
    expect(fit.theta.every(Number.isFinite)).toBe(true);
    const { mean, variance } = new GaussianProcess(linalg, plain, x, new Float64Array(20), fit.theta).predict(
      x,
    );
    expect(mean).toEqual(new Float64Array(20));
    expect(variance.every((v) => v > 0)).toBe(true);
  });
});

it('adds to a diagonal that rounding has made singular, and not to others', async () => {
  const linalg = await openLinearAlgebra();
  const ones = new Float64Array(9).fill(1);
  const l = factorWithNoise(linalg, ones, 3, 0);
  expect(l.every(Number.isFinite)).toBe(true);
  await fc.assert(
    fc.property(fc.double({ min: 0.01, max: 10, noNaN: true }), (noise) => {
      expect(factorWithNoise(linalg, Float64Array.of(1), 1, noise)[0]).toBe(Math.sqrt(1 + noise));
    }),
  );
});
