import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLinearAlgebra } from '../../src/numeric/linalg.js';
import { aminoAcids, encodeProtein, GfpOracle, gfpGp, wildType } from '../../src/tasks/gfp.js';
import type { Task } from '../../src/tasks/task.js';
import { secondsSince } from '../processorTime.js';
import { isThereOrSaysWhy, realSource, textSource } from './sources.js';

const d = 237;

describe('the Gaussian process', () => {
  // FIELD 3.2, letter by letter: products, not sums of logarithms, and no centre.
  async function transcription(B: number[][], train: number[][], y: number[], x: number[]): Promise<number> {
    const power = (v: number) => v ** 0.1;
    const product = (a: number[], b: number[]) =>
      a.reduce((sum, letter, j) => sum * power(B[letter]![b[j]!]!), 1);
    const R = (a: number[], b: number[]) => product(a, b) / Math.sqrt(product(a, a) * product(b, b));
    const n = train.length;
    const gram = train.flatMap((a, i) => train.map((b, k) => (R(a, b) + 1) ** 2 + (i === k ? 0.1 : 0)));
    const linalg = await openLinearAlgebra();
    const a = linalg.solveCholesky(linalg.cholesky(Float64Array.from(gram), n), n, Float64Array.from(y));
    return train.reduce((sum, sequence, i) => sum + a[i]! * Math.exp(R(x, sequence)), 0);
  }

  const B = [
    [4, 0.6, 0.9, 1.5],
    [0.6, 6, 0.3, 0.8],
    [0.9, 0.3, 7, 0.5],
    [1.5, 0.8, 0.5, 9],
  ];
  const sequence = fc.array(fc.nat(3), { minLength: 5, maxLength: 5 });

  it('is its definition, whatever the centre', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(sequence, fc.double({ min: 1, max: 4, noNaN: true })), {
          minLength: 1,
          maxLength: 6,
        }),
        sequence,
        sequence,
        async (rows, centre, x) => {
          const train = rows.map(([letters]) => letters);
          const y = rows.map(([, value]) => value);
          const oracle = await GfpOracle.fit(
            Float64Array.from(B.flat()),
            Uint8Array.from(train.flat()),
            Float64Array.from(y),
            Uint8Array.from(centre),
          );
          expect(oracle.scores(x)[0]).toBeCloseTo(await transcription(B, train, y, x), 10);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('files', () => {
  const similarity = `,${[...aminoAcids].join()}\n${[...aminoAcids]
    .map((a) => [a, ...[...aminoAcids].map((b) => (a === b ? 5 : 0.5))].join())
    .join('\n')}\n`;
  const files = {
    'gfp/gp_similarity.csv': similarity,
    'gfp/gp_train.csv': `sequence,y\n${wildType},3.7\nA${wildType.slice(1)},3.5\n`,
    'gfp/amino_acid_genotypes_to_brightness.tsv': 'aaMutations\tmedianBrightness\n\t3.7\nSA108D\t1.3\n',
  };
  const opening = (changes: Partial<typeof files>) => gfpGp.open(textSource({ ...files, ...changes }));

  it('a mutation of another protein is named with its line', async () => {
    await expect(
      opening({ 'gfp/amino_acid_genotypes_to_brightness.tsv': 'aaMutations\ty\n\t3.7\nSR108D\t1.3\n' }),
    ).rejects.toThrow(
      'gfp/amino_acid_genotypes_to_brightness.tsv, line 3: "SR108D" is no change of one letter',
    );
  });

  it('a sequence that is cut short is named with its line', async () => {
    await expect(opening({ 'gfp/gp_train.csv': `sequence,y\n${wildType},3.7\nSKGE,3.5\n` })).rejects.toThrow(
      'gfp/gp_train.csv, line 3: the sequence has 4 letters; expected 237',
    );
  });

  it('a similarity that is not positive is refused', async () => {
    await expect(opening({ 'gfp/gp_similarity.csv': similarity.replace('A,5', 'A,-5') })).rejects.toThrow(
      'gfp/gp_similarity.csv: expected a positive number for each pair',
    );
  });

  it('too few variants below the limit are refused', async () => {
    await expect(opening({})).rejects.toThrow('of 2 variants');
  });
});

it('letters have numbers', () => {
  expect([...encodeProtein(wildType).subarray(0, 4)]).toEqual([15, 11, 7, 6]);
  expect(() => encodeProtein('SKGE')).toThrow('4 letters');
  expect(() => encodeProtein(wildType.replace('K', 'X'))).toThrow('letter X');
});

describe.skipIf(!isThereOrSaysWhy('gfp', 'gfp'))('gfp-gp-v1', async () => {
  let opened: Promise<Task> | undefined;
  const open = () => (opened ??= gfpGp.open(realSource()));

  it("reproduces the authors' evaluations", async () => {
    const { score } = await open();
    const text = new TextDecoder().decode(await realSource().read('gfp', 'oracle_checks.csv'));
    const checks = text
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
    expect(checks).toHaveLength(301);
    const y = await score(Float64Array.from(checks.flatMap(([sequence]) => [...encodeProtein(sequence!)])));
    checks.forEach(([, value], i) => expect(Math.abs(y[i]! - Number(value))).toBeLessThan(1e-8));
    expect(y[0]).toBeCloseTo(3.255506028, 9);
    expect(y[300]).toBeCloseTo(2.894, 3);
  });

  it('shows 5000 variants below 3.15227', async () => {
    const { data, space, range } = await open();
    expect([data.x.length, data.y.length, space.columns.length]).toEqual([5000 * d, 5000, d]);
    expect(Math.max(...data.y)).toBe(3.1522686709233843);
    // FIELD 3.2: the largest of the stored values is 3.46475
    expect(range).toEqual({ worst: 2.7512526252782816, best: 3.4647487970654747 });
    const rows = new Set(Array.from({ length: 5000 }, (_, i) => data.x.subarray(i * d, (i + 1) * d).join()));
    expect(rows.size).toBe(5000);
  });

  it('labels are scores, and the same bits when opened again', async () => {
    const { data, score } = await open();
    expect(await score(data.x)).toEqual(data.y);
    const again = await gfpGp.open(realSource());
    expect(again.data.y).toEqual(data.y);
    expect(Buffer.from(again.data.x.buffer).equals(Buffer.from(data.x.buffer))).toBe(true);
  });

  it('scores 128 designs in well under a second of the processor', async () => {
    const { score } = await open();
    // none of the letters of the wild type: the slowest designs there are
    const far = encodeProtein(wildType).map((letter) => (letter + 1) % 20);
    const x = Float64Array.from({ length: 128 * d }, (_, i) => far[i % d]!);
    const start = process.cpuUsage();
    await score(x);
    expect(secondsSince(start)).toBeLessThan(1);
  });

  it('refuses what is no sequence', async () => {
    const { score } = await open();
    await expect(score(new Float64Array(d).fill(Number.NaN))).rejects.toThrow('S0 is NaN');
    await expect(score(new Float64Array(d).fill(20))).rejects.toThrow('not a class from 0 to 19');
    await expect(score(new Float64Array(d - 1))).rejects.toThrow('not a multiple of the 237 columns');
  });
});
