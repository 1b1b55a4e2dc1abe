import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConstraintStatement, parseConstraint, type Vocabulary } from '../../src/problem/expressions.js';
import { printConstraint } from '../../src/problem/problemStatements.js';
import { ExpressionError } from '../../src/problem/tokens.js';
import { caught, columnName, hostileTexts, requireOneLine } from '../table/hostileTexts.js';

function linear(weights: Record<string, number>, relation: '<=' | '>=' | '=', bound: number) {
  const terms = Object.entries(weights).map(([column, weight]) => ({ column, weight }));
  return { kind: 'linear', terms, relation, bound };
}

function withoutLabel({ label: _, ...rest }: ConstraintStatement) {
  return rest;
}

/** The error of a text that must not parse. */
function refusal(text: string, vocabulary?: Vocabulary): ExpressionError {
  const error = caught(() => parseConstraint(text, vocabulary));
  if (!(error instanceof ExpressionError)) throw new Error(`${text} gave ${error}`);
  return error;
}

describe('linear constraints', () => {
  it.each([
    ['2*a + b <= 30', linear({ a: 2, b: 1 }, '<=', 30)],
    ['a + b + c = 1', linear({ a: 1, b: 1, c: 1 }, '=', 1)],
    ['a + b == 1', linear({ a: 1, b: 1 }, '=', 1)],
    ['a >= 2*b', linear({ a: 1, b: -2 }, '>=', 0)],
    ['a ≤ −3', linear({ a: 1 }, '<=', -3)],
    ['-a <= 1.5e-3', linear({ a: -1 }, '<=', 0.0015)],
    ['3 >= a', linear({ a: -1 }, '>=', -3)],
    ['-(a - 2*(b + 1))/2 <= 3', linear({ a: -0.5, b: 1 }, '<=', 2)],
    ['2*3*a*4 <= 1', linear({ a: 24 }, '<=', 1)],
    ['a - b + 2*b >= 0', linear({ a: 1, b: 1 }, '>=', 0)],
    ['a + b - a >= .5', linear({ b: 1 }, '>=', 0.5)],
    ['a --b <= 1', linear({ a: 1, b: 1 }, '<=', 1)],
    ['"flow rate" + `pH "raw"` <= 8', linear({ 'flow rate': 1, 'pH "raw"': 1 }, '<=', 8)],
    ['"a ""b""" <= 8', linear({ 'a "b"': 1 }, '<=', 8)],
    ['größe.x1 + temp_°C <= 8', linear({ 'größe.x1': 1, 'temp_°C': 1 }, '<=', 8)],
    ['forbid + at <= 8', linear({ forbid: 1, at: 1 }, '<=', 8)],
    ['1*a = 3', linear({ a: 1 }, '=', 3)],
    ['a = 3 + 1', linear({ a: 1 }, '=', 4)],
  ])('%s', (text, expected) => {
    expect(withoutLabel(parseConstraint(text))).toEqual(expected);
  });

  it.each([
    [
      'b + sin(a) <= 1',
      4,
      '"sin" is no function here; expected sums, products, quotients, powers and sqrt of columns, as in 2*a*b + c^2 <= 10 or a/(a + b) >= 0.2',
    ],
    ['a^b <= 1', 2, 'expected a power from 2 to 9, or 0.5'],
    ['a^10 <= 1', 2, 'expected a power from 2 to 9, or 0.5'],
    ['a^2^2 <= 1', 3, 'a second power; use parentheses'],
    ['2*a != 1', 4, 'numbers cannot be told to differ; expected one of <=, >=, ='],
    ['a < 1', 2, 'strict inequalities are not supported; write <='],
    ['1 <= a <= 2', 7, 'a second relation; write two constraints'],
    ['2a <= 1', 1, 'expected "*" between "2" and what follows it'],
    ['a/0 <= 1', 1, 'division by zero'],
    ['a - a <= 1', 0, 'no column is left in it; expected one at least'],
    ['1e999*a <= 1', 0, '"1e999" is too large for a number'],
    ['1e200*1e200*a <= 1', 0, 'its numbers have no value, or one that is too large'],
    ['a + <= 1', 4, 'expected a column name, a number or "(", found "<="'],
    ['a + b', 5, 'expected an operator or one of <=, >=, =, the text ends'],
    ['(a + b <= 1', 7, 'expected an operator or ")", found "<="'],
    ['a b <= 1', 2, 'expected an operator or one of <=, >=, =, found "b"'],
    ['a & b <= 1', 2, 'unexpected "&"; column names with odd characters go in double quotes or backticks'],
    ['"a <= 1', 0, 'this " is never closed; expected another one'],
    ['""<= 1', 0, 'a name in quotes may not be empty'],
    ['  ', 2, 'is empty; expected something like a + b <= 1'],
  ])('%s is refused', (text, position, reason) => {
    expect(refusal(text)).toMatchObject({ position, reason });
  });

  it('shows the place', () => {
    const error = refusal('2*a + b*c < 30');
    expect(error.message).toBe(
      'constraint "2*a + b*c < 30", character 11: strict inequalities are not supported; write <=',
    );
    expect(error.excerpt).toBe('2*a + b*c < 30\n          ^');
  });
});

