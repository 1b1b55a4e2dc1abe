/**
 * Columns of numbers that are copies of others but for unit and offset: correlation 1 or -1. As points on the unit sphere
 * (centred, of length 1) copies coincide, so that their projections on any direction do. Columns are sorted by one
 * projection and only neighbours are compared: pairs of thousands of columns are too many.
 */
import { foldKey, rootKey } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import { dot } from '../numeric/rows.js';
import { mean, pearson } from '../numeric/stats.js';
import type { NumberColumn } from '../table/table.js';

export interface CopiedColumn {
  readonly first: NumberColumn;
  /** Follows from `first`. */
  readonly second: NumberColumn;
  readonly correlation: number;
}

/** Rows at which columns are looked at first. */
const SOME_ROWS = 400;
/** In them, copies correlate at least so. */
const GLANCE = 0.9999;
/** Two points whose scalar product is GLANCE are this far apart, and so are their projections at most. */
const NEAR = Math.sqrt(2 - 2 * GLANCE);
/** Cells that are looked at for columns with empty cells: each pair of them has rows of its own. */
const MOST_CELLS = 1e8;
const LEAST_ROWS = 5;

/** Pairs of columns that are looked at closely. Many columns that nearly follow one trend make more than that. */
const MOST_PAIRS = 300_000;
/** Numbers that are multiplied to find them. */
const MOST_PRODUCTS = 1e9;

/**
 * For each column that copies an earlier one, the earliest such; `columns` vary in `rows`. `left` counts columns that
 * were not compared with all others: too many are nearly alike, or have empty cells.
 */
export function copiesAmong(
  columns: readonly NumberColumn[],
  rows: readonly number[],
  threshold: number,
): { readonly copies: CopiedColumn[]; readonly left: number } {
  const step = Math.ceil(rows.length / SOME_ROWS);
  const some = rows.filter((_, i) => i % step === 0);
  if (some.length < LEAST_ROWS) return { copies: [], left: 0 };
  const points = columns.map((column) => pointOf(column, some));
  const firsts = firstsAmong(points);
  const pairs = new Map<number, number[]>();
  const suspect = (a: number, b: number) => {
    const [early, late] = a < b ? [a, b] : [b, a];
    const before = pairs.get(late);
    if (before) before.push(early);
    else pairs.set(late, [early]);
  };
  const near = nearPairs(points.map((point, j) => (firsts[j] === j ? point : undefined)));
  for (const [a, b] of near.pairs) suspect(a, b);
  for (const [j, first] of firsts.entries())
    if (first !== j) pairs.set(j, [...(pairs.get(first) ?? []), first]);
  const incomplete = incompleteAmong(points);
  const isMuch = incomplete.length * columns.length * some.length > MOST_CELLS;
  if (!isMuch)
    for (const [i, a] of incomplete.entries())
      for (let b = 0; b < columns.length; b++) {
        const isBoth = !points[b];
        if (b !== a && !(isBoth && incomplete.indexOf(b) < i)) suspect(a, b);
      }
  const copies: CopiedColumn[] = [];
  for (const late of [...pairs.keys()].sort((a, b) => a - b)) {
    const second = columns[late]!;
    for (const early of pairs.get(late)!.sort((a, b) => a - b)) {
      const first = columns[early]!;
      const isComplete = points[early] && points[late];
      const glance = isComplete ? 1 : correlationIn(first, second, some);
      if (glance !== null && Math.abs(glance) < 0.99) continue;
      const correlation = correlationIn(first, second, rows);
      if (correlation === null || !(Math.abs(correlation) >= threshold)) continue;
      copies.push({ first, second, correlation });
      break;
    }
  }
  return { copies, left: near.left + (isMuch ? incomplete.length : 0) };
}

/** Of each point the first that is the same, or lies opposite, up to rounding; itself where there is none. */
function firstsAmong(points: readonly (Float64Array | undefined)[]): number[] {
  const known = new Map<string, number>();
  return points.map((point, j) => {
    if (!point) return j;
    const sign = Math.sign(point.find((value) => Math.abs(value) > 1e-9) ?? 1);
    const key = Array.from(point, (value) => Math.round(1e9 * sign * value)).join();
    const first = known.get(key);
    if (first === undefined) known.set(key, j);
    return first ?? j;
  });
}

function incompleteAmong(points: readonly (Float64Array | undefined)[]): number[] {
  return points.flatMap((point, j) => (point ? [] : [j]));
}

/** The column in some rows, centred and of length 1; undefined where cells are empty, or nothing varies. */
function pointOf({ values }: NumberColumn, rows: readonly number[]): Float64Array | undefined {
  const point = Float64Array.from(rows, (row) => values[row]!);
  if (point.some(Number.isNaN)) return undefined;
  const centre = mean(point);
  for (let i = 0; i < point.length; i++) point[i]! -= centre;
  const largest = point.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return undefined;
  for (let i = 0; i < point.length; i++) point[i]! /= largest;
  const length = Math.sqrt(dot(point, point));
  for (let i = 0; i < point.length; i++) point[i]! /= length;
  return point;
}

/** Pairs of points that coincide, or lie opposite, up to GLANCE; `left` points are not compared with all others. */
function nearPairs(points: readonly (Float64Array | undefined)[]): {
  readonly pairs: (readonly [number, number])[];
  readonly left: number;
} {
  const known = points.flatMap((point, j) => (point ? [{ point, j }] : []));
  const n = known[0]?.point.length ?? 0;
  const stream = new Stream(foldKey(rootKey(0), 'copies'));
  const directions = [0, 1].map(() => {
    const direction = Float64Array.from({ length: n }, () => stream.normal());
    const length = Math.sqrt(dot(direction, direction));
    return direction.map((value) => value / length);
  });
  // of points that lie opposite each other, sizes of projections agree
  const placed = known
    .map(({ point, j }) => ({ point, j, along: Math.abs(dot(point, directions[0]!)) }))
    .sort((a, b) => a.along - b.along);
  // the loop below sees a hundred million pairs of twenty thousand columns: numbers side by side are quick to look at
  const along = Float64Array.from(placed, (one) => one.along);
  const across = Float64Array.from(placed, ({ point }) => Math.abs(dot(point, directions[1]!)));
  const pairs: (readonly [number, number])[] = [];
  let products = 0;
  for (let i = 0; i < placed.length; i++) {
    if (pairs.length > MOST_PAIRS || products > MOST_PRODUCTS) return { pairs, left: placed.length - i };
    for (let k = i + 1; k < placed.length && along[k]! - along[i]! <= NEAR; k++) {
      if (Math.abs(across[i]! - across[k]!) > NEAR) continue;
      products += n;
      const [a, b] = [placed[i]!, placed[k]!];
      if (Math.abs(dot(a.point, b.point)) >= GLANCE) pairs.push([a.j, b.j]);
    }
  }
  return { pairs, left: 0 };
}

/** Over the rows in which both have a number; null where these are few, or one of the columns does not vary. */
function correlationIn(first: NumberColumn, second: NumberColumn, rows: readonly number[]): number | null {
  const both = rows.filter((row) => !Number.isNaN(first.values[row]!) && !Number.isNaN(second.values[row]!));
  const varies = ({ values }: NumberColumn) => both.some((row) => values[row] !== values[both[0]!]);
  if (both.length < LEAST_ROWS || !varies(first) || !varies(second)) return null;
  return pearson(
    both.map((row) => first.values[row]!),
    both.map((row) => second.values[row]!),
  );
}
