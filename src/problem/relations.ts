/**
 * Columns that follow from others: X2 = X3 + 2 X4, a copy, a multiple, a weighted sum, a product or a ratio, as far as
 * rounding of the cells lets one see it. Each column is regressed on those before it that follow from nothing; where
 * the residuals are rounding, terms are taken away one by one as long as they stay so, and weights are made simple.
 */
import { powerOfTen } from '../numeric/portable.js';
import { mean, median, smallest, standardDeviation } from '../numeric/stats.js';
import type { NumberColumn, Table } from '../table/table.js';
import { decimalsOf, roundedTo } from './resolution.js';
import { quoteName } from './tokens.js';

/** `column` = constant + sum of weight x column, or weight x a x b, or weight x a / b. */
export interface Relation {
  /** The column that follows from the others. */
  readonly column: string;
  readonly kind: 'sum' | 'product' | 'ratio';
  readonly terms: readonly { readonly column: string; readonly weight: number }[];
  readonly constant: number;
  /** Digits of the column. */
  readonly decimals: number;
  /** In words: "X2 = X3 + 2*X4". */
  readonly label: string;
  /** Rows that are complete, and those of them where it does not hold, counted from 0. */
  readonly rows: number;
  readonly off: readonly number[];
}

const LEAST_ROWS = 8;
/** Share of the rows in which a relation has to hold. */
const HOLDS = 0.95;
const MOST_COLUMNS = 6;
/** Wider tables are not searched. */
export const WIDEST = 60;
/** What is left over may be this share of what a column, or a term, varies by. */
const COARSE = 0.1;
const SEEN = 0.33;
/** Rows that are looked at while relations are sought. */
const SOME_ROWS = 400;
/** Residuals, in standard deviations of a column, from which it is no copy of another. */
const APART = 0.4;

interface Numbers {
  readonly name: string;
  readonly values: Float64Array;
  /** Half of the last digit. */
  readonly rounding: number;
  readonly decimals: number;
  readonly spread: number;
  readonly distinct: number;
}

/** `names`: columns that may follow from each other; `free`: those of them that may be the one that follows. */
export function findRelations(
  table: Table,
  names: readonly string[],
  free: ReadonlySet<string> = new Set(names),
): Relation[] {
  // of so many columns more than WIDEST vary
  if (names.length > 10 * WIDEST) return [];
  const byName = new Map(table.columns.map((column) => [column.name, column]));
  const columns = names.flatMap((name) => {
    const column = byName.get(name);
    return column?.kind === 'number' && !column.censored ? [numbersOf(column)] : [];
  });
  const usable = columns.filter(({ spread }) => spread > 0);
  if (usable.length < 2 || usable.length > WIDEST || table.rows < LEAST_ROWS) return [];
  const found: Relation[] = [];
  const independent: Numbers[] = [];
  for (const column of usable) {
    // what others follow from does not follow itself
    const used = new Set(found.flatMap(({ terms }) => terms.map((term) => term.column)));
    const open = new Set([...free].filter((name) => !used.has(name)));
    const relation = sumOf(column, independent, open) ?? quotientOf(column, independent, open);
    if (!relation) independent.push(column);
    else {
      found.push(relation);
      // another column of the relation may be the one that follows
      if (relation.column !== column.name) {
        independent.splice(
          independent.findIndex(({ name }) => name === relation.column),
          1,
          column,
        );
      }
    }
  }
  return found;
}

function numbersOf(column: NumberColumn): Numbers {
  const known = column.values.filter((value) => !Number.isNaN(value));
  const decimals = decimalsOf(column);
  const spread = known.length < LEAST_ROWS ? 0 : standardDeviation(known);
  return {
    name: column.name,
    values: column.values,
    decimals: decimals ?? 12,
    rounding: decimals === null ? 1e-9 * (spread || 1) : 0.5 * powerOfTen(-decimals),
    spread,
    distinct: new Set(known).size,
  };
}

