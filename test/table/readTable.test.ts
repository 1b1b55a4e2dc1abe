import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, describe, expect, it } from 'vitest';
import { readTableFile } from '../../src/table/platform/node.js';
import { readTable } from '../../src/table/readTable.js';
import { cells, faultOf, utf8, workbook, workbookParts, zip } from './reading.js';

const csv = 'temp,cat\n20,A\n30,B\n';

describe('sources', () => {
  it('are bytes, buffers, files, blobs without stream, and chunks', async () => {
    const chunks = async function* () {
      yield utf8(csv.slice(0, 5));
      yield utf8(csv.slice(5));
    };
    const sources = [
      utf8(csv),
      utf8(csv).buffer as ArrayBuffer,
      new File([csv], 'b.csv'),
      { name: 'b.csv', arrayBuffer: async () => utf8(csv).buffer as ArrayBuffer },
      chunks(),
      new Blob([csv]).stream(),
    ];
    const tables = await Promise.all(sources.map((source) => readTable(source)));
    for (const table of tables) {
      expect(cells(table, 'temp')).toEqual([20, 30]);
      expect(cells(table, 'cat')).toEqual(['A', 'B']);
    }
    expect(tables.map(({ name }) => name)).toEqual(['table', 'table', 'b.csv', 'b.csv', 'table', 'table']);
  });

  it('that cannot be read twice say where a column stops being numbers', async () => {
    const rows = Array.from({ length: 3000 }, (_, i) => (i === 2500 ? 'leak' : i));
    const once = async function* () {
      yield utf8(`a\n${rows.join('\n')}\n`);
    };
    const fault = await faultOf(readTable(once(), { name: 'pipe' }));
    expect(fault.place).toEqual({ file: 'pipe', line: 2502, column: 'a' });
    expect(fault.message).toMatch(/"leak" stands in a column of numbers/);
  });

  it('of another kind are refused by name', async () => {
    for (const source of ['past.csv', null, 3, {}])
      await expect(readTable(source as never)).rejects.toThrow(/^source is bytes, a File or Blob/);
  });

  it('are let go when reading stops early', async () => {
    let isClosed = false;
    const endless = async function* () {
      try {
        for (;;) yield utf8('a,b\n1\n'.repeat(100_000));
      } finally {
        isClosed = true;
      }
    };
    expect((await faultOf(readTable(endless()))).message).toMatch(/1 cell where the header has 2/);
    await Promise.resolve();
    expect(isClosed).toBe(true);
  });

  it('that fail say so in one line', async () => {
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield utf8('a,b\n');
      throw new Error('the disk\nis gone');
    };
    const fault = await faultOf(readTable(failing(), { name: 'b.csv' }));
    expect(fault.message).toBe('b.csv: cannot be read: the disk is gone');
  });
});

describe('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nemokit-table-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are read by path', async () => {
    writeFileSync(join(folder, 'past.csv.gz'), gzipSync(csv));
    const table = await readTableFile(join(folder, 'past.csv.gz'));
    expect(table.name).toBe('past.csv.gz');
    expect(cells(table, 'cat')).toEqual(['A', 'B']);
  });

  it('that are not there, or folders, say so', async () => {
    const absent = join(folder, 'absent.csv');
    expect((await faultOf(readTableFile(absent))).message).toBe(`${absent}: there is no such file`);
    expect((await faultOf(readTableFile(folder))).message).toBe(`${folder}: is a folder; give a file in it`);
  });
});

