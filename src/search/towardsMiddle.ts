/**
 * The best rows on their way to the middle of the data. Where columns are numbers and rows nearer to the middle (with each
 * column's deviation as its unit) score higher by more than chance, the middle is better than what its own score would
 * tell: rows lie around it in all directions, and what goes wrong in each of them is left behind.
 */
import { extent, fitStandardization, spearman } from '../numeric/stats.js';
import type { Dataset, Space } from '../space/space.js';
import { SURE } from './towardsCommon.js';

/** Designs, M x d: of the best rows (M x d), each moved by one of the shares of its way, in turn; null where nothing speaks for it. */
export function towardsMiddle(
  { x, y }: Dataset,
  { columns }: Space,
  best: Float64Array,
  shares: readonly number[],
): Float64Array | null {
  if (columns.some(({ kind }) => kind !== 'continuous')) return null;
  const d = columns.length;
  const { mean, scale } = fitStandardization(x, d);
  const near = Float64Array.from(y, (_, i) => {
    let sum = 0;
    for (let j = 0; j < d; j++) sum -= ((x[i * d + j]! - mean[j]!) / scale[j]!) ** 2;
    return sum;
  });
  const isAlike = ({ min, max }: { min: number; max: number }) => !(max > min);
  if (isAlike(extent(near)) || isAlike(extent(y))) return null;
  if (spearman(near, y) * Math.sqrt(y.length) < SURE) return null;
  return best.map((v, at) => {
    const middle = mean[at % d]!;
    return v + shares[Math.floor(at / d) % shares.length]! * (middle - v);
  });
}
