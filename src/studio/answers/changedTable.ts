/** A table with some cells written over, or other units. Rows keep their numbers: a row without its goal is left out by itself. */
import { ArgumentError } from '../../numeric/errors.js';
import type { Table, TableColumn } from '../../table/table.js';
import { unitOfCell } from '../../table/units.js';
import type { CellChange, TableChange, UnitChange } from '../protocol/index.js';

export function changedTable(table: Table, changes: readonly TableChange[]): Table {
  for (const change of changes) {
    if ('row' in change && change.row >= table.rows)
      throw new ArgumentError('row', `the table has no row ${change.row + 1}`);
    if (change.column >= table.columns.length)
      throw new ArgumentError('column', `the table has no column ${change.column + 1}`);
  }
  for (const change of changes)
    if ('unit' in change && change.unit !== null && !unitOfCell(`[${change.unit}]`))
      throw new ArgumentError('unit', `"${change.unit}" is no unit; write one such as "°C" or "g/L"`);
  const units = changes.filter((change): change is UnitChange => 'unit' in change);
  const cells = changes.filter((change): change is CellChange => 'row' in change);
  return withCells(withUnits(table, units), cells);
}

function withUnits(table: Table, changes: readonly UnitChange[]): Table {
  if (changes.length === 0) return table;
  const said = (name: string) => `the unit of ${name} was set in the studio: `;
  const columns = table.columns.map((column, j): TableColumn => {
    const change = changes.findLast((one) => one.column === j);
    if (!change) return column;
    const { unit: _, ...rest } = column;
    return change.unit === null ? rest : { ...rest, unit: change.unit };
  });
  const renewed = changes.map(({ column }) => columns[column]!);
  return {
    ...table,
    name: changedName(table.name),
    columns,
    notes: [
      ...table.notes.filter((note) => !renewed.some(({ name }) => note.startsWith(said(name)))),
      ...renewed.map(({ name, unit }) => `${said(name)}${unit ?? 'none'}`),
    ],
  };
}

function withCells(table: Table, changes: readonly CellChange[]): Table {
  if (changes.length === 0) return table;
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
