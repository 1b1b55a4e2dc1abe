import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Task } from '../../src/tasks/task.js';
import { nucleotides, tfbind8Exact } from '../../src/tasks/tfbind8.js';
import { isThereOrSaysWhy, realSource, textSource } from './sources.js';

const encode = (sequences: readonly string[]) =>
  Float64Array.from(
    sequences.flatMap((sequence) => [...sequence].map((letter) => nucleotides.indexOf(letter))),
  );

/** Every sequence, scored by its number to base 4. */
const made = Array.from({ length: 65536 }, (_, place) => ({
  sequence: Array.from({ length: 8 }, (_, j) => nucleotides[Math.floor(place / 4 ** (7 - j)) % 4]).join(''),
  y: place / 65535,
}));
const opening = (lines: readonly string[]) =>
  tfbind8Exact.open(textSource({ 'tfbind8/tfbind8_SIX6_REF_R1.csv.gz': `seq,y\n${lines.join('\n')}\n` }));
const lines = made.map(({ sequence, y }) => `${sequence},${y}`);

describe('look-up', () => {
  it('finds what was written, in any order, palindromes twice', async () => {
    // AATTAATT is at 0 0 3 3 0 0 3 3
    const { data, score, range } = await opening([...lines].reverse().concat(lines[0x0f0f]!));
    expect(await score(encode(['AAAAAAAA', 'AATTAATT', 'TTTTTTTT', 'CAAAAAAA']))).toEqual(
      Float64Array.of(0, made[0x0f0f]!.y, 1, made[4 ** 7]!.y),
    );
    expect(range).toEqual({ worst: 0, best: 1 });
    // 65537 rows, of which the median is the 32769th: 32767 / 65535, the palindrome being below twice
    expect(data.y.length).toBe(32769);
    expect(Math.max(...data.y)).toBe(made[32767]!.y);
    expect([...data.x.subarray(-8)]).toEqual([...encode(['AATTAATT'])]);
  });

  it('refuses a file that is not what it should be', async () => {
    await expect(opening(lines.slice(0, -1))).rejects.toThrow('there is no TTTTTTTT');
    await expect(opening([...lines, 'AATTAATT,0.9'])).rejects.toThrow(
      'line 65538: AATTAATT has a second score, 0.9 beside 0.0',
    );
    await expect(opening([...lines, 'AATTAAT,0.9'])).rejects.toThrow('"AATTAAT" is not 8 letters of ACGT');
    await expect(opening([...lines, 'AATTAATU,0.9'])).rejects.toThrow('"AATTAATU" is not 8 letters');
  });
});

describe.skipIf(!isThereOrSaysWhy('tfbind8', 'tfbind8'))('tfbind8-exact-v1', () => {
  let opened: Promise<Task> | undefined;
  const open = () => (opened ??= tfbind8Exact.open(realSource()));

  it('shows the lower half', async () => {
    const { data, range, space } = await open();
    expect([data.y.length, data.x.length, space.columns.length]).toEqual([32898, 8 * 32898, 8]);
    expect(Math.max(...data.y)).toBe(0.439296);
    expect(range).toEqual({ worst: 0, best: 1 });
  });

  it('scores every row of the file as it was measured', async () => {
    const { score } = await open();
    const bytes = await realSource().read('tfbind8', 'tfbind8_SIX6_REF_R1.csv.gz');
    const rows = gunzipSync(bytes)
      .toString('utf8')
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.split(','));
    // 256 palindromes twice
    expect(rows).toHaveLength(65536 + 256);
    const y = await score(encode(rows.map(([sequence]) => sequence!)));
    expect(y).toEqual(Float64Array.from(rows, ([, value]) => Number(value)));
  });

  it('both strands have one score', async () => {
    const { score } = await open();
    const all = encode(made.map(({ sequence }) => sequence));
    // A and T, C and G are 0 and 3, 1 and 2
    const complements = all.map((_, at) => 3 - all[at - (at % 8) + 7 - (at % 8)]!);
    expect(await score(complements)).toEqual(await score(all));
  });

  it('refuses what is no sequence', async () => {
    const { score } = await open();
    await expect(score(Float64Array.of(0, 1, 2, 3, 0, 1, 2, Number.NaN))).rejects.toThrow('letter 8 is NaN');
    await expect(score(Float64Array.of(0, 1, 2, 4, 0, 1, 2, 3))).rejects.toThrow('not a class from 0 to 3');
    await expect(score(new Float64Array(9))).rejects.toThrow('not a multiple of the 8 columns');
  });
});
