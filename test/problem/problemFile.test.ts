import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { methodOptions } from '../../src/design/designRequest.js';
import { parseConstraint } from '../../src/problem/expressions.js';
import { parseGoal } from '../../src/problem/goals.js';
import {
  type ProblemFile,
  ProblemFileError,
  parseProblemFile,
  problemJsonSchema,
  writeProblemFile,
} from '../../src/problem/problemFile.js';
import { caught, columnName, hostileTexts, requireOneLine } from '../table/hostileTexts.js';

const documents = fileURLToPath(new URL('../../docs/', import.meta.url));
const read = (name: string) => readFileSync(documents + name, 'utf8');

function faultsOf(text: string): string[] {
  const error = caught(() => parseProblemFile(text, 'nemokit.yaml'));
  if (!(error instanceof ProblemFileError)) throw new Error(`${text} gave ${error}`);
  return error.faults.map(({ path, line, column, message }) => `${line}:${column} ${path}: ${message}`);
}

const whole: ProblemFile = {
  version: 1,
  data: 'past_experiments.csv',
  goals: ['max yield', 'min cost (weight 2)', 'keep pH in 5..8'],
  columns: {
    temp: { bounds: [20, 90], step: 5 },
    pressure: { log: true },
    grade: { type: 'ordered', levels: ['low', 'medium', 'high'] },
    operator: { role: 'context' },
    batch_id: { role: 'ignore' },
    line: { fixed: 'B' },
  },
  mixtures: [
    { columns: ['frac_a', 'frac_b', 'frac_c'], sum: 1 },
    { columns: ['salt', 'sugar'], sum: 100 },
  ],
  constraints: [
    '2*frac_a + frac_b <= 0.9',
    'at most 2 of frac_a, frac_b, frac_c',
    'forbid solvent=water and catalyst in (A, B)',
  ],
  batch: 8,
  seed: 0,
  method: 'nemo',
  options: { bins: 40 },
};

describe('the documents', () => {
  const firstColumn = (text: string) => [...text.matchAll(/^\| `([^|]+?)` +\|/gm)].map((match) => match[1]);

  it('show a problem file that means what it says', () => {
    const [, example] = /```yaml\n([\s\S]*?)```/.exec(read('problem-file.md')) ?? [];
    expect(parseProblemFile(example, 'example')).toEqual(whole);
  });

  it('show constraints that parse', () => {
    const section = read('problem-file.md').split('## Constraints')[1];
    const kinds = firstColumn(section).map((text) => parseConstraint(text).kind);
    expect(kinds).toEqual([
      ...['linear', 'linear', 'linear', 'cardinality', 'cardinality', 'cardinality'],
      ...['forbidden', 'forbidden', 'forbidden', 'forbidden', 'bounds', 'bounds', 'fixed'],
      ...['formula', 'formula', 'formula', 'formula', 'conditional', 'conditional', 'forbidden'],
      ...['conditional', 'conditional'],
    ]);
  });

  it('show goals that parse', () => {
    const kinds = firstColumn(read('goals.md').split('## One goal')[0]).map((text) => parseGoal(text).kind);
    expect(kinds).toEqual([
      ...['max', 'min', 'target', 'target', 'keep', 'keep', 'keep', 'max', 'min', 'max', 'target'],
    ]);
  });

  it('list every key', () => {
    const schema = problemJsonSchema(methodOptions) as unknown as {
      properties: Record<string, { deprecated?: true; additionalProperties: { properties: object } }>;
    };
    const current = Object.keys(schema.properties).filter((key) => !schema.properties[key]!.deprecated);
    const tables = firstColumn(read('problem-file.md').split('## Constraints')[0]);
    const columnKeys = Object.keys(schema.properties.columns.additionalProperties.properties);
    expect(tables).toEqual([...current, ...columnKeys]);
  });

  it('show an error as it is', () => {
    const text = 'version: 1\ndata: a.csv\ngoals: [max y]\ncolumns:\n  temp:\n    bounds: [90, 20]\n';
    const { message } = caught(() => parseProblemFile(text, 'nemokit.yaml')) as Error;
    expect(read('problem-file.md')).toContain(`\n    ${message}\n`);
  });
});

