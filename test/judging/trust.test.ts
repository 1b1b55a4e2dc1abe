import { describe, expect, it } from 'vitest';
import { GUESS, TRUSTED, trustIn } from '../../src/judging/trust.js';

const hundred = Float64Array.from({ length: 100 }, (_, i) => (i + 1) / 100);
const references = { gamma: hundred, distance: hundred, disagreement: hundred };
const usual = { gamma: 0.5, distance: 0.9, disagreement: 0.1 };

describe('trust', () => {
  it('is full where the chance is high and all is usual', () => {
    const { trust, reasons, percentiles } = trustIn(0.9, usual, references);
    expect([trust, reasons]).toEqual(['Trusted', []]);
    expect(percentiles).toEqual({ gamma: 49, distance: 89, disagreement: 9 });
    // a little farther than most rows is no reason against a high chance
    expect(trustIn(0.9, { ...usual, distance: 1.2 }, references).trust).toBe('Trusted');
  });

  it('rises with the chance', () => {
    const levels = [0.1, GUESS - 0.01, GUESS, TRUSTED - 0.01, TRUSTED, 1].map(
      (chance) => trustIn(chance, usual, references).trust,
    );
    expect(levels).toEqual(['Guess', 'Guess', 'Stretch', 'Stretch', 'Trusted', 'Trusted']);
    expect(trustIn(0.31, usual, references).reasons).toEqual([
      'a chance of 31 % of beating the best past run',
    ]);
  });

  it('is less far outside what was tried, with the reasons', () => {
    const far = trustIn(0.95, { gamma: 3.5, distance: 1.2, disagreement: 0.95 }, references);
    expect(far.trust).toBe('Stretch');
    expect(far.reasons).toEqual([
      'farther from past rows than most of them are from each other',
      'the data leave room for almost any value',
      'the models agree less than for most rows',
    ]);
    expect(trustIn(0.2, { ...usual, distance: 9 }, references).reasons).toEqual([
      'a chance of 20 % of beating the best past run',
      'far from everything that was tried',
    ]);
  });

  it('takes everything for far where there is nothing to compare with', () => {
    const none = { ...references, distance: new Float64Array() };
    expect(trustIn(1, usual, none).trust).toBe('Stretch');
  });
});
