/** Some rows of a table. */
import type { Table, TableColumn } from './table.js';

/** Rows of `table` by number from 0, in this order. */
export function selectRows(table: Table, rows: ArrayLike<number>): Table {
  const { lines } = table;
  return {
    ...table,
    rows: rows.length,
    columns: table.columns.map((column): TableColumn => {
      if (column.kind === 'text')
        return { ...column, codes: pick(column.codes, new Int32Array(rows.length)) };
      const { censored } = column;
      return {
        ...column,
        values: pick(column.values, new Float64Array(rows.length)),
        ...(censored && { censored: pick(censored, new Int8Array(rows.length)) }),
      };
    }),
    ...(lines && { lines: pick(lines, new Uint32Array(rows.length)) }),
  };

  function pick<T extends Float64Array | Int32Array | Int8Array | Uint32Array>(from: T, to: T): T {
    for (let i = 0; i < rows.length; i++) to[i] = from[rows[i]!]!;
    return to;
  }
}
