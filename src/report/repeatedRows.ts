/** Words about settings that were measured more than once, so that nobody takes a mean for a measurement. */
import type { GoalSummary, Replicates, RunDocument } from '../design/runDocument.js';
import { typedNumber } from './formats.js';

/** Rows that are named; the rest are counted. */
const mostNamed = 6;

/** "row 12", or "mean of 3 rows: 12, 40, 77; best single 1244". */
export function whichRows(
  row: number,
  meanOf: Replicates | undefined,
  { direction }: Pick<GoalSummary, 'direction'>,
  number: (value: number) => string,
): string {
  if (!meanOf) return `row ${row}`;
  const better = direction === 'max' ? Math.max : Math.min;
  const best = meanOf.values.reduce((a, b) => better(a, b));
  return `mean of ${meanOf.rows.length} rows: ${namedRows(meanOf.rows)}; best single ${number(best)}`;
}

function namedRows(rows: readonly number[]): string {
  const more = rows.length - mostNamed;
  return `${rows.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The best single measurement, where it belongs to settings whose mean is not the best; empty where it does not. */
export function singleText(
  { single }: RunDocument['bestKnown'],
  name: string,
  number: (value: number) => string,
): string {
  if (!single) return '';
  const { row, value, mean, rows } = single;
  const others = rows.filter((other) => other !== row);
  return `Row ${row} has ${name} ${number(value)}, but its settings were measured ${rows.length} times (also in ${others.length === 1 ? 'row' : 'rows'} ${namedRows(others)}), with ${number(mean)} on average: the mean counts.`;
}

/** "Measured again, the same settings differ by about ± 3 (standard deviation)."; empty where nothing is known. */
export function noiseText({ noise }: RunDocument['data']): string {
  if (noise === null || !Number.isFinite(noise)) return '';
  if (noise === 0) return 'Settings that were measured again gave the same result each time.';
  return `Measured again, the same settings differ by about ± ${typedNumber(Number(noise.toPrecision(2)))} (standard deviation).`;
}
