/**
 * Recipes: groups of columns with a constant sum. Those whose members lie side by side are found by running sums,
 * scattered ones by regression: in a group each column is the constant minus the others, so its coefficients on them
 * are -1.
 */

import { powerOfTen } from '../numeric/portable.js';
import { dot } from '../numeric/rows.js';
import { extent, mean, median, standardDeviation } from '../numeric/stats.js';
import type { NumberColumn, Table } from '../table/table.js';
import { decimalsOf } from './resolution.js';

export interface Mixture {
  readonly columns: readonly string[];
  readonly sum: number;
  /** Largest distance of a row's sum from `sum`, rows of `off` aside. */
  readonly deviation: number;
  /** Rows in which every member has a value. */
  readonly rows: number;
  /** Rows, counted from 0, whose sum is further off than rounding explains; absent if there is none. */
  readonly off?: readonly number[];
}

/** A sum is constant if no row is further than this from it, relative. */
const allowed = 0.005;
/** Share of the rows that may be further off, and rows from which that is believed. */
const oddShare = 0.1;
const leastRounded = 8;
/** A member of a rounded recipe varies by this many times what the sums vary by. */
const needed = 1.5;
/** A member has to vary by more than this many times what the sum varies by, or it is there by chance. */
const contrast = 4;
const leastRows = 6;
/** Numbers are looked at in this many rows while groups are sought; every row is asked before one is believed. */
const mostRows = 2_000;

interface Group {
  readonly members: readonly number[];
  readonly sum: number;
  readonly deviation: number;
  /** Standard deviation of the sums, relative to `sum`. */
  readonly spread: number;
  readonly rows: number;
  readonly off: readonly number[];
}

/** Runs of columns and cells that are looked at, and groups of a constant sum from which none means anything. */
const MOST_RUNS = 20_000;
const MOST_CELLS = 2e7;
export const MOST_GROUPS = 1_000;

/** Disjoint groups among the named columns, in the table's order. Columns of text and of negative numbers are in none. */
export function findMixtures(table: Table, candidates: readonly string[]): Mixture[] {
  return searchMixtures(table, candidates) ?? [];
}

/**
 * Null where constant sums are everywhere: small numbers that repeat in few rows add up to a constant in any number of
 * ways, and no one of them is a recipe.
 */
export function searchMixtures(table: Table, candidates: readonly string[]): Mixture[] | null {
  const wanted = new Set(candidates);
  const columns = table.columns.filter(
    (column): column is NumberColumn =>
      column.kind === 'number' && wanted.has(column.name) && canTakePart(column),
  );
  if (columns.length < 2) return [];
  const rounding = columns.map(roundingOf);
  const groups = new Map<string, Group>();
  let [runs, cells] = [0, 0];
  const mostCells = Math.max(MOST_CELLS, 20 * columns.length * table.rows);
  for (const members of neighbours(columns, rounding)) {
    cells += members.length * table.rows;
    if (++runs > MOST_RUNS || cells > mostCells || groups.size > MOST_GROUPS) return null;
    const group = examineGroup(columns, members, rounding);
    if (group) groups.set(members.join(','), group);
  }
  for (const members of scattered(columns)) {
    const key = members.join(',');
    const group = groups.has(key) ? undefined : examineGroup(columns, members, rounding);
    if (group) groups.set(key, group);
  }
  return choose([...groups.values()]).map(({ members, sum, deviation, rows, off }) => ({
    columns: members.map((j) => columns[j]!.name),
    sum,
    deviation,
    rows,
    ...(off.length > 0 && { off }),
  }));
}

/** How far the rows' sums of some columns are from `sum`, at most. Columns that are no numbers count as 0. */
export function deviationFrom(
  sum: number,
  table: Table,
  columns: readonly string[],
): { readonly deviation: number; readonly rows: number } {
  const members = table.columns.filter(
    (column): column is NumberColumn => column.kind === 'number' && columns.includes(column.name),
  );
  let deviation = 0;
  let rows = 0;
  for (let row = 0; row < table.rows; row++) {
    const total = members.reduce((partial, { values }) => partial + values[row]!, 0);
    if (Number.isNaN(total)) continue;
    rows++;
    deviation = Math.max(deviation, Math.abs(total - sum));
  }
  return { deviation, rows };
}

function canTakePart({ values, censored }: NumberColumn): boolean {
  if (censored) return false;
  let known = 0;
  let first = Number.NaN;
  let varies = false;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (value < 0) return false;
    if (known === 0) first = value;
    if (value !== first) varies = true;
    known++;
  }
  return varies && known >= leastRows && known >= 0.8 * values.length;
}

