/**
 * Batches without duplicates where every column is categorical. Logits decode to the most likely sequence of classes.
 * When several designs decode to the same sequence, the first keeps it, and the others move to their most likely
 * sequence that is still free, by the lowest
 *   cost = sum over changed columns of (largest logit - logit of the new class).
 */

import { rowOf } from '../numeric/rows.js';
import { decode, type Encoding } from './encoding.js';

/** Cheapest changes of a single column that are also tried two at a time. */
const CHANGES = 64;

interface Change {
  readonly column: number;
  readonly to: number;
  readonly cost: number;
}

/**
 * Designs (M x d) of logits (M x P). Readings that change more than two columns are not looked for: where there are too few
 * others, twins remain.
 */
export function distinctDesigns(encoding: Encoding, logits: ArrayLike<number>): Float64Array {
  const designs = decode(encoding, logits);
  const d = encoding.space.columns.length;
  const taken = new Set<string>();
  const twins: number[] = [];
  for (let m = 0; m < designs.length / d; m++) {
    const name = rowOf(designs, d, m).join();
    if (taken.has(name)) twins.push(m);
    taken.add(name);
  }
  for (const m of twins) {
    const design = designs.slice(m * d, (m + 1) * d);
    for (const changes of nextReadings(encoding, logits, m * encoding.parameters, design)) {
      const reading = design.slice();
      for (const { column, to } of changes) reading[column] = to;
      const name = reading.join();
      if (taken.has(name)) continue;
      taken.add(name);
      designs.set(reading, m * d);
      break;
    }
  }
  return designs;
}

/** Of the design whose logits begin at `from`: the cheapest first, the first met among equals. */
function nextReadings(
  { space }: Encoding,
  logits: ArrayLike<number>,
  from: number,
  design: Float64Array,
): (readonly Change[])[] {
  const singles: Change[] = [];
  let at = from;
  space.columns.forEach((kind, column) => {
    const classes = kind.kind === 'categorical' ? kind.classes : 0;
    const top = logits[at + design[column]!]!;
    for (let to = 0; to < classes; to++) {
      if (to !== design[column]) singles.push({ column, to, cost: top - logits[at + to]! });
    }
    at += classes;
  });
  singles.sort((a, b) => a.cost - b.cost);
  const few = singles.slice(0, CHANGES);
  const pairs = few.flatMap((a, i) =>
    few
      .slice(i + 1)
      .flatMap((b) => (a.column === b.column ? [] : [{ cost: a.cost + b.cost, changes: [a, b] }])),
  );
  return [...singles.map((a) => ({ cost: a.cost, changes: [a] })), ...pairs]
    .sort((a, b) => a.cost - b.cost)
    .map(({ changes }) => changes);
}
