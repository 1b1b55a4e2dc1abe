/**
 * Designs as CSV tables. Candidates: first the columns of the past table, in its order and units. Columns that a design
 * does not set, such as the goals, are empty: people measure, fill them in and add the rows to their table. Scored rows
 * of the user: as given, followed by columns of predictions.
 */

import type { Assessed, AssessedRow, RunDocument } from '../design/runDocument.js';
import type { Cell } from '../problem/index.js';
import { cellAt, neutralise, type Table, type TableColumn } from '../table/index.js';

/** Quoted where necessary. A text with an apostrophe always is: some readers take that for a quote. */
function cell(value: Cell | null | undefined): string {
  if (value === null || value === undefined) return '';
  // 12 digits: 0.3 for 0.1 + 0.2, and constraints still hold to far less than 1e-9.
  if (typeof value === 'number') return Number.isFinite(value) ? String(Number(value.toPrecision(12))) : '';
  const text = neutralise(value);
  return /[",;'|\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Reading<Row extends Assessed> = readonly [name: string, value: (row: Row) => Cell];

const readings: readonly Reading<Assessed>[] = [
  ['expected', ({ expected }) => expected],
  ['lo80', ({ lo80 }) => lo80],
  ['hi80', ({ hi80 }) => hi80],
  ['trust', ({ trust }) => trust],
  ['gamma', ({ gamma }) => gamma],
  ['novelty', ({ novelty }) => novelty],
  ['nearest_row', ({ nearest }) => nearest.row],
  ['nearest_value', ({ nearest }) => nearest.value],
];

/** Several goals: the prediction of each. */
function goalReadings({ goals }: RunDocument['goal']): Reading<Assessed>[] {
  if (goals.length < 2) return [];
  return goals.flatMap(({ column }, g): Reading<Assessed>[] => [
    [`${column}_expected`, (row) => row.goals[g]!.expected],
    [`${column}_lo80`, (row) => row.goals[g]!.lo80],
    [`${column}_hi80`, (row) => row.goals[g]!.hi80],
  ]);
}

/** The same readings; those whose name is a column of the table get the prefix `nemokit_`. */
function renamed<Row extends Assessed>(
  added: readonly Reading<Row>[],
  columns: readonly string[],
): Reading<Row>[] {
  const taken = new Set(columns);
  return added.map(([name, value]): Reading<Row> => {
    let free = name;
    while (taken.has(free)) free = `nemokit_${free}`;
    taken.add(free);
    return [free, value];
  });
}

/** Predictions are not known to more than six digits. */
function rounded(value: Cell): Cell {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
}

function csvText(lines: readonly (readonly (Cell | null | undefined)[])[]): string {
  return lines.map((line) => `${line.map(cell).join(',')}\n`).join('');
}

/** `columns`: names of the past table's columns in its order; default: as the document lists them. */
export function toCandidatesCsv(
  { candidates, goal, data, plan }: Pick<RunDocument, 'candidates' | 'goal' | 'data' | 'plan'>,
  columns: readonly string[] = data.columns.map(({ name }) => name),
): string {
  const goalNames = new Set(goal.goals.map(({ column }) => column));
  const settings = (cells: Readonly<Record<string, Cell>>) =>
    columns.map((name) => (!goalNames.has(name) && Object.hasOwn(cells, name) ? cells[name] : null));
  if (plan) {
    const [[nearest]] = renamed([['nearest_row', () => 0]], columns) as [Reading<Assessed>];
    return csvText([[...columns, nearest], ...plan.map((row) => [...settings(row.cells), row.nearest.row])]);
  }
  const added = renamed([...readings, ...goalReadings(goal)], columns);
  const rows = candidates.map((candidate) => [
    ...settings(candidate.cells),
    ...added.map(([, value]) => rounded(value(candidate))),
  ]);
  return csvText([[...columns, ...added.map(([name]) => name)], ...rows]);
}

/** The rows of `table` as they are, followed by the predictions for each. */
export function toScoredCsv(table: Table, rows: readonly AssessedRow[], goal: RunDocument['goal']): string {
  const names = table.columns.map(({ name }) => name);
  const predictions: readonly Reading<AssessedRow>[] = [
    ...readings,
    ['better', ({ better }) => better],
    ['breaks', ({ breaks }) => breaks.join('; ')],
    ...goalReadings(goal),
  ];
  const added = renamed(predictions, names);
  return csvText([
    [...names, ...added.map(([name]) => name)],
    ...rows.map((row, i) => [
      ...table.columns.map((column) => asWritten(column, i)),
      ...added.map(([, value]) => rounded(value(row))),
    ]),
  ]);
}

/** With all digits; a censored value keeps its `<` or `>`. */
function asWritten(column: TableColumn, row: number): Cell | null {
  const value = cellAt(column, row);
  if (column.kind === 'text' || value === null) return value;
  const side = column.censored?.[row] ?? 0;
  return `${side < 0 ? '<' : side > 0 ? '>' : ''}${value}`;
}
