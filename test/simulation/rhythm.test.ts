import { describe, expect, it } from 'vitest';
import { aim, type Leg, RHYTHM_NUMBERS } from '../../src/simulation/rhythm.js';

const legs: readonly Leg[] = [
  { isFront: true, isLeft: true },
  { isFront: true, isLeft: false },
  { isFront: false, isLeft: true },
];
/** Hip, thigh and ankle of front and back legs have numbers of their own. */
const rhythm = [
  2,
  0.75,
  ...[0.3, 0.1, 0, 0.4, -0.2, 0.5, 0.2, 0.05, 0.25],
  ...[0.1, 0, 0.1, 0.2, 0, 0.2, 0.3, 0, 0.3],
];

function aims(seconds: number, turn: number, mirrored = [false, false, false], numbers = rhythm): number[] {
  const out = new Float64Array(3 * legs.length);
  aim(numbers, legs, mirrored, seconds, turn, out);
  return [...out];
}

const wave = (amplitude: number, offset: number, phase: number, seconds: number) =>
  amplitude * Math.sin(2 * Math.PI * 2 * seconds + Math.PI * phase) + offset;

describe('a rhythm', () => {
  it('is a sine per joint, right legs later', () => {
    expect(rhythm).toHaveLength(RHYTHM_NUMBERS);
    const t = 0.137;
    const expected = [
      ...[wave(0.3, 0.1, 0, t), wave(0.4, -0.2, 0.5, t), wave(0.2, 0.05, 0.25, t)],
      ...[wave(0.3, 0.1, 0.75, t), wave(0.4, -0.2, 1.25, t), wave(0.2, 0.05, 1, t)],
      ...[wave(0.1, 0, 0.1, t), wave(0.2, 0, 0.2, t), wave(0.3, 0, 0.3, t)],
    ];
    expect(aims(t, 0)).toBeAllClose(expected, { rtol: 0, atol: 1e-12 });
    expect(aims(t + 0.5, 0)).toBeAllClose(expected, { rtol: 0, atol: 1e-12 });
  });

  it('mirrors joints on the right', () => {
    const plain = aims(0.2, 0);
    expect(aims(0.2, 0, [true, false, false])).toEqual(plain.with(3, -plain[3]!));
  });

  it('turns left by swinging thighs more on the right and less on the left', () => {
    const t = 0.05;
    const turned = aims(t, 0.5);
    expect(turned[1]).toBeCloseTo(wave(0.2, -0.2, 0.5, t), 12);
    expect(turned[4]).toBeCloseTo(wave(0.6, -0.2, 1.25, t), 12);
    expect(turned[0]).toBe(aims(t, 0)[0]);
  });

  it('stays within the range of joints', () => {
    expect(aims(0, 0, undefined, rhythm.with(3, 7))[0]).toBe(1);
    expect(aims(0, 0, undefined, rhythm.with(3, -7))[0]).toBe(-1);
  });
});
