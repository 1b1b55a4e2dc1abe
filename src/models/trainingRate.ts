import type { Space } from '../problem.js';

/** Inputs up to which networks are trained at the full rate. */
const FEW = 512;

/**
 * Adam's rate for networks that learn a table. Adam moves all weights of a unit alike, so that its sum moves by the rate times
 * the number of inputs of one sign: with thousands of them 3e-3 leaves networks that expect the same of every row
 * (docs/algorithms/nemo.md).
 */
export function trainingRateFor({ columns }: Space): number {
  const inputs = columns.reduce(
    (sum, column) => sum + (column.kind === 'categorical' ? column.classes : 1),
    0,
  );
  return 3e-3 * Math.min(1, FEW / inputs);
}
