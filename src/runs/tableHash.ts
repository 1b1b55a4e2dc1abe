import { createHash } from 'node:crypto';
import type { Table } from '../table/index.js';

/** SHA-256 of what the cells say: the same for the same table in a CSV, a workbook or a Parquet file. */
export function tableHash({ rows, columns }: Pick<Table, 'rows' | 'columns'>): string {
  const hash = createHash('sha256').update(`${rows}\n`);
  for (const column of columns) {
    hash.update(`${JSON.stringify([column.kind, column.name])}\n`);
    if (column.kind === 'text') {
      hash.update(`${JSON.stringify(column.levels)}\n`).update(bytesOf(column.codes));
      continue;
    }
    // Every NaN is the same missing cell.
    hash.update(bytesOf(column.values.map((value) => (Number.isNaN(value) ? Number.NaN : value))));
    hash.update(column.censored ?? new Int8Array(rows));
  }
  return hash.digest('hex');
}

function bytesOf(values: Float64Array | Int32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