function completeRows(columns: readonly Numbers[]): number[] {
  const rows: number[] = [];
  const { length } = columns[0]!.values;
  for (let row = 0; row < length; row++)
    if (columns.every(({ values }) => !Number.isNaN(values[row]!))) rows.push(row);
  return rows;
}

interface Fit {
  readonly weights: Float64Array;
  readonly constant: number;
}

function sumOf(target: Numbers, others: readonly Numbers[], free: ReadonlySet<string>): Relation | undefined {
  if (others.length === 0 || target.distinct < 4) return undefined;
  // a copy or a multiple first: it needs no others
  for (const other of others) {
    const isAlike = other.distinct >= 4 && mayFollow(target, other);
    const pair = isAlike ? accepted(target, [other], free) : undefined;
    if (pair) return pair;
  }
  const all = completeRows([target, ...others]);
  if (all.length < 2 * others.length + LEAST_ROWS) return undefined;
  const step = Math.max(1, all.length / SOME_ROWS);
  const rows = Array.from({ length: Math.min(all.length, SOME_ROWS) }, (_, i) => all[Math.floor(i * step)]!);
  let members = [...others];
  let fit = robustFit(target, members, rows);
  if (!fit || !holds(target, members, fit, rows)) return undefined;
  while (members.length > 1) {
    const sizes = members.map(({ spread }, k) => Math.abs(fit!.weights[k]!) * spread);
    const least = sizes.indexOf(smallest(sizes));
    const fewer = members.filter((_, k) => k !== least);
    const next = robustFit(target, fewer, rows);
    if (!next || !holds(target, fewer, next, rows)) break;
    [members, fit] = [fewer, next];
  }
  return members.length + 1 > MOST_COLUMNS ? undefined : accepted(target, members, free);
}

/** A look at a few hundred rows, without the twentieth that is furthest off. */
function mayFollow(target: Numbers, other: Numbers): boolean {
  const all = completeRows([target, other]);
  if (all.length < LEAST_ROWS) return false;
  const step = Math.max(1, all.length / SOME_ROWS);
  const rows = Array.from({ length: Math.min(all.length, SOME_ROWS) }, (_, i) => all[Math.floor(i * step)]!);
  const fit = robustFit(target, [other], rows);
  if (!fit) return false;
  const left = rows.map((row) => Math.abs(residual(target, [other], fit, row))).sort((a, b) => a - b);
  return left[Math.ceil(HOLDS * left.length) - 1]! <= APART * target.spread;
}

/** Least squares, twice without the worst twentieth. Null where the columns are not independent. */
function robustFit(target: Numbers, members: readonly Numbers[], rows: readonly number[]): Fit | null {
  let kept = rows;
  let fit: Fit | null = null;
  for (let round = 0; round < 3; round++) {
    fit = leastSquares(target, members, kept);
    if (!fit) return null;
    const now = fit;
    const sizes = rows.map((row) => Math.abs(residual(target, members, now, row)));
    const most = sizes.toSorted((a, b) => a - b)[Math.ceil(HOLDS * rows.length) - 1]!;
    kept = rows.filter((_, i) => sizes[i]! <= most);
  }
  return fit;
}

function residual(target: Numbers, members: readonly Numbers[], fit: Fit, row: number): number {
  let sum = fit.constant;
  for (let k = 0; k < members.length; k++) sum += fit.weights[k]! * members[k]!.values[row]!;
  return target.values[row]! - sum;
}

function toleranceOf(
  target: Numbers,
  members: readonly Numbers[],
  { weights }: Pick<Fit, 'weights'>,
): number {
  return members.reduce(
    (sum, { rounding }, k) => sum + Math.abs(weights[k]!) * rounding,
    target.rounding * (1 + 1e-6) + 1e-12 * Math.abs(target.spread),
  );
}

