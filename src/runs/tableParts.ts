/** The cells of a table as bytes to hash: the same for a CSV, a workbook or a Parquet file. */
import type { Table } from '../table/index.js';

export function* tableParts({
  rows,
  columns,
}: Pick<Table, 'rows' | 'columns'>): Generator<string | Uint8Array> {
  yield `${rows}\n`;
  for (const column of columns) {
    yield `${JSON.stringify([column.kind, column.name])}\n`;
    if (column.kind === 'text') {
      yield `${JSON.stringify(column.levels)}\n`;
      yield bytesOf(column.codes);
      continue;
    }
    // Every NaN is the same missing cell.
    yield bytesOf(column.values.map((value) => (Number.isNaN(value) ? Number.NaN : value)));
    yield bytesOf(column.censored ?? new Int8Array(rows));
  }
}

function bytesOf(values: Float64Array | Int32Array | Int8Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
