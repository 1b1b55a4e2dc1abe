// Volumes that are known: rectangles, and their unions.
import { describe, expect, it } from 'vitest';
import { dominates, Front, frontPoint, hasFront } from '../../src/judging/paretoBatch.js';
import { tierPromise } from '../../src/judging/tiers.js';
import type { ScoreRule } from '../../src/problem/desirability.js';
import { parseGoals } from '../../src/problem/index.js';

const max = (zero: number, one: number) => ({
  zeroBelow: zero,
  oneFrom: one,
  oneTo: Number.POSITIVE_INFINITY,
  zeroAbove: Number.POSITIVE_INFINITY,
});
const min = (one: number, zero: number) => ({
  zeroBelow: Number.NEGATIVE_INFINITY,
  oneFrom: Number.NEGATIVE_INFINITY,
  oneTo: one,
  zeroAbove: zero,
});

function ruleOf(goals: readonly string[], ramps: readonly ReturnType<typeof max>[]): ScoreRule {
  return {
    kind: 'desirability',
    parts: parseGoals(goals).map((goal, g) => ({ goal, ramp: ramps[g]! })),
  };
}

describe('the volume below designs', () => {
  it('is that of rectangles, to the fineness of the counting', () => {
    // the box is that of the designs, [0, 1] x [0, 1]
    const front = new Front([
      [1, 0.2],
      [0.5, 0.5],
      [0.2, 1],
      [0, 0],
      [0.4, 0.4],
    ]);
    // 4096 even points: 1/64 along each axis
    expect(front.gain(0)).toBeCloseTo(0.2, 1.8);
    expect(front.gain(1)).toBeCloseTo(0.25, 1.8);
    front.add([1, 0.2]);
    expect(front.gain(1)).toBeCloseTo(0.25 - 0.5 * 0.2, 1.8);
    front.add([0.5, 0.5]);
    expect(front.gain(4)).toBe(0);
    expect(front.gain(2)).toBeCloseTo(0.2 * 0.5, 1.8);
    front.clear();
    expect(front.gain(2)).toBeCloseTo(0.2, 1.8);
  });

  it('is that of boxes in three goals', () => {
    const front = new Front([
      [1, 1, 0.5],
      [0, 0, 0],
      [0.5, 0.5, 1],
    ]);
    expect(front.gain(0)).toBeCloseTo(0.5, 1.6);
    front.add([1, 1, 0.5]);
    expect(front.gain(2)).toBeCloseTo(0.25 - 0.125, 1.6);
  });
});

describe('a design among goals', () => {
  it('is a point of desirabilities, and limits take from all of them', () => {
    const rule = ruleOf(
      ['max yield', 'min cost', 'keep purity >= 90'],
      [max(0, 100), min(0, 50), max(80, 90)],
    );
    if (!hasFront(rule)) throw new Error('expected a front');
    const sure = (value: number) => ({ expected: value, low: value, high: value });
    expect(frontPoint(rule, [sure(60), sure(20), sure(95)], 'balanced')).toEqual([0.6, 0.6]);
    expect(frontPoint(rule, [sure(60), sure(20), sure(85)], 'balanced')).toEqual([0.3, 0.3]);
    const unsure = { expected: 60, low: 40, high: 90 };
    expect(frontPoint(rule, [unsure, sure(0), sure(95)], 'safe')[0]).toBeCloseTo(0.4, 12);
    expect(frontPoint(rule, [unsure, sure(0), sure(95)], 'balanced')[0]).toBeCloseTo(0.55, 12);
    expect(frontPoint(rule, [unsure, sure(0), sure(95)], 'bold')[0]).toBeCloseTo(0.9, 12);
    // of a cost, the upper end is the cautious one
    const cost = { expected: 20, low: 10, high: 40 };
    expect(frontPoint(rule, [sure(100), cost, sure(95)], 'safe')[1]).toBeCloseTo(0.2, 12);
    expect(frontPoint(rule, [sure(100), cost, sure(95)], 'bold')[1]).toBeCloseTo(0.8, 12);
  });

  it('has no front with one goal beside limits', () => {
    expect(hasFront(ruleOf(['max yield', 'keep cost <= 12'], [max(0, 1), min(12, 13)]))).toBe(false);
    expect(hasFront(ruleOf(['target pH=7', 'keep cost <= 12'], [max(0, 1), min(12, 13)]))).toBe(false);
    expect(hasFront(ruleOf(['max yield', 'target pH=7'], [max(0, 1), max(0, 1)]))).toBe(true);
  });

  it('is beaten by what is nowhere worse', () => {
    expect(dominates([0.5, 0.6], [0.5, 0.5])).toBe(true);
    expect(dominates([0.5, 0.5], [0.5, 0.5])).toBe(false);
    expect(dominates([0.6, 0.4], [0.5, 0.5])).toBe(false);
  });
});

it('tiers rank by the lower end, between, and by the upper end', () => {
  const interval = { expected: 10, low: 4, high: 13 };
  expect((['safe', 'balanced', 'bold'] as const).map((tier) => tierPromise(tier, interval))).toEqual([
    4, 8.5, 13,
  ]);
});
