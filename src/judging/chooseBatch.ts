/**
 * A batch out of many designs: the most promising one first, then others that are about as good and lie apart, from each
 * other and from past rows. Half as far apart as past rows typically are; where too few designs are left, half of that, and
 * so on, down to designs that merely differ.
 */

import { powerOfTwo } from '../numeric/portable.js';
import { rowOf, squaredDistance } from '../numeric/rows.js';
import { argsort, median } from '../numeric/stats.js';
import type { PastRows } from './novelty.js';

const HALVINGS = 12;
/** Halvings from which the best designs are taken, and those that are not among them. */
const CLOSE = 1;
const CLOSER = 4;

export interface Choice {
  /** n x P. */
  readonly points: Float64Array;
  /** n: larger is better. */
  readonly promise: ArrayLike<number>;
  /** n: distance to the nearest past row. */
  readonly toPast: ArrayLike<number>;
  /** Whether a design is in the first choice, and in the second; the others come last. */
  readonly tiers: readonly ((i: number) => boolean)[];
  /** Designs that are in the batch already, and count. Default: none. */
  readonly taken?: readonly number[];
  /** Whether a design may join others; one that may not join some may not join more. Default: always. */
  readonly allows?: (chosen: readonly number[], i: number) => boolean;
}

/** Numbers of the chosen designs, at most `count`, the most promising first. */
export function chooseBatch(
  { points, promise, toPast, tiers, taken = [], allows = () => true }: Choice,
  past: PastRows,
  count: number,
): number[] {
  const P = points.length / promise.length;
  const order = Array.from(argsort(promise, 'descending'));
  const chosen: number[] = [...taken];
  const positive = past.distances.filter((distance) => distance > 0);
  const widest = positive.length > 0 ? median(positive) : 0;
  // what is in the batch, and what may not join it, which stays so as the batch grows
  const isSettled = new Uint8Array(promise.length);
  for (const i of taken) isSettled[i] = 1;
  // of each design, how near it is to the first designs of the batch, and to how many of them it was compared
  const nearest = new Float64Array(promise.length).fill(Number.POSITIVE_INFINITY);
  const compared = new Uint32Array(promise.length);
  const toChosen = (i: number): number => {
    for (; compared[i]! < chosen.length; compared[i]!++) {
      const squared = squaredDistance(points, i, rowOf(points, P, chosen[compared[i]!]!));
      if (squared < nearest[i]!) nearest[i] = squared;
    }
    return Math.sqrt(nearest[i]!);
  };
  const fill = (candidates: readonly number[], apart: number) => {
    for (const i of candidates) {
      if (chosen.length === count) return;
      if (isSettled[i] || toPast[i]! < apart || toChosen(i) < apart) continue;
      isSettled[i] = 1;
      if (allows(chosen, i)) chosen.push(i);
    }
  };
  const fillFrom = (candidates: readonly number[], first: number) => {
    for (let halving = first; halving <= HALVINGS; halving++) {
      fill(candidates, halving === HALVINGS ? Number.MIN_VALUE : widest * powerOfTwo(-halving));
    }
  };
  for (const isIn of tiers) fillFrom(order.filter(isIn), CLOSE);
  // of the rest the most promising, even if they lie closer together
  fillFrom(order, CLOSER);
  return chosen.sort((a, b) => promise[b]! - promise[a]! || a - b);
}
