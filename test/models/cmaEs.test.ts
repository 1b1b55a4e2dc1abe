import { describe, expect, it } from 'vitest';
import {
  type CmaEsState,
  cmaEsSettings,
  drawOffspring,
  nextGeneration,
  startCmaEs,
  usualPopulation,
} from '../../src/models/cmaEs.js';
import { symmetricEigen } from '../../src/numeric/eigen.js';
import { rootKey, Stream } from '../../src/numeric/index.js';

type Score = (x: Float64Array) => number;

/** Values of a function of single designs for all of a generation. */
const valuesOf = (score: Score, x: Float64Array, n: number) =>
  Float64Array.from({ length: x.length / n }, (_, k) => score(x.subarray(k * n, (k + 1) * n)));

/** How many evaluations until a design scores above `goal`; Infinity if more than `most`. */
function evaluationsTo(
  score: Score,
  goal: number,
  most: number,
  start: { n: number; at: number; sigma: number; isSeparable?: boolean },
): number {
  const { n, at, sigma, isSeparable = false } = start;
  const settings = cmaEsSettings(n, { isSeparable });
  let state = startCmaEs(new Float64Array(n).fill(at), sigma, settings);
  const stream = new Stream(rootKey(1));
  for (let used = settings.lambda; used <= most; used += settings.lambda) {
    const offspring = drawOffspring(state, settings, stream);
    const values = valuesOf(score, offspring.x, n);
    if (Math.max(...values) > goal) return used;
    state = nextGeneration(state, settings, offspring, values);
  }
  return Number.POSITIVE_INFINITY;
}

const sphere: Score = (x) => -x.reduce((sum, v) => sum + v * v, 0);
const rosenbrock: Score = (x) => {
  let sum = 0;
  for (let i = 0; i + 1 < x.length; i++) sum += 100 * (x[i + 1]! - x[i]! ** 2) ** 2 + (1 - x[i]!) ** 2;
  return -sum;
};
/** Axes from 1 to 1000 long. */
const ellipsoid: Score = (x) => -x.reduce((sum, v, i) => sum + 1e6 ** (i / (x.length - 1)) * v * v, 0);

const n = 10;
const random = new Float64Array(n * n);
new Stream(rootKey(5)).fillNormal(random, 0, 1);
const turned = symmetricEigen(random, n).vectors;
const rotatedEllipsoid: Score = (x) =>
  ellipsoid(
    Float64Array.from({ length: n }, (_, i) => x.reduce((sum, v, j) => sum + turned[i * n + j]! * v, 0)),
  );

