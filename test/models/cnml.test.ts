import { describe, expect, it } from 'vitest';
import { exactCnml, fitLinear, functionalRegret, normalize } from '../../src/models/cnml.js';
import { lossSlope, mean } from '../../src/models/discretizedLogistic.js';
import { ArgumentError, NotFiniteError, openLinearAlgebra, ShapeError } from '../../src/numeric/index.js';
import { cubic, gap, golden, goldenProblem, type Problem } from '../paper/problems.js';

const linalg = await openLinearAlgebra();

function fitTo(problem: Problem) {
  const { phi, rows, columns, labels, head, ridge } = problem;
  return fitLinear(linalg, phi, rows, columns, labels, { head, ridge });
}

/** |sum_i loss_i' phi_i + ridge theta|, written out. */
function gradientNorm(
  { phi, rows, columns, labels, head, ridge }: Problem,
  theta: ArrayLike<number>,
): number {
  const g = Array.from(theta, (t) => ridge * t);
  for (let i = 0; i < rows; i++) {
    const row = phi.subarray(i * columns, (i + 1) * columns);
    const mu = row.reduce((sum, v, j) => sum + v * theta[j]!, 0);
    row.forEach((v, j) => {
      g[j]! += v * lossSlope(head, mu, labels[i]!);
    });
  }
  return Math.hypot(...g);
}

