/** Values, slopes and linear forms of formulas. */
import type { Formula, FormulaConstraint, SpaceColumn } from './space.js';

/** The columns of a formula, each once. */
export function columnsOf(formula: Formula): number[] {
  const found = new Set<number>();
  const visit = (part: Formula): void => {
    if (part.kind === 'column') found.add(part.column);
    else if (part.kind === 'power') visit(part.base);
    else if (part.kind !== 'number') {
      visit(part.left);
      visit(part.right);
    }
  };
  visit(formula);
  return [...found];
}

/** A value and its slopes in some columns, by forward differentiation. */
export interface Slopes {
  readonly value: number;
  readonly slopes: Float64Array;
}

/** `columns`: those of the formula, in the order of the slopes. */
export function differentiate(formula: Formula, x: ArrayLike<number>, columns: readonly number[]): Slopes {
  const joined = (value: number, a: Slopes, da: number, b: Slopes, db: number): Slopes => ({
    value,
    slopes: a.slopes.map((slope, i) => da * slope + db * b.slopes[i]!),
  });
  const visit = (part: Formula): Slopes => {
    if (part.kind === 'number') return { value: part.value, slopes: new Float64Array(columns.length) };
    if (part.kind === 'column') {
      const slopes = Float64Array.from(columns, (j) => Number(j === part.column));
      return { value: x[part.column]!, slopes };
    }
    if (part.kind === 'power') {
      const base = visit(part.base);
      const slope = part.exponent * power(base.value, part.exponent - 1);
      return joined(power(base.value, part.exponent), base, slope, base, 0);
    }
    const [a, b] = [visit(part.left), visit(part.right)];
    if (part.kind === 'sum') return joined(a.value + b.value, a, 1, b, 1);
    if (part.kind === 'product') return joined(a.value * b.value, a, b.value, b, a.value);
    return joined(a.value / b.value, a, 1 / b.value, b, -a.value / (b.value * b.value));
  };
  return visit(formula);
}

/** By multiplication and square roots, which every machine rounds alike. Exponents are whole or halves. */
function power(base: number, exponent: number): number {
  if (exponent === 0.5) return Math.sqrt(base);
  if (exponent === -0.5) return 1 / Math.sqrt(base);
  let result = 1;
  for (let i = 0; i < exponent; i++) result *= base;
  return result;
}

/** How far a formula is outside its bounds, 0 inside; NaN where it has no value. */
export function excessOfFormula({ formula, lower, upper }: FormulaConstraint, x: ArrayLike<number>): number {
  const { value } = differentiate(formula, x, []);
  if (!Number.isFinite(value)) return Number.NaN;
  return Math.max(0, lower - value, value - upper);
}

export function formulaHolds(constraint: FormulaConstraint, x: ArrayLike<number>, slack: number): boolean {
  const { lower, upper } = constraint;
  const { value } = differentiate(constraint.formula, x, []);
  return (
    Number.isFinite(value) &&
    (lower === Number.NEGATIVE_INFINITY || lower - value <= slack * Math.max(1, Math.abs(lower))) &&
    (upper === Number.POSITIVE_INFINITY || value - upper <= slack * Math.max(1, Math.abs(upper)))
  );
}

/** constant + sum of weights x column */
export interface AffineForm {
  readonly constant: number;
  readonly weights: ReadonlyMap<number, number>;
}

interface Ratio {
  readonly over: AffineForm;
  readonly under: AffineForm;
}

const one: AffineForm = { constant: 1, weights: new Map() };

function isConstant({ weights }: AffineForm): boolean {
  return weights.size === 0;
}

function combine(a: AffineForm, factor: number, b: AffineForm, other: number): AffineForm {
  const weights = new Map<number, number>();
  for (const [j, w] of a.weights) weights.set(j, factor * w);
  for (const [j, w] of b.weights) weights.set(j, (weights.get(j) ?? 0) + other * w);
  for (const [j, w] of weights) if (w === 0) weights.delete(j);
  return { constant: factor * a.constant + other * b.constant, weights };
}

function scaled(a: AffineForm, factor: number): AffineForm {
  return combine(a, factor, one, 0);
}

