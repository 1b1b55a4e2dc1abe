import { describe, expect, it } from 'vitest';
import { MahalanobisAscent } from '../../src/models/mahalanobisAscent.js';

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

  it('of very many columns goes by some of the rows, in their span', () => {
    const P = 600;
    const data = new Float64Array(2 * P).map((_, i) => (i < P ? 1 : -1) * (((i % P) % 7) - 3));
    const g = new Float64Array(P).map((_, i) => ((i % 5) + 1) * ((i % 7) - 3));
    const step = new MahalanobisAscent(data, P).step(new Float64Array(P), g, 0.1);
    const factor = step[0]! / -3;
    expect(factor).toBeGreaterThan(0);
    step.forEach((value, i) => {
      expect(value).toBeCloseTo(factor * ((i % 7) - 3), 12);
    });
  });
});