/** Above so many columns, recipes are sought among runs of at most `LONGEST_RUN` neighbours and nowhere else. */
export const MANY_COLUMNS = 400;
export const LONGEST_RUN = 60;

/** Runs of columns whose sum is constant in the first rows that are complete. */
function* neighbours(columns: readonly NumberColumn[], rounding: readonly number[]): Generator<number[]> {
  const rows = completeRows(columns, 40);
  const longest = columns.length > MANY_COLUMNS ? LONGEST_RUN : columns.length;
  const sorted = new Float64Array(Math.min(10, rows.length));
  const middle = sorted.length >> 1;
  for (let first = 0; first < columns.length - 1; first++) {
    const sums = new Float64Array(rows.length);
    let rounded = 0;
    for (let last = first; last < Math.min(columns.length, first + longest); last++) {
      const { values } = columns[last]!;
      for (const [i, row] of rows.entries()) sums[i]! += Number.isNaN(values[row]!) ? 0 : values[row]!;
      rounded += rounding[last]!;
      if (last === first || rows.length === 0) continue;
      // ten rows settle nearly every run of columns: six of them lie near the two in the middle
      sorted.set(sums.subarray(0, sorted.length));
      sorted.sort();
      const nearly = 2 * (2.5 * allowed * sorted[middle]! + rounded);
      if (sorted.length === 10 && !isCrowded(sorted, nearly)) continue;
      const isConstant = (some: Float64Array, share: number) => {
        const centre = median(some);
        const near = 2.5 * allowed * centre + rounded;
        return some.filter((sum) => Math.abs(sum - centre) > near).length <= share * some.length;
      };
      if (isConstant(sums.subarray(0, 10), 0.4) && isConstant(sums, 0.15))
        yield Array.from({ length: last - first + 1 }, (_, k) => first + k);
    }
  }
}

/** Whether some six of ten sorted numbers lie within `width`. */
function isCrowded(sorted: Float64Array, width: number): boolean {
  for (let i = 0; i + 5 < sorted.length; i++) if (sorted[i + 5]! - sorted[i]! <= width) return true;
  return false;
}

/** Rows in which all columns have a value, at most `most`, spread over the table; any rows where there are too few. */
function completeRows(columns: readonly NumberColumn[], most: number): number[] {
  const { length } = columns[0]!.values;
  const all = Array.from({ length }, (_, row) => row);
  const complete = all.filter((row) => columns.every(({ values }) => !Number.isNaN(values[row]!)));
  const from = complete.length >= leastRows ? complete : all;
  const step = Math.max(1, from.length / most);
  return Array.from({ length: Math.min(most, from.length) }, (_, i) => from[Math.floor(i * step)]!);
}

/**
 * Regression of each column on all others at once: with P the inverse of the covariance matrix, the coefficient of
 * column k for column j is -P_jk / P_jj. A little is added to the diagonal, because a constant sum makes the
 * covariance singular: that is what is looked for.
 */
function scattered(columns: readonly NumberColumn[]): number[][] {
  const d = columns.length;
  if (d > MANY_COLUMNS) return [];
  const rows = completeRows(columns, mostRows);
  const centred = columns.map(({ values }) => {
    const known = rows.map((row) => values[row]!);
    const centre = mean(known.filter((value) => !Number.isNaN(value)));
    return Float64Array.from(known, (value) => (Number.isNaN(value) ? 0 : value - centre));
  });
  const scale = centred.map((values) => Math.sqrt(dot(values, values) / rows.length));
  if (scale.some((s) => !(s > 0 && Number.isFinite(s)))) return [];
  // Correlations, so that units do not matter to the inversion.
  const correlation = Array.from({ length: d }, (_, j) =>
    Float64Array.from({ length: d }, (_, k) =>
      j === k ? 1 + 1e-6 : dot(centred[j]!, centred[k]!) / rows.length / (scale[j]! * scale[k]!),
    ),
  );
  const precision = invert(correlation);
  if (!precision) return [];
  return columns.map((_, j) =>
    columns.flatMap((_, k) => {
      const coefficient = ((precision[j]![k]! / precision[j]![j]!) * scale[j]!) / scale[k]!;
      return k === j || Math.abs(coefficient - 1) < 0.2 ? [k] : [];
    }),
  );
}

/** Gauss and Jordan with pivots from the diagonal; null if the matrix is not positive definite. */
function invert(matrix: readonly Float64Array[]): Float64Array[] | null {
  const d = matrix.length;
  const a = matrix.map((row) => Float64Array.from(row));
  for (let p = 0; p < d; p++) {
    const pivot = a[p]![p]!;
    if (!(pivot > 1e-12)) return null;
    a[p]![p] = 1;
    for (let k = 0; k < d; k++) a[p]![k]! /= pivot;
    for (let j = 0; j < d; j++) {
      if (j === p) continue;
      const factor = a[j]![p]!;
      if (factor === 0) continue;
      a[j]![p] = 0;
      for (let k = 0; k < d; k++) a[j]![k]! -= factor * a[p]![k]!;
    }
  }
  return a;
}

