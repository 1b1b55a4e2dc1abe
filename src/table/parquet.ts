/** Parquet files, read by hyparquet after a check that their pages hold what they claim. */
import {
  type ColumnChunk,
  parquetMetadataAsync,
  parquetScan,
  parquetSchema,
  type RowGroup,
  type SchemaElement,
} from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { decompressPage } from 'hyparquet/src/datapage.js';
import { readVarInt } from 'hyparquet/src/thrift.js';
import { compressors } from 'hyparquet-compressors';
import { crc32 } from './crc32.js';
import { addValue } from './records.js';
import { type Table, TableError } from './table.js';
import { type ReadSettings, TableBuilder, tableFault, type UndecidedColumns } from './tableBuilder.js';

/** Columns of plain values; those of lists and objects are left out with a note. */
export async function readParquet(
  bytes: Uint8Array<ArrayBuffer>,
  settings: ReadSettings,
  maximum: number,
): Promise<Table | UndecidedColumns> {
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
): Promise<Table | UndecidedColumns> {
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
  const seen = new Set<boolean>();
  for (const group of metadata.row_groups)
    for (const { element } of leaves) {
      const chunk = group.columns.find(
        ({ meta_data }) => meta_data?.path_in_schema.join('.') === element.name,
      );
      if (!chunk) throw new RangeError('a column is missing from a group of rows');
      checkPages(bytes, file, group, chunk, element, seen);
    }
  // a header that lost its checksum
  require(seen.size < 2);
  const table = new TableBuilder(
    { ...settings, hasDecimals: false },
    leaves.map(({ element }) => element.name),
    undefined,
  );
  const kept = keptOf(metadata.key_value_metadata?.find(({ key }) => key === 'nemokit')?.value, rows);
  for (const column of table.columns) {
    const { unit, decimals } = kept.columns.get(column.name) ?? {};
    if (typeof unit === 'string') column.unit = unit;
    if (typeof decimals === 'number') column.knownDecimals = decimals;
  }
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
  const finished = table.finish();
  return 'columns' in finished ? restored(finished, kept) : finished;
}

interface Written {
  readonly unit?: unknown;
  readonly decimals?: unknown;
  readonly censored?: unknown;
}

/** What the table of a run knew and Parquet cannot hold. */
interface Kept extends Pick<Table, 'dialect' | 'rounds'> {
  /** By name. */
  readonly columns: ReadonlyMap<string, Written>;
}

/** Of the table of a run (src/runs/tableParquet.ts) as it was written; nothing where another program changed its rows. */
function keptOf(text: string | undefined, rows: number): Kept {
  try {
    const extra = JSON.parse(text ?? '{}') as Partial<Record<string, unknown>>;
    const list: readonly unknown[] = Array.isArray(extra.columns) ? extra.columns : [];
    const columns = new Map(
      list
        .filter((column) => typeof column === 'object' && column !== null)
        .map((column) => [String((column as { name?: unknown }).name), column as Written]),
    );
    if (extra.rows !== rows) return { columns };
    const { dialect, rounds } = extra as Pick<Table, 'dialect' | 'rounds'>;
    return {
      columns,
      ...(typeof dialect === 'object' && { dialect }),
      ...(Array.isArray(rounds) && { rounds }),
    };
  } catch {
    return { columns: new Map() };
  }
}

/** With the marks of censored cells, the dialect of the text file that the table once was, and what was promised. */
function restored(table: Table, { columns: written, ...rest }: Kept): Table {
  const columns = table.columns.map((column) => {
    const runs = written.get(column.name)?.censored;
    if (column.kind !== 'number' || column.censored || !Array.isArray(runs)) return column;
    const censored = new Int8Array(table.rows);
    for (const [row, side] of runs as readonly (readonly [number, number])[]) censored.fill(side, row);
    return { ...column, censored };
  });
  return { ...table, columns, ...rest };
}

interface Reader {
  readonly view: DataView;
  offset: number;
}

/**
 * Throws where a column chunk claims what hyparquet would believe: pages with more values than rows, or runs of
 * repeated values longer than their page, which it would write out one by one without end. Also where a page differs
 * from its checksum, at which hyparquet does not look. `element` is a flat column.
 */
