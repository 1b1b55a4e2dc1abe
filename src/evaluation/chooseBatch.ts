/**
 * A batch out of many designs: the most promising one first, then others that are about as good and lie apart, from each
 * other and from past rows. As far apart as past rows typically are; where too few designs are left, half as far, and so
 * on, down to designs that merely differ.
 */
import { argsort, median } from '../numeric/stats.js';
import { type PastRows, squaredDistance } from './novelty.js';

const HALVINGS = 12;

/**
 * Numbers of the chosen designs, at most `count`, the most promising first. `points` n x P; `promise` n, larger is
 * better; designs that promise less than `enough` are taken only where there are no others.
 */
export function chooseBatch(
  points: Float64Array,
  promise: ArrayLike<number>,
  enough: number,
  past: PastRows,
  count: number,
): number[] {
  const n = promise.length;
  const P = points.length / n;
  const toPast = Array.from(
    { length: n },
    (_, i) => past.nearestTo(points.subarray(i * P, (i + 1) * P)).distance,
  );
  const order = Array.from(argsort(promise, 'descending'));
  const chosen: number[] = [];
  const positive = past.distances.filter((distance) => distance > 0);
  const widest = positive.length > 0 ? median(positive) : 0;
  const fill = (candidates: readonly number[], apart: number) => {
    for (const i of candidates) {
      if (chosen.length === count) return;
      if (chosen.includes(i) || toPast[i]! < apart) continue;
      const isNear = chosen.some((j) => Math.sqrt(squaredDistance(points, i * P, points, j * P, P)) < apart);
      if (!isNear) chosen.push(i);
    }
  };
  for (const candidates of [order.filter((i) => promise[i]! >= enough), order]) {
    for (let halving = 0; halving <= HALVINGS; halving++) {
      fill(candidates, halving === HALVINGS ? Number.MIN_VALUE : widest / 2 ** halving);
    }
  }
  return chosen.sort((a, b) => promise[b]! - promise[a]! || a - b);
}
