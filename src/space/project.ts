/** Designs moved into a space: what lets constraints hold during a search, not by rejection after it. */
import { ArgumentError, requireFinite, requireLength } from '../numeric/errors.js';
import { chooseCase } from './cases.js';
import { type ClassScores, costsOf } from './classes.js';
import { exactZeros } from './exactZeros.js';
import { decideFeasibility, findNumbers, InfeasibleError } from './feasibility.js';
import { listsHold, moveToLists, onScale } from './lists.js';
import { projectNumbers } from './numbers.js';
import { loadSolver, type Solver } from './solver.js';
import type { Space } from './space.js';
import {
  casesAt,
  classesHold,
  conditionsOf,
  formOfCases,
  numbersHold,
  rescaledNear,
  SLACK,
  type StandardForm,
  scaleOf,
  standardForm,
} from './standardForm.js';

export interface Projector {
  readonly space: Space;
  /** A feasible design. */
  readonly example: Float64Array;
  /**
   * A feasible design near `x` (d numbers, user units); `x` itself if it is feasible. Numbers: the nearest where the
   * set is convex; classes are kept where numbers can follow them. With `scores`, a column's class starts from its greatest score instead of from `x`.
   */
  project(x: ArrayLike<number>, scores?: ClassScores): Float64Array;
}

export interface ProjectorOptions {
  /**
   * Unit of distance per column, of the logarithm for a logarithmic column; default: the width between its bounds, or 1
   * without two bounds.
   */
  readonly scale?: ArrayLike<number>;
}

/** What an unmoved design may be off by: rounding, far below the 1e-9 that is promised. */
const UNMOVED = 1e-11;

/**
 * Prepares projections onto a space. Throws an `InfeasibleError` with the conflict if nothing is feasible.
 *
 * @example
 * const { project } = await projector(space);
 * project([0.5, 0.7, -0.2]);
 */
export async function projector(space: Space, options: ProjectorOptions = {}): Promise<Projector> {
  const answer = await decideFeasibility(space);
  if (!answer.feasible) throw new InfeasibleError(answer.conflict, answer.tries);
  const d = space.columns.length;
  const form = standardForm(space, conditionsOf(space), requireScale(options.scale, d) ?? scaleOf(space));
  if (form.hasChoices) return chooser(form, answer.example);
  const needsSolver = [form.rows, form.groups, form.forbidden, form.cases].some(({ length }) => length > 0);
  const solver = needsSolver ? await loadSolver() : null;
  // by the cases that apply
  const forms = new Map<string, StandardForm>();
  const formOf = (applying: readonly number[]) =>
    remembered(forms, applying.join(), () => formOfCases(form, applying));
  const examples = new Map<string, Float64Array | null>([
    [casesAt(form, answer.example).join(), answer.example],
  ]);
  const exampleOf = (applying: readonly number[]) =>
    remembered(examples, applying.join(), () => findNumbers(formOf(applying), solver));
  return {
    space,
    example: exactZeros(space, answer.example.slice()),
    project(x, scores) {
      requireDesign(x, d);
      const given = Float64Array.from(x);
      const chosen = chooseCase(form, given, scores, solver, exampleOf);
      if (!chosen) return exactZeros(space, answer.example.slice());
      const near = formOf(chosen.applying);
      // tangents end within SLACK of a curve, and what they found is to stay where it is
      const projected = numbersHold(near, given, near.curved.length > 0 ? SLACK : UNMOVED)
        ? given.slice()
        : (projectNumbers(rescaledNear(near, given), given, solver) ??
          towards(near, chosen.numbers, given, solver));
      space.columns.forEach((column, j) => {
        if (!form.isNumber[j]) projected[j] = column.kind === 'categorical' ? chosen.classes[j]! : given[j]!;
      });
      if (!listsHold(form, projected, UNMOVED)) moveToLists(form, projected);
      return exactZeros(space, projected);
    },
  };
}

function remembered<T>(known: Map<string, T>, name: string, make: () => T): T {
  if (!known.has(name)) known.set(name, make());
  return known.get(name)!;
}

/** Parts of the way from feasible numbers to a design that could not be projected, from which that is tried again. */
const WAYS = [0.5, 0.25, 0.1, 0.03] as const;

function towards(
  form: StandardForm,
  example: Float64Array,
  x: Float64Array,
  solver: Solver | null,
): Float64Array {
  if (form.curved.length > 0) {
    for (const way of WAYS) {
      const between = example.map((v, j) => v + way * (x[j]! - v));
      const found = projectNumbers(rescaledNear(form, between), between, solver);
      if (found) return found;
    }
  }
  return example.slice();
}

/** The nearest of the given rows that satisfy everything else; the first among equals. */
function chooser(form: StandardForm, example: Float64Array): Projector {
  const { space } = form;
  const d = space.columns.length;
  const rows: Float64Array[] = [];
  const scaled: Float64Array[] = [];
  for (let from = 0; from < space.choices!.length; from += d) {
    const row = space.choices!.slice(from, from + d);
    const isHeld = numbersHold(formOfCases(form, casesAt(form, row)), row);
    if (!isHeld || !listsHold(form, row) || !classesHold(form, row)) continue;
    rows.push(row);
    scaled.push(row.map((v, j) => onScale(form, j, v)));
  }
  return {
    space,
    example,
    project(x, scores) {
      requireDesign(x, d);
      const costs = costsOf(form, x, scores);
      let best = rows[0]!;
      let least = Number.POSITIVE_INFINITY;
      const target = space.columns.map((_, j) => onScale(form, j, x[j]!));
      for (const [i, row] of rows.entries()) {
        let distance = 0;
        for (let j = 0; j < d; j++) {
          distance += costs[j]!.length > 0 ? costs[j]![row[j]!]! : (target[j]! - scaled[i]![j]!) ** 2;
        }
        if (distance < least) [best, least] = [row, distance];
      }
      return best.slice();
    },
  };
}

function requireDesign(x: ArrayLike<number>, d: number): void {
  requireLength('x', x, d);
  requireFinite('x', x);
}

function requireScale(scale: ArrayLike<number> | undefined, d: number): Float64Array | undefined {
  if (!scale) return undefined;
  requireLength('scale', scale, d);
  requireFinite('scale', scale);
  const wrong = Array.from(scale).find((v) => v <= 0);
  if (wrong !== undefined) throw new ArgumentError('scale', `scale has ${wrong}; expected positive numbers`);
  return Float64Array.from(scale);
}
