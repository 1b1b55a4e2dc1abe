/**
 * Numbers that can be computed with. Squares and their sums stay in the range of float64 (1e-308 to 1e308) between the
 * limits below, and so does everything a model makes of them. What lies outside is a wrong unit or a slip of the pen,
 * and is refused when a problem is stated, with the column, the place and what to do.
 */
import { ArgumentError } from '../numeric/errors.js';
import type { Space } from '../space/space.js';
import type { TypedColumn } from '../table/columnTypes.js';
import type { NumberColumn, Table } from '../table/table.js';
import { tableFault } from '../table/tableBuilder.js';
import type { DesignColumn } from './buildSpace.js';
import { placesOf } from './buildSpace.js';
import type { ConstraintStatement } from './expressions.js';
import type { Goal } from './goals.js';
import { shown } from './tokens.js';

/** Largest size of a number, and of its inverse for what a column varies by. */
export const MOST = 1e100;
/**
 * What a goal varies by, as a share of its largest value. A number has 16 digits; an interval and its ends need a few of
 * them below the spread, or they become one number.
 */
const LEAST_SHARE = 1e-11;
/** Designs may lie this many times the range of the data away from it; float32 still tells such designs apart. */
const FARTHEST = 1e6;

/** Throws `TableError` where a number column of `types` cannot be computed with. `isUsed` says which are looked at. */
export function requireMagnitudes(
  table: Table,
  types: readonly TypedColumn[],
  goals: readonly Goal[],
  isUsed: (type: TypedColumn) => boolean,
): void {
  const goalNames = new Set(goals.map(({ column }) => column));
  for (const [j, type] of types.entries()) {
    const column = table.columns[j]!;
    if (column.kind === 'number' && (isUsed(type) || goalNames.has(type.name)))
      requireMagnitude(table, column, goalNames.has(type.name));
  }
}

function requireMagnitude(table: Table, { name, values }: NumberColumn, isGoal: boolean): void {
  let [min, max, largest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const [row, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    if (Math.abs(value) > MOST)
      throw tableFault(
        table.name,
        `${value} is too large to compute with; correct the cell, leave the row out, or write the column in a unit in which values stay below ${MOST}`,
        table.lines?.[row] ?? row + 1,
        name,
      );
    if (value < min) min = value;
    if (value > max) max = value;
    largest = Math.max(largest, Math.abs(value));
  }
  const width = max - min;
  if (!(width > 0)) return;
  if (width < 1 / MOST)
    throw tableFault(
      table.name,
      `all values lie between ${min} and ${max}, too close to compute with; write the column in a smaller unit, or leave it out with --ignore`,
      undefined,
      name,
    );
  if (isGoal && width < LEAST_SHARE * largest)
    throw tableFault(
      table.name,
      `values lie between ${min} and ${max}: they differ by ${Number(width.toPrecision(3))}, and a number has only 16 digits; subtract ${min} from the column`,
      undefined,
      name,
    );
}

/**
 * The space with bounds at most a million ranges of the data away from it, which no search goes, so that a bound such as
 * 1e99 for "any" leaves numbers that can be computed with. Throws `ArgumentError` where nothing nearer is allowed.
 */
export function nearSpace(
  columns: readonly DesignColumn[],
  space: Space,
  statements: readonly ConstraintStatement[],
  notes: string[],
): Space {
  // rows of a list are looked at one by one
  if (space.choices) return space;
  const narrowed = [...space.columns];
  const places = placesOf(columns);
  const fixed = new Map(space.fixed?.map(({ column, value }) => [column, value]));
  const labels = new Map(statements.flatMap((one) => ('column' in one ? [[one.column, one.label]] : [])));
  for (const column of columns) {
    if (column.kind !== 'number' && column.kind !== 'integer') continue;
    const at = places.get(column.name)!;
    const stated = space.columns[at]!;
    if (stated.kind !== 'continuous') continue;
    const held = fixed.get(at);
    const { min, max } = column;
    const reach = reachOf(column);
    const label = labels.get(column.name);
    const refuse = (reason: string) => {
      throw new ArgumentError(
        'constraint',
        `${label === undefined ? shown(column.name) : `constraint ${shown(label)}`}: ${reason}`,
      );
    };
    if ((held ?? stated.lower) > max + reach || (held ?? stated.upper) < min - reach)
      refuse(
        `past rows have ${shown(column.name)} between ${min} and ${max}, and designs would lie more than a million times that range away, where nothing is known; check the unit`,
      );
    const { step } = stated;
    const largest = Math.max(Math.abs(stated.lower), Math.abs(stated.upper));
    if (step !== undefined && largest / step > Number.MAX_SAFE_INTEGER)
      refuse(
        `numbers of ${largest} have too few digits for steps of ${step}; give nearer bounds or larger steps`,
      );
    // a grid begins at its lower bound
    const lower = step === undefined && stated.lower < min - reach ? min - reach : stated.lower;
    const upper = Math.min(stated.upper, max + reach);
    if (lower === stated.lower && upper === stated.upper) continue;
    narrowed[at] = { ...stated, lower, upper };
    notes.push(
      `designs keep ${shown(column.name)} between ${lower} and ${upper}, a million times the range of past rows around them`,
    );
  }
  return { ...space, columns: narrowed };
}

type Numbers = Extract<DesignColumn, { kind: 'number' | 'integer' }>;

function reachOf({ min, max }: Numbers): number {
  return FARTHEST * (max - min || Math.max(1, Math.abs(max)));
}

/** Why a model says nothing about a value of this column; empty if it does. */
export function whyUnreachable(column: DesignColumn, value: number): string {
  if (column.kind !== 'number' && column.kind !== 'integer') return '';
  const reach = reachOf(column);
  if (value <= column.max + reach && value >= column.min - reach) return '';
  return `${value} lies more than a million times the range of past rows (${column.min} to ${column.max}) away from them, where nothing is known; check the unit, or leave the row out`;
}

/** Throws `ArgumentError` where a constraint has a number that is too large. */
export function requireConstraintNumbers(statements: readonly ConstraintStatement[]): void {
  for (const statement of statements) {
    const numbers = Object.values(statement).filter((value) => typeof value === 'number');
    if (statement.kind === 'linear') for (const { weight } of statement.terms) numbers.push(weight);
    const odd = numbers.find((value) => Math.abs(value) > MOST);
    if (odd !== undefined)
      throw new ArgumentError(
        'constraint',
        `constraint ${shown(statement.label)}: ${odd} is too large to compute with; give a number below ${MOST}`,
      );
    if (statement.kind === 'conditional') requireConstraintNumbers(statement.conclusions);
  }
}
