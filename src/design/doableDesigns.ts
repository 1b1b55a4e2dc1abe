/**
 * Designs that somebody can make: on the steps of the table, with all constraints, none of them a past row. The search
 * knows no steps, so that it can climb; its designs are moved to them before they are judged.
 */

import { chosenPlaces } from '../judging/apart.js';
import { foldKey, rootKey } from '../numeric/key.js';
import { powerOfTen } from '../numeric/portable.js';
import { Stream } from '../numeric/random.js';
import { rowOf } from '../numeric/rows.js';
import { extent } from '../numeric/stats.js';
import { type Cell, followingValue, type Problem, type Resolution, roundedTo } from '../problem/index.js';
import {
  exactZeros,
  InfeasibleError,
  type Projector,
  projector,
  sample,
  violations,
} from '../space/index.js';
import type { SpaceColumn } from '../space/space.js';
import { pastDesigns } from './pastDesigns.js';

/** Fewer doable designs than this many times the batch: others are looked for around them. */
const PLENTY = 4;
/** Designs that are tried then, at least: steps away from those of the pool, and anywhere. */
const TRIED = 1500;
const ANYWHERE = 256;

/**
 * Different designs of the pool, d numbers each, that are doable. Where steps and past rows leave few of them, their
 * neighbours on the grid, and others from all over the space. `isElsewhere`: the pool was not made for this space, and is
 * moved into it.
 */
export async function doableDesigns(
  problem: Problem,
  pool: readonly Float64Array[],
  batch = 0,
  isElsewhere = false,
): Promise<Float64Array[]> {
  const { space, spec } = problem;
  const d = space.columns.length;
  const rung = await finestGrid(problem, isElsewhere);
  const isRepeat = spec.allowRepeats ? () => false : repeatsOf(problem);
  const rows = new Map<string, Float64Array>();
  const met = new Set<string>();
  const starts: Float64Array[] = [];
  const take = (row: Float64Array) => {
    const moved = exactZeros(space, rung ? onGrid(rung, row) : row.slice());
    const key = moved.join();
    if (met.has(key)) return;
    met.add(key);
    // checked by code that shares nothing with the search
    if (violations(space, moved).length > 0) return;
    if (starts.length < TRIED) starts.push(moved);
    if (!isRepeat(moved)) rows.set(key, moved);
  };
  const takeAll = (designs: Float64Array) => {
    for (let at = 0; at < designs.length; at += d) take(designs.slice(at, at + d));
  };
  for (const designs of pool) takeAll(designs);
  if (space.choices || rows.size >= PLENTY * batch) return [...rows.values()];
  const most = Math.max(TRIED, 2 * batch);
  let tried = 0;
  for (const start of starts.slice()) {
    if (tried >= most) break;
    for (const near of neighboursOf(problem, start)) if (tried++ < most) take(near);
  }
  if (rows.size < PLENTY * batch)
    takeAll(await sample(space, new Stream(foldKey(rootKey(0), 'doable')), Math.max(ANYWHERE, batch)));
  return [...rows.values()];
}

/** A step along each number, and every other class. */
function neighboursOf({ space, resolution }: Problem, start: Float64Array): Float64Array[] {
  const fixed = new Set((space.fixed ?? []).map(({ column }) => column));
  const listed = new Set((space.listed ?? []).flatMap(({ columns }) => columns));
  return space.columns.flatMap((column, j) => {
    if (fixed.has(j) || listed.has(j)) return [];
    const values =
      column.kind === 'categorical'
        ? Array.from({ length: Math.min(column.classes, 10) }, (_, c) => c).filter((c) => c !== start[j])
        : [-1, 1].map(
            (sign) =>
              start[j]! + sign * Math.max(resolution[j]?.step ?? column.step ?? 0, widthOf(column) / 20),
          );
    return values.map((value) => start.with(j, value));
  });
}

function widthOf({ lower, upper }: Extract<SpaceColumn, { kind: 'continuous' }>): number {
  return Number.isFinite(upper - lower) ? upper - lower : 1;
}

interface Grid {
  readonly projector: Projector;
  readonly decimals: readonly (number | null)[];
}