/** Whether the residuals are rounding in nearly all rows, and rounding is small against every term. */
function holds(target: Numbers, members: readonly Numbers[], fit: Fit, rows: readonly number[]): boolean {
  const tolerance = toleranceOf(target, members, fit);
  const left = rows.map((row) => residual(target, members, fit, row));
  const near = left.filter((value) => Math.abs(value) <= tolerance);
  return near.length >= HOLDS * rows.length && standardDeviation(near) <= COARSE * target.spread;
}

/** The relation with simple weights; undefined where it does not hold in nearly all rows of the table. */
function accepted(
  target: Numbers,
  members: readonly Numbers[],
  free: ReadonlySet<string>,
): Relation | undefined {
  const rows = completeRows([target, ...members]);
  if (rows.length < LEAST_ROWS + members.length) return undefined;
  const fit = robustFit(target, members, rows);
  if (!fit || !holds(target, members, fit, rows)) return undefined;
  const tolerance = toleranceOf(target, members, fit);
  // every term has to be seen through the rounding
  const left = rows
    .map((row) => residual(target, members, fit, row))
    .filter((value) => Math.abs(value) <= tolerance);
  const noise = standardDeviation(left);
  if (members.some(({ spread }, k) => SEEN * Math.abs(fit.weights[k]!) * spread < noise)) return undefined;
  const widths = members.map(({ values }) =>
    rows.reduce((most, row) => Math.max(most, Math.abs(values[row]! - values[rows[0]!]!)), 0),
  );
  // numbers that are simple already stay so; others are as simple as rounding allows
  for (const [near, digits] of [
    [1e-8 * target.spread, 6],
    [0.1 * tolerance, 4],
    [0.5 * tolerance, 12],
  ] as const) {
    const weights = fit.weights.map((weight, k) => simplest(weight, near / (widths[k]! || 1)));
    const centre = median(rows.map((row) => residual(target, members, { weights, constant: 0 }, row)));
    const simple = { weights, constant: simplest(centre, near) };
    const isShort = [...weights, simple.constant].every((value) => isShortNumber(value, digits));
    if (isShort && holds(target, members, simple, rows)) return arranged(target, members, simple, rows, free);
  }
  return arranged(target, members, fit, rows, free);
}

/** A number of few digits, or a fraction of small whole numbers. */
function isShortNumber(value: number, digits: number): boolean {
  if (Math.abs(Number(value.toPrecision(digits)) - value) <= 1e-12 * Math.abs(value)) return true;
  return Array.from({ length: 12 }, (_, i) => value * (i + 1)).some(
    (multiple) => Math.abs(multiple - Math.round(multiple)) < 1e-9,
  );
}

/** Solved for the column that may follow and makes the others' weights simplest, as X2 = X3 + 2 X4. */
function arranged(
  target: Numbers,
  members: readonly Numbers[],
  { weights, constant }: Fit,
  rows: readonly number[],
  free: ReadonlySet<string>,
): Relation | undefined {
  const forms = [
    { column: target, members: [...members], weights: [...weights], constant },
    ...members.map((member, k) => ({
      column: member,
      members: [target, ...members.filter((_, i) => i !== k)],
      weights: [1, ...Array.from(weights, (weight) => -weight).filter((_, i) => i !== k)].map(
        (weight) => weight / weights[k]!,
      ),
      constant: -constant / weights[k]!,
    })),
  ].filter(({ column }) => free.has(column.name));
  const cost = (form: (typeof forms)[number]) =>
    form.weights.reduce(
      (sum, weight) =>
        sum + (weight < 0 ? 3 : 0) + (isWhole(weight) ? 0 : 1) + Math.min(3, Math.abs(weight) / 10),
      0,
    );
  // the last column of the table among equals
  const best = forms.toSorted((a, b) => cost(a) - cost(b) || (a.column === target ? -1 : 1))[0];
  if (!best) return undefined;
  const simple = best.weights.map((weight) => simplest(weight, 1e-9 * Math.abs(weight)));
  const fit = {
    weights: Float64Array.from(simple),
    constant: simplest(best.constant, 1e-9 * Math.abs(best.constant)),
  };
  const tolerance = toleranceOf(best.column, best.members, fit);
  const terms = best.members
    .map(({ name }, k) => ({ column: name, weight: simple[k]! }))
    .sort((a, b) => Number(a.weight < 0) - Number(b.weight < 0) || Math.abs(a.weight) - Math.abs(b.weight));
  const off = rows.filter((row) => Math.abs(residual(best.column, best.members, fit, row)) > tolerance);
  return {
    column: best.column.name,
    kind: 'sum',
    terms,
    constant: fit.constant,
    decimals: best.column.decimals,
    label: `${quoteName(best.column.name)} = ${sumText(terms, fit.constant)}`,
    rows: rows.length,
    off,
  };
}

