/**
 * A frozen gait for four-legged bodies: every joint swings as a sine of its own, all at one frequency. Front legs share
 * their numbers and so do back legs; right legs do the same a little later, mirrored.
 */
import { portableSinPi } from '../numeric/portable.js';

/**
 * Frequency in Hz; how much later right legs are than left ones, in half turns; then for front legs and for back legs,
 * for hip, thigh and ankle each: amplitude and offset in shares of the joint's range, phase in half turns.
 */
export type Rhythm = readonly number[];

export const RHYTHM_NUMBERS = 20;
export const JOINTS = 12;

export interface Leg {
  readonly isFront: boolean;
  readonly isLeft: boolean;
}

/**
 * Where joints should be, into `out`: -1 and 1 are the ends of a joint's range. Legs x (hip, thigh, ankle).
 *
 * `mirrored`: which of hip, thigh and ankle turn the other way on the right. `turn`: thighs swing by this share more on
 * the right and less on the left, which turns the body to the left.
 */
export function aim(
  rhythm: Rhythm,
  legs: readonly Leg[],
  mirrored: readonly boolean[],
  seconds: number,
  turn: number,
  out: Float64Array,
): void {
  const [frequency, sides] = [rhythm[0]!, rhythm[1]!];
  legs.forEach(({ isFront, isLeft }, leg) => {
    for (let joint = 0; joint < 3; joint++) {
      const at = 2 + (isFront ? 0 : 9) + 3 * joint;
      const phase = rhythm[at + 2]! + (isLeft ? 0 : sides);
      const steer = joint === 1 ? 1 + (isLeft ? -turn : turn) : 1;
      const swing = rhythm[at]! * steer * portableSinPi(2 * frequency * seconds + phase) + rhythm[at + 1]!;
      out[3 * leg + joint] = clip(mirrored[joint] && !isLeft ? -swing : swing, -1, 1);
    }
  });
}

export function clip(value: number, lower: number, upper: number): number {
  return Math.min(upper, Math.max(lower, value));
}
