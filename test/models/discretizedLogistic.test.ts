import { describe, expect, it } from 'vitest';
import * as logistic from '../../src/models/discretizedLogistic.js';
import { ArgumentError, NotFiniteError, ShapeError } from '../../src/numeric/errors.js';

const heads = [
  { bins: 1, scale: 1 },
  { bins: 2, scale: 0.3 },
  { bins: 8, scale: 0.25 },
  { bins: 40, scale: 0.05 },
  { bins: 20, scale: 1 },
];
const outputs = [-3, -0.4, 0, 0.13, 0.5, 0.98, 1, 2.2];
const sigma = (t: number) => 1 / (1 + Math.exp(-t));

/** Fourth-order central difference. */
function difference(f: (x: number) => number, x: number): number {
  const h = 1e-3;
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

describe('the discretised logistic head', () => {
  it('has the values one works out by hand', () => {
    const head = { bins: 4, scale: 0.25 };
    const tight = { rtol: 1e-15, atol: 0 };
    // (mu - k/K) / s = 2, 1, 0, -1
    expect(logistic.cumulative(head, 0.5)).toBeAllClose(
      [0.8807970779778823, 0.7310585786300049, 0.5, 0.2689414213699951],
      tight,
    );
    expect(logistic.binProbabilities(head, 0.5)).toBeAllClose(
      [0.2689414213699951, 0.2310585786300049, 0.2310585786300049, 0.2689414213699951],
      tight,
    );
    expect(logistic.mean(head, 0.5)).toBeCloseTo(2.38079707797788 / 4, 14);
    // label 1: softplus(-2) + softplus(-1) + softplus(0) + softplus(-1), over 4
    expect(logistic.loss(head, 0.5, 1)).toBeCloseTo(
      (0.1269280110429725 + 0.3132616875182228 + Math.LN2 + 0.3132616875182228) / 4,
      14,
    );
    // label between 1 and 2: the third threshold is left out
    expect(logistic.loss(head, 0.5, 1, 2)).toBeCloseTo((0.1269280110429725 + 2 * 0.3132616875182228) / 4, 14);
    expect(logistic.expected(head, 0.5, [0, 1, 2, 3])).toBeCloseTo(1.5, 14);
  });

  it.each(heads)('sums to 1 and is the difference of o: $bins bins, scale $scale', (head) => {
    const { bins: K, scale: s } = head;
    for (const mu of outputs) {
      const o = (k: number) => (k === 0 ? 1 : k === K ? 0 : sigma((mu - k / K) / s));
      const p = logistic.binProbabilities(head, mu);
      const byDefinition = Array.from({ length: K }, (_, k) => o(k) - o(k + 1));
      expect(p).toBeAllClose(byDefinition, { rtol: 0, atol: 1e-14 });
      expect(p.reduce((sum, v) => sum + v, 0)).toBeCloseTo(1, 13);
      p.forEach((v, k) => expect(logistic.binProbability(head, mu, k)).toBe(v));
    }
  });

  it('does not cancel far out', () => {
    const head = { bins: 4, scale: 0.25 };
    const p = logistic.binProbabilities(head, 40);
    // o[1] = sigmoid(159), o[2] = sigmoid(158), both 1 in float64: their difference is exp(-158) (1 - 1/e)
    expect(p[1]).toBeGreaterThan(0);
    expect([p[1]]).toBeAllClose([Math.exp(-158) * (1 - Math.exp(-1))], { rtol: 1e-13, atol: 0 });
    expect([p[0]]).toBeAllClose([Math.exp(-159)], { rtol: 1e-13, atol: 0 });
    expect(p[3]).toBe(1);
    expect(logistic.loss(head, -1e4, 3)).toBeCloseTo((4e4 * 4 + (0 + 1 + 2 + 3)) / 4, 9);
  });

  it.each(heads)('slopes are those of central differences: $bins bins, scale $scale', (head) => {
    for (const mu of outputs) {
      for (const [low, high] of [
        [0, 0],
        [Math.floor(head.bins / 2), Math.floor(head.bins / 2)],
        [head.bins - 1, head.bins - 1],
        [0, head.bins - 1],
        [Math.floor(head.bins / 3), Math.floor(head.bins / 2)],
      ] as const) {
        const slope = logistic.lossSlope(head, mu, low, high);
        const curvature = logistic.lossCurvature(head, mu, low, high);
        const close = { rtol: 1e-5, atol: 1e-6 };
        expect([slope]).toBeAllClose([difference((m) => logistic.loss(head, m, low, high), mu)], close);
        expect([curvature]).toBeAllClose(
          [difference((m) => logistic.lossSlope(head, m, low, high), mu)],
          close,
        );
        const both = new Float64Array(2);
        logistic.lossDerivatives(head, mu, low, high, both);
        expect(both).toBeAllClose([slope, curvature], { rtol: 1e-12, atol: 1e-14 });
      }
      for (let k = 0; k < head.bins; k++) {
        expect([logistic.binProbabilitySlope(head, mu, k)]).toBeAllClose(
          [difference((m) => logistic.binProbability(head, m, k), mu)],
          { rtol: 1e-5, atol: 1e-6 },
        );
      }
      expect([logistic.meanSlope(head, mu)]).toBeAllClose([difference((m) => logistic.mean(head, m), mu)], {
        rtol: 1e-5,
        atol: 1e-6,
      });
    }
  });

  it('has a minimum of the loss where the sum of o is the label (§4.2)', () => {
    const head = { bins: 10, scale: 0.1 };
    // bisection on the sum of o = 4, label 3
    let [low, high] = [-1, 2];
    for (let i = 0; i < 60; i++) {
      const middle = (low + high) / 2;
      if (logistic.mean(head, middle) * 10 < 4) low = middle;
      else high = middle;
    }
    expect(logistic.lossSlope(head, low, 3)).toBeCloseTo(0, 10);
    expect(logistic.mean(head, low)).toBeCloseTo(0.4, 12);
  });

  it('finds quantiles in bins', () => {
    const p = [0.1, 0.2, 0, 0.7];
    expect(logistic.quantileOf(p, 0)).toBe(0);
    expect(logistic.quantileOf(p, 0.05)).toBeCloseTo(0.5, 14);
    expect(logistic.quantileOf(p, 0.2)).toBeCloseTo(1.5, 14);
    expect(logistic.quantileOf(p, 0.65)).toBeCloseTo(3.5, 14);
    expect(logistic.quantileOf(p, 1)).toBe(4);
    expect(logistic.quantileOf([0, 2, 0], 0)).toBe(1);
    expect(logistic.quantileOf([0, 2, 0], 0.25)).toBe(1.25);
    expect(logistic.quantileOf([0, 2, 0], 1)).toBe(2);
  });

  it('says what is wrong', () => {
    const head = { bins: 4, scale: 0.25 };
    expect(() => logistic.mean({ bins: 0, scale: 1 }, 0)).toThrow(ArgumentError);
    expect(() => logistic.mean({ bins: 2.5, scale: 1 }, 0)).toThrow('head.bins is 2.5');
    expect(() => logistic.cumulative({ bins: 4, scale: 0 }, 0)).toThrow('head.scale is 0');
    expect(() => logistic.cumulative({ bins: 4, scale: Number.NaN }, 0)).toThrow(ArgumentError);
    expect(() => logistic.loss(head, Number.NaN, 1)).toThrow(NotFiniteError);
    expect(() => logistic.loss(head, 0, 4)).toThrow('low is 4; expected a bin from 0 to 3');
    expect(() => logistic.lossSlope(head, 0, 2, 1)).toThrow('high is 1; expected a bin from 2 to 3');
    expect(() => logistic.binProbability(head, 0, -1)).toThrow(ArgumentError);
    expect(() => logistic.expected(head, 0, [1, 2])).toThrow(ShapeError);
    expect(() => logistic.quantileOf([0.5, 0.5], 1.1)).toThrow('p is 1.1');
    expect(() => logistic.quantileOf([0, 0], 0.5)).toThrow(ShapeError);
    expect(() => logistic.quantileOf([1, -1e-3], 0.5)).toThrow(ArgumentError);
    expect(() => logistic.quantileOf([1, Number.NaN], 0.5)).toThrow(NotFiniteError);
  });
});
