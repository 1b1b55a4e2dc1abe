import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  columnFormat,
  estimateFormat,
  formatCell,
  formatInterval,
  formatNumber,
  formatPercent,
} from '../../src/report/formats.js';

// Four digits of the largest double round up to infinity.
const finite = fc.double({ noNaN: true, min: -1e307, max: 1e307 });
const ordinary = fc.double({ noNaN: true, min: -1e6, max: 1e6 });

/** Back to a number. */
function parse(text: string): number {
  const power = (raised: string) =>
    `e${[...raised].map((c) => (c === '⁻' ? '-' : '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c))).join('')}`;
  return Number(
    text
      .replaceAll('\u202f', '')
      .replace('\u2212', '-')
      .replace(/×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/, (_, raised: string) => power(raised)),
  );
}

describe('a number by itself', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [0.1 + 0.2, '0.3'],
    [86.21739, '86.22'],
    [1234.5, '1235'],
    [12345.6, '12\u202f350'],
    [1234567, '1\u202f235\u202f000'],
    [-3.5, '\u22123.5'],
    [0.00012, '0.00012'],
    [0.0000123456, '1.235×10⁻⁵'],
    [6.02214e23, '6.022×10²³'],
    [-1e-300, '\u22121×10⁻³⁰⁰'],
    [Number.NaN, '–'],
    [Number.POSITIVE_INFINITY, '–'],
  ])('%d is %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });

  it('keeps its size', () => {
    fc.assert(
      fc.property(finite, (value) => {
        expect(Math.abs(parse(formatNumber(value)) - value)).toBeLessThanOrEqual(5.001e-4 * Math.abs(value));
      }),
    );
  });
});

describe('the numbers of a column', () => {
  const print = (...values: number[]) => values.map((value) => formatNumber(value, columnFormat(values)));

  it.each([
    [
      [68, 71.5, 20, 95],
      ['68.0', '71.5', '20.0', '95.0'],
    ],
    // What single precision leaves of a zero, and a true column over decades.
    [
      [54.25, 1.97e-7, 6.56e-7, 9],
      ['54.3', '0.0', '0.0', '9.0'],
    ],
    [
      [1, 1e-8, 1e-5, 0.123456],
      ['1', '1×10⁻⁸', '1×10⁻⁵', '0.123'],
    ],
    [
      [0.1 + 0.2, 0.42, 0.7],
      ['0.30', '0.42', '0.70'],
    ],
    [
      [1, 2, 3],
      ['1', '2', '3'],
    ],
    [
      [1, 5000, 1234],
      ['1', '5000', '1234'],
    ],
    [
      [20.123456, 86.98765],
      ['20.1', '87.0'],
    ],
    [
      [0.001, 0.1234567, 40],
      ['0.001', '0.123', '40'],
    ],
    [
      [0.00001, 0.00002],
      ['1×10⁻⁵', '2×10⁻⁵'],
    ],
    [[71.5371], ['71.5']],
    [
      [0, 5e-17, 0.5],
      ['0.0', '0.0', '0.5'],
    ],
    [
      [0, 0],
      ['0', '0'],
    ],
    [
      [2e9, 3.5e9],
      ['2×10⁹', '3.5×10⁹'],
    ],
  ])('%j', (values, texts) => {
    expect(print(...values)).toEqual(texts);
  });

  it('have the same decimals, and tell a five-hundredth of the spread apart', () => {
    fc.assert(
      fc.property(fc.array(ordinary, { minLength: 2, maxLength: 20 }), (values) => {
        const spread = Math.max(...values) - Math.min(...values);
        fc.pre(spread > 1e-3);
        const texts = print(...values);
        for (const [i, text] of texts.entries()) {
          expect(Math.abs(parse(text) - values[i]!)).toBeLessThanOrEqual(
            Math.max(spread / 500, 0.005 * Math.abs(values[i]!)),
          );
        }
        if (columnFormat(values).kind === 'decimals') {
          expect(new Set(texts.map((text) => (text.split('.')[1] ?? '').length)).size).toBe(1);
        }
      }),
    );
  });

  it('never print an exponent of JavaScript, a NaN or endless digits', () => {
    fc.assert(
      fc.property(fc.array(fc.double(), { maxLength: 5 }), fc.double(), (values, value) => {
        const text = formatNumber(value, columnFormat(values));
        expect(text).toMatch(/^(?:–|\u2212?[\d\u202f]+(?:\.\d+)?(?:×10⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)$/);
        expect(text.length).toBeLessThanOrEqual(30);
      }),
    );
  });
});

describe('estimates', () => {
  it('show a hundredth of their interval', () => {
    expect(formatInterval(81.0123, 90.1456, estimateFormat(9, [81, 90]))).toBe('81.0 to 90.1');
    expect(formatInterval(-0.51234, 0.2, estimateFormat(0.7, [1]))).toBe('\u22120.51 to 0.20');
    expect(formatInterval(1200, 3400, estimateFormat(2200, [1200]))).toBe('1200 to 3400');
  });

  it('need no width', () => {
    expect(formatNumber(81.4, estimateFormat(0, [81.4]))).toBe('81.4');
  });
});

describe('cells and shares', () => {
  it('print as people write them', () => {
    expect(formatCell('B')).toBe('B');
    expect(formatCell(' ')).toBe('(empty)');
    expect(formatCell(68, columnFormat([68, 71.5]), { trim: true })).toBe('68');
    expect(formatCell(undefined)).toBe('–');
  });

  it.each([
    [0, '0'],
    [0.004, '<1'],
    [0.789, '79'],
    [0.999, '>99'],
    [1, '100'],
  ])('%d is %s percent', (share, text) => {
    expect(formatPercent(share)).toBe(`${text}\u202f%`);
  });
});