describe('gzip', () => {
  it('is unpacked', async () => {
    const table = await readTable(gzipSync(csv));
    expect(cells(table, 'temp')).toEqual([20, 30]);
    expect([...table.lines!]).toEqual([2, 3]);
  });

  it('may hold no more than maxBytes', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000, 'a,b\n1,2\n'));
    const fault = await faultOf(readTable(bomb, { name: 'bomb.gz', maxBytes: 1_000_000 }));
    expect(fault.message).toMatch(/^bomb\.gz: holds more than 1000000 bytes when decompressed/);
  });

  it('that is cut short or damaged says so', async () => {
    const whole = gzipSync(`a,b\n${'1,2\n'.repeat(1000)}`);
    const damaged = Uint8Array.from(whole);
    damaged[20]! ^= 255;
    for (const bytes of [whole.subarray(0, whole.length - 9), whole.subarray(0, 5), damaged])
      expect((await faultOf(readTable(bytes, { name: 'a.gz' }))).message).toMatch(
        /^a\.gz: the gzip data are damaged/,
      );
    expect((await faultOf(readTable(gzipSync(gzipSync(csv))))).message).toMatch(/compressed twice/);
  });
});

describe('Parquet', () => {
  const bytes = new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'x', data: [1.5, null, -3], type: 'DOUBLE' },
        { name: 'n', data: [1n, 2n, 9007199254740993n], type: 'INT64' },
        { name: 'cat', data: ['A', 'B', 'A'], type: 'STRING' },
        { name: 'ok', data: [true, false, true], type: 'BOOLEAN' },
        { name: 'when', data: [new Date(0), new Date(86_400_000), null], type: 'TIMESTAMP' },
        { name: 'limit', data: ['<0.5', '2', '3'], type: 'STRING' },
      ],
    }),
  );

  it('is read column by column', async () => {
    const table = await readTable(bytes);
    expect(table.rows).toBe(3);
    expect(table.lines).toBeUndefined();
    expect(cells(table, 'x')).toEqual([1.5, null, -3]);
    // 2^53 + 1 is no double: the column keeps its digits.
    expect(cells(table, 'n')).toEqual(['1', '2', '9007199254740993']);
    expect(cells(table, 'cat')).toEqual(['A', 'B', 'A']);
    expect(cells(table, 'ok')).toEqual(['true', 'false', 'true']);
    expect(cells(table, 'when')).toEqual(['1970-01-01', '1970-01-02', null]);
    expect(cells(table, 'limit')).toEqual([0.5, 2, 3]);
  });

  it('may be compressed, in several groups of rows, and inside gzip', async () => {
    const data = Float64Array.from({ length: 5000 }, (_, i) => i / 8);
    const groups = new Uint8Array(
      parquetWriteBuffer({
        columnData: [{ name: 'x', data, type: 'DOUBLE' }],
        codec: 'SNAPPY',
        rowGroupSize: 700,
      }),
    );
    expect(cells(await readTable(groups), 'x')).toEqual([...data]);
    expect(cells(await readTable(gzipSync(groups)), 'x')).toEqual([...data]);
  });

  it('leaves out nested columns with a note', async () => {
    const nested = parquetWriteBuffer({
      columnData: [
        { name: 'x', data: [1, 2], type: 'DOUBLE' },
        { name: 'deep', data: [{ a: 1 }, { a: 2 }], type: 'JSON' },
      ],
    });
    const table = await readTable(nested);
    expect(table.columns.map(({ name }) => name)).toEqual(['x']);
    expect(table.notes).toEqual(['Left out, because they hold lists or objects: "deep".']);
  });

  it('that is damaged, or claims too much, says so', async () => {
    const cut = bytes.slice(0, bytes.length - 30);
    expect((await faultOf(readTable(cut, { name: 'c.parquet' }))).message).toMatch(
      /^c\.parquet: the Parquet data are damaged/,
    );
    const data = new Float64Array(100_000).fill(1);
    const small = parquetWriteBuffer({ columnData: [{ name: 'x', data, type: 'DOUBLE' }] });
    expect(small.byteLength).toBeLessThan(20_000);
    expect((await faultOf(readTable(small, { name: 's.parquet', maxBytes: 500_000 }))).message).toBe(
      's.parquet: claims 100000 rows of 1 columns; raise `maxBytes` if that is meant',
    );
  });
});