describe('other constraints', () => {
  const not = (column: string, ...values: string[]) => ({ column, values, isNegated: true });
  const is = (column: string, ...values: string[]) => ({ column, values, isNegated: false });
  const abcd = ['a', 'b', 'c', 'd'];
  it.each([
    ['at most 3 of a,b,c,d', { kind: 'cardinality', columns: abcd, atLeast: 0, atMost: 3 }],
    ['At least 1 of (a, b, c, d)', { kind: 'cardinality', columns: abcd, atLeast: 1, atMost: 4 }],
    ['exactly 2 of a, b, c, d', { kind: 'cardinality', columns: abcd, atLeast: 2, atMost: 2 }],
    [
      'forbid solvent=water and catalyst in (A, "B 2")',
      { kind: 'forbidden', conditions: [is('solvent', 'water'), is('catalyst', 'A', 'B 2')] },
    ],
    [
      'forbid a=-1 with b not in (2, 3.50)',
      { kind: 'forbidden', conditions: [is('a', '-1'), not('b', '2', '3.50')] },
    ],
    [
      'require line=B if product=X',
      { kind: 'forbidden', conditions: [is('product', 'X'), not('line', 'B')] },
    ],
    [
      'require line in (A, B) if p != X and q=1',
      { kind: 'forbidden', conditions: [not('p', 'X'), is('q', '1'), not('line', 'A', 'B')] },
    ],
    ['line in (A, B)', { kind: 'forbidden', conditions: [not('line', 'A', 'B')] }],
    ['temp=20..90', { kind: 'bounds', column: 'temp', lower: 20, upper: 90 }],
    ['temp = -2.5..-.5 step 0.5', { kind: 'bounds', column: 'temp', lower: -2.5, upper: -0.5, step: 0.5 }],
    ['temp in 1e-3…2', { kind: 'bounds', column: 'temp', lower: 0.001, upper: 2 }],
    ['line=B', { kind: 'fixed', column: 'line', value: 'B' }],
    ['line="B 2"', { kind: 'fixed', column: 'line', value: 'B 2' }],
    ['ph=-7.5', { kind: 'fixed', column: 'ph', value: -7.5 }],
  ])('%s', (text, expected) => {
    expect(withoutLabel(parseConstraint(text))).toEqual(expected);
  });

  it.each([
    ['at most 5 of a,b', 8, '5 of 2 columns is not possible; expected at most 2'],
    ['at most 1.5 of a,b', 8, 'expected a whole number'],
    ['at most 1 of a,a', 15, '"a" is listed twice'],
    ['at best 1 of a,b', 3, 'expected "most" or "least", found "best"'],
    ['at most 1 a,b', 10, 'expected "of", found "a"'],
    ['at most 1 of a b', 15, 'expected a comma and another column, or the end, found "b"'],
    [
      'forbid solvent=water and temp + 1 >= 80',
      34,
      'in a condition write > instead of >=: the limit itself stays allowed',
    ],
    [
      'if catalyst=B temp <= 60',
      24,
      'expected "then" and what holds, as in: if catalyst = B then temp <= 60, the text ends',
    ],
    ['if catalyst then temp <= 60', 12, 'expected an operator or one of <, >, the text ends'],
    ['if catalyst=B then', 18, 'expected a column name, a number or "(", the text ends'],
    [
      'if catalyst=B then temp = 20..60 step 5',
      19,
      'a step holds for every design; give it without a condition',
    ],
    [
      'if temp > 60 then pressure <= 3',
      3,
      'where a condition is about numbers, what follows is one thing about a category, as in: if temp > 60 then catalyst != B',
    ],
    ['forbid solvent=water catalyst=A', 21, 'expected "and" or the end, found "catalyst"'],
    ['temp=90..20', 5, 'the range 90..20 is empty; the lower end comes first'],
    ['temp=20..90 step 0', 17, 'a step of 0 does not fit into 20..90'],
    ['temp=20..90 step 71', 17, 'a step of 71 does not fit into 20..90'],
  ])('%s is refused', (text, position, reason) => {
    expect(refusal(text)).toMatchObject({ position, reason });
  });
});

