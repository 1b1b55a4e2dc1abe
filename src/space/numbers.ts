/**
 * A near design for the numbers of a space. Convex parts exactly (nearestPoint.ts); groups by keeping their greatest
 * members; formulas by their tangents (curved.ts); grids by rounding, then by rounding one column after the other; what remains by integer programming.
 */
import { ArgumentError } from '../numeric/errors.js';
import { nearestCurved } from './curved.js';
import { solveNumbers } from './integerProgram.js';
import type { Solver } from './solver.js';
import { numbersHold, presenceOf, type StandardForm } from './standardForm.js';

/** Bounds within which the search is convex, grids aside. */
interface Leaf {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** Null if nothing was found. Entries of classes and lists come back as 0. */
export function projectNumbers(
  form: StandardForm,
  target: ArrayLike<number>,
  solver: Solver | null,
): Float64Array | null {
  if (form.isEmpty) return null;
  const relaxed = nearestCurved(form, target, form.lower, form.upper);
  if (relaxed) {
    const leaf = supportOf(form, relaxed, target);
    const x = leaf && round(form, target, leaf);
    if (x && numbersHold(form, x)) return x;
  }
  if (!solver) return null;
  try {
    const x = solveNumbers(form, target, solver);
    return x && numbersHold(form, x) ? x : null;
  } catch (error) {
    // undecided: the caller has a feasible design to fall back on
    if (error instanceof ArgumentError) return null;
    throw error;
  }
}

/**
 * Hard top-k: a group keeps its greatest members, in units of the columns. Among equals, mostly zeros, the target that
 * is less far outside its bounds comes first, then the greater.
 */
function supportOf(form: StandardForm, relaxed: Float64Array, target: ArrayLike<number>): Leaf | null {
  const { scale, groups } = form;
  const lower = form.lower.slice();
  const upper = form.upper.slice();
  const size = (j: number) => Math.abs(relaxed[j]!) / scale[j]!;
  const outside = (j: number) => Math.max(lower[j]! - target[j]!, target[j]! - upper[j]!, 0) / scale[j]!;
  for (const { columns, atLeast, atMost } of groups) {
    const isForced = (j: number) => lower[j]! > 0 || upper[j]! < 0;
    const isOut = (j: number) => lower[j] === 0 && upper[j] === 0;
    const order = columns
      .filter((j) => !isOut(j))
      .sort(
        (a, b) =>
          Number(isForced(b)) - Number(isForced(a)) ||
          size(b) - size(a) ||
          outside(a) - outside(b) ||
          Math.abs(target[b]!) / scale[b]! - Math.abs(target[a]!) / scale[a]! ||
          a - b,
      );
    if (order.length < atLeast) return null;
    for (const j of order.slice(atMost)) {
      if (isForced(j)) return null;
      lower[j] = upper[j] = 0;
    }
    for (const j of order.slice(0, atLeast)) {
      const least = presenceOf(form, j);
      const isBelow = upper[j]! < least || (lower[j]! <= -least && (relaxed[j] || target[j]!) < 0);
      if (isBelow) upper[j] = Math.min(upper[j]!, -least);
      else lower[j] = Math.max(lower[j]!, least);
      if (lower[j]! > upper[j]!) return null;
    }
  }
  return { lower, upper };
}

/** Grid columns to grid points, the others to the nearest point that is left to them. */
function round(form: StandardForm, target: ArrayLike<number>, leaf: Leaf): Float64Array | null {
  const { origin, step } = form;
  const lower = leaf.lower.slice();
  const upper = leaf.upper.slice();
  const grid: number[] = [];
  for (let j = 0; j < lower.length; j++) {
    if (step[j] === 0) continue;
    lower[j] = origin[j]! + step[j]! * Math.ceil((lower[j]! - origin[j]!) / step[j]! - 1e-9);
    upper[j] = origin[j]! + step[j]! * Math.floor((upper[j]! - origin[j]!) / step[j]! + 1e-9);
    if (lower[j]! < upper[j]!) grid.push(j);
    else if (lower[j]! > upper[j]!) return null;
  }
  const solve = (low: Float64Array, high: Float64Array) => nearestCurved(form, target, low, high);
  const relaxed = solve(lower, upper);
  if (!relaxed || grid.length === 0) return relaxed;
  const gridPoint = (j: number, v: number, to: (value: number) => number) => {
    const point = origin[j]! + step[j]! * to((v - origin[j]!) / step[j]!);
    return Math.max(lower[j]!, Math.min(upper[j]!, point));
  };
  const all = { lower: lower.slice(), upper: upper.slice() };
  for (const j of grid) all.lower[j] = all.upper[j] = gridPoint(j, relaxed[j]!, Math.round);
  const together = solve(all.lower, all.upper);
  if (together) return together;

  // one after the other, the nearest to its grid first; the other neighbour if nothing is left to the rest
  let tries = 20 + 4 * grid.length;
  const dive = (low: Float64Array, high: Float64Array, at: Float64Array): Float64Array | null => {
    let next = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const j of grid) {
      if (low[j] === high[j]) continue;
      const apart = Math.abs(at[j]! - gridPoint(j, at[j]!, Math.round)) / step[j]!;
      if (apart < least) [least, next] = [apart, j];
    }
    if (next < 0) return at;
    const first = gridPoint(next, at[next]!, Math.round);
    const second = first > at[next]! ? first - step[next]! : first + step[next]!;
    for (const value of [first, second]) {
      if (value < low[next]! - 0.5 * step[next]! || value > high[next]! + 0.5 * step[next]!) continue;
      if (--tries < 0) return null;
      const [l, h] = [low.slice(), high.slice()];
      l[next] = h[next] = gridPoint(next, value, Math.round);
      const solved = solve(l, h);
      const found = solved && dive(l, h, solved);
      if (found) return found;
    }
    return null;
  };
  return dive(lower, upper, relaxed);
}
