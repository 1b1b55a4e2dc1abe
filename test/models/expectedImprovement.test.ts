import fc from 'fast-check';
import { expect, it } from 'vitest';
import { expectedImprovement, logExpectedImprovement } from '../../src/models/expectedImprovement.js';
import { normalPdf } from '../../src/numeric/index.js';

/** E max(0, f - best), f normal, by Simpson's rule over 12 standard deviations above the point where it begins. */
function byQuadrature(mean: number, sd: number, best: number): number {
  const n = 20_000;
  const from = Math.max(best, mean - 12 * sd);
  const to = Math.max(best, mean) + 12 * sd;
  const h = (to - from) / n;
  let sum = 0;
  for (let i = 0; i <= n; i++) {
    const f = from + i * h;
    const weight = i === 0 || i === n ? 1 : 2 + 2 * (i % 2);
    sum += weight * (f - best) * normalPdf((f - mean) / sd);
  }
  return (sum * h) / (3 * sd);
}

const cases = fc.record({
  mean: fc.double({ min: -3, max: 3, noNaN: true }),
  sd: fc.double({ min: 0.2, max: 4, noNaN: true }),
  best: fc.double({ min: -2, max: 2, noNaN: true }),
});

it('is the mean of what lies above the best, by quadrature', () => {
  fc.assert(
    fc.property(cases, ({ mean, sd, best }) => {
      expect([expectedImprovement(mean, sd, best)]).toBeAllClose([byQuadrature(mean, sd, best)], {
        rtol: 1e-9,
        atol: 0,
      });
    }),
    { seed: 1, numRuns: 60 },
  );
});

it('has the slopes of its logarithm', () => {
  fc.assert(
    fc.property(cases, ({ mean, sd, best }) => {
      const h = 1e-5;
      const log = (mu: number, s: number) => logExpectedImprovement(mu, s, best).log;
      const { byMean, bySd } = logExpectedImprovement(mean, sd, best);
      const differences = [
        (log(mean + h, sd) - log(mean - h, sd)) / (2 * h),
        (log(mean, sd + h) - log(mean, sd - h)) / (2 * h),
      ];
      // sd of 0.2 makes the third derivative about 1e4: h^2 times that is 1e-6
      expect([byMean, bySd]).toBeAllClose(differences, { rtol: 1e-5, atol: 1e-5 });
    }),
    { seed: 2, numRuns: 100 },
  );
});

it('stays finite and exact in both tails', () => {
  // log(phi(z) + z Phi(z)) with 60 digits, by mpmath
  const truth: readonly (readonly [number, number])[] = [
    [-5, -16.74430116266099],
    [-30, -457.724653760598],
    [-39.9, -804.2985714654372],
    [-40.1, -812.3085528175685],
    [-50, -1258.7441828684609],
    [-1000, -500014.73445209116],
  ];
  for (const [z, log] of truth) {
    expect([logExpectedImprovement(z, 1, 0).log]).toBeAllClose([log], { rtol: 1e-14, atol: 0 });
  }
  expect(logExpectedImprovement(100, 1, 0)).toEqual({ log: Math.log(100), byMean: 0.01, bySd: 0 });
  for (const z of [-1e6, -30, 0, 30, 37, 38, 1e6]) {
    const { log, byMean, bySd } = logExpectedImprovement(z, 1, 0);
    expect([log, byMean, bySd].every(Number.isFinite), `z = ${z}`).toBe(true);
  }
});
