import { describe, expect, it } from 'vitest';
import { exactCnml, fitLinear } from '../../src/models/cnml.js';
import { cumulative } from '../../src/models/discretizedLogistic.js';
import { fitLastLayer, readout } from '../../src/models/lastLayer.js';
import { openLinearAlgebra, rootKey, Stream } from '../../src/numeric/index.js';
import { gap, goldenProblem, interactions, type Problem, quadratic } from './problems.js';

const linalg = await openLinearAlgebra();

/** mu (count x K), pnml and gamma of every query, exact and by the last layer. */
function both({ phi, rows, columns, labels, head, ridge, queries }: Problem) {
  const fit = fitLinear(linalg, phi, rows, columns, labels, { head, ridge });
  const exact = queries.map((query) => exactCnml(linalg, fit, query));
  const layer = fitLastLayer(linalg, phi, rows, columns, labels, { head, ridge });
  const flat = new Float64Array(queries.length * columns);
  queries.forEach((query, q) => flat.set(query, q * columns));
  return {
    exact: {
      mu: Float64Array.from(exact.flatMap(({ mu }) => Array.from(mu))),
      pnml: Float64Array.from(exact.flatMap(({ pnml }) => Array.from(pnml))),
      gamma: Float64Array.from(exact, ({ gamma }) => gamma),
    },
    lastLayer: readout(layer, flat, queries.length),
  };
}

describe('§4.2: o', () => {
  it('decreases in k, for every mu', () => {
    const stream = new Stream(rootKey(4));
    for (let i = 0; i < 200; i++) {
      const head = { bins: 2 + stream.integer(39), scale: 0.02 + stream.uniform() };
      const o = cumulative(head, 2 * stream.normal());
      for (let k = 1; k < head.bins; k++) {
        if (o[k] === o[k - 1]) expect(Math.min(o[k], 1 - o[k])).toBeLessThan(1e-15);
        else expect(o[k]).toBeLessThan(o[k - 1]);
      }
    }
  });
});

describe('Eq. 2', () => {
  const problems: [string, Problem][] = [
    ['saturated cubic', goldenProblem([-3, -1.5, 0, 1.1, 2.5])],
    ['quadratic', quadratic()],
    ['gap', gap()],
    ['three columns', interactions()],
  ];

  /**
   * sum_k p_k(mu_k) = sum_k (o_k(mu_k) - o_k+1(mu_k)) = 1 + sum_k>0 (o_k(mu_k) - o_k(mu_k-1)), so gamma is never
   * negative where mu_k does not fall with k.
   */
  it.each(problems)('sums to 1; mu rises with the label, so that gamma is not negative: %s', (_, problem) => {
    const K = problem.head.bins;
    for (const { mu, pnml, gamma } of Object.values(both(problem))) {
      gamma.forEach((g, q) => {
        expect(pnml.subarray(q * K, (q + 1) * K).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 13);
        expect(g).toBeGreaterThan(0);
        expect(g).toBeLessThan(Math.log(K));
        for (let k = 1; k < K; k++) expect(mu[q * K + k]).toBeGreaterThan(mu[q * K + k - 1]);
      });
    }
  });

  it('is sure on data, less so in a gap, and least far away (Fig. 3)', () => {
    const problem = gap();
    const mean = (values: readonly number[]) => values.reduce((sum, v) => sum + v / values.length, 0);
    for (const { gamma } of Object.values(both(problem))) {
      const where = (isIn: (x: number) => boolean) =>
        problem.at.flatMap((x, q) => (isIn(x) ? [gamma[q]] : []));
      const onData = where((x) => Math.abs(x) > 1 && Math.abs(x) < 2.3);
      const inGap = where((x) => Math.abs(x) < 0.5);
      // ends of the radial features: beyond them the bias alone is left, which all data hold
      const away = where((x) => Math.abs(x) > 2.9 && Math.abs(x) < 3.2);
      expect(mean(onData)).toBeLessThan(0.35);
      expect(Math.min(...inGap)).toBeGreaterThan(1.2);
      expect(Math.min(...away)).toBeGreaterThan(1);
      expect(Math.max(...onData)).toBeLessThan(Math.min(...inGap));
    }
  });

  it('grows with the distance from the data', () => {
    // labels in the middle, so that no output is saturated by extrapolation alone
    const problem = quadratic();
    const labels = problem.labels.map((_, i) => 4 + (i % 2));
    const queries = [0, 1.2, 1.8, 2.4].map((x) => Float64Array.of(1, x, x * x));
    for (const { gamma } of Object.values(both({ ...problem, labels, queries }))) {
      expect(gamma[0]).toBeLessThan(0.1);
      expect(gamma[1]).toBeGreaterThan(gamma[0] + 0.1);
      expect(gamma[2]).toBeGreaterThan(gamma[1] + 0.2);
      expect(gamma[3]).toBeGreaterThan(gamma[2] + 0.1);
    }
  });
});
