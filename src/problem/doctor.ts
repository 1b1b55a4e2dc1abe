/**
 * What is wrong, or odd, about a table before anything is learnt from it. Every finding says how bad it is, which rows
 * and columns it is about, and what to do. Nothing is changed here.
 */
import { ArgumentError } from '../numeric/errors.js';
import { extent, mean, quantiles, spearman, standardDeviation } from '../numeric/stats.js';
import { inspect, isLogarithmic } from '../table/columnTypes.js';
import { cellAt, type NumberColumn, type Table, type TableColumn } from '../table/table.js';
import { copiesAmong } from './copiedColumns.js';
import { textGoal } from './desirability.js';
import { farText, farValues } from './farValues.js';

export type Severity = 'error' | 'warning' | 'note';

/** Something odd about a table, with advice. */
export interface Finding {
  readonly severity: Severity;
  /** What kind of finding, for programs. */
  readonly kind:
    | 'missingGoal'
    | 'conflictingRows'
    | 'constantColumn'
    | 'derivedColumn'
    | 'unitJump'
    | 'outliers'
    | 'leak'
    | 'drift'
    | 'tooFewRows';
  readonly columns: readonly string[];
  /** Rows of the table, counted from 0; at most `MOST_ROWS`, the most telling first. */
  readonly rows: readonly number[];
  readonly message: string;
  readonly advice: string;
}

export interface DoctorQuestion {
  /** The measured column. */
  readonly goal: string;
  /** Columns that may enter a model. */
  readonly inputs: readonly string[];
  /** The table whose rows, numbered so, the given ones are. */
  readonly part?: { readonly whole: Table; readonly rows: ArrayLike<number> };
}

const MOST_ROWS = 20;

/** Correlation from which one column is a copy of another. */
const COPY = 0.999999;

export function examine(table: Table, { goal, inputs, part }: DoctorQuestion): Finding[] {
  const byName = new Map(table.columns.map((column) => [column.name, column]));
  const find = (name: string): TableColumn => {
    const column = byName.get(name);
    if (!column) throw new ArgumentError('columns', `${table.name} has no column "${name}"`);
    return column;
  };
  const measured = find(goal);
  if (measured.kind !== 'number') {
    throw textGoal(goal, measured, table);
  }
  const columns = inputs.map(find);
  const used = rowsWith(measured);
  const missing = missingGoal(part?.whole ?? table, goal);
  if (used.length === 0) return missing;
  const found = [
    ...tooFewRows(table, columns, used, goal),
    ...conflictingRows(columns, measured, used),
    ...columns.flatMap((column) => constantColumn(column, used)),
    ...derivedColumns(columns, used),
    ...columns.flatMap((column) => (column.kind === 'number' ? unitJump(column, used) : [])),
    ...unitJump(measured, used),
    ...outliers(measured, used),
    ...columns.flatMap((column) => (column.kind === 'number' ? farInputs(table, column, used) : [])),
    ...columns.flatMap((column) => leak(column, measured, used)),
    ...drift(measured, used),
  ];
  const order: Severity[] = ['error', 'warning', 'note'];
  const inWhole = (finding: Finding) => ({ ...finding, rows: finding.rows.map((row) => part!.rows[row]!) });
  return [...missing, ...(part ? found.map(inWhole) : found)].sort(
    (a, b) => order.indexOf(a.severity) - order.indexOf(b.severity),
  );
}

function rowsWith({ values }: NumberColumn): number[] {
  return Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]!));
}

function missingGoal(table: Table, name: string): Finding[] {
  const { values } = table.columns.find((column) => column.name === name) as NumberColumn;
  const rows: number[] = [];
  let missing = 0;
  for (let row = 0; row < values.length; row++)
    if (Number.isNaN(values[row]!) && missing++ < MOST_ROWS) rows.push(row);
  if (missing === 0) return [];
  const all = missing === table.rows;
  return [
    {
      severity: all ? 'error' : 'note',
      kind: 'missingGoal',
      columns: [name],
      rows,
      message: all
        ? `no row has a value of "${name}"`
        : `${missing} of ${table.rows} rows ${missing === 1 ? 'has' : 'have'} no value of "${name}"`,
      advice: all
        ? 'choose another goal, or fill in what was measured'
        : missing === 1
          ? 'it is left out'
          : 'they are left out',
    },
  ];
}

function tooFewRows(
  table: Table,
  columns: readonly TableColumn[],
  used: readonly number[],
  goal: string,
): Finding[] {
  // texts that are read by their letters or atoms are no classes, though each of them may be another
  const read = new Set(
    inspect(table)
      .filter(({ type }) => type === 'sequence' || type === 'smiles')
      .map(({ name }) => name),
  );
  // a column of k classes takes k - 1 numbers
  const numbers = (c: TableColumn) => (c.kind === 'number' || read.has(c.name) ? 1 : c.levels.length - 1);
  const width = columns.reduce((sum, column) => sum + Math.max(1, numbers(column)), 0);
  if (used.length >= 5 * width) return [];
  const severe = used.length < 2 * width || used.length < 8;
  return [
    {
      severity: severe ? 'error' : 'warning',
      kind: 'tooFewRows',
      columns: [goal],
      rows: [],
      message: `${used.length} rows with a value of "${goal}" for ${width} numbers per design`,
      advice: 'leave columns out, fix some of them, or measure more before trusting a proposal',
    },
  ];
}

