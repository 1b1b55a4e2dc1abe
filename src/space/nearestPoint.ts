/**
 * The nearest point of a box cut by linear rows: minimise sum ((x - target) / scale)^2. Dual active-set method of
 * Goldfarb and Idnani (1983), which starts at the target and takes in one violated constraint after the other, so it
 * ends after finitely many steps and recognises an empty set. An active bound takes its column out of the equations,
 * which are then as many as there are active rows.
 */
import { dot } from '../numeric/rows.js';
import { excessOf, type LinearRow, rowHolds, SLACK } from './standardForm.js';

/** Normals nearer to dependence than this (length of what is left of a unit vector) count as dependent. */
const DEPENDENT = 1e-8;
/** A violation of a bound that rounding explains, where no direction is left to remove it; in units of distance. */
const ROUNDING = 1e-10;

/** In the unit of distance: rows have unit normals over the free columns, `at` is relative to the target. */
interface Problem {
  readonly normals: Float64Array[];
  readonly bounds: number[];
  /** Per row: what rounding does to its sum, and what it may be off by where nothing is left to move. */
  readonly roundings: number[];
  readonly slacks: number[];
  readonly relations: ('<=' | '>=' | '=')[];
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

interface ActiveRow {
  readonly row: number;
  /** Sign that makes the row read sign x normal . at >= sign x bound. */
  readonly sign: number;
  multiplier: number;
}

/** Side +1: at its lower bound, -1: at its upper bound, 0: free. */
interface ActiveSet {
  readonly rows: ActiveRow[];
  readonly side: Int8Array;
  readonly sideMultiplier: Float64Array;
}

/** Null if the set is empty. Columns whose bounds agree are fixed; `rows` may name them. */
export function nearestPoint(
  target: ArrayLike<number>,
  lower: Float64Array,
  upper: Float64Array,
  rows: readonly LinearRow[],
  scale: Float64Array,
): Float64Array | null {
  const x = Float64Array.from(target);
  const free: number[] = [];
  for (let j = 0; j < x.length; j++) {
    if (lower[j]! > upper[j]!) return null;
    if (lower[j] === upper[j]) x[j] = lower[j]!;
    else free.push(j);
  }
  const place = new Map(free.map((j, i) => [j, i]));
  const cut: LinearRow[] = [];
  const problem: Problem = {
    normals: [],
    bounds: [],
    roundings: [],
    slacks: [],
    relations: [],
    lower: Float64Array.from(free, (j) => (lower[j]! - x[j]!) / scale[j]!),
    upper: Float64Array.from(free, (j) => (upper[j]! - x[j]!) / scale[j]!),
  };
  for (const row of rows) {
    const normal = new Float64Array(free.length);
    let norm = 0;
    let rest = row.bound;
    row.columns.forEach((j, i) => {
      rest -= row.weights[i]! * x[j]!;
      const at = place.get(j);
      if (at !== undefined) normal[at] = row.weights[i]! * scale[j]!;
    });
    for (const v of normal) norm += v * v;
    norm = Math.sqrt(norm);
    if (norm === 0) {
      if (!rowHolds(row, x, SLACK)) return null;
      continue;
    }
    for (let i = 0; i < normal.length; i++) normal[i]! /= norm;
    problem.normals.push(normal);
    problem.bounds.push(rest / norm);
    const { unit, rounding } = excessOf(row, x);
    problem.roundings.push(rounding / norm);
    problem.slacks.push((0.5 * SLACK * unit + rounding) / norm);
    problem.relations.push(row.relation);
    cut.push(row);
  }
  const at = new Float64Array(free.length);
  const active = climb(problem, at);
  if (!active) return null;
  free.forEach((j, i) => {
    x[j]! += scale[j]! * at[i]!;
    if (active.side[i] === 1) x[j] = lower[j]!;
    if (active.side[i] === -1) x[j] = upper[j]!;
  });
  refine(x, free, problem, cut, active, scale);
  for (const j of free) x[j] = Math.max(lower[j]!, Math.min(upper[j]!, x[j]!));
  return rows.every((row) => rowHolds(row, x, SLACK)) ? x : null;
}

/** The dual method; moves `at` from the target to the nearest point. */
function climb(problem: Problem, at: Float64Array): ActiveSet | null {
  const { normals, slacks, lower, upper } = problem;
  const d = at.length;
  const active: ActiveSet = { rows: [], side: new Int8Array(d), sideMultiplier: new Float64Array(d) };
  /** Rows (then lower, then upper bounds) whose violation is rounding. */
  const accepted = new Set<number>();
  const normal = new Float64Array(d);
  for (let iteration = 0; iteration < 100 + 20 * (d + normals.length); iteration++) {
    const worst = mostViolated(problem, at, active, accepted);
    if (!worst) return active;
    const { index, sign } = worst;
    const m = normals.length;
    normal.fill(0);
    if (index < m) for (let i = 0; i < d; i++) normal[i] = sign * normals[index]![i]!;
    else normal[(index - m) % d] = sign;
    let multiplier = 0;
    for (;;) {
      const { z, r, length } = direction(problem, active, normal);
      const gap = worst.bound - dot(normal, at);
      const full = length > DEPENDENT ? gap / (length * length) : Number.POSITIVE_INFINITY;
      const drop = firstToDrop(problem, active, normal, r);
      const t = Math.min(full, drop.t);
      if (t === Number.POSITIVE_INFINITY) {
        const allowed = index < m ? slacks[index]! : ROUNDING * (1 + Math.abs(worst.bound));
        if (gap > allowed) return null;
        accepted.add(index);
        break;
      }
      if (full < Number.POSITIVE_INFINITY) for (let i = 0; i < d; i++) at[i]! += t * z[i]!;
      active.rows.forEach((row, k) => {
        row.multiplier -= t * r[k]!;
      });
      for (let i = 0; i < d; i++) {
        if (active.side[i] !== 0) active.sideMultiplier[i]! -= t * pull(problem, active, normal, r, i);
      }
      multiplier += t;
      if (t === full) {
        if (index < m) active.rows.push({ row: index, sign, multiplier });
        else {
          const i = (index - m) % d;
          active.side[i] = sign;
          active.sideMultiplier[i] = multiplier;
          at[i] = sign > 0 ? lower[i]! : upper[i]!;
        }
        break;
      }
      if (drop.row >= 0) active.rows.splice(drop.row, 1);
      else active.side[drop.column] = 0;
    }
  }
  return null;
}

function mostViolated(
  { normals, bounds, roundings, relations, lower, upper }: Problem,
  at: Float64Array,
  active: ActiveSet,
  accepted: ReadonlySet<number>,
): { index: number; sign: number; bound: number } | null {
  const d = at.length;
  const m = normals.length;
  let worst: { index: number; sign: number; bound: number } | null = null;
  let greatest = 0;
  const consider = (index: number, sign: number, bound: number, gap: number, rounding: number) => {
    if (gap <= 1e-13 + rounding || gap <= greatest || accepted.has(index)) return;
    worst = { index, sign, bound };
    greatest = gap;
  };
  for (let row = 0; row < m; row++) {
    if (active.rows.some((held) => held.row === row)) continue;
    const gap = bounds[row]! - dot(normals[row]!, at);
    const sign = relations[row] === '=' ? (gap > 0 ? 1 : -1) : relations[row] === '>=' ? 1 : -1;
    consider(row, sign, sign * bounds[row]!, sign * gap, roundings[row]!);
  }
  for (let i = 0; i < d; i++) {
    if (active.side[i] !== 0) continue;
    consider(m + i, 1, lower[i]!, lower[i]! - at[i]!, 1e-15 * Math.abs(lower[i]!));
    consider(m + d + i, -1, -upper[i]!, at[i]! - upper[i]!, 1e-15 * Math.abs(upper[i]!));
  }
  return worst;
}

/** z: the part of a normal that no active normal explains; r: multipliers of the active rows in the rest. */
function direction(
  { normals }: Problem,
  { rows, side }: ActiveSet,
  normal: Float64Array,
): { z: Float64Array; r: Float64Array; length: number } {
  const z = normal.slice();
  for (let i = 0; i < z.length; i++) if (side[i] !== 0) z[i] = 0;
  const held = rows.map(({ row, sign }) => {
    const free = normals[row]!.slice();
    for (let i = 0; i < free.length; i++) free[i] = side[i] === 0 ? sign * free[i]! : 0;
    return free;
  });
  const r = solveNormal(
    held,
    held.map((a) => dot(a, z)),
  );
  held.forEach((a, k) => {
    for (let i = 0; i < z.length; i++) z[i]! -= r[k]! * a[i]!;
  });
  return { z, r, length: Math.sqrt(dot(z, z)) };
}

/** Multiplier of an active bound in the explanation of a normal. */
function pull(
  { normals }: Problem,
  { rows, side }: ActiveSet,
  normal: Float64Array,
  r: Float64Array,
  i: number,
): number {
  let rest = normal[i]!;
  for (let k = 0; k < rows.length; k++) rest -= r[k]! * rows[k]!.sign * normals[rows[k]!.row]![i]!;
  return side[i]! * rest;
}

function firstToDrop(
  problem: Problem,
  active: ActiveSet,
  normal: Float64Array,
  r: Float64Array,
): { t: number; row: number; column: number } {
  const first = { t: Number.POSITIVE_INFINITY, row: -1, column: -1 };
  active.rows.forEach(({ row, multiplier }, k) => {
    // an equality stays, whatever the sign of its multiplier
    if (problem.relations[row] === '=' || r[k]! <= 1e-12) return;
    const t = Math.max(0, multiplier) / r[k]!;
    if (t < first.t) [first.t, first.row] = [t, k];
  });
  for (let i = 0; i < normal.length; i++) {
    if (active.side[i] === 0) continue;
    const share = pull(problem, active, normal, r, i);
    if (share <= 1e-12) continue;
    const t = Math.max(0, active.sideMultiplier[i]!) / share;
    if (t < first.t) [first.t, first.row, first.column] = [t, -1, i];
  }
  return first;
}

/** Removes what rounding left of the active rows, in user units, without moving columns at their bounds. */
function refine(
  x: Float64Array,
  free: readonly number[],
  { normals }: Problem,
  cut: readonly LinearRow[],
  { rows, side }: ActiveSet,
  scale: Float64Array,
): void {
  if (rows.length === 0) return;
  const held = rows.map(({ row }) => normals[row]!.map((v, i) => (side[i] === 0 ? v : 0)));
  for (let pass = 0; pass < 2; pass++) {
    const gaps = rows.map(({ row }) => {
      const { columns, weights, bound } = cut[row]!;
      let gap = bound;
      let norm = 0;
      columns.forEach((j, i) => {
        gap -= weights[i]! * x[j]!;
        norm += free.includes(j) ? (weights[i]! * scale[j]!) ** 2 : 0;
      });
      return gap / Math.sqrt(norm);
    });
    const r = solveNormal(held, gaps);
    held.forEach((a, k) => {
      free.forEach((j, i) => {
        x[j]! += scale[j]! * r[k]! * a[i]!;
      });
    });
  }
}

/** Solves (A A') r = b for the few rows of A by Gaussian elimination with pivots on the diagonal. */
function solveNormal(rows: readonly Float64Array[], b: readonly number[]): Float64Array {
  const n = rows.length;
  const g = rows.map((a, i) => Float64Array.from([...rows.map((c) => dot(a, c)), b[i]!]));
  const order = rows.map((_, i) => i);
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++)
      if (g[order[i]!]![order[i]!]! > g[order[pivot]!]![order[pivot]!]!) pivot = i;
    [order[k], order[pivot]] = [order[pivot]!, order[k]!];
    const p = order[k]!;
    if (!(g[p]![p]! > 1e-18)) continue;
    for (let i = k + 1; i < n; i++) {
      const q = order[i]!;
      const factor = g[q]![p]! / g[p]![p]!;
      for (let c = 0; c <= n; c++) g[q]![c]! -= factor * g[p]![c]!;
    }
  }
  const r = new Float64Array(n);
  for (let k = n - 1; k >= 0; k--) {
    const p = order[k]!;
    if (!(g[p]![p]! > 1e-18)) continue;
    let sum = g[p]![n]!;
    for (let i = k + 1; i < n; i++) sum -= g[p]![order[i]!]! * r[order[i]!]!;
    r[p] = sum / g[p]![p]!;
  }
  return r;
}
