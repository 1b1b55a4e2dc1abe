/** Columns whose numbers together are one of some given rows. Nothing else may speak of them, so each list is alone. */

import type { ListedColumns } from './space.js';
import { toScale } from './space.js';
import { SLACK, type StandardForm } from './standardForm.js';

/** Whether the listed columns of a design are one of their rows. */
export function listsHold({ listed }: StandardForm, x: ArrayLike<number>, slack = SLACK): boolean {
  return listed.every((list) => {
    const { columns, rows } = list;
    return startsOf(list).some((from) =>
      columns.every((j, i) => {
        const value = rows[from + i]!;
        return Math.abs(x[j]! - value) <= slack * Math.max(1, Math.abs(value));
      }),
    );
  });
}

/** Writes the nearest row of each list over its columns of `x`; the first among equals. */
export function moveToLists(form: StandardForm, x: Float64Array): void {
  for (const list of form.listed) {
    const { columns, rows } = list;
    const target = columns.map((j) => onScale(form, j, x[j]!));
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (const from of startsOf(list)) {
      let distance = 0;
      for (let i = 0; i < columns.length && distance < least; i++) {
        distance += (target[i]! - onScale(form, columns[i]!, rows[from + i]!)) ** 2;
      }
      if (distance < least) [best, least] = [from, distance];
    }
    writeRow(list, best / columns.length, x);
  }
}

export function writeRow({ columns, rows }: ListedColumns, row: number, x: Float64Array): void {
  columns.forEach((j, i) => {
    x[j] = rows[row * columns.length + i]!;
  });
}

/** A number in its column's unit of distance. */
export function onScale({ space, scale, logScale }: StandardForm, j: number, value: number): number {
  const column = space.columns[j]!;
  if (column.kind === 'categorical' || column.scale !== 'log') return value / scale[j]!;
  return toScale(column, Math.max(column.lower, value)) / logScale![j]!;
}

function startsOf({ columns, rows }: ListedColumns): number[] {
  return Array.from({ length: rows.length / columns.length }, (_, row) => row * columns.length);
}