/** Text that is the same for rows with the same inputs. */
function signature(columns: readonly TableColumn[], row: number): string {
  return columns.map((c) => (c.kind === 'number' ? c.values[row] : c.codes[row])).join('|');
}

function conflictingRows(
  columns: readonly TableColumn[],
  goal: NumberColumn,
  used: readonly number[],
): Finding[] {
  if (columns.length === 0) return [];
  const groups = new Map<string, number[]>();
  for (const row of used) {
    const key = signature(columns, row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const repeated = [...groups.values()].filter((rows) => rows.length > 1);
  if (repeated.length === 0) return [];
  const spreadOf = (rows: readonly number[]) => {
    const { min, max } = extent(rows.map((row) => goal.values[row]!));
    return max - min;
  };
  const { min, max } = extent(used.map((row) => goal.values[row]!));
  const worst = repeated.toSorted((a, b) => spreadOf(b) - spreadOf(a));
  const pooled = Math.sqrt(
    mean(
      repeated.map(
        (rows) =>
          standardDeviation(
            rows.map((row) => goal.values[row]!),
            { unbiased: true },
          ) ** 2,
      ),
    ),
  );
  const share = max > min ? spreadOf(worst[0]!) / (max - min) : 0;
  const count = repeated.reduce((sum, rows) => sum + rows.length, 0);
  return [
    {
      severity: share > 0.25 ? 'warning' : 'note',
      kind: 'conflictingRows',
      columns: [goal.name],
      rows: worst.flat().slice(0, MOST_ROWS),
      message:
        spreadOf(worst[0]!) === 0
          ? `${count} rows repeat the settings of another, with the same "${goal.name}"`
          : `${count} rows repeat the settings of another; "${goal.name}" then differs by about ${Number(pooled.toPrecision(2))} ` +
            `(standard deviation), at most by ${round(spreadOf(worst[0]!))}`,
      advice:
        share > 0.25
          ? 'the same settings gave very different results: look for a column that is missing from the table'
          : 'the model sees their mean, and their spread is the noise of a measurement',
    },
  ];
}

function constantColumn(column: TableColumn, used: readonly number[]): Finding[] {
  const first = used.find((row) => cellAt(column, row) !== null);
  const value = first === undefined ? undefined : cellAt(column, first);
  if (used.some((row) => cellAt(column, row) !== null && cellAt(column, row) !== value)) return [];
  const isEmpty = first === undefined;
  return [
    {
      severity: 'note',
      kind: 'constantColumn',
      columns: [column.name],
      rows: [],
      message: isEmpty ? `"${column.name}" is empty` : `"${column.name}" is ${value} in every row`,
      advice: 'nothing can be learnt about it: it is kept as it is',
    },
  ];
}

function derivedColumns(columns: readonly TableColumn[], used: readonly number[]): Finding[] {
  const numbers = columns.filter((c): c is NumberColumn => c.kind === 'number' && !isConstant(c, used));
  const { copies, left } = copiesAmong(numbers, used, COPY);
  const found = copies.map(
    ({ first, second, correlation }): Finding => ({
      severity: 'warning',
      kind: 'derivedColumn',
      columns: [first.name, second.name],
      rows: [],
      message: `"${second.name}" follows from "${first.name}" (correlation ${correlation.toFixed(6)})`,
      advice: 'leave one of them out, or a design may ask for values that do not go together',
    }),
  );
  if (left > 0)
    found.push({
      severity: 'note',
      kind: 'derivedColumn',
      columns: [],
      rows: [],
      message: `${left} columns were not compared with all others`,
      advice:
        'too many are nearly alike, or have empty cells, to find every copy: --ignore leaves columns out',
    });
  return found;
}

/** Two clouds of positive values with at least two decades of nothing between them: mg and g in one column. */
function unitJump(column: NumberColumn, used: readonly number[]): Finding[] {
  const rows = used.filter((row) => column.values[row]! > 0);
  if (rows.length < 10 || rows.length < 0.9 * used.length) return [];
  const sorted = rows.toSorted((a, b) => column.values[a]! - column.values[b]!);
  let widest = 1;
  let at = 0;
  for (let i = 1; i < sorted.length; i++) {
    const ratio = column.values[sorted[i]!]! / column.values[sorted[i - 1]!]!;
    if (ratio > widest) [widest, at] = [ratio, i];
  }
  const smaller = Math.min(at, sorted.length - at);
  if (widest < 100 || smaller < 2) return [];
  const part = at <= sorted.length - at ? sorted.slice(0, at) : sorted.slice(at);
  return [
    {
      severity: 'warning',
      kind: 'unitJump',
      columns: [column.name],
      rows: part.slice(0, MOST_ROWS),
      message:
        `"${column.name}" jumps from ${round(column.values[sorted[at - 1]!]!)} to ` +
        `${round(column.values[sorted[at]!]!)} with nothing between; ${smaller} rows are on the smaller side`,
      advice: 'were different units used? Convert them, or leave those rows out',
    },
  ];
}

/** Values so far out that bins of equal width would hold little else. */
function outliers(goal: NumberColumn, used: readonly number[]): Finding[] {
  if (used.length < 20) return [];
  const values = used.map((row) => goal.values[row]!);
  const [low, high] = quantiles(values, [0.02, 0.98]) as unknown as [number, number];
  const width = high - low;
  if (width === 0) return [];
  const far = used
    .filter((row) => goal.values[row]! > high + 2 * width || goal.values[row]! < low - 2 * width)
    .toSorted((a, b) => Math.abs(goal.values[b]! - high) - Math.abs(goal.values[a]! - high));
  if (far.length === 0) return [];
  return [
    {
      severity: 'warning',
      kind: 'outliers',
      columns: [goal.name],
      rows: far.slice(0, MOST_ROWS),
      message:
        `${far.length} values of "${goal.name}" lie far outside ${round(low)} to ${round(high)}, where 96 % are ` +
        `(the furthest is ${round(goal.values[far[0]!]!)})`,
      advice: 'check them: most bins of the score would stand for the space between them and the rest',
    },
  ];
}

/** Widths of the others' range from which a setting is odd; deliberate corners and star points lie nearer. */
const ODD = 20;

/** Settings far away from all others. On a logarithmic scale they may be near. */
function farInputs(table: Table, column: NumberColumn, used: readonly number[]): Finding[] {
  const far = farValues(column, used, ODD);
  if (!far || isLogarithmic(column.values)) return [];
  return [
    {
      severity: 'warning',
      kind: 'outliers',
      columns: [column.name],
      rows: far.rows.slice(0, MOST_ROWS),
      message: farText(table, column, far),
      advice: 'check the cell: next to such a value the model hardly sees how the others differ',
    },
  ];
}

/** A different value in nearly every row that orders the rows as the goal does: an identifier given after measuring. */
function leak(column: TableColumn, goal: NumberColumn, used: readonly number[]): Finding[] {
  if (used.length < 20) return [];
  const rows = used.filter((row) => cellAt(column, row) !== null);
  const different = new Set(rows.map((row) => cellAt(column, row))).size;
  if (different < 0.95 * rows.length || rows.length < 20) return [];
  const isWhole = column.kind === 'text' || rows.every((row) => Number.isInteger(column.values[row]!));
  if (!isWhole) return [];
  const ordered = rows.map((row) =>
    column.kind === 'number' ? column.values[row]! : digits(column.levels[column.codes[row]!]!),
  );
  if (ordered.some(Number.isNaN) || new Set(ordered).size < 2) return [];
  const scores = rows.map((row) => goal.values[row]!);
  if (new Set(scores).size < 2) return [];
  const r = spearman(ordered, scores);
  if (Math.abs(r) < 0.9) return [];
  return [
    {
      severity: 'warning',
      kind: 'leak',
      columns: [column.name],
      rows: [],
      message: `"${column.name}" numbers the rows in the order of "${goal.name}" (rank correlation ${r.toFixed(2)})`,
      advice: `leave it out: --ignore "${column.name}"`,
    },
  ];
}

function drift(goal: NumberColumn, used: readonly number[]): Finding[] {
  if (used.length < 30) return [];
  const scores = used.map((row) => goal.values[row]!);
  if (new Set(scores).size < 2) return [];
  const r = spearman(used, scores);
  // under no drift r has standard deviation 1 / sqrt(n - 1)
  if (Math.abs(r) < 0.3 || Math.abs(r) * Math.sqrt(used.length - 1) < 4) return [];
  return [
    {
      severity: 'note',
      kind: 'drift',
      columns: [goal.name],
      rows: [],
      message: `"${goal.name}" ${r > 0 ? 'rises' : 'falls'} along the table (rank correlation with the row number ${r.toFixed(2)})`,
      advice:
        'if rows are in order of time, something outside the table changed: add it as a column, or as context',
    },
  ];
}

function isConstant(column: NumberColumn, rows: readonly number[]): boolean {
  const first = rows.find((row) => cellAt(column, row) !== null);
  return (
    first === undefined ||
    rows.every((row) => cellAt(column, row) === null || column.values[row] === column.values[first])
  );
}

/** The number that a text such as "run-017" carries. */
function digits(text: string): number {
  const found = text.match(/\d+/g);
  return found?.length === 1 ? Number(found[0]) : Number.NaN;
}

function round(value: number): string {
  return String(Number(value.toPrecision(4)));
}
