// A run as it could be: a reactor with temperature, catalyst and a solvent mixture. Values are made up from a formula
// and a seeded generator, so that charts look like charts.
import type { Candidate, Forecast, RunDocument, Trust } from '../../src/design/runDocument.js';
import { rootKey } from '../../src/numeric/key.js';
import { Stream } from '../../src/numeric/random.js';
import type { Cell } from '../../src/problem/index.js';

const catalysts = ['A', 'B', 'C', 'D'];

interface Settings {
  readonly temp: number;
  readonly catalyst: string;
  readonly water: number;
  readonly ethanol: number;
  readonly toluene: number;
}

function trueYield({ temp, catalyst, water, ethanol }: Settings): number {
  const peak = 84 - 0.022 * (temp - 72) ** 2 - 60 * (ethanol - 0.35) ** 2 - 40 * (water - 0.4) ** 2;
  return Math.max(2, peak - [9, 0, 5, 14][catalysts.indexOf(catalyst)]!);
}

const round = (value: number, step: number) => Number((Math.round(value / step) * step).toFixed(6));

export interface SampleOptions {
  readonly seed?: number;
  readonly rows?: number;
  readonly candidates?: number;
}

export function sampleDocument({
  seed = 0,
  rows = 220,
  candidates: batch = 8,
}: SampleOptions = {}): RunDocument {
  const stream = new Stream(rootKey(seed));
  const draw = (low: number, high: number) => low + (high - low) * stream.uniform();
  const settings = (low: number, high: number): Settings => {
    const [a, b, c] = [draw(0.1, 1), draw(0.1, 1), draw(0.1, 1)];
    const water = round(a / (a + b + c), 0.01);
    const ethanol = round(b / (a + b + c), 0.01);
    return {
      temp: round(draw(low, high), 0.5),
      catalyst: catalysts[Math.floor(draw(0, 3.2))]!,
      water,
      ethanol,
      toluene: round(1 - water - ethanol, 0.01),
    };
  };
  const past = Array.from({ length: rows }, () => {
    const at = settings(20, 95);
    return { at, value: round(trueYield(at) + 1.9 * stream.normal(), 0.1) };
  });
  const best = past.reduce((a, b) => (b.value > a.value ? b : a));
  const bestRow = past.indexOf(best) + 1;
  const predict = (value: number, width: number): Forecast => {
    const expected = value + 0.3 * width * stream.normal();
    return { expected, lo80: expected - width * draw(0.8, 1.1), hi80: expected + width * draw(0.8, 1.1) };
  };

  const candidates = Array.from({ length: batch }, (_, i): Candidate => {
    const trust: Trust = i < batch * 0.6 ? 'Trusted' : i < batch * 0.85 ? 'Stretch' : 'Guess';
    const width = { Trusted: 4, Stretch: 7, Guess: 15 }[trust];
    const ethanol = round(0.35 + draw(-0.04, 0.04), 0.01);
    const water = round(0.39 + draw(-0.04, 0.04), 0.01);
    const at: Settings = {
      temp: round(71.5 + draw(-3, 3) * (1 + i / 3), 0.5),
      catalyst: trust === 'Guess' ? 'D' : 'B',
      water,
      ethanol,
      toluene: round(1 - water - ethanol, 0.01),
    };
    const distance = (row: Settings) =>
      Math.abs(row.temp - at.temp) / 20 +
      Math.abs(row.water - at.water) * 3 +
      Math.abs(row.ethanol - at.ethanol) * 3 +
      (row.catalyst === at.catalyst ? 0 : 1);
    const near = past.reduce((a, b) => (distance(b.at) < distance(a.at) ? b : a));
    const differences = (Object.keys(at) as (keyof Settings)[])
      .filter((column) => at[column] !== near.at[column])
      .map((column): { column: string; from: Cell; to: Cell } => ({
        column,
        from: near.at[column],
        to: at[column],
      }));
    const prediction = predict(86.5 - 0.4 * i, width);
    return {
      row: i + 1,
      cells: { ...at },
      ...prediction,
      trust,
      reasons:
        trust === 'Trusted'
          ? []
          : trust === 'Stretch'
            ? ['further from past runs than 93 % of them are from each other']
            : ['catalyst D was tried only 3 times', 'gamma larger than that of 97 % of unseen rows'],
      gamma: draw(0.02, 0.2) * (width / 4),
      gammaPercentile: trust === 'Guess' ? 97 : draw(20, 80),
      novelty: trust === 'Trusted' ? draw(20, 80) : 93,
      disagreement: width / 3,
      disagreementPercentile: draw(20, 90),
      better: Math.max(0.05, 0.9 - 0.08 * i),
      nearest: { row: past.indexOf(near) + 1, value: near.value, differences: differences.slice(0, 3) },
      goals: [prediction],
    };
  });
  const first = { ...best.at, ...candidates[0]?.cells } as Settings;

  const pairs = past.slice(0, 160).map(({ value }, i) => {
    const width = draw(3, 6);
    const { expected, lo80, hi80 } = predict(value + 0.45 * width * stream.normal(), width);
    return { row: i + 1, measured: value, expected, lo80, hi80 };
  });
  const inside = pairs.filter(({ measured, lo80, hi80 }) => measured >= lo80 && measured <= hi80).length;

  const profile = (
    column: 'temp' | 'water' | 'ethanol' | 'toluene',
    from: number,
    to: number,
    seen: [number, number],
  ) => ({
    column,
    kind: 'number' as const,
    at: first[column],
    seen: { min: seen[0], max: seen[1] },
    points: Array.from({ length: 41 }, (_, i) => {
      const value = from + ((to - from) * i) / 40;
      const beyond = Math.max(0, seen[0] - value, value - seen[1]) / (seen[1] - seen[0]);
      const expected = trueYield({ ...first, catalyst: 'B', [column]: value }) + 1;
      const half = 4 + 90 * beyond;
      return { value, expected, lo80: expected - half, hi80: expected + 0.8 * half, gamma: 0.1 + beyond };
    }),
  });

  return {
    documentVersion: 2,
    run: {
      id: 'runs/2026-11-15-yield-7f3a',
      created: '2026-11-15T14:03:22.000Z',
      version: '0.1.0',
      method: 'nemo',
      effort: 'balanced',
      seed: 0,
      batch,
      options: {
        bins: 20,
        hidden: [64, 64],
        learningRate: 0.0003,
        steps: 60,
        head: 'logistic',
        padding: { low: 0.1, high: 0.30000000000000004 },
        start: null,
        mixed: true,
      },
      kernel: 'simd',
      threads: 2,
      seconds: 192.4,
      complete: true,
    },
    data: {
      file: 'past_experiments.csv',
      sha256: '5f2b1c0e9a7d4f3386b2a1c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708',
      rows: rows + 11,
      used: rows,
      noise: 1.9,
      columns: [
        { name: 'batch_id', type: 'identifier', role: 'left out', summary: `${rows + 11} different values` },
        { name: 'temp', type: 'number', role: 'design', summary: '20 to 95, in steps of 0.5' },
        { name: 'catalyst', type: 'category', role: 'design', summary: 'A (70), B (68), C (64), D (18)' },
        { name: 'water', type: 'mixture', role: 'design', summary: '0.05 to 0.81' },
        { name: 'ethanol', type: 'mixture', role: 'design', summary: '0.05 to 0.79' },
        { name: 'toluene', type: 'mixture', role: 'design', summary: '0.05 to 0.82' },
        { name: 'operator', type: 'category', role: 'context', summary: 'Ada, Ben, Cem' },
        { name: 'yield', type: 'number', role: 'goal', summary: '3.1 to 81.4, 11 missing' },
      ],
      findings: [
        {
          severity: 'warning',
          kind: 'missingGoal',
          columns: ['yield'],
          rows: [4, 19, 33],
          message: '11 rows have no value of "yield"',
          advice: 'they are left out',
        },
        {
          severity: 'note',
          kind: 'conflictingRows',
          columns: ['yield'],
          rows: [],
          message: '7 settings were measured more than once; they differ by about 1.9',
          advice: 'no model can be more exact than that',
        },
      ],
      notes: [
        'water + ethanol + toluene is 1 in every row: it stays so.',
        'batch_id numbers the rows and is left out.',
        'temp may go 10 % beyond the range of past rows.',
      ],
    },
    constraints: ['water + ethanol + toluene = 1 (found in the data)', '"temp" from 12.5 to 102.5 (assumed)'],
    goal: {
      labels: ['max yield'],
      name: 'yield',
      direction: 'max',
      goals: [{ column: 'yield', label: 'max yield', kind: 'max' }],
    },
    bestKnown: {
      row: bestRow,
      value: best.value,
      cells: { ...best.at },
      heldOut: { expected: best.value - 3.2, lo80: best.value - 7.4, hi80: best.value + 0.8 },
    },
    verdict: {
      level: 'likely',
      sentence: `The first candidate is expected to reach 86 where the best past run reached ${best.value}.`,
      reasons: [
        'On rows it had not seen, the model put good ones ahead of bad ones.',
        'Five of eight candidates lie where you have data.',
      ],
    },
    rehearsal: {
      hidden: 44,
      seen: 176,
      named: 7,
      first: 8,
      byChance: 1.6,
      promised: 76.4,
      delivered: 77.9,
      bestSeen: 72.3,
      luck: 0,
      risk: 'balanced',
      riskFrom: 'rehearsal',
    },
    relevance: [
      { column: 'temp', share: 0.62 },
      { column: 'catalyst', share: 0.31 },
      { column: 'ethanol', share: 0.11 },
      { column: 'water', share: 0.06 },
      { column: 'toluene', share: 0.004 },
    ],
    validation: {
      rows: pairs.length,
      rankCorrelation: 0.91,
      typicalError: 2.6,
      coverage80: inside / pairs.length,
      sample: 31.4,
      reliability: [
        { from: 0, to: 0.2, rows: 61, chance: 0.06, share: 0.08 },
        { from: 0.2, to: 0.4, rows: 14, chance: 0.31, share: 0.29 },
        { from: 0.4, to: 0.6, rows: 12, chance: 0.52, share: 0.42 },
        { from: 0.6, to: 0.8, rows: 15, chance: 0.71, share: 0.8 },
        { from: 0.8, to: 1, rows: 58, chance: 0.95, share: 0.93 },
      ],
      trainingSteps: 2000,
      tried: [
        { steps: 500, loss: 2.31 },
        { steps: 2000, loss: 2.04 },
        { steps: 8000, loss: 2.15 },
      ],
      pairs,
    },
    candidates,
    curves: [
      ...Array.from({ length: 20 }, (_, i) => ({
        iteration: -2000 + 100 * i,
        loss: 3 * Math.exp(-i / 6) + 1.2 + 0.05 * stream.normal(),
      })),
      ...Array.from({ length: 61 }, (_, i) => ({
        iteration: i,
        predictedBest: 88 - 8 * Math.exp(-i / 15) + 0.2 * stream.normal(),
        predictedMedian: 85 - 20 * Math.exp(-i / 18) + 0.2 * stream.normal(),
        spread: 4 - 1.5 * Math.exp(-i / 10),
        moved: 0.6 * (1 - Math.exp(-i / 20)),
        gamma: 0.1 + 0.001 * i,
        loss: 1.3 + 0.02 * stream.normal(),
      })),
    ],
    profiles: [
      profile('temp', 5, 110, [20, 95]),
      {
        column: 'catalyst',
        kind: 'category',
        at: first.catalyst,
        seen: null,
        points: catalysts.map((value) => {
          const expected = trueYield({ ...first, catalyst: value });
          const half = value === 'D' ? 16 : 4.5;
          return { value, expected, lo80: expected - half, hi80: expected + half, gamma: 0.1 };
        }),
      },
      profile('water', 0, 1, [0.05, 0.81]),
      profile('ethanol', 0, 1, [0.05, 0.79]),
      profile('toluene', 0, 1, [0.05, 0.82]),
    ],
    map: {
      kept: 0.62,
      past: past.map(({ at, value }) => ({
        x: (at.temp - 57) / 21 + 0.3 * stream.normal(),
        y: 4 * (at.water - at.ethanol) + 0.3 * stream.normal(),
        value,
      })),
      candidates: candidates.map(({ cells, row, trust }) => ({
        x: (Number(cells.temp) - 57) / 21,
        y: 4 * (Number(cells.water) - Number(cells.ethanol)),
        row,
        trust,
      })),
    },
  };
}
