import { ArgumentError } from '../numeric/errors.js';
import { type DesignColumn, vocabularyOf } from './buildSpace.js';
import { type ConstraintStatement, parseConstraint } from './expressions.js';
import { printConstraint } from './printConstraint.js';
import type { ColumnSpec, ProblemSpec } from './problemFile.js';
import { shown, suggestion } from './tokens.js';

/**
 * All that a problem file says about where designs may lie, but for its mixtures: bounds, steps and fixed values of
 * columns, then its constraints. `columns` are those that designs have; `others` exist in the table as well (goals,
 * contexts). Throws `ArgumentError` or `ExpressionError` where a name is unknown.
 */
export function problemStatements(
  spec: Pick<ProblemSpec, 'columns' | 'constraints'>,
  columns: readonly DesignColumn[],
  others: readonly string[] = [],
): ConstraintStatement[] {
  const vocabulary = vocabularyOf(columns);
  const settings = Object.entries(spec.columns ?? {}).flatMap(([name, setting]) => {
    const column = columns.find((own) => own.name === name);
    if (column) return columnStatements(column, setting);
    const known = [...vocabulary.columns, ...others];
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
