/** Designs moved into a space: what lets constraints hold during a search, not by rejection after it. */
import { ArgumentError, requireFinite, requireLength } from '../numeric/errors.js';
import { type ClassScores, costsOf, projectClasses } from './classes.js';
import { decideFeasibility, InfeasibleError } from './feasibility.js';
import { listsHold, moveToLists, onScale } from './lists.js';
import { projectNumbers } from './numbers.js';
import { loadSolver } from './solver.js';
import type { Space } from './space.js';
import {
  classesHold,
  conditionsOf,
  numbersHold,
  rescaledNear,
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
   * set is convex. With `scores`, a column's class starts from its greatest score instead of from `x`.
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
  if (!answer.feasible) throw new InfeasibleError(answer.conflict);
  const d = space.columns.length;
  const form = standardForm(space, conditionsOf(space), requireScale(options.scale, d) ?? scaleOf(space));
  if (form.hasChoices) return chooser(form, answer.example);
  const needsSolver = [form.rows, form.groups, form.forbidden].some(({ length }) => length > 0);
  const solver = needsSolver ? await loadSolver() : null;
  return {
    space,
    example: answer.example,
    project(x, scores) {
      requireDesign(x, d);
      const given = Float64Array.from(x);
      const projected = numbersHold(form, given, UNMOVED)
        ? given.slice()
        : (projectNumbers(rescaledNear(form, given), given, solver) ?? answer.example.slice());
      space.columns.forEach((_, j) => {
        if (!form.isNumber[j]) projected[j] = given[j]!;
      });
      if (!listsHold(form, projected, UNMOVED)) moveToLists(form, projected);
      if (scores === undefined && classesHold(form, projected)) return projected;
      if (!projectClasses(form, projected, scores, solver)) {
        space.columns.forEach((column, j) => {
          if (column.kind === 'categorical') projected[j] = answer.example[j]!;
        });
      }
      return projected;
    },
  };
}

/** The nearest of the given rows that satisfy everything else; the first among equals. */
function chooser(form: StandardForm, example: Float64Array): Projector {
  const { space } = form;
  const d = space.columns.length;
  const rows: Float64Array[] = [];
  const scaled: Float64Array[] = [];
  for (let from = 0; from < space.choices!.length; from += d) {
    const row = space.choices!.slice(from, from + d);
    if (!numbersHold(form, row) || !listsHold(form, row) || !classesHold(form, row)) continue;
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
