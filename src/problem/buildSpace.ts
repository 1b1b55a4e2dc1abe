// From columns and constraints in the user's words to a `Space` of numbers, and rows there and back.

import { ArgumentError } from '../numeric/errors.js';
import { extent } from '../numeric/stats.js';
import type { LinearConstraint, Space, SpaceColumn } from '../space/space.js';
import { Places, refuse, width } from './columnPlaces.js';
import type { BoundsStatement, ConstraintStatement, FixedStatement, Vocabulary } from './expressions.js';
import { relationsOf } from './jointConstraints.js';
import { bitsOf, listOf, type MoleculeColumn, moleculeOf } from './molecules.js';
import { quoteName, shown, suggestion } from './tokens.js';

/** What designs may vary. A category, an ordered category and a boolean are all lists of levels. */
export type DesignColumn =
  | {
      readonly name: string;
      readonly kind: 'number' | 'integer';
      /** Smallest and largest value seen; designs stay between them unless a bound says otherwise. */
      readonly min: number;
      readonly max: number;
      /** Modelled as its logarithm, where designs are above 0. */
      readonly log?: boolean;
    }
  | MoleculeColumn
  | { readonly name: string; readonly kind: 'category'; readonly levels: readonly string[] }
  /** One class per position; `letters` are those that occur. */
  | {
      readonly name: string;
      readonly kind: 'sequence';
      readonly length: number;
      readonly letters: readonly string[];
    };

export type Cell = number | string;

export interface SpaceOptions {
  readonly constraints?: readonly ConstraintStatement[];
  readonly mixtures?: readonly { readonly columns: readonly string[]; readonly sum: number }[];
  /** Designs are among these rows, which have a cell for each column. */
  readonly choices?: readonly (readonly Cell[])[];
}

/** The names and levels against which constraints on these columns are parsed. */
export function vocabularyOf(columns: readonly DesignColumn[]): Vocabulary {
  const levels = new Map<string, readonly string[] | undefined>();
  for (const column of columns) {
    if (column.kind === 'category') levels.set(column.name, column.levels);
    if (column.kind === 'sequence') levels.set(column.name, undefined);
    if (column.kind === 'molecule') levels.set(column.name, column.molecules);
  }
  return { columns: columns.map(({ name }) => name), levels };
}

/** Where designs may lie. Throws `ArgumentError` where constraints speak of columns that are not there or not fit. */
export function buildSpace(columns: readonly DesignColumn[], options: SpaceOptions = {}): Space {
  const places = new Places(columns);
  const choices = options.choices ?? [];
  const statements = options.constraints ?? [];
  const bounds = new Map<string, BoundsStatement>();
  const fixed = new Map<string, FixedStatement>();
  for (const statement of statements) {
    if (statement.kind !== 'bounds' && statement.kind !== 'fixed') continue;
    if (statement.kind === 'bounds') places.number(statement.column, statement.label);
    else places.find(statement.column, statement.label);
    const earlier = bounds.get(statement.column) ?? fixed.get(statement.column);
    if (earlier) refuse(statement.label, `${shown(statement.column)} already has ${shown(earlier.label)}`);
    if (statement.kind === 'bounds') bounds.set(statement.column, statement);
    else fixed.set(statement.column, statement);
  }
  const relations = relationsOf(statements, places);
  const linear = [
    ...(options.mixtures ?? []).map((mixture) => mixtureConstraint(mixture, places)),
    ...(relations.linear ?? []),
  ];
  const fixedNumbers = [...fixed.values()].flatMap((statement) => fixedValues(statement, places));
  const listed = columns.flatMap((column) => {
    if (column.kind !== 'molecule') return [];
    const held = fixed.get(column.name);
    const only = held && { bits: encodeCell(column, held.value, 'constraints'), label: held.label };
    return [listOf(column, places.find(column.name, '').start, only)];
  });
  return {
    columns: columns.flatMap((column, j) => {
      const listed = choices.map((row) => row[j]!);
      return spaceColumns(stretched(column, listed), bounds.get(column.name), fixed.get(column.name));
    }),
    ...(fixedNumbers.length > 0 && { fixed: fixedNumbers }),
    ...relations,
    ...(linear.length > 0 && { linear }),
    ...(listed.length > 0 && { listed }),
    ...(options.choices && { choices: encodeRows(columns, options.choices) }),
  };
}

