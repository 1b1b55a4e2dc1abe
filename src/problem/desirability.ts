// From measured columns to one score per row, higher is better. One `max` or `min` goal is its own score. Otherwise
// each goal is a desirability in [0, 1] and the score their weighted geometric mean: G. Derringer & R. Suich,
// Simultaneous optimization of several response variables, J. Quality Technology 12 (1980) 214-219.

import { portableExp, portableLog } from '../numeric/portable.js';
import { extent, quantiles } from '../numeric/stats.js';
import { type NumberColumn, type Table, TableError, type TextColumn } from '../table/table.js';
import { tableFault } from '../table/tableBuilder.js';
import { type Goal, printGoal } from './goals.js';
import { shown, suggestion } from './tokens.js';

/**
 * Desirability of one goal: 0 up to `zeroBelow`, rising to 1 at `oneFrom`, 1 up to `oneTo`, falling to 0 at
 * `zeroAbove`, all in the column's units. Infinite where a side is open.
 */
export interface Ramp {
  readonly zeroBelow: number;
  readonly oneFrom: number;
  readonly oneTo: number;
  readonly zeroAbove: number;
}

/** How values become scores; plain data. */
export type ScoreRule =
  | { readonly kind: 'value'; readonly goal: Goal; readonly sign: 1 | -1 }
  | {
      readonly kind: 'desirability';
      readonly parts: readonly { readonly goal: Goal; readonly ramp: Ramp }[];
    };

export interface ScoredRows {
  /** Rows with every goal measured, in the table's order. */
  readonly rows: Uint32Array;
  /** Score of each of these rows. */
  readonly y: Float64Array;
  /** Values of each goal in these rows, in the column's units. */
  readonly values: readonly Float64Array[];
  /** Desirability of each goal in these rows; empty where the score is the value itself. */
  readonly desirabilities: readonly Float64Array[];
  /** -1 where the true score is below `y`, 1 where it is above; absent if no cell is censored, or for desirabilities. */
  readonly censored?: Int8Array;
  /** Rows left out, and which goals they lack. */
  readonly unused: readonly { readonly row: number; readonly missing: readonly string[] }[];
  readonly notes: readonly string[];
}

export interface DesirabilityOptions {
  /** Quantiles of the data between which desirability of `max` and `min` rises. Default 0.05 and 0.95. */
  readonly quantiles?: readonly [low: number, high: number];
  /**
   * How far beyond the good quantile desirability of `max` and `min` goes on rising, in units of the distance between
   * the quantiles. Default 0.5: what is better than the best row must be told apart from it.
   */
  readonly headroom?: number;
  /** Width over which desirability falls outside the range of `keep`, in the same units. Default 0.1. */
  readonly edge?: number;
}

/** The rule for some goals of a table. Throws `TableError` if a goal's column is missing, text, empty or constant. */
export function scoreRule(
  goals: readonly Goal[],
  table: Table,
  options: DesirabilityOptions = {},
): ScoreRule {
  if (goals.length === 0)
    throw new TableError('no goal is given; expected one such as "max yield"', { file: table.name });
  for (const goal of goals) goalColumn(goal, table);
  const [only] = goals;
  if (goals.length === 1 && (only.kind === 'max' || only.kind === 'min'))
    return { kind: 'value', goal: only, sign: only.kind === 'max' ? 1 : -1 };
  return {
    kind: 'desirability',
    parts: goals.map((goal) => ({ goal, ramp: fitRamp(goal, table, options) })),
  };
}

function goalColumn(goal: Goal, table: Table): NumberColumn {
  const place = { file: table.name, column: goal.column };
  const column = table.columns.find(({ name }) => name === goal.column);
  if (!column) {
    const names = table.columns.map(({ name }) => name);
    throw new TableError(
      `goal ${shown(goal.label)}: goals need measured values, and no column is called ${shown(goal.column)}${suggestion(goal.column, names)}`,
      place,
    );
  }
  if (column.kind !== 'number') throw textGoal(goal.label, column, table);
  return column;
}

/** The first cell that makes a goal's column text, and what to do about it. */
export function textGoal(label: string, { name, levels, codes }: TextColumn, table: Table): TableError {
  const isText = (code: number) =>
    code >= 0 && (levels[code]!.trim() === '' || Number.isNaN(Number(levels[code])));
  const first = codes.findIndex(isText);
  const row = first < 0 ? codes.findIndex((code) => code >= 0) : first;
  const goal = `goal ${shown(label)}`;
  if (row < 0)
    return tableFault(table.name, `${goal}: the column is empty; choose another goal`, undefined, name);
  return tableFault(
    table.name,
    `${goal}: ${shown(levels[codes[row]!]!)} is text, and a goal needs numbers; correct the cell, list it under \`missing\`, or choose another goal`,
    table.lines?.[row] ?? row + 1,
    name,
  );
}

