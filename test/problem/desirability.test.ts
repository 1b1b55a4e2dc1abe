import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  combine,
  desirability,
  type Ramp,
  scoreOf,
  scoreRows,
  scoreRule,
  valueAt,
  valuesAt,
} from '../../src/problem/desirability.js';
import { parseGoals } from '../../src/problem/goals.js';
import { type Table, type TableColumn, TableError } from '../../src/table/table.js';
import { caught } from '../table/hostileTexts.js';

const infinity = Number.POSITIVE_INFINITY;

function tableOf(columns: Record<string, readonly number[] | readonly string[]>): Table {
  const made = Object.entries(columns).map(([name, cells]): TableColumn => {
    if (cells.every((cell) => typeof cell === 'number'))
      return { kind: 'number', name, values: Float64Array.from(cells as readonly number[]) };
    const levels = [...new Set(cells as readonly string[])];
    return {
      kind: 'text',
      name,
      levels,
      codes: Int32Array.from(cells as readonly string[], (cell) => levels.indexOf(cell)),
    };
  });
  return { name: 'past.csv', rows: Object.values(columns)[0].length, columns: made, notes: [] };
}

/** 0, 1, ..., 100: its 5 % and 95 % quantiles are 5 and 95. */
const hundred = Array.from({ length: 101 }, (_, i) => i);

function rampOf(...goals: string[]): Ramp {
  const rule = scoreRule(parseGoals(goals), tableOf({ y: hundred, z: hundred }));
  if (rule.kind !== 'desirability') throw new Error(rule.kind);
  return rule.parts[0].ramp;
}

describe('one max or min goal', () => {
  const table = tableOf({ cost: [3, -1, 0, 8] });

  it('is its own score', () => {
    expect([...scoreRows(scoreRule(parseGoals(['max cost']), table), table).y]).toEqual([3, -1, 0, 8]);
    expect([...scoreRows(scoreRule(parseGoals(['min cost over 1..2']), table), table).y]).toEqual([
      -3, 1, 0, -8,
    ]);
  });

  it('comes back in the units of the column', () => {
    const rule = scoreRule(parseGoals(['min cost']), table);
    expect(valueAt(rule, -3)).toBe(3);
    expect(valueAt(rule, 0)).toBe(0);
    expect(valuesAt(rule, -3)).toEqual({ lower: -infinity, upper: 3 });
    expect(valuesAt(scoreRule(parseGoals(['max cost']), table), 3)).toEqual({ lower: 3, upper: infinity });
    expect(scoreRows(rule, table).desirabilities).toEqual([]);
  });

  it('turns the sign of censored cells', () => {
    const [column] = table.columns;
    if (column.kind !== 'number') throw new Error(column.kind);
    const censored = { ...table, columns: [{ ...column, censored: Int8Array.from([0, -1, 0, 1]) }] };
    expect([...(scoreRows(scoreRule(parseGoals(['min cost']), censored), censored).censored ?? [])]).toEqual([
      0, 1, 0, -1,
    ]);
    const several = scoreRows(scoreRule(parseGoals(['min cost', 'keep cost >= 0']), censored), censored);
    expect(several.censored).toBeUndefined();
    expect(several.notes).toEqual([
      'values of "cost" such as "<0.5" count as 0.5: several goals and targets cannot use them otherwise',
    ]);
  });
});

describe('ramps from the data', () => {
  it.each([
    [['max y', 'min z'], { zeroBelow: 5, oneFrom: 140, oneTo: infinity, zeroAbove: infinity }],
    [['min y', 'min z'], { zeroBelow: -infinity, oneFrom: -infinity, oneTo: -40, zeroAbove: 95 }],
    [['max y over 20..80', 'min z'], { zeroBelow: 20, oneFrom: 80, oneTo: infinity, zeroAbove: infinity }],
    [['min y over 20..80', 'min z'], { zeroBelow: -infinity, oneFrom: -infinity, oneTo: 20, zeroAbove: 80 }],
    [['target y=30'], { zeroBelow: -35, oneFrom: 30, oneTo: 30, zeroAbove: 95 }],
    [['target y=30±5'], { zeroBelow: -35, oneFrom: 25, oneTo: 35, zeroAbove: 95 }],
    [['target y=200'], { zeroBelow: 5, oneFrom: 200, oneTo: 200, zeroAbove: 395 }],
    [['target y=50±60'], { zeroBelow: -70, oneFrom: -10, oneTo: 110, zeroAbove: 170 }],
    [['target y=30±5 over 10..90'], { zeroBelow: 10, oneFrom: 25, oneTo: 35, zeroAbove: 90 }],
    [['keep y in 40..60'], { zeroBelow: 31, oneFrom: 40, oneTo: 60, zeroAbove: 69 }],
    [['keep y <= 60'], { zeroBelow: -infinity, oneFrom: -infinity, oneTo: 60, zeroAbove: 69 }],
    [['keep y >= 40'], { zeroBelow: 31, oneFrom: 40, oneTo: infinity, zeroAbove: infinity }],
  ])('%s', (goals, expected) => {
    expect(rampOf(...goals)).toEqual(expected);
  });

  it('use the extremes where the quantiles coincide', () => {
    const table = tableOf({ y: [...Array(99).fill(0), 8], z: hundred.slice(1) });
    const rule = scoreRule(parseGoals(['max y', 'min z']), table);
    expect(rule).toMatchObject({ parts: [{ ramp: { zeroBelow: 0, oneFrom: 12 } }, {}] });
  });
});

