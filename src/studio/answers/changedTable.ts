/** A table with some cells written over. Rows keep their numbers: a row without its goal is left out by itself. */
import { ArgumentError } from '../../numeric/errors.js';
import type { Table, TableColumn } from '../../table/table.js';
import type { CellChange } from '../protocol/index.js';

export function changedTable(table: Table, changes: readonly CellChange[]): Table {
  for (const { row, column } of changes) {
    if (row >= table.rows) throw new ArgumentError('row', `the table has no row ${row + 1}`);
    if (column >= table.columns.length)
      throw new ArgumentError('column', `the table has no column ${column + 1}`);
  }
  const before = table.notes.find((text) => /^\d+ cells? (was|were) changed in the studio$/.test(text));
  const count = changes.length + (before ? Number.parseInt(before, 10) : 0);
  return {
    ...table,
    name: changedName(table.name),
    columns: table.columns.map((column, j) =>
      changed(
        column,
        changes.filter((change) => change.column === j),
      ),
    ),
    notes: [
      ...table.notes.filter((text) => text !== before),
      `${count} ${count === 1 ? 'cell was' : 'cells were'} changed in the studio`,
    ],
  };
}

/** "reactor.csv" becomes "reactor (changed).csv", once. */
export function changedName(name: string): string {
  return name.includes('(changed)') ? name : name.replace(/(\.[^.]*)?$/, ' (changed).csv');
}

function changed(column: TableColumn, changes: readonly CellChange[]): TableColumn {
  if (changes.length === 0) return column;
  if (column.kind === 'number') {
    const values = column.values.slice();
    const censored = column.censored?.slice();
    for (const { row, value } of changes) {
      if (typeof value === 'string')
        throw new ArgumentError('value', `"${column.name}" holds numbers, and "${value}" is none`);
      values[row] = value ?? Number.NaN;
      if (censored) censored[row] = 0;
    }
    return { ...column, values, ...(censored && { censored }) };
  }
  const levels = [...column.levels];
  const codes = column.codes.slice();
  for (const { row, value } of changes) {
    const text = value === null ? '' : String(value).trim();
    if (text !== '' && !levels.includes(text)) levels.push(text);
    codes[row] = levels.indexOf(text);
  }
  return { ...column, levels, codes };
}
