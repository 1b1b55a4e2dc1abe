import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { balancedWeights, fitForest, forestTrees, joinForest } from '../../src/models/randomForest.js';
import { predictTrees } from '../../src/models/trees.js';
import { rootKey, Stream } from '../../src/numeric/index.js';

const golden = JSON.parse(readFileSync(new URL('../golden/trees.json', import.meta.url), 'utf8'));
const data = { x: Float64Array.from(golden.x.flat() as number[]), y: golden.y as number[], columns: 4 };
const key = rootKey(21);

describe('a random forest', () => {
  it('is the mean of its trees', () => {
    const forest = fitForest(data, { trees: 3 }, key);
    const apart = [...forestTrees(data, {}, key, 0, 3)].map((tree) =>
      predictTrees(joinForest([tree], 4), data.x),
    );
    predictTrees(forest, data.x).forEach((v, i) =>
      expect(v).toBeCloseTo((apart[0]![i]! + apart[1]![i]! + apart[2]![i]!) / 3, 14),
    );
  });

  it('is the same in parts, in any order', () => {
    const options = { trees: 7, columnsPerSplit: 2 };
    const parts = [
      [...forestTrees(data, options, key, 5, 7)],
      [...forestTrees(data, options, key, 0, 2)],
      [...forestTrees(data, options, key, 2, 5)],
    ];
    const joined = joinForest([...parts[1]!, ...parts[2]!, ...parts[0]!], 4);
    expect(joined).toEqual(fitForest(data, options, key));
  });

  it('draws rows with replacement: 1 - 1/e of them are in a tree', () => {
    const N = 4000;
    const x = Float64Array.from({ length: N }, (_, i) => i);
    const y = Float64Array.from({ length: N }, (_, i) => i * i);
    const { first } = fitForest({ x, y, columns: 1 }, { trees: 5 }, key);
    // Each distinct row has its leaf. The share of a tree has a standard deviation of 0.0049 (occupancy, N = 4000).
    const leaves = [...first].slice(1).map((end, t) => (end - first[t]! + 1) / 2 / N);
    for (const share of leaves) expect(Math.abs(share - (1 - Math.exp(-1)))).toBeLessThan(4 * 0.0049);
    expect(new Set(leaves).size).toBeGreaterThan(1);
    const thinned = fitForest({ x, y, columns: 1 }, { trees: 1, bootstrap: false, rowShare: 0.25 }, key);
    expect(thinned.column.length).toBe(2 * 1000 - 1);
  });

  it('weighs a leaf by the draws of its rows', () => {
    // Two rows that cannot be told apart, scores 0 and 1: the leaf is the share of draws of the second.
    const twins = { x: Float64Array.of(3, 3), y: [0, 1], columns: 1 };
    const { number } = fitForest(twins, { trees: 400 }, key);
    const shares = [0, 0.5, 1].map((v) => number.filter((share) => share === v).length);
    expect(shares[0]! + shares[1]! + shares[2]!).toBe(400);
    // 200 expected, standard deviation 10
    expect(Math.abs(shares[1]! - 200)).toBeLessThan(40);
  });

  it('looks at so many columns for a cut, and on while they have one value', () => {
    // Column 2 alone explains y; columns 4 to 99 are constant.
    const stream = new Stream(rootKey(4));
    const N = 60;
    const x = new Float64Array(N * 100);
    for (let i = 0; i < N; i++) for (let j = 0; j < 4; j++) x[i * 100 + j] = stream.normal();
    const y = Float64Array.from({ length: N }, (_, i) => Math.sign(x[i * 100 + 2]!));
    const roots = (columnsPerSplit: number | 'sqrt' | null) => {
      const { first, column } = fitForest({ x, y, columns: 100 }, { trees: 100, columnsPerSplit }, key);
      return [0, 1, 2, 3].map((j) => [...first].filter((root) => column[root] === j).length);
    };
    expect(roots(null)).toEqual([0, 0, 100, 0]);
    // With one column for each cut, each of the four is drawn first in 25 of 100 trees, standard deviation 4.3.
    const single = roots(1);
    expect(single.reduce((sum, n) => sum + n, 0)).toBe(100);
    for (const count of single) expect(Math.abs(count - 25)).toBeLessThan(18);
    // 10 of 100 columns: column 2 is seen, or another one of the four is
    expect(roots('sqrt').reduce((sum, n) => sum + n, 0)).toBe(100);
    expect(roots('sqrt')).toEqual(roots(10));
  });

  it("has the cuts of scikit-learn's balanced classifier, and its shares", () => {
    const weights = balancedWeights(golden.labels);
    const { column, number } = fitForest(
      { ...data, y: golden.labels, weights },
      { trees: 1, bootstrap: false, depth: 3, minLeaf: 12 },
      key,
    );
    expect([...column]).toEqual(golden.classificationTree.column);
    golden.classificationTree.number.forEach((v: number, i: number) => expect(number[i]).toBeCloseTo(v, 12));
  });

  it('gives probabilities that tell labels apart', () => {
    const stream = new Stream(rootKey(8));
    const draw = (n: number) => {
      const x = Float64Array.from({ length: n * 64 }, () => stream.integer(2));
      // one in about 6 rows, by 8 of 64 bits
      const y = Array.from({ length: n }, (_, i) =>
        Number(x.subarray(i * 64, i * 64 + 8).reduce((sum, bit) => sum + bit, 0) >= 6),
      );
      return { x, y, columns: 64 };
    };
    const seen = draw(800);
    const weights = balancedWeights(seen.y);
    const forest = fitForest({ ...seen, weights }, { trees: 60, columnsPerSplit: 'sqrt', depth: 12 }, key);
    const held = draw(400);
    const shares = predictTrees(forest, held.x);
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...shares)).toBeLessThanOrEqual(1);
    const ones = shares.filter((_, i) => held.y[i] === 1);
    const zeros = shares.filter((_, i) => held.y[i] === 0);
    let wins = 0;
    for (const a of ones) for (const b of zeros) wins += a > b ? 1 : a === b ? 0.5 : 0;
    expect(wins / (ones.length * zeros.length)).toBeGreaterThan(0.9);
  });

  it('balances labels', () => {
    expect([...balancedWeights([0, 0, 0, 1])]).toEqual([4 / 6, 4 / 6, 4 / 6, 2]);
    expect(() => balancedWeights([0, 2])).toThrow('labels[1] is 2; expected 0 or 1');
  });
});
