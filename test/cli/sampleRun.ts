// A small run to print: made up, but whole. Eight candidates of nine columns, as a real one would have them.
import type { Candidate, RunDocument, Trust } from '../../src/design/runDocument.js';

const trusts: readonly Trust[] = [
  'Trusted',
  'Trusted',
  'Trusted',
  'Stretch',
  'Stretch',
  'Stretch',
  'Guess',
  'Guess',
];

export function sampleCandidate(i: number, changes: Partial<Candidate> = {}): Candidate {
  const temp = 71.5 + 2.5 * i;
  const expected = 86.2 - 0.31 * i;
  const a = Number((0.42 + 0.02 * i).toFixed(2));
  return {
    row: i + 1,
    cells: {
      temp,
      catalyst: i < 6 ? 'B' : 'D',
      frac_a: a,
      frac_b: Number((0.31 - 0.01 * i).toFixed(2)),
      frac_c: Number((1 - a - 0.31 + 0.01 * i).toFixed(2)),
      time_h: 4,
      line: 'L1',
    },
    expected,
    lo80: expected - 4.2 - i,
    hi80: expected + 3.9 + i / 2,
    trust: trusts[i % trusts.length]!,
    reasons: i < 6 ? [] : ['catalyst D was tried 3 times only'],
    gamma: 0.31 + 0.11 * i,
    gammaPercentile: 20 + 10 * i,
    novelty: 30 + 8 * i,
    disagreement: 1.2 + 0.2 * i,
    disagreementPercentile: 25 + 9 * i,
    better: 0.9 - 0.05 * i,
    nearest: {
      row: 188 - 20 * i,
      value: 81.4 - 2 * i,
      differences: [
        { column: 'temp', from: 68, to: temp },
        { column: 'frac_a', from: 0.4, to: a },
        ...(i < 6 ? [] : [{ column: 'catalyst', from: 'B', to: 'D' }]),
      ],
    },
    goals: [{ expected, lo80: expected - 4.2 - i, hi80: expected + 3.9 + i / 2 }],
    ...changes,
  };
}

export function sampleRun(changes: Partial<RunDocument> = {}): RunDocument {
  return {
    documentVersion: 2,
    run: {
      id: '2026-11-15-yield-7f3a',
      created: '2026-11-15T12:00:00.000Z',
      version: '0.1.0',
      method: 'nemo',
      effort: 'quick',
      seed: 0,
      batch: 8,
      options: {},
      kernel: 'wasm',
      threads: 2,
      seconds: 74,
      complete: true,
    },
    data: {
      file: 'past_experiments.csv',
      sha256: '0'.repeat(64),
      rows: 415,
      used: 400,
      noise: 1.9,
      columns: [
        { name: 'batch_id', type: 'identifier', role: 'left out', summary: '415 different' },
        { name: 'temp', type: 'number', role: 'design', summary: '20 to 95' },
        { name: 'catalyst', type: 'category', role: 'design', summary: 'A B C D' },
        { name: 'frac_a', type: 'number', role: 'design', summary: '0 to 1' },
        { name: 'frac_b', type: 'number', role: 'design', summary: '0 to 1' },
        { name: 'frac_c', type: 'number', role: 'design', summary: '0 to 1' },
        { name: 'time_h', type: 'integer', role: 'design', summary: '1 to 8' },
        { name: 'line', type: 'category', role: 'fixed', summary: 'L1 L2' },
        { name: 'yield', type: 'number', role: 'goal', summary: '3.1 to 81.4' },
      ],
      findings: [],
      notes: [],
    },
    constraints: ['frac_a + frac_b + frac_c = 1', 'temp in 20..95', 'line = L1'],
    goal: {
      labels: ['max yield'],
      name: 'yield',
      direction: 'max',
      goals: [{ column: 'yield', label: 'max yield', kind: 'max' }],
    },
    bestKnown: { row: 188, value: 81.4, cells: { temp: 68 }, heldOut: null },
    verdict: {
      level: 'likely',
      sentence: 'Three of eight designs are probably better than the best past row.',
      reasons: ['unseen rows were ranked well (rank correlation 0.81)'],
    },
    validation: {
      rows: 400,
      rankCorrelation: 0.81,
      typicalError: 2.1,
      coverage80: 0.79,
      trainingSteps: 200,
      tried: [{ steps: 200, loss: 2.1 }],
      pairs: [],
    },
    candidates: Array.from({ length: 8 }, (_, i) => sampleCandidate(i)),
    curves: [],
    profiles: [],
    map: { kept: 0.7, past: [], candidates: [] },
    ...changes,
  };
}