function onGrid({ projector: { project }, decimals }: Grid, row: Float64Array): Float64Array {
  return project(row).map((value, j) => (decimals[j] === null ? value : roundedTo(value, decimals[j]!)));
}

/**
 * The steps of the data; where constraints leave no design on them, steps of the last digit; then none for the columns
 * that sums tie together. Null where nothing has a step.
 */
async function finestGrid({ space, resolution }: Problem, isNeeded: boolean): Promise<Grid | null> {
  if (space.choices || (!isNeeded && resolution.every((one) => one === null))) return null;
  const tied = new Set((space.linear ?? []).flatMap(({ terms }) => terms.map(({ column }) => column)));
  const lastDigit = resolution.map((one) => one && { ...one, step: powerOfTen(-one.decimals), origin: 0 });
  const rungs = [
    resolution,
    resolution.map((one, j) => (tied.has(j) ? lastDigit[j]! : one)),
    lastDigit,
    resolution.map((one, j) => (tied.has(j) ? null : one)),
  ];
  for (const rung of rungs) {
    const columns = space.columns.map((column, j) => stepped(column, rung[j] ?? null));
    const decimals = columns.map((column, j) => (column === space.columns[j] ? null : rung[j]!.decimals));
    try {
      return { projector: await projector({ ...space, columns }), decimals };
    } catch (error) {
      if (!(error instanceof InfeasibleError)) throw error;
    }
  }
  return null;
}

/** The column with the grid's points inside its bounds; the column itself where there are none. */
function stepped(column: SpaceColumn, resolution: Resolution | null): SpaceColumn {
  if (!resolution || column.kind !== 'continuous') return column;
  const { step, origin, decimals } = resolution;
  const at = (value: number, to: (steps: number) => number) =>
    roundedTo(origin + step * to((value - origin) / step), decimals);
  const lower = at(column.lower, (steps) => Math.ceil(steps - 1e-9));
  const upper = at(column.upper, (steps) => Math.floor(steps + 1e-9));
  const isOpen = !Number.isFinite(column.lower) || !Number.isFinite(column.upper);
  if (isOpen || lower > upper || (column.scale === 'log' && lower <= 0)) return column;
  return { ...column, lower, upper, step };
}

/** Part of a column's range within which numbers without a resolution are the same. */
const SAME = 1e-6;

/** Whether a design equals a past row in everything that is chosen, up to half a step. */
export function repeatsOf(problem: Problem): (design: ArrayLike<number>) => boolean {
  const { space, resolution } = problem;
  const d = space.columns.length;
  const chosen = chosenPlaces(problem);
  const past = pastDesigns(problem);
  const flags = space.columns.flatMap(({ name }, j) => (isFlagName(name) ? [j] : []));
  // what a row had in an empty cell is not known, so nothing repeats it
  const rows = Array.from({ length: past.length / d }, (_, i) => rowOf(past, d, i)).filter((row) =>
    flags.every((j) => row[j] === 0),
  );
  const allowed = chosen.map((j) => {
    const column = space.columns[j]!;
    if (column.kind === 'categorical') return 0.5;
    const fine = resolution[j];
    if (fine) return 0.5 * powerOfTen(-fine.decimals) * (1 - 1e-6);
    const seen = rows.length === 0 ? { min: 0, max: 0 } : extent(rows.map((row) => row[j]!));
    return SAME * (seen.max - seen.min || 1);
  });
  return (design) =>
    rows.some((row) => chosen.every((j, k) => Math.abs(row[j]! - design[j]!) <= allowed[k]!));
}

function isFlagName(name = ''): boolean {
  return name.endsWith(' (missing)');
}

/** A design's cells with those of the columns that follow from them. */
export function followingCells(
  { relations }: Pick<Problem, 'relations'>,
  cells: Readonly<Record<string, Cell>>,
): Record<string, Cell> {
  const all: Record<string, Cell> = { ...cells };
  for (const relation of relations) {
    const value = followingValue(relation, (name) => Number(all[name]));
    if (Number.isFinite(value)) all[relation.column] = value;
  }
  return all;
}
