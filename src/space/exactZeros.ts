/**
 * An ingredient that is absent is 0, not 3e-12. Solvers and projections leave such dust; what lies within it of zero in
 * a group ("at most 3 of a, b, c") is put to zero, so that people who count what is not zero count the same.
 */
import type { Space } from './space.js';

/** Dust, as share of the largest number the column may have; at least the slack to which sums hold. */
const DUST = 1e-9;

/** Changes `x`, d numbers, in place. Nothing else moves by more than the 1e-9 to which constraints hold. */
export function exactZeros(
  { columns, cardinality = [], conditional = [] }: Space,
  x: Float64Array,
): Float64Array {
  const groups = [...cardinality, ...conditional.flatMap((one) => one.cardinality ?? [])];
  for (const { columns: members } of groups) {
    for (const j of members) {
      const column = columns[j]!;
      if (column.kind !== 'continuous' || x[j] === 0 || column.lower > 0 || column.upper < 0) continue;
      const largest = Math.max(Math.abs(column.lower), Math.abs(column.upper));
      // in a unit in which all numbers are tiny, tiny numbers are no dust
      if (Math.abs(x[j]!) <= DUST * Math.min(1, largest)) x[j] = 0;
    }
  }
  return x;
}
