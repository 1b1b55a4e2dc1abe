import { ArgumentError, requireFinite, ShapeError } from '../numeric/errors.js';
import type { Space, SpaceColumn } from './space.js';

/** A column in messages: its name if it has one. */
export function nameOf(space: Space, j: number): string {
  return space.columns[j]?.name ?? `column ${j}`;
}

function refuse(argument: string, message: string): never {
  throw new ArgumentError(argument, message);
}

/** Throws a typed error at the first thing in a space that means nothing; says nothing about feasibility. */
export function requireSpace(space: Space): void {
  if (space.columns.length === 0) refuse('columns', 'the space has no columns');
  space.columns.forEach((column, j) => requireColumn(column, nameOf(space, j)));
  for (const { column, value, label } of space.fixed ?? []) {
    const spec = columnOf(space, 'fixed', column, label);
    if (!Number.isFinite(value)) refuse('fixed', `"${label}" fixes ${nameOf(space, column)} at ${value}`);
    if (spec.kind === 'categorical') requireClass(space, 'fixed', column, value, label);
  }
  for (const { terms, relation, bound, label } of space.linear ?? []) {
    for (const { column, weight } of terms) {
      requireContinuous(space, 'linear', column, label);
      if (!Number.isFinite(weight)) refuse('linear', `"${label}" has weight ${weight}; expected a number`);
    }
    if (!['<=', '>=', '='].includes(relation)) refuse('linear', `"${label}" has relation ${relation}`);
    if (!Number.isFinite(bound)) refuse('linear', `"${label}" has bound ${bound}; expected a number`);
  }
  for (const group of space.cardinality ?? []) requireGroup(space, group);
  for (const { terms, label } of space.forbidden ?? []) {
    if (terms.length === 0) refuse('forbidden', `"${label}" lists no column`);
    for (const { column, classes } of terms) {
      if (columnOf(space, 'forbidden', column, label).kind !== 'categorical') {
        refuse('forbidden', `"${label}" speaks of ${nameOf(space, column)}, which has no classes`);
      }
      for (const c of classes) requireClass(space, 'forbidden', column, c, label);
    }
  }
  requireLists(space);
  if (space.choices) requireChoices(space, space.choices);
}

/** Columns of a list belong to it alone: what else speaks of them would have to agree with every row. */
function requireLists(space: Space): void {
  const others = new Map<number, string>();
  for (const { column, label } of space.fixed ?? []) others.set(column, label);
  for (const { terms, label } of space.linear ?? [])
    for (const { column } of terms) others.set(column, label);
  for (const { columns, label } of space.cardinality ?? []) for (const j of columns) others.set(j, label);
  for (const { columns, rows, label } of space.listed ?? []) {
    if (columns.length === 0) refuse('listed', `"${label}" lists no column`);
    if (rows.length === 0) refuse('listed', `"${label}" has no rows`);
    if (rows.length % columns.length !== 0) {
      throw new ShapeError(
        'listed',
        `"${label}" has ${rows.length} numbers, not a multiple of ${columns.length} columns`,
      );
    }
    columns.forEach((j, i) => {
      const { lower, upper, step } = requireContinuous(space, 'listed', j, label);
      const name = nameOf(space, j);
      const other = others.get(j);
      if (other !== undefined) {
        refuse('listed', `${name} is listed by "${label}", so "${other}" cannot speak of it as well`);
      }
      others.set(j, label);
      if (step !== undefined) refuse('listed', `${name} is listed by "${label}", so it has no step`);
      for (let at = i; at < rows.length; at += columns.length) {
        if (rows[at]! >= lower && rows[at]! <= upper) continue;
        const row = (at - i) / columns.length;
        refuse('listed', `"${label}", row ${row}: ${rows[at]} is not in ${name}'s ${lower}..${upper}`);
      }
    });
  }
}

function requireColumn(column: SpaceColumn, name: string): void {
  if (column.kind === 'categorical') {
    if (!Number.isSafeInteger(column.classes) || column.classes < 1) {
      refuse('columns', `${name} has ${column.classes} classes; expected a positive integer`);
    }
    return;
  }
  const { lower, upper, step, scale } = column;
  if (!(lower <= upper) || lower === Number.POSITIVE_INFINITY || upper === Number.NEGATIVE_INFINITY) {
    refuse('columns', `${name} has bounds ${lower} to ${upper}; expected the lower not above the upper`);
  }
  if (scale !== undefined && scale !== 'log') refuse('columns', `${name} has scale ${scale}; expected "log"`);
  if (scale === 'log' && !(lower > 0)) {
    refuse('columns', `${name} has a logarithmic scale and lower bound ${lower}; give it one above 0`);
  }
  if (step === undefined) return;
  if (!(step > 0 && step < Number.POSITIVE_INFINITY)) {
    refuse('columns', `${name} has step ${step}; expected a positive number`);
  }
  if (!Number.isFinite(lower)) {
    refuse('columns', `${name} has a step but no lower bound; steps are counted from it, so give one`);
  }
}

function requireGroup(
  space: Space,
  { columns, atLeast, atMost, label }: NonNullable<Space['cardinality']>[number],
): void {
  for (const j of columns) {
    const column = requireContinuous(space, 'cardinality', j, label);
    if (Number.isFinite(column.lower) && Number.isFinite(column.upper)) continue;
    refuse('cardinality', `"${label}" counts ${nameOf(space, j)}; give it a finite lower and upper bound`);
  }
  if (new Set(columns).size < columns.length) refuse('cardinality', `"${label}" lists a column twice`);
  const isCount = (n: number) => Number.isSafeInteger(n) && n >= 0;
  if (!isCount(atLeast) || !isCount(atMost) || atLeast > atMost) {
    refuse(
      'cardinality',
      `"${label}" asks for ${atLeast} to ${atMost}; expected whole numbers in this order`,
    );
  }
  if (atLeast > columns.length) {
    refuse('cardinality', `"${label}" asks for at least ${atLeast} of ${columns.length} columns`);
  }
}

function requireChoices(space: Space, choices: Float64Array): void {
  const d = space.columns.length;
  if (choices.length === 0) refuse('choices', 'choices has no rows; leave it out to allow every design');
  if (choices.length % d !== 0) {
    throw new ShapeError('choices', `choices has ${choices.length} numbers, not a multiple of ${d} columns`);
  }
  requireFinite('choices', choices);
}

function columnOf(space: Space, argument: string, j: number, label: string): SpaceColumn {
  const column = space.columns[j];
  return (
    column ?? refuse(argument, `"${label}" speaks of column ${j}; expected 0 to ${space.columns.length - 1}`)
  );
}

function requireContinuous(space: Space, argument: string, j: number, label: string) {
  const column = columnOf(space, argument, j, label);
  if (column.kind === 'continuous') return column;
  return refuse(argument, `"${label}" speaks of ${nameOf(space, j)}, which is not a number`);
}

function requireClass(space: Space, argument: string, j: number, c: number, label: string): void {
  const column = space.columns[j]!;
  if (column.kind !== 'categorical' || (Number.isSafeInteger(c) && c >= 0 && c < column.classes)) return;
  refuse(
    argument,
    `"${label}" speaks of class ${c} of ${nameOf(space, j)}; expected 0 to ${column.classes - 1}`,
  );
}
