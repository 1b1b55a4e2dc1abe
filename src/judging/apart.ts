/**
 * Whether two designs are two experiments, at the resolution of the table: eight rows that differ in the last digit of
 * one column are one row.
 */
import { powerOfTen } from '../numeric/portable.js';
import { extent } from '../numeric/stats.js';
import type { Problem } from '../problem/index.js';
import { toScale } from '../space/index.js';
import type { SpaceColumn } from '../space/space.js';

/** Units of the last digit that tell two numbers apart, unless the column is narrower than so many parts. */
const LAST_DIGITS = 10;
const PARTS = 25;

/** Places of what is chosen: neither contexts, nor what says where a cell is missing. */
export function chosenPlaces({ space, tableColumns }: Problem): number[] {
  const contexts = new Set(tableColumns.filter(({ role }) => role === 'context').map(({ name }) => name));
  return space.columns.flatMap(({ name = '' }, j) =>
    contexts.has(name) || name.endsWith(' (missing)') ? [] : [j],
  );
}

/** Per column of the space: whether two values of it are two settings. */
export function differences(problem: Problem): ((a: number, b: number) => boolean)[] {
  const { space, resolution, data, choices } = problem;
  const d = space.columns.length;
  const listed = new Set((space.listed ?? []).flatMap(({ columns }) => columns));
  return space.columns.map((column, j) => {
    // whatever is listed was put there as something else
    if (column.kind === 'categorical' || listed.has(j) || choices) return (a, b) => a !== b;
    const seen = extent(Float64Array.from(data.y, (_, i) => toScale(column, data.x[i * d + j]!)));
    const part = (seen.max - seen.min || 1) / PARTS;
    const least = leastStep(column, resolution[j]?.step, resolution[j]?.decimals, part);
    const isApart = (a: number, b: number) => Math.abs(a - b) >= least * (1 - 1e-9);
    if (column.scale !== 'log') return isApart;
    return (a, b) => isApart(a, b) && Math.abs(toScale(column, a) - toScale(column, b)) >= part;
  });
}

function leastStep(
  column: Extract<SpaceColumn, { kind: 'continuous' }>,
  step: number | undefined,
  decimals: number | undefined,
  part: number,
): number {
  if (column.step !== undefined && step === undefined) return column.step;
  if (step === undefined || decimals === undefined) return column.scale === 'log' ? 0 : part / 2;
  // in logarithms a part of the range says more than the last digit
  if (column.scale === 'log') return step;
  return Math.max(step, Math.min(LAST_DIGITS * powerOfTen(-decimals), part));
}

/** Whether two designs differ in a column by more than the table tells apart. */
export function apartIn(problem: Problem): (a: ArrayLike<number>, b: ArrayLike<number>) => boolean {
  const differs = differences(problem);
  const places = chosenPlaces(problem);
  return (a, b) => places.some((j) => differs[j]!(a[j]!, b[j]!));
}
