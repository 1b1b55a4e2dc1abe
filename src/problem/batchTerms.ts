// What a batch as a whole has to be like: columns with few values in it, what designs cost, and designs it has to hold.

import { ArgumentError } from '../numeric/errors.js';
import { columnsOf, differentiate } from '../space/formulas.js';
import { violations } from '../space/index.js';
import type { Formula } from '../space/space.js';
import { columnCalled } from '../table/cellText.js';
import { type Table, TableError } from '../table/table.js';
import { decodeRows, placeOf } from './buildSpace.js';
import { width } from './columnPlaces.js';
import type { BatchSettings } from './problemSpec.js';
import { parseFormula } from './relationExpression.js';
import { followingValue } from './relations.js';
import { type Problem, toCells } from './stateProblem.js';
import { toDesigns } from './toDataset.js';
import { ExpressionError, labelOf, listedNames, shown, suggestion } from './tokens.js';

/** A column with few values in a batch. */
export interface SharedColumn {
  readonly column: string;
  /** Where its numbers lie in a design. */
  readonly places: readonly number[];
  /** How many values the batch may have. */
  readonly most: number;
}

/** What designs cost, and what a batch may. */
export interface Cost {
  readonly label: string;
  readonly formula: Formula<string>;
  /** Of a design; infinite where the formula has no value. */
  readonly of: (x: ArrayLike<number>) => number;
  readonly budget: number | null;
}

/** `temperature`, `temperature, time` or `3 values of temperature`. Throws `ExpressionError`. */
export function parseSame(text: string, columns?: readonly string[]): { columns: string[]; most: number } {
  const label = text.trim();
  if (columns?.includes(label)) return { columns: [label], most: 1 };
  const fail = (reason: string): never => {
    throw new ExpressionError('same', text, 0, reason);
  };
  const counted = /^(\d+)\s+(?:different\s+)?values?\s+of\s+(.+)$/is.exec(label);
  const most = counted ? Number(counted[1]) : 1;
  const rest = counted ? counted[2]!.trim() : label;
  const names = columns?.includes(rest) ? [rest] : listedNames(rest);
  if (names.length === 0) return fail('expected a column, as in "temperature" or "3 values of temperature"');
  if (!(most >= 1 && most <= 1e6)) return fail('expected one value at least');
  if (counted && names.length > 1) return fail('expected one column after "values of"');
  const unknown = columns && names.find((name) => !columns.includes(name));
  if (unknown !== undefined)
    return fail(`no column is called ${shown(unknown)}${suggestion(unknown, columns!)}`);
  return { columns: names, most };
}

/** Throws `ExpressionError` or `ArgumentError`. */
export function sharedColumns(problem: Problem, { same = [] }: BatchSettings): SharedColumn[] {
  const names = problem.table.columns.map(({ name }) => name);
  const found = same.flatMap((text) => {
    const { columns, most } = parseSame(text, names);
    return columns.map((column) => ({ column, most, places: placesOf(problem, column) }));
  });
  found.forEach(({ column }, i) => {
    if (found.findIndex((one) => one.column === column) < i)
      throw new ArgumentError('same', `same: ${shown(column)} is listed twice; give it once`);
  });
  return found;
}

function placesOf({ columns, tableColumns }: Problem, name: string): number[] {
  const start = placeOf(columns, name);
  if (start === undefined) {
    const role = tableColumns.find((column) => column.name === name)?.role ?? 'left out';
    throw new ArgumentError(
      'same',
      `same: ${shown(name)} is ${role === 'goal' ? 'a goal' : 'left out'}, so designs do not set it`,
    );
  }
  const column = columns.find((one) => one.name === name)!;
  return Array.from({ length: width(column) }, (_, i) => start + i);
}

/** Null where no cost is given. Throws `ExpressionError` or `ArgumentError`. */
export function costOf(problem: Problem, { cost, budget }: BatchSettings): Cost | null {
  if (cost === undefined) {
    if (budget === undefined) return null;
    throw new ArgumentError(
      'budget',
      'a budget needs a cost, such as "0.2*Pd + 1.5*ligand": what one design costs',
    );
  }
  if (budget !== undefined && !(budget > 0 && Number.isFinite(budget)))
    throw new ArgumentError('budget', `budget is ${budget}; expected a positive number`);
  const { table, choices } = problem;
  const names = [...new Set([...table.columns, ...(choices?.columns ?? [])].map(({ name }) => name))];
  const formula = parseFormula(cost, 'cost', names);
  const used = namesIn(formula);
  for (const name of used) requirePriced(problem, name);
  const numbered = renamed(formula, (name) => used.indexOf(name));
  const order = used.map((_, i) => i);
  const valuesOf = numbersOf(problem);
  return {
    label: labelOf(cost),
    formula,
    budget: budget ?? null,
    of: (x) => {
      const values = valuesOf(x);
      const { value } = differentiate(
        numbered,
        used.map((name) => Number(values(name) ?? Number.NaN)),
        order,
      );
      return Number.isFinite(value) ? value : Number.POSITIVE_INFINITY;
    },
  };
}

