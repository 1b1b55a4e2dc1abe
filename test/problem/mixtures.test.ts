import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { deviationFrom, findMixtures } from '../../src/problem/mixtures.js';
import type { Table } from '../../src/table/table.js';
import { secondsSince } from '../processorTime.js';

function tableOf(columns: Readonly<Record<string, ArrayLike<number>>>): Table {
  const entries = Object.entries(columns);
  return {
    name: 'a.csv',
    rows: entries[0]![1].length,
    columns: entries.map(([name, values]) => ({ kind: 'number', name, values: Float64Array.from(values) })),
    notes: [],
  };
}

const find = (table: Table) =>
  findMixtures(
    table,
    table.columns.map(({ name }) => name),
  );

/** Shares of `members` columns with a constant sum, rounded to `step`. */
function recipe(stream: Stream, rows: number, members: number, sum = 1, step = 0): number[][] {
  const columns = Array.from({ length: members }, () => new Array<number>(rows));
  for (let row = 0; row < rows; row++) {
    const parts = columns.map(() => 0.05 + stream.uniform());
    const total = parts.reduce((a, b) => a + b, 0);
    parts.forEach((part, j) => {
      const share = (sum * part) / total;
      columns[j]![row] = step > 0 ? Math.round(share / step) * step : share;
    });
  }
  return columns;
}

const noise = (stream: Stream, rows: number, low: number, high: number) =>
  Array.from({ length: rows }, () => low + (high - low) * stream.uniform());

describe('recipes', () => {
  it('are found side by side, with rounded shares', () => {
    const stream = new Stream(rootKey(1));
    const [a, b, c] = recipe(stream, 50, 3, 1, 0.001);
    const table = tableOf({
      temp: noise(stream, 50, 20, 90),
      a: a!,
      b: b!,
      c: c!,
      y: noise(stream, 50, 0, 9),
    });
    expect(find(table)).toMatchObject([{ columns: ['a', 'b', 'c'], sum: 1, rows: 50 }]);
    expect(find(table)[0]!.deviation).toBeLessThan(0.002);
  });

  it('are found where other columns stand between their members', () => {
    const stream = new Stream(rootKey(2));
    const [a, b, c] = recipe(stream, 60, 3, 100, 0.1);
    const [d, e] = recipe(stream, 60, 2, 1);
    const table = tableOf({
      a: a!,
      d: d!,
      t: noise(stream, 60, 300, 400),
      b: b!,
      e: e!,
      p: noise(stream, 60, 0, 5),
      c: c!,
    });
    expect(find(table).map(({ columns, sum }) => [columns.join(), sum])).toEqual([
      ['a,b,c', 100],
      ['d,e', 1],
    ]);
  });

  it('are two, not their union', () => {
    const stream = new Stream(rootKey(3));
    const [a, b] = recipe(stream, 30, 2);
    const [c, d, e] = recipe(stream, 30, 3);
    expect(find(tableOf({ a: a!, b: b!, c: c!, d: d!, e: e! })).map(({ columns }) => columns)).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ]);
  });

  it('have their trace ingredient', () => {
    const stream = new Stream(rootKey(4));
    const dye = noise(stream, 40, 0, 0.004);
    const [a, b] = recipe(stream, 40, 2);
    const rest = b!.map((share, i) => share - dye[i]!);
    expect(find(tableOf({ a: a!, b: rest, dye })).map(({ columns }) => columns)).toEqual([['a', 'b', 'dye']]);
  });

  it('are not columns that hardly vary, negative ones, or a copy', () => {
    const stream = new Stream(rootKey(5));
    const t = noise(stream, 40, 300, 300.4);
    expect(find(tableOf({ t, u: noise(stream, 40, 200, 200.3) }))).toEqual([]);
    const x = noise(stream, 40, -1, 1);
    expect(find(tableOf({ x, z: x.map((v) => 1 - v) }))).toEqual([]);
    expect(find(tableOf({ p: noise(stream, 40, 0, 1), q: noise(stream, 40, 0, 1) }))).toEqual([]);
    expect(find(tableOf({ a: [0.2, 0.3], b: [0.8, 0.7] }))).toEqual([]);
  });

  it('do not mind a few missing cells', () => {
    const stream = new Stream(rootKey(6));
    const [a, b, c] = recipe(stream, 40, 3);
    a![3] = Number.NaN;
    c![17] = Number.NaN;
    expect(find(tableOf({ a: a!, b: b!, c: c! }))).toMatchObject([{ columns: ['a', 'b', 'c'], rows: 38 }]);
  });

  it('are found soon among 80 columns', () => {
    const stream = new Stream(rootKey(7));
    const first = recipe(stream, 2000, 12, 100, 0.01);
    const columns: Record<string, number[]> = {};
    for (let j = 0; j < 68; j++) columns[`x${j}`] = noise(stream, 2000, 0, 1 + j);
    first.forEach((values, j) => (columns[`part${j}`] = values));
    const shuffled = Object.fromEntries(
      Object.entries(columns).sort(([p], [q]) => (p.at(-1)! < q.at(-1)! ? -1 : 1)),
    );
    const start = process.cpuUsage();
    const found = find(tableOf(shuffled));
    expect(secondsSince(start)).toBeLessThan(2);
    expect(found.map(({ columns: own, sum }) => [own.length, sum])).toEqual([[12, 100]]);
  });

  it('always have the sum they are said to have', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        fc.integer({ min: 2, max: 6 }),
        fc.constantFrom(1, 10, 100, 7.5),
        (seed, members, sum) => {
          const stream = new Stream(rootKey(seed));
          const own = recipe(stream, 25, members, sum);
          const table = tableOf({
            ...Object.fromEntries(own.map((values, j) => [`p${j}`, values])),
            other: noise(stream, 25, 0, 3),
          });
          const found = find(table);
          expect(found).toHaveLength(1);
          expect(found[0]!.columns).toHaveLength(members);
          expect(found[0]!.sum).toBeCloseTo(sum, 9);
          const { deviation } = deviationFrom(sum, table, found[0]!.columns);
          expect(deviation).toBeLessThan(1e-9 * sum);
        },
      ),
      { numRuns: 50 },
    );
  });
});
