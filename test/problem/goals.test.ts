import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Goal, parseGoal, parseGoals, printGoal } from '../../src/problem/goals.js';
import { ExpressionError } from '../../src/problem/tokens.js';
import { caught, columnName, hostileTexts, requireOneLine } from '../table/hostileTexts.js';

const withoutLabel = ({ label: _, ...rest }: Goal) => rest;
const infinity = Number.POSITIVE_INFINITY;

describe('a goal', () => {
  it.each([
    ['max yield', { kind: 'max', column: 'yield', weight: 1 }],
    ['Minimise cost (weight 2)', { kind: 'min', column: 'cost', weight: 2 }],
    ['max yield over 20..80', { kind: 'max', column: 'yield', weight: 1, limits: { lower: 20, upper: 80 } }],
    ['target pH=7.2', { kind: 'target', column: 'pH', weight: 1, value: 7.2, tolerance: 0 }],
    ['target pH=7.2±0.1', { kind: 'target', column: 'pH', weight: 1, value: 7.2, tolerance: 0.1 }],
    ['target pH = -7.2 +- .1', { kind: 'target', column: 'pH', weight: 1, value: -7.2, tolerance: 0.1 }],
    [
      'target pH=7±0.5 over 6..9 (weight 0.5)',
      { kind: 'target', column: 'pH', weight: 0.5, value: 7, tolerance: 0.5, limits: { lower: 6, upper: 9 } },
    ],
    ['keep pH in 5..8', { kind: 'keep', column: 'pH', weight: 1, lower: 5, upper: 8 }],
    ['keep cost <= 12', { kind: 'keep', column: 'cost', weight: 1, lower: -infinity, upper: 12 }],
    ['keep cost ≥ -3 (weight 3)', { kind: 'keep', column: 'cost', weight: 3, lower: -3, upper: infinity }],
    ['max "tensile strength"', { kind: 'max', column: 'tensile strength', weight: 1 }],
    ['max `a "b"`', { kind: 'max', column: 'a "b"', weight: 1 }],
    ['max max', { kind: 'max', column: 'max', weight: 1 }],
  ])('%s', (text, expected) => {
    const goal = parseGoal(text);
    expect(withoutLabel(goal)).toEqual(expected);
    expect(withoutLabel(parseGoal(printGoal(goal)))).toEqual(expected);
  });

  it('keeps the words of its author', () => {
    expect(parseGoal('  max\t yield ').label).toBe('max yield');
  });

  const forms = '"max yield", "min cost", "target pH=7.2", "keep cost <= 12" or "keep pH in 5..8"';
  it.each([
    ['max yeild', 4, 'no column is called "yeild"; did you mean "yield"?'],
    ['max tensile strength', 4, 'write the column name in quotes: "tensile strength"'],
    ['maxi yield', 0, `expected "max", as in ${forms}, found "maxi"`],
    ['"max" yield', 0, `expected ${forms}, found ""max""`],
    ['', 0, `expected ${forms}, the text ends`],
    ['max', 3, 'expected the name of a measured column, the text ends'],
    [
      'pareto yield, cost',
      0,
      'several goals make a front by themselves; give each as a goal of its own, such as "max yield" and "min cost"',
    ],
    [
      'max yield - cost',
      10,
      'a goal names one column; formulas of columns are not supported, add a column to the table',
    ],
    ['max yield, min cost', 9, 'one goal at a time; give the other one apart'],
    ['max yield <= 3', 10, '"max" takes no bound; write "keep" or "target" as a second goal'],
    ['max yield 3', 10, 'expected "(weight 2)" or the end, found "3"'],
    ['max yield (weight 0)', 18, 'a weight has to be positive'],
    ['max yield (heavy)', 11, 'expected "weight", found "heavy"'],
    ['max yield over 5..5', 15, 'the range 5..5 is empty; the lower end comes first'],
    ['target yield', 12, 'expected "=", the text ends'],
    ['target yield = high', 15, 'expected the value to reach, found "high"'],
    ['target yield = 5..8', 15, 'a target is one value; for a range write "keep ... in 5..8"'],
    ['target yield = 5±2 over 4..9', 15, 'the target 5 ± 2 is not inside 4..9'],
    ['keep yield = 5', 11, 'for one value write "target" instead of "keep"'],
    ['keep yield < 5', 11, 'strict inequalities are not supported; write <='],
    ['keep yield 5..8', 11, 'expected "in 5..8", "<= 12" or ">= 3", found "5"'],
  ])('%s is refused', (text, position, reason) => {
    const error = caught(() => parseGoal(text, ['yield', 'cost', 'tensile strength']));
    expect(error).toBeInstanceOf(ExpressionError);
    expect(error).toMatchObject({ argument: 'goal', position, reason });
  });

  it('is printed and read back', () => {
    const number = fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })
      .map((value) => value + 0);
    const width = fc.double({ noNaN: true, min: 1e-3, max: 1e9 });
    const base = fc.record({
      column: columnName,
      weight: fc.double({ noNaN: true, min: 1e-9, max: 1e9 }),
      label: fc.constant(''),
    });
    const range = fc.tuple(number, width).map(([lower, size]) => ({ lower, upper: lower + size }));
    const goal: fc.Arbitrary<Goal> = fc.oneof(
      fc
        .tuple(base, fc.constantFrom('max' as const, 'min' as const))
        .map(([own, kind]) => ({ ...own, kind })),
      fc
        .tuple(base, fc.constantFrom('max' as const, 'min' as const), range)
        .map(([own, kind, limits]) => ({ ...own, kind, limits })),
      fc
        .tuple(base, number, width)
        .map(([own, value, tolerance]) => ({ ...own, kind: 'target' as const, value, tolerance })),
      fc.tuple(base, range).map(([own, bounds]) => ({ ...own, kind: 'keep' as const, ...bounds })),
      fc
        .tuple(base, number)
        .map(([own, upper]) => ({ ...own, kind: 'keep' as const, lower: -infinity, upper })),
    );
    fc.assert(
      fc.property(goal, (original) => {
        expect(withoutLabel(parseGoal(printGoal(original)))).toEqual(withoutLabel(original));
      }),
      { seed: 4, numRuns: 2_000 },
    );
  });

  it('is a goal or a typed error for 3,000 hostile texts', () => {
    const valid = [
      'max a (weight 2)',
      'min b over 1..2',
      'target a=7.2±0.1',
      'keep b in 5..8',
      'keep "a" <= 12',
    ];
    let parsed = 0;
    for (const [i, text] of hostileTexts(3_000, valid).entries()) {
      try {
        const goal = parseGoal(text, i % 2 === 0 ? undefined : ['a', 'b']);
        expect(Object.values(goal)).not.toContain(Number.NaN);
        expect(Number.isFinite(goal.weight)).toBe(true);
        parsed += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(ExpressionError);
        requireOneLine(error);
      }
    }
    expect(parsed).toBeGreaterThan(100);
  });
});

it('several goals may not contradict each other', () => {
  expect(parseGoals(['max yield', 'keep yield <= 95', 'min cost']).map(({ kind }) => kind)).toEqual([
    'max',
    'keep',
    'min',
  ]);
  expect(() => parseGoals(['max yield', 'min yield'])).toThrow(
    'goal "min yield", character 1: "yield" already has the goal "max yield"',
  );
});
