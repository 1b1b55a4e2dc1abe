/**
 * How far a statement about a design may be trusted. Three measures, each against rows for which the answer is known:
 * gamma and disagreement against those of rows that networks had not seen, distance against that of past rows to each
 * other. Trusted: all within what nine of ten such rows show. Guess: one is far outside what any of them shows.
 */

import type { Trust } from '../design/runDocument.js';
import { quantile } from '../numeric/stats.js';
import { percentileOf } from './novelty.js';

export interface Measures {
  readonly gamma: number;
  readonly distance: number;
  readonly disagreement: number;
}

/** The same measures of known rows, each ascending. */
export type References = { readonly [name in keyof Measures]: Float64Array };

const USUAL = 90;

/** How many times the 99th percentile of known rows is far outside. */
const FAR = 1.5;

const explanations: Readonly<Record<keyof Measures, { usual: string; far: string }>> = {
  distance: {
    usual: 'farther from past rows than most of them are from each other',
    far: 'far from everything that was tried',
  },
  gamma: {
    usual: 'the data leave more room for its value than for most rows',
    far: 'the data leave room for almost any value',
  },
  disagreement: {
    usual: 'the networks agree less than for most rows',
    far: 'the networks contradict each other',
  },
};

export function trustIn(
  measures: Measures,
  references: References,
): { trust: Trust; reasons: string[]; percentiles: Measures } {
  const percentiles = { gamma: 0, distance: 0, disagreement: 0 };
  const reasons: string[] = [];
  let trust: Trust = 'Trusted';
  for (const name of ['distance', 'gamma', 'disagreement'] as const) {
    const reference = references[name];
    const percentile = percentileOf(reference, measures[name]);
    percentiles[name] = percentile;
    if (percentile <= USUAL) continue;
    const isFar = reference.length === 0 || measures[name] > FAR * quantile(reference, 0.99);
    if (isFar) trust = 'Guess';
    else if (trust === 'Trusted') trust = 'Stretch';
    reasons.push(isFar ? explanations[name].far : explanations[name].usual);
  }
  return { trust, reasons, percentiles };
}
