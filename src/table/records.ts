import type { ColumnBuilder } from './columnBuilder.js';
import type { Table } from './table.js';
import { type ReadSettings, TableBuilder, tableFault, UndecidedColumns } from './tableBuilder.js';

export type TableRecord = Readonly<Record<string, unknown>>;

/** Adds a value that has a type already; false if it is none that a cell can hold. */
export function addValue(column: ColumnBuilder, value: unknown): boolean {
  if (typeof value === 'number') column.addNumber(value);
  else if (typeof value === 'string') column.addText(value);
  else if (value === null || value === undefined) column.addMissing();
  else if (typeof value === 'boolean') column.addText(String(value));
  else if (typeof value === 'bigint') {
    if (BigInt.asIntN(54, value) === value) column.addNumber(Number(value));
    else column.addText(String(value));
  } else if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) column.addMissing();
    else column.addText(value.toISOString().replace(/T00:00:00\.000Z$/, ''));
  } else return false;
  return true;
}

/** Columns are the keys in order of first appearance; a key that an object lacks is a missing cell. */
export function readRecords(records: readonly TableRecord[], settings: ReadSettings): Table {
  const { file } = settings;
  const names = new Set<string>();
  records.forEach((record, row) => {
    if (typeof record !== 'object' || record === null || Array.isArray(record))
      throw tableFault(file, `item ${row} of the array is no object with a value per column`, row + 1);
    for (const name of Object.keys(record)) names.add(name);
  });
  if (names.size === 0) throw tableFault(file, 'the array holds no objects with columns');
  const table = new TableBuilder(settings, [...names], undefined);
  for (const [row, record] of records.entries()) {
    table.startRow(row + 1);
    for (const column of table.columns) {
      const value = Object.hasOwn(record, column.name) ? record[column.name] : undefined;
      if (!addValue(column, value))
        throw tableFault(
          file,
          `a cell holds a number, a text, a truth value, a date or nothing, not ${kindOf(value)}`,
          row + 1,
          column.name,
        );
    }
  }
  const result = table.finish();
  if (result instanceof UndecidedColumns)
    return readRecords(records, { ...settings, undecided: result.names });
  return result;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
