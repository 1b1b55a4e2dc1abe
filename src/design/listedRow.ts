/** The row of a list that a design is, as it stands there: name, price and number of a catalogue come back with it. */
import { nearestRows } from '../numeric/rows.js';
import type { Cell, Problem } from '../problem/index.js';
import { cellAt } from '../table/index.js';
import type { ListedRow } from './runDocument.js';

/** Undefined where designs are not taken from a list. `x`: one design. */
export function listedRow({ choices, space }: Problem, x: Float64Array): ListedRow | undefined {
  if (!choices || !space.choices) return undefined;
  const d = x.length;
  const numbers = space.choices;
  const [nearest] = nearestRows(numbers, x, 1);
  const isSame = (row: number) => x.every((_, j) => numbers[row * d + j] === numbers[nearest!.row * d + j]);
  const [row, ...others] = Array.from({ length: choices.rows }, (_, i) => i).filter(isSame);
  const cells: Record<string, Cell> = {};
  for (const column of choices.columns) {
    const cell = cellAt(column, row!);
    if (cell !== null) cells[column.name] = cell;
  }
  return { row: row! + 1, cells, ...(others.length > 0 && { same: others.map((other) => other + 1) }) };
}
