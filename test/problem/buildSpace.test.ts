import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArgumentError } from '../../src/numeric/index.js';
import {
  buildSpace,
  type Cell,
  type DesignColumn,
  decodeRows,
  encodeRows,
  vocabularyOf,
} from '../../src/problem/buildSpace.js';
import { parseConstraint } from '../../src/problem/expressions.js';
import { problemStatements } from '../../src/problem/problemStatements.js';
import { requireSpace } from '../../src/space/requireSpace.js';
import { caught, columnName } from '../table/hostileTexts.js';

const columns: readonly DesignColumn[] = [
  { name: 'temp', kind: 'number', min: 20, max: 95 },
  { name: 'dna', kind: 'sequence', length: 3, letters: ['A', 'C', 'G', 'T'] },
  { name: 'runs', kind: 'integer', min: 1, max: 9 },
  { name: 'line', kind: 'category', levels: ['A', 'B', '1.0'] },
  { name: 'a', kind: 'number', min: 0, max: 1 },
  { name: 'b', kind: 'number', min: 0, max: 1 },
  { name: 'solvent', kind: 'category', levels: ['water', 'ethanol'] },
];

function spaceOf(...texts: string[]) {
  const space = buildSpace(columns, {
    constraints: texts.map((text) => parseConstraint(text, vocabularyOf(columns))),
  });
  requireSpace(space);
  return space;
}

describe('a space', () => {
  it("has the data's own range", () => {
    expect(spaceOf()).toEqual({
      columns: [
        { kind: 'continuous', name: 'temp', lower: 20, upper: 95 },
        { kind: 'categorical', name: 'dna[1]', classes: 4 },
        { kind: 'categorical', name: 'dna[2]', classes: 4 },
        { kind: 'categorical', name: 'dna[3]', classes: 4 },
        { kind: 'continuous', name: 'runs', lower: 1, upper: 9, step: 1 },
        { kind: 'categorical', name: 'line', classes: 3 },
        { kind: 'continuous', name: 'a', lower: 0, upper: 1 },
        { kind: 'continuous', name: 'b', lower: 0, upper: 1 },
        { kind: 'categorical', name: 'solvent', classes: 2 },
      ],
    });
  });

  it('has bounds and steps as given', () => {
    const { columns } = spaceOf('temp=0..100 step 5', 'runs=0.5..20.5 step 2');
    expect(columns[0]).toEqual({ kind: 'continuous', name: 'temp', lower: 0, upper: 100, step: 5 });
    expect(columns[4]).toEqual({ kind: 'continuous', name: 'runs', lower: 1, upper: 20, step: 2 });
  });

  it('is stretched to a fixed value', () => {
    const space = spaceOf('temp=120', 'line=1', 'runs=3', 'dna=GAT');
    expect(space.fixed).toEqual([
      { column: 0, value: 120, label: 'temp=120' },
      { column: 5, value: 2, label: 'line=1' },
      { column: 4, value: 3, label: 'runs=3' },
      { column: 1, value: 2, label: 'dna=GAT' },
      { column: 2, value: 0, label: 'dna=GAT' },
      { column: 3, value: 3, label: 'dna=GAT' },
    ]);
    expect(space.columns[0]).toMatchObject({ lower: 20, upper: 120 });
  });

  it('has constraints by number, in the words of their author', () => {
    const space = spaceOf(
      '2*a + b <= temp/10',
      'at most 1 of a, b',
      'forbid line in (A, B) and solvent=water',
      'require solvent=water if line=B',
      'forbid line=A and line=B',
    );
    expect(space.linear).toEqual([
      {
        terms: [
          { column: 6, weight: 2 },
          { column: 7, weight: 1 },
          { column: 0, weight: -0.1 },
        ],
        relation: '<=',
        bound: 0,
        label: '2*a + b <= temp/10',
      },
    ]);
    expect(space.cardinality).toEqual([
      { columns: [6, 7], atLeast: 0, atMost: 1, label: 'at most 1 of a, b' },
    ]);
    expect(space.forbidden).toEqual([
      {
        terms: [
          { column: 5, classes: [0, 1] },
          { column: 8, classes: [0] },
        ],
        label: 'forbid line in (A, B) and solvent=water',
      },
      {
        terms: [
          { column: 5, classes: [1] },
          { column: 8, classes: [1] },
        ],
        label: 'require solvent=water if line=B',
      },
    ]);
  });

  it('has mixtures and choices', () => {
    const rows: Cell[][] = [[30, 'ACG', 2, 'B', 0.5, 0.5, 'ethanol']];
    const space = buildSpace(columns, { mixtures: [{ columns: ['a', 'b'], sum: 1 }], choices: rows });
    expect(space.linear).toEqual([
      {
        terms: [
          { column: 6, weight: 1 },
          { column: 7, weight: 1 },
        ],
        relation: '=',
        bound: 1,
        label: 'a + b = 1',
      },
    ]);
    expect([...(space.choices ?? [])]).toEqual([30, 0, 1, 2, 2, 1, 0.5, 0.5, 1]);
  });

  it.each([
    [['temp=1..2', 'temp=3'], 'constraint "temp=3": "temp" already has "temp=1..2"'],
    [['tmp=1..2'], 'constraint "tmp=1..2": no column is called "tmp"; did you mean "temp"?'],
    [['line + a <= 1'], 'constraint "line + a <= 1": "line" is a category; expected a column of numbers'],
    [['dna <= 1'], 'constraint "dna <= 1": "dna" is a sequence; expected a column of numbers'],
    [
      ['forbid a=1'],
      'constraint "forbid a=1": "a" is a column of numbers; only categories can be combined this way',
    ],
    [
      ['forbid solvent=watr'],
      'constraint "forbid solvent=watr": "solvent" is never "watr"; did you mean "water"?',
    ],
    [['runs=1.5'], 'constraint "runs=1.5": "runs" holds whole numbers; expected one'],
    [
      ['runs=1..9 step 1.5'],
      'constraint "runs=1..9 step 1.5": "runs" holds whole numbers; expected a whole step',
    ],
    [
      ['runs=1.2..1.8'],
      'constraint "runs=1.2..1.8": "runs" holds whole numbers, of which none lies in this range',
    ],
    [['temp=hot'], 'constraint "temp=hot": "temp" holds numbers; expected one'],
    [['solvent=watr'], '"solvent" cannot be "watr"; did you mean "water"?'],
    [['dna=ACX'], '"dna" cannot be "ACX"; expected 3 letters of ACGT'],
  ])('%j is refused', (texts, message) => {
    const constraints = texts.map((text) => parseConstraint(text));
    const error = caught(() => buildSpace(columns, { constraints }));
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error).toMatchObject({ argument: 'constraints', message });
  });
});

