/** Tables that say, cell by cell, whether a row is better than doing nothing and than noise at the same distance. */
import { powerOfTwo } from '../numeric/portable.js';
import type { MeanDifference } from './comparison.js';
import type { NullComparison } from './nullComparison.js';
import { type Percentile, percentileNames, rowName } from './summary.js';
import { numberText, type TextCell, type TextTable } from './tables.js';

const titles: Readonly<Record<NullComparison['against'], string>> = {
  start: 'better than doing nothing?',
  noise: 'better than noise at the same distance?',
};

/** Two per percentile; none where no null row was run. */
export function nullTables(comparisons: readonly NullComparison[]): TextTable[] {
  if (comparisons.every(({ differences }) => differences === null)) return [];
  const tasks = [...new Set(comparisons.map(({ task }) => task))];
  const rows = [...new Set(comparisons.map(rowName))];
  return percentileNames.flatMap((percentile) =>
    (['start', 'noise'] as const).map((against) => ({
      title: `${percentile}th percentile: ${titles[against]}`,
      notes: [
        against === 'start'
          ? 'row minus the best visible rows as they are, both by the scorer'
          : 'row minus the best visible rows with noise, whose median distance from the data is that of the row (in brackets, two digits)',
        'mean difference, then its 95 % interval: bootstrap over seeds, paired by seed. Bold: the whole interval is above 0',
        ...fewPairs(comparisons, against),
      ],
      head: ['', ...tasks],
      rows: rows.map((row) => ({
        cells: [
          { text: row },
          ...tasks.map((task) => {
            const found = comparisons.find(
              (one) => one.task === task && one.against === against && rowName(one) === row,
            );
            return found ? cellOf(found, percentile) : { text: 'not run' };
          }),
        ],
      })),
    })),
  );
}

/** Pairs from which on an interval holds about what it says. */
const ENOUGH_PAIRS = 6;

/** The interval of few pairs is that of their signs: all are above 0 by chance once in two to the power of their number. */
function fewPairs(comparisons: readonly NullComparison[], against: NullComparison['against']): string[] {
  const pairs = comparisons.flatMap(({ against: one, differences }) =>
    one === against && differences && differences[100].pairs >= 3 ? [differences[100].pairs] : [],
  );
  const fewest = pairs.reduce((least, n) => Math.min(least, n), ENOUGH_PAIRS);
  if (fewest >= ENOUGH_PAIRS) return [];
  const few = pairs.filter((n) => n === fewest).length;
  return [
    `${few} of these intervals ${few === 1 ? 'is' : 'are'} of ${fewest} pairs, and too narrow: without any difference one of ${powerOfTwo(fewest)} lies above 0 by chance`,
  ];
}

function cellOf({ differences, distance }: NullComparison, percentile: Percentile): TextCell {
  const far = distance === null ? '' : ` [${distance}]`;
  if (!differences) return { text: `null not run${far}` };
  return {
    text: `${differenceText(differences[percentile])}${far}`,
    isBest: isBetter(differences[percentile]),
  };
}

/** Whether the interval leaves out that there is no difference; with one or two seeds there is none. */
export function isBetter({ pairs, low }: MeanDifference): boolean {
  return pairs >= 3 && low > 0;
}

/** "+12.3, +8.1 to +16.0". */
export function differenceText({ pairs, mean, low, high }: MeanDifference): string {
  const size = Math.max(Math.abs(mean), Math.abs(high - low) / 10);
  const signed = (value: number) => `${value > 0 ? '+' : ''}${numberText(value, size, 3)}`;
  return pairs < 3
    ? `${signed(mean)}, ${pairs} seed${pairs === 1 ? '' : 's'}`
    : `${signed(mean)}, ${signed(low)} to ${signed(high)}`;
}
