import { parquetMetadataAsync, parquetScan, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { checkPages } from './parquetPages.js';
import { addValue } from './records.js';
import { type Table, TableError } from './table.js';
import { type ReadSettings, TableBuilder, tableFault, type UnsettledColumns } from './tableBuilder.js';

/** Columns of plain values; those of lists and objects are left out with a note. */
export async function readParquet(
  bytes: Uint8Array<ArrayBuffer>,
  settings: ReadSettings,
  maximum: number,
): Promise<Table | UnsettledColumns> {
  try {
    return await readColumns(bytes, settings, maximum);
  } catch (error) {
    if (error instanceof TableError) throw error;
    throw tableFault(
      settings.file,
      'the Parquet data are damaged or of a kind that is not read; write the file again',
    );
  }
}

async function readColumns(
  bytes: Uint8Array<ArrayBuffer>,
  settings: ReadSettings,
  maximum: number,
): Promise<Table | UnsettledColumns> {
  const { file } = settings;
  const buffer = {
    byteLength: bytes.length,
    slice: (start: number, end?: number) =>
      bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + (end ?? bytes.length)),
  };
  const metadata = await parquetMetadataAsync(buffer);
  const rows = Number(metadata.num_rows);
  const { children } = parquetSchema(metadata);
  const leaves = children.filter(
    ({ children, element }) =>
      children.length === 0 &&
      element.repetition_type !== 'REPEATED' &&
      element.converted_type !== 'JSON' &&
      element.converted_type !== 'BSON' &&
      element.logical_type?.type !== 'JSON',
  );
  if (leaves.length === 0) throw tableFault(file, 'has no column of plain values');
  if (!(rows >= 0) || rows * leaves.length * 8 > maximum)
    throw tableFault(
      file,
      `claims ${rows} rows of ${leaves.length} columns; raise \`maxBytes\` if that is meant`,
    );
  const pageBytes = metadata.row_groups.flatMap((group) =>
    group.columns.map(({ meta_data }) => Number(meta_data?.total_uncompressed_size ?? 0)),
  );
  if (pageBytes.reduce((sum, size) => sum + Math.max(0, size), 0) > maximum)
    throw tableFault(
      file,
      `holds more than ${maximum} bytes when decompressed; raise \`maxBytes\` if that is meant`,
    );
  for (const group of metadata.row_groups)
    for (const { element } of leaves) {
      const chunk = group.columns.find(
        ({ meta_data }) => meta_data?.path_in_schema.join('.') === element.name,
      );
      if (!chunk) throw new RangeError('a column is missing from a group of rows');
      checkPages(bytes, group, chunk, element);
    }
  const table = new TableBuilder(
    settings,
    leaves.map(({ element }) => element.name),
    undefined,
  );
  const scan = await parquetScan({ file: buffer, metadata, compressors, useOffsetIndex: false });
  for (const column of table.columns) {
    let row = 0;
    for (const { rowStart, rowEnd } of scan.ranges) {
      const values = await scan.readColumn({ column: column.name, rowStart, rowEnd });
      if (values.length !== rowEnd - rowStart) throw new RangeError('wrong number of values');
      for (const value of values as ArrayLike<unknown> & Iterable<unknown>) {
        row++;
        if (!addValue(column, value))
          throw tableFault(file, 'holds bytes or nested values, not a number or a text', row, column.name);
      }
    }
    if (row !== rows) throw new RangeError('wrong number of rows');
  }
  table.setRows(rows);
  const nested = children
    .filter((child) => !leaves.includes(child))
    .map(({ element }) => `"${element.name}"`);
  if (nested.length > 0)
    table.notes.push(`Left out, because they hold lists or objects: ${nested.join(', ')}.`);
  return table.finish();
}
