/** Some rows of a table. */
import type { Table, TableColumn } from './table.js';

/** Rows of `table` by number from 0, in this order. */
export function selectRows(table: Table, rows: readonly number[]): Table {
  const { lines } = table;
  return {
    ...table,
    rows: rows.length,
    columns: table.columns.map((column): TableColumn => {
      if (column.kind === 'text')
        return { ...column, codes: Int32Array.from(rows, (row) => column.codes[row]!) };
      const { censored } = column;
      return {
        ...column,
        values: Float64Array.from(rows, (row) => column.values[row]!),
        ...(censored && { censored: Int8Array.from(rows, (row) => censored[row]!) }),
      };
    }),
    ...(lines && { lines: Uint32Array.from(rows, (row) => lines[row]!) }),
  };
}
