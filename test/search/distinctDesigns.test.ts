import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distinctDesigns } from '../../src/search/distinctDesigns.js';
import { decode, fitEncoding } from '../../src/search/encoding.js';

function lettersOf(columns: number, classes: number) {
  const space = {
    columns: Array.from({ length: columns }, () => ({ kind: 'categorical', classes }) as const),
  };
  return fitEncoding({ x: new Float64Array(columns), y: Float64Array.of(1) }, space, { box: null });
}

const rowsOf = (designs: Float64Array, d: number) =>
  Array.from({ length: designs.length / d }, (_, m) => designs.subarray(m * d, (m + 1) * d).join(''));

describe('designs that read alike', () => {
  it('take the readings that give up least, one column or two at a time', () => {
    // per column: what the second and the third class give up
    const logits = [0, -1, -5, 0, -2, -9];
    const designs = distinctDesigns(lettersOf(2, 3), Array.from({ length: 7 }, () => logits).flat());
    // costs 0, 1, 2, 1 + 2, 5, 5 + 2, 9
    expect(rowsOf(designs, 2)).toEqual(['00', '10', '01', '11', '20', '21', '02']);
  });

  it('leave alone what nobody else reads as', () => {
    const logits = [0, -1, 0, -2, -1, 0, 0, -2, 0, -1, 0, -2];
    expect(rowsOf(distinctDesigns(lettersOf(2, 2), logits), 2)).toEqual(['00', '10', '01']);
  });

  it('remain where there are no other designs', () => {
    expect(rowsOf(distinctDesigns(lettersOf(1, 2), [0, -1, 0, -1, 0, -1]), 1)).toEqual(['0', '1', '0']);
  });

  it('are parted whatever the logits, and the first of each keep their reading', () => {
    const batch = fc.array(
      fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 16, maxLength: 16 }),
      {
        minLength: 1,
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(batch, (rows) => {
        const encoding = lettersOf(4, 4);
        const logits = rows.flat();
        const plain = rowsOf(decode(encoding, logits), 4);
        const parted = rowsOf(distinctDesigns(encoding, logits), 4);
        expect(new Set(parted).size).toBe(rows.length);
        plain.forEach((reading, m) => {
          if (plain.indexOf(reading) === m) expect(parted[m]).toBe(reading);
        });
      }),
    );
  });
});
