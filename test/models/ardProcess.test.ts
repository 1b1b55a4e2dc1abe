import { describe, expect, it } from 'vitest';
import { ardStart, fitArd, negativeLogPosterior } from '../../src/models/ardFit.js';
import {
  type ArdForm,
  ardCovariances,
  ardForms,
  ardParameters,
  ardRows,
  ardShape,
  takeArdRows,
} from '../../src/models/ardKernel.js';
import { ArdProcess } from '../../src/models/ardProcess.js';
import { openLinearAlgebra, rootKey, Stream } from '../../src/numeric/index.js';
import { fitEncoding } from '../../src/search/encoding.js';
import type { Space } from '../../src/space/space.js';

/** Classes between two numbers: the kernel has numbers first. */
const space: Space = {
  columns: [
    { kind: 'continuous', lower: 0, upper: 10 },
    { kind: 'categorical', classes: 3 },
    { kind: 'continuous', lower: -1, upper: 1 },
  ],
};
const n = 24;
const stream = new Stream(rootKey(12));
const designs = Float64Array.from({ length: 3 * n }, (_, at) => {
  if (at % 3 === 1) return stream.integer(3);
  return at % 3 === 0 ? 10 * stream.uniform() : 2 * stream.uniform() - 1;
});
const y = Float64Array.from({ length: n }, (_, i) => {
  const [a, k, b] = designs.subarray(3 * i, 3 * i + 3);
  return Math.sin(a! / 3) + 0.5 * k! + b! + 0.1 * stream.normal();
});
const encoding = fitEncoding({ x: designs, y }, space, { box: null });
const shape = ardShape(encoding);
const rows = ardRows(shape, encoding, designs);
const theta = Float64Array.of(0.2, 0.1, 0.8, 0.5, -1, -1.5, -2, -1.2, -3);
const opened = openLinearAlgebra({ kernel: 'reference' });

/** k of two designs, straight from the formula. */
function kernel(a: readonly number[], b: readonly number[], form: ArdForm = 'parts'): number {
  const [v, l0, l2, l1, a0, a2, a1, w] = Array.from(theta, Math.exp) as number[];
  const scaled = (x: readonly number[], j: number) => (x[j]! - encoding.mean[j]!) / encoding.scale[j]!;
  const apart = [0, 2].map((j) => (scaled(a, j) - scaled(b, j)) ** 2);
  const differs = a[1] === b[1] ? 0 : 1;
  const r = apart[0]! / l0! ** 2 + apart[1]! / l2! ** 2 + differs / l1! ** 2;
  const effectOf = (d: number) => (1 + d / 64) ** -8;
  const effects = a0! * effectOf(apart[0]!) + a2! * effectOf(apart[1]!) + (1 - differs) * a1!;
  const product = scaled(a, 0) * scaled(b, 0) + scaled(a, 2) * scaled(b, 2);
  const t = Math.sqrt(5 * r);
  const smooth =
    form === 'parts' || form === 'plain' ? (1 + r / 16) ** -8 : (1 + t + t ** 2 / 3) * Math.exp(-t);
  return 1 + v! * smooth + effects + (w! * product) / 2;
}

/** x of A x = b by elimination. */
function solve(a: readonly (readonly number[])[], b: readonly number[]): number[] {
  const m = a.map((row, i) => [...row, b[i]!]);
  for (let i = 0; i < m.length; i++) {
    for (let j = i + 1; j < m.length; j++) {
      const factor = m[j]![i]! / m[i]![i]!;
      for (let k = i; k <= m.length; k++) m[j]![k]! -= factor * m[i]![k]!;
    }
  }
  const x: number[] = Array(m.length).fill(0);
  for (let i = m.length - 1; i >= 0; i--) {
    let rest = m[i]![m.length]!;
    for (let k = i + 1; k < m.length; k++) rest -= m[i]![k]! * x[k]!;
    x[i] = rest / m[i]![i]!;
  }
  return x;
}