describe('rows', () => {
  const levels = fc.uniqueArray(columnName, { minLength: 1, maxLength: 5 });
  const letters = fc.uniqueArray(fc.constantFrom('A', 'C', 'G', 'T', 'é', '😀', '-'), { minLength: 1 });
  const kinds: fc.Arbitrary<(name: string) => DesignColumn> = fc.oneof(
    fc
      .constantFrom('number' as const, 'integer' as const)
      .map((kind) => (name: string) => ({ name, kind, min: 0, max: 9 })),
    levels.map((own) => (name: string) => ({ name, kind: 'category' as const, levels: own })),
    fc.tuple(fc.integer({ min: 1, max: 6 }), letters).map(([length, own]) => (name: string) => ({
      name,
      kind: 'sequence' as const,
      length,
      letters: own,
    })),
  );
  const cellOf = (column: DesignColumn): fc.Arbitrary<Cell> => {
    if (column.kind === 'category') return fc.constantFrom(...column.levels);
    if (column.kind === 'sequence') {
      const { length: minLength, letters } = column;
      return fc
        .array(fc.constantFrom(...letters), { minLength, maxLength: minLength })
        .map((own) => own.join(''));
    }
    return column.kind === 'integer'
      ? fc.maxSafeInteger()
      : fc.double({ noNaN: true, noDefaultInfinity: true });
  };
  const table = fc
    .array(kinds, { minLength: 1, maxLength: 6 })
    .map((made) => made.map((make, i) => make(`column ${i}`)))
    .chain((columns) =>
      fc.tuple(
        fc.constant(columns),
        fc.array(fc.tuple(...columns.map(cellOf)), { minLength: 1, maxLength: 5 }),
      ),
    );

  it('come back as they went, in 1,000 random tables', () => {
    fc.assert(
      fc.property(table, ([columns, rows]) => {
        expect(decodeRows(columns, encodeRows(columns, rows))).toEqual(rows);
        requireSpace(buildSpace(columns, { choices: rows }));
      }),
      { seed: 4, numRuns: 1_000 },
    );
  });

  it.each([
    [() => encodeRows(columns, [[1]]), 'row 1 has 1 cells; expected 7'],
    [() => encodeRows(columns.slice(0, 1), [['x']]), '"temp" cannot be "x"; expected a number'],
    [() => encodeRows(columns.slice(3, 4), [['C']]), '"line" cannot be "C"; there are "A", "B", "1.0"'],
    [() => decodeRows(columns, [1, 2]), 'x has 2 numbers; expected a multiple of 9'],
    [() => decodeRows(columns.slice(3, 4), [1.5]), '"line" has no class 1.5; expected 0 to 2'],
    [() => buildSpace([...columns, columns[0]]), 'two columns are called "temp"'],
  ])('that do not fit are refused: %#', (action, message) => {
    const error = caught(action);
    expect(error).toBeInstanceOf(ArgumentError);
    expect((error as Error).message).toBe(message);
  });
});

describe('a problem file', () => {
  const others = new Map([['cost', 'is a goal']]);

  it('says where designs may lie', () => {
    const settings = {
      temp: { bounds: [0, 100] as const, step: 5 },
      runs: { step: 2 },
      line: { fixed: 'B' },
      solvent: { type: 'category' as const },
      cost: { role: 'context' as const },
    };
    const statements = problemStatements({ columns: settings, constraints: ['a + b = 1'] }, columns, others);
    expect(statements.map(({ kind, label }) => [kind, label])).toEqual([
      ['bounds', 'temp = 0..100 step 5'],
      ['bounds', 'runs = 1..9 step 2'],
      ['fixed', 'line = B'],
      ['linear', 'a + b = 1'],
    ]);
    const space = buildSpace(columns, { constraints: statements });
    requireSpace(space);
    expect(space.columns[4]).toMatchObject({ lower: 1, upper: 9, step: 2 });
    expect(space.fixed).toEqual([{ column: 5, value: 1, label: 'line = B' }]);
  });

  it.each([
    [{ columns: { tepm: {} } }, 'no column is called "tepm"; did you mean "temp"?'],
    [
      { columns: { cost: { fixed: 3 } } },
      '"cost" is no setting of a design, so it has no bounds, step or value',
    ],
    [{ columns: { line: { step: 3 } } }, '"line" is a category; bounds and steps are for numbers'],
    [{ constraints: ['a + c <= 1'] }, 'constraint "a + c <= 1", character 5: no column is called "c"'],
    [{ constraints: ['a + cost <= 1'] }, 'constraint "a + cost <= 1", character 5: "cost" is a goal'],
  ])('%j is refused', (spec, message) => {
    expect(() => problemStatements(spec, columns, others)).toThrow(message);
  });
});
