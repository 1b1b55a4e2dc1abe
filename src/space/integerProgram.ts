/** Numbers of a design by mixed-integer linear programming, where a greedy search finds none. */
import { ArgumentError } from '../numeric/errors.js';
import { nearestPoint } from './nearestPoint.js';
import type { ProgramRow, Solver } from './solver.js';
import { presenceOf, type StandardForm } from './standardForm.js';

/**
 * Where a group's column has lost its bounds (while a conflict is narrowed down), these stand in, one after the other:
 * multiples of the column's scale or of the greatest bound of a row. A large one alone would drown in tolerances.
 */
const FAR = [10, 1e3, 1e5] as const;
/**
 * Rounding of rows whose terms differ by orders of magnitude can make a strict solver see an empty set, and a lax one
 * a feasible one: the strict is asked first, what the lax one refuses is infeasible, and last inequalities are
 * tightened (in units of their weights) in case the lax answer did not stand up to our own check.
 */
const ATTEMPTS = [
  { tolerance: 1e-9, margin: 0, isLast: false },
  { tolerance: 1e-7, margin: 0, isLast: true },
  { tolerance: 1e-9, margin: 1e-7, isLast: true },
] as const;

interface Builder {
  readonly cost: number[];
  readonly lower: number[];
  readonly upper: number[];
  readonly isWhole: boolean[];
  readonly rows: ProgramRow[];
}

/** A number of the design as a variable of the program: x = offset + unit x variable. */
interface ScaledVariable {
  readonly variable: number;
  readonly offset: number;
  readonly unit: number;
}

/** Whether a group's column is present, above and below zero; -1 where it cannot be. */
interface Presence {
  readonly column: number;
  readonly above: number;
  readonly below: number;
  readonly least: number;
}

function addVariable(b: Builder, lower: number, upper: number, isWhole: boolean, cost = 0): number {
  b.lower.push(lower);
  b.upper.push(upper);
  b.isWhole.push(isWhole);
  return b.cost.push(cost) - 1;
}

/**
 * Numbers that satisfy all conditions and, given a target, have the least sum of |x - target| / scale among the
 * discrete parts (grid points, members of groups) and the least sum of squares given those. Null if there are none.
 */
export function solveNumbers(
  form: StandardForm,
  target: ArrayLike<number> | null,
  solver: Solver,
): Float64Array | null {
  const { isEmpty, lower, upper, scale, rows, groups } = form;
  if (isEmpty) return null;
  const open = groups.flatMap(({ columns }) =>
    columns.filter((j) => upper[j]! - lower[j]! === Number.POSITIVE_INFINITY),
  );
  if (open.length === 0) return solveBounded(form, target, solver);
  const reach = rows.reduce((most, { bound }) => Math.max(most, Math.abs(bound)), 0);
  for (const factor of FAR) {
    const low = lower.slice();
    const high = upper.slice();
    for (const j of open) {
      const far = factor * Math.max(scale[j]!, reach);
      low[j] = Math.max(low[j]!, -far);
      high[j] = Math.min(high[j]!, far);
      if (form.step[j] === 0) continue;
      const toGrid = (v: number) =>
        form.origin[j]! + form.step[j]! * Math.round((v - form.origin[j]!) / form.step[j]!);
      [low[j], high[j]] = [toGrid(low[j]!), toGrid(high[j]!)];
    }
    const found = solveBounded({ ...form, lower: low, upper: high }, target, solver);
    if (found) return found;
  }
  return null;
}

function solveBounded(
  form: StandardForm,
  target: ArrayLike<number> | null,
  solver: Solver,
): Float64Array | null {
  let isRefused = false;
  let isUndecided = false;
  for (const attempt of ATTEMPTS) {
    const answer = attemptNumbers(form, target, solver, attempt);
    if (answer instanceof Float64Array) return answer;
    if (answer === 'none' && attempt.isLast) return null;
    isRefused ||= answer === 'none';
    isUndecided ||= answer === 'undecided';
  }
  if (isUndecided && !isRefused) {
    throw new ArgumentError(
      'space',
      'it could not be decided whether a design exists; give columns with steps narrower bounds or wider steps',
    );
  }
  return null;
}

