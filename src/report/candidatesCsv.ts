/**
 * Designs as CSV tables. Candidates: first the columns of the past table, in its order and units. Columns that a design
 * does not set, such as the goals, are empty: people measure, fill them in and add the rows to their table. Scored rows
 * of the user: as given, followed by columns of predictions.
 */

import type { Assessed, AssessedRow, Candidate, RunDocument } from '../design/runDocument.js';
import type { Cell } from '../problem/index.js';
import { cellAt, freeName, neutralise, type Table, type TableColumn } from '../table/index.js';
import { shownDocument } from './withheld.js';

type Dialect = Pick<NonNullable<Table['dialect']>, 'delimiter' | 'decimal'>;

/** The table's own marks, as far as they can be read back: runs of spaces hold no empty cell. */
function dialectOf(table: Pick<Table, 'dialect'> | undefined): Dialect {
  const { delimiter = ',', decimal = '.' } = table?.dialect ?? {};
  if (/^[,;\t|]$/.test(delimiter) && delimiter !== decimal) return { delimiter, decimal };
  return { delimiter: decimal === ',' ? ';' : ',', decimal };
}

/** With as many decimals as the column has, where they say it all; otherwise 12 digits. */
function digits(value: number, decimals: number | undefined): string {
  // 12 digits: 0.3 for 0.1 + 0.2, and constraints still hold to far less than 1e-9.
  const exact = Number(value.toPrecision(12));
  if (decimals === undefined || decimals > 12 || Math.abs(exact) >= 1e15) return String(exact);
  const fixed = exact.toFixed(decimals);
  return Number(fixed) === exact ? fixed.replace(/^-(?=[0.]*$)/, '') : String(exact);
}

