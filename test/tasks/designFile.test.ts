import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeDesigns,
  encodeDesigns,
  halfBits,
  halfValue,
  roundToHalf,
} from '../../src/tasks/designFile.js';

describe('halves', () => {
  // IEEE 754-2019, binary16.
  it.each([
    [0, 0x0000],
    [-0, 0x8000],
    [1, 0x3c00],
    [-2, 0xc000],
    [65504, 0x7bff],
    [65519.99, 0x7bff],
    [2 ** -14, 0x0400],
    [2 ** -24, 0x0001],
    [2 ** -25, 0x0000],
    [2 ** -25 * 1.01, 0x0001],
    [1 / 3, 0x3555],
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [2 - 2 ** -12, 0x4000],
    [(1 - 2 ** -12) * 2 ** -14, 0x0400],
  ])('%d', (value, bits) => {
    expect(halfBits(value)).toBe(bits);
  });

  it('come back, all of them', () => {
    const all = Array.from({ length: 0x10000 }, (_, bits) => bits).filter(
      (bits) => (bits & 0x7c00) !== 0x7c00,
    );
    expect(all.filter((bits) => halfBits(halfValue(bits)) !== bits)).toEqual([]);
  });

  it('are the nearest', () => {
    fc.assert(
      fc.property(fc.double({ min: -65000, max: 65000, noNaN: true }), (value) => {
        const bits = halfBits(value);
        const gap = Math.abs(halfValue(bits) - value);
        for (const other of [bits - 1, bits + 1]) {
          if ((other & 0x7fff) < 0x7c00 && (other & 0x8000) === (bits & 0x8000) && other >= 0)
            expect(gap).toBeLessThanOrEqual(Math.abs(halfValue(other) - value));
        }
      }),
    );
  });

  it('refuse what they cannot hold', () => {
    for (const value of [65520, -1e9, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => halfBits(value)).toThrow('beyond the numbers of two bytes');
  });
});

describe('a file of designs', () => {
  const set = {
    x: roundToHalf(Float64Array.from({ length: 15 }, (_, i) => Math.sin(i) * 3)),
    columns: 5,
    y: Float64Array.of(1 / 3, -2, 1e9),
    hidden: Float64Array.of(7.5),
  };

  it('comes back', () => {
    const bytes = encodeDesigns(set);
    expect(bytes).toHaveLength(24 + 4 * 8 + 15 * 2);
    expect(decodeDesigns(bytes, 'made/up')).toEqual(set);
    // from the middle of other bytes too
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(decodeDesigns(shifted.subarray(3), 'made/up')).toEqual(set);
  });

  it('is refused with its name when it is damaged', () => {
    const bytes = encodeDesigns(set);
    expect(() => decodeDesigns(bytes.subarray(0, -1), 'made/up')).toThrow('made/up: 85 bytes, expected 86');
    expect(() => decodeDesigns(bytes.subarray(1), 'made/up')).toThrow('not a file of designs');
    expect(() => decodeDesigns(bytes.with(8, 2), 'made/up')).toThrow('version 2');
    expect(() => encodeDesigns({ ...set, columns: 4 })).toThrow('expected 3 x 4');
  });
});