describe('options of the method', () => {
  const head = 'version: 1\ndata: a.csv\ngoals: [max y]\n';
  it.each([
    ['options: {steps: 300, box: null, hidden: [64, 64], designRate: auto}', null],
    ['method: forward\noptions: {bootstrap: true}', null],
    ['options:\n  steps: 1.5', '5:10: options.steps: nemo: steps is 1.5; expected a positive integer'],
    [
      'options: {startFrom: Best}',
      `4:22: options.startFrom: nemo: startFrom is "Best"; expected 'best' or 'worst'; did you mean 'best'?`,
    ],
    ['options:\n  stpes: 3', '5:10: options.stpes: nemo has no option "stpes"; did you mean "steps"?'],
    [
      'method: forward\noptions: {head: softmax}',
      `5:17: options.head: forward: head is "softmax"; expected 'mean' or 'gaussian'`,
    ],
    ['method: memo', '4:9: method: no method is called "memo"; did you mean "nemo"?'],
  ])('are checked in their place where methods are known: %s', (text, fault) => {
    const read = () => parseProblemFile(`${head}${text}\n`, 'p.yaml', methodOptions);
    if (fault === null) expect(read).not.toThrow();
    else expect(read).toThrow(`p.yaml:${fault}`);
    expect(() => parseProblemFile(`${head}${text}\n`, 'p.yaml')).not.toThrow();
  });
});

describe('the earlier name of effort', () => {
  it('is read, and not written', () => {
    const head = 'version: 1\ndata: a.csv\ngoals: [max y]\n';
    const spec = parseProblemFile(`${head}preset: fast\n`, 'nemokit.yaml');
    expect(spec).toMatchObject({ effort: 'fast' });
    expect(spec).not.toHaveProperty('preset');
    expect(writeProblemFile(spec, { comments: false })).toBe(
      'version: 1\ndata: a.csv\ngoals:\n  - max y\neffort: fast\n',
    );
  });
});

describe('faults', () => {
  const head = 'version: 1\ndata: a.csv\ngoals: [max y]\n';
  it.each([
    ['', ['1:1 : is empty; expected "version: 1" and what follows it']],
    ['# only a comment', ['1:1 : is empty; expected "version: 1" and what follows it']],
    ['- 1', ['1:1 : got [1], expected keys with values, the first one "version: 1"']],
    ['data: a.csv', ['1:1 version: missing; expected "version: 1"']],
    [
      'version: 2\nfuture: yes',
      [
        '1:10 version: the file has version 2, this nemokit reads 1; it was written for a newer one, update nemokit',
      ],
    ],
    ['version: one', ['1:10 version: got "one", expected 1']],
    [
      'version: 1\ngoals: []',
      [
        '1:1 data: missing; expected the path of a table',
        '2:8 goals: got [], expected one goal at least, such as "max yield"',
      ],
    ],
    [`${head}batsch: 3`, ['4:1 : unknown key "batsch"; did you mean "batch"?']],
    [`${head}batch: 2.5`, ['4:8 batch: got 2.5, expected a whole number from 1 to 10000']],
    [`${head}seed: -1`, ['4:7 seed: got -1, expected a whole number, 0 or more']],
    [
      `${head}columns:\n  temp:\n    bound: [1, 2]`,
      ['6:5 columns.temp: unknown key "bound"; did you mean "bounds"?'],
    ],
    [
      `${head}columns:\n  "a b": {type: numbr}`,
      [
        '5:17 columns["a b"].type: got "numbr", expected one of number, integer, category, ordered, boolean, sequence, smiles, constant, date, identifier',
      ],
    ],
    [
      `${head}columns:\n  temp: {bounds: [1, x]}`,
      ['5:22 columns.temp.bounds[1]: got "x", expected a number'],
    ],
    [
      `${head}columns:\n  temp: {bounds: [1]}`,
      ['5:18 columns.temp.bounds: got [1], expected two numbers, the smaller one first'],
    ],
    [`${head}columns:\n  temp: {step: 0}`, ['5:16 columns.temp.step: got 0, expected a positive number']],
    [
      `${head}columns:\n  temp: {type: category, bounds: [1, 2]}`,
      ['5:34 columns.temp.bounds: a column of type category has no bounds'],
    ],
    [
      `${head}columns:\n  temp: {log: true, bounds: [0, 2]}`,
      ['5:29 columns.temp.bounds: got [0,2], expected a positive lower bound because of "log: true"'],
    ],
    [
      `${head}columns:\n  temp: {role: ignore, fixed: 3}`,
      ['5:31 columns.temp.fixed: an ignored column cannot be fixed'],
    ],
    [`${head}columns: {__proto__: {}}`, ['4:11 : the name "__proto__" cannot be used']],
    [`${head}"__proto__": 1`, ['4:1 : the name "__proto__" cannot be used']],
    [
      `${head}mixtures: [[a], 3, {columns: [a, b], sum: 0}, {columns: [a, b], sun: 1}]`,
      [
        '4:12 mixtures[0]: got ["a"], expected two columns at least',
        '4:17 mixtures[1]: got 3, expected a list of column names, or {columns: [a, b], sum: 100}',
        '4:43 mixtures[2].sum: got 0, expected a positive number',
        '4:65 mixtures[3]: unknown key "sun"; did you mean "sum"?',
      ],
    ],
    [
      `${head}constraints:\n  - a + b <= 1\n  - sin(a) <= 1\n  - "a <"`,
      [
        '6:5 constraints[1]: "sin(a) <= 1", character 1: "sin" is no function here; expected sums, products, quotients, powers and sqrt of columns, as in 2*a*b + c^2 <= 10 or a/(a + b) >= 0.2',
        '7:8 constraints[2]: "a <", character 3: strict inequalities are not supported; write <=',
      ],
    ],
    [
      'version: 1\ndata: a.csv\ngoals:\n  - max y\n  - min y',
      ['4:3 goals: "min y", character 1: "y" already has the goal "max y"'],
    ],
    [
      'version: 1\ndata: a.csv\ngoals:\n  - maxx y',
      [
        '4:5 goals[0]: "maxx y", character 1: expected "max", as in "max yield", "min cost", "target pH=7.2", "keep cost <= 12" or "keep pH in 5..8", found "maxx"',
      ],
    ],
    [`${head}seed: 1\nseed: 2`, ['5:1 : cannot be read as YAML: Map keys must be unique']],
    [
      `${head}a: [`,
      [
        '4:5 : cannot be read as YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
      ],
    ],
    [`${head}a: &x 1\nb: *x`, ['5:4 : uses an alias (*name); write the value out']],
  ])('%j', (text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });

  it('the message is about the first of them', () => {
    const error = caught(() => parseProblemFile(`${head}batch: x\nseed: y`, 'my.yaml')) as ProblemFileError;
    expect(error.message).toBe(
      'my.yaml:4:8: batch: got "x", expected a whole number from 1 to 10000 (and 1 more)',
    );
    expect(error.argument).toBe('my.yaml');
  });
});