const designAt = (x: Float64Array, i: number) => Array.from(x.subarray(3 * i, 3 * i + 3));

describe('the kernel', () => {
  it.each(ardForms)('is that of its formula, and positive definite: %s', async (form) => {
    const linalg = await opened;
    const k = ardCovariances(await opened, shape, ardParameters(shape, theta, form), rows, rows);
    const direct = Array.from({ length: n * n }, (_, at) =>
      kernel(designAt(designs, Math.floor(at / n)), designAt(designs, at % n), form),
    );
    expect(k).toBeAllClose(direct, { rtol: 1e-12, atol: 1e-12 });
    for (let i = 0; i < n; i++) k[i * n + i]! += 1e-9;
    expect(() => linalg.cholesky(k, n)).not.toThrow();
  });
});

describe('a process', () => {
  it('predicts as the formula does', async () => {
    const process = new ArdProcess(await opened, shape, rows, y, theta, 'parts');
    const asked = Float64Array.of(3, 0, 0.5, 9.5, 2, -0.9, -4, 1, 3);
    const { mean, variance } = process.predict(ardRows(shape, encoding, asked));
    const noise = Math.exp(theta[8]!);
    const all = Array.from({ length: n }, (_, i) => designAt(designs, i));
    const matrix = all.map((a, i) => all.map((b, j) => kernel(a, b) + (i === j ? noise : 0)));
    const alpha = solve(matrix, Array.from(y));
    for (let q = 0; q < 3; q++) {
      const at = designAt(asked, q);
      const k = all.map((row) => kernel(row, at));
      const weights = solve(matrix, k);
      const dot = (a: readonly number[]) => a.reduce((sum, value, i) => sum + value * k[i]!, 0);
      expect(mean[q]).toBeCloseTo(dot(alpha), 10);
      expect(variance[q]).toBeCloseTo(kernel(at, at) - dot(weights), 9);
    }
    expect(process.mean(ardRows(shape, encoding, asked))).toBeAllClose(mean, { rtol: 1e-12, atol: 1e-12 });
  });

  it('draws designs together with the covariance of the formula', async () => {
    const form = 'smooth';
    const process = new ArdProcess(await opened, shape, rows, y, theta, form);
    const asked = Float64Array.of(3, 0, 0.5, 3.2, 0, 0.4, -4, 1, 3);
    const at = ardRows(shape, encoding, asked);
    const { mean } = process.predict(at);
    // the unit vectors give the columns of a root of the covariance
    const units = [0, 1, 2].map((j) => Float64Array.of(0, 0, 0).with(j, 1));
    const root = process.together(at, units).map((draw) => draw.map((value, i) => value - mean[i]!));
    const all = Array.from({ length: n }, (_, i) => designAt(designs, i));
    const noise = Math.exp(theta[8]!);
    const matrix = all.map((a, i) => all.map((b, j) => kernel(a, b, form) + (i === j ? noise : 0)));
    for (const [a, b] of [
      [0, 0],
      [0, 1],
      [1, 2],
    ] as const) {
      const [left, right] = [designAt(asked, a), designAt(asked, b)];
      const weights = solve(
        matrix,
        all.map((row) => kernel(row, right, form)),
      );
      const known = all.reduce((sum, row, i) => sum + weights[i]! * kernel(row, left, form), 0);
      const drawn = root.reduce((sum, column) => sum + column[a]! * column[b]!, 0);
      expect(drawn).toBeCloseTo(kernel(left, right, form) - known, 6);
    }
  });

  it('leaves rows out as if it were made without them', async () => {
    const linalg = await opened;
    const left = new ArdProcess(linalg, shape, rows, y, theta, 'smooth').leaveOneOut();
    for (const row of [0, 7, 23]) {
      const others = Array.from({ length: n }, (_, i) => i).filter((i) => i !== row);
      const z = Float64Array.from(others, (i) => y[i]!);
      const without = new ArdProcess(linalg, shape, takeArdRows(shape, rows, others), z, theta, 'smooth');
      const { mean, variance } = without.predict(takeArdRows(shape, rows, [row]));
      expect(left.mean[row]).toBeCloseTo(mean[0]!, 9);
      expect(left.variance[row]).toBeCloseTo(variance[0]!, 9);
    }
  });
});

