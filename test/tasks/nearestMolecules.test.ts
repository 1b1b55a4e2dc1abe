import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestMolecules } from '../../src/tasks/moleculeActivity.js';

// biome-ignore format: one molecule a line
const prints = Uint8Array.of(
  1, 1, 0, 0, 0,
  1, 1, 1, 1, 0,
  0, 0, 0, 0, 1,
  1, 1, 1, 0, 0,
  0, 0, 0, 0, 0,
);

describe('the nearest molecules', () => {
  it('are ordered by the Tanimoto similarity', () => {
    // bits 0, 1, 2: both / either is 2/3, 3/4, 0/4, 3/3, 0/3
    expect(nearestMolecules(prints, [1, 1, 1, 0, 0], 5)).toEqual([
      { row: 3, similarity: 1 },
      { row: 1, similarity: 3 / 4 },
      { row: 0, similarity: 2 / 3 },
      { row: 2, similarity: 0 },
      { row: 4, similarity: 0 },
    ]);
    // bits 0, 3, 4: 1/4, 2/5, 1/3, 1/5, 0/3
    expect(nearestMolecules(prints, Float64Array.of(1, 0, 0, 1, 1), 3)).toEqual([
      { row: 1, similarity: 2 / 5 },
      { row: 2, similarity: 1 / 3 },
      { row: 0, similarity: 1 / 4 },
    ]);
  });

  it('of a design without bits are those without bits', () => {
    expect(nearestMolecules(prints, [0, 0, 0, 0, 0], 2)).toEqual([
      { row: 4, similarity: 1 },
      { row: 0, similarity: 0 },
    ]);
  });

  it('are all molecules if more are asked for', () => {
    expect(nearestMolecules(prints, [1, 0, 0, 0, 0], 99)).toHaveLength(5);
  });

  it('of a molecule begin with itself, or one with the same bits', () => {
    const bit = fc.integer({ min: 0, max: 1 });
    fc.assert(
      fc.property(
        fc.array(fc.array(bit, { minLength: 6, maxLength: 6 }), { minLength: 1, maxLength: 20 }),
        (rows) => {
          rows.forEach((row, i) => {
            const [first, ...others] = nearestMolecules(Uint8Array.from(rows.flat()), row, rows.length);
            expect(first!.similarity).toBe(1);
            expect(rows[first!.row]).toEqual(row);
            expect(first!.row).toBeLessThanOrEqual(i);
            let last = 1;
            for (const { similarity } of others) {
              expect(similarity).toBeLessThanOrEqual(last);
              last = similarity;
            }
          });
        },
      ),
      { seed: 1, numRuns: 50 },
    );
  });

  it('refuse bits of another number, and a count that is none', () => {
    expect(() => nearestMolecules(prints, [1, 0, 0], 1)).toThrow(
      'prints has 25 bits, which are not molecules of 3',
    );
    expect(() => nearestMolecules(prints, [1, 0, 0, 0, 0], 0)).toThrow('k is 0; expected a positive integer');
  });
});
