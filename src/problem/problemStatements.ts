// Where designs may lie, from the settings of columns and the constraints of a spec, and constraints back as text.

import { ArgumentError } from '../numeric/errors.js';
import type { Formula } from '../space/space.js';
import { type DesignColumn, vocabularyOf } from './buildSpace.js';
import {
  type CategoryCondition,
  type Conclusion,
  type ConstraintStatement,
  type FormulaStatement,
  type LinearStatement,
  parseConstraint,
} from './expressions.js';
import type { ColumnSpec, ProblemSpec } from './problemSpec.js';
import { quoteName, shown, suggestion } from './tokens.js';

/**
 * All that a problem file says about where designs may lie, but for its mixtures: bounds, steps and fixed values of
 * columns, then its constraints. `columns` are those that designs have; `others` exist in the table as well, each with
 * why designs do not set it. Throws `ArgumentError` or `ExpressionError` where a name is unknown.
 */
export function problemStatements(
  spec: Pick<ProblemSpec, 'columns' | 'constraints'>,
  columns: readonly DesignColumn[],
  others: ReadonlyMap<string, string> = new Map(),
): ConstraintStatement[] {
  const vocabulary = { ...vocabularyOf(columns), closed: others };
  const settings = Object.entries(spec.columns ?? {}).flatMap(([name, setting]) => {
    const column = columns.find((candidate) => candidate.name === name);
    if (column) return columnStatements(column, setting);
    const known = [...vocabulary.columns, ...others.keys()];
    if (!known.includes(name))
      throw new ArgumentError('columns', `no column is called ${shown(name)}${suggestion(name, known)}`);
    if (setting.bounds || setting.step !== undefined || setting.fixed !== undefined)
      throw new ArgumentError(
        'columns',
        `${shown(name)} is no setting of a design, so it has no bounds, step or value`,
      );
    return [];
  });
  return [...settings, ...(spec.constraints ?? []).map((text) => parseConstraint(text, vocabulary))];
}

function columnStatements(column: DesignColumn, { bounds, step, fixed }: ColumnSpec): ConstraintStatement[] {
  const statements: ConstraintStatement[] = [];
  const add = (statement: ConstraintStatement) =>
    statements.push({ ...statement, label: printConstraint(statement) });
  if (fixed !== undefined) {
    const value = typeof fixed === 'boolean' ? String(fixed) : fixed;
    add({ kind: 'fixed', column: column.name, value, label: '' });
  }
  if (bounds || step !== undefined) {
    if (column.kind !== 'number' && column.kind !== 'integer')
      throw new ArgumentError(
        'columns',
        `${shown(column.name)} is a ${column.kind}; bounds and steps are for numbers`,
      );
    const [lower, upper] = bounds ?? [column.min, column.max];
    add({
      kind: 'bounds',
      column: column.name,
      lower,
      upper,
      ...(step !== undefined && { step }),
      label: '',
    });
  }
  return statements;
}

/** The constraint in the language, so that it parses to the same one again (but for its label). */
export function printConstraint(statement: ConstraintStatement): string {
  switch (statement.kind) {
    case 'linear':
      return printLinear(statement);
    case 'cardinality': {
      const { atLeast, atMost, columns } = statement;
      const count =
        atLeast === atMost
          ? `exactly ${atMost}`
          : atLeast === 0
            ? `at most ${atMost}`
            : `at least ${atLeast}`;
      return `${count} of ${columns.map((name) => quoteName(name)).join(', ')}`;
    }
    case 'formula':
      return printFormulaRelation(statement);
    case 'conditional': {
      const conditions = statement.conditions.map(printCondition).join(' and ');
      return `if ${conditions} then ${statement.conclusions.map(printConclusion).join(' and ')}`;
    }
    case 'forbidden':
      return `forbid ${statement.conditions.map(printCondition).join(' and ')}`;
    case 'bounds': {
      const step = statement.step === undefined ? '' : ` step ${statement.step}`;
      return `${quoteName(statement.column)} = ${statement.lower}..${statement.upper}${step}`;
    }
    case 'fixed': {
      const { value } = statement;
      return `${quoteName(statement.column)} = ${typeof value === 'number' ? value : quoteName(value)}`;
    }
  }
}

/** "forbid" cannot follow "then": a single condition is said the other way round. */
function printConclusion(statement: Conclusion): string {
  if (statement.kind !== 'forbidden') return printConstraint(statement);
  const [only] = statement.conditions;
  return printCondition({ ...only!, isNegated: !only!.isNegated });
}

function printFormulaRelation({ formula, lower, upper }: FormulaStatement): string {
  const text = printFormula(formula);
  if (lower === upper) return `${text} = ${upper}`;
  if (lower === undefined) return `${text} <= ${upper}`;
  return upper === undefined ? `${text} >= ${lower}` : `${text} = ${lower}..${upper}`;
}

function printFormula(formula: Formula<string>): string {
  if (formula.kind === 'number') return formula.value < 0 ? `(${formula.value})` : String(formula.value);
  if (formula.kind === 'column') return quoteName(formula.column);
  if (formula.kind === 'power') return `(${printFormula(formula.base)})^${formula.exponent}`;
  const symbol = { sum: ' + ', product: '*', quotient: '/' }[formula.kind];
  return `(${printFormula(formula.left)}${symbol}${printFormula(formula.right)})`;
}

function printCondition({ column, values, isNegated }: CategoryCondition): string {
  return `${quoteName(column)} ${isNegated ? 'not in' : 'in'} (${values.map((value) => quoteName(value)).join(', ')})`;
}

function printLinear({ terms, relation, bound }: LinearStatement): string {
  // "a = 3" alone would fix a.
  const isFixedLookalike = terms.length === 1 && relation === '=';
  const sum = terms.map(({ column, weight }, i) => {
    const size = Math.abs(weight);
    const factor = size === 1 && !isFixedLookalike ? '' : `${size}*`;
    const sign = weight < 0 ? (i === 0 ? '-' : ' - ') : i === 0 ? '' : ' + ';
    return `${sign}${factor}${quoteName(column)}`;
  });
  return `${sum.join('')} ${relation} ${bound}`;
}