function isWhole(weight: number): boolean {
  return Math.abs(weight - Math.round(weight)) < 1e-9;
}

/** A fraction of small whole numbers, else the number with the fewest digits, within `tolerance`. */
function simplest(value: number, tolerance: number): number {
  if (Math.abs(value) <= tolerance) return 0;
  for (let below = 1; below <= 12; below++) {
    const above = Math.round(value * below);
    if (above !== 0 && Math.abs(above) <= 12 * below && Math.abs(above / below - value) <= tolerance)
      return above / below;
  }
  for (let digits = 1; digits < 12; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.abs(rounded - value) <= tolerance) return rounded;
  }
  return value;
}

export function sumText(
  terms: readonly { readonly column: string; readonly weight: number }[],
  constant: number,
): string {
  const parts = terms.map(({ column, weight }, i) => {
    const size = Math.abs(weight);
    const factor = size === 1 ? '' : `${Number(size.toPrecision(6))}*`;
    const sign = weight < 0 ? (i === 0 ? '-' : ' - ') : i === 0 ? '' : ' + ';
    return `${sign}${factor}${quoteName(column)}`;
  });
  if (constant !== 0)
    parts.push(`${constant < 0 ? ' - ' : ' + '}${Number(Math.abs(constant).toPrecision(6))}`);
  return parts.join('');
}

/** Normal equations of standardised columns by Cholesky; null where they are not independent. */
function leastSquares(target: Numbers, members: readonly Numbers[], rows: readonly number[]): Fit | null {
  const m = members.length;
  const centres = members.map(({ values }) => mean(rows.map((row) => values[row]!)));
  const middle = mean(rows.map((row) => target.values[row]!));
  const scale = members.map(({ spread }) => spread);
  const a = Array.from({ length: m }, () => new Float64Array(m + 1));
  const x = new Float64Array(m);
  for (const row of rows) {
    for (let k = 0; k < m; k++) x[k] = (members[k]!.values[row]! - centres[k]!) / scale[k]!;
    const y = target.values[row]! - middle;
    for (let k = 0; k < m; k++) {
      for (let i = 0; i <= k; i++) a[k]![i]! += x[k]! * x[i]!;
      a[k]![m]! += x[k]! * y;
    }
  }
  for (let k = 0; k < m; k++) {
    for (let i = 0; i <= k; i++) {
      let sum = a[k]![i]!;
      for (let p = 0; p < i; p++) sum -= a[k]![p]! * a[i]![p]!;
      if (i < k) a[k]![i] = sum / a[i]![i]!;
      else if (!(sum > 1e-8 * rows.length)) return null;
      else a[k]![k] = Math.sqrt(sum);
    }
  }
  const z = new Float64Array(m);
  for (let k = 0; k < m; k++) {
    let sum = a[k]![m]!;
    for (let p = 0; p < k; p++) sum -= a[k]![p]! * z[p]!;
    z[k] = sum / a[k]![k]!;
  }
  for (let k = m - 1; k >= 0; k--) {
    let sum = z[k]!;
    for (let p = k + 1; p < m; p++) sum -= a[p]![k]! * z[p]!;
    z[k] = sum / a[k]![k]!;
  }
  const weights = z.map((value, k) => value / scale[k]!);
  const constant = weights.reduce((sum, weight, k) => sum - weight * centres[k]!, middle);
  return { weights, constant };
}