describe('with a vocabulary', () => {
  const vocabulary: Vocabulary = {
    columns: ['temp', 'B', 'line', 'flow rate', 'temp-2'],
    levels: new Map([['line', ['A', 'B', 'C-1']]]),
  };

  it.each([
    ['tmep <= 3', 0, 'no column is called "tmep"; did you mean "temp"?'],
    ['flow rate <= 3', 0, 'write the column name in quotes: "flow rate"'],
    ['temp + line <= 3', 7, '"line" holds text; expected a column of numbers'],
    ['at most 1 of temp, line', 19, '"line" holds text; expected a column of numbers'],
    ['line = D', 7, '"line" is never "D"; there are "A", "B", "C-1"'],
    ['forbid line in (A, c)', 19, '"line" is never "c"; there are "A", "B", "C-1"'],
    ['forbid temp = 3', 12, 'a condition on numbers is an inequality; expected < or >'],
    ['if line = D then temp <= 3', 10, '"line" is never "D"; there are "A", "B", "C-1"'],
    ['if line = A then tmep <= 3', 17, 'no column is called "tmep"; did you mean "temp"?'],
    ['temp != 3', 5, 'numbers cannot be told to differ; expected one of <=, >=, ='],
    [
      'temp = x',
      7,
      '"temp" is a column of numbers; expected a number or a column; there are "temp", "B", "line", "flow rate", "temp-2"',
    ],
  ])('%s is refused', (text, position, reason) => {
    expect(refusal(text, vocabulary)).toMatchObject({ position, reason });
  });

  it('tells a column on the right from a value', () => {
    expect(parseConstraint('temp = B', vocabulary)).toMatchObject(linear({ temp: 1, B: -1 }, '=', 0));
    expect(parseConstraint('line = B', vocabulary)).toMatchObject({ kind: 'fixed', value: 'B' });
    expect(parseConstraint('line = "C-1"', vocabulary)).toMatchObject({ kind: 'fixed', value: 'C-1' });
  });
});