describe('writing', () => {
  it.each([true, false])('gives back the same problem, comments %s', (comments) => {
    expect(parseProblemFile(writeProblemFile(whole, { comments }), 'x')).toEqual(whole);
  });

  it('explains a small problem', () => {
    const text = writeProblemFile({
      version: 1,
      data: 'past.csv',
      goals: ['max "a b"'],
      columns: { t: { bounds: [1, 2] } },
    });
    expect(text).toMatchInlineSnapshot(`
      "# A nemokit problem file.
      version: 1

      # Table of past experiments.
      data: past.csv

      # What is wanted: max, min, target or keep. Several goals are weighed by desirability.
      goals:
        - max "a b"

      # Columns that are not as their values suggest. Without bounds, designs stay in the data's range.
      columns:
        t: {bounds: [1, 2]}

      # Groups of columns that add up to a constant.
      # mixtures:
      #   - [a, b, c]
      #   - {columns: [d, e], sum: 100}

      # What every design has to satisfy.
      # constraints:
      #   - 2*a + b <= 30
      #   - at most 3 of a, b, c, d
      #   - forbid solvent=water and catalyst in (A, B)

      # How many designs to propose.
      # batch: 8

      # The same seed gives the same designs.
      # seed: 0
      "
    `);
  });

  it('what the comments propose parses', () => {
    const text = writeProblemFile({ version: 1, data: 'past.csv', goals: ['max y'] });
    const proposed = text.replaceAll(/^# (?=[a-z]| )/gm, '');
    expect(Object.keys(parseProblemFile(proposed, 'x'))).toEqual([
      'version',
      'data',
      'goals',
      'columns',
      'mixtures',
      'constraints',
      'batch',
      'seed',
    ]);
  });

  const number = fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 })
    .map((value) => value + 0);
  const positive = fc.double({ noNaN: true, min: 1e-3, max: 1e6 });
  const text = fc.oneof(
    columnName,
    fc.constantFrom(
      'true',
      'null',
      '~',
      '1e3',
      '0x1f',
      'yes',
      '2024-01-01',
      '- a',
      'a: b',
      '!x',
      '&x',
      '*x',
      '|',
      '>',
      '%',
      '@',
      'a\nb',
      '\ta',
    ),
  );
  const bounds = fc.tuple(number, positive).map(([lower, width]): [number, number] => [lower, lower + width]);
  const column = fc.oneof(
    fc.record(
      {
        type: fc.constantFrom('number' as const, 'integer' as const),
        bounds,
        role: fc.constant('context' as const),
      },
      { requiredKeys: [] },
    ),
    fc.record({
      type: fc.constantFrom('category' as const, 'ordered' as const),
      levels: fc.array(text, { minLength: 1, maxLength: 4 }),
    }),
    fc.record(
      { step: positive, log: fc.boolean(), fixed: fc.oneof(text, number, fc.boolean()) },
      { requiredKeys: [] },
    ),
  );
  const name = text.filter((value) => value !== '__proto__');
  const spec: fc.Arbitrary<ProblemFile> = fc.record(
    {
      version: fc.constant(1 as const),
      data: text,
      goals: fc.constantFrom(['max y'], ['min "a: b"', 'keep `#` <= 1e-9'], ['target "x y"=7.2±0.1']),
      columns: fc.dictionary(name, column, { maxKeys: 5 }),
      mixtures: fc.array(
        fc.record({
          columns: fc.array(text, { minLength: 2, maxLength: 4 }),
          sum: fc.oneof(fc.constant(1), positive),
        }),
        { maxLength: 3 },
      ),
      constraints: fc.array(
        fc.constantFrom('a + b <= 1', '"a b" >= 2', '`x` = 1..2', 'forbid a="#" and b in (1, "- 2")'),
        { maxLength: 3 },
      ),
      choices: text,
      batch: fc.integer({ min: 1, max: 10_000 }),
      seed: fc.maxSafeNat(),
      method: text,
      options: fc.dictionary(name, fc.oneof(number, text, fc.boolean(), fc.array(number, { maxLength: 3 })), {
        maxKeys: 4,
      }),
    },
    { requiredKeys: ['version', 'data', 'goals'], noNullPrototype: true },
  );

  it('and reading are inverse for any problem', () => {
    fc.assert(
      fc.property(spec, fc.boolean(), (original, comments) => {
        expect(parseProblemFile(writeProblemFile(original, { comments }), 'x')).toEqual(original);
      }),
      { seed: 4, numRuns: 1_000 },
    );
  });
});