function mixtureConstraint(
  { columns, sum }: { readonly columns: readonly string[]; readonly sum: number },
  places: Places,
): LinearConstraint {
  const label = `${columns.map((name) => quoteName(name)).join(' + ')} = ${sum}`;
  if (new Set(columns).size < columns.length) refuse(label, 'a column is listed twice');
  const terms = columns.map((name) => ({ column: places.number(name, label), weight: 1 }));
  return { terms, relation: '=', bound: sum, label };
}

function fixedValues(
  { column: name, value, label }: FixedStatement,
  places: Places,
): { column: number; value: number; label: string }[] {
  const { column, start } = places.find(name, label);
  if (column.kind === 'molecule') return [];
  const isNumeric = column.kind === 'number' || column.kind === 'integer';
  if (isNumeric && (typeof value !== 'number' || (column.kind === 'integer' && !Number.isInteger(value))))
    refuse(label, `${shown(name)} holds ${column.kind === 'integer' ? 'whole ' : ''}numbers; expected one`);
  return encodeCell(column, value, 'constraints').map((number, i) => ({
    column: start + i,
    value: number,
    label,
  }));
}

/** A list to choose from may go beyond past rows, unless bounds are given. */
function stretched(column: DesignColumn, listed: readonly Cell[]): DesignColumn {
  if (column.kind !== 'number' && column.kind !== 'integer') return column;
  const numbers = listed.filter((cell) => typeof cell === 'number');
  return numbers.length === 0
    ? column
    : {
        ...column,
        min: Math.min(column.min, extent(numbers).min),
        max: Math.max(column.max, extent(numbers).max),
      };
}

function spaceColumns(
  column: DesignColumn,
  given: BoundsStatement | undefined,
  fixed: FixedStatement | undefined,
): SpaceColumn[] {
  const { name } = column;
  if (column.kind === 'category') return [{ kind: 'categorical', name, classes: column.levels.length }];
  if (column.kind === 'sequence') {
    return Array.from({ length: column.length }, (_, i) => ({
      kind: 'categorical' as const,
      name: `${name}[${i + 1}]`,
      classes: column.letters.length,
    }));
  }
  if (column.kind === 'molecule') {
    return Array.from(column.prints[0]!, (_, i) => ({
      kind: 'continuous' as const,
      name: `${name} bit ${i + 1}`,
      lower: 0,
      upper: 1,
    }));
  }
  const step = given?.step === undefined ? {} : { step: given.step };
  const made =
    column.kind === 'integer'
      ? integerColumn(column, given, fixed)
      : { kind: 'continuous' as const, name, ...range(column, given, fixed), ...step };
  return [column.log && made.lower > 0 ? { ...made, scale: 'log' } : made];
}

/** The bounds given, else the data's range, stretched to a fixed value outside it. */
function range(
  { min, max }: { readonly min: number; readonly max: number },
  given: BoundsStatement | undefined,
  fixed: FixedStatement | undefined,
): { lower: number; upper: number } {
  if (given) return { lower: given.lower, upper: given.upper };
  const value = typeof fixed?.value === 'number' ? fixed.value : min;
  return { lower: Math.min(min, value), upper: Math.max(max, value) };
}

function integerColumn(
  column: { readonly name: string; readonly min: number; readonly max: number },
  given: BoundsStatement | undefined,
  fixed: FixedStatement | undefined,
): Extract<SpaceColumn, { kind: 'continuous' }> {
  const { lower, upper } = range(column, given, fixed);
  const step = given?.step ?? 1;
  if (given && !Number.isInteger(step))
    refuse(given.label, `${shown(column.name)} holds whole numbers; expected a whole step`);
  if (given && Math.ceil(lower) > Math.floor(upper))
    refuse(given.label, `${shown(column.name)} holds whole numbers, of which none lies in this range`);
  return { kind: 'continuous', name: column.name, lower: Math.ceil(lower), upper: Math.floor(upper), step };
}

