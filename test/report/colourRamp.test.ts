import { describe, expect, it } from 'vitest';
import { rampColour, rampStep, rampSteps } from '../../src/report/colourRamp.js';

/** CIE 1976 lightness: another measure than the ramp is made with. */
function lightness(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((i) => {
    const c = Number.parseInt(hex.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  const y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return y > 216 / 24389 ? 116 * Math.cbrt(y) - 16 : (24389 / 27) * y;
}

describe.each(['light', 'dark'] as const)('the ramp on %s', (scheme) => {
  const levels = Array.from({ length: rampSteps }, (_, i) => lightness(rampColour(i, scheme)));

  it('changes in lightness by even steps, away from the page', () => {
    const steps = levels
      .slice(1)
      .map((level, i) => (scheme === 'light' ? levels[i]! - level : level - levels[i]!));
    const mean = steps.reduce((a, b) => a + b) / steps.length;
    expect(mean).toBeGreaterThan(6);
    // Two definitions of lightness agree to about a tenth.
    for (const step of steps) expect(Math.abs(step - mean)).toBeLessThan(0.15 * mean);
  });
});

describe('steps', () => {
  it('go from worst to best in either direction', () => {
    expect([0, 49, 51, 100].map((value) => rampStep(value, 0, 100))).toEqual([0, 3, 4, 7]);
    expect([0, 100].map((value) => rampStep(value, 100, 0))).toEqual([7, 0]);
    expect(rampStep(5, 5, 5)).toBe(0);
    expect(rampStep(500, 0, 100)).toBe(7);
  });
});