describe('XLSX', () => {
  const bytes = workbook({
    runs: [
      ['temp', 'cat', 'ok', 'limit'],
      [20, 'A', true, '<0.5'],
      [null, null, null, null],
      [30.5, 'B', false, 2],
      [null, 'A', true, 3],
    ],
    other: [['z'], [7]],
  });

  it('is read from its first sheet, rows of the sheet being lines', async () => {
    const table = await readTable(bytes);
    expect(cells(table, 'temp')).toEqual([20, 30.5, null]);
    expect(cells(table, 'cat')).toEqual(['A', 'B', 'A']);
    expect(cells(table, 'ok')).toEqual(['true', 'false', 'true']);
    expect(cells(table, 'limit')).toEqual([0.5, 2, 3]);
    expect([...table.lines!]).toEqual([2, 4, 5]);
    expect(table.notes).toEqual([
      'Read from sheet "runs", the first that holds a table; --sheet takes another: "other".',
      '1 row without any value left out.',
    ]);
  });

  it('is read from another sheet', async () => {
    expect(cells(await readTable(bytes, { sheet: 'other' }), 'z')).toEqual([7]);
    expect(cells(await readTable(bytes, { sheet: 2 }), 'z')).toEqual([7]);
    const fault = await faultOf(readTable(bytes, { name: 'w.xlsx', sheet: 'absent' }));
    expect(fault.message).toBe('w.xlsx: the workbook has no sheet "absent"; it has "runs", "other"');
  });

  it('may leave out empty rows and cells, and be compressed', async () => {
    const parts = workbookParts({ a: [['x', 'y'], [], [], [1, 2], [null, 3]] });
    const sheet = 'xl/worksheets/sheet1.xml';
    parts[sheet] = parts[sheet]!.replaceAll(/<row r="\d+"><\/row>/g, '');
    for (const isDeflated of [false, true]) {
      const table = await readTable(zip(parts, isDeflated));
      expect([cells(table, 'x'), cells(table, 'y'), [...table.lines!]]).toEqual([
        [1, null],
        [2, 3],
        [4, 5],
      ]);
    }
  });

  it('has dates, results of formulas and errors in its cells', async () => {
    const parts = workbookParts({
      a: [
        ['when', 'sum', 'bad'],
        [1, 2, 3],
        [4, 5, 6],
      ],
    });
    const sheet = 'xl/worksheets/sheet1.xml';
    parts[sheet] = parts[sheet]!.replace('<c r="A2"><v>1</v>', '<c r="A2" s="1"><v>45352</v>')
      .replace('<c r="A3"><v>4</v>', '<c r="A3" s="1"><v>45353</v>')
      .replace('<c r="B2"><v>2</v>', '<c r="B2"><f>1+1</f><v>2</v>')
      .replace('<c r="C2"><v>3</v>', '<c r="C2" t="e"><v>#DIV/0!</v>');
    parts['xl/styles.xml'] =
      '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>';
    const relations = 'xl/_rels/workbook.xml.rels';
    const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles';
    parts[relations] = parts[relations]!.replace(
      '</Relationships>',
      `<Relationship Id="rId9" Type="${type}" Target="styles.xml"/></Relationships>`,
    );
    const table = await readTable(zip(parts));
    // Day 45352 of Excel's calendar.
    expect(cells(table, 'when')).toEqual(['2024-03-01', '2024-03-02']);
    expect(cells(table, 'sum')).toEqual([2, 5]);
    expect(cells(table, 'bad')).toEqual([null, 6]);
    expect(table.notes).toContain('Column "bad" has an error (C2), which counts as missing.');
  });

  it('tells the errors of the sheet that is read, column by column', async () => {
    const sheet = [
      ['x', 'y', 'z'],
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ];
    const parts = workbookParts({ 'R&amp;D': sheet, plain: sheet });
    const path = 'xl/worksheets/sheet1.xml';
    for (const [name, value] of [
      ['B4', 8],
      ['B3', 5],
      ['C3', 6],
    ] as const)
      parts[path] = parts[path]!.replace(
        `<c r="${name}"><v>${value}</v>`,
        `<c t="e" r="${name}" s="0"><v>#N/A</v>`,
      );
    const expected = [
      'Column "y" has 2 errors (first B3), which count as missing.',
      'Column "z" has an error (C3), which counts as missing.',
    ];
    for (const isDeflated of [false, true])
      for (const choice of [1, 'R&D']) {
        const table = await readTable(zip(parts, isDeflated), { sheet: choice });
        expect(cells(table, 'y')).toEqual([2, null, null]);
        expect(table.notes).toEqual(expected);
      }
    expect((await readTable(zip(parts), { sheet: 'plain' })).notes).toEqual([]);
  });

  it('with cells far out is refused before it fills the memory', async () => {
    const parts = workbookParts({ a: [['x'], [1]] });
    const sheet = 'xl/worksheets/sheet1.xml';
    const messageWith = async (name: string) => {
      const moved = parts[sheet]!.replace('r="A2"', `r="${name}"`);
      return (await faultOf(readTable(zip({ ...parts, [sheet]: moved }), { name: 'w.xlsx' }))).message;
    };
    expect(await messageWith('AAAAAAA1')).toMatch(/^w\.xlsx: cannot be read as an XLSX workbook/);
    expect(await messageWith('XFD1048576')).toMatch(/its cells reach to row 1048576 and column 16384/);
  });

  it('with faults says where', async () => {
    const twice = workbook({
      a: [
        ['x', 'x'],
        [1, 2],
      ],
    });
    expect((await faultOf(readTable(twice, { name: 'w.xlsx' }))).place).toEqual({
      file: 'w.xlsx',
      line: 1,
      column: 'x',
    });
    const blank = workbook({
      a: [
        ['x', null],
        [1, 2],
      ],
    });
    expect((await faultOf(readTable(blank))).message).toMatch(/column 2 of 2 has no name/);
    expect((await faultOf(readTable(workbook({ a: [] })))).message).toMatch(/the sheet is empty/);
    expect((await faultOf(readTable(bytes.slice(0, 700), { name: 'w.xlsx' }))).message).toMatch(
      /^w\.xlsx: cannot be read as an XLSX workbook/,
    );
    expect((await faultOf(readTable(bytes, { maxBytes: 2000 }))).message).toMatch(/bytes/);
  });
});

