import { ArgumentError } from '../numeric/errors.js';
import { projectClasses } from './classes.js';
import { solveNumbers } from './integerProgram.js';
import { listsHold, writeRow } from './lists.js';
import { projectNumbers } from './numbers.js';
import { requireSpace } from './requireSpace.js';
import { loadSolver, type Solver } from './solver.js';
import type { Space } from './space.js';
import {
  type Condition,
  classesHold,
  conditionsOf,
  numbersHold,
  rescaledNear,
  type StandardForm,
  standardForm,
} from './standardForm.js';

export type Feasibility =
  | { readonly feasible: true; readonly example: Float64Array }
  | { readonly feasible: false; readonly conflict: string[] };

/**
 * Whether any design satisfies a space. If so, the answer has an example; if not, a minimal set of conditions that
 * cannot hold together, as their author wrote them. HiGHS decides; a set counts as feasible only if a design was found
 * that satisfies it to 1e-9, so what holds by a solver's tolerance alone is refused.
 *
 * @example
 * const answer = await decideFeasibility({
 *   columns: [{ kind: 'continuous', lower: 0, upper: 1 }],
 *   linear: [{ terms: [{ column: 0, weight: 1 }], relation: '>=', bound: 2, label: 'a >= 2' }],
 * });
 * // { feasible: false, conflict: ['column 0 in 0..1', 'a >= 2'] }
 */
export async function decideFeasibility(space: Space): Promise<Feasibility> {
  requireSpace(space);
  const conditions = conditionsOf(space);
  const form = standardForm(space, conditions);
  const early = findDesign(form, null);
  if (early) return { feasible: true, example: early };
  const solver = await loadSolver();
  const example = findDesign(form, solver);
  if (example) return { feasible: true, example };
  return { feasible: false, conflict: narrow(space, conditions, solver).map(({ label }) => label) };
}

/** A design that satisfies all conditions. Null means that there is none, if a solver is given; else it means little. */
function findDesign(form: StandardForm, solver: Solver | null): Float64Array | null {
  const { space, lower, upper, hasChoices, isEmpty } = form;
  if (isEmpty) return null;
  const d = space.columns.length;
  if (hasChoices) {
    for (let row = 0; row < space.choices!.length; row += d) {
      const x = space.choices!.slice(row, row + d);
      if (numbersHold(form, x) && listsHold(form, x) && classesHold(form, x)) return x;
    }
    return null;
  }
  const middle = Float64Array.from(lower, (low, j) => {
    const ends = [low, upper[j]!].filter(Number.isFinite);
    return ends.length > 0 ? ends.reduce((sum, v) => sum + v / ends.length, 0) : 0;
  });
  const near = rescaledNear(form, middle);
  let x = projectNumbers(near, middle, null);
  if (!x && solver) x = solveNumbers(near, null, solver);
  if (!x || !numbersHold(form, x)) return null;
  for (const list of form.listed) writeRow(list, 0, x);
  return projectClasses(form, x, undefined, solver) ? x : null;
}

/** Deletion filter: what remains is infeasible, and feasible without any one of its conditions. */
function narrow(space: Space, conditions: readonly Condition[], solver: Solver): Condition[] {
  let kept = [...conditions];
  for (let before = -1; kept.length !== before; ) {
    before = kept.length;
    for (const condition of [...kept]) {
      const rest = kept.filter((other) => other !== condition);
      if (isInfeasible(standardForm(space, rest), solver)) kept = rest;
    }
  }
  return kept;
}

/** A set that cannot be decided, such as whole numbers that lost their bounds, is not known to be infeasible. */
function isInfeasible(form: StandardForm, solver: Solver): boolean {
  try {
    return findDesign(form, solver) === null;
  } catch (error) {
    if (error instanceof ArgumentError) return false;
    throw error;
  }
}

/** Conditions that no design can satisfy together. */
export class InfeasibleError extends ArgumentError {
  override readonly name = 'InfeasibleError';

  constructor(
    /** A minimal set of them, in their author's words: without any one, the others can hold. */
    readonly conflict: readonly string[],
  ) {
    super('space', `no design satisfies all of: ${conflict.join('; ')}`);
  }
}
