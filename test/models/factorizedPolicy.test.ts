import { describe, expect, it } from 'vitest';
import { advantagesOf, drawDesigns, policyGradient, policyOf } from '../../src/models/factorizedPolicy.js';
import { mean, rootKey, Stream, standardDeviation } from '../../src/numeric/index.js';
import { encode, fitEncoding } from '../../src/search/encoding.js';
import type { Space } from '../../src/space/space.js';

const space: Space = {
  columns: [
    { kind: 'continuous', lower: -9, upper: 9 },
    { kind: 'categorical', classes: 3 },
  ],
};
// the number has mean 0 and deviation 1
const x = Float64Array.of(-1, 0, 1, 2, -1, 0, 1, 0);
const encoding = fitEncoding({ x, y: Float64Array.of(1, 2, 3, 4) }, space, { box: null });

describe('a policy with independent columns', () => {
  it('begins at the mean of designs and the shares of their classes', () => {
    const theta = policyOf(encoding, encode(encoding, x.subarray(2)));
    // rows 1, -1, 1; classes 2, 0, 0; one hundredth of the shares is even
    const shares = [2 / 3, 0, 1 / 3].map((share) => Math.log(0.99 * share + 0.01 / 3));
    expect(theta).toBeAllClose([1 / 3, ...shares], { rtol: 1e-12, atol: 0 });
  });

  it('draws numbers with its deviation and classes with their chances', () => {
    const n = 20_000;
    const theta = Float64Array.of(0.7, Math.log(0.5), Math.log(0.2), Math.log(0.3));
    const drawn = drawDesigns(encoding, theta, 0.1, n, new Stream(rootKey(2)));
    const column = (j: number) => Array.from({ length: n }, (_, i) => drawn[4 * i + j]!);
    // five standard errors
    expect(Math.abs(mean(column(0)) - 0.7)).toBeLessThan((5 * 0.1) / Math.sqrt(n));
    expect(Math.abs(standardDeviation(column(0)) - 0.1)).toBeLessThan((5 * 0.1) / Math.sqrt(2 * n));
    [0.5, 0.2, 0.3].forEach((chance, c) => {
      const error = 5 * Math.sqrt((chance * (1 - chance)) / n);
      expect(Math.abs(mean(column(1 + c)) - chance)).toBeLessThan(error);
    });
  });

  it('has the gradient of the expected reward, where draws stand for all there are', () => {
    const theta = Float64Array.of(0.7, Math.log(2), 0, 0); // chances 1/2, 1/4, 1/4
    const sigma = 0.1;
    const perClass = [3, -1, 5];
    // a number one deviation below or above, with every class as often as its chance: eight draws
    const draws = [-1, 1].flatMap((sign) => [0, 0, 1, 2].map((c) => ({ v: 0.7 + sign * sigma, c })));
    const rows = draws.flatMap(({ v, c }) => [v, ...[0, 1, 2].map((k) => (k === c ? 1 : 0))]);
    const rewards = draws.map(({ v, c }) => v * v + perClass[c]!);
    const gradient = policyGradient(
      encoding,
      theta,
      sigma,
      Float64Array.from(rows),
      Float64Array.from(rewards),
    );
    // E = theta_0^2 + sigma^2 + sum_c softmax(theta)_c r_c
    const expected = (at: readonly number[]) => {
      const e = at.slice(1).map(Math.exp);
      const sum = e.reduce((a, b) => a + b);
      return at[0]! ** 2 + sigma ** 2 + e.reduce((total, v, c) => total + (v / sum) * perClass[c]!, 0);
    };
    const at = [...theta];
    const slopes = at.map((v, j) => (expected(at.with(j, v + 1e-6)) - expected(at.with(j, v - 1e-6))) / 2e-6);
    expect(gradient).toBeAllClose(slopes, { rtol: 1e-8, atol: 1e-8 });
    expect(slopes[0]).toBeCloseTo(1.4, 8);
  });

  it('compares rewards with each other', () => {
    expect(advantagesOf(Float64Array.of(1, 3))).toBeAllClose([-1, 1], { rtol: 1e-12, atol: 0 });
    expect(advantagesOf(Float64Array.of(7, 7, 7))).toBeAllClose([0, 0, 0], { rtol: 0, atol: 0 });
  });
});