function fitRamp(goal: Goal, table: Table, options: DesirabilityOptions): Ramp {
  const limits = goal.kind === 'keep' ? undefined : goal.limits;
  if (limits && goal.kind === 'max')
    return ramp(limits.lower, limits.upper, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  if (limits && goal.kind === 'min')
    return ramp(Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, limits.lower, limits.upper);
  if (limits && goal.kind === 'target')
    return ramp(limits.lower, goal.value - goal.tolerance, goal.value + goal.tolerance, limits.upper);
  const { low, high } = spread(goal, table, options);
  const width = high - low;
  switch (goal.kind) {
    case 'max':
      return ramp(
        low,
        high + (options.headroom ?? 0.5) * width,
        Number.POSITIVE_INFINITY,
        Number.POSITIVE_INFINITY,
      );
    case 'min':
      return ramp(
        Number.NEGATIVE_INFINITY,
        Number.NEGATIVE_INFINITY,
        low - (options.headroom ?? 0.5) * width,
        high,
      );
    case 'target': {
      const { value, tolerance } = goal;
      const farther = Math.max(Math.abs(value - low), Math.abs(high - value));
      const reach = farther > tolerance ? farther : 2 * tolerance;
      return ramp(value - reach, value - tolerance, value + tolerance, value + reach);
    }
    case 'keep': {
      const edge = (options.edge ?? 0.1) * width;
      return ramp(goal.lower - edge, goal.lower, goal.upper, goal.upper + edge);
    }
  }
}

function ramp(zeroBelow: number, oneFrom: number, oneTo: number, zeroAbove: number): Ramp {
  return { zeroBelow, oneFrom, oneTo, zeroAbove };
}

/**
 * Low and high quantile of a goal's column; its extremes where the quantiles coincide. Rows that runs proposed do not
 * count: a scale that moved with every round would make the desirabilities of two rounds incomparable.
 */
function spread(goal: Goal, table: Table, options: DesirabilityOptions): { low: number; high: number } {
  const all = goalColumn(goal, table).values;
  const first = all.subarray(0, firstRows(table)).filter(Number.isFinite);
  const values = first.some((value) => value !== first[0]) ? first : all.filter(Number.isFinite);
  const place = { file: table.name, column: goal.column };
  if (values.length === 0)
    throw new TableError(`goal ${shown(goal.label)}: the column has no numbers in it`, place);
  const [low, high] = quantiles(values, options.quantiles ?? [0.05, 0.95]);
  if (low < high) return { low, high };
  const { min, max } = extent(values);
  if (min < max) return { low: min, high: max };
  const advice =
    goal.kind === 'keep'
      ? 'leave the goal out'
      : `give limits, such as "${goal.kind} ... over ${min - 1}..${max + 1}", or leave the goal out`;
  throw new TableError(`goal ${shown(goal.label)}: every row has the value ${min}; ${advice}`, place);
}

/** Rows that were there before any run proposed one. */
function firstRows({ rounds, rows }: Table): number {
  return rounds?.[0]?.from ?? rows;
}

/** What is said about scales that do not follow the rows that were added; nothing where there are no such scales. */
export function scaleNotes(rule: ScoreRule, table: Table): string[] {
  if (rule.kind === 'value' || !table.rounds) return [];
  const scales = rule.parts.flatMap(({ goal, ramp }) => {
    if (goal.kind === 'keep' || goal.limits) return [];
    const ends = [ramp.zeroBelow, ramp.oneFrom, ramp.oneTo, ramp.zeroAbove].filter(Number.isFinite);
    const [lower, upper] = [ends[0]!, ends.at(-1)!].map((end) => Number(end.toPrecision(4)));
    return [`"${printGoal({ ...goal, limits: { lower: lower!, upper: upper! } })}"`];
  });
  if (scales.length === 0) return [];
  return [
    `scales of desirability stay those of the first ${firstRows(table)} rows, so that rounds can be compared: ${scales.join(', ')}; goals written so, with other numbers, change them`,
  ];
}

/** Desirability of one value, in [0, 1]. */
export function desirability({ zeroBelow, oneFrom, oneTo, zeroAbove }: Ramp, value: number): number {
  if (value < oneFrom) return fraction(zeroBelow, value, oneFrom);
  if (value > oneTo) return 1 - fraction(oneTo, value, zeroAbove);
  return 1;
}

/** (value - from) / (to - from) cut to [0, 1]; halves keep the differences finite. */
function fraction(from: number, value: number, to: number): number {
  if (value <= from) return 0;
  if (value >= to || from === Number.NEGATIVE_INFINITY) return 1;
  return (value / 2 - from / 2) / (to / 2 - from / 2);
}

/** (Π dᵢ^wᵢ)^(1/Σw), Eq. 5 of Derringer & Suich with weights; 0 if any desirability is 0. */
export function combine(desirabilities: readonly number[], weights: readonly number[]): number {
  let largest = 0;
  for (const weight of weights) largest = Math.max(largest, weight);
  let total = 0;
  let logarithm = 0;
  for (const [i, d] of desirabilities.entries()) {
    if (d === 0) return 0;
    total += weights[i] / largest;
    logarithm += (weights[i] / largest) * portableLog(d);
  }
  return portableExp(logarithm / total);
}

/** Score of a row whose goals have these values, in the rule's order. */
export function scoreOf(rule: ScoreRule, values: readonly number[]): number {
  if (rule.kind === 'value') return rule.sign === 1 ? values[0] : 0 - values[0];
  return combine(
    rule.parts.map(({ ramp }, i) => desirability(ramp, values[i])),
    rule.parts.map(({ goal }) => goal.weight),
  );
}

/**
 * Where the values of a single goal lie if its score is at least `score`, in the column's units; nothing for several
 * goals, or where no value scores so high. For `max` the lower end, for `min` the upper end is the value of exactly
 * that score.
 */
export function valuesAt(rule: ScoreRule, score: number): { lower: number; upper: number } | undefined {
  if (rule.kind === 'value') {
    return rule.sign === 1
      ? { lower: score, upper: Number.POSITIVE_INFINITY }
      : { lower: Number.NEGATIVE_INFINITY, upper: 0 - score };
  }
  if (rule.parts.length > 1 || score > 1) return undefined;
  if (score <= 0) return { lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
  const { zeroBelow, oneFrom, oneTo, zeroAbove } = rule.parts[0].ramp;
  const between = (zero: number, one: number) => (Number.isFinite(one) ? zero + score * (one - zero) : one);
  return { lower: between(zeroBelow, oneFrom), upper: between(zeroAbove, oneTo) };
}

/** The value of a single `max` or `min` goal that has this score, in the column's units; nothing for other rules. */
export function valueAt(rule: ScoreRule, score: number): number | undefined {
  if (rule.kind !== 'value') return undefined;
  return rule.sign === 1 ? score : 0 - score;
}

/** Applies a rule to the rows of a table. Throws `TableError` if no row has every goal measured. */
export function scoreRows(rule: ScoreRule, table: Table): ScoredRows {
  const goals = rule.kind === 'value' ? [rule.goal] : rule.parts.map(({ goal }) => goal);
  const columns = goals.map((goal) => goalColumn(goal, table));
  const rows: number[] = [];
  const unused: { row: number; missing: string[] }[] = [];
  for (let row = 0; row < table.rows; row++) {
    const missing = columns.filter(({ values }) => !Number.isFinite(values[row])).map(({ name }) => name);
    if (missing.length === 0) rows.push(row);
    else unused.push({ row, missing: [...new Set(missing)] });
  }
  if (rows.length === 0) {
    const names = [...new Set(goals.map(({ column }) => shown(column)))].join(' and ');
    throw new TableError(`no row has a number in ${names}; at least one is needed`, {
      file: table.name,
      column: goals[0].column,
    });
  }
  const values = columns.map((column) => Float64Array.from(rows, (row) => column.values[row]));
  const y = Float64Array.from(rows, (_, i) =>
    scoreOf(
      rule,
      values.map((column) => column[i]),
    ),
  );
  const desirabilities =
    rule.kind === 'value'
      ? []
      : rule.parts.map(({ ramp }, j) => values[j].map((value) => desirability(ramp, value)));
  const isCensored = (column: NumberColumn) => rows.some((row) => (column.censored?.[row] ?? 0) !== 0);
  const notes = unused.length === 0 ? [] : [missingNote(unused.length, table.rows)];
  const scored = { rows: Uint32Array.from(rows), y, values, desirabilities, unused };
  if (rule.kind === 'value' && isCensored(columns[0])) {
    const censored = Int8Array.from(rows, (row) => rule.sign * (columns[0].censored?.[row] ?? 0));
    return { ...scored, censored, notes };
  }
  const cut = columns.filter(isCensored).map(({ name }) => shown(name));
  if (cut.length > 0)
    notes.push(
      `values of ${[...new Set(cut)].join(', ')} such as "<0.5" count as 0.5: several goals and targets cannot use them otherwise`,
    );
  return { ...scored, notes };
}

function missingNote(count: number, rows: number): string {
  return `${count} of ${rows} rows ${count === 1 ? 'is' : 'are'} not used: a goal is missing`;
}