describe('its fit', () => {
  it.each(ardForms)('has the gradient of small differences: %s', async (form) => {
    const evaluate = negativeLogPosterior(await opened, shape, rows, y, form);
    const { gradient } = evaluate(theta);
    const step = 1e-5;
    const differences = theta.map((value, i) => {
      const [up, down] = [evaluate(theta.with(i, value + step)), evaluate(theta.with(i, value - step))];
      return (up.value - down.value) / (2 * step);
    });
    expect(gradient).toBeAllClose(differences, { rtol: 1e-5, atol: 1e-6 });
  });

  it('has it also where many columns share parameters', async () => {
    const many: Space = {
      columns: Array.from({ length: 120 }, (_, j) =>
        j % 2 === 0 ? { kind: 'continuous', lower: 0, upper: 1 } : { kind: 'categorical', classes: 2 },
      ),
    };
    const draw = new Stream(rootKey(2));
    const x = Float64Array.from({ length: 120 * 8 }, (_, at) =>
      at % 2 === 0 ? draw.uniform() : draw.integer(2),
    );
    const z = Float64Array.from({ length: 8 }, () => draw.normal());
    const wide = fitEncoding({ x, y: z }, many, { box: null });
    const shared = ardShape(wide);
    expect(shared.groupCount).toBe(2);
    const few = ardRows(shared, wide, x);
    const evaluate = negativeLogPosterior(await opened, shared, few, z, 'parts');
    const at = Float64Array.of(0.1, 2, 2.2, -0.5, -0.7, -1, -2);
    const step = 1e-5;
    const differences = at.map(
      (value, i) =>
        (evaluate(at.with(i, value + step)).value - evaluate(at.with(i, value - step)).value) / (2 * step),
    );
    expect(evaluate(at).gradient).toBeAllClose(differences, { rtol: 1e-5, atol: 1e-6 });
    // the likelihood of the fit and the process that is made of it have one kernel
    const k = ardCovariances(await opened, shared, ardParameters(shared, at, 'parts'), few, few);
    const linalg = await opened;
    for (let i = 0; i < 8; i++) k[i * 9]! += Math.exp(at[6]!);
    const l = linalg.cholesky(k, 8);
    const alpha = linalg.solveCholesky(l, 8, z);
    const fit = z.reduce((sum, value, i) => sum + value * alpha[i]!, 0);
    const likelihood = -0.5 * (fit + linalg.logDeterminant(l, 8) + 8 * Math.log(2 * Math.PI));
    const flat = Array.from(at, () => ({ mean: 0, deviation: 1e9, lower: -9, upper: 9 }));
    expect(-negativeLogPosterior(linalg, shared, few, z, 'parts', flat)(at).value).toBeCloseTo(likelihood, 9);
  });

  it('ends higher than it began, and finds out which column matters', async () => {
    const linalg = await opened;
    // the second number alone
    const z = Float64Array.from({ length: n }, (_, i) => 3 * rows.x[2 * i + 1]! ** 2);
    const begun = fitArd(linalg, shape, rows, z, { evaluations: 1, start: ardStart(shape, 'parts') });
    const { theta: found, logPosterior } = fitArd(linalg, shape, rows, z, { evaluations: 60 });
    expect(logPosterior).toBeGreaterThan(begun.logPosterior + 10);
    const { inverse } = ardParameters(shape, found, 'parts');
    expect(inverse[1]!).toBeGreaterThan(5 * inverse[0]!);
    expect(inverse[1]!).toBeGreaterThan(5 * inverse[2]!);
  });
});