describe('CMA-ES', () => {
  it.each([
    { name: 'sphere', score: sphere, goal: -1e-10, most: 2500, at: 1, sigma: 0.5 },
    { name: 'Rosenbrock', score: rosenbrock, goal: -1e-8, most: 12_000, at: 0, sigma: 0.5 },
    { name: 'ellipsoid', score: ellipsoid, goal: -1e-8, most: 9000, at: 1, sigma: 0.5 },
    { name: 'rotated ellipsoid', score: rotatedEllipsoid, goal: -1e-8, most: 9000, at: 1, sigma: 0.5 },
  ])('finds the top of the $name', ({ score, goal, most, at, sigma }) => {
    const used = evaluationsTo(score, goal, most, { n, at, sigma });
    expect(used).toBeLessThanOrEqual(most);
    expect(used).toBeGreaterThan(500);
  });

  it('adapts variances alone faster where the axes are those of the problem, and only there', () => {
    const start = { n, at: 1, sigma: 0.5, isSeparable: true };
    const used = evaluationsTo(ellipsoid, -1e-8, 9000, start);
    expect(used).toBeLessThan(evaluationsTo(ellipsoid, -1e-8, 9000, { ...start, isSeparable: false }) / 1.5);
    expect(evaluationsTo(rotatedEllipsoid, -1e-8, 9000, start)).toBe(Number.POSITIVE_INFINITY);
    // the sphere takes some 15 evaluations per dimension and decade
    expect(evaluationsTo(sphere, -1e-6, 30_000, { ...start, n: 200 })).toBeLessThanOrEqual(30_000);
  });

  it('takes a generation as the tutorial writes it', () => {
    const settings = cmaEsSettings(2);
    // Table 1 with n = 2: lambda 6, mu 3, w = ln 3.5 - ln i over their sum
    const raw = [1, 2, 3].map((i) => Math.log(3.5) - Math.log(i));
    const w = raw.map((v) => v / (raw[0]! + raw[1]! + raw[2]!));
    const mueff = 1 / w.reduce((sum, v) => sum + v * v, 0);
    expect(settings.lambda).toBe(6);
    expect(settings.weights).toBeAllClose(w, { rtol: 1e-14, atol: 0 });
    const cs = (mueff + 2) / (7 + mueff);
    const ds = 1 + cs;
    const cc = (4 + mueff / 2) / (6 + mueff);
    const c1 = 2 / (3.3 ** 2 + mueff);
    const cmu = (2 * (mueff - 2 + 1 / mueff)) / (16 + mueff);
    const chi = Math.sqrt(2) * (1 - 1 / 8 + 1 / 84);
    const state: CmaEsState = {
      generation: 3,
      mean: Float64Array.of(1, -1),
      sigma: 0.4,
      path: Float64Array.of(0.2, 0.1),
      sigmaPath: Float64Array.of(-0.3, 0.5),
      covariance: Float64Array.of(2, 0.6, 0.6, 1),
    };
    const offspring = drawOffspring(state, settings, new Stream(rootKey(2)));
    const score: Score = (x) => -((x[0]! - 2) ** 2) - x[1]! ** 2;
    const values = valuesOf(score, offspring.x, 2);
    const next = nextGeneration(state, settings, offspring, values);

    const best = [0, 1, 2, 3, 4, 5].sort((a, b) => values[b]! - values[a]!).slice(0, 3);
    const y = best.map((k) => [0, 1].map((i) => (offspring.x[2 * k + i]! - state.mean[i]!) / 0.4));
    const step = [0, 1].map((i) => w[0]! * y[0]![i]! + w[1]! * y[1]![i]! + w[2]! * y[2]![i]!);
    expect(next.mean).toBeAllClose(
      step.map((v, i) => state.mean[i]! + 0.4 * v),
      { rtol: 1e-12, atol: 0 },
    );
    // C^-1/2 of a 2 x 2 matrix: (C + sqrt(det) I) / t is its root, t = sqrt(trace + 2 sqrt(det))
    const det = Math.sqrt(2 - 0.36);
    const t = Math.sqrt(3 + 2 * det);
    const root = [(2 + det) / t, 0.6 / t, (1 + det) / t] as const;
    const size = root[0] * root[2] - root[1] ** 2;
    const white = [
      (root[2] * step[0]! - root[1] * step[1]!) / size,
      (root[0] * step[1]! - root[1] * step[0]!) / size,
    ];
    const ps = white.map((v, i) => (1 - cs) * state.sigmaPath[i]! + Math.sqrt(cs * (2 - cs) * mueff) * v);
    expect(next.sigmaPath).toBeAllClose(ps, { rtol: 1e-11, atol: 1e-12 });
    const length = Math.hypot(ps[0]!, ps[1]!);
    expect(next.sigma).toBeCloseTo(0.4 * Math.exp((cs / ds) * (length / chi - 1)), 12);
    const isSteady = length / Math.sqrt(1 - (1 - cs) ** 8) < (1.4 + 2 / 3) * chi;
    expect(isSteady).toBe(true);
    const pc = step.map((v, i) => (1 - cc) * state.path[i]! + Math.sqrt(cc * (2 - cc) * mueff) * v);
    expect(next.path).toBeAllClose(pc, { rtol: 1e-11, atol: 1e-12 });
    const C = [0, 1, 2, 3].map((at) => {
      const [i, j] = [at >> 1, at & 1];
      const spread = y.reduce((sum, v, rank) => sum + w[rank]! * v[i]! * v[j]!, 0);
      return (1 - c1 - cmu) * state.covariance[at]! + c1 * pc[i]! * pc[j]! + cmu * spread;
    });
    expect(next.covariance).toBeAllClose(C, { rtol: 1e-11, atol: 1e-12 });
  });

  it('draws from N(m, sigma^2 C)', () => {
    const settings = cmaEsSettings(2, { lambda: 20_000 });
    const start = startCmaEs([3, -2], 0.5, settings);
    const state = { ...start, covariance: Float64Array.of(2, 0.6, 0.6, 1) };
    const { x } = drawOffspring(state, settings, new Stream(rootKey(4)));
    const sums = [0, 0, 0, 0, 0];
    for (let k = 0; k < 20_000; k++) {
      const [a, b] = [(x[2 * k]! - 3) / 0.5, (x[2 * k + 1]! + 2) / 0.5];
      [a, b, a * a, a * b, b * b].forEach((v, i) => {
        sums[i]! += v / 20_000;
      });
    }
    // five standard errors of 20,000 draws: 5 sqrt(8 / 20000)
    expect(sums).toBeAllClose([0, 0, 2, 0.6, 1], { rtol: 0, atol: 0.1 });
  });

  it('sees the order of values alone', () => {
    const settings = cmaEsSettings(3);
    const start = startCmaEs([1, 2, 3], 1, settings);
    const [one, two] = [sphere, (x: Float64Array) => Math.atan(sphere(x)) * 1e-9].map((score) => {
      let state = start;
      const stream = new Stream(rootKey(1));
      for (let t = 0; t < 8; t++) {
        const offspring = drawOffspring(state, settings, stream);
        state = nextGeneration(state, settings, offspring, valuesOf(score, offspring.x, 3));
      }
      return state;
    });
    expect(one).toEqual(two);
    expect(start.mean).toEqual(Float64Array.of(1, 2, 3));
  });

  it('stays finite on a slope without end and on no slope at all', () => {
    for (const score of [(x: Float64Array) => x[0]!, () => 7]) {
      const settings = cmaEsSettings(4);
      let state = startCmaEs([0, 0, 0, 0], 1, settings);
      const stream = new Stream(rootKey(1));
      for (let t = 0; t < 2000; t++) {
        const offspring = drawOffspring(state, settings, stream);
        state = nextGeneration(state, settings, offspring, valuesOf(score, offspring.x, 4));
      }
      expect([...state.mean, state.sigma, ...state.covariance].every(Number.isFinite)).toBe(true);
    }
  });

  it('says what is wrong', () => {
    expect(() => cmaEsSettings(3, { lambda: 3 })).toThrow('lambda is 3; expected a whole number >= 4');
    expect(() => startCmaEs([1], 1, cmaEsSettings(2))).toThrow('mean has length 1; expected 2');
    expect(() => startCmaEs([1, 2], 0, cmaEsSettings(2))).toThrow('sigma is 0; expected a number above 0');
    expect([1, 10, 100].map(usualPopulation)).toEqual([4, 10, 17]);
  });
});
