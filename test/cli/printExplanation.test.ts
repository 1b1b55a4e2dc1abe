import { describe, expect, it } from 'vitest';
import { printExplanation } from '../../src/cli/printExplanation.js';
import { printList } from '../../src/cli/runs.js';
import { textWidth } from '../../src/cli/textLayout.js';
import type { CandidateExplanation } from '../../src/judging/explainCandidate.js';
import { manifestSchema } from '../../src/runs/manifest.js';
import { sampleRun } from './sampleRun.js';

const document = sampleRun();
const candidate = document.candidates[6]!;
const prediction = (expected: number) => ({ expected, lo80: expected - 2, hi80: expected + 2, gamma: 1 });
const found: CandidateExplanation = {
  candidate,
  nearest: [candidate.nearest, { row: 3, value: 70.25, differences: [] }],
  explanation: {
    before: 80,
    after: 84.3,
    contributions: [
      { column: 'temp', from: 68, to: 86.5, change: 6 },
      { column: 'catalyst', from: 'B', to: 'D', change: -2 },
      { column: 'a column with a very long name', from: 0.4, to: 0.54, change: 0.3 },
    ],
  },
  profiles: [
    {
      column: 'temp',
      kind: 'number',
      at: 30,
      seen: { min: 20, max: 40 },
      points: [10, 20, 30, 40, 50].map((value, i) => ({ value, ...prediction(80 + i) })),
    },
    {
      column: 'catalyst',
      kind: 'category',
      at: 'D',
      seen: null,
      points: ['B', 'C', 'D'].map((value, i) => ({ value, ...prediction(80 + 2 * i) })),
    },
  ],
};
const print = (width: number) => printExplanation(document, found, { width, color: false });

describe('an explanation on a terminal', () => {
  it('has bars on either side, and curves with the row and the ends of the data', () => {
    const text = print(100);
    expect(text.slice(text.indexOf('Experiments near it'))).toBe(
      `Experiments near it
  row  measured  what row 7 has otherwise
   68      69.4  temp +18.5, frac_a +0.14, catalyst B → D
    3      70.3  nothing: the same settings

What each change brings, from row 68 of the past to row 7
  column              from    to  expected
  row 68                              80.0
  temp                68.0  86.5      +6.0              │████████████
  catalyst               B     D      -2.0          ████│
  a column with a v…  0.40  0.54      +0.3              │█
  row 7                               84.3
  The changes add up to +4.3. Row 68 was measured at 69.4; the model expects 80.0 there.

One column at a time, the others as in row 7
  ▁ 80.0 to █ 84.0; [ ] is row 7, │ where past rows end; "best" lies among these.
  temp      10 ▁│▃[▅]▆│█ 50  best 40: 83.0
  catalyst  B ▁  C ▅  [D █]
`,
    );
    expect(text).toMatch(/^Row 7 {4}yield expected 84\.3, 80 % range 74\.1 to 91\.2, Guess; 60 % chance of/);
    expect(text).toContain('\n         · catalyst D was tried 3 times only\n');
  });

  it.each([60, 80, 120])('fits %i cells', (width) => {
    for (const line of print(width).split('\n')) expect(textWidth(line), line).toBeLessThanOrEqual(width);
  });
});

describe('a list of runs', () => {
  const manifest = manifestSchema.parse({
    manifestVersion: 3,
    version: '0.1.0',
    created: '2026-11-15T12:00:00.000Z',
    updated: '2026-11-15T12:00:09.000Z',
    status: 'done',
    argv: [],
    goal: 'max ConcreteCompressiveStrength; min cost',
    source: { file: 'past.csv', bytes: 1, sha256: '0'.repeat(64) },
    table: { rows: 40, columns: 4, sha256: '0'.repeat(64) },
    problem: { sha256: '0'.repeat(64) },
    seed: 0,
    method: 'nemo',
    effort: 'fast',
    options: {},
    kernel: 'wasm',
    threads: 2,
    node: 'v24',
    platform: 'linux x64',
    timings: { train: 60, search: 5 },
    files: {},
  });
  const run = { path: 'runs/a', name: '2026-11-15-concretecompressivestren-1367', manifest };

  it('fits the terminal, with a goal at least', () => {
    const list = (width: number) => printList('runs', [{ ...run, status: 'interrupted' }], width).split('\n');
    expect(list(140)[0]).toMatch(/^run +status +goal +table +rows +effort +took$/);
    expect(list(140)[1]).toMatch(/ stopped +max Concrete\S+; min…? .* past.csv +40 +fast +1 min 5 s$/);
    expect(list(80)[1]).toMatch(
      /^2026-11-15-concretecompressivestren-1367 +stopped +max ConcreteCompressiveStren…$/,
    );
    for (const line of list(80)) expect(textWidth(line)).toBeLessThanOrEqual(80);
  });
});
