import { ArgumentError } from '../numeric/errors.js';
import { foldKey, rootKey } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import { chooseCase } from './cases.js';
import { solveNumbers } from './integerProgram.js';
import { listsHold, writeRow } from './lists.js';
import { projectNumbers } from './numbers.js';
import { requireSpace } from './requireSpace.js';
import { loadSolver, type Solver } from './solver.js';
import type { Space } from './space.js';
import {
  type Condition,
  casesAt,
  classesHold,
  conditionsOf,
  formOfCases,
  numbersHold,
  rescaledNear,
  type StandardForm,
  standardForm,
} from './standardForm.js';

export type Feasibility =
  | { readonly feasible: true; readonly example: Float64Array }
  | {
      readonly feasible: false;
      readonly conflict: string[];
      /** Only where curved formulas leave a doubt: starts from which no design was found. */
      readonly tries?: number;
    };

/** Starts from which a design is looked for where formulas are curved, and fewer while a conflict is narrowed down. */
const STARTS = 200;
const NARROW_STARTS = 25;

/**
 * Whether any design satisfies a space. If so, the answer has an example; if not, a minimal set of conditions that
 * cannot hold together, as their author wrote them. HiGHS decides; a set counts as feasible only if a design was found
 * that satisfies it to 1e-9, so what holds by a solver's tolerance alone is refused. Products and powers are tried from
 * 200 starts.
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
  const early = findDesign(form, null, 1);
  if (early) return { feasible: true, example: early };
  const solver = await loadSolver();
  const example = findDesign(form, solver, STARTS);
  if (example) return { feasible: true, example };
  const conflict = narrow(space, conditions, solver);
  const isCurved = standardForm(space, conflict);
  const isDoubtful = [isCurved, ...isCurved.cases].some(({ curved }) => curved.length > 0);
  return {
    feasible: false,
    conflict: conflict.map(({ label }) => label),
    ...(isDoubtful && { tries: STARTS }),
  };
}

/** A design that satisfies all conditions. Null means that there is none, if a solver is given; else it means little. */
function findDesign(form: StandardForm, solver: Solver | null, starts: number): Float64Array | null {
  const { space, hasChoices, isEmpty } = form;
  if (isEmpty) return null;
  const d = space.columns.length;
  if (hasChoices) {
    for (let row = 0; row < space.choices!.length; row += d) {
      const x = space.choices!.slice(row, row + d);
      if (numbersHold(formOfCases(form, casesAt(form, x)), x) && listsHold(form, x) && classesHold(form, x))
        return x;
    }
    return null;
  }
  const found = chooseCase(form, new Float64Array(d), undefined, solver, (applying) =>
    findNumbers(formOfCases(form, applying), solver, starts),
  );
  if (!found) return null;
  const { numbers, classes } = found;
  space.columns.forEach((column, j) => {
    if (column.kind === 'categorical') numbers[j] = classes[j]!;
  });
  for (const list of form.listed) writeRow(list, 0, numbers);
  return numbers;
}

/** Numbers that satisfy a form without cases; null as above. */
export function findNumbers(form: StandardForm, solver: Solver | null, starts = STARTS): Float64Array | null {
  if (form.isEmpty) return null;
  const { lower, upper, scale, curved } = form;
  const middle = Float64Array.from(lower, (low, j) => {
    const ends = [low, upper[j]!].filter(Number.isFinite);
    return ends.length > 0 ? ends.reduce((sum, v) => sum + v / ends.length, 0) : 0;
  });
  const near = rescaledNear(form, middle);
  let x = projectNumbers(near, middle, null);
  if (!x && solver) x = solveNumbers(near, null, solver);
  if (x && numbersHold(form, x)) return x;
  if (curved.length === 0) return null;
  const stream = new Stream(foldKey(rootKey(0), 'feasibility'));
  for (let start = 1; start < starts; start++) {
    const draw = middle.map((centre, j) => {
      const low = Number.isFinite(lower[j]!) ? lower[j]! : centre - 10 * scale[j]!;
      const high = Number.isFinite(upper[j]!) ? upper[j]! : centre + 10 * scale[j]!;
      return low + (high - low) * stream.uniform();
    });
    const drawn = projectNumbers(rescaledNear(form, draw), draw, null);
    if (drawn && numbersHold(form, drawn)) return drawn;
  }
  return null;
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
    return findDesign(form, solver, NARROW_STARTS) === null;
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
    /** Starts from which nothing was found, where products or powers leave a doubt. */
    readonly tries?: number,
  ) {
    const found =
      tries === undefined ? 'no design satisfies' : `in ${tries} tries no design was found that satisfies`;
    super('space', `${found} all of: ${conflict.join('; ')}`);
  }
}
