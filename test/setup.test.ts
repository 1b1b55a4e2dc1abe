import { describe, expect, it } from 'vitest';

const exact = { rtol: 0, atol: 0 };
const loose = { rtol: 1e6, atol: 1e6 };
const { NaN: nan, POSITIVE_INFINITY: infinity } = Number;

describe('toBeAllClose', () => {
  it.each([
    ['itself', [nan], [nan]],
    ['a number', [nan], [0]],
    ['a number, the other way round', [0], [nan]],
    ['an infinity', [nan], [infinity]],
  ])('finds NaN close to nothing: not to %s', (_, received, expected) => {
    expect(received).not.toBeAllClose(expected, loose);
    expect(() => expect(received).toBeAllClose(expected, loose)).toThrow('worst at index 0');
  });

  it.each([
    ['the other infinity', [infinity], [-infinity]],
    ['the largest number', [infinity], [Number.MAX_VALUE]],
    ['zero', [0], [-infinity]],
  ])('finds an infinity close to itself alone: not to %s', (_, received, expected) => {
    expect([infinity, -infinity]).toBeAllClose([infinity, -infinity], exact);
    expect(received).not.toBeAllClose(expected, loose);
    expect(received).not.toBeAllClose(expected, { rtol: 0, atol: 1e6 });
  });

  it('names the worst element, measured in tolerances', () => {
    // Differences 10, 2 and 1; allowed 101, 0.2 and 0.3.
    expect(() => expect([1010, 2, 3]).toBeAllClose([1000, 0, 2], { rtol: 0.1, atol: 0 })).toThrow(
      'worst at index 1: received 2, expected 0, 10.0 times the tolerance (rtol 0.1, atol 0)',
    );
    expect(() => expect([9, nan, 0]).toBeAllClose([0, 1, 0], { rtol: 0, atol: 1 })).toThrow(
      'worst at index 1: received NaN, expected 1, Infinity times the tolerance',
    );
  });

  it('says why "not" failed', () => {
    expect(() => expect([1, 2]).not.toBeAllClose([1, 2], exact)).toThrow('all elements are equal');
    expect(() => expect([1, 2]).not.toBeAllClose([1, 2.5], { rtol: 0, atol: 1 })).toThrow(
      'worst at index 1: received 2, expected 2.5, 0.500 times the tolerance',
    );
  });

  it('compares lengths first', () => {
    expect(() => expect([1, 2]).toBeAllClose([1, 2, 3], loose)).toThrow(
      'length 2 is not the expected length 3',
    );
    expect([1]).not.toBeAllClose([], loose);
    expect([]).toBeAllClose([], exact);
  });

  // Every number here is a sum of few powers of two, so that the boundary itself is met without rounding.
  it.each([
    ['atol', { rtol: 0, atol: 0.5 }, 1, 1.5],
    ['atol across zero', { rtol: 0, atol: 0.5 }, -0.25, 0.25],
    ['rtol of the larger magnitude', { rtol: 0.25, atol: 0 }, 6, 8],
    ['rtol of negative numbers', { rtol: 0.25, atol: 0 }, -6, -8],
    ['the sum of both', { rtol: 0.25, atol: 1 }, 5, 8],
  ])('allows atol + rtol * max(|a|, |b|) and no more: %s', (_, tolerance, a, b) => {
    expect([a]).toBeAllClose([b], tolerance);
    expect([b]).toBeAllClose([a], tolerance);
    const further = a - (b - a) * 2 ** -40;
    expect([further]).not.toBeAllClose([b], tolerance);
    expect([b]).not.toBeAllClose([further], tolerance);
  });

  it('with no tolerance takes equal numbers only, and the two zeros as equal', () => {
    expect(new Float32Array([0, 0.1])).toBeAllClose([-0, Math.fround(0.1)], exact);
    expect([0]).not.toBeAllClose([Number.MIN_VALUE], exact);
  });
});
