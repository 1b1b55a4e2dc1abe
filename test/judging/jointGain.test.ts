import { describe, expect, it } from 'vitest';
import { chooseJointly } from '../../src/judging/jointGain.js';

/** Four draws of three designs: 0 and 1 stand and fall together, 2 is worse on average but wins where they lose. */
const draws = [
  [4, 3.9, 0],
  [4, 3.9, 0],
  [0, 0.1, 3],
  [0, 0.1, 3],
].map((row) => Float64Array.from(row));
const columnOf = new Map([
  [10, 0],
  [11, 1],
  [12, 2],
]);
const always = () => true;

describe('a joint choice', () => {
  it('prefers the design that adds most to the expected best', () => {
    // means are 2, 2, 1.5; the best of 10 and 12 is 3.5 on average, of 10 and 11 it is 2.05
    expect(chooseJointly([10, 11, 12], [], { draws, columnOf }, 3, always)).toEqual([10, 12, 11]);
    expect(chooseJointly([11, 12], [10], { draws, columnOf }, 1, always)).toEqual([12]);
  });

  it('passes over what may not join, and over designs that were not drawn', () => {
    const allows = (_: readonly number[], design: number) => design !== 12;
    expect(chooseJointly([10, 11, 12, 99], [], { draws, columnOf }, 4, allows)).toEqual([10, 11]);
  });
});
