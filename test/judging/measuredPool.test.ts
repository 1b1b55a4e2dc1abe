import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Hypergeometric, measuredPool, rankPool } from '../../src/judging/measuredPool.js';
import type { Dataset } from '../../src/space/space.js';

/** Designs 0, 1, 2, ... of one column. */
const numbered = (...y: number[]): Dataset => ({
  x: Float64Array.from(y, (_, i) => i),
  y: Float64Array.from(y),
});

describe('hypergeometric', () => {
  it('by hand', () => {
    // 5 rows, 2 of them marked, 2 drawn: 3, 6 and 1 of 10 pairs have 0, 1 and 2
    const pairs = new Hypergeometric(5, 2, 2);
    expect([0, 1, 2, 3, -1].map((n) => Number(pairs.probability(n).toFixed(14)))).toEqual([
      0.3, 0.6, 0.1, 0, 0,
    ]);
    expect(pairs.atLeast(1)).toBeCloseTo(0.7, 14);
    expect(pairs.atLeast(0)).toBeCloseTo(1, 14);
    expect(pairs.expectation).toBe(0.8);
    // all are drawn
    expect(new Hypergeometric(7, 3, 7).probability(3)).toBeCloseTo(1, 14);
  });

  it('probabilities have sum 1 and the expectation', () => {
    const numbers = fc
      .integer({ min: 1, max: 200 })
      .chain((total) => fc.tuple(fc.constant(total), fc.nat(total), fc.nat(total)));
    fc.assert(
      fc.property(numbers, ([total, marked, drawn]) => {
        const random = new Hypergeometric(total, marked, drawn);
        let [sum, mean] = [0, 0];
        for (let n = 0; n <= drawn; n++) {
          sum += random.probability(n);
          mean += n * random.probability(n);
        }
        expect(sum).toBeCloseTo(1, 10);
        expect(mean).toBeCloseTo(random.expectation, 9);
      }),
    );
  });
});

describe('cut', () => {
  it('hides the top', () => {
    const pool = measuredPool(numbered(5, 1, 4, 2, 3), { top: 0.4 });
    // the quantile at 0.6 is 3.4
    expect([...pool.isTop]).toEqual([1, 0, 1, 0, 0]);
    expect([...pool.visible.x]).toEqual([1, 3, 4]);
    expect([...pool.visible.y]).toEqual([1, 2, 3]);
    expect([...pool.y]).toEqual([5, 1, 4, 2, 3]);
    expect([pool.repeated, pool.undecided]).toEqual([0, 0]);
  });

  it('withholds others by the seed', () => {
    const data = numbered(...Array.from({ length: 100 }, (_, i) => i));
    const pool = measuredPool(data, { withheld: 0.25, seed: 3 });
    expect(pool.isTop.reduce((a, b) => a + b)).toBe(20);
    expect(pool.isUnseen.reduce((a, b) => a + b)).toBe(40);
    expect(pool.visible.y).toHaveLength(60);
    expect(measuredPool(data, { withheld: 0.25, seed: 3 })).toEqual(pool);
    expect(measuredPool(data, { withheld: 0.25, seed: 4 }).isUnseen).not.toEqual(pool.isUnseen);
  });

  it('counts repeats of visible experiments', () => {
    const pool = measuredPool(
      { x: Float64Array.of(7, 7, 8, 9), y: Float64Array.of(9, 1, 2, 3) },
      { top: 0.25 },
    );
    expect(pool.repeated).toBe(1);
  });

  it('leaves out rows whose bound decides nothing', () => {
    // y <= 9, y >= 1: either may be on either side of the cut at 2.8; y <= 2 and y >= 8 are settled
    const pool = measuredPool(
      { ...numbered(9, 8, 3, 2, 1), censored: Int8Array.of(-1, 1, 0, -1, 1) },
      { top: 0.55 },
    );
    expect(pool.undecided).toBe(2);
    expect([...pool.y]).toEqual([8, 3, 2]);
    expect([...pool.isTop]).toEqual([1, 1, 0]);
    expect(pool.visible).toEqual({
      x: Float64Array.of(3),
      y: Float64Array.of(2),
      censored: Int8Array.of(-1),
    });
  });

  it('refuses what cannot be cut', () => {
    expect(() => measuredPool(numbered(1, 2), { top: 0 })).toThrow('top is 0');
    expect(() => measuredPool(numbered(1, 2), { withheld: 1 })).toThrow('withheld is 1');
    expect(() => measuredPool(numbered(1, 2, 2, 2), { top: 0.5 })).toThrow('no row is above the cut at 2');
    expect(() => measuredPool(numbered(1, Number.NaN))).toThrow('data.y[1] is NaN');
    expect(() => measuredPool({ x: new Float64Array(5), y: new Float64Array(2) })).toThrow('5 numbers and 2');
    expect(() => measuredPool(numbered(1, 2, 3), { top: 0.5, withheld: 0.9 })).toThrow('no row is left');
  });
});

