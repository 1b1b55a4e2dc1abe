/** Classes that avoid the forbidden combinations at the least cost. */
import { ArgumentError } from '../numeric/errors.js';
import { extent } from '../numeric/stats.js';
import type { ProgramRow, Solver } from './solver.js';
import type { StandardForm } from './standardForm.js';

/** Open branches before an integer program takes over. */
const BRANCHES = 500;

/** Per column, a score for each class (greater is better, such as logits); undefined for columns of numbers. */
export type ClassScores = readonly (ArrayLike<number> | undefined)[];

/** Cost of each class: what its score falls short of the best; without scores, 1 for every change. Per column. */
export function costsOf(
  { space, fixedClass }: StandardForm,
  x: ArrayLike<number>,
  scores?: ClassScores,
): number[][] {
  return space.columns.map((column, j) => {
    if (column.kind === 'continuous') return [];
    const given = scores?.[j];
    const best = given ? extent(given).max : 0;
    return Array.from({ length: column.classes }, (_, c) => {
      if (fixedClass[j]! >= 0) return c === fixedClass[j] ? 0 : Number.POSITIVE_INFINITY;
      return given ? best - given[c]! : Number(c !== x[j]);
    });
  });
}

/** Classes into the entries of `x`; false if every combination is forbidden. A solver is needed beyond 500 branches. */
export function projectClasses(
  form: StandardForm,
  x: Float64Array,
  scores: ClassScores | undefined,
  solver: Solver | null,
): boolean {
  const costs = costsOf(form, x, scores);
  const found = branch(form, costs);
  const classes = found === 'too many' ? solver && integerProgram(form, costs, solver) : found;
  if (!classes) return false;
  classes.forEach((c, j) => {
    if (costs[j]!.length > 0) x[j] = c;
  });
  return true;
}

/**
 * Best first: where the cheapest classes make a forbidden combination, one branch per column of it gives up the
 * classes it lists. The first open branch without one has the least cost.
 */
function branch({ forbidden }: StandardForm, costs: readonly number[][]): number[] | 'too many' | null {
  const cheapest = (row: readonly number[]) => row.reduce((best, v, c) => (v < row[best]! ? c : best), 0);
  const branchOf = (left: readonly number[][]) => {
    const classes = left.map(cheapest);
    return { left, classes, cost: classes.reduce((sum, c, j) => sum + (left[j]![c] ?? 0), 0) };
  };
  const open = [branchOf(costs)];
  while (open.length > 0) {
    let at = 0;
    for (let i = 1; i < open.length; i++) if (open[i]!.cost < open[at]!.cost) at = i;
    const { left, classes, cost } = open.splice(at, 1)[0]!;
    if (cost === Number.POSITIVE_INFINITY) return null;
    const broken = forbidden.find(({ terms }) =>
      terms.every((term) => term.classes.includes(classes[term.column]!)),
    );
    if (!broken) return classes;
    for (const term of broken.terms) {
      const shut = left[term.column]!.map((v, c) =>
        term.classes.includes(c) ? Number.POSITIVE_INFINITY : v,
      );
      open.push(branchOf(left.with(term.column, shut)));
    }
    if (open.length > BRANCHES) return 'too many';
  }
  return null;
}

/** One binary per class; a forbidden combination of n columns may have at most n - 1 of its classes. */
function integerProgram(
  { space, forbidden }: StandardForm,
  costs: readonly number[][],
  solver: Solver,
): number[] | null {
  const first: number[] = [];
  let count = 0;
  for (const row of costs) {
    first.push(count);
    count += row.length;
  }
  const rows: ProgramRow[] = [];
  space.columns.forEach((_, j) => {
    const columns = costs[j]!.map((_, c) => first[j]! + c);
    if (columns.length > 0) rows.push({ columns, values: columns.map(() => 1), lower: 1, upper: 1 });
  });
  for (const { terms } of forbidden) {
    // a column listed twice must have a class of both lists
    const shared = new Map<number, readonly number[]>();
    for (const { column, classes } of terms) {
      shared.set(column, shared.get(column)?.filter((c) => classes.includes(c)) ?? [...new Set(classes)]);
    }
    const columns = [...shared].flatMap(([j, classes]) => classes.map((c) => first[j]! + c));
    if (columns.length === 0) continue;
    rows.push({
      columns,
      values: columns.map(() => 1),
      lower: Number.NEGATIVE_INFINITY,
      upper: shared.size - 1,
    });
  }
  const cost = costs.flat();
  const solution = solver.solve({
    cost: cost.map((v) => (Number.isFinite(v) ? v : 0)),
    lower: cost.map(() => 0),
    upper: cost.map((v) => (Number.isFinite(v) ? 1 : 0)),
    isWhole: cost.map(() => true),
    rows,
  });
  if (solution === 'undecided') {
    throw new ArgumentError(
      'forbidden',
      'it could not be decided whether any combination of classes is left',
    );
  }
  return (
    solution &&
    costs.map((row, j) =>
      Math.max(
        0,
        row.findIndex((_, c) => solution[first[j]! + c]! > 0.5),
      ),
    )
  );
}
