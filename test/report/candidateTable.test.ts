import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  breakable,
  breakableText,
  columnWidth,
  isSequence,
  nameParts,
  nearestRun,
} from '../../src/report/candidateTable.js';
import { documentFormats } from '../../src/report/documentFormats.js';
import { parseMarkup, textOf } from './parseMarkup.js';
import { sampleDocument } from './sampleDocument.js';

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

const formats = documentFormats(sampleDocument());
const said = (differences: { column: string; from: string | number; to: string | number }[]) =>
  textOf(parseMarkup(nearestRun({ row: 12, value: 80, differences }, formats).text));

describe('the nearest past run', () => {
  it('names row, value and what differs', () => {
    expect(said([{ column: 'temp', from: 68, to: 71.5 }])).toBe(
      'Nearest past run: row 12, measured 80.0. From there: temp 68 → 71.5',
    );
    expect(said([])).toContain('It has the same settings.');
  });

  it('counts what is too much', () => {
    const many = Array.from({ length: 7 }, (_, i) => ({ column: `c${i}`, from: 1, to: 2 }));
    expect(said(many)).toMatch(/c4 1 → 2 and 2 more$/);
  });

  it('names the changed letters of a sequence, counted from 1', () => {
    expect(said([{ column: 'promoter', from: 'TTGACATTTA', to: 'ATGACATTTC' }])).toMatch(
      /promoter T1A A10C$/,
    );
    expect(said([{ column: 'promoter', from: 'A'.repeat(30), to: 'C'.repeat(30) }])).toMatch(
      /promoter A1C A2C A3C A4C A5C A6C A7C A8C and 22 more letters$/,
    );
    expect(said([{ column: 'promoter', from: 'TTGACATTTA', to: 'TTGACATTTAA' }])).toContain(' → ');
  });
});
