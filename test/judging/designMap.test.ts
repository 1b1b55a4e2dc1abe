import { describe, expect, it } from 'vitest';
import { fitPlane, onPlane } from '../../src/judging/designMap.js';
import { rootKey, Stream } from '../../src/numeric/index.js';

describe('the map', () => {
  it('keeps the two directions in which points differ most', () => {
    const stream = new Stream(rootKey(1));
    // deviations 5, 2 and 0.1 along three axes, centred at (1, 2, 3)
    const points = Float64Array.from(
      { length: 600 },
      (_, i) => [5, 2, 0.1][i % 3]! * stream.normal() + 1 + (i % 3),
    );
    const plane = fitPlane(points, 3);
    expect(Math.abs(plane.axes[0]![0]!)).toBeGreaterThan(0.99);
    expect(Math.abs(plane.axes[1]![1]!)).toBeGreaterThan(0.99);
    expect(plane.kept).toBeGreaterThan(0.995);
    const [at] = onPlane(
      plane,
      Float64Array.from(plane.center, (c, j) => c + plane.axes[1]![j]!),
    );
    expect(at!.x).toBeCloseTo(0, 9);
    expect(at!.y).toBeCloseTo(1, 9);
  });

  it('copes with points that are all alike, and with one column', () => {
    const flat = fitPlane(new Float64Array(12).fill(3), 2);
    expect(onPlane(flat, Float64Array.of(3, 4))).toEqual([{ x: 0, y: 0 }]);
    const line = fitPlane(Float64Array.of(1, 2, 3), 1);
    expect(onPlane(line, Float64Array.of(4))).toEqual([{ x: 2, y: 0 }]);
    expect(line.kept).toBe(1);
  });
});
