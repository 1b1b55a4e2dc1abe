// Data that support no promise: a slip of the pen, or next to no rows. The same rows without it are the control.
import { describe, expect, it } from 'vitest';
import { design } from '../../src/design/design.js';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { read } from '../table/reading.js';

/** The verdict on `count` rows of y = a + 2 b, where row 7 has `slip` as its a. */
async function verdictOn(count: number, slip?: string) {
  const stream = new Stream(rootKey(14));
  const lines = Array.from({ length: count }, (_, i) => {
    const [a, b] = [stream.uniform() ** 2, stream.uniform() ** 2];
    return [i === 7 && slip ? slip : a.toFixed(4), b.toFixed(4), (a + 2 * b).toFixed(4)].join();
  });
  const table = await read(['a,b,y', ...lines].join('\n'), { name: 'past.csv' });
  const { verdict } = await design(table, { goal: 'max y', batch: 2, effort: 'fast' });
  return verdict;
}

describe('a plain relation', () => {
  it('of sixty rows is likely better: the control', async () => {
    expect((await verdictOn(60)).level).toBe('likely');
  });

  it.each(['1e15', '-1e15', '99999999'])('with an a of %s among 0..1 is not, and says why', async (slip) => {
    const { level, reasons } = await verdictOn(60, slip);
    expect(level).not.toBe('likely');
    expect(reasons).toContain('one value of a is far away from all others; correct it, or remove its row');
  });

  it('of eleven rows is not', async () => {
    expect((await verdictOn(11)).level).not.toBe('likely');
  });
});