/** A product or a ratio of two columns of many positive values, which a plan of experiments does not give by chance. */
function quotientOf(
  target: Numbers,
  others: readonly Numbers[],
  free: ReadonlySet<string>,
): Relation | undefined {
  const isFit = ({ distinct, values }: Numbers) =>
    distinct >= 5 && values.every((value) => Number.isNaN(value) || value > 0);
  if (!free.has(target.name) || !isFit(target)) return undefined;
  const fit = others.filter(isFit);
  for (const a of fit) {
    for (const b of fit) {
      if (a === b) continue;
      for (const kind of ['ratio', 'product'] as const) {
        if (kind === 'product' && fit.indexOf(b) < fit.indexOf(a)) continue;
        const relation = quotient(target, a, b, kind);
        if (relation) return relation;
      }
    }
  }
  return undefined;
}

function quotient(target: Numbers, a: Numbers, b: Numbers, kind: 'ratio' | 'product'): Relation | undefined {
  const value = (row: number) =>
    kind === 'ratio' ? a.values[row]! / b.values[row]! : a.values[row]! * b.values[row]!;
  const error = (row: number) =>
    value(row) * (a.rounding / a.values[row]! + b.rounding / b.values[row]!) + 1e-12 * value(row);
  const factors: number[] = [];
  // a few rows settle nearly every pair
  const glance: number[] = [];
  for (let row = 0; row < target.values.length; row++) {
    const factor = target.values[row]! / value(row);
    if (Number.isNaN(factor)) continue;
    factors.push(factor);
    glance.push(row);
    if (glance.length === 12) {
      const centre = median(factors);
      const near = glance.filter(
        (r) => Math.abs(target.values[r]! - centre * value(r)) <= 2 * (target.rounding + centre * error(r)),
      );
      if (near.length < 9) return undefined;
    }
  }
  if (glance.length < LEAST_ROWS + 4) return undefined;
  const raw = median(factors);
  const weight = simplest(raw, raw * 2e-3);
  const toleranceAt = (row: number) => target.rounding * (1 + 1e-6) + weight * error(row);
  const off = glance.filter((row) => Math.abs(target.values[row]! - weight * value(row)) > toleranceAt(row));
  if (off.length > (1 - HOLDS) * glance.length) return undefined;
  if (median(glance.map(toleranceAt)) > 0.5 * COARSE * target.spread) return undefined;
  const factor = weight === 1 ? '' : `${Number(weight.toPrecision(6))}*`;
  const [first, second] = [quoteName(a.name), quoteName(b.name)];
  return {
    column: target.name,
    kind,
    terms: [a, b].map(({ name }) => ({ column: name, weight })),
    constant: 0,
    decimals: target.decimals,
    label: `${quoteName(target.name)} = ${factor}${first}${kind === 'ratio' ? '/' : '*'}${second}`,
    rows: glance.length,
    off,
  };
}

/** The value that follows, with the column's own digits. `cellOf` gives the others. */
export function followingValue(relation: Relation, cellOf: (column: string) => number): number {
  const { kind, terms, constant, decimals } = relation;
  const [a, b] = terms;
  const value =
    kind === 'sum'
      ? terms.reduce((sum, { column, weight }) => sum + weight * cellOf(column), constant)
      : kind === 'ratio'
        ? (a!.weight * cellOf(a!.column)) / cellOf(b!.column)
        : a!.weight * cellOf(a!.column) * cellOf(b!.column);
  return roundedTo(value, Math.min(decimals, 12));
}
