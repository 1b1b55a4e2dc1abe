import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { boostingSteps, fitBoosting } from '../../src/models/gradientBoosting.js';
import { predictTrees } from '../../src/models/trees.js';
import { mean, rootKey } from '../../src/numeric/index.js';
import { readTableFile } from '../../src/table/platform/node.js';
import { cells } from '../table/reading.js';

const golden = JSON.parse(readFileSync(new URL('../golden/trees.json', import.meta.url), 'utf8'));
const data = { x: Float64Array.from(golden.x.flat() as number[]), y: golden.y as number[], columns: 4 };
const key = rootKey(11);

describe('gradient boosting', () => {
  it("predicts what scikit-learn's does", () => {
    const trees = fitBoosting(data, { trees: 40, depth: 3, minLeaf: 8, rate: 0.1 }, key);
    expect(trees.first.length).toBe(41);
    predictTrees(trees, golden.questions.flat()).forEach((v, i) =>
      expect(v).toBeCloseTo(golden.boosting[i], 11),
    );
  });

  it('halves what is left with each tree that could return every score', () => {
    const trees = fitBoosting(data, { trees: 5, depth: null, rate: 0.5 }, key);
    const base = mean(data.y);
    expect(trees.base).toBeCloseTo(base, 14);
    predictTrees(trees, data.x).forEach((v, i) =>
      expect(v).toBeCloseTo(data.y[i]! + (base - data.y[i]!) / 32, 12),
    );
  });

  it('grows each tree on its share of the rows', () => {
    // Of rows that all differ, a tree without limits has one leaf for each row it saw.
    const options = { trees: 6, depth: null, rate: 0.1, rowShare: 0.3 };
    const { first } = fitBoosting(data, options, key);
    expect([...first].slice(1).map((end, t) => end - first[t]!)).toEqual(Array(6).fill(2 * 48 - 1));
    expect(fitBoosting(data, { ...options, rowShare: 1e-9 }, key).column.length).toBe(6);
  });

  it('gives each tree its columns', () => {
    const { first, column } = fitBoosting(data, { trees: 12, depth: 5, columnsPerTree: 1 }, key);
    const used = [...first]
      .slice(0, -1)
      .map((from, t) => new Set(column.slice(from, first[t + 1]).filter((j) => j >= 0)));
    expect(used.every(({ size }) => size === 1)).toBe(true);
    expect(new Set(used.flatMap((columns) => [...columns])).size).toBe(4);
  });

  it('is the same for the same key, and another for another', () => {
    const options = { trees: 8, depth: 6, rowShare: 0.5, columnsPerTree: 3, columnsPerSplit: 2 };
    const trees = fitBoosting(data, options, key);
    expect(fitBoosting(data, options, key)).toEqual(trees);
    expect(fitBoosting(data, options, rootKey(12)).number).not.toEqual(trees.number);
    // a longer run begins as a shorter one
    const longer = fitBoosting(data, { ...options, trees: 9 }, key);
    expect(longer.number.subarray(0, trees.number.length)).toEqual(trees.number);
  });

  it('counts its trees', () => {
    expect([...boostingSteps(data, { trees: 3 }, key)]).toEqual([1, 2, 3]);
  });

  it('of equal scores predicts that score', () => {
    const flat = fitBoosting({ ...data, y: data.y.map(() => 0.1) }, { trees: 3 }, key);
    expect(new Set(predictTrees(flat, data.x))).toEqual(new Set([0.1]));
    const single = fitBoosting({ x: Float64Array.of(1, 2), y: [5], columns: 2 }, { trees: 2 }, key);
    expect([...predictTrees(single, [9, 9])]).toEqual([5]);
  });

  it('takes a weight of 2 as the row twice', () => {
    const weights = data.y.map((_, i) => 1 + (i % 2));
    const twice = data.y.flatMap((_, i) => Array<number>(weights[i]!).fill(i));
    const doubled = {
      x: Float64Array.from(twice.flatMap((i) => golden.x[i])),
      y: twice.map((i) => data.y[i]!),
      columns: 4,
    };
    const options = { trees: 10, depth: 3 };
    const other = predictTrees(fitBoosting(doubled, options, key), data.x);
    predictTrees(fitBoosting({ ...data, weights }, options, key), data.x).forEach((v, i) =>
      expect(v).toBeCloseTo(other[i]!, 10),
    );
  });

  it('refuses shares it cannot take', () => {
    expect(() => fitBoosting(data, { trees: 0 }, key)).toThrow('trees is 0');
    expect(() => fitBoosting(data, { rate: 0 }, key)).toThrow('rate is 0; expected a number above 0');
    expect(() => fitBoosting(data, { rowShare: 1.1 }, key)).toThrow('rowShare is 1.1');
    expect(() => fitBoosting(data, { columnsPerTree: 5 }, key)).toThrow(
      'columnsPerTree is 5, but there are 4',
    );
  });
});

const folder = process.env.NEMOKIT_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));
const isThere = existsSync(join(folder, 'tables', 'concrete.csv'));
if (!isThere)
  process.stderr.write(
    `boosting of concrete skipped: no tables/concrete.csv in ${folder} (set NEMOKIT_DATA)\n`,
  );

describe.skipIf(!isThere)('gradient boosting of concrete.csv', () => {
  it('explains 9 of 10 parts of the variance of rows it has not seen', async () => {
    const table = await readTableFile(join(folder, 'tables', 'concrete.csv'));
    const names = table.columns.map(({ name }) => name);
    const y = cells(table, 'ConcreteCompressiveStrength') as number[];
    const inputs = names.filter((name) => name !== 'ConcreteCompressiveStrength');
    const columns = inputs.map((name) => cells(table, name) as number[]);
    const part = (isSeen: boolean) => {
      const rows = y.flatMap((_, i) => (i % 5 > 0 === isSeen ? [i] : []));
      return {
        x: Float64Array.from(rows.flatMap((i) => columns.map((column) => column[i]!))),
        y: rows.map((i) => y[i]!),
        columns: inputs.length,
      };
    };
    const [seen, held] = [part(true), part(false)];
    const trees = fitBoosting(seen, { trees: 200, depth: 5, rate: 0.1, rowShare: 0.5 }, key);
    const center = mean(held.y);
    let [left, all] = [0, 0];
    predictTrees(trees, held.x).forEach((v, i) => {
      left += (v - held.y[i]!) ** 2;
      all += (held.y[i]! - center) ** 2;
    });
    expect(1 - left / all).toBeGreaterThan(0.9);
  });
});
