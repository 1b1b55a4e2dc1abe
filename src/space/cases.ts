/** Classes and the relations of numbers that apply to them: "if catalyst = B then temp <= 60". */
import { type ClassScores, projectClasses } from './classes.js';
import type { Solver } from './solver.js';
import type { ForbiddenCombination } from './space.js';
import { type Case, casesAt, classesHold, type StandardForm } from './standardForm.js';

/** Classes of a design, the cases that apply to them, and numbers for those. */
export interface ChosenCase {
  readonly classes: Float64Array;
  readonly applying: readonly number[];
  readonly numbers: Float64Array;
}

/**
 * The cheapest classes (see `projectClasses`) for which numbers exist; classes come first, numbers follow. Where a set
 * of cases leaves no numbers, no classes that bring all of them about can have any, so these are forbidden together and
 * the next cheapest are tried. `numbersOf` says what is left to numbers in some cases. Null if nothing is left.
 */
export function chooseCase(
  form: StandardForm,
  x: Float64Array,
  scores: ClassScores | undefined,
  solver: Solver | null,
  numbersOf: (applying: readonly number[]) => Float64Array | null,
): ChosenCase | null {
  const barren: ForbiddenCombination[] = [];
  for (;;) {
    const open = barren.length === 0 ? form : { ...form, forbidden: [...form.forbidden, ...barren] };
    const classes = x.slice();
    const isLeft = scores === undefined && classesHold(open, classes);
    if (!isLeft && !projectClasses(open, classes, scores, solver)) return null;
    const applying = casesAt(form, classes);
    const numbers = numbersOf(applying);
    if (numbers) return { classes, applying, numbers };
    if (applying.length === 0) return null;
    barren.push({ terms: together(applying.map((i) => form.cases[i]!)), label: 'no numbers are left' });
  }
}

/** Per column the classes that bring all cases about. */
function together(cases: readonly Case[]): { column: number; classes: readonly number[] }[] {
  const shared = new Map<number, readonly number[]>();
  for (const { column, classes } of cases.flatMap(({ when }) => when)) {
    shared.set(column, shared.get(column)?.filter((c) => classes.includes(c)) ?? classes);
  }
  return [...shared].map(([column, classes]) => ({ column, classes }));
}
