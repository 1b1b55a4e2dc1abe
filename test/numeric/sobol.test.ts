import { describe, expect, it } from 'vitest';
import { rootKey } from '../../src/numeric/key.js';
import { primitivePolynomials, sobolPoints } from '../../src/numeric/sobol.js';

/** Of `points` (n x d): how many fall into each of the boxes of width 2^-a in column i and 2^-b in column j. */
function boxCounts(points: Float64Array, d: number, [i, a]: [number, number], [j, b]: [number, number]) {
  const counts = new Array<number>(2 ** (a + b)).fill(0);
  for (let at = 0; at < points.length; at += d)
    counts[Math.floor(points[at + i]! * 2 ** a) * 2 ** b + Math.floor(points[at + j]! * 2 ** b)]! += 1;
  return counts;
}

describe("Sobol's sequence", () => {
  it('has a point in each 128th of every dimension, in thousands of dimensions', () => {
    const d = 5126;
    const points = sobolPoints(d, 128, rootKey(3));
    for (let j = 0; j < d; j++) {
      const found = new Set(Array.from({ length: 128 }, (_, i) => Math.floor(points[i * d + j]! * 128)));
      expect(found.size).toBe(128);
    }
  });

  it('has one point in every elementary interval of its first two dimensions', () => {
    // x and x + 1: a (0, 2)-sequence (Sobol 1967)
    const points = sobolPoints(6, 64, rootKey(0));
    for (let a = 0; a <= 6; a++)
      expect(boxCounts(points, 6, [0, a], [1, 6 - a])).toEqual(new Array(64).fill(1));
  });

  it('is another one with another key, and the same with the same', () => {
    expect(sobolPoints(3, 8, rootKey(1))).toEqual(sobolPoints(3, 8, rootKey(1)));
    expect(sobolPoints(3, 8, rootKey(1))).not.toEqual(sobolPoints(3, 8, rootKey(2)));
  });

  it('has as many primitive polynomials of each degree as there are, phi(2^n - 1) / n', () => {
    const counts = new Array<number>(11).fill(0);
    for (const polynomial of primitivePolynomials()) {
      const degree = 31 - Math.clz32(polynomial);
      if (degree > 10) break;
      counts[degree]! += 1;
    }
    expect(counts.slice(1)).toEqual([1, 1, 2, 2, 6, 6, 18, 16, 48, 60]);
    // x^2 + x + 1, x^3 + x + 1, x^3 + x^2 + 1
    const first = primitivePolynomials();
    expect([1, 2, 3, 4].map(() => first.next().value)).toEqual([3, 7, 11, 13]);
  });
});
