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
/** More columns with empty cells than this are not compared: each pair of them has rows of its own. */
export const MOST_INCOMPLETE = 200;
const LEAST_ROWS = 5;

/** For each column that copies an earlier one, the earliest such; `columns` vary in `rows`. */
export function copiesAmong(
  columns: readonly NumberColumn[],
  rows: readonly number[],
  threshold: number,
): CopiedColumn[] {
  const step = Math.ceil(rows.length / SOME_ROWS);
  const some = rows.filter((_, i) => i % step === 0);
  if (some.length < LEAST_ROWS) return [];
  const points = columns.map((column) => pointOf(column, some));
  const pairs = new Map<number, number[]>();
  const suspect = (a: number, b: number) => {
    const [early, late] = a < b ? [a, b] : [b, a];
    const before = pairs.get(late);
    if (before) before.push(early);
    else pairs.set(late, [early]);
  };
  for (const [a, b] of nearPairs(points)) suspect(a, b);
  const incomplete = incompleteAmong(points);
  if (incomplete.length <= MOST_INCOMPLETE)
    for (const [i, a] of incomplete.entries())
      for (let b = 0; b < columns.length; b++) {
        const isBoth = !points[b];
        if (b !== a && !(isBoth && incomplete.indexOf(b) < i)) suspect(a, b);
      }
  const found: CopiedColumn[] = [];
  for (const late of [...pairs.keys()].sort((a, b) => a - b)) {
    const second = columns[late]!;
    for (const early of pairs.get(late)!.sort((a, b) => a - b)) {
      const first = columns[early]!;
      const isComplete = points[early] && points[late];
      const glance = isComplete ? 1 : correlationIn(first, second, some);
      if (glance !== null && Math.abs(glance) < 0.99) continue;
      const correlation = correlationIn(first, second, rows);
      if (correlation === null || !(Math.abs(correlation) >= threshold)) continue;
      found.push({ first, second, correlation });
      break;
    }
  }
  return found;
}

/** How many of the columns have empty cells in the rows that are looked at first. */
export function incompleteColumns(columns: readonly NumberColumn[], rows: readonly number[]): number {
  const step = Math.ceil(rows.length / SOME_ROWS);
  return columns.filter(({ values }) => rows.some((row, i) => i % step === 0 && Number.isNaN(values[row]!)))
    .length;
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

/** Pairs of points that coincide, or lie opposite, up to GLANCE. */
function nearPairs(points: readonly (Float64Array | undefined)[]): (readonly [number, number])[] {
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
  for (let i = 0; i < placed.length; i++) {
    for (let k = i + 1; k < placed.length && along[k]! - along[i]! <= NEAR; k++) {
      if (Math.abs(across[i]! - across[k]!) > NEAR) continue;
      const [a, b] = [placed[i]!, placed[k]!];
      if (Math.abs(dot(a.point, b.point)) >= GLANCE) pairs.push([a.j, b.j]);
    }
  }
  return pairs;
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