describe('any constraint', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 });
  const nonZero = number.filter((value) => Math.abs(value) > 1e-300);
  const relation = fc.constantFrom<'<=' | '>=' | '='>('<=', '>=', '=');
  const names = (minLength: number) => fc.uniqueArray(columnName, { minLength, maxLength: 6 });
  const label = '';
  const statement: fc.Arbitrary<ConstraintStatement> = fc.oneof(
    fc
      .tuple(names(1), fc.array(nonZero, { minLength: 6, maxLength: 6 }), relation, number)
      .map(([columns, weights, relation, bound]) => ({
        kind: 'linear' as const,
        terms: columns.map((column, i) => ({ column, weight: weights[i] })),
        relation,
        bound: bound + 0,
        label,
      })),
    fc.tuple(names(1), fc.nat(), fc.integer({ min: 0, max: 2 })).map(([columns, n, form]) => {
      const count = n % (columns.length + 1);
      return {
        kind: 'cardinality' as const,
        columns,
        atLeast: form === 0 ? 0 : count,
        atMost: form === 1 ? columns.length : count,
        label,
      };
    }),
    fc
      .array(fc.record({ column: columnName, values: names(1), isNegated: fc.boolean() }), {
        minLength: 1,
        maxLength: 3,
      })
      .map((conditions) => ({ kind: 'forbidden' as const, conditions, label })),
    fc
      .tuple(columnName, number, fc.double({ min: 1e-3, max: 1e9, noNaN: true }))
      .map(([column, lower, width]) => ({
        kind: 'bounds' as const,
        column,
        lower: lower + 0,
        upper: lower + width,
        step: (lower + width - lower) / 4,
        label,
      })),
    fc
      .tuple(
        columnName,
        fc.oneof(
          columnName,
          number.map((value) => value + 0),
        ),
      )
      .map(([column, value]) => ({
        kind: 'fixed' as const,
        column,
        value,
        label,
      })),
  );

  it('is printed and read back', () => {
    fc.assert(
      fc.property(statement, (original) => {
        const text = printConstraint(original);
        expect(withoutLabel(parseConstraint(text))).toEqual(withoutLabel(original));
      }),
      { seed: 4, numRuns: 2_000 },
    );
  });

  it('means the same whichever way a sum is written', () => {
    const term = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: -9, max: 9 }), fc.boolean());
    fc.assert(
      fc.property(
        fc.array(term, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: -9, max: 9 }),
        (terms, bound) => {
          const side = (isRight: boolean) =>
            terms
              .filter((term) => term[2] === isRight)
              .map(([name, weight]) => `(${weight})*-(-${name})`)
              .join(' + ') || '0';
          const sums: Record<string, number> = {};
          for (const [name, weight, isRight] of terms)
            sums[name] = (sums[name] ?? 0) + (isRight ? -weight : weight);
          const expected = Object.fromEntries(Object.entries(sums).filter(([, weight]) => weight !== 0));
          const text = `${side(false)} <= ${side(true)} + ${bound}`;
          if (Object.keys(expected).length === 0) expect(refusal(text).position).toBe(0);
          else {
            const parsed = parseConstraint(text);
            if (parsed.kind !== 'linear') throw new Error(parsed.kind);
            expect(Object.fromEntries(parsed.terms.map(({ column, weight }) => [column, weight]))).toEqual(
              expected,
            );
            expect(parsed.bound).toBe(bound);
          }
        },
      ),
      { seed: 4, numRuns: 500 },
    );
  });

  it('is a statement or a typed error for 3,000 hostile texts', () => {
    const vocabulary: Vocabulary = {
      columns: ['a', 'b', 'solvent'],
      levels: new Map([['solvent', ['water']]]),
    };
    const valid = [
      '2*a + b <= 30',
      'at most 1 of a, b',
      'forbid solvent=water',
      'a = 20..90 step 5',
      'a = b',
    ];
    let parsed = 0;
    for (const [i, text] of hostileTexts(3_000, valid).entries()) {
      try {
        const statement = parseConstraint(text, i % 2 === 0 ? undefined : vocabulary);
        expect(JSON.stringify(statement)).not.toContain('null');
        parsed += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(ExpressionError);
        requireOneLine(error);
        expect((error as ExpressionError).excerpt.split('\n')).toHaveLength(2);
      }
    }
    expect(parsed).toBeGreaterThan(100);
  });
});

