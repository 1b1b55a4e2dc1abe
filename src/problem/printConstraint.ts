import type { CategoryCondition, ConstraintStatement, LinearStatement } from './expressions.js';
import { quoteName } from './tokens.js';

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
