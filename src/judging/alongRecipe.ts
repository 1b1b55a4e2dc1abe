/** A design with one number changed. Where it is part of a recipe, the rest of the recipe makes room. */
import { InfeasibleError, projector, violations } from '../space/index.js';
import type { LinearConstraint, Space } from '../space/space.js';

export interface MovedDesigns {
  /** One for each value that the recipe allows, in their order. */
  readonly designs: readonly Float64Array[];
  /** Columns that move along. */
  readonly along: readonly number[];
}

/** The design (d numbers) with column `at` at each of the values. */
export async function movedDesigns(
  space: Space,
  design: Float64Array,
  at: number,
  values: readonly number[],
): Promise<MovedDesigns> {
  const recipes = (space.linear ?? []).filter(
    ({ relation, terms }) =>
      relation === '=' && terms.some(({ column, weight }) => column === at && weight !== 0),
  );
  const set = (value: number) => design.with(at, value);
  if (recipes.length === 0) return { designs: values.map(set), along: [] };
  const open = openSpace(space, at);
  const designs: Float64Array[] = [];
  for (const value of values) {
    const moved = rescaled(space, set(value), at, recipes) ?? (await settled(open, set(value), at));
    if (moved && violations(open, moved, 1e-6).length === 0) designs.push(moved);
  }
  const others = recipes.flatMap(({ terms }) => terms.map(({ column }) => column));
  const along = [...new Set(others)].filter(
    (j) => j !== at && designs.some((moved) => moved[j] !== design[j]),
  );
  return { designs, along };
}

/** Bounds of the other columns and the sums alone: grids are finer than what a profile shows. */
function openSpace({ columns, fixed, linear }: Space, at: number): Space {
  return {
    columns: columns.map((column, j) => {
      if (column.kind === 'categorical') return column;
      const { step: _, scale: __, ...open } = column;
      return j === at ? { ...open, lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY } : open;
    }),
    ...(fixed && { fixed }),
    ...(linear && { linear }),
  };
}

/** The others of one plain sum in their proportions; null where the recipe is something else. */
function rescaled(
  { fixed = [] }: Space,
  x: Float64Array,
  at: number,
  recipes: readonly LinearConstraint[],
): Float64Array | null {
  const [recipe] = recipes;
  if (recipes.length > 1 || !recipe!.terms.every(({ weight }) => weight === recipe!.terms[0]!.weight))
    return null;
  const isFixed = (j: number) => fixed.some(({ column }) => column === j);
  const members = recipe!.terms.map(({ column }) => column).filter((j) => j !== at);
  const free = members.filter((j) => !isFixed(j));
  const held = members.filter(isFixed).reduce((sum, j) => sum + x[j]!, 0);
  const room = recipe!.bound / recipe!.terms[0]!.weight - x[at]! - held;
  const used = free.reduce((sum, j) => sum + x[j]!, 0);
  if (free.length === 0 || !(used > 0)) return null;
  const moved = x.slice();
  for (const j of free) moved[j] = (x[j]! * room) / used;
  return moved;
}

/** The nearest design that keeps the sums and this number; null where there is none. */
async function settled(open: Space, x: Float64Array, at: number): Promise<Float64Array | null> {
  const columns = open.columns.map((column, j) =>
    j === at && column.kind === 'continuous' ? { ...column, lower: x[at]!, upper: x[at]! } : column,
  );
  try {
    return (await projector({ ...open, columns })).project(x);
  } catch (error) {
    if (error instanceof InfeasibleError) return null;
    throw error;
  }
}