describe('a number joined to a category', () => {
  const isB = { column: 'catalyst', values: ['B'], isNegated: false };
  const cool = { ...linear({ temp: 1 }, '<=', 60), label: '' };
  it.each([
    'if catalyst = B then temp <= 60',
    'when catalyst = B, temp <= 60',
    'temp <= 60 if catalyst = B',
    'require temp <= 60 if catalyst = B',
    'forbid catalyst = B and temp > 60',
    'if temp > 60 then catalyst != B',
  ])('%s', (text) => {
    const expected = { kind: 'conditional', conditions: [isB], conclusions: [cool] };
    expect(withoutLabel(parseConstraint(text))).toEqual(expected);
  });

  it.each([
    ['if catalyst=B then temp = 20..60', { kind: 'bounds', column: 'temp', lower: 20, upper: 60 }],
    ['temp in 20..60 when catalyst = B', { kind: 'bounds', column: 'temp', lower: 20, upper: 60 }],
    ['if catalyst=B then temp = 20', { kind: 'fixed', column: 'temp', value: 20 }],
    [
      'if catalyst=B then at most 1 of a, b',
      { kind: 'cardinality', columns: ['a', 'b'], atLeast: 0, atMost: 1 },
    ],
  ])('%s: the conclusion', (text, conclusion) => {
    expect(parseConstraint(text)).toMatchObject({ conditions: [isB], conclusions: [conclusion] });
  });

  it.each(['if product=X then line=B', 'line=B if product=X', 'if product = X then line in (B)'])(
    '%s: categories alone are a forbidden combination',
    (text) => {
      const conditions = [
        { column: 'product', values: ['X'], isNegated: false },
        { column: 'line', values: ['B'], isNegated: true },
      ];
      expect(withoutLabel(parseConstraint(text))).toEqual({ kind: 'forbidden', conditions });
    },
  );

  it('takes several conditions and several conclusions', () => {
    const text = 'if catalyst = B and solvent in (water, dmf) then temp <= 60 and a/b >= 2 and ligand != L3';
    const statement = parseConstraint(text);
    expect(statement).toMatchObject({
      conditions: [isB, { column: 'solvent', values: ['water', 'dmf'] }],
      conclusions: [cool, { kind: 'formula', lower: 2 }, { kind: 'forbidden' }],
    });
    const again = parseConstraint(printConstraint(statement));
    expect(again).toEqual({ ...statement, label: again.label });
  });

  it('leaves columns called "if" and "when" alone', () => {
    expect(parseConstraint('if + when <= 1')).toMatchObject({ kind: 'linear', bound: 1 });
  });
});

describe('products, ratios and powers', () => {
  const a = { kind: 'column', column: 'a' };
  const b = { kind: 'column', column: 'b' };
  it.each([
    ['a*b <= 3', { formula: { kind: 'product', left: a, right: b }, upper: 3 }],
    ['3 >= a*b', { formula: { kind: 'product', left: a, right: b }, upper: 3 }],
    ['a/b = 2..4', { formula: { kind: 'quotient', left: a, right: b }, lower: 2, upper: 4 }],
    ['a/b in 2..4', { formula: { kind: 'quotient', left: a, right: b }, lower: 2, upper: 4 }],
    [
      'a/(a+b) >= 0.2',
      { formula: { kind: 'quotient', left: a, right: { kind: 'sum', left: a, right: b } }, lower: 0.2 },
    ],
    ['a^2 = 4', { formula: { kind: 'power', base: a, exponent: 2 }, lower: 4, upper: 4 }],
    ['sqrt(a) <= 2', { formula: { kind: 'power', base: a, exponent: 0.5 }, upper: 2 }],
    ['a + b = 2..4', { formula: { kind: 'sum', left: a, right: b }, lower: 2, upper: 4 }],
  ])('%s', (text, expected) => {
    const statement = parseConstraint(text);
    expect(withoutLabel(statement)).toEqual({ kind: 'formula', ...expected });
    const again = parseConstraint(printConstraint(statement));
    expect(again).toEqual({ ...statement, label: again.label });
  });
});
