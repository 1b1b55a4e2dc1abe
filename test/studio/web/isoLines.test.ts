import { describe, expect, it } from 'vitest';
import { isoLine } from '../../../src/studio/web/charts/isoLines.js';

describe('lines of equal value', () => {
  it('lie on a plane where it has the value', () => {
    const values = Array.from({ length: 20 }, (_, at) => (at % 5) + 2 * Math.floor(at / 5));
    const segments = isoLine(values, 5, 3.5);
    expect(segments.length).toBeGreaterThan(3);
    for (const [x0, y0, x1, y1] of segments) {
      expect(x0 + 2 * y0).toBeCloseTo(3.5, 12);
      expect(x1 + 2 * y1).toBeCloseTo(3.5, 12);
    }
  });

  it('cut off the corners of a saddle that its middle leaves', () => {
    // high at two opposite corners; the middle, 1, is low for a level of 1.5 and high for one of 0.5
    for (const [level, apart] of [
      [1.5, 0.25],
      [0.5, 0.25],
    ] as const) {
      const segments = isoLine([2, 0, 0, 2], 2, level);
      expect(segments.length).toBe(2);
      for (const [x0, y0, x1, y1] of segments) {
        const corners =
          level > 1
            ? [
                [0, 0],
                [1, 1],
              ]
            : [
                [1, 0],
                [0, 1],
              ]; // prettier-ignore
        expect(
          corners.some(
            ([x, y]) => Math.hypot(x0 - x!, y0 - y!) === apart && Math.hypot(x1 - x!, y1 - y!) === apart,
          ),
        ).toBe(true);
      }
    }
  });

  it('stay away from what has no value', () => {
    expect(isoLine([0, 1, null, 1], 2, 0.5)).toEqual([]);
    expect(isoLine([0, 1], 2, 0.5)).toEqual([]);
  });
});
