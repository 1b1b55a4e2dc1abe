/** The run in a sentence: whether the batch is likely to be better than what was measured, and why. */
import type { Candidate, Verdict } from '../design/runDocument.js';
import type { Rehearsed } from './dressRehearsal.js';

/** Chance of luck above which the data say nothing about which settings are better. */
export const BY_LUCK = 0.05;

/** Rank correlation on unseen rows from which a better batch can be expected. */
const STRONG = 0.4;

/** The mean chance of the batch from which one would say "likely". */
const LIKELY = 0.85;

/** Rows below which nobody should say "likely". */
const FEW = 15;

export interface VerdictFacts {
  readonly candidates: readonly Candidate[];
  readonly asked: number;
  readonly rehearsed: Pick<Rehearsed, 'rankCorrelation' | 'luck' | 'delivered' | 'bestSeen'>;
  readonly rows: number;
  /** Greatest less smallest objective value of the rows. */
  readonly range: number;
  /** Columns with a value far away from all others: whoever wrote it may have slipped elsewhere too. */
  readonly wild: readonly string[];
  /** The goal's natural limit where the best row has reached it. Default null. */
  readonly ceiling?: number | null;
}

export function verdictOf(facts: VerdictFacts): Verdict {
  const { candidates, asked, rehearsed, rows, range, wild, ceiling = null } = facts;
  const { rankCorrelation, luck } = rehearsed;
  const reasons = [
    `on rows they had not seen, the models put ${describeRank(rankCorrelation)} (rank correlation ${rankCorrelation.toFixed(2)})`,
  ];
  if (luck > BY_LUCK) {
    return {
      level: 'unsupported',
      sentence: 'The data do not support a proposal: what sets good runs apart cannot be told from chance.',
      reasons: [
        ...reasons,
        'shuffled results are ranked about as well',
        'more rows, fewer columns (--ignore) or fixed ones (--fix) would help',
      ],
    };
  }
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
  if (candidates.length < asked)
    reasons.push(`only ${candidates.length} of ${asked} different designs could be found`);
  if (ceiling !== null) {
    return {
      level: 'unclear',
      sentence: `The best past run is already at its limit (${ceiling}): no design can be better, some may be as good.`,
      reasons,
    };
  }
  const chance = candidates.reduce((sum, { better }) => sum + better, 0) / candidates.length;
  reasons.push(
    `each design has, on average, a chance of ${Math.round(100 * chance)} % of beating the best past run`,
  );
  const { delivered, bestSeen } = rehearsed;
  const doubts: string[] = [];
  if (rows < FEW) doubts.push(`${rows} different settings are few`);
  for (const column of wild)
    doubts.push(`one value of ${column} is far away from all others; correct it, or remove its row`);
  if (rankCorrelation < STRONG) doubts.push('the order of unseen rows is only roughly right');
  if (delivered <= bestSeen) doubts.push('in the rehearsal, repeating the best rows would have done as well');
  const widths = candidates.map(({ lo80, hi80 }) => hi80 - lo80).sort((a, b) => a - b);
  if (widths[widths.length >> 1]! > range) doubts.push('the intervals are wider than the data');
  if (chance >= LIKELY && doubts.length === 0)
    return { level: 'likely', sentence: 'The batch is likely to beat the best past run.', reasons };
  return {
    level: 'unclear',
    sentence: 'Some of the batch may beat the best past run; it is not clear.',
    reasons: [...reasons, ...doubts],
  };
}

function describeRank(correlation: number): string {
  if (correlation >= 0.9) return 'settings in nearly the right order';
  if (correlation >= STRONG) return 'settings mostly in the right order';
  if (correlation >= 0.2) return 'settings roughly in the right order';
  return 'settings in hardly better than random order';
}
