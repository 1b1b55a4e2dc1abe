/**
 * Designs made of several rows: of numbers the weighted mean, of classes each column's from one of two rows, or the class
 * with most weight of more. What is good in one row and not in others cancels less than what is bad in
 * one and not in others, so children of good rows are often better than they ("genetic repair", H.-G. Beyer, Toward a
 * theory of evolution strategies: on the benefits of sex, 1995). No model is needed for it.
 */
import type { Key } from '../numeric/key.js';
import { portableLog } from '../numeric/portable.js';
import { Stream } from '../numeric/random.js';
import { rowOf } from '../numeric/rows.js';
import { fromScale, type Space, toScale } from '../space/space.js';
import { isAllClasses } from './encoding.js';

/** Rows that a design is made of, in turn; votes of many rows would all be the same. */
const PARENTS = { numbers: [4, 8, 32], classes: [2, 4, 8] };
/** Draws after which a design may be one that was made already. */
const TRIES = 20;

/** `count` x d, of the rows (M x d), with weights that are uniform on the simplex. */
export function recombine(space: Space, rows: Float64Array, count: number, key: Key): Float64Array {
  const { columns } = space;
  const d = columns.length;
  const M = rows.length / d;
  const counts = PARENTS[isAllClasses(space) ? 'classes' : 'numbers'];
  const stream = new Stream(key);
  const known = new Set(Array.from({ length: M }, (_, m) => rowOf(rows, d, m).join()));
  const designs = new Float64Array(count * d);
  for (let i = 0; i < count; i++) {
    const parents = Math.min(M, counts[i % counts.length]!);
    let design = child(columns, rows, parents, stream);
    for (let draw = 1; draw < TRIES && known.has(design.join()); draw++)
      design = child(columns, rows, parents, stream);
    known.add(design.join());
    designs.set(design, i * d);
  }
  return designs;
}

function child(columns: Space['columns'], rows: Float64Array, count: number, stream: Stream): Float64Array {
  const d = columns.length;
  const parents = Array.from(stream.choose(rows.length / d, count), (m) => rowOf(rows, d, m));
  const drawn = parents.map(() => -portableLog(1 - stream.uniform()));
  const total = drawn.reduce((sum, weight) => sum + weight, 0);
  const weights = drawn.map((weight) => weight / total);
  return Float64Array.from(columns, (column, j) => {
    if (column.kind === 'continuous')
      return fromScale(
        column,
        parents.reduce((sum, row, p) => sum + weights[p]! * toScale(column, row[j]!), 0),
      );
    if (count === 2) return parents[stream.boolean(weights[0]!) ? 0 : 1]![j]!;
    const votes = new Map<number, number>();
    parents.forEach((row, p) => {
      votes.set(row[j]!, (votes.get(row[j]!) ?? 0) + weights[p]!);
    });
    return [...votes].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
  });
}