describe('hostile files', () => {
  it.each([
    ['['.repeat(150_000), 'is nested more than 32 levels deep'],
    ['- '.repeat(90_000), 'is nested more than 32 levels deep'],
    ['{a: '.repeat(20_000), 'is nested more than 32 levels deep'],
    ['? '.repeat(50_000), 'is nested more than 32 levels deep'],
    ['x'.repeat(200_001), 'is 200001 characters long; expected at most 200000'],
  ])('of great size are refused', (text, message) => {
    expect((caught(() => parseProblemFile(text, 'nemokit.yaml')) as Error).message).toContain(message);
  });

  it('2,500 of them give a problem or a typed error', () => {
    const text = writeProblemFile(whole, { comments: false });
    const lines = text
      .split('\n')
      .map((line, i, all) => [...all.slice(0, i), line.slice(0, -1), ...all.slice(i + 1)].join('\n'));
    const heads = ['', 'version: 1\n', 'version: 1\ndata: a\ngoals: [max y]\nconstraints:\n  - '];
    let parsed = 0;
    for (const [i, body] of hostileTexts(2_500, [text, ...lines]).entries()) {
      try {
        const { version, goals } = parseProblemFile(heads[i % 3] + body, 'nemokit.yaml');
        expect(version).toBe(1);
        expect(goals.length).toBeGreaterThan(0);
        parsed += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(ProblemFileError);
        requireOneLine(error);
        for (const { line, column } of (error as ProblemFileError).faults)
          expect(line > 0 && column > 0).toBe(true);
      }
    }
    expect(parsed).toBeGreaterThan(20);
  });
});
