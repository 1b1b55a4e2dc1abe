import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { portableSinPi } from '../../src/numeric/sinPi.js';

describe('sin(pi x)', () => {
  it('at known places', () => {
    for (const n of [-7, -2, 0, 1, 12, 1e9]) expect(Math.abs(portableSinPi(n))).toBe(0);
    expect([0.5, 1.5, -0.5, 6.5].map(portableSinPi)).toEqual([1, -1, -1, 1]);
    expect(portableSinPi(1 / 6)).toBeCloseTo(0.5, 15);
    expect(portableSinPi(0.25)).toBeCloseTo(Math.SQRT1_2, 15);
    expect(portableSinPi(-1 / 3)).toBeCloseTo(-Math.sqrt(3) / 2, 15);
  });

  it('agrees with the engine, as far as pi x itself is exact', () => {
    fc.assert(
      fc.property(fc.double({ min: -20, max: 20, noNaN: true }), (x) => {
        expect(Math.abs(portableSinPi(x) - Math.sin(Math.PI * x))).toBeLessThan(4e-14);
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: -0.5, max: 0.5, noNaN: true }), (x) => {
        expect(Math.abs(portableSinPi(x) - Math.sin(Math.PI * x))).toBeLessThan(4e-16);
      }),
    );
  });

  it('has no value at infinity', () => {
    expect([Number.NaN, Number.POSITIVE_INFINITY].map(portableSinPi)).toEqual([Number.NaN, Number.NaN]);
  });
});