/** Quoted where necessary. A text with an apostrophe always is: some readers take that for a quote. */
function cell(value: Cell | null | undefined, { decimal }: Dialect, decimals?: number): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return '';
    return digits(value, decimals).replace('.', decimal);
  }
  const text = neutralise(value);
  return /[",;'|\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Reading<Row> = readonly [name: string, value: (row: Row) => Cell];

const readings: readonly Reading<Assessed>[] = [
  ['expected', ({ expected }) => expected],
  ['lo80', ({ lo80 }) => lo80],
  ['hi80', ({ hi80 }) => hi80],
  ['better', ({ better }) => better],
  ['trust', ({ trust }) => trust],
  ['gamma', ({ gamma }) => gamma],
  ['novelty', ({ novelty }) => novelty],
  ['nearest_row', ({ nearest }) => nearest.row],
  ['nearest_value', ({ nearest }) => nearest.value],
  ['nearest_mean_of', ({ nearest }) => nearest.meanOf?.rows.length ?? 1],
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

type Chosen = Pick<Candidate, 'pick' | 'cost' | 'nearest'>;

/** How designs came into the batch and what they cost, where somebody asked. */
function batchReadings(rows: readonly Chosen[]): Reading<Chosen>[] {
  return [
    ...(rows.some(({ pick }) => pick !== undefined)
      ? [['pick', ({ pick }) => pick ?? ''] satisfies Reading<Chosen>]
      : []),
    ...(rows.some(({ cost }) => cost !== undefined)
      ? [['cost', ({ cost }) => cost ?? ''] satisfies Reading<Chosen>]
      : []),
  ];
}

/** The same readings; those whose name is a column of the table get the prefix `nemokit_`. */
function renamed<Row>(added: readonly Reading<Row>[], columns: readonly string[]): Reading<Row>[] {
  const taken = new Set(columns);
  return added.map(([name, value]): Reading<Row> => {
    const free = freeName(name, taken);
    taken.add(free);
    return [free, value];
  });
}

/** Predictions are not known to more than six digits. */
function rounded(value: Cell): Cell {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
}

function csvText(lines: readonly (readonly string[])[], { delimiter }: Dialect): string {
  return lines.map((line) => `${line.join(delimiter)}\n`).join('');
}

function decimalsOf(
  table: Pick<Table, 'columns'> | undefined,
  names: readonly string[],
): (number | undefined)[] {
  const known = new Map(table?.columns.map((column) => [column.name, column]));
  return names.map((name) => {
    const column = known.get(name);
    return column?.kind === 'number' ? column.decimals : undefined;
  });
}

/** What of a run is written; a run of the library brings its table. */
type Written = Pick<RunDocument, 'candidates' | 'goal' | 'data' | 'plan' | 'verdict' | 'run'> & {
  readonly asked?: { readonly table: Table };
};

/**
 * In the dialect of the table, and with as many digits as its columns have. Without rows where the data do not support
 * the designs, unless they were asked for `anyway`. `past`: the past table, or the names of its
 * columns in its order; default: the table of the run, else the columns as the document lists them.
 */
export function toCandidatesCsv(
  run: Written,
  past: Table | readonly string[] = run.asked?.table ?? run.data.columns.map(({ name }) => name),
): string {
  const { candidates, goal, plan, asked } = shownDocument(run);
  const table = 'columns' in past ? past : asked?.table;
  const columns = 'columns' in past ? past.columns.map(({ name }) => name) : past;
  const goalNames = new Set(goal.goals.map(({ column }) => column));
  const dialect = dialectOf(table);
  const decimals = decimalsOf(table, columns);
  // what a list says about its rows beside their settings: names, prices, numbers of a catalogue
  const catalogue = catalogueColumns([...candidates, ...(plan ?? [])], columns);
  const settings = ({ cells, listed }: Pick<Candidate, 'cells' | 'listed'>) => [
    ...columns.map((name, j) => {
      const from = Object.hasOwn(cells, name) ? cells : (listed?.cells ?? {});
      return !goalNames.has(name) && Object.hasOwn(from, name) ? cell(from[name], dialect, decimals[j]) : '';
    }),
    ...catalogue.map((name) =>
      cell(listed && Object.hasOwn(listed.cells, name) ? listed.cells[name] : null, dialect),
    ),
  ];
  const own = [...columns, ...catalogue];
  const header = (added: readonly string[]) => [...own, ...added].map((name) => cell(name, dialect));
  if (plan) {
    const added = renamed([['nearest_row', ({ nearest }) => nearest.row], ...batchReadings(plan)], own);
    const rows = plan.map((row) => [
      ...settings(row),
      ...added.map(([, value]) => cell(rounded(value(row)), dialect)),
    ]);
    return csvText([header(added.map(([name]) => name)), ...rows], dialect);
  }
  const about = goal.labels.join('; ');
  const added = renamed<Candidate>(
    [...readings, ...goalReadings(goal), ...batchReadings(candidates), ['goal', () => about]],
    own,
  );
  const rows = candidates.map((candidate) => [
    ...settings(candidate),
    ...added.map(([, value]) => cell(rounded(value(candidate)), dialect)),
  ]);
  return csvText([header(added.map(([name]) => name)), ...rows], dialect);
}

/** Columns of a list that the past table does not have, in the order of the list. */
export function catalogueColumns(
  rows: readonly Pick<Candidate, 'listed'>[],
  columns: readonly string[],
): string[] {
  const names = rows.flatMap(({ listed }) => Object.keys(listed?.cells ?? {}));
  const past = new Set(columns);
  return [...new Set(names)].filter((name) => !past.has(name));
}

/** The rows of `table` as they are, followed by the predictions for each. */
export function toScoredCsv(table: Table, rows: readonly AssessedRow[], goal: RunDocument['goal']): string {
  const names = table.columns.map(({ name }) => name);
  const predictions: readonly Reading<AssessedRow>[] = [
    ...readings,
    ['breaks', ({ breaks }) => breaks.join('; ')],
    ...goalReadings(goal),
  ];
  const added = renamed(predictions, names);
  const dialect = dialectOf(table);
  const decimals = decimalsOf(table, names);
  const head = [...names, ...added.map(([name]) => name)].map((name) => cell(name, dialect));
  const lines = rows.map((row, i) => [
    ...table.columns.map((column, j) => asWritten(column, i, dialect, decimals[j])),
    ...added.map(([, value]) => cell(rounded(value(row)), dialect)),
  ]);
  return csvText([head, ...lines], dialect);
}

/** With all digits; a censored value keeps its `<` or `>`. */
function asWritten(column: TableColumn, row: number, dialect: Dialect, decimals: number | undefined): string {
  const value = cellAt(column, row);
  if (column.kind === 'text' || typeof value !== 'number') return cell(value, dialect);
  const side = column.censored?.[row] ?? 0;
  const fixed =
    decimals === undefined || Math.abs(value) >= 1e15 ? '' : value.toFixed(Math.min(decimals, 20));
  const text = fixed !== '' && Number(fixed) === value ? fixed : String(value);
  return `${side < 0 ? '<' : side > 0 ? '>' : ''}${text.replace('.', dialect.decimal)}`;
}
