import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeColumns } from '../../src/models/columnCodes.js';
import { type ForestOptions, fitForest } from '../../src/models/randomForest.js';
import { TreeGrower } from '../../src/models/regressionTree.js';
import { firstNumbers, type TreeData } from '../../src/models/treeData.js';
import { predictTrees, type Tree } from '../../src/models/trees.js';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { giniImpurity, type PlainNode, plainTree } from './exactTree.js';

const golden = JSON.parse(readFileSync(new URL('../golden/trees.json', import.meta.url), 'utf8'));

const key = rootKey(3);
const ones = (n: number) => Array<number>(n).fill(1);

function tableOf(x: readonly (readonly number[])[], y: readonly number[]): TreeData {
  return { x: Float64Array.from(x.flat()), y: Float64Array.from(y), columns: x[0]!.length };
}

/** One tree on all rows. */
function fitTree(data: TreeData, options: Partial<ForestOptions> = {}) {
  return fitForest(data, { trees: 1, bootstrap: false, ...options }, key);
}

function unfold({ column, number, skip }: Tree, node = 0): PlainNode {
  if (column[node]! < 0) return { column: -1, number: number[node]! };
  return {
    column: column[node]!,
    number: number[node]!,
    left: unfold({ column, number, skip }, node + 1),
    right: unfold({ column, number, skip }, node + 1 + skip[node]!),
  };
}

/** The same columns and thresholds, and leaves that differ by rounding only. */
function expectSame(found: PlainNode, wanted: PlainNode): void {
  expect(found.column).toBe(wanted.column);
  if (wanted.column < 0) {
    expect(Math.abs(found.number - wanted.number)).toBeLessThan(1e-9 * (1 + Math.abs(wanted.number)));
    return;
  }
  expect(found.number).toBe(wanted.number);
  expectSame(found.left!, wanted.left!);
  expectSame(found.right!, wanted.right!);
}

/** Tables of columns that are numbers, few numbers, a constant, or a copy of another column. */
const tables = fc
  .tuple(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 0, max: 1e6 }))
  .map(([n, seed]) => {
    const stream = new Stream(rootKey(seed));
    const x = Array.from({ length: n }, () => {
      const few = stream.integer(4);
      return [3, few, stream.normal(), few, Math.round(4 * stream.normal()) / 4, stream.normal()];
    });
    const y = x.map((row) => Math.round(8 * (row[2]! + row[1]! * row[4]! + 0.5 * stream.normal())) / 8);
    const w = x.map(() => (1 + stream.integer(12)) / 4);
    const labels = x.map((row) => Number(row[2]! + row[1]! + stream.normal() > 1));
    return { x, y, w, labels };
  });

/** Tables of zeros and ones, few or many, with a constant column, a copy, and a column of other two numbers. */
const bitTables = fc
  .tuple(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 7 }), fc.integer({ min: 0, max: 1e6 }))
  .map(([n, tenths, seed]) => {
    const stream = new Stream(rootKey(seed));
    const bit = () => Number(stream.integer(10) < tenths);
    const x = Array.from({ length: n }, () => {
      const first = bit();
      return [0, first, bit(), first, bit(), bit(), bit() ? 5 : -2];
    });
    const y = x.map((row) => row[1]! + 2 * row[2]! * row[4]! + Math.round(8 * stream.normal()) / 8);
    const w = x.map(() => (1 + stream.integer(12)) / 4);
    return { x, y, w };
  });

