/**
 * The nearest point where formulas are neither sums nor ratios of sums: formulas are replaced by their tangents, the
 * nearest point of box, rows and tangents is found exactly, and so on from there (sequential linearisation; near a
 * solution the error of the formulas is squared in each round, as in Newton's method).
 */
import { columnsOf, differentiate, formulaHolds } from './formulas.js';
import { nearestPoint } from './nearestPoint.js';
import type { FormulaConstraint } from './space.js';
import { type LinearRow, SLACK, type StandardForm } from './standardForm.js';

/** Rounds at most; from `SETTLED` on only feasibility is looked for, no longer nearness. */
const ROUNDS = 40;
const SETTLED = 15;

/** Rounds after a point was found, towards a nearer one. */
const POLISHED = 4;

/** What a formula may be off by, in units of max(1, |bound|). */
const HELD = 4e-12;

/** Shares of a violation that tangents are asked to remove, where they cannot remove all of it. */
const SHARES = [1, 0.5, 0.1] as const;

/** What a column is moved by where a formula is flat or has no value, in units of distance. */
const NUDGE = 0.05;

/** Null where nothing was found; that proves nothing. Grids and groups are the caller's. */
export function nearestCurved(
  form: StandardForm,
  target: ArrayLike<number>,
  lower: Float64Array,
  upper: Float64Array,
): Float64Array | null {
  const { rows, scale, curved } = form;
  let x = nearestPoint(target, lower, upper, rows, scale);
  if (!x || curved.length === 0) return x;
  // tighter than what a design may be off by and still be left unmoved (project.ts)
  const isHeld = (at: Float64Array) => curved.every((one) => formulaHolds(one, at, HELD));
  let held: Float64Array | null = null;
  let polished = 0;
  for (let round = 0; round < ROUNDS; round++) {
    if (isHeld(x)) {
      // tangents at the edge of a set that bulges inwards lead further along the edge
      if (held && !isNearer(x, held, target, scale)) return held;
      held = x;
      if (polished++ === POLISHED) return held;
    }
    const aim: ArrayLike<number> = round < SETTLED ? target : x;
    let next: Float64Array | null = null;
    for (const share of SHARES) {
      const tangents = tangentsAt(curved, x, share);
      next = tangents && nearestPoint(aim, lower, upper, [...rows, ...tangents], scale);
      if (next) break;
    }
    if (held && !next) return held;
    x = next ?? nearestPoint(nudged(form, x, lower, upper), lower, upper, rows, scale);
    if (!x) return null;
  }
  return held ?? (curved.every((one) => formulaHolds(one, x!, SLACK / 2)) ? x : null);
}

/** Nearer to the target by a hundredth of a percent at least. */
function isNearer(a: Float64Array, b: Float64Array, target: ArrayLike<number>, scale: Float64Array): boolean {
  const distance = (x: Float64Array) => x.reduce((sum, v, j) => sum + ((v - target[j]!) / scale[j]!) ** 2, 0);
  return distance(a) < 0.9999 * distance(b);
}

/** value + slopes . (x - at) inside the bounds. Null where a formula that is outside them is flat or has no value. */
function tangentsAt(
  curved: readonly FormulaConstraint[],
  at: Float64Array,
  share: number,
): LinearRow[] | null {
  const tangents: LinearRow[] = [];
  for (const { formula, lower, upper } of curved) {
    const all = columnsOf(formula);
    const { value, slopes } = differentiate(formula, at, all);
    if (!Number.isFinite(value) || !slopes.every(Number.isFinite)) return null;
    const used = all.map((_, i) => i).filter((i) => slopes[i] !== 0);
    if (used.length === 0) {
      if (value < lower || value > upper) return null;
      continue;
    }
    const columns = used.map((i) => all[i]!);
    const weights = used.map((i) => slopes[i]!);
    const start = columns.reduce((sum, j, i) => sum + weights[i]! * at[j]!, 0);
    const add = (relation: LinearRow['relation'], bound: number, isOutside: boolean) => {
      const wanted = isOutside ? value + share * (bound - value) : bound;
      tangents.push({ columns, weights, relation, bound: wanted - value + start });
    };
    if (lower === upper) add('=', upper, true);
    else {
      if (upper < Number.POSITIVE_INFINITY) add('<=', upper, value > upper);
      if (lower > Number.NEGATIVE_INFINITY) add('>=', lower, value < lower);
    }
  }
  return tangents;
}

/** Columns of the formulas a little towards the bound that is further away. */
function nudged(
  { curved, scale }: StandardForm,
  x: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
): Float64Array {
  const moved = x.slice();
  for (const j of new Set(curved.flatMap(({ formula }) => columnsOf(formula)))) {
    const isUp = upper[j]! - x[j]! >= x[j]! - lower[j]!;
    moved[j]! += (isUp ? NUDGE : -NUDGE) * scale[j]!;
  }
  return moved;
}
