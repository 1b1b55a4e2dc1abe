import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { portableTanh } from '../../src/numeric/tanh.js';

describe('portableTanh', () => {
  it('is tanh', () => {
    const x = Array.from({ length: 4001 }, (_, i) => (i - 2000) / 100);
    expect(x.map(portableTanh)).toBeAllClose(x.map(Math.tanh), { rtol: 4e-16, atol: 0 });
  });

  it('is odd, between -1 and 1, and nearly x near 0', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (x) => {
        expect(portableTanh(-x)).toBe(-portableTanh(x));
        expect(Math.abs(portableTanh(x))).toBeLessThanOrEqual(Math.min(1, Math.abs(x)));
      }),
    );
    expect(portableTanh(1e-9)).toBe(1e-9);
    expect(portableTanh(Number.POSITIVE_INFINITY)).toBe(1);
    expect(portableTanh(Number.NaN)).toBeNaN();
  });
});
