/**
 * Theorem 4.1: max over y* of |E_pnml[g] - E_p(.|x, theta_y*)[g]| <= 2 g_max sqrt(Gamma / 2).
 *
 * Its proof (App. A.1) replaces log p(y | x, theta_y*) by log p(y | x, theta_y), which needs
 *
 *     p(y | x, theta_y*) <= p(y | x, theta_y)   for all y, y*
 *
 * and maximum likelihood on D and (x, y) does not give that: D may outweigh the query.
 */
import { describe, expect, it } from 'vitest';
import { exactCnml, fitLinear, functionalRegret } from '../../src/models/cnml.js';
import { binProbabilities } from '../../src/models/discretizedLogistic.js';
import { openLinearAlgebra } from '../../src/numeric/index.js';
import { cubic, golden } from './problems.js';

const linalg = await openLinearAlgebra();

type Distribution = readonly number[];

/** Eq. 2 over a class of finitely many models; p[model][label] at the query, `fit[model]` log likelihood of D. */
function finiteClass(p: readonly Distribution[], fit: readonly number[], g: readonly number[]) {
  const labels = g.map((_, y) => y);
  const chosen = labels.map((y) => {
    const scores = p.map((model, i) => fit[i]! + Math.log(model[y]!));
    return p[scores.indexOf(Math.max(...scores))]!;
  });
  const own = labels.map((y) => chosen[y]![y]!);
  const total = own.reduce((sum, v) => sum + v, 0);
  const expectation = (q: Distribution) => q.reduce((sum, v, y) => sum + v * g[y]!, 0);
  const pnml = own.map((v) => v / total);
  return {
    models: chosen.map((model) => p.indexOf(model)),
    gamma: Math.log(total),
    bound: 2 * Math.max(...g) * Math.sqrt(Math.log(total) / 2),
    regret: Math.max(...chosen.map((model) => Math.abs(expectation(pnml) - expectation(model)))),
    /** max of p(y | theta_y*) - p(y | theta_y). */
    violation: Math.max(...labels.flatMap((y) => chosen.map((model) => model[y]! - own[y]!))),
  };
}

describe('Theorem 4.1', () => {
  // at the query
  const a: Distribution = [0.9, 0.0999, 0.0001];
  const b: Distribution = [0.0668, 0.93, 0.0032];
  const g = [0, 1, 0];

  it('is wrong for a class of two models', () => {
    // D is one row (x', 0), to which model a gives 0.8 and model b 0.05: a is 16 times as likely.
    const fit = [Math.log(0.8), Math.log(0.05)];
    const result = finiteClass([a, b], fit, g);
    // b is 0.93 / 0.0999 = 9.3 times as likely for label 1, which is not enough, and 32 times for label 2
    expect(result.models).toEqual([0, 0, 1]);
    // own = 0.9, 0.0999, 0.0032: almost nothing to regret in log loss ...
    expect(result.gamma).toBeCloseTo(Math.log(1.0031), 12);
    expect(result.bound).toBeCloseTo(0.0787, 4);
    // ... while E_pnml[g] = 0.0999 / 1.0031 and E_b[g] = 0.93
    expect(result.regret).toBeCloseTo(0.93 - 0.0999 / 1.0031, 12);
    expect(result.regret).toBeGreaterThan(10 * result.bound);
    // p(1 | theta_2) = 0.93 > p(1 | theta_1) = 0.0999
    expect(result.violation).toBeCloseTo(0.8301, 12);
  });

  it('holds for the same models when D has no say, which is when the condition holds', () => {
    const result = finiteClass([a, b], [0, 0], g);
    expect(result.models).toEqual([0, 1, 1]);
    expect(result.violation).toBe(0);
    expect(result.gamma).toBeCloseTo(Math.log(0.9 + 0.93 + 0.0032), 12);
    expect(result.regret).toBeCloseTo(0.93 - 0.93 / 1.8332, 12);
    expect(result.bound).toBeCloseTo(1.101, 4);
    expect(result.regret).toBeLessThan(result.bound);
  });

  const phi = Float64Array.from(golden.x.flatMap(cubic));
  const at = Array.from({ length: 25 }, (_, i) => -3 + i / 4);

  /** Condition and bound of the golden features with these labels. */
  function logistic(head: { bins: number; scale: number }, labels: readonly number[], xs: readonly number[]) {
    const fit = fitLinear(linalg, phi, golden.x.length, 4, labels, { head, ridge: golden.lam });
    const values = Array.from({ length: head.bins }, (_, k) => k / (head.bins - 1)); // g_max = 1
    return xs.map((x) => {
      const cnml = exactCnml(linalg, fit, cubic(x));
      const p = Array.from(cnml.mu, (mu) => binProbabilities(head, mu));
      return {
        violation: Math.max(...p.flatMap((q) => Array.from(q, (v, y) => v - cnml.likelihoods[y]!))),
        regret: functionalRegret(head, cnml, values),
        bound: 2 * Math.sqrt(cnml.gamma / 2),
      };
    });
  }

  it('has its condition and its bound for the logistic head with two bins', () => {
    // p(1) grows with mu and mu with the label, so a label's own model gives it the most
    const labels = golden.bins.map((bin) => (bin < 4 ? 0 : 1));
    const results = logistic({ bins: 2, scale: 0.25 }, labels, at);
    for (const { violation, regret, bound } of results) {
      expect(violation).toBeLessThan(1e-12);
      expect(regret).toBeLessThan(bound);
    }
    // and not for want of regret
    expect(Math.max(...results.map(({ regret }) => regret))).toBeGreaterThan(0.3);
  });

  it('has its bound, though not its condition, on the golden problem', () => {
    // theta_y is fitted by the cross entropy of the thermometer, not by -log p(y): the condition fails a little
    const head = { bins: golden.K, scale: golden.scale };
    const results = logistic(
      head,
      golden.bins,
      golden.queries.map(({ x }) => x),
    );
    const close = { rtol: 0, atol: 1e-4 };
    expect(results.map(({ violation }) => violation)).toBeAllClose([0.0379, 0.0224, 0.077, 0.0219], close);
    expect(results.map(({ regret }) => regret)).toBeAllClose([0.122, 0.4248, 0.0631, 0.4536], close);
    expect(results.map(({ bound }) => bound)).toBeAllClose([0.67, 1.3037, 0.4943, 1.3445], close);
  });
});
