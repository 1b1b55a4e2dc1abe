/** The run in a sentence: whether the batch is likely to be better than what was measured, and why. */
import type { Candidate, Validation, Verdict } from '../design/runDocument.js';

/** Rank correlation on unseen rows below which the data say nothing about which settings are better. */
const WEAK = 0.25;

/** And from which they say enough to expect a better batch. */
const STRONG = 0.5;

/** The chance of the most promising design below which nobody would say "likely". */
const LIKELY = 0.6;

/** Columns of the model per row, above which a model can hardly be told from chance. */
const MOST_COLUMNS_PER_ROW = 1;

export interface VerdictFacts {
  readonly candidates: readonly Candidate[];
  readonly asked: number;
  readonly validation: Pick<Validation, 'rankCorrelation' | 'rows'>;
  readonly rows: number;
  /** Numbers the model sees per design. */
  readonly columns: number;
  /** Whether a larger objective value is better. */
  readonly isMax: boolean;
  readonly best: number;
  /** The goal's natural limit where the best row has reached it. Default null. */
  readonly ceiling?: number | null;
}

export function verdictOf(facts: VerdictFacts): Verdict {
  const { candidates, asked, validation, rows, columns, isMax, best, ceiling = null } = facts;
  const { rankCorrelation } = validation;
  const reasons = [
    `on rows it had not seen, the model put ${describeRank(rankCorrelation)} (rank correlation ${rankCorrelation.toFixed(2)})`,
  ];
  if (candidates.length === 0) {
    return {
      level: 'unsupported',
      sentence: 'No design could be found that differs from the past runs.',
      reasons: [
        ...reasons,
        'every design that was found has been measured already; --allow-repeats proposes them again',
      ],
    };
  }
  if (candidates.length < asked) {
    reasons.push(`only ${candidates.length} of ${asked} different designs could be found`);
  }
  const isBetter = (value: number) => (isMax ? value > best : value < best);
  const better = candidates.filter(({ expected }) => isBetter(expected)).length;
  const guesses = candidates.filter(({ trust }) => trust === 'Guess').length;
  reasons.push(`${better} of ${candidates.length} designs are expected to beat the best past run`);
  if (guesses > 0)
    reasons.push(`${guesses} of ${candidates.length} designs are guesses: far from what was tried`);
  if (rankCorrelation < WEAK || columns > MOST_COLUMNS_PER_ROW * rows) {
    if (columns > rows) reasons.push(`there are ${rows} rows for ${columns} numbers per design`);
    return {
      level: 'unsupported',
      sentence: 'The data do not support a proposal: treat every row below as a guess.',
      reasons: [...reasons, 'more rows, fewer columns (--ignore) or fixed ones (--fix) would help'],
    };
  }
  if (ceiling !== null) {
    return {
      level: 'unclear',
      sentence: `The best past run is already at its limit (${ceiling}): no design can be better, some may be as good.`,
      reasons,
    };
  }
  const chance = candidates.reduce((most, one) => Math.max(most, one.better), 0);
  if (chance < LIKELY)
    reasons.push(`by the model, no design has a chance above ${Math.round(100 * chance)} % of beating it`);
  if (
    chance >= LIKELY &&
    rankCorrelation >= STRONG &&
    2 * better >= candidates.length &&
    2 * guesses <= candidates.length
  ) {
    return { level: 'likely', sentence: 'The batch is likely to beat the best past run.', reasons };
  }
  return {
    level: 'unclear',
    sentence: 'Some of the batch may beat the best past run; it is not clear.',
    reasons,
  };
}

function describeRank(correlation: number): string {
  if (correlation >= 0.9) return 'settings in nearly the right order';
  if (correlation >= STRONG) return 'settings mostly in the right order';
  if (correlation >= WEAK) return 'settings roughly in the right order';
  return 'settings in hardly better than random order';
}
