/**
 * A batch out of many designs: the most promising first, none near another one or a past row. Where too few designs are
 * left, the distance that is asked for is halved, down to designs that merely differ.
 */
import { argsort, quantile } from '../numeric/stats.js';
import { type PastRows, squaredDistance } from './novelty.js';

/** Part of the distance between neighbouring past rows (their lowest tenth) that two designs keep. */
const SPACING = 0.5;
const HALVINGS = 12;

/** Numbers of the chosen designs, at most `count`. `points` n x P, `promise` n: larger is better. */
export function chooseBatch(
  points: Float64Array,
  promise: ArrayLike<number>,
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
  let spacing = positive.length > 0 ? SPACING * quantile(positive, 0.1) : 0;
  for (let halving = 0; halving <= HALVINGS && chosen.length < count; halving++) {
    const isLast = halving === HALVINGS;
    const apart = isLast ? Number.MIN_VALUE : spacing;
    for (const i of order) {
      if (chosen.length === count) break;
      if (chosen.includes(i) || toPast[i]! < apart) continue;
      const isNear = chosen.some((j) => Math.sqrt(squaredDistance(points, i * P, points, j * P, P)) < apart);
      if (!isNear) chosen.push(i);
    }
    spacing /= 2;
  }
  return chosen.sort((a, b) => promise[b]! - promise[a]! || a - b);
}
