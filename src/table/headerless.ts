/** Whether the first row of a table is data like the rows below it. */
import type { Sample } from './layout.js';
import { isPlainNumber } from './numberCell.js';
import { isDateText } from './textKinds.js';

/** 0, 1, 2 or 2019, 2020, 2021 or 400, 410, 420: whole numbers, three at least, at equal distances. */
export function isCounting(cells: readonly string[]): boolean {
  const values = cells.map(Number);
  const step = values[1]! - values[0]!;
  return (
    values.length >= 3 &&
    step > 0 &&
    cells.every((cell) => /^\d+$/.test(cell)) &&
    values.every((value, i) => i === 0 || value - values[i - 1]! === step)
  );
}

/**
 * Columns of numbers begin with a number in every case. Names of columns may be numbers too: a row that counts while
 * none below does so is a header, and so are years beside words. Beside words that do not come again below, so many
 * columns of numbers are needed.
 */
export function looksHeaderless(sample: Sample, start: number): boolean {
  const { cells } = sample.rows[start]!;
  if (sample.next(start + 1) < 0) return cells.every(isPlainNumber);
  const numeric = sample.numeric(start + 1, cells.length);
  const first = numeric.map((j) => cells[j]!).filter((cell) => cell !== '');
  if (first.length === 0 || first.length < numeric.length || !first.every(isPlainNumber)) return false;
  if (isCounting(cells) && !sample.rows.slice(start + 1).some((row) => isCounting(row.cells))) return false;
  const others = cells.map((_, j) => j).filter((j) => !numeric.includes(j) && cells[j] !== '');
  if (others.length === 0) return true;
  const isAgain = others.some((j) => sample.body(j, start + 1).includes(cells[j]!) || isDateText(cells[j]!));
  if (isAgain) return true;
  const years = first.every((cell) => /^(?:19|20)\d\d$/.test(cell));
  return !years && !isCounting(first) && first.length >= others.length;
}
