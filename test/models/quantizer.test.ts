import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binOf, fitQuantizer, scoreOf, scoreOfMean, thermometerOf } from '../../src/models/quantizer.js';

describe('the quantizer', () => {
  it('puts scores into bins of equal width, the greatest into the last', () => {
    const quantizer = fitQuantizer([3, -1, 1, 0.5], { bins: 4, headroom: 0 });
    expect(quantizer).toEqual({ bins: 4, low: -1, high: 3 });
    expect([-1, -0.001, 0, 0.5, 0.999, 1, 2.999, 3].map((y) => binOf(quantizer, y))).toEqual([
      0, 0, 1, 1, 1, 2, 3, 3,
    ]);
    expect([-99, 99].map((y) => binOf(quantizer, y))).toEqual([0, 3]);
    expect([...thermometerOf(quantizer, 0.5)]).toEqual([1, 1, 0, 0]);
    expect(scoreOf(quantizer, 0)).toBe(-0.5);
    expect(scoreOf(quantizer, 3)).toBe(2.5);
  });

  it('leaves room above the best score, and only there', () => {
    const quantizer = fitQuantizer([0, 10], { bins: 13, headroom: 0.3 });
    expect(quantizer).toEqual({ bins: 13, low: 0, high: 13 });
    expect(binOf(quantizer, 10)).toBe(10);
    expect(scoreOf(quantizer, 12)).toBe(12.5);
  });

  it('reads the mean of a thermometer code as the middle of its bin', () => {
    const quantizer = fitQuantizer([2, 7], { bins: 10, headroom: 0.2 });
    for (const y of [2, 3.3, 5, 6.99]) {
      const code = thermometerOf(quantizer, y);
      const mean = code.reduce((sum, v) => sum + v, 0) / code.length;
      expect(scoreOfMean(quantizer, mean)).toBeCloseTo(scoreOf(quantizer, binOf(quantizer, y)), 12);
    }
  });

  it('a score and the middle of its bin are at most half a bin apart', () => {
    const scores = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(
        scores,
        fc.integer({ min: 1, max: 60 }),
        fc.double({ noNaN: true, min: 0, max: 2 }),
        (y, bins, headroom) => {
          const quantizer = fitQuantizer(y, { bins, headroom });
          const width = (quantizer.high - quantizer.low) / bins;
          for (const v of y) {
            expect(Math.abs(scoreOf(quantizer, binOf(quantizer, v)) - v)).toBeLessThanOrEqual(
              width * (0.5 + 1e-9) + 1e-9,
            );
          }
        },
      ),
      { seed: 6, numRuns: 100 },
    );
  });

  it('gives equal scores, or a single one, a range around them', () => {
    expect(fitQuantizer([5, 5, 5], { bins: 10, headroom: 0.3 })).toEqual({ bins: 10, low: 2.5, high: 7.5 });
    expect(fitQuantizer([0], { bins: 10, headroom: 0 })).toEqual({ bins: 10, low: -0.5, high: 0.5 });
    expect(binOf(fitQuantizer([-8], { bins: 10, headroom: 0 }), -8)).toBe(5);
  });

  it('refuses what it cannot bin', () => {
    expect(() => fitQuantizer([], { bins: 4, headroom: 0 })).toThrow('y has no scores');
    expect(() => fitQuantizer([1, Number.NaN], { bins: 4, headroom: 0 })).toThrow('y[1] is NaN');
    expect(() => fitQuantizer([1, 2], { bins: 0, headroom: 0 })).toThrow('bins is 0');
    expect(() => fitQuantizer([1, 2], { bins: 2, headroom: -1 })).toThrow('headroom is -1');
  });
});