function isSame(a: AffineForm, b: AffineForm): boolean {
  if (a.constant !== b.constant || a.weights.size !== b.weights.size) return false;
  return [...a.weights].every(([j, w]) => b.weights.get(j) === w);
}

/** A formula as one sum over another; null where it is none. */
function ratioOf(part: Formula): Ratio | null {
  if (part.kind === 'number') return { over: scaled(one, part.value), under: one };
  if (part.kind === 'column')
    return { over: { constant: 0, weights: new Map([[part.column, 1]]) }, under: one };
  if (part.kind === 'power') return part.exponent === 1 ? ratioOf(part.base) : null;
  const [a, b] = [ratioOf(part.left), ratioOf(part.right)];
  if (!a || !b) return null;
  if (part.kind === 'sum') {
    if (isSame(a.under, b.under)) return { over: combine(a.over, 1, b.over, 1), under: a.under };
    if (isSame(a.under, one) && isConstant(a.over))
      return { over: combine(b.over, 1, b.under, a.over.constant), under: b.under };
    if (isSame(b.under, one) && isConstant(b.over))
      return { over: combine(a.over, 1, a.under, b.over.constant), under: a.under };
    return null;
  }
  const [top, bottom] =
    part.kind === 'product'
      ? [times(a.over, b.over), times(a.under, b.under)]
      : [times(a.over, b.under), times(a.under, b.over)];
  if (!top || !bottom) return null;
  // dividing by a number leaves a sum
  if (!isConstant(bottom) || bottom.constant === 0) return { over: top, under: bottom };
  return { over: scaled(top, 1 / bottom.constant), under: one };
}

function times(a: AffineForm, b: AffineForm): AffineForm | null {
  if (isConstant(a)) return scaled(b, a.constant);
  return isConstant(b) ? scaled(a, b.constant) : null;
}

/** The least and the greatest of a sum between the bounds of columns. */
function rangeOf({ constant, weights }: AffineForm, columns: readonly SpaceColumn[]): [number, number] {
  let [low, high] = [constant, constant];
  for (const [j, w] of weights) {
    const column = columns[j]!;
    if (column.kind !== 'continuous') return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    low += w > 0 ? w * column.lower : w * column.upper;
    high += w > 0 ? w * column.upper : w * column.lower;
  }
  return [low, high];
}

/** The least size of a divisor that may become 0, as a share of its greatest. */
const LEAST_DIVISOR = 1e-6;

/** Weights of columns, and the bound of their sum. */
export interface LinearForm extends AffineForm {
  readonly relation: '<=' | '=';
}

/**
 * Exact linear rows, each "sum <= 0" or "sum = 0", of a ratio of sums whose divisor keeps its sign between the bounds of
 * the columns: from n / d <= u and d > 0 follows n - u d <= 0. Null where the formula is something else. A divisor that
 * may become 0 stays a millionth of its greatest size away from it.
 */
export function linearised(
  { formula, lower, upper }: FormulaConstraint,
  columns: readonly SpaceColumn[],
): LinearForm[] | null {
  const ratio = ratioOf(formula);
  if (!ratio) return null;
  const [low, high] = rangeOf(ratio.under, columns);
  if (!(low >= 0 || high <= 0) || (low === 0 && high === 0)) return null;
  const sign = high > 0 ? 1 : -1;
  const under = scaled(ratio.under, sign);
  const over = scaled(ratio.over, sign);
  const most = Math.max(Math.abs(low), Math.abs(high));
  const unit = Number.isFinite(most) ? most : 1;
  const rows: LinearForm[] = [];
  const add = (form: AffineForm, relation: LinearForm['relation'] = '<=') => rows.push({ ...form, relation });
  if (lower === upper) add(combine(over, 1 / unit, under, -upper / unit), '=');
  else {
    if (upper < Number.POSITIVE_INFINITY) add(combine(over, 1 / unit, under, -upper / unit));
    if (lower > Number.NEGATIVE_INFINITY) add(combine(over, -1 / unit, under, lower / unit));
  }
  if (low === 0 || high === 0) add(combine(one, LEAST_DIVISOR, under, -1 / unit));
  return rows;
}
