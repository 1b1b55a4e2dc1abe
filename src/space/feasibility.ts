import { ArgumentError } from '../numeric/errors.js';
import { projectClasses } from './classes.js';
import {
  classesHold,
  type Demands,
  demandsAt,
  demandsOf,
  type Member,
  membersOf,
  numbersHold,
} from './demands.js';
import { solveNumbers } from './integerProgram.js';
import { listsHold, writeRow } from './lists.js';
import { projectNumbers } from './numbers.js';
import { requireSpace } from './requireSpace.js';
import { loadSolver, type Solver } from './solver.js';
import type { Space } from './space.js';

export type Feasibility =
  | { readonly feasible: true; readonly example: Float64Array }
  | { readonly feasible: false; readonly conflict: string[] };

/**
 * Whether any design satisfies a space: with one that does, or with demands that cannot hold together in the words
 * of their author, of which none can be left out. HiGHS decides; a set counts as feasible only if a design was found
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
  const members = membersOf(space);
  const demands = demandsOf(space, members);
  const early = findDesign(demands, null);
  if (early) return { feasible: true, example: early };
  const solver = await loadSolver();
  const example = findDesign(demands, solver);
  if (example) return { feasible: true, example };
  return { feasible: false, conflict: narrow(space, members, solver).map(({ label }) => label) };
}

/** A design that satisfies the demands. Null without a solver means little; with one, that there is none. */
function findDesign(demands: Demands, solver: Solver | null): Float64Array | null {
  const { space, lower, upper, hasChoices, isEmpty } = demands;
  if (isEmpty) return null;
  const d = space.columns.length;
  if (hasChoices) {
    for (let row = 0; row < space.choices!.length; row += d) {
      const x = space.choices!.slice(row, row + d);
      if (numbersHold(demands, x) && listsHold(demands, x) && classesHold(demands, x)) return x;
    }
    return null;
  }
  const middle = Float64Array.from(lower, (low, j) => {
    const ends = [low, upper[j]!].filter(Number.isFinite);
    return ends.length > 0 ? ends.reduce((sum, v) => sum + v / ends.length, 0) : 0;
  });
  const near = demandsAt(demands, middle);
  let x = projectNumbers(near, middle, null);
  if (!x && solver) x = solveNumbers(near, null, solver);
  if (!x || !numbersHold(demands, x)) return null;
  for (const list of demands.listed) writeRow(list, 0, x);
  return projectClasses(demands, x, undefined, solver) ? x : null;
}

/** Deletion filter: what remains is infeasible, and feasible without any one member. */
function narrow(space: Space, members: readonly Member[], solver: Solver): Member[] {
  let kept = [...members];
  for (let before = -1; kept.length !== before; ) {
    before = kept.length;
    for (const member of [...kept]) {
      const rest = kept.filter((other) => other !== member);
      if (isInfeasible(demandsOf(space, rest), solver)) kept = rest;
    }
  }
  return kept;
}

/** A set that cannot be decided, such as whole numbers that lost their bounds, is not known to be infeasible. */
function isInfeasible(demands: Demands, solver: Solver): boolean {
  try {
    return findDesign(demands, solver) === null;
  } catch (error) {
    if (error instanceof ArgumentError) return false;
    throw error;
  }
}

/** Demands that no design can satisfy together. */
export class InfeasibleError extends ArgumentError {
  override readonly name = 'InfeasibleError';

  constructor(
    /** A minimal set of them, in their author's words: without any one, the others can hold. */
    readonly conflict: readonly string[],
  ) {
    super('space', `no design satisfies all of: ${conflict.join('; ')}`);
  }
}
