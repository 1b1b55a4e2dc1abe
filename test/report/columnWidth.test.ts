import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  breakable,
  breakableText,
  columnWidth,
  isSequence,
  nameParts,
} from '../../src/report/columnWidth.js';

describe('names break', () => {
  it.each([
    ['BlastFurnaceSlag', ['Blast', 'Furnace', 'Slag']],
    ['suction_side_thickness_m', ['suction_', 'side_', 'thickness_', 'm']],
    ['Superplasticizer', ['Superplasticizer']],
    ['temp2Inlet', ['temp2', 'Inlet']],
    ['pH', ['pH']],
    ['NaClO4', ['NaClO4']],
    ['flow rate (mL/min)', ['flow ', 'rate ', '(mL/', 'min)']],
    ['x'.repeat(20), ['x'.repeat(16), 'x'.repeat(4)]],
    ['', []],
  ])('%j', (name, parts) => {
    expect(nameParts(name)).toEqual(parts);
  });

  it('loses no letter', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => nameParts(name).join('') === name));
  });

  it('escapes what stands between', () => {
    expect(breakable('a_<b>').text).toBe('a_<wbr>&lt;b&gt;');
    expect(breakableText('FlyAsh')).toBe('Fly\u200bAsh');
  });
});

describe('the width of a column', () => {
  it('is that of its widest part', () => {
    expect(columnWidth('Superplasticizer', ['1'])).toBeCloseTo(16 + 16 * 8.8);
    expect(columnWidth('BlastFurnaceSlag', ['1'])).toBeCloseTo(16 + 7 * 8.8);
    expect(columnWidth('a', ['1234567'])).toBeCloseTo(16 + 7 * 9.2);
    expect(columnWidth('a', ['1'], ['0.45 to 1.00'])).toBeCloseTo(16 + 12 * 8);
  });

  it('is bounded for texts, which wrap, and not for sequences', () => {
    expect(columnWidth('a', ['a long word and another one, and so on and on'])).toBe(16 + 240);
    expect(columnWidth('a', ['ACGT'.repeat(9)])).toBeCloseTo(16 + 36 * 8.1);
  });
});

it.each([
  ['ACGTACGT', true],
  ['ACGTACG', false],
  ['Cat A', false],
  ['ACGTacgt', false],
  ['A'.repeat(41), false],
])('%s is a sequence: %s', (text, answer) => {
  expect(isSequence(text)).toBe(answer);
});
