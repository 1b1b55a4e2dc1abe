import { describe, expect, it } from 'vitest';
import { MahalanobisAscent } from '../../src/search/ascent.js';

/** Two columns that go together, and one that never varies. */
const together = Float64Array.from([1, 2, 5, -1, -2, 5, 2, 4, 5, -2, -4, 5]);

describe('ascent in the metric of the data', () => {
  it('moves columns as they go together, and what never varied stays', () => {
    const ascent = new MahalanobisAscent(together, 3);
    const [a, b, c] = ascent.step([0, 0, 0], [1, 0, 7], 0.1);
    expect(b! / a!).toBeCloseTo(2, 12);
    expect(c).toBe(0);
    // C = (2.5, 5; 5, 10) in the first two columns: C g = (2.5, 5), g' C g = 2.5
    expect(a!).toBeCloseTo((0.1 * Math.sqrt(3) * 2.5) / Math.sqrt(2.5), 12);
  });

  it('leaves a design alone where the slope leads away from all data', () => {
    const ascent = new MahalanobisAscent(together, 3);
    expect([...ascent.step([1, 2, 3], [0, 0, 1], 0.1)]).toEqual([1, 2, 3]);
    expect([...ascent.step([1, 2, 3], [0, 0, 0], 0.1)]).toEqual([1, 2, 3]);
  });

  it('takes steps of one Mahalanobis length whatever the slope', () => {
    const data = Float64Array.from([1, 3, -1, -1, 2, 5, -2, -7]);
    // means 0; C = (2.5, 7; 7, 21)
    const determinant = 2.5 * 21 - 7 * 7;
    const ascent = new MahalanobisAscent(data, 2);
    for (const slope of [
      [1, 0],
      [0, 1],
      [-3, 2],
    ]) {
      const [a, b] = ascent.step([0, 0], slope, 0.5);
      const square = (21 * a! * a! - 2 * 7 * a! * b! + 2.5 * b! * b!) / determinant;
      expect(square).toBeCloseTo(0.5 ** 2 * 2, 10);
      expect(a! * slope[0]! + b! * slope[1]!).toBeGreaterThan(0);
    }
  });

  it('of very many columns goes by the variance of each', () => {
    const P = 600;
    // deviations of -3 to 3 from a mean of 0.1: the variance of column i is 2/3 of their square, of every seventh 0
    const spread = (i: number) => (i % 7) - 3;
    const data = new Float64Array(3 * P).map((_, i) => 0.1 + [1, -1, 0][Math.floor(i / P)]! * spread(i % P));
    const g = new Float64Array(P).map((_, i) => (i % 5) - 1.5);
    const varying = Array.from({ length: P }, (_, i) => i).filter((i) => spread(i) !== 0).length;
    const variance = (i: number) => (2 / 3) * spread(i) ** 2;
    const square = g.reduce((sum, slope, i) => sum + variance(i) * slope ** 2, 0);
    new MahalanobisAscent(data, P).step(new Float64Array(P), g, 0.1).forEach((value, i) => {
      expect(value).toBeCloseTo(0.1 * Math.sqrt(varying / square) * variance(i) * g[i]!, 12);
    });
  });
});
