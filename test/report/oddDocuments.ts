// Runs at the edges of what a document may say. The report has to stay a report.
import type { Candidate, Forecast, RunDocument } from '../../src/design/runDocument.js';
import type { Cell } from '../../src/problem/index.js';
import { sampleDocument } from './sampleDocument.js';

export const hostileText = `<script>alert("x")</script><img src=x onerror='alert(1)'> & "quotes" 'single' </style> --> ]]>`;

const longText = 'Pd(dppf)Cl2·CH2Cl2 in degassed 1,4-dioxane, freshly distilled, '.repeat(4).slice(0, 200);

/** Every number of a value replaced, whatever its depth; rows and versions stay. */
function mapNumbers<T>(value: T, change: (n: number) => number, key = ''): T {
  const kept = ['row', 'rows', 'documentVersion', 'batch', 'seed', 'threads', 'used', 'iteration', 'steps'];
  if (typeof value === 'number') return (kept.includes(key) ? value : change(value)) as T;
  if (Array.isArray(value)) return value.map((item) => mapNumbers(item, change, key)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapNumbers(item, change, name)]),
  ) as T;
}

function mapTexts<T>(value: T, change: (text: string) => string, key = ''): T {
  const kept = ['level', 'direction', 'kind', 'trust', 'role', 'severity', 'created'];
  if (typeof value === 'string') return (kept.includes(key) ? value : change(value)) as T;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, key)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      ['cells', 'options', 'curves'].includes(key) ? change(name) : name,
      mapTexts(item, change, name),
    ]),
  ) as T;
}

/** Designs of other columns; predictions stay. */
function withColumns(document: RunDocument, cells: Readonly<Record<string, Cell>>): RunDocument {
  const differences = Object.entries(cells).map(([column, to]) => ({ column, from: to, to }));
  return {
    ...document,
    data: {
      ...document.data,
      columns: Object.keys(cells).map((name) => ({
        name,
        type: 'number',
        role: 'design',
        summary: '0 to 1',
      })),
    },
    bestKnown: { ...document.bestKnown, cells },
    candidates: document.candidates.map((one) => ({
      ...one,
      cells,
      nearest: { ...one.nearest, differences },
    })),
    profiles: Object.entries(cells).map(([column, at], i) => ({ ...document.profiles[i % 5]!, column, at })),
  };
}

/** With rows measured twice, designs of a catalogue, and promises of an earlier round. */
export function secondRound(document: RunDocument): RunDocument {
  const meanOf = { rows: [12, 40, 77], values: [80, 90, 85] };
  const outcome = (row: number, measured: number, isInside: boolean) => ({
    ...{ row, expected: 88, lo80: 80, hi80: 95, trust: 'Trusted', measured, isInside },
    goals: document.goal.goals.map(({ column }) => ({
      ...{ column, expected: 88, lo80: 80, hi80: 95, measured, isInside },
    })),
  });
  return {
    ...document,
    bestKnown: {
      ...document.bestKnown,
      meanOf,
      single: { row: 91, value: 99, mean: 70, rows: [91, 93] },
    },
    candidates: document.candidates.map((one, i) => ({
      ...one,
      nearest: { ...one.nearest, meanOf },
      listed: { row: i + 1, cells: { name: `no. ${i}`, 'price, EUR': 12.5 + i } },
    })),
    history: {
      rounds: [
        ...[{ file: 'a.csv', promised: 2, aboutOthers: 2, bestBefore: 80, beaten: 0, rows: [] }],
        {
          ...{ file: 'b.csv', promised: 3, aboutOthers: 0, bestBefore: 80, beaten: 1 },
          rows: [outcome(121, 90, true), outcome(122, 70, false)],
        },
      ],
      measured: 2,
      inside: 1,
      overPromise: 8,
    },
  };
}

function severalGoals(document: RunDocument): RunDocument {
  const scaled = ({ expected, lo80, hi80 }: Forecast, factor: number): Forecast => ({
    expected: expected * factor,
    lo80: lo80 * factor,
    hi80: hi80 * factor,
  });
  const joint = (one: Candidate): Candidate => ({
    ...one,
    ...scaled(one, 0.009),
    nearest: { ...one.nearest, value: one.nearest.value / 110 },
    goals: [scaled(one, 1), scaled(one, 0.13)],
  });
  return {
    ...document,
    goal: {
      labels: ['max yield', 'keep cost <= 12'],
      name: 'desirability',
      direction: 'max',
      goals: [
        { column: 'yield', label: 'max yield', kind: 'max' },
        { column: 'cost', label: 'keep cost <= 12', kind: 'keep' },
      ],
    },
    bestKnown: { ...document.bestKnown, value: 0.74, heldOut: null },
    candidates: document.candidates.map(joint),
    profiles: document.profiles.map((profile) => ({
      ...profile,
      points: profile.points.map((point) => ({ ...point, ...scaled(point, 0.009) })),
    })),
  };
}

