import { describe, expect, it } from 'vitest';
import { minimize } from '../../src/numeric/lbfgs.js';

const wide = (n: number) => ({
  lower: new Float64Array(n).fill(-10),
  upper: new Float64Array(n).fill(10),
});

function rosenbrock([a, b]: Float64Array) {
  const rise = b! - a! * a!;
  return {
    value: (1 - a!) ** 2 + 100 * rise * rise,
    gradient: Float64Array.of(-2 * (1 - a!) - 400 * a! * rise, 200 * rise),
  };
}

describe('L-BFGS', () => {
  it('walks the valley of Rosenbrock to its end', () => {
    const options = { ...wide(2), evaluations: 200, tolerance: 1e-14 };
    const { x, value } = minimize(rosenbrock, Float64Array.of(-1.2, 1), options);
    expect(x).toBeAllClose([1, 1], { rtol: 0, atol: 1e-4 });
    expect(value).toBeLessThan(1e-8);
  });

  it('stops at bounds, and slides along them', () => {
    // the least of (a - 3)^2 + (b + a)^2 in the box is at the corner's edge a = 1, b = -1
    const bowl = ([a, b]: Float64Array) => ({
      value: (a! - 3) ** 2 + (b! + a!) ** 2,
      gradient: Float64Array.of(2 * (a! - 3) + 2 * (b! + a!), 2 * (b! + a!)),
    });
    const lower = Float64Array.of(-1, -2);
    const upper = Float64Array.of(1, 2);
    const options = { lower, upper, evaluations: 60, tolerance: 1e-14 };
    const { x } = minimize(bowl, Float64Array.of(-7, 2), options);
    expect(x[0]).toBe(1);
    expect(x[1]).toBeCloseTo(-1, 5);
  });

  it('steps back from where the function is not defined, and keeps to its evaluations', () => {
    let asked = 0;
    const root = ([a]: Float64Array) => {
      asked += 1;
      return a! <= 0
        ? { value: Number.POSITIVE_INFINITY, gradient: new Float64Array(1) }
        : { value: a! - Math.log(a!), gradient: Float64Array.of(1 - 1 / a!) };
    };
    const { x } = minimize(root, Float64Array.of(8), { ...wide(1), evaluations: 40, tolerance: 1e-12 });
    expect(x[0]).toBeCloseTo(1, 4);
    expect(asked).toBeLessThanOrEqual(40);
    asked = 0;
    minimize(root, Float64Array.of(8), { ...wide(1), evaluations: 3, tolerance: 0 });
    expect(asked).toBe(3);
  });
});
