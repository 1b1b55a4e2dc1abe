import { describe, expect, it } from 'vitest';
import { trustIn } from '../../src/judging/trust.js';

const hundred = Float64Array.from({ length: 100 }, (_, i) => (i + 1) / 100);
const references = { gamma: hundred, distance: hundred, disagreement: hundred };

describe('trust', () => {
  it('is full where all is usual', () => {
    const { trust, reasons, percentiles } = trustIn(
      { gamma: 0.5, distance: 0.9, disagreement: 0.1 },
      references,
    );
    expect([trust, reasons]).toEqual(['Trusted', []]);
    expect(percentiles).toEqual({ gamma: 49, distance: 89, disagreement: 9 });
  });

  it('is less where one measure is unusual, and least where it is far outside', () => {
    const stretch = trustIn({ gamma: 0.5, distance: 1.2, disagreement: 0.1 }, references);
    expect([stretch.trust, stretch.reasons]).toEqual([
      'Stretch',
      ['farther from past rows than most of them are from each other'],
    ]);
    const guess = trustIn({ gamma: 1.6, distance: 1.2, disagreement: 0.95 }, references);
    expect(guess.trust).toBe('Guess');
    expect(guess.reasons).toEqual([
      'farther from past rows than most of them are from each other',
      'the data leave room for almost any value',
      'the networks agree less than for most rows',
    ]);
  });
});