/** A cost instead of a yield: 100 - yield, smaller is better. */
function minimum(document: RunDocument): RunDocument {
  const flip = <T extends Forecast>(one: T): T => ({
    ...one,
    expected: 100 - one.expected,
    lo80: 100 - one.hi80,
    hi80: 100 - one.lo80,
  });
  return {
    ...document,
    goal: {
      labels: ['min cost'],
      name: 'cost',
      direction: 'min',
      goals: [{ column: 'cost', label: 'min cost', kind: 'min' }],
    },
    bestKnown: { ...document.bestKnown, value: 100 - document.bestKnown.value, heldOut: null },
    verdict: { ...document.verdict, level: 'unclear', sentence: 'The candidates may be no better.' },
    candidates: document.candidates.map(flip),
    profiles: document.profiles.map((profile) => ({ ...profile, points: profile.points.map(flip) })),
    validation: {
      ...document.validation,
      pairs: document.validation.pairs.map((pair) => ({ ...flip(pair), measured: 100 - pair.measured })),
    },
    map: { ...document.map, past: document.map.past.map((row) => ({ ...row, value: 100 - row.value })) },
  };
}

const hundredColumns = Object.fromEntries(
  Array.from({ length: 100 }, (_, i): [string, Cell] => [
    i % 7 === 6 ? String(i) : `factor_${i}`,
    i % 9 === 8 ? `level ${i % 4}` : i / 3,
  ]),
);

export const oddDocuments: Readonly<Record<string, () => RunDocument>> = {
  'one candidate, two columns': () =>
    withColumns(sampleDocument({ candidates: 1, rows: 12 }), { a: 1, b: 'x' }),
  'two hundred candidates, a hundred columns': () =>
    withColumns(sampleDocument({ candidates: 200 }), hundredColumns),
  'texts of 200 characters': () => mapTexts(sampleDocument(), () => longText),
  'hostile texts': () => mapTexts(sampleDocument(), (text) => hostileText + text),
  'empty texts': () => mapTexts(sampleDocument(), () => ''),
  'huge numbers': () => mapNumbers(sampleDocument(), (n) => n * 1e250),
  'tiny numbers': () => mapNumbers(sampleDocument(), (n) => n * 1e-250),
  'equal numbers': () => mapNumbers(sampleDocument(), () => 7),
  zeros: () => mapNumbers(sampleDocument(), () => 0),
  'numbers that are none': () => mapNumbers(sampleDocument(), () => Number.NaN),
  'numbers without end': () => mapNumbers(sampleDocument(), (n) => n * Number.POSITIVE_INFINITY),
  'nothing beyond the candidates': () => ({
    ...sampleDocument(),
    constraints: [],
    curves: [],
    profiles: [],
    map: { kept: 0, past: [], candidates: [] },
    data: { ...sampleDocument().data, findings: [], notes: [], columns: [], noise: null },
  }),
  'no candidates': () => ({
    ...sampleDocument(),
    verdict: {
      level: 'unsupported',
      sentence: '34 rows for 60 variables: your data cannot support a proposal.',
      reasons: ['The model is no better than picking your best row.'],
    },
    candidates: [],
    curves: [],
    profiles: [],
    bestKnown: { ...sampleDocument().bestKnown, heldOut: null },
    map: { ...sampleDocument().map, candidates: [] },
  }),
  'no rows held out': () => ({
    ...sampleDocument(),
    validation: {
      rows: 0,
      rankCorrelation: Number.NaN,
      typicalError: Number.NaN,
      coverage80: Number.NaN,
      trainingSteps: 0,
      tried: [],
      pairs: [],
    },
  }),
  'several goals': () => severalGoals(sampleDocument()),
  'a second round': () => secondRound(sampleDocument()),
  'a second round of several goals': () => secondRound(severalGoals(sampleDocument())),
  'a second round with hostile texts': () =>
    mapTexts(secondRound(sampleDocument()), (text) => hostileText + text),
  'a smaller value is better': () => minimum(sampleDocument()),
  'a column called like a part of every object': () =>
    withColumns(sampleDocument(), { constructor: 1, toString: 'x', '': 3 } as Record<string, Cell>),
};
