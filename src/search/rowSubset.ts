/** Subsets of the rows, for models and figures that cannot take all. Callers report how many rows they took. */
import type { Key } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import { argsort } from '../numeric/stats.js';

/** At most `most` of the numbers below `count`, spread evenly. */
export function evenly(count: number, most: number): Int32Array {
  const n = Math.min(count, most);
  return Int32Array.from({ length: n }, (_, i) => Math.floor((i * count) / n));
}

/**
 * `count` of the rows, all if there are no more: the best half of that number by score, the rest drawn evenly from the
 * other rows. In random order, so that any first part is the same mixture.
 */
export function chooseRows(y: ArrayLike<number>, count: number, key: Key): Uint32Array {
  const stream = new Stream(key);
  const N = y.length;
  if (N <= count) return stream.permutation(N);
  const order = argsort(y, 'descending');
  const best = Math.ceil(count / 2);
  const others = stream.choose(N - best, count - best).map((i) => order[best + i]!);
  const chosen = new Uint32Array(count);
  chosen.set(order.subarray(0, best));
  chosen.set(others, best);
  stream.shuffle(chosen);
  return chosen;
}
