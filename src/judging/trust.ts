/**
 * How far a proposal may be trusted: by its chance of beating the best past run, which is calibrated on rows that nobody
 * had seen, and by how far it lies from everything that was tried.
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

/** Chances from which a design is trusted, and below which it is a guess. */
export const TRUSTED = 0.9;
export const GUESS = 0.6;

const USUAL = 90;

/** How many times the 99th percentile of known rows is far outside. */
const FAR = 3;

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
    usual: 'the models agree less than for most rows',
    far: 'the models contradict each other',
  },
};

/** `chance`: of beating the best past run. */
export function trustIn(
  chance: number,
  measures: Measures,
  references: References,
): { trust: Trust; reasons: string[]; percentiles: Measures } {
  const percentiles = { gamma: 0, distance: 0, disagreement: 0 };
  const reasons: string[] = [];
  let isFar = false;
  for (const name of ['distance', 'gamma', 'disagreement'] as const) {
    const reference = references[name];
    percentiles[name] = percentileOf(reference, measures[name]);
    if (percentiles[name] <= USUAL) continue;
    const isOutside = reference.length === 0 || measures[name] > FAR * quantile(reference, 0.99);
    isFar ||= isOutside;
    reasons.push(isOutside ? explanations[name].far : explanations[name].usual);
  }
  if (chance >= TRUSTED && !isFar) return { trust: 'Trusted', reasons: [], percentiles };
  const trust = chance < GUESS ? 'Guess' : 'Stretch';
  if (chance < TRUSTED)
    reasons.unshift(`a chance of ${Math.round(100 * chance)} % of beating the best past run`);
  return { trust, reasons, percentiles };
}
