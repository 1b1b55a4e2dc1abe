import { describe, expect, it } from 'vitest';
import * as categorical from '../../src/models/categoricalHead.js';
import { ArgumentError, NotFiniteError, ShapeError } from '../../src/numeric/errors.js';

describe('the categorical head', () => {
  const logits = [Math.log(1), Math.log(2), Math.log(5)];

  it('has the values one works out by hand', () => {
    expect(categorical.probabilities(logits)).toBeAllClose([1 / 8, 2 / 8, 5 / 8], { rtol: 1e-15, atol: 0 });
    expect(categorical.loss(logits, 1)).toBeCloseTo(Math.log(4), 14);
    expect(categorical.loss(logits, 0, 1)).toBeCloseTo(Math.log(8 / 3), 14);
    expect(categorical.loss(logits, 0, 2)).toBe(0);
    expect(categorical.expected(logits, [0, 0.5, 1])).toBeCloseTo(0.75, 14);
  });

  it('does not overflow', () => {
    expect(categorical.probabilities([1000, 1000, -1000])).toBeAllClose([0.5, 0.5, 0], {
      rtol: 1e-15,
      atol: 0,
    });
    expect(categorical.loss([0, 2000], 0)).toBe(2000);
  });

  it.each([
    [0, 0],
    [2, 2],
    [1, 2],
    [0, 3],
  ])('has the slope of central differences for a label in %i..%i', (low, high) => {
    const at = [0.3, -1.2, 2.1, 0];
    const h = 1e-4;
    const slope = at.map((_, j) => {
      const moved = (t: number) =>
        categorical.loss(
          at.map((v, i) => (i === j ? v + t : v)),
          low,
          high,
        );
      return (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
    });
    expect(categorical.lossSlope(at, low, high)).toBeAllClose(slope, { rtol: 1e-9, atol: 1e-10 });
  });

  it('says what is wrong', () => {
    expect(() => categorical.probabilities([])).toThrow(ShapeError);
    expect(() => categorical.probabilities([0, Number.NaN])).toThrow(NotFiniteError);
    expect(() => categorical.loss([0, 1], 2)).toThrow(ArgumentError);
    expect(() => categorical.lossSlope([0, 1], 1, 0)).toThrow('high is 0; expected a bin from 1 to 1');
    expect(() => categorical.expected([0, 1], [1])).toThrow(ShapeError);
  });
});
