import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scoreWeights } from '../../src/models/scoreReweighting.js';

it('gives weights that can be computed by hand', () => {
  // two bins, (0, 1] and (1, 2]: shares 3/4 and 1/4, upper edges 1 and 2, T = 1
  const y = [0, 0.5, 1, 2];
  const g = [Math.exp(1) * (0.75 / 0.751), Math.exp(2) * (0.25 / 0.251)] as const;
  const total = g[0] + g[1];
  const [low, high] = [g[0] / total / 0.75, g[1] / total / 0.25];
  expect(scoreWeights(y, { bins: 2, temperature: 1, weightLimit: 5 })).toBeAllClose([low, low, low, high], {
    rtol: 1e-14,
    atol: 0,
  });
  expect(low).toBeCloseTo(0.359, 3);
  expect(scoreWeights(y, { bins: 2, temperature: 1, weightLimit: 1 })[3]).toBe(1);
});

it('takes its temperature from the best tenth', () => {
  // 90th percentile of 0, 1, ..., 10 is 9: T = 1; ten bins, (0, 1] to (9, 10], the first with two rows
  const y = Array.from({ length: 11 }, (_, i) => i);
  const weights = scoreWeights(y, { bins: 10, temperature: 'auto', weightLimit: 100 });
  expect(weights[10]! / weights[9]!).toBeCloseTo(Math.E, 10);
  expect(weights).toEqual(scoreWeights(y, { bins: 10, temperature: 1, weightLimit: 100 }));
});

it('has mean 1 without a limit, never falls with the score in bins of equal share, and knows constant scores', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 1, maxLength: 50 }),
      fc.integer({ min: 1, max: 30 }),
      (y, bins) => {
        const weights = scoreWeights(y, { bins, temperature: 'auto', weightLimit: Number.POSITIVE_INFINITY });
        expect(weights.every((w) => w >= 0 && Number.isFinite(w))).toBe(true);
        expect(weights.reduce((sum, w) => sum + w, 0) / y.length).toBeCloseTo(1, 9);
      },
    ),
    { seed: 1 },
  );
  expect(scoreWeights([3, 3, 3], { bins: 20, temperature: 'auto', weightLimit: 5 })).toEqual(
    Float64Array.of(1, 1, 1),
  );
});
