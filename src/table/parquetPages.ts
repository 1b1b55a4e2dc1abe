import type { ColumnChunk, RowGroup, SchemaElement } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { decompressPage } from 'hyparquet/src/datapage.js';
import { readVarInt } from 'hyparquet/src/thrift.js';
import { compressors } from 'hyparquet-compressors';

interface Reader {
  readonly view: DataView;
  offset: number;
}

/**
 * Throws where a column chunk claims what hyparquet would believe: pages with more values than rows, or runs of
 * repeated values longer than their page, which it would write out one by one without end. `element` is a flat column.
 */
export function checkPages(
  bytes: Uint8Array,
  group: RowGroup,
  chunk: ColumnChunk,
  element: SchemaElement,
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
