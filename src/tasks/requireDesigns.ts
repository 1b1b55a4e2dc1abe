import { ArgumentError, NotFiniteError, ShapeError } from '../numeric/errors.js';
import type { Space } from '../space/space.js';
import { violations } from '../space/verify.js';

/** Throws a typed error at the first of the designs `x` (n x d) that a scorer has no answer for; returns n. */
export function requireDesigns(space: Space, x: ArrayLike<number>): number {
  const d = space.columns.length;
  if (x.length % d !== 0) {
    throw new ShapeError('x', `x has ${x.length} numbers, not a multiple of the ${d} columns of a design`);
  }
  const row = new Float64Array(d);
  for (let start = 0; start < x.length; start += d) {
    const design = `design ${start / d} (counted from 0)`;
    for (let j = 0; j < d; j++) {
      row[j] = x[start + j]!;
      if (Number.isFinite(row[j])) continue;
      const name = space.columns[j]!.name ?? `column ${j}`;
      throw new NotFiniteError('x', `${design}: ${name} is ${row[j]}; every value must be finite`);
    }
    const broken = violations(space, row);
    if (broken.length > 0) throw new ArgumentError('x', `${design}: ${broken[0]}`);
  }
  return x.length / d;
}