function checkPages(
  bytes: Uint8Array,
  file: string,
  group: RowGroup,
  chunk: ColumnChunk,
  element: SchemaElement,
  /** Whether pages of data have a checksum. */
  seen: Set<boolean>,
): void {
  const meta = chunk.meta_data!;
  const start = Number(meta.dictionary_page_offset || meta.data_page_offset);
  const length = Number(meta.total_compressed_size);
  const reader = readerOf(bytes.subarray(start, start + length));
  const isOptional = element.repetition_type !== 'REQUIRED';
  let left = Number(group.num_rows);
  require(length > 0 && start >= 0 && start + length <= bytes.length && left >= 0);
  while (left > 0 && reader.offset < length - 1) {
    const header = parquetHeader(reader);
    const { compressed_page_size: packed, uncompressed_page_size: size } = header;
    require(packed >= 0 && reader.offset + packed <= length && size >= 0 && size <= 1 << 30);
    const page = new Uint8Array(reader.view.buffer, reader.view.byteOffset + reader.offset, packed);
    reader.offset += packed;
    // of the page as it is stored, its header aside (parquet.thrift, PageHeader); writers may leave it out
    if (header.crc !== undefined && crc32(page) !== header.crc >>> 0)
      throw tableFault(
        file,
        'the data are damaged: they differ from their checksum; copy or download the file again',
        undefined,
        element.name,
      );
    if (header.type !== 'DICTIONARY_PAGE') seen.add(header.crc !== undefined);
    const unpack = (part: Uint8Array, unpacked: number) =>
      decompressPage(part, unpacked, meta.codec, compressors);
    const first = header.data_page_header;
    const second = header.data_page_header_v2;
    if (header.type === 'DICTIONARY_PAGE') {
      // Every entry takes at least a byte.
      const entries = header.dictionary_page_header?.num_values ?? -1;
      require(entries >= 0 && entries <= size);
    } else if (header.type === 'DATA_PAGE' && first) {
      require(first.num_values >= 0 && first.num_values <= left);
      left -= first.num_values;
      const data = readerOf(unpack(page, size));
      let values = first.num_values;
      if (isOptional) {
        const levelBytes = data.view.getUint32(data.offset, true);
        const levels = data.offset + 4;
        data.offset = levels;
        values = checkRuns(data, 1, values);
        data.offset = levels + levelBytes;
      }
      checkIndices(data, first.encoding, meta.type, values);
    } else if (header.type === 'DATA_PAGE_V2' && second) {
      const { num_values: count, num_nulls: nulls, definition_levels_byte_length: levelBytes } = second;
      require(
        count >= 0 &&
          count <= left &&
          nulls >= 0 &&
          nulls <= count &&
          levelBytes >= 0 &&
          levelBytes <= packed,
      );
      require(second.num_rows === count && second.repetition_levels_byte_length === 0);
      left -= count;
      if (isOptional) checkRuns(readerOf(page), 1, count);
      const rest = page.subarray(levelBytes);
      const data = readerOf(second.is_compressed === false ? rest : unpack(rest, size - levelBytes));
      checkIndices(data, second.encoding, meta.type, count - nulls);
    } else require(false);
  }
  require(left === 0);
}

/** The numbers of dictionary entries, or truth values, of a page. */
function checkIndices(data: Reader, encoding: string, type: string, values: number): void {
  if (encoding === 'RLE' && type === 'BOOLEAN') {
    data.offset += 4;
    checkRuns(data, 1, values);
  } else if (/DICTIONARY$|^RLE$/.test(encoding) && values > 0) {
    const width = type === 'BOOLEAN' ? 1 : data.view.getUint8(data.offset++);
    require(width <= 32);
    if (width > 0) checkRuns(data, width, values);
  }
}

/**
 * Walks runs of the RLE/bit-packing hybrid (Parquet format, Encodings.md) up to `values` of them, and counts ones,
 * which is what definition levels of a flat column need.
 */
function checkRuns(data: Reader, width: number, values: number): number {
  let seen = 0;
  let ones = 0;
  while (seen < values) {
    const header = readVarInt(data);
    const count = header & 1 ? (header >>> 1) * 8 : header >>> 1;
    require(count > 0 && count < values - seen + 8);
    const bytes = header & 1 ? (count * width) / 8 : Math.ceil(width / 8);
    for (let i = 0; width === 1 && i < Math.min(count, values - seen); i++) {
      const bit =
        header & 1 ? data.view.getUint8(data.offset + (i >> 3)) >> (i & 7) : data.view.getUint8(data.offset);
      ones += bit & 1;
    }
    data.offset += bytes;
    seen += count;
  }
  return ones;
}

function readerOf(bytes: Uint8Array): Reader {
  return { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
}

function require(holds: boolean): void {
  if (!holds) throw new RangeError('the pages of a column contradict their headers');
}
