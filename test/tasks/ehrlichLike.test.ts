import { describe, expect, it } from 'vitest';
import { ehrlichLikeTask, ehrlichMotifs, ehrlichOptimum } from '../../src/tasks/ehrlichLike.js';
import { textSource } from './sources.js';

const open = () => ehrlichLikeTask.open(textSource({}));

describe('ehrlich-like-v1', () => {
  it('has motifs that fit side by side', () => {
    expect(ehrlichMotifs).toHaveLength(4);
    for (const { letters, offsets } of ehrlichMotifs) {
      expect(new Set(letters).size).toBe(4);
      expect(letters.every((letter) => letter >= 0 && letter < 8)).toBe(true);
      expect(offsets[0]).toBe(0);
      expect(offsets.every((offset, i) => i === 0 || offset > offsets[i - 1]!)).toBe(true);
      expect(offsets.at(-1)).toBeLessThan(8);
    }
  });

  it('has optimum 1, which a wrong letter spoils by its share', async () => {
    const { score } = await open();
    const best = ehrlichOptimum();
    expect((await score(best))[0]).toBe(1);
    // position 0 is the first letter of the first motif and of no other
    expect((await score(best.with(0, 7)))[0]).toBe(0.75);
    // position 10 is the third letter of the second
    expect((await score(best.with(0, 7).with(10, 7)))[0]).toBe(0.75 * 0.75);
    // position 1 is of no motif
    expect((await score(best.with(1, 7)))[0]).toBe(1);
  });

  it('finds motifs wherever they stand, and nothing in a sequence without their letters', async () => {
    const { score } = await open();
    const best = ehrlichOptimum();
    // blocks of eight in another order
    const turned = Float64Array.from({ length: 32 }, (_, j) => best[(j + 8) % 32]!);
    expect((await score(turned))[0]).toBe(1);
    expect((await score(new Float64Array(32).fill(7)))[0]).toBe(0);
    // 5 is in all four motifs, once in each
    expect((await score(new Float64Array(32).fill(5)))[0]).toBe(1 / 256);
  });

  it('shows the worst 40 %', async () => {
    const { data, space, range, score } = await open();
    expect([data.y.length, data.x.length, space.columns.length]).toEqual([4000, 4000 * 32, 32]);
    expect(Math.max(...data.y)).toBe(0.0625);
    expect(new Set(data.y).size).toBe(8);
    expect(range).toEqual({ worst: 0.0078125, best: 0.5625 });
    expect(await score(data.x)).toEqual(data.y);
  });

  it('refuses what is no sequence', async () => {
    const { score } = await open();
    await expect(score(ehrlichOptimum().with(3, Number.NaN))).rejects.toThrow('letter 4 is NaN');
    await expect(score(ehrlichOptimum().with(3, 8))).rejects.toThrow('not a class from 0 to 7');
    await expect(score(new Float64Array(33))).rejects.toThrow('not a multiple of the 32 columns');
  });
});