describe('a regression tree', () => {
  it('is the tree of the definition on bits', () => {
    fc.assert(
      fc.property(
        bitTables,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 5 }),
        ({ x, y, w }, depth, minLeaf) => {
          const tree = fitTree({ ...tableOf(x, y), weights: w }, { depth, minLeaf });
          expectSame(unfold(tree), plainTree(x, y, w, { depth, minLeaf }));
        },
      ),
      { seed: 1, numRuns: 120 },
    );
  });

  it.each([
    ['bits', [0, 0, 0]],
    ['numbers', [0, 1, 2]],
  ])('takes the lowest column of equal cuts between nearly equal scores, of %s', (_, last) => {
    // Columns 1 and 2 tell the first two rows apart, each the other way round.
    const x = [
      [0, 0, 1, last[0]!],
      [0, 1, 0, last[1]!],
      [1, 0, 0, last[2]!],
    ];
    const stream = new Stream(rootKey(8));
    for (let k = 0; k < 200; k++) {
      const near = 8 + stream.uniform();
      const y = [near, near + 1e-3 * (1 + stream.uniform()), 20];
      const weights = y.map(() => 1 + stream.integer(3));
      const { column } = fitTree({ ...tableOf(x, y), weights });
      expect([...column]).toEqual([0, 1, -1, -1, -1]);
    }
  });

  it('is the same whether few or most cells are ones', () => {
    // 1 - x swaps the sides of each cut, and with them nothing but the order of the nodes.
    fc.assert(
      fc.property(bitTables, ({ x, y }) => {
        const bits = x.map((row) => row.slice(0, 6));
        const tree = fitTree(tableOf(bits, y));
        const swapped = bits.map((row) => row.map((v) => 1 - v));
        const mirrored = fitTree(tableOf(swapped, y));
        const [found, wanted] = [
          predictTrees(mirrored, Float64Array.from(swapped.flat())),
          predictTrees(tree, Float64Array.from(bits.flat())),
        ];
        found.forEach((v, i) => expect(v).toBeCloseTo(wanted[i]!, 9));
      }),
      { seed: 2, numRuns: 60 },
    );
  });

  it('is the tree of the definition', () => {
    fc.assert(
      fc.property(
        tables,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 5 }),
        ({ x, y }, depth, minLeaf) => {
          const tree = fitTree(tableOf(x, y), { depth, minLeaf });
          expectSame(unfold(tree), plainTree(x, y, ones(y.length), { depth, minLeaf }));
        },
      ),
      { seed: 1, numRuns: 60 },
    );
  });

  it('is the tree of the definition with weights', () => {
    fc.assert(
      fc.property(tables, fc.integer({ min: 1, max: 4 }), ({ x, y, w }, minLeaf) => {
        const tree = fitTree({ ...tableOf(x, y), weights: w }, { depth: 5, minLeaf });
        expectSame(unfold(tree), plainTree(x, y, w, { depth: 5, minLeaf }));
      }),
      { seed: 2, numRuns: 40 },
    );
  });

  it('of labels 0 and 1 is the tree of the Gini impurity', () => {
    fc.assert(
      fc.property(tables, ({ x, labels, w }) => {
        const tree = fitTree({ ...tableOf(x, labels), weights: w }, { depth: 5 });
        expectSame(unfold(tree), plainTree(x, labels, w, { depth: 5, minLeaf: 1 }, giniImpurity));
      }),
      { seed: 3, numRuns: 40 },
    );
  });

  it('is the tree of the definition on a sample of many rows', () => {
    // 2,100 of 4,200 rows: codes up to twice the sample
    const stream = new Stream(rootKey(9));
    const N = 4200;
    const x = Array.from({ length: N }, () => [Math.round(5 * stream.normal()), stream.normal()]);
    const y = x.map((row) => Math.sin(3 * row[1]!) + row[0]! / 5 + stream.normal());
    const data = tableOf(x, y);
    const sample = Int32Array.from({ length: N / 2 }, (_, i) => 2 * i);
    const grower = new TreeGrower(encodeColumns(data.x, 2), sample.length, {
      depth: 1,
      minLeaf: 1,
      columnsPerSplit: null,
    });
    const even = <T>(all: readonly T[]) => all.filter((_, i) => i % 2 === 0);
    const tree = grower.grow(
      sample,
      Float64Array.from(y),
      new Float64Array(N).fill(1),
      firstNumbers(2),
      stream,
    );
    expectSame(unfold(tree), plainTree(even(x), even(y), ones(N / 2), { depth: 1, minLeaf: 1 }));
  });

  it.each([
    ['tree', { depth: 5, minLeaf: 6 }, 'y', undefined],
    ['weightedTree', { depth: 5, minLeaf: 6 }, 'y', golden.weights],
  ] as const)("is scikit-learn's: %s", (name, options, scores, weights) => {
    const data = { ...tableOf(golden.x, golden[scores]), ...(weights && { weights }) };
    const { column, number } = fitTree(data, options);
    expect([...column]).toEqual(golden[name].column);
    golden[name].number.forEach((v: number, i: number) => expect(number[i]).toBeCloseTo(v, 12));
  });

  it('predicts what its leaves say, for any number of rows', () => {
    const { x, y } = golden;
    const tree = fitTree(tableOf(x, y), { depth: 6 });
    const walk = (row: readonly number[], node: PlainNode): number =>
      node.column < 0 ? node.number : walk(row, row[node.column]! <= node.number ? node.left! : node.right!);
    for (const count of [0, 1, 2, 3, 4, 5, 40]) {
      const rows: number[][] = golden.questions.slice(0, count);
      expect([...predictTrees(tree, rows.flat())]).toEqual(rows.map((row) => walk(row, unfold(tree))));
    }
  });

  it('without limits returns the scores of rows that differ, exactly', () => {
    const tree = fitTree(tableOf(golden.x, golden.y));
    expect([...predictTrees(tree, golden.x.flat())]).toEqual(golden.y);
  });

  it('breaks ties by the lowest column, then the lowest threshold', () => {
    // y is symmetric in x: cuts after the first and before the last row are equally good
    const twins = tableOf(
      [
        [5, 0, 0],
        [5, 1, 1],
        [5, 2, 2],
      ],
      [1, 0, 1],
    );
    expect(unfold(fitTree(twins, { depth: 1 }))).toEqual({
      column: 1,
      number: 0.5,
      left: { column: -1, number: 1 },
      right: { column: -1, number: 0.5 },
    });
  });

  it('cuts where no single cut helps: exclusive or', () => {
    const tree = fitTree(
      tableOf(
        [
          [0, 0],
          [0, 1],
          [1, 0],
          [1, 1],
        ],
        [0, 1, 1, 0],
      ),
    );
    expect([...predictTrees(tree, [0, 0, 0, 1, 1, 0, 1, 1])]).toEqual([0, 1, 1, 0]);
  });

  it('is one leaf where nothing can be cut', () => {
    const leaf = (data: TreeData, options = {}) => {
      const { column, number } = fitTree(data, options);
      expect([...column]).toEqual([-1]);
      return number[0];
    };
    expect(leaf(tableOf([[1, 2]], [7.3]))).toBe(7.3);
    expect(leaf(tableOf([[1], [2], [3]], [0.1, 0.1, 0.1]))).toBe(0.1);
    expect(
      leaf(
        tableOf(
          [
            [1, 4],
            [1, 4],
            [1, 4],
          ],
          [1, 2, 6],
        ),
      ),
    ).toBe(3);
    expect(leaf(tableOf([[1], [2], [3]], [1, 2, 6]), { minLeaf: 2 })).toBe(3);
    expect(leaf({ ...tableOf([[1], [1]], [0, 1]), weights: [1, 3] })).toBe(0.75);
  });

  it('keeps its thresholds between numbers that are next to each other, huge or zero', () => {
    const next = 1 + Number.EPSILON;
    const cut = (a: number, b: number) => fitTree(tableOf([[a], [b]], [0, 1])).number[0]!;
    expect(cut(1, next)).toBe(1);
    expect(cut(0, Number.MIN_VALUE)).toBe(0);
    expect(cut(-Number.MAX_VALUE, Number.MAX_VALUE)).toBe(0);
    expect(cut(Number.MAX_VALUE / 2, Number.MAX_VALUE)).toBe(Number.MAX_VALUE * 0.75);
    expect([...fitTree(tableOf([[0], [-0]], [1, 2])).column]).toEqual([-1]);
  });

  it('does not depend on where the scores have their zero', () => {
    const { x, y } = golden;
    const far = fitTree(
      tableOf(
        x,
        y.map((v: number) => v + 2 ** 30),
      ),
      { depth: 6, minLeaf: 3 },
    );
    expect([...far.column]).toEqual([...fitTree(tableOf(x, y), { depth: 6, minLeaf: 3 }).column]);
  });

  it('stays finite at the ends of what it takes', () => {
    const x = golden.x.slice(0, 40);
    const y = x.map((_: unknown, i: number) => (i % 3) * 5e59 - 5e59);
    const weights = x.map((_: unknown, i: number) => (i % 2 ? 1e30 : 1e21));
    const { number } = fitTree({ ...tableOf(x, y), weights });
    expect(number.every(Number.isFinite)).toBe(true);
    expect([...predictTrees(fitTree({ ...tableOf(x, y), weights }), x.flat())]).toEqual(y);
  });

  it('names the column and row of a number it cannot use', () => {
    const data = tableOf(
      [
        [1, 2],
        [3, Number.NaN],
      ],
      [0, 1],
    );
    expect(() => fitTree(data)).toThrow('column 1 is NaN in row 1');
    expect(() => fitTree({ ...data, names: ['heat', 'load'] })).toThrow('column "load" is NaN in row 1');
    const tree = fitTree(
      tableOf(
        [
          [1, 2],
          [3, 4],
        ],
        [0, 1],
      ),
    );
    expect(() => predictTrees(tree, [1, Number.NEGATIVE_INFINITY])).toThrow('column 1 is -Infinity in row 0');
    expect(() => predictTrees(tree, [1, 2, 3])).toThrow('3 numbers, which are not whole rows of 2 columns');
  });

  it('refuses other bad input by name', () => {
    const data = tableOf(
      [
        [1, 2],
        [3, 4],
      ],
      [0, 1],
    );
    expect(() => fitTree({ ...data, y: [0, Number.NaN] })).toThrow('y[1] is NaN');
    expect(() => fitTree({ ...data, y: [0] })).toThrow('y has length 1; expected 2');
    expect(() => fitTree({ ...data, x: new Float64Array(0) })).toThrow('x has no rows');
    expect(() => fitTree({ ...data, columns: 3 })).toThrow(
      '4 numbers, which are not whole rows of 3 columns',
    );
    expect(() => fitTree({ ...data, weights: [1, 0] })).toThrow('weights[1] is 0; expected a number above 0');
    expect(() => fitTree({ ...data, weights: [1, 1e10] })).toThrow('weights are from 1 to 10000000000;');
    expect(() => fitTree({ ...data, y: [0, -1e61] })).toThrow(
      'y[1] is -1e+61; trees take scores up to 1e+60',
    );
    expect(() => fitTree(data, { depth: 0 })).toThrow('depth is 0');
    expect(() => fitTree(data, { minLeaf: 0.5 })).toThrow('minLeaf is 0.5');
    expect(() => fitTree(data, { columnsPerSplit: 3 })).toThrow(
      'columnsPerSplit is 3, but there are 2 columns',
    );
  });
});