describe('arrays of objects', () => {
  it('give a column per key', async () => {
    const table = await readTable([
      { temp: 20, cat: 'A', at: new Date(0) },
      { temp: '>30', cat: null, at: undefined, extra: true },
    ]);
    expect(table.columns.map(({ name }) => name)).toEqual(['temp', 'cat', 'at', 'extra']);
    expect(cells(table, 'temp')).toEqual([20, 30]);
    expect(table.columns[0]).toMatchObject({ censored: Int8Array.of(0, 1) });
    expect(cells(table, 'cat')).toEqual(['A', null]);
    expect(cells(table, 'at')).toEqual(['1970-01-01', null]);
    expect(cells(table, 'extra')).toEqual([null, 'true']);
  });

  it('have missing values of one’s own, numbers and infinities among them', async () => {
    const records = [{ a: 1 }, { a: -999 }, { a: Number.POSITIVE_INFINITY }, { a: Number.NaN }];
    const table = await readTable(records, { missing: ['-999', 'Infinity'] });
    expect(cells(table, 'a')).toEqual([1, null, null, null]);
  });

  it('with faults say where', async () => {
    expect((await faultOf(readTable([{ a: 1 }, { a: [2] }]))).message).toMatch(
      /^table:2, column "a": a cell holds .* not a list$/,
    );
    expect((await faultOf(readTable([{ a: Number.POSITIVE_INFINITY }]))).message).toMatch(
      /"Infinity" is not a finite/,
    );
    expect((await faultOf(readTable([]))).message).toMatch(/no objects/);
    expect((await faultOf(readTable([3] as never))).message).toMatch(/item 0 of the array is no object/);
  });
});
