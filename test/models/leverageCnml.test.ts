// CNML with m phantom rows in its leverage form, against the definition: refits of a linear model to the data and m rows.
import { describe, expect, it } from 'vitest';
import { fitLinear, hessian } from '../../src/models/cnml.js';
import { mean as meanOf } from '../../src/models/discretizedLogistic.js';
import { LeverageCnml } from '../../src/models/leverageCnml.js';
import { openLinearAlgebra, rootKey, Stream } from '../../src/numeric/index.js';
import { dot } from '../../src/numeric/rows.js';

const head = { bins: 8, scale: 1 / 8 };

/** 400 rows of three features and a 1, with labels near the middle, so that nothing saturates. */
async function linearFit() {
  const linalg = await openLinearAlgebra({ kernel: 'reference' });
  const stream = new Stream(rootKey(3));
  const rows = 400;
  const phi = new Float64Array(rows * 4).fill(1);
  const labels = Int32Array.from({ length: rows }, (_, i) => {
    for (let j = 0; j < 3; j++) phi[4 * i + j] = stream.normal();
    return Math.max(
      1,
      Math.min(6, Math.round(3.5 + 0.8 * phi[4 * i]! - 0.5 * phi[4 * i + 1]! + stream.normal())),
    );
  });
  const fit = fitLinear(linalg, phi, rows, 4, labels, { head, ridge: 1e-3 });
  const query = Float64Array.of(0.7, -0.4, 0.2, 1);
  const factor = linalg.cholesky(hessian(linalg, fit, fit.curvatures), 4);
  const lambda = dot(query, linalg.solveCholesky(factor, 4, query));
  return { linalg, fit, phi, labels, query, lambda, mu0: dot(query, fit.theta) };
}

describe('CNML with m phantom rows', () => {
  it('moves the output to where refits to m more rows move it', async () => {
    const { linalg, phi, labels, query, lambda, mu0 } = await linearFit();
    const cnml = new LeverageCnml(head);
    for (const m of [1, 5, 20]) {
      for (const k of [0, 3, 7]) {
        const more = new Float64Array(phi.length + 4 * m);
        more.set(phi);
        for (let i = 0; i < m; i++) more.set(query, phi.length + 4 * i);
        const told = Int32Array.of(...labels, ...Array<number>(m).fill(k));
        const { theta } = fitLinear(linalg, more, 400 + m, 4, told, { head, ridge: 1e-3 });
        const moved = dot(query, theta) - mu0;
        // the Hessian is taken where the fit stood, so a tenth of the move is allowed
        expect(Math.abs(cnml.output(mu0, m * lambda, k) - mu0 - moved)).toBeLessThan(
          0.1 * Math.abs(moved) + 1e-4,
        );
      }
    }
  });

  it('is the fit itself without phantom rows, and the middle of the range with very many', () => {
    const cnml = new LeverageCnml(head);
    expect(cnml.at(0.3, 0.01, 0).mean).toBeCloseTo(meanOf(head, 0.3), 5); // of a table, to 1e-5
    // mean over the labels of (k + 1) / K
    expect(cnml.at(0.3, 0.01, 1e9).mean).toBeCloseTo((head.bins + 1) / (2 * head.bins), 3);
    // each fit then says its own label, y_mean(mu_k) = (k + 1) / K
    for (let k = 0; k < 7; k++) expect(meanOf(head, cnml.output(0.3, 1e7, k))).toBeCloseTo((k + 1) / 8, 4);
    const p = cnml.probabilities(0.3, 0.01, 1e9);
    expect(p.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
  });

  it('has the slopes of finite differences', () => {
    const cnml = new LeverageCnml(head);
    const value = (mu: number, lambda: number, m: number) => cnml.at(mu, lambda, m).mean;
    for (const [mu, lambda, m] of [
      [0.4, 0.02, 3],
      [0.9, 0.1, 1],
      [0.6, 0.005, 100],
    ] as const) {
      const { byOutput, byLeverage } = { ...cnml.at(mu, lambda, m) };
      const [h, g] = [1e-3, 1e-2 * lambda];
      // second differences of a table that is linear between points a 1/128 of s apart
      expect(byOutput).toBeCloseTo((value(mu + h, lambda, m) - value(mu - h, lambda, m)) / (2 * h), 2);
      const slope = (value(mu, lambda + g, m) - value(mu, lambda - g, m)) / (2 * g);
      expect(Math.abs(byLeverage - slope)).toBeLessThan(0.02 * Math.abs(slope) + 1e-3);
    }
  });
});
