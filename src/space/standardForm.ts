/**
 * The standard form of a space, in which solvers and projections take it: one interval and perhaps a grid per number,
 * linear rows, groups, and the classes that are left to each column. A conflict is narrowed down on the standard forms
 * of parts of a space.
 */
import { formulaHolds, linearised } from './formulas.js';
import { nameOf } from './requireSpace.js';
import type {
  ConditionalConstraint,
  ForbiddenCombination,
  FormulaConstraint,
  LinearConstraint,
  ListedColumns,
  Space,
} from './space.js';
import { isLog, toScale } from './space.js';

/** One condition of a space: bounds, a step or a constraint. Its author may drop it. */
export interface Condition {
  readonly label: string;
  readonly kind:
    | 'bounds'
    | 'step'
    | 'fixed'
    | 'linear'
    | 'cardinality'
    | 'forbidden'
    | 'formulas'
    | 'conditional'
    | 'listed'
    | 'choices';
  /** Of the column, or within its list. */
  readonly index: number;
}

/** Weights of some columns, and the bound of their sum. */
export interface LinearRow {
  readonly columns: readonly number[];
  readonly weights: readonly number[];
  readonly relation: '<=' | '>=' | '=';
  readonly bound: number;
}

/** Columns of which at least and at most so many are not 0. */
export interface Group {
  readonly columns: readonly number[];
  readonly atLeast: number;
  readonly atMost: number;
}

/** What is asked of numbers together. */
export interface NumberRelations {
  readonly rows: readonly LinearRow[];
  readonly groups: readonly Group[];
  /** All of them hold in a design; rows stand for those that are ratios of sums. */
  readonly formulas: readonly FormulaConstraint[];
  /** Those for which no row stands. */
  readonly curved: readonly FormulaConstraint[];
}

/** Relations that apply to some classes only. */
export interface Case extends NumberRelations {
  readonly when: ConditionalConstraint['when'];
}

export interface StandardForm extends NumberRelations {
  readonly space: Space;
  /** Per column; a fixed number has both the same. 0 for classes and listed columns. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Numbers are origin + step x whole; step 0: no grid. */
  readonly origin: Float64Array;
  readonly step: Float64Array;
  /** Unit of distance per column, in the column's own numbers. */
  readonly scale: Float64Array;
  /** The same for the logarithm of a logarithmic column, where `scale` depends on the design: see `rescaledNear`. */
  readonly logScale: Float64Array | null;
  readonly cases: readonly Case[];
  readonly forbidden: readonly ForbiddenCombination[];
  /** Fixed class per column, or -1. */
  readonly fixedClass: Int32Array;
  readonly listed: readonly ListedColumns[];
  /** Per column: one of the free numbers, neither a class nor in a list. */
  readonly isNumber: readonly boolean[];
  readonly hasChoices: boolean;
  /** Some column has nothing left. */
  readonly isEmpty: boolean;
}

/** What two conditions on one number may differ by and still agree, in units of max(1, |number|). */
export const SLACK = 2e-10;

/** The least that counts as present where a group asks for "at least", as a share of the column's greater bound. */
const PRESENT = 1e-6;

/** Bounds and steps first, so that a conflict is named by the constraints on top of them where it can be. */
export function conditionsOf(space: Space): Condition[] {
  const conditions: Condition[] = [];
  space.columns.forEach((column, index) => {
    if (column.kind === 'categorical') return;
    const { lower, upper, step } = column;
    const name = nameOf(space, index);
    if (Number.isFinite(lower) || Number.isFinite(upper)) {
      conditions.push({ label: `${name} in ${lower}..${upper}`, kind: 'bounds', index });
    }
    if (step) conditions.push({ label: `${name} in steps of ${step} from ${lower}`, kind: 'step', index });
  });
  const append = (kind: Condition['kind'], list: readonly { readonly label: string }[] = []) =>
    list.forEach(({ label }, index) => conditions.push({ label, kind, index }));
  if (space.choices) conditions.push({ label: 'one of the given rows', kind: 'choices', index: 0 });
  append('listed', space.listed);
  append('fixed', space.fixed);
  append('cardinality', space.cardinality);
  append('linear', space.linear);
  append('formulas', space.formulas);
  append('forbidden', space.forbidden);
  append('conditional', space.conditional);
  return conditions;
}

/** A column's distance is counted in widths of its interval (of logarithms), or in units of 1 if it has no two ends. */
export function scaleOf(space: Space): Float64Array {
  return Float64Array.from(space.columns, (column) => {
    if (column.kind === 'categorical') return 1;
    const width = toScale(column, column.upper) - toScale(column, column.lower);
    return width > 0 && Number.isFinite(width) ? width : 1;
  });
}

/** Units of logarithmic columns stay above this share of the upper bound: rows of very unlike units lose digits. */
const LEAST_UNIT = 1e-4;

