import { describe, expect, it } from 'vitest';
import { type VerdictFacts, verdictOf } from '../../src/judging/verdict.js';
import { goodFacts } from './verdictFacts.js';

const [candidate] = goodFacts.candidates;
const withRehearsed = (rehearsed: Partial<VerdictFacts['rehearsed']>): VerdictFacts => ({
  ...goodFacts,
  rehearsed: { ...goodFacts.rehearsed, ...rehearsed },
});

describe('a verdict', () => {
  it('is likely where everything speaks for it', () => {
    const { level, reasons } = verdictOf(goodFacts);
    expect(level).toBe('likely');
    expect(reasons).toEqual([
      'on rows they had not seen, the models put settings in nearly the right order (rank correlation 0.90)',
      'each design has, on average, a chance of 90 % of beating the best past run',
    ]);
  });

  it('refuses what chance would rank as well, however high the correlation', () => {
    const { level, sentence } = verdictOf(withRehearsed({ luck: 0.06 }));
    expect([level, sentence]).toEqual([
      'unsupported',
      'The data do not support a proposal: what sets good runs apart cannot be told from chance.',
    ]);
    expect(verdictOf(withRehearsed({ luck: 0.04 })).level).toBe('likely');
    expect(verdictOf({ ...goodFacts, candidates: [] }).level).toBe('unsupported');
  });

  it.each<[string, VerdictFacts]>([
    ['14 different settings are few', { ...goodFacts, rows: 14 }],
    [
      'one value of temp is far away from all others; correct it, or remove its row',
      { ...goodFacts, wild: ['temp'] },
    ],
    ['the order of unseen rows is only roughly right', withRehearsed({ rankCorrelation: 0.39 })],
    ['in the rehearsal, repeating the best rows would have done as well', withRehearsed({ delivered: 50 })],
    ['the intervals are wider than the data', { ...goodFacts, range: 9.9 }],
  ])('is not likely: %s', (reason, facts) => {
    const { level, reasons } = verdictOf(facts);
    expect(level).toBe('unclear');
    expect(reasons.at(-1)).toBe(reason);
  });

  it('is not likely where chances are small, or designs are missing', () => {
    const unsure = { ...candidate!, better: 0.5 };
    expect(verdictOf({ ...goodFacts, candidates: [candidate!, unsure] }).level).toBe('unclear');
    expect(verdictOf({ ...goodFacts, asked: 8 }).reasons).toContain(
      'only 2 of 8 different designs could be found',
    );
  });
});
