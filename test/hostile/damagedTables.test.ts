// Files whose format has a checksum: no damage of what the checksum covers is read as other values.
import { crc32, gzipSync } from 'node:zlib';
import { type PageHeader, parquetMetadata } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { describe, expect, it } from 'vitest';
import { foldKey, rootKey, Stream } from '../../src/numeric/index.js';
import { readTable } from '../../src/table/readTable.js';
import { type Table, TableError } from '../../src/table/table.js';
import { utf8, workbook } from '../table/reading.js';

interface Checked {
  readonly bytes: Uint8Array;
  /** Whether a checksum covers the byte. */
  readonly isCovered: Uint8Array;
}

const numbers = Array.from({ length: 400 }, (_, i) => Math.round(1e6 * Math.sin(i)) / 1e4);

/** A Parquet file as pyarrow writes it with `write_page_checksum`: the writer used here leaves checksums out. */
function checkedParquet(codec: 'UNCOMPRESSED' | 'SNAPPY'): Checked {
  const plain = parquetWriteBuffer({
    codec,
    rowGroupSize: 150,
    statistics: false,
    columnData: [
      { name: 'x', data: numbers, type: 'DOUBLE' },
      { name: 'n', data: numbers.map((_, i) => i % 5), type: 'INT32' },
      { name: 'kind', data: numbers.map((_, i) => (i % 9 ? `level ${i % 3}` : null)), type: 'STRING' },
    ],
  });
  const metadata = parquetMetadata(plain);
  const writer = new ByteWriter();
  writer.appendUint32(0x31524150);
  const covered: [from: number, to: number][] = [];
  for (const { columns } of metadata.row_groups)
    for (const chunk of columns) {
      const meta = chunk.meta_data!;
      const start = Number(meta.dictionary_page_offset ?? meta.data_page_offset);
      const end = start + Number(meta.total_compressed_size);
      const reader = { view: new DataView(plain), offset: start };
      const first = writer.offset;
      let isFirstData = true;
      while (reader.offset < end) {
        const header: PageHeader = parquetHeader(reader);
        const page = new Uint8Array(plain, reader.offset, header.compressed_page_size);
        if (header.type === 'DICTIONARY_PAGE') meta.dictionary_page_offset = BigInt(writer.offset);
        else if (isFirstData) {
          meta.data_page_offset = BigInt(writer.offset);
          isFirstData = false;
        }
        writePageHeader(writer, { ...header, crc: crc32(page) | 0 });
        covered.push([writer.offset, writer.offset + page.length]);
        writer.appendBytes(page);
        reader.offset += page.length;
      }
      meta.total_compressed_size = BigInt(writer.offset - first);
      delete chunk.offset_index_offset;
      delete chunk.column_index_offset;
    }
  writeMetadata(writer, metadata);
  writer.appendUint32(0x31524150);
  const bytes = new Uint8Array(writer.getBytes());
  const isCovered = new Uint8Array(bytes.length);
  for (const [from, to] of covered) isCovered.fill(1, from, to);
  return { bytes, isCovered };
}

const same = ({ name: _, ...table }: Table) => JSON.stringify(table, (_, value) => value ?? 'missing');

/** Reads `count` damaged copies of a file; numbers of those refused, equal, and different. */
async function damaged(
  { bytes, isCovered }: Checked,
  key: string,
  count: number,
  where: 'covered' | 'anywhere',
): Promise<{ refused: number; equal: number; other: number }> {
  const whole = same(await readTable(bytes, { name: 'whole' }));
  const places = Array.from(bytes.keys()).filter((i) => where === 'anywhere' || isCovered[i] === 1);
  const ends = { refused: 0, equal: 0, other: 0 };
  for (let i = 0; i < count; i++) {
    const stream = new Stream(foldKey(rootKey(23), `${key} ${i}`));
    const copy = Uint8Array.from(bytes);
    for (let k = 0; k <= stream.integer(3); k++)
      copy[places[stream.integer(places.length)]!]! ^= 1 + stream.integer(255);
    try {
      const table = await readTable(copy, { name: 'damaged' });
      if (same(table) === whole) ends.equal++;
      else ends.other++;
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      ends.refused++;
    }
  }
  return ends;
}

describe('damaged Parquet with checksums', () => {
  it.each(['UNCOMPRESSED', 'SNAPPY'] as const)('%s is refused, 250 of 250', async (codec) => {
    const file = checkedParquet(codec);
    const table = await readTable(file.bytes, { name: 'whole' });
    expect(table.columns[0]).toMatchObject({ values: Float64Array.from(numbers) });
    const { other, equal, refused } = await damaged(file, codec, 250, 'covered');
    expect({ other, equal, refused }).toEqual({ other: 0, equal: 0, refused: 250 });
  });

  it('names the column', async () => {
    const { bytes, isCovered } = checkedParquet('UNCOMPRESSED');
    const copy = Uint8Array.from(bytes);
    copy[isCovered.indexOf(1) + 5]! ^= 1;
    await expect(readTable(copy, { name: 'a.parquet' })).rejects.toThrow(
      'a.parquet, column "x": the data are damaged: they differ from their checksum; copy or download the file again',
    );
  });
});

describe('other damaged files with checksums', () => {
  const text = `x,y\n${numbers.map((x, i) => `${x},${i}`).join('\n')}\n`;

  it('gzip is refused or equal, 250 of 250', async () => {
    const bytes = new Uint8Array(gzipSync(utf8(text)));
    // RFC 1952: the header (10 bytes) has no checksum, and nothing in it is a value
    const { other } = await damaged({ bytes, isCovered: new Uint8Array(0) }, 'gzip', 250, 'anywhere');
    expect(other).toBe(0);
  });

  it('a workbook is refused or equal, 250 of 250', async () => {
    const rows = numbers.slice(0, 80).map((x, i) => [x, `text ${i % 7}`]);
    const bytes = new Uint8Array(workbook({ a: [['x', 'y'], ...rows] }));
    const { other } = await damaged({ bytes, isCovered: new Uint8Array(0) }, 'xlsx', 250, 'anywhere');
    expect(other).toBe(0);
  });
});
