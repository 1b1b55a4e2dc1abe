import { describe, expect, it } from 'vitest';
import type { ScoreJudge } from '../../src/judging/goalsJudge.js';
import { jointOpinion, Panel, rankCorrelation, reachOf, type Unseen } from '../../src/judging/panel.js';
import type { Response } from '../../src/models/response.js';
import { rootKey, Stream } from '../../src/numeric/index.js';

const response: Response = { kind: 'plain', origin: 0, side: 1, width: 10, mean: 5, deviation: 2 };
const process = { response, noise: 0.09 } as ScoreJudge;
const NORMAL = 1.2815515655446004;

/** Rows judged with deviation 0.4 and noise 0.09, so 0.5 in all; what was measured is `factor` times as far off. */
function rows(count: number, factor: number, seed: number): Unseen[] {
  const stream = new Stream(rootKey(seed));
  return Array.from({ length: count }, (_, row) => {
    const mean = stream.normal();
    return { row, mean, deviation: 0.4, z: mean + 0.5 * factor * stream.normal() };
  });
}

describe('two judges', () => {
  const one = { mean: Float64Array.of(1, 2), deviation: Float64Array.of(0.3, 0.1) };
  const two = { mean: Float64Array.of(3, 2), deviation: Float64Array.of(0.4, 0.2) };

  it('are averaged, and doubted where they are apart', () => {
    const { mean, deviation } = jointOpinion(one, two, 0.75);
    expect(mean).toBeAllClose([1.5, 2], { rtol: 1e-12, atol: 0 });
    const squares = [0.75 * 0.09 + 0.25 * 0.16 + 0.1875 * 4, 0.75 * 0.01 + 0.25 * 0.04];
    expect(deviation).toBeAllClose(squares.map(Math.sqrt), { rtol: 1e-12, atol: 0 });
    expect([...jointOpinion(one, null, 0.75).mean]).toEqual([1, 2]);
  });

  it('say an interval, and a chance that goes with it', () => {
    const panel = new Panel(process, null, { weight: 1, shift: -0.2, reach: 2, rise: 2, sample: 30 });
    const { expected, low, high, spread } = panel.intervalAt(1, 0.4);
    expect([expected, low, high]).toBeAllClose([0.9, -0.1, 1.9], { rtol: 0, atol: 1e-12 });
    expect(spread).toBeCloseTo(1 / NORMAL, 12);
    // in units of the score: 6.8, from 4.8 to 8.8
    expect([expected, low, high].map((z) => panel.scoreAt(z))).toBeAllClose([6.8, 4.8, 8.8], {
      rtol: 0,
      atol: 1e-12,
    });
    expect(panel.chanceOver(6.8, 1, 0.4)).toBeCloseTo(0.5, 12);
    expect(panel.chanceOver(4.8, 1, 0.4)).toBeCloseTo(0.9, 12);
    expect(panel.chanceOver(8.8, 1, 0.4)).toBeCloseTo(0.1, 12);
  });
});

describe('the reach of intervals', () => {
  it('covers new rows as often as it says', () => {
    for (const factor of [1, 2]) {
      const { reach, sample } = reachOf(rows(600, factor, 1), 0.09);
      expect(sample).toBeGreaterThan(29.9);
      const fresh = rows(20_000, factor, 2);
      const inside = fresh.filter(({ z, mean }) => Math.abs(z - mean) <= reach * 0.5).length / fresh.length;
      // it stands on about thirty rows, and leans to the careful side
      expect(inside).toBeGreaterThan(0.72);
      expect(inside).toBeLessThan(0.93);
    }
  });

  it('listens to the rows that promise most', () => {
    // good promises are five times as far off as others
    const stream = new Stream(rootKey(3));
    const unseen = Array.from({ length: 400 }, (_, row) => {
      const mean = stream.normal();
      return { row, mean, deviation: 0.4, z: mean + 0.5 * (mean > 1 ? 3 : 0.6) * stream.normal() };
    });
    const plain = reachOf(
      unseen.map((one) => ({ ...one, mean: 0, z: one.z - one.mean })),
      0.09,
    );
    expect(reachOf(unseen, 0.09).reach).toBeGreaterThan(1.5 * plain.reach);
  });

  it('is neither narrower nor wider than can be', () => {
    expect(reachOf(rows(200, 0, 4), 0.09).reach).toBeCloseTo(0.6 * NORMAL, 12);
    expect(reachOf(rows(200, 100, 4), 0.09).reach).toBeCloseTo(4 * NORMAL, 12);
    // few rows: half of them at least
    expect(reachOf(rows(12, 1, 5), 0.09).sample).toBeGreaterThanOrEqual(5.99);
  });
});

it('a rank correlation of what is constant is 0', () => {
  expect(rankCorrelation([1, 2, 3, 4], [1, 3, 2, 5])).toBeCloseTo(0.8, 12);
  expect(rankCorrelation([1, 1, 1], [1, 2, 3])).toBe(0);
  expect(rankCorrelation([1, 2], [1, 2])).toBe(0);
});