function examineGroup(
  columns: readonly NumberColumn[],
  members: readonly number[],
  roundings: readonly number[],
): Group | undefined {
  if (members.length < 2) return undefined;
  const parts = members.map((j) => columns[j]!.values);
  const sums: number[] = [];
  const at: number[] = [];
  for (let row = 0; row < parts[0]!.length; row++) {
    const sum = parts.reduce((total, values) => total + values[row]!, 0);
    if (Number.isNaN(sum)) continue;
    sums.push(sum);
    at.push(row);
  }
  if (sums.length < leastRows) return undefined;
  const centre = median(sums);
  const { min, max } = extent(sums);
  if (!(centre > 0)) return undefined;
  const rounded = roundedGroup(
    columns,
    members,
    sums,
    at,
    members.reduce((total, j) => total + roundings[j]!, 0),
  );
  if (rounded) return rounded;
  if (max - centre > allowed * centre || centre - min > allowed * centre) return undefined;
  const wobble = max - min;
  const isByChance = parts.some((values) => {
    const { min: low, max: high } = extent(values.filter((value) => !Number.isNaN(value)));
    return high - low <= contrast * wobble;
  });
  if (isByChance) return undefined;
  const sum = simplest(centre, Math.max(max - centre, centre - min, 1e-9 * centre));
  const deviation = Math.max(max - sum, sum - min);
  return { members, sum, deviation, spread: standardDeviation(sums) / centre, rows: sums.length, off: [] };
}

/** Half of the last digit; 0 for computed numbers. */
function roundingOf(column: NumberColumn): number {
  const decimals = decimalsOf(column);
  return decimals === null ? 0 : 0.5 * powerOfTen(-decimals);
}

/** A group whose sums differ by no more than the rounding of its cells, a few rows aside. */
function roundedGroup(
  columns: readonly NumberColumn[],
  members: readonly number[],
  sums: readonly number[],
  rows: readonly number[],
  rounding: number,
): Group | undefined {
  if (rounding === 0 || sums.length < leastRounded) return undefined;
  const sum = simplest(median(sums), rounding);
  const tolerance = rounding * (1 + 1e-9) + 1e-9 * sum;
  const kept = sums.map((value) => Math.abs(value - sum) <= tolerance);
  const near = sums.filter((_, i) => kept[i]);
  if (!(sum > 0) || near.length < (1 - oddShare) * sums.length) return undefined;
  const spread = standardDeviation(near);
  const isByChance = members.some((j) => {
    const own = rows.flatMap((row, i) => (kept[i] ? [columns[j]!.values[row]!] : []));
    return standardDeviation(own) <= needed * spread;
  });
  if (isByChance) return undefined;
  const { min, max } = extent(near);
  return {
    members,
    sum,
    deviation: Math.max(max - sum, sum - min),
    spread: spread / sum,
    rows: sums.length,
    off: rows.filter((_, i) => !kept[i]),
  };
}

/** The number with the fewest digits within `tolerance`. */
function simplest(value: number, tolerance: number): number {
  for (let digits = 1; digits < 12; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.abs(rounded - value) <= tolerance) return rounded;
  }
  return value;
}

/**
 * Small groups first, because the union of two is constant as well; a larger one replaces a smaller one inside it only
 * where it fits far better, as it does when the smaller one lacks a trace ingredient.
 */
function choose(groups: readonly Group[]): Group[] {
  const isInside = (small: Group, large: Group) => small.members.every((j) => large.members.includes(j));
  const better = (large: Group, small: Group) => large.spread < 1e-12 || large.spread < small.spread / 3;
  const kept = groups.filter(
    (group) =>
      !groups.some(
        (other) =>
          other !== group &&
          ((other.members.length < group.members.length &&
            isInside(other, group) &&
            !(other.spread > 1e-12 && better(group, other))) ||
            (other.members.length > group.members.length &&
              isInside(group, other) &&
              group.spread > 1e-12 &&
              better(other, group))),
      ),
  );
  const chosen: Group[] = [];
  for (const group of kept.toSorted(
    (a, b) => a.members.length - b.members.length || a.spread - b.spread || a.members[0]! - b.members[0]!,
  ))
    if (!chosen.some(({ members }) => members.some((j) => group.members.includes(j)))) chosen.push(group);
  return chosen.sort((a, b) => a.members[0]! - b.members[0]!);
}