/** Null: feasible by the solver's tolerance, but not by ours. */
function attemptNumbers(
  form: StandardForm,
  target: ArrayLike<number> | null,
  solver: Solver,
  { tolerance, margin }: (typeof ATTEMPTS)[number],
): Float64Array | 'none' | 'undecided' | null {
  const { isNumber, lower, upper, origin, step, scale, rows } = form;
  const d = isNumber.length;
  const b: Builder = { cost: [], lower: [], upper: [], isWhole: [], rows: [] };
  const variables: (ScaledVariable | null)[] = isNumber.map((free, j) => {
    if (!free) return null;
    const offset = step[j]! > 0 ? origin[j]! : 0;
    const unit = step[j]! > 0 ? step[j]! : scale[j]!;
    const ends = [lower[j]!, upper[j]!].map((v) => (v - offset) / unit);
    if (step[j]! > 0) ends.forEach((v, i) => (ends[i] = Math.round(v)));
    return { variable: addVariable(b, ends[0]!, ends[1]!, step[j]! > 0), offset, unit };
  });
  /** Adds low <= sum weights x <= high over columns of the space and plain variables. */
  const addRow = (
    terms: readonly (readonly [j: number, weight: number])[],
    plain: readonly (readonly [variable: number, weight: number])[],
    [low, high]: readonly [number, number],
  ) => {
    let shift = 0;
    const entries: [number, number][] = plain.filter(([v, w]) => v >= 0 && w !== 0).map(([v, w]) => [v, w]);
    for (const [j, weight] of terms) {
      const { variable, offset, unit } = variables[j]!;
      shift += weight * offset;
      entries.push([variable, weight * unit]);
    }
    const size = entries.reduce((most, [, w]) => Math.max(most, Math.abs(w)), Number.NEGATIVE_INFINITY);
    b.rows.push({
      columns: entries.map(([v]) => v),
      values: entries.map(([, w]) => w / size),
      lower: (low - shift) / size,
      upper: (high - shift) / size,
    });
  };
  for (const { columns, weights, relation, bound } of rows) {
    const size = columns.reduce(
      (most, j, i) => Math.max(most, Math.abs(weights[i]! * scale[j]!)),
      Number.NEGATIVE_INFINITY,
    );
    const low = relation === '<=' ? Number.NEGATIVE_INFINITY : bound;
    const high = relation === '>=' ? Number.POSITIVE_INFINITY : bound;
    const inset = relation === '=' ? 0 : margin * size;
    const terms = columns.map((j, i) => [j, weights[i]!] as const);
    addRow(terms, [], [low + inset, high - inset]);
  }
  const presences = addGroups(form, b, addRow);
  if (target) {
    for (let j = 0; j < d; j++) {
      if (!variables[j]) continue;
      const apart = addVariable(b, 0, Number.POSITIVE_INFINITY, false, 1);
      const t = target[j]!;
      addRow([[j, 1]], [[apart, scale[j]!]], [t, Number.POSITIVE_INFINITY]);
      addRow([[j, 1]], [[apart, -scale[j]!]], [Number.NEGATIVE_INFINITY, t]);
    }
  }
  const solution = b.cost.length > 0 ? solver.solve(b, tolerance) : new Float64Array();
  if (!solution) return 'none';
  if (solution === 'undecided') return solution;

  const low = lower.slice();
  const high = upper.slice();
  const x = new Float64Array(d);
  for (const { column: j, above, below, least } of presences) {
    const isAbove = above >= 0 && solution[above]! > 0.5;
    const isBelow = below >= 0 && solution[below]! > 0.5;
    if (!isAbove && !isBelow) low[j] = high[j] = 0;
    // least 0: both signs are open to a column that is merely not shut out
    if (isAbove && least > 0) low[j] = Math.max(low[j]!, least);
    if (isBelow && least > 0) high[j] = Math.min(high[j]!, -least);
  }
  variables.forEach((scaled, j) => {
    if (!scaled) return;
    const { variable, offset, unit } = scaled;
    const value = solution[variable]!;
    x[j] = offset + unit * value;
    if (step[j]! > 0) low[j] = high[j] = x[j] = offset + unit * Math.round(value);
  });
  return nearestPoint(target ?? x, low, high, rows, scale);
}

function addGroups(
  form: StandardForm,
  b: Builder,
  addRow: (
    terms: readonly (readonly [number, number])[],
    plain: readonly (readonly [number, number])[],
    range: readonly [number, number],
  ) => void,
): Presence[] {
  const { lower, upper, groups } = form;
  const presences: Presence[] = [];
  for (const { columns, atLeast, atMost } of groups) {
    const members = columns.map((j): Presence => {
      const low = lower[j]!;
      const high = upper[j]!;
      const least = atLeast > 0 ? presenceOf(form, j) : 0;
      const above = high > 0 || (least === 0 && low < 0) ? addVariable(b, 0, 1, true) : -1;
      const below = least > 0 && low < 0 ? addVariable(b, 0, 1, true) : -1;
      if (least === 0) {
        // low z <= x <= high z
        if (high >= 0 || above < 0)
          addRow([[j, 1]], [[above, -Math.max(high, 0)]], [Number.NEGATIVE_INFINITY, 0]);
        if (low <= 0 || above < 0)
          addRow([[j, 1]], [[above, -Math.min(low, 0)]], [0, Number.POSITIVE_INFINITY]);
        return { column: j, above, below, least };
      }
      // least z+ + low z- <= x <= high z+ - least z-, z+ + z- <= 1
      addRow(
        [[j, 1]],
        [
          [above, -Math.max(high, 0)],
          [below, least],
        ],
        [Number.NEGATIVE_INFINITY, 0],
      );
      addRow(
        [[j, 1]],
        [
          [above, -least],
          [below, -Math.min(low, 0)],
        ],
        [0, Number.POSITIVE_INFINITY],
      );
      if (above >= 0 && below >= 0)
        addRow(
          [],
          [
            [above, 1],
            [below, 1],
          ],
          [0, 1],
        );
      return { column: j, above, below, least };
    });
    const counted = members.flatMap(
      ({ above, below }) =>
        [
          [above, 1],
          [below, 1],
        ] as const,
    );
    if (counted.some(([variable]) => variable >= 0)) addRow([], counted, [atLeast, atMost]);
    else if (atLeast > 0) addRow([], [[addVariable(b, 0, 0, false), 1]], [1, 1]);
    for (const member of members) presences.push(member);
  }
  return presences;
}