/** Rows of cells, in the columns' order, as n x d numbers. */
export function encodeRows(
  columns: readonly DesignColumn[],
  rows: readonly (readonly Cell[])[],
): Float64Array {
  const d = columns.reduce((sum, column) => sum + width(column), 0);
  const x = new Float64Array(rows.length * d);
  for (const [i, row] of rows.entries()) {
    if (row.length !== columns.length)
      throw new ArgumentError('rows', `row ${i + 1} has ${row.length} cells; expected ${columns.length}`);
    x.set(
      columns.flatMap((column, j) => encodeCell(column, row[j], 'rows')),
      i * d,
    );
  }
  return x;
}

/** A cell as the numbers of the space it takes; `argument` is what an error blames. */
export function encodeCell(column: DesignColumn, cell: Cell, argument: string): number[] {
  const wrong = (expected: string): never => {
    throw new ArgumentError(argument, `${shown(column.name)} cannot be ${shown(String(cell))}${expected}`);
  };
  const text = String(cell);
  if (column.kind === 'sequence') {
    const letters = [...text].map((letter) => column.letters.indexOf(letter));
    if (letters.length === column.length && !letters.includes(-1)) return letters;
    return wrong(`; expected ${column.length} letters of ${column.letters.slice(0, 30).join('')}`);
  }
  if (column.kind === 'molecule') return bitsOf(column, text) ?? wrong(suggestion(text, column.molecules));
  if (column.kind === 'category') {
    let index = column.levels.indexOf(text);
    // 1 is the level "1.0" where no level is written "1".
    if (index < 0 && typeof cell === 'number')
      index = column.levels.findIndex((level) => level.trim() !== '' && Number(level) === cell);
    return index >= 0 ? [index] : wrong(suggestion(text, column.levels));
  }
  return typeof cell === 'number' && Number.isFinite(cell) ? [cell] : wrong('; expected a number');
}

/** The cells of n x d numbers, row by row, in the columns' order. */
export function decodeRows(columns: readonly DesignColumn[], x: ArrayLike<number>): Cell[][] {
  const d = columns.reduce((sum, column) => sum + width(column), 0);
  if (d === 0 || x.length % d !== 0)
    throw new ArgumentError('x', `x has ${x.length} numbers; expected a multiple of ${d}`);
  return Array.from({ length: x.length / d }, (_, i) => {
    let at = i * d;
    return columns.map((column): Cell => {
      const start = at;
      at += width(column);
      if (column.kind === 'category') return levelAt(column.name, column.levels, x[start]);
      if (column.kind === 'molecule') {
        return moleculeOf(
          column,
          Array.from({ length: at - start }, (_, i) => x[start + i]!),
        );
      }
      if (column.kind !== 'sequence') return x[start];
      const letters = Array.from({ length: column.length }, (_, k) =>
        levelAt(column.name, column.letters, x[start + k]),
      );
      return letters.join('');
    });
  });
}

function levelAt(name: string, levels: readonly string[], index: number): string {
  const level = levels[index];
  if (level === undefined)
    throw new ArgumentError('x', `${shown(name)} has no class ${index}; expected 0 to ${levels.length - 1}`);
  return level;
}

/** Where the numbers of each column begin in a design. */
export function placesOf(columns: readonly DesignColumn[]): Map<string, number> {
  const places = new Map<string, number>();
  let at = 0;
  for (const column of columns) {
    places.set(column.name, at);
    at += width(column);
  }
  return places;
}

/** Where the numbers of a column begin in a design; undefined if designs have no such column. */
export function placeOf(columns: readonly DesignColumn[], name: string): number | undefined {
  let at = 0;
  for (const column of columns) {
    if (column.name === name) return at;
    at += width(column);
  }
  return undefined;
}