describe('exact CNML', () => {
  const fit = fitTo(goldenProblem([]));

  it('fits as SciPy does', () => {
    expect(fit.theta).toBeAllClose(golden.theta0, { rtol: 0, atol: 1e-8 });
    expect(gradientNorm(goldenProblem([]), fit.theta)).toBeLessThan(1e-11);
  });

  it.each(golden.queries)('refits every label as SciPy does, x = $x', (query) => {
    const close = { rtol: 0, atol: 1e-8 };
    const { mu, likelihoods, pnml, gamma } = exactCnml(linalg, fit, cubic(query.x));
    expect(mu).toBeAllClose(query.mu, close);
    expect(likelihoods).toBeAllClose(query.own, close);
    expect(pnml).toBeAllClose(query.pnml, close);
    expect(gamma).toBeCloseTo(query.gamma, 8);
  });

  it('finds the optimum where Newton alone overshoots', () => {
    // twelve radial features at s = 1/16: from theta = 0 whole steps end on plateaus
    const problem = gap();
    expect(gradientNorm(problem, fitTo(problem).theta)).toBeLessThan(1e-11);
    // features of size 40 and almost no ridge; rounding keeps the gradient, of terms up to 640, above 1e-11
    const hard = {
      ...problem,
      phi: problem.phi.map((v) => 40 * v),
      labels: problem.labels.map((b) => (b < 8 ? 0 : 15)),
      ridge: 1e-6,
    };
    expect(gradientNorm(hard, fitTo(hard).theta)).toBeLessThan(1e-7);
  });

  it('fits one row, and features that are constant, if there is a ridge', () => {
    const head = { bins: 4, scale: 0.25 };
    // by bisection: 2 loss'(2 theta, 3) + theta / 2 = 0
    let [low, high] = [0, 10];
    for (let i = 0; i < 80; i++) {
      const middle = (low + high) / 2;
      if (2 * lossSlope(head, 2 * middle, 3) + middle / 2 < 0) low = middle;
      else high = middle;
    }
    const one = fitLinear(linalg, Float64Array.of(2), 1, 1, [3], { head, ridge: 0.5 });
    expect(one.theta[0]).toBeCloseTo(low, 10);
    expect(one.theta[0]).toBeGreaterThan(0.4);
    // columns 1 and 1 share the weight of one
    const constant = fitLinear(linalg, Float64Array.of(1, 1, 1, 1, 1, 1), 3, 2, [1, 2, 1], {
      head,
      ridge: 1e-6,
    });
    expect(constant.theta[0]).toBeCloseTo(constant.theta[1]!, 10);
    // without ridge the mean of o is the mean of (label + 1) / K (§4.2)
    expect(mean(head, constant.mu[0]!)).toBeCloseTo(7 / 12, 5);
  });

  it('knows that data which leave the fit open need a ridge', () => {
    const head = { bins: 4, scale: 0.25 };
    const open: [string, number[], number, number[]][] = [
      ['all in the top bin', [1, 1, 1], 1, [3, 3, 3]],
      // a bin 0 holds its row where o[0] is supervised, so (1, 1) must leave those rows alone and lift the others
      ['separable', [1, -1, 1, -1, 1, 1, 1, 2], 2, [0, 0, 3, 3]],
      ['two equal columns', [1, 1, 2, 2, 3, 3], 2, [0, 2, 1]],
      ['fewer rows than columns', [1, 2], 2, [1]],
    ];
    for (const [name, phi, columns, labels] of open) {
      const x = Float64Array.from(phi);
      const fitWith = (ridge: number) =>
        fitLinear(linalg, x, labels.length, columns, labels, { head, ridge });
      expect(() => fitWith(0), name).toThrow(ArgumentError);
      expect(() => fitWith(0), name).toThrow('ridge is 0 and the data leave the fit open');
      expect(fitWith(1e-3).theta.every(Number.isFinite), name).toBe(true);
    }
    // labels 0, 2, 1 at 1, 2, 3 settle mu without help, and so does the base fit; label 3 of a query far out does not
    const settled = fitLinear(linalg, Float64Array.of(1, 1, 1, 2, 1, 3), 3, 2, [0, 2, 1], { head, ridge: 0 });
    expect(settled.theta.every(Number.isFinite)).toBe(true);
  });

  it('trains only what a censored label says', () => {
    const head = { bins: 4, scale: 0.25 };
    const phi = Float64Array.of(1, 1);
    const known = fitLinear(linalg, phi, 2, 1, [1, 1], { head, ridge: 1e-3 });
    const above = fitLinear(linalg, phi, 2, 1, [1, 1], { head, ridge: 1e-3, highs: [1, 3] });
    const unknown = fitLinear(linalg, phi, 2, 1, [1, 0], { head, ridge: 1e-3, highs: [1, 3] });
    expect(above.theta[0]).toBeGreaterThan(known.theta[0]! + 0.1);
    const slope = (theta: number, low: number, high: number) => lossSlope(head, theta, low, high);
    const at = above.theta[0]!;
    expect(slope(at, 1, 1) + slope(at, 1, 3) + 1e-3 * at).toBeCloseTo(0, 11);
    expect(
      slope(unknown.theta[0]!, 1, 1) + slope(unknown.theta[0]!, 0, 3) + 1e-3 * unknown.theta[0]!,
    ).toBeCloseTo(0, 11);
  });

  it('has the functional regret of its definition', () => {
    const head = { bins: 2, scale: 0.5 };
    // models at mu = 0 and 1: p(1) = sigmoid((mu - 1/2) / s) = sigmoid(-1), sigmoid(1)
    const cnml = normalize(head, Float64Array.of(0, 1));
    const p = 1 / (1 + Math.exp(-1));
    expect(cnml.likelihoods).toBeAllClose([p, p], { rtol: 1e-15, atol: 0 });
    expect(cnml.gamma).toBeCloseTo(Math.log(2 * p), 14);
    expect(functionalRegret(head, cnml, [0, 1])).toBeCloseTo(p - 0.5, 14);
    expect(functionalRegret(head, cnml, [3, -1])).toBeCloseTo(4 * (p - 0.5), 13);
  });

  it('says what is wrong', () => {
    const head = { bins: 4, scale: 0.25 };
    const phi = Float64Array.of(1, 2, 3, 4);
    const options = { head, ridge: 1 };
    expect(() => fitLinear(linalg, phi, 3, 2, [0, 1, 2], options)).toThrow(ShapeError);
    expect(() => fitLinear(linalg, phi, 2, 2, [0], options)).toThrow('labels has length 1; expected 2');
    expect(() => fitLinear(linalg, phi, 0, 2, [], options)).toThrow(ArgumentError);
    expect(() => fitLinear(linalg, phi, 2, 2, [0, 4], options)).toThrow('row 1 of labels: low is 4');
    expect(() => fitLinear(linalg, phi, 2, 2, [0, 1.5], options)).toThrow(ArgumentError);
    expect(() => fitLinear(linalg, phi, 2, 2, [0, 1], { ...options, highs: [0, 0] })).toThrow('high is 0');
    expect(() => fitLinear(linalg, phi, 2, 2, [0, 1], { ...options, highs: [0] })).toThrow(ShapeError);
    expect(() => fitLinear(linalg, phi, 2, 2, [0, 1], { head, ridge: -1 })).toThrow('ridge is -1');
    expect(() => fitLinear(linalg, phi, 2, 2, [0, 1], { head, ridge: Number.NaN })).toThrow(ArgumentError);
    const withNaN = Float64Array.of(1, Number.NaN, 3, 4);
    expect(() => fitLinear(linalg, withNaN, 2, 2, [0, 1], options)).toThrow(NotFiniteError);
    const fitted = fitLinear(linalg, phi, 2, 2, [0, 1], options);
    expect(() => exactCnml(linalg, fitted, [1])).toThrow('query has length 1; expected 2');
    expect(() => exactCnml(linalg, fitted, [1, Number.POSITIVE_INFINITY])).toThrow(NotFiniteError);
    expect(() => normalize(head, new Float64Array(3))).toThrow(ShapeError);
    expect(() => functionalRegret(head, normalize(head, new Float64Array(4)), [1])).toThrow(ShapeError);
  });
});