describe('ranking', () => {
  // tops are rows 0 and 2
  const pool = measuredPool(numbered(5, 1, 4, 2, 3), { top: 0.4 });

  it('by hand', async () => {
    // order 0 1 2 3 4
    const { rows, topRows, enrichment, orderWithinTop } = await rankPool(pool, (x) => x.map((v) => -v), {
      k: [1, 2, 3],
    });
    expect([rows, topRows]).toEqual([5, 2]);
    expect(orderWithinTop).toBeCloseTo(1, 12);
    expect(enrichment.map(({ found }) => found)).toEqual([1, 1, 2]);
    expect(enrichment.map(({ share }) => share)).toEqual([1, 1 / 2, 2 / 3]);
    expect(enrichment.map(({ recall }) => recall)).toEqual([0.5, 0.5, 1]);
    expect(enrichment.map(({ expected }) => expected)).toEqual([0.4, 0.8, 1.2]);
    expect(enrichment.map(({ factor }) => factor)).toEqual([2.5, 1.25, 2 / 1.2]);
    // 2/5; 7/10; 3 of the 10 triples contain both
    for (const [i, chance] of [0.4, 0.7, 0.3].entries())
      expect(enrichment[i]!.chance).toBeCloseTo(chance, 12);
  });

  it('a method without an opinion finds what chance finds', async () => {
    const { enrichment, orderWithinTop } = await rankPool(pool, (x) => x.map(() => 0), { k: [1, 2, 5] });
    for (const { found, expected } of enrichment) expect(found).toBeCloseTo(expected, 12);
    expect(orderWithinTop).toBeNull();
  });

  it('found is the average over all orders of equal scores', async () => {
    const orders = (rows: readonly number[]): number[][] =>
      rows.length === 0
        ? [[]]
        : rows.flatMap((row) => orders(rows.filter((other) => other !== row)).map((rest) => [row, ...rest]));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(2), { minLength: 5, maxLength: 5 }), async (scores) => {
        const { enrichment } = await rankPool(pool, () => Float64Array.from(scores), { k: [1, 2, 3, 4, 5] });
        const sorted = orders([0, 1, 2, 3, 4]).filter((order) =>
          order.every((row, i) => i === 0 || scores[order[i - 1]!]! >= scores[row]!),
        );
        for (const { k, found } of enrichment) {
          const counts = sorted.map((order) => order.slice(0, k).filter((row) => pool.isTop[row]).length);
          expect(found).toBeCloseTo(counts.reduce((a, b) => a + b) / counts.length, 12);
        }
      }),
    );
  });

  it('memory alone finds all among all rows, and nothing among unseen ones', async () => {
    const data = numbered(...Array.from({ length: 100 }, (_, i) => i));
    const withDecoys = measuredPool(data, { withheld: 0.5 });
    const withoutDecoys = measuredPool(data);
    const all = await rankPool(withoutDecoys, memoryOf(withoutDecoys.visible), { k: [20] });
    expect(all.enrichment[0]!.share).toBe(1);
    const unseen = await rankPool(withDecoys, memoryOf(withDecoys.visible), { among: 'unseen', k: [30] });
    expect([unseen.rows, unseen.topRows]).toEqual([60, 20]);
    expect(unseen.enrichment[0]!.found).toBeCloseTo(unseen.enrichment[0]!.expected, 12);
  });

  it('lists longer than the rows are left out', async () => {
    const { enrichment } = await rankPool(pool, (x) => x, { k: [3, 2, 3, 6] });
    expect(enrichment.map(({ k }) => k)).toEqual([2, 3]);
  });

  it('refuses scores that are none', async () => {
    await expect(rankPool(pool, () => new Float64Array(4))).rejects.toThrow('5 rows by 4 numbers');
    await expect(rankPool(pool, (x) => x.with(1, Number.NaN))).rejects.toThrow(
      "the method's score[1] is NaN",
    );
    await expect(rankPool(pool, (x) => x, { k: [0] })).rejects.toThrow('k is 0');
  });
});

/** Knows which rows it has seen, and nothing else. */
function memoryOf(visible: Dataset) {
  const known = new Set(visible.x);
  return (x: Float64Array) => x.map((v) => (known.has(v) ? 0 : 1));
}
