import { ArgumentError, requireFinite, ShapeError } from '../numeric/errors.js';
import { columnsOf } from './formulas.js';
import type {
  ConditionalConstraint,
  Formula,
  FormulaConstraint,
  LinearConstraint,
  Space,
  SpaceColumn,
} from './space.js';

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
  requireNumbers(space, space);
  for (const { terms, label } of space.forbidden ?? []) requireClasses(space, 'forbidden', terms, label);
  for (const { when, label, ...then } of space.conditional ?? []) {
    requireClasses(space, 'conditional', when, label);
    requireNumbers(space, then);
  }
  requireLists(space);
  if (space.choices) requireChoices(space, space.choices);
}

function requireClasses(
  space: Space,
  argument: 'forbidden' | 'conditional',
  terms: ConditionalConstraint['when'],
  label: string,
): void {
  if (terms.length === 0) refuse(argument, `"${label}" lists no column`);
  for (const { column, classes } of terms) {
    if (columnOf(space, argument, column, label).kind !== 'categorical') {
      refuse(argument, `"${label}" speaks of ${nameOf(space, column)}, which has no classes`);
    }
    for (const c of classes) requireClass(space, argument, column, c, label);
  }
}

/** Sums, formulas and groups, of a space or of one of its conditions. */
function requireNumbers(
  space: Space,
  { linear = [], formulas = [], cardinality = [] }: Pick<Space, 'linear' | 'formulas' | 'cardinality'>,
): void {
  for (const constraint of linear) requireSum(space, constraint);
  for (const constraint of formulas) requireFormula(space, constraint);
  for (const group of cardinality) requireGroup(space, group);
}

function requireSum(space: Space, { terms, relation, bound, label }: LinearConstraint): void {
  for (const { column, weight } of terms) {
    requireContinuous(space, 'linear', column, label);
    if (!Number.isFinite(weight)) refuse('linear', `"${label}" has weight ${weight}; expected a number`);
  }
  if (!['<=', '>=', '='].includes(relation)) refuse('linear', `"${label}" has relation ${relation}`);
  if (!Number.isFinite(bound)) refuse('linear', `"${label}" has bound ${bound}; expected a number`);
}

function requireFormula(space: Space, { formula, lower, upper, label }: FormulaConstraint): void {
  if (!(lower <= upper) || (lower === Number.NEGATIVE_INFINITY && upper === Number.POSITIVE_INFINITY)) {
    refuse('formulas', `"${label}" has bounds ${lower} to ${upper}; expected one at least, in this order`);
  }
  const visit = (part: Formula): void => {
    if (part.kind === 'column') requireContinuous(space, 'formulas', part.column, label);
    else if (part.kind === 'number') {
      if (!Number.isFinite(part.value)) refuse('formulas', `"${label}" has the number ${part.value}`);
    } else if (part.kind === 'power') {
      const { exponent } = part;
      const isWhole = Number.isInteger(exponent) && exponent >= 1 && exponent <= 9;
      if (!isWhole && exponent !== 0.5) {
        refuse('formulas', `"${label}" has exponent ${exponent}; expected 1 to 9, or 0.5`);
      }
      visit(part.base);
    } else {
      visit(part.left);
      visit(part.right);
    }
  };
  visit(formula);
}

/** Columns of a list belong to it alone: what else speaks of them would have to agree with every row. */
function requireLists(space: Space): void {
  const others = new Map<number, string>();
  for (const { column, label } of space.fixed ?? []) others.set(column, label);
  for (const { terms, label } of space.linear ?? [])
    for (const { column } of terms) others.set(column, label);
  for (const { columns, label } of space.cardinality ?? []) for (const j of columns) others.set(j, label);
  for (const { formula, label } of space.formulas ?? [])
    for (const j of columnsOf(formula)) others.set(j, label);
  for (const { linear = [], formulas = [], cardinality = [], label } of space.conditional ?? []) {
    const joined = [
      ...linear.flatMap(({ terms }) => terms.map(({ column }) => column)),
      ...formulas.flatMap(({ formula }) => columnsOf(formula)),
      ...cardinality.flatMap(({ columns }) => columns),
    ];
    for (const j of joined) others.set(j, label);
  }
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