/**
 * The same form with units of distance that fit designs near `x`. Rows are linear in a column's own numbers, so distance
 * is as well: d(log v) = dv / v, so a unit u of the logarithm is u v near v, and where a
 * sum has to shrink, it is taken from the greatest first.
 */
export function rescaledNear(form: StandardForm, x: ArrayLike<number>): StandardForm {
  const { space, logScale } = form;
  if (!logScale) return form;
  const scale = form.scale.map((unit, j) => {
    const column = space.columns[j]!;
    if (column.kind !== 'continuous' || column.scale !== 'log') return unit;
    const { lower, upper } = column;
    const least = upper < Number.POSITIVE_INFINITY ? Math.max(lower, LEAST_UNIT * upper) : lower;
    return logScale[j]! * Math.max(least, Math.min(upper, 1e300, x[j]!));
  });
  return { ...form, scale };
}

/** `scale`: units of distance, of the logarithm for a logarithmic column. */
export function standardForm(
  space: Space,
  conditions: readonly Condition[] = conditionsOf(space),
  scale: Float64Array = scaleOf(space),
): StandardForm {
  const d = space.columns.length;
  const kept = (kind: Condition['kind']) => conditions.filter((c) => c.kind === kind).map((c) => c.index);
  const lower = new Float64Array(d).fill(Number.NEGATIVE_INFINITY);
  const upper = new Float64Array(d).fill(Number.POSITIVE_INFINITY);
  const origin = new Float64Array(d);
  const step = new Float64Array(d);
  const fixedClass = new Int32Array(d).fill(-1);
  let isEmpty = false;
  for (const j of kept('bounds')) {
    const column = space.columns[j]!;
    if (column.kind === 'continuous') [lower[j], upper[j]] = [column.lower, column.upper];
  }
  for (const i of kept('fixed')) {
    const { column: j, value } = space.fixed![i]!;
    if (space.columns[j]!.kind === 'categorical') {
      if (fixedClass[j] !== -1 && fixedClass[j] !== value) isEmpty = true;
      fixedClass[j] = value;
      continue;
    }
    const slack = SLACK * Math.max(1, Math.abs(value));
    if (value < lower[j]! - slack || value > upper[j]! + slack) isEmpty = true;
    lower[j] = upper[j] = value;
  }
  for (const j of kept('step')) {
    const column = space.columns[j]!;
    if (column.kind !== 'continuous' || !column.step) continue;
    origin[j] = column.lower;
    step[j] = column.step;
    const slack = (v: number) => Math.min(0.25, (SLACK * Math.max(1, Math.abs(v))) / column.step!);
    const at = (v: number) => (v - column.lower) / column.step!;
    const low = Math.ceil(at(lower[j]!) - slack(lower[j]!));
    const high = Math.floor(at(upper[j]!) + slack(upper[j]!));
    if (low > high) isEmpty = true;
    lower[j] = origin[j]! + step[j]! * low;
    upper[j] = origin[j]! + step[j]! * high;
  }
  const listed = kept('listed').map((i) => space.listed![i]!);
  const inLists = new Set(listed.flatMap((list) => list.columns));
  const isNumber = space.columns.map((column, j) => column.kind === 'continuous' && !inLists.has(j));
  isNumber.forEach((free, j) => {
    if (!free) lower[j] = upper[j] = 0;
  });
  const relations = relationsOf(space, {
    linear: kept('linear').map((i) => space.linear![i]!),
    formulas: kept('formulas').map((i) => space.formulas![i]!),
    cardinality: kept('cardinality').map((i) => space.cardinality![i]!),
  });
  const cases = kept('conditional').map((i): Case => {
    const { when, ...then } = space.conditional![i]!;
    return { when, ...relationsOf(space, then) };
  });
  const form: StandardForm = {
    space,
    lower,
    upper,
    origin,
    step,
    scale,
    logScale: space.columns.some(isLog) ? scale : null,
    ...relations,
    cases,
    forbidden: kept('forbidden').map((i) => space.forbidden![i]!),
    fixedClass,
    listed,
    isNumber,
    hasChoices: kept('choices').length > 0,
    isEmpty,
  };
  return rescaledNear(withoutIdleRows(form), lower);
}

function relationsOf(
  { columns }: Space,
  { linear = [], formulas = [], cardinality = [] }: Pick<Space, 'linear' | 'formulas' | 'cardinality'>,
): NumberRelations {
  const rows = linear.map(rowOf);
  const curved: FormulaConstraint[] = [];
  for (const constraint of formulas) {
    const found = linearised(constraint, columns);
    if (!found) curved.push(constraint);
    for (const { weights, constant, relation } of found ?? []) {
      const used = [...weights];
      rows.push({
        columns: used.map(([j]) => j),
        weights: used.map(([, w]) => w),
        relation,
        bound: -constant,
      });
    }
  }
  return { rows, groups: cardinality, formulas, curved };
}

