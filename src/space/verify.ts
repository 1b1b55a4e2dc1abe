/**
 * The last word on a design: reads the space as its author wrote it, and imports nothing that searches, so that a
 * mistake of the search cannot hide itself here.
 */
import { requireLength } from '../numeric/errors.js';
import { portablePower } from '../numeric/portable.js';
import type { CardinalityConstraint, Formula, FormulaConstraint, LinearConstraint, Space } from './space.js';

/**
 * What a design breaks, in the words of the space; nothing if it is feasible. `x` holds d numbers in user units.
 * `tolerance` counts in units of the number compared with, but no less than 1; a sum may be off by its rounding on top,
 * 8 epsilon of what went into it. Members of a group are counted as people count: what is
 * not 0 is there.
 */
export function violations(space: Space, x: ArrayLike<number>, tolerance = 1e-9): string[] {
  const { columns, fixed = [], forbidden = [], listed = [], conditional = [], choices } = space;
  requireLength('x', x, columns.length);
  const broken: string[] = [];
  const differs = (a: number, b: number) => !(Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b)));

  columns.forEach((column, j) => {
    const value = x[j]!;
    const name = column.name ?? `column ${j}`;
    if (column.kind === 'categorical') {
      const isClass = Number.isInteger(value) && value >= 0 && value < column.classes;
      if (!isClass) broken.push(`${name} is ${value}, not a class from 0 to ${column.classes - 1}`);
      return;
    }
    const { lower, upper, step } = column;
    if (!Number.isFinite(value)) broken.push(`${name} is ${value}, not a number`);
    else if ((value < lower && differs(value, lower)) || (value > upper && differs(value, upper))) {
      broken.push(`${name} in ${lower}..${upper}: it is ${value}`);
    } else if (step !== undefined) {
      const nearest = lower + step * Math.round((value - lower) / step);
      if (differs(value, nearest)) broken.push(`${name} in steps of ${step} from ${lower}: it is ${value}`);
    }
  });
  for (const { column, value, label } of fixed) {
    if (differs(x[column]!, value)) broken.push(`${label}: it is ${x[column]}`);
  }
  for (const one of brokenNumbers(space, x, tolerance)) broken.push(one);
  for (const { when, label, ...then } of conditional) {
    if (!when.every(({ column, classes }) => classes.includes(x[column]!))) continue;
    if (brokenNumbers(then, x, tolerance).length > 0) broken.push(label);
  }
  for (const { terms, label } of forbidden) {
    if (terms.every(({ column, classes }) => classes.includes(x[column]!))) broken.push(label);
  }
  for (const { columns: tied, rows, label } of listed) {
    let isListed = false;
    for (let row = 0; row < rows.length && !isListed; row += tied.length) {
      isListed = tied.every((j, i) => !differs(x[j]!, rows[row + i]!));
    }
    if (!isListed) broken.push(`${label}: it is none of them`);
  }
  if (choices) {
    const d = columns.length;
    let isChoice = false;
    for (let row = 0; row < choices.length && !isChoice; row += d) {
      isChoice = columns.every((_, j) => !differs(x[j]!, choices[row + j]!));
    }
    if (!isChoice) broken.push('one of the given rows: it is none of them');
  }
  return broken;
}

/** What holds for numbers alone: sums, formulas, groups. */
function brokenNumbers(
  {
    linear = [],
    formulas = [],
    cardinality = [],
  }: {
    readonly linear?: readonly LinearConstraint[];
    readonly formulas?: readonly FormulaConstraint[];
    readonly cardinality?: readonly CardinalityConstraint[];
  },
  x: ArrayLike<number>,
  tolerance: number,
): string[] {
  const broken: string[] = [];
  for (const { terms, relation, bound, label } of linear) {
    let sum = 0;
    let total = 0;
    for (const { column, weight } of terms) {
      sum += weight * x[column]!;
      total += Math.abs(weight * x[column]!);
    }
    const excess = relation === '<=' ? sum - bound : relation === '>=' ? bound - sum : Math.abs(sum - bound);
    const allowed = tolerance * Math.max(1, Math.abs(bound)) + 8 * Number.EPSILON * total;
    if (!(excess <= allowed)) broken.push(`${label}: the sum is ${sum}`);
  }
  for (const { formula, lower, upper, label } of formulas) {
    const { value, rounding } = evaluate(formula, x);
    const isHeld = (excess: number, bound: number) =>
      excess <= tolerance * Math.max(1, Math.abs(bound)) + 2 * rounding;
    const isAbove = lower === Number.NEGATIVE_INFINITY || isHeld(lower - value, lower);
    const isBelow = upper === Number.POSITIVE_INFINITY || isHeld(value - upper, upper);
    if (!Number.isFinite(value) || !isAbove || !isBelow) broken.push(`${label}: it is ${value}`);
  }
  for (const { columns: counted, atLeast, atMost, label } of cardinality) {
    const present = counted.filter((j) => Math.abs(x[j]!) > 0).length;
    if (present < atLeast || present > atMost) broken.push(`${label}: ${present} are not zero`);
  }
  return broken;
}

/** A formula's value and what rounding may have done to it. */
function evaluate(formula: Formula, x: ArrayLike<number>): { value: number; rounding: number } {
  const rounded = (value: number, rounding: number) => ({
    value,
    rounding: rounding + Number.EPSILON * Math.abs(value),
  });
  if (formula.kind === 'number') return { value: formula.value, rounding: 0 };
  if (formula.kind === 'column') return rounded(x[formula.column]!, 0);
  if (formula.kind === 'power') {
    const { base, exponent } = formula;
    const b = evaluate(base, x);
    const value = exponent === 0.5 ? Math.sqrt(b.value) : portablePower(b.value, exponent);
    return rounded(value, b.value === 0 ? 0 : Math.abs((exponent * value) / b.value) * b.rounding);
  }
  const a = evaluate(formula.left, x);
  const b = evaluate(formula.right, x);
  if (formula.kind === 'sum') return rounded(a.value + b.value, a.rounding + b.rounding);
  const cross = Math.abs(a.value) * b.rounding + Math.abs(b.value) * a.rounding;
  if (formula.kind === 'product') return rounded(a.value * b.value, cross);
  return rounded(a.value / b.value, cross / b.value ** 2);
}
