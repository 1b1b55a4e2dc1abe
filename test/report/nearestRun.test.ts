import { describe, expect, it } from 'vitest';
import { documentFormats } from '../../src/report/documentFormats.js';
import { nearestRun } from '../../src/report/nearestRun.js';
import { parseMarkup, textOf } from './parseMarkup.js';
import { sampleDocument } from './sampleDocument.js';

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
