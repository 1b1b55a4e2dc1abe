import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fittedAxis, isGeometric, linearAxis, logAxis, position, tickLabel } from '../../src/report/axis.js';

const values = fc.array(
  fc.oneof(
    fc.double({ noNaN: true, min: -1e3, max: 1e3 }),
    fc.double({ noNaN: true, min: -1e300, max: 1e300 }),
    fc.double({ noNaN: true, min: 0, max: 1e-280 }),
  ),
  { minLength: 1, maxLength: 12 },
);

/** 1, 2 or 5 times a power of ten. */
function isRoundStep(step: number): boolean {
  const digits = step.toPrecision(6).replace(/e.*$/, '').replace(/[.0]/g, '');
  return ['1', '2', '5'].includes(digits);
}

describe.each([
  ['linear', linearAxis],
  ['fitted', fittedAxis],
])('a %s axis', (_, make) => {
  it('covers the data', () => {
    fc.assert(
      fc.property(values, (data) => {
        const { min, max } = make(data);
        expect(min).toBeLessThan(max);
        // What is below 1e-290, or vanishes beside the length of the axis, counts as 0.
        const nothing = 1e-290 + 1e-15 * (max - min);
        expect(min - nothing).toBeLessThanOrEqual(Math.min(...data));
        expect(max + nothing).toBeGreaterThanOrEqual(Math.max(...data));
      }),
    );
  });

  it('has few, round ticks inside it', () => {
    fc.assert(
      fc.property(values, (data) => {
        const { ticks, min, max } = make(data);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(8);
        expect(ticks[0]).toBeGreaterThanOrEqual(min);
        expect(ticks.at(-1)).toBeLessThanOrEqual(max);
        const step = ticks[1]! - ticks[0]!;
        // Differences of neighbours that are large against their distance have lost digits.
        fc.pre(Math.abs(ticks[0]!) < 1e6 * step);
        expect(isRoundStep(step)).toBe(true);
      }),
    );
  });

  it('labels its ticks apart and without noise', () => {
    fc.assert(
      fc.property(values, (data) => {
        const axis = make(data);
        const labels = axis.ticks.map((tick) => tickLabel(axis, tick));
        expect(new Set(labels).size).toBe(labels.length);
        for (const label of labels) expect(label).not.toMatch(/0000000\d|9999999/);
      }),
    );
  });

  it('places its ends at the ends, and everything between', () => {
    const axis = make([3, 7]);
    expect([axis.min, axis.max].map((value) => position(axis, value, 10, 110))).toEqual([10, 110]);
    expect(position(axis, 5, 10, 110)).toBeCloseTo(60, 9);
    expect(position(axis, 1e9, 10, 110)).toBe(110);
    expect(position(axis, Number.NaN, 10, 110)).toBe(10);
  });
});

describe('known axes', () => {
  it.each([
    [
      [0, 100],
      [0, 50, 100],
    ],
    [
      [0.1, 0.34],
      [0.1, 0.2, 0.3, 0.4],
    ],
    [
      [81.4, 90.1],
      [80, 85, 90, 95],
    ],
    [
      [5, 5],
      [4.5, 5, 5.5],
    ],
    [
      [0, 0],
      [-1, -0.5, 0, 0.5, 1],
    ],
    [[], [0, 0.5, 1]],
  ])('%j', (data, ticks) => {
    expect(linearAxis(data).ticks).toEqual(ticks);
  });

  it('has powers of ten where values span decades', () => {
    expect(logAxis([0.002, 30]).ticks).toEqual([0.001, 0.1, 10]);
    const axis = logAxis([1, 100]);
    expect(position(axis, 10, 0, 1)).toBeCloseTo(0.5, 12);
    expect(isGeometric([1, 10, 100, 1000])).toBe(true);
    expect(isGeometric([1, 250, 500, 1000])).toBe(false);
    expect(isGeometric([0, 10, 100, 1000])).toBe(false);
  });
});
