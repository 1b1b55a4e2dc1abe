// A run that the data do not support shows no numbers of designs, in any file, unless it was asked to.
import { describe, expect, it } from 'vitest';
import { renderReadme, renderReport, shownDocument, toCandidatesCsv } from '../../src/report/index.js';
import { parseMarkup, readableText } from './parseMarkup.js';
import { sampleDocument } from './sampleDocument.js';

const refused = {
  ...sampleDocument(),
  verdict: {
    level: 'unsupported' as const,
    sentence: 'The data do not support a proposal: what sets good runs apart cannot be told from chance.',
    reasons: ['more rows, fewer columns (--ignore) or fixed ones (--fix) would help'],
  },
};
const asked = { ...refused, run: { ...refused.run, anyway: true as const } };
const first = refused.candidates[0]!;
const page = (document: typeof refused) => readableText(parseMarkup(renderReport(document)));

describe('designs that the data do not support', () => {
  it('are counted, not kept', () => {
    const shown = shownDocument(refused);
    expect([shown.candidates, shown.curves, shown.profiles, shown.map.candidates]).toEqual([[], [], [], []]);
    expect(shown.withheld).toBe(8);
    expect(shown.map.past).toHaveLength(220);
    expect(shownDocument(shown)).toBe(shown);
    expect(shownDocument(asked)).toBe(asked);
    const supported = sampleDocument();
    expect(shownDocument(supported)).toBe(supported);
  });

  it('are in no file', () => {
    expect(toCandidatesCsv(refused).trimEnd().split('\n')).toHaveLength(1);
    expect(toCandidatesCsv(asked).trimEnd().split('\n')).toHaveLength(9);
    for (const text of [page(refused), renderReadme(refused)].map((one) => one.replaceAll(/\s+/g, ' '))) {
      expect(text).toContain(
        '8 designs were found, but nothing in the data speaks for them. They are not shown; the same command with --anyway shows them.',
      );
      expect(text).toContain('More rows, fewer columns (--ignore) or fixed ones (--fix) would help.');
      expect(text).not.toMatch(/candidate 1\b/i);
    }
    expect(renderReadme(refused)).not.toContain(first.expected.toFixed(1));
    for (const part of ['What matters', 'Training and search', 'One column at a time', 'chance of beating'])
      expect(page(refused)).not.toContain(part);
    expect(page(asked)).toContain('What matters');
    expect(renderReadme(asked)).toContain(`Candidate 1: expected ${first.expected.toFixed(1)}`);
  });
});
