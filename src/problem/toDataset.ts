/** Rows of another table (candidates, new measurements) as designs and data of a problem that exists already. */
import { ArgumentError } from '../numeric/errors.js';
import type { Dataset } from '../space/space.js';
import { columnCalled, withoutApostrophe } from '../table/cellText.js';
import { quoted } from '../table/quoted.js';
import { cellAt, type Table, type TableColumn, type TableError } from '../table/table.js';
import { tableFault } from '../table/tableBuilder.js';
import { type Cell, type DesignColumn, encodeCell } from './buildSpace.js';
import { scoreRows } from './desirability.js';
import { whyUnreachable } from './magnitudes.js';
import type { Problem } from './stateProblem.js';
import { suggestion } from './tokens.js';

export interface TableDesigns {
  /** n x d, in the problem's order of columns. */
  readonly x: Float64Array;
  /** Row of the table behind each design, from 0. */
  readonly rows: number[];
  /** What was assumed, in sentences. */
  readonly notes: string[];
}

export interface TableData {
  readonly data: Dataset;
  readonly rows: number[];
  readonly notes: string[];
}

type DesignParts = Pick<Problem, 'columns' | 'fillers'>;

/**
 * Every row of `table` as a design of the problem. Columns are found by name; others are not looked at. An empty cell
 * is filled as the problem fills it, where the problem's own table had empty cells in that column. Values may lie
 * outside the space. A text that `neutralise` put an apostrophe before is the one it came from. Throws `TableError` with line and column.
 *
 *     const { x } = toDesigns(made, await readTable(candidates));
 */
export function toDesigns(problem: DesignParts, table: Table): TableDesigns {
  return designsOf(
    problem,
    table,
    Array.from({ length: table.rows }, (_, row) => row),
  );
}

/** The rows of `table` whose goals are measured, with their scores by the problem's rule; equal settings stay apart. */
export function toDataset(problem: DesignParts & Pick<Problem, 'rule'>, table: Table): TableData {
  const scored = scoreRows(problem.rule, table);
  const { x, rows, notes } = designsOf(problem, table, [...scored.rows]);
  return {
    data: { x, y: scored.y, ...(scored.censored && { censored: scored.censored }) },
    rows,
    notes: [...scored.notes, ...notes],
  };
}

function designsOf({ columns, fillers }: DesignParts, table: Table, rows: number[]): TableDesigns {
  const notes: string[] = [];
  const designs: number[][] = rows.map(() => []);
  for (let j = 0; j < columns.length; j++) {
    const column = columns[j]!;
    const source = sourceOf(column, table);
    const filler = fillers[j] ?? null;
    // A column with a filler is followed by the one that says where it was used.
    const flag = filler === null ? undefined : columns[++j]!;
    let empty = 0;
    rows.forEach((row, i) => {
      const found = cellAt(source, row);
      if (found === null) empty++;
      const cell = found ?? filler;
      if (cell === null) throw fault(table, row, column, 'is empty; fill it in, or leave the row out');
      const far = typeof cell === 'number' ? whyUnreachable(column, cell) : '';
      if (far !== '') throw fault(table, row, column, far);
      for (const number of encoded(column, cell, table, row)) designs[i]!.push(number);
      if (flag) designs[i]!.push(found === null ? 1 : 0);
    });
    if (empty > 0)
      notes.push(
        `"${column.name}" has no value in ${empty} row${empty > 1 ? 's' : ''}: ${filler} is put there, and the model is told where`,
      );
  }
  return { x: Float64Array.from(designs.flat()), rows, notes };
}

function sourceOf(column: DesignColumn, table: Table): TableColumn {
  const source = columnCalled(table.columns, column.name);
  const names = table.columns.map(({ name }) => name);
  if (!source)
    throw tableFault(
      table.name,
      `has no column ${quoted(column.name)}, which every design sets${suggestion(column.name, names)}`,
    );
  if ((column.kind !== 'number' && column.kind !== 'integer') || source.kind === 'number') return source;
  // One text makes a column text: name that one, not the numbers around it.
  const isText = (code: number) => code >= 0 && !Number.isFinite(Number(source.levels[code]));
  const odd = source.codes.findIndex(isText);
  const row = odd >= 0 ? odd : source.codes.findIndex((code) => code >= 0);
  if (row < 0) return source;
  throw fault(
    table,
    row,
    column,
    `${quoted(source.levels[source.codes[row]!]!)} is text in a column of numbers; correct it, or list it as \`missing\` when reading`,
  );
}

function encoded(column: DesignColumn, cell: Cell, table: Table, row: number): number[] {
  try {
    return encodeCell(column, cell, 'table');
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    const bare = withoutApostrophe(String(cell));
    if (bare !== cell && typeof cell === 'string') return encoded(column, bare, table, row);
    throw fault(table, row, column, `${quoted(String(cell))} ${refusal(column, String(cell))}`);
  }
}

function refusal(column: DesignColumn, text: string): string {
  const advice = 'correct it, or leave the row out';
  if (column.kind === 'sequence') {
    const length = [...text].length;
    if (length !== column.length)
      return `has ${length} letters where the problem has ${column.length}; ${advice}`;
    const odd = [...text].find((letter) => !column.letters.includes(letter));
    return `has the letter ${quoted(odd ?? '')}, which the problem does not know; letters are ${column.letters.slice(0, 30).join('')}; ${advice}`;
  }
  if (column.kind === 'category')
    return `is no level that the problem knows${suggestion(text, column.levels)}; ${advice}`;
  return `cannot be used in this column; ${advice}`;
}

function fault(table: Table, row: number, { name }: DesignColumn, message: string): TableError {
  return tableFault(table.name, message, table.lines?.[row] ?? row + 1, name);
}