/** What a design has in a column that it sets, that follows from it, or that stands beside it in a list. */
function numbersOf(problem: Problem): (x: ArrayLike<number>) => (name: string) => unknown {
  const { choices, space, relations } = problem;
  const d = space.columns.length;
  const rows = new Map<string, number>();
  for (let row = 0; space.choices && row * d < space.choices.length; row++)
    rows.set(space.choices.subarray(row * d, (row + 1) * d).join(), row);
  return (x) => {
    const [cells] = toCells(problem, x);
    const all: Record<string, unknown> = { ...cells };
    for (const relation of relations)
      all[relation.column] = followingValue(relation, (name) => Number(all[name]));
    const listed = rows.get(Array.from(x).join());
    return (name) => {
      if (Object.hasOwn(all, name)) return all[name];
      const column = choices?.columns.find((one) => one.name === name);
      return column?.kind === 'number' && listed !== undefined ? column.values[listed] : undefined;
    };
  };
}

function requirePriced({ tableColumns, columns, relations, choices }: Problem, name: string): void {
  const refuse = (message: string): never => {
    throw new ArgumentError('cost', `cost: ${shown(name)} ${message}`);
  };
  const column = columns.find((one) => one.name === name);
  if (column && column.kind !== 'number' && column.kind !== 'integer')
    refuse('holds text; expected columns of numbers');
  if (column || relations.some((one) => one.column === name)) return;
  const listed = choices?.columns.find((one) => one.name === name);
  if (listed?.kind === 'number') return;
  if (listed) refuse('holds text; expected columns of numbers');
  if (tableColumns.find((one) => one.name === name)?.role === 'goal')
    refuse('is a goal: it is not known before the design is measured');
  refuse('is left out, so designs do not set it');
}

function namesIn(formula: Formula<string>): string[] {
  if (formula.kind === 'number') return [];
  if (formula.kind === 'column') return [formula.column];
  if (formula.kind === 'power') return namesIn(formula.base);
  return [...new Set([...namesIn(formula.left), ...namesIn(formula.right)])];
}

function renamed(formula: Formula<string>, place: (name: string) => number): Formula {
  if (formula.kind === 'number') return formula;
  if (formula.kind === 'column') return { kind: 'column', column: place(formula.column) };
  if (formula.kind === 'power') return { ...formula, base: renamed(formula.base, place) };
  return { ...formula, left: renamed(formula.left, place), right: renamed(formula.right, place) };
}

/** The cost as a constraint on one design; undefined where it is about more than what designs set. */
export function costConstraint({ columns, space }: Problem, { formula, label }: Cost, most: number) {
  if (namesIn(formula).some((name) => placeOf(columns, name) === undefined)) return undefined;
  const numbered = renamed(formula, (name) => placeOf(columns, name)!);
  const terms = columnsOf(numbered);
  const zero = new Float64Array(space.columns.length);
  const at = differentiate(numbered, zero, terms);
  const said = `${label} <= ${most}`;
  return isAffine(formula)
    ? {
        linear: {
          terms: terms.map((column, i) => ({ column, weight: at.slopes[i]! })),
          relation: '<=' as const,
          bound: most - at.value,
          label: said,
        },
      }
    : { formula: { formula: numbered, lower: Number.NEGATIVE_INFINITY, upper: most, label: said } };
}

function isAffine(formula: Formula<string>): boolean {
  if (formula.kind === 'number' || formula.kind === 'column') return true;
  if (formula.kind === 'power') return false;
  const { kind, left, right } = formula;
  if (kind === 'quotient') return isAffine(left) && right.kind === 'number';
  if (kind === 'product')
    return isAffine(left) && isAffine(right) && (left.kind === 'number' || right.kind === 'number');
  return isAffine(left) && isAffine(right);
}

/**
 * The designs that a batch has to hold, as they are written: n x d. Columns that every design has the same may be
 * absent. Throws `TableError` where one is no design of the problem.
 */
export function keptDesigns(problem: Problem, table: Table): Float64Array {
  const { x } = toDesigns(problem, withFixed(problem, table));
  const d = problem.space.columns.length;
  for (let row = 0; row < table.rows; row++) {
    const design = x.subarray(row * d, (row + 1) * d);
    const [broken] = violations(problem.space, design);
    if (broken === undefined) continue;
    const line = table.lines?.[row];
    const where = line === undefined ? `${table.name}, row ${row + 1}` : `${table.name}, line ${line}`;
    throw new TableError(
      `${where}: the design cannot be kept, for it breaks ${broken}; change the row, or what it breaks`,
      { file: table.name, ...(line !== undefined && { line }) },
    );
  }
  return x;
}

/** The table with the columns that it lacks and that have one value in every design. */
function withFixed({ columns, space }: Problem, table: Table): Table {
  const fixed = new Map((space.fixed ?? []).map(({ column, value }) => [column, value]));
  const lacking = columns.filter((column) => {
    const start = placeOf(columns, column.name)!;
    const isFixed = Array.from({ length: width(column) }, (_, i) => start + i).every((at) => fixed.has(at));
    return isFixed && !columnCalled(table.columns, column.name);
  });
  if (lacking.length === 0) return table;
  const added = lacking.map((column): Table['columns'][number] => {
    const start = placeOf(columns, column.name)!;
    const numbers = Array.from({ length: width(column) }, (_, i) => fixed.get(start + i)!);
    const cell = decodeRows([column], numbers)[0]![0]!;
    return typeof cell === 'number'
      ? { kind: 'number', name: column.name, values: new Float64Array(table.rows).fill(cell) }
      : { kind: 'text', name: column.name, levels: [cell], codes: new Int32Array(table.rows) };
  });
  return { ...table, columns: [...table.columns, ...added] };
}