describe('desirability', () => {
  it('at its knots and between them', () => {
    const ramp = { zeroBelow: 10, oneFrom: 20, oneTo: 30, zeroAbove: 50 };
    const values = [-infinity, 9, 10, 15, 20, 25, 30, 35, 50, 51, infinity];
    expect(values.map((value) => desirability(ramp, value))).toEqual([0, 0, 0, 0.5, 1, 1, 1, 0.75, 0, 0, 0]);
  });

  it('stays in [0, 1], and never turns round before or after its best values', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const knot = fc.double({ noNaN: true });
    fc.assert(
      fc.property(fc.tuple(knot, knot, knot, knot), number, number, (knots, a, b) => {
        const [zeroBelow, oneFrom, oneTo, zeroAbove] = knots.toSorted((p, q) => p - q);
        const ramp = { zeroBelow, oneFrom, oneTo, zeroAbove };
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const [d, e] = [desirability(ramp, low), desirability(ramp, high)];
        expect(d >= 0 && d <= 1 && e >= 0 && e <= 1).toBe(true);
        if (high <= oneFrom) expect(d).toBeLessThanOrEqual(e);
        if (low >= oneTo) expect(d).toBeGreaterThanOrEqual(e);
      }),
      { seed: 4, numRuns: 2_000 },
    );
  });

  it('combines by the weighted geometric mean', () => {
    expect(combine([0.25, 1], [1, 1])).toBeCloseTo(0.5, 15);
    expect(combine([0.125, 1], [1, 2])).toBeCloseTo(0.5, 15);
    // (0.5^2 · 0.2^1 · 0.9^0.5)^(1/3.5) by hand: exp((2 ln 0.5 + ln 0.2 + 0.5 ln 0.9) / 3.5)
    expect(combine([0.5, 0.2, 0.9], [2, 1, 0.5])).toBeCloseTo(0.418_543_266_802_441_8, 15);
    expect(combine([0, 1], [1e-9, 1])).toBe(0);
    expect(combine([1, 1], [1e300, 1e300])).toBe(1);
  });
});

describe('several goals', () => {
  const table = tableOf({
    yield: [20, 50, 80, Number.NaN, 50],
    cost: [5, 10, 10, 5, infinity],
    solvent: ['w', 'w', 'e', 'e', 'w'],
    flat: [1, 1, 1, 1, 1],
    empty: Array(5).fill(Number.NaN),
  });
  const rule = scoreRule(parseGoals(['max yield over 20..80', 'min cost over 0..20 (weight 2)']), table);

  it('are scored row by row, each with its own value', () => {
    const scored = scoreRows(rule, table);
    expect([...scored.rows]).toEqual([0, 1, 2]);
    expect(scored.values.map((own) => [...own])).toEqual([
      [20, 50, 80],
      [5, 10, 10],
    ]);
    expect(scored.desirabilities.map((own) => [...own])).toEqual([
      [0, 0.5, 1],
      [0.75, 0.5, 0.5],
    ]);
    expect(scored.y[0]).toBe(0);
    expect(scored.y[1]).toBeCloseTo(0.5, 15);
    expect(scored.y[2]).toBeCloseTo(0.25 ** (1 / 3), 15);
    expect(scored.y[2]).toBe(scoreOf(rule, [80, 10]));
    expect(scored.unused).toEqual([
      { row: 3, missing: ['yield'] },
      { row: 4, missing: ['cost'] },
    ]);
    expect(scored.notes).toEqual(['2 of 5 rows are not used: a goal is missing']);
  });

  it('have no single value to come back to', () => {
    expect(valueAt(rule, 0.5)).toBeUndefined();
    expect(valuesAt(rule, 0.5)).toBeUndefined();
  });

  it('a single target comes back as a range of values', () => {
    const target = scoreRule(parseGoals(['target yield=50±5 over 25..75']), table);
    expect(valuesAt(target, 0.5)).toEqual({ lower: 35, upper: 65 });
    expect(valuesAt(target, 1)).toEqual({ lower: 45, upper: 55 });
    expect(valuesAt(target, 0)).toEqual({ lower: -infinity, upper: infinity });
    expect(valuesAt(target, 1.1)).toBeUndefined();
    const keep = scoreRule(parseGoals(['keep cost <= 8']), table);
    expect(valuesAt(keep, 1)).toEqual({ lower: -infinity, upper: 8 });
  });

  it.each([
    [
      ['max yeld'],
      'goal "max yeld": goals need measured values, and no column is called "yeld"; did you mean "yield"?',
    ],
    [
      ['max solvent'],
      'past.csv:1, column "solvent": goal "max solvent": "w" is text, and a goal needs numbers; correct the cell, list it under `missing`, or choose another goal',
    ],
    [
      ['max flat', 'min cost'],
      'goal "max flat": every row has the value 1; give limits, such as "max ... over 0..2", or leave the goal out',
    ],
    [['keep flat <= 2'], 'goal "keep flat <= 2": every row has the value 1; leave the goal out'],
    [['max empty', 'min cost'], 'goal "max empty": the column has no numbers in it'],
    [['max empty'], 'no row has a number in "empty"; at least one is needed'],
    [[], 'no goal is given; expected one such as "max yield"'],
  ])('%s is refused', (goals, message) => {
    const error = caught(() => scoreRows(scoreRule(parseGoals(goals), table), table));
    expect(error).toBeInstanceOf(TableError);
    expect(error).toMatchObject({ message, place: { file: 'past.csv' } });
  });
});
