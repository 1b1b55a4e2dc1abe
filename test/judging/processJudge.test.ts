import { describe, expect, it } from 'vitest';
import { cautionOf, luckOf, rehearse } from '../../src/judging/dressRehearsal.js';
import { GoalsJudge } from '../../src/judging/goalsJudge.js';
import { ProcessJudge } from '../../src/models/processJudge.js';
import { fromScale } from '../../src/models/response.js';
import { openLinearAlgebra, rootKey, Stream, topIndices } from '../../src/numeric/index.js';
import { parseGoal } from '../../src/problem/index.js';
import { fitEncoding } from '../../src/search/encoding.js';
import type { Dataset, Space } from '../../src/space/space.js';

const space: Space = {
  columns: [
    { kind: 'continuous', lower: 0, upper: 1 },
    { kind: 'continuous', lower: 0, upper: 1 },
    { kind: 'categorical', classes: 2 },
  ],
};

/** 30 rows of a slope in the first number and the class; the second number does nothing. */
function slope(signal: number, seed = 1): Dataset {
  const stream = new Stream(rootKey(seed));
  const x = Float64Array.from({ length: 90 }, (_, at) =>
    at % 3 === 2 ? stream.integer(2) : stream.uniform(),
  );
  const y = Float64Array.from(
    { length: 30 },
    (_, i) => signal * (3 * x[3 * i]! + x[3 * i + 2]!) + 0.1 * stream.normal(),
  );
  return { x, y };
}

const dataOf = ({ x, y }: Dataset) => ({
  encoding: fitEncoding({ x, y }, space, { box: null }),
  x,
  y,
  noise: null,
});
const opened = openLinearAlgebra({ kernel: 'wasm' });

describe('a process as a judge', () => {
  it('predicts, knows how far it is from the data, and which columns matter', async () => {
    const judge = ProcessJudge.fit(await opened, dataOf(slope(1)), rootKey(0));
    const { mean, deviation } = judge.read([0.5, 0.5, 1, 0.9, 0.1, 0, 9, 9, 0]);
    expect(Math.abs(fromScale(judge.response, mean[0]!) - 2.5)).toBeLessThan(0.25);
    expect(Math.abs(fromScale(judge.response, mean[1]!) - 2.7)).toBeLessThan(0.25);
    expect(deviation[2]!).toBeGreaterThan(5 * deviation[0]!);
    expect(judge.means([0.5, 0.5, 1])).toBeAllClose([mean[0]!], { rtol: 1e-9, atol: 1e-9 });
    const [first, second, third] = judge.relevance(rootKey(0));
    expect(second!).toBeLessThan(0.1 * Math.min(first!, third!));
    expect(judge.gammaOf(0)).toBe(0);
    expect(judge.gammaOf(Math.sqrt(judge.noise))).toBeCloseTo(Math.log(2), 12);
    expect(judge.saved.members.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
  });

  it('is the same again from what was saved', async () => {
    const linalg = await opened;
    const data = dataOf(slope(1));
    const judge = ProcessJudge.fit(linalg, data, rootKey(0));
    const again = ProcessJudge.restore(linalg, data, JSON.parse(JSON.stringify(judge.saved)));
    expect([...again.read(data.x).mean]).toEqual([...judge.read(data.x).mean]);
    expect([...again.read(data.x).deviation]).toEqual([...judge.read(data.x).deviation]);
  });

  it('never sees rows that are hidden from it', async () => {
    const linalg = await opened;
    const data = slope(1);
    const hidden = new Set(topIndices(data.y, 6));
    const judge = ProcessJudge.fit(linalg, dataOf(data), rootKey(0));
    const { encoding } = dataOf(data);
    const nonsense = Float64Array.from(data.y, (y, i) => (hidden.has(i) ? -50 : y));
    const other = ProcessJudge.restore(
      linalg,
      { encoding, x: data.x, y: nonsense, noise: null },
      judge.saved,
    );
    const [one, two] = [judge.without(hidden, rootKey(3)), other.without(hidden, rootKey(3))];
    expect(one.saved.rows).toHaveLength(24);
    expect([...two.read(data.x).mean]).toEqual([...one.read(data.x).mean]);
  });
});

describe('a rehearsal of judges', () => {
  it('names hidden rows where there is something to learn', async () => {
    const data = slope(1);
    const process = ProcessJudge.fit(await opened, dataOf(data), rootKey(0));
    const top = topIndices(data.y, 6);
    const found = await rehearse({ gaussian: process, networks: null }, data, top, 0, rootKey(2));
    expect(found).toMatchObject({ hidden: 6, seen: 24, first: 8, weight: 1, byChance: 1.6 });
    expect(found.named).toBeGreaterThanOrEqual(4);
    expect(found.delivered).toBeGreaterThan(found.bestSeen);
    expect(Math.abs(found.promised - found.delivered)).toBeLessThan(0.5);
    expect(found.rankCorrelation).toBeGreaterThan(0.9);
    expect(cautionOf[found.risk]).toBeGreaterThanOrEqual(0);
    expect(found.unseen).toHaveLength(30);
  });

  it('tells signal from luck', async () => {
    const linalg = await opened;
    const luck = (data: Dataset, correlation: number) =>
      luckOf(linalg, ProcessJudge.fit(linalg, dataOf(data), rootKey(0)), data, correlation, rootKey(4));
    // far beyond chance: nothing is shuffled
    expect(luck(slope(1), 0.95)).toBe(0);
    // asked in earnest
    expect(luck(slope(1), 0.5)).toBeLessThanOrEqual(0.05);
    const noise = [1, 2, 3].filter((seed) => luck(slope(0, seed), 0.1) > 0.05);
    expect(noise.length).toBeGreaterThanOrEqual(2);
  });
});

describe('several goals', () => {
  it('are one desirability, by the distributions of the goals', async () => {
    const linalg = await opened;
    const data = slope(1);
    const cost = Float64Array.from(data.y, (_, i) => 10 - 2 * data.x[3 * i]!);
    const ramps = [
      { zeroBelow: 0, oneFrom: 4, oneTo: Infinity, zeroAbove: Infinity },
      { zeroBelow: -Infinity, oneFrom: -Infinity, oneTo: 8, zeroAbove: 10 },
    ];
    const goals = ['max y', 'min cost'].map((text) => parseGoal(text));
    const rule = {
      kind: 'desirability' as const,
      parts: ramps.map((ramp, i) => ({ goal: goals[i]!, ramp })),
    };
    const values = [data.y, cost];
    const score = (y: number, c: number) =>
      Math.sqrt(Math.max(0, Math.min(1, y / 4)) * Math.max(0, Math.min(1, (10 - c) / 2)));
    const y = Float64Array.from(data.y, (value, i) => score(value, cost[i]!));
    const { encoding } = dataOf(data);
    const judges = values.map((of) =>
      ProcessJudge.fit(linalg, { encoding, x: data.x, y: of, noise: null }, rootKey(0)),
    );
    const open = { lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
    const limits = [open, open].map((ends) => ({ ...ends, source: 'none' })) as never;
    const judge = new GoalsJudge(judges, rule, limits, y);
    const { mean } = judge.read([0.5, 0.5, 1]);
    expect(Math.abs(fromScale(judge.response, mean[0]!) - score(2.5, 9))).toBeLessThan(0.05);
    expect(judge.draws.map((draws) => draws.length)).toEqual([24, 24]);
    expect(judge.leaveOneOut().rows).toHaveLength(30);
    expect(judge.noise).toBeGreaterThan(0);
  });
});
