import { describe, expect, it } from 'vitest';
import { matchPairs } from '../../src/models/matchedPairs.js';

/** Six points in the plane and their scores. */
const inputs = Float64Array.of(0, 0, 1, 0, 0, 1, 3, 0, 3, 4, 0, 2);
const y = Float64Array.of(0, 0.5, 0.55, 2, 3, 1);

function pairsOf(settings: { rise: number; reach: number | 'auto'; partners?: number }) {
  const { from, to, reach } = matchPairs(inputs, y, { partners: 1, ...settings });
  return { pairs: Array.from(from, (i, k) => `${i}>${to[k]}`).sort(), reach };
}

describe('matched pairs', () => {
  it('are near each other, the second better', () => {
    expect(pairsOf({ rise: 0, reach: 1 }).pairs).toEqual(['0>1', '0>2', '2>5']);
    // the distance of rows 1 and 2 is the root of 2, that of rows 1 and 3 is 2; both ends count
    expect(pairsOf({ rise: 0, reach: 2 }).pairs).toEqual(['0>1', '0>2', '0>5', '1>2', '1>3', '2>5']);
    expect(pairsOf({ rise: 0.1, reach: 2 }).pairs).toEqual(['0>1', '0>2', '0>5', '1>3', '2>5']);
    expect(pairsOf({ rise: 0.5, reach: 2 }).pairs).toEqual(['0>2', '0>5', '1>3']);
    expect(pairsOf({ rise: 0, reach: 0 }).pairs).toEqual([]);
    expect(pairsOf({ rise: 0, reach: 99 }).pairs).toHaveLength(15);
  });

  it('reach as far as the nearest better row of the median row', () => {
    // nearest better rows are at 1, root 2, 1, 4 and (row 5) root 13: the median of five is root 2
    const { pairs, reach } = pairsOf({ rise: 0, reach: 'auto' });
    expect(reach).toBeCloseTo(Math.SQRT2, 12);
    expect(pairs).toEqual(['0>1', '0>2', '1>2', '2>5']);
    // second nearest: 1, 2, root 10; rows 5 and 3 are left with root 13 and 4
    expect(pairsOf({ rise: 0, reach: 'auto', partners: 2 }).reach).toBeCloseTo(Math.sqrt(10), 12);
  });

  it('are none where no row is better', () => {
    const same = matchPairs(inputs, new Float64Array(6).fill(2), { rise: 0, reach: 'auto', partners: 3 });
    expect([same.from.length, same.to.length, same.reach]).toEqual([0, 0, 0]);
  });
});
