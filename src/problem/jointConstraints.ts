// Constraints that join columns, from the user's words to the numbers of a space.

import type {
  CardinalityConstraint,
  ConditionalConstraint,
  ForbiddenCombination,
  Formula,
  FormulaConstraint,
  LinearConstraint,
  Space,
} from '../space/space.js';
import { type Places, refuse } from './columnPlaces.js';
import type {
  CardinalityStatement,
  CategoryCondition,
  Conclusion,
  ConditionalStatement,
  ConstraintStatement,
  FormulaStatement,
  LinearStatement,
} from './expressions.js';
import { shown, suggestion } from './tokens.js';

/** Sums, groups, formulas, forbidden combinations and conditions; bounds and fixed values are not among them. */
export function relationsOf(
  statements: readonly ConstraintStatement[],
  places: Places,
): Pick<Space, 'linear' | 'cardinality' | 'formulas' | 'forbidden' | 'conditional'> {
  const linear: LinearConstraint[] = [];
  const cardinality: CardinalityConstraint[] = [];
  const formulas: FormulaConstraint[] = [];
  const forbidden: ForbiddenCombination[] = [];
  const conditional: ConditionalConstraint[] = [];
  for (const statement of statements) {
    const { kind, label } = statement;
    if (kind === 'linear') linear.push(linearConstraint(statement, places, label));
    else if (kind === 'formula') formulas.push(formulaConstraint(statement, places, label));
    else if (kind === 'cardinality') cardinality.push(groupConstraint(statement, places, label));
    else if (kind === 'forbidden') {
      const terms = classesOf(statement.conditions, places, label);
      if (terms) forbidden.push({ terms, label });
    } else if (kind === 'conditional') {
      const made = conditionalConstraint(statement, places);
      for (const one of made.forbidden) forbidden.push(one);
      for (const one of made.conditional) conditional.push(one);
    }
  }
  return {
    ...(linear.length > 0 && { linear }),
    ...(cardinality.length > 0 && { cardinality }),
    ...(formulas.length > 0 && { formulas }),
    ...(forbidden.length > 0 && { forbidden }),
    ...(conditional.length > 0 && { conditional }),
  };
}

function linearConstraint(
  { terms, relation, bound }: LinearStatement,
  places: Places,
  label: string,
): LinearConstraint {
  const placed = terms.map(({ column, weight }) => ({ column: places.number(column, label), weight }));
  return { terms: placed, relation, bound, label };
}

function formulaConstraint(
  { formula, lower = Number.NEGATIVE_INFINITY, upper = Number.POSITIVE_INFINITY }: FormulaStatement,
  places: Places,
  label: string,
): FormulaConstraint {
  const placed = (part: Formula<string>): Formula => {
    if (part.kind === 'number') return part;
    if (part.kind === 'column') return { kind: 'column', column: places.number(part.column, label) };
    if (part.kind === 'power') return { ...part, base: placed(part.base) };
    return { kind: part.kind, left: placed(part.left), right: placed(part.right) };
  };
  return { formula: placed(formula), lower, upper, label };
}

function groupConstraint(
  { columns, atLeast, atMost }: CardinalityStatement,
  places: Places,
  label: string,
): CardinalityConstraint {
  return { columns: columns.map((name) => places.number(name, label)), atLeast, atMost, label };
}

/** Classes by number; conditions on one column are merged. Nothing if the conditions can never all hold. */
function classesOf(
  conditions: readonly CategoryCondition[],
  places: Places,
  label: string,
): ForbiddenCombination['terms'] | undefined {
  const classes = new Map<number, number[]>();
  for (const { column, values, isNegated } of conditions) {
    const { start, levels } = places.category(column, label);
    for (const value of values) {
      if (!levels.includes(value))
        refuse(label, `${shown(column)} is never ${shown(value)}${suggestion(value, levels)}`);
    }
    const allowed = classes.get(start) ?? levels.map((_, i) => i);
    classes.set(
      start,
      allowed.filter((i) => values.includes(levels[i]!) !== isNegated),
    );
  }
  const terms = [...classes].map(([column, indices]) => ({ column, classes: indices }));
  return terms.every((term) => term.classes.length > 0) ? terms : undefined;
}

/** Conclusions about numbers become one condition of the space, each about a category a forbidden combination. */
function conditionalConstraint(
  { conditions, conclusions, label }: ConditionalStatement,
  places: Places,
): { conditional: ConditionalConstraint[]; forbidden: ForbiddenCombination[] } {
  const linear: LinearConstraint[] = [];
  const formulas: FormulaConstraint[] = [];
  const cardinality: CardinalityConstraint[] = [];
  const forbidden: ForbiddenCombination[] = [];
  for (const conclusion of conclusions) {
    const shut = shutBy(conclusion, places, label);
    if (shut) {
      const terms = classesOf([...conditions, ...shut], places, label);
      if (terms) forbidden.push({ terms, label });
    } else if (conclusion.kind === 'linear') linear.push(linearConstraint(conclusion, places, label));
    else if (conclusion.kind === 'formula') formulas.push(formulaConstraint(conclusion, places, label));
    else if (conclusion.kind === 'cardinality') cardinality.push(groupConstraint(conclusion, places, label));
    else if (conclusion.kind === 'bounds' || conclusion.kind === 'fixed') {
      const terms = [{ column: places.number(conclusion.column, label), weight: 1 }];
      const add = (relation: LinearConstraint['relation'], bound: number) =>
        linear.push({ terms, relation, bound, label });
      if (conclusion.kind === 'bounds') {
        add('>=', conclusion.lower);
        add('<=', conclusion.upper);
      } else add('=', Number(conclusion.value));
    }
  }
  const when = classesOf(conditions, places, label);
  const isJoined = linear.length + formulas.length + cardinality.length > 0;
  if (!when || !isJoined) return { conditional: [], forbidden };
  const then = {
    ...(linear.length > 0 && { linear }),
    ...(formulas.length > 0 && { formulas }),
    ...(cardinality.length > 0 && { cardinality }),
  };
  return { conditional: [{ when, ...then, label }], forbidden };
}

/** Conditions that may not join those of the statement, where a conclusion is about a category. */
function shutBy(
  conclusion: Conclusion,
  places: Places,
  label: string,
): readonly CategoryCondition[] | undefined {
  if (conclusion.kind === 'forbidden') return conclusion.conditions;
  if (conclusion.kind !== 'fixed') return undefined;
  const { column, value } = conclusion;
  const { column: found } = places.find(column, label);
  if (found.kind === 'number' || found.kind === 'integer') {
    if (typeof value !== 'number') refuse(label, `${shown(column)} holds numbers; expected one`);
    return undefined;
  }
  const { levels } = places.category(column, label);
  const level = levels.find(
    (text) => text === String(value) || (text.trim() !== '' && Number(text) === value),
  );
  if (level === undefined)
    refuse(label, `${shown(column)} is never ${shown(String(value))}${suggestion(String(value), levels)}`);
  return [{ column, values: [level], isNegated: true }];
}