/** A column that is named twice gets both weights. */
function rowOf({ terms, relation, bound }: LinearConstraint): LinearRow {
  const weights = new Map<number, number>();
  for (const { column, weight } of terms) weights.set(column, (weights.get(column) ?? 0) + weight);
  const used = [...weights].filter(([, weight]) => weight !== 0);
  return { columns: used.map(([j]) => j), weights: used.map(([, w]) => w), relation, bound };
}

/** Rows without columns are dropped where they hold anyway; where they cannot, the form is empty. */
function withoutIdleRows(form: StandardForm): StandardForm {
  const idle = form.rows.filter(({ columns }) => columns.length === 0);
  if (idle.length === 0) return form;
  return {
    ...form,
    rows: form.rows.filter(({ columns }) => columns.length > 0),
    isEmpty: form.isEmpty || !idle.every((row) => rowHolds(row, [], SLACK)),
  };
}

/** Which of the cases apply to the classes of a design. */
export function casesAt({ cases }: StandardForm, x: ArrayLike<number>): number[] {
  return cases.flatMap(({ when }, i) =>
    when.every(({ column, classes }) => classes.includes(x[column]!)) ? [i] : [],
  );
}

/** The form with the relations of these cases, and without any other case. */
export function formOfCases(form: StandardForm, applying: readonly number[]): StandardForm {
  if (form.cases.length === 0) return form;
  const parts = [form, ...applying.map((i) => form.cases[i]!)];
  return withoutIdleRows({
    ...form,
    rows: parts.flatMap(({ rows }) => rows),
    groups: parts.flatMap(({ groups }) => groups),
    formulas: parts.flatMap(({ formulas }) => formulas),
    curved: parts.flatMap(({ curved }) => curved),
    cases: [],
  });
}

/** The least size at which a column counts as present. */
export function presenceOf({ lower, upper }: StandardForm, j: number): number {
  return Math.max(1e-8, PRESENT * Math.min(1e6, Math.max(Math.abs(lower[j]!), Math.abs(upper[j]!))));
}

/** How far a sum is beyond its bound, the unit in which that is judged, and what rounding may add to it. */
export function excessOf(
  row: LinearRow,
  x: ArrayLike<number>,
): { excess: number; unit: number; rounding: number } {
  let sum = 0;
  let total = 0;
  row.columns.forEach((j, i) => {
    const term = row.weights[i]! * x[j]!;
    sum += term;
    total += Math.abs(term);
  });
  const over = sum - row.bound;
  return {
    excess: row.relation === '=' ? Math.abs(over) : row.relation === '<=' ? over : -over,
    unit: Math.max(1, Math.abs(row.bound)),
    rounding: 4 * Number.EPSILON * total,
  };
}

export function rowHolds(row: LinearRow, x: ArrayLike<number>, slack: number): boolean {
  const { excess, unit, rounding } = excessOf(row, x);
  return excess <= slack * unit + rounding;
}

/** Whether the numbers of a design satisfy all conditions but cases, lists and choices. */
export function numbersHold(form: StandardForm, x: ArrayLike<number>, slack = SLACK): boolean {
  const { isNumber, lower, upper, origin, step, rows, groups, formulas } = form;
  for (let j = 0; j < isNumber.length; j++) {
    if (!isNumber[j]) continue;
    const value = x[j]!;
    const within = slack * Math.max(1, Math.abs(value));
    if (!(value >= lower[j]! - within && value <= upper[j]! + within)) return false;
    if (step[j] === 0) continue;
    const nearest = origin[j]! + step[j]! * Math.round((value - origin[j]!) / step[j]!);
    if (Math.abs(value - nearest) > within) return false;
  }
  if (!rows.every((row) => rowHolds(row, x, slack))) return false;
  if (!formulas.every((formula) => formulaHolds(formula, x, slack))) return false;
  return groups.every(({ columns, atLeast, atMost }) => {
    // between SLACK and 1e-8 a number is neither surely zero nor surely present
    const present = columns.filter((j) => Math.abs(x[j]!) >= 1e-8).length;
    const possible = columns.filter((j) => Math.abs(x[j]!) > slack).length;
    return present >= atLeast && possible <= atMost;
  });
}

/** Whether the classes of a design satisfy all conditions but choices. */
export function classesHold({ space, fixedClass, forbidden }: StandardForm, x: ArrayLike<number>): boolean {
  const isAllowed = space.columns.every((column, j) => {
    if (column.kind === 'continuous') return true;
    const c = x[j]!;
    return Number.isInteger(c) && c >= 0 && c < column.classes && (fixedClass[j]! < 0 || fixedClass[j] === c);
  });
  return (
    isAllowed &&
    forbidden.every(({ terms }) => terms.some(({ column, classes }) => !classes.includes(x[column]!)))
  );
}
