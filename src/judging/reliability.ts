/** Whether chances are kept: of rows that were said to be better with a chance of 70 %, about 70 % should be. */
import type { ReliabilityBin } from '../design/runDocument.js';

const BINS = 5;

/** Bins of equal width; those without a row are left out. `isBetter`: 1 or 0, or 0.5 where it is neither. */
export function reliabilityOf(
  said: readonly { readonly chance: number; readonly isBetter: number }[],
): ReliabilityBin[] {
  return Array.from({ length: BINS }, (_, b) => {
    const rows = said.filter(({ chance }) => Math.min(BINS - 1, Math.floor(BINS * chance)) === b);
    const meanOf = (value: (one: (typeof rows)[number]) => number) =>
      rows.reduce((sum, one) => sum + value(one), 0) / rows.length;
    return {
      from: b / BINS,
      to: (b + 1) / BINS,
      rows: rows.length,
      chance: meanOf(({ chance }) => chance),
      share: meanOf(({ isBetter }) => isBetter),
    };
  }).filter(({ rows }) => rows > 0);
}
