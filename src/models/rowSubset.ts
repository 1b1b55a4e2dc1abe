/** Which rows a model takes that cannot take all: said in numbers by whoever uses it, never done in silence. */
import type { Key } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import { argsort } from '../numeric/stats.js';

/**
 * `count` of the rows, all if there are no more: the best half of that number by score, the rest drawn evenly from the
 * other rows. In random order, so that any first part of it is a like mixture.
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
