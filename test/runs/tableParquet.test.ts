import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { stateProblem } from '../../src/problem/index.js';
import { tableHash } from '../../src/runs/runFiles.js';
import { decodeTable, encodeTable } from '../../src/runs/tableParquet.js';
import { readTable, type Table, type TableColumn, TableError } from '../../src/table/index.js';
import { columnName } from '../table/hostileTexts.js';
import { read } from '../table/reading.js';
import { caught } from './runs.js';

const text = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'NA',
    'null',
    '1',
    '007',
    'true',
    '2024-01-01',
    '\ud800',
    '\udc00x',
    '\ufffd',
    'ä\0"',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

function numberColumn(name: string, rows: number): fc.Arbitrary<TableColumn> {
  const value = fc.oneof(
    fc.double(),
    fc.constantFrom(0, -0, Number.NaN, 1 / 3, 5e-324, 1.7976931348623157e308),
  );
  const exactly = { minLength: rows, maxLength: rows };
  const marks = fc.array(fc.constantFrom(-1, 0, 1), exactly);
  return fc
    .record({ values: fc.array(value, exactly), marks: fc.option(marks, { nil: undefined }) })
    .map(({ values, marks }) => ({
      kind: 'number',
      name,
      values: Float64Array.from(values),
      ...(marks && { censored: Int8Array.from(marks) }),
    }));
}

function textColumn(name: string, rows: number): fc.Arbitrary<TableColumn> {
  return fc
    .record({
      // Also levels in another order than that of the rows, and levels without a row.
      levels: fc.uniqueArray(text, { minLength: 1, maxLength: 5 }),
      picks: fc.array(fc.nat(), { minLength: rows, maxLength: rows }),
    })
    .map(({ levels, picks }) => ({
      kind: 'text',
      name,
      levels,
      codes: Int32Array.from(picks, (pick) => (pick % (levels.length + 1)) - 1),
    }));
}

const names = fc.uniqueArray(
  fc.oneof(columnName, fc.constantFrom('a.b', '__proto__', '\ud800', '\udbff', '\ufffd')),
  {
    minLength: 1,
    maxLength: 6,
  },
);

const tables: fc.Arbitrary<Table> = fc.tuple(names, fc.integer({ min: 1, max: 30 })).chain(([names, rows]) =>
  fc.record(
    {
      name: text,
      rows: fc.constant(rows),
      columns: fc.tuple(...names.map((name) => fc.oneof(numberColumn(name, rows), textColumn(name, rows)))),
      lines: fc
        .array(fc.integer({ min: 0, max: 0xffff_ffff }), { minLength: rows, maxLength: rows })
        .map((lines) => Uint32Array.from(lines)),
      notes: fc.array(text, { maxLength: 3 }),
    },
    { requiredKeys: ['name', 'rows', 'columns', 'notes'], noNullPrototype: true },
  ),
);

describe('a table as Parquet', () => {
  it('comes back the same in every bit', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const again = await decodeTable(encodeTable(table));
        expect(again).toStrictEqual(table);
        expect(tableHash(again)).toBe(tableHash(table));
      }),
      { numRuns: 300 },
    );
  });

  it('keeps units, digits and dialect, and the hash does not see them', async () => {
    const table = await read('temp (°C);Anteil;Art\n20;0,150;a\n25;0,25;b\n');
    expect(table.columns.map(({ unit }) => unit)).toEqual(['°C', undefined, undefined]);
    const bytes = encodeTable(table);
    const again = await decodeTable(bytes);
    expect(again).toStrictEqual(table);
    expect(again.dialect).toEqual({ delimiter: ';', decimal: ',' });
    const plain = await readTable([
      { 'temp (°C)': 20, Anteil: 0.15, Art: 'a' },
      { 'temp (°C)': 25, Anteil: 0.25, Art: 'b' },
    ]);
    expect(tableHash(again)).toBe(tableHash(plain));
    // Read as any other Parquet file, as the problem file of a run does.
    const read2 = await readTable(bytes);
    expect(read2.columns).toEqual(table.columns);
  });

  it('makes the same problem', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => {
      const yielded = i === 7 ? '<0.5' : i === 9 ? '' : (Math.sin(i) * 10).toFixed(3);
      return `${i % 5 === 0 ? '' : 20 + i},${['water', 'THF', ''][i % 3]},"a, ""b""${i % 4}",00${i % 7},${yielded}`;
    });
    const table = await read(['temp in °C,solvent,odd.name,code,yield', ...rows].join('\n'));
    const words = { goals: ['max yield'], columns: { 'temp in °C': { bounds: [20, 90] as const } } };
    const again = await decodeTable(encodeTable(table));
    expect(again).toStrictEqual(table);
    expect(stateProblem(again, words)).toStrictEqual(stateProblem(table, words));
  });

  it('survives many rows, several groups of them and lines with gaps', async () => {
    const csv = [
      'a,b',
      ...Array.from({ length: 5000 }, (_, i) => `${i / 7},t${i % 90}${i % 400 ? '' : '\n'}`),
    ];
    const table = await read(csv.join('\n'));
    expect(await decodeTable(encodeTable(table))).toStrictEqual(table);
  });

  it('is a plain table for other readers', async () => {
    const table = await read('temp,solvent,y\n20,water,<1\n,,2.5\n22,THF,3\n');
    const bytes = encodeTable(table);
    const file = bytes.buffer;
    expect(await parquetReadObjects({ file })).toEqual([
      { temp: 20, solvent: 'water', y: 1 },
      { temp: null, solvent: null, y: 2.5 },
      { temp: 22, solvent: 'THF', y: 3 },
    ]);
    const types = parquetSchema(parquetMetadata(file)).children.map(({ element }) => [
      element.type,
      element.converted_type,
    ]);
    expect(types).toEqual([
      ['DOUBLE', undefined],
      ['BYTE_ARRAY', 'UTF8'],
      ['DOUBLE', undefined],
    ]);
    const reread = await readTable(bytes);
    expect(reread.columns.map(({ kind }) => kind)).toEqual(['number', 'text', 'number']);
  });

  it('says what is wrong with bytes that are not one', async () => {
    const bytes = encodeTable(await read('a,b\n1,2\n3,4\n'));
    const foreign = parquetWriteBuffer({ columnData: [{ name: 'a', data: [1] }] });
    const messages: string[] = [];
    for (const broken of [
      new Uint8Array(),
      bytes.subarray(0, -9),
      bytes.fill(0, 4, 40),
      new Uint8Array(foreign),
    ]) {
      const error = await caught(decodeTable(broken));
      expect(error).toBeInstanceOf(TableError);
      messages.push(error.message);
    }
    expect(messages.slice(0, 3)).toEqual(
      Array(3).fill('data.parquet is damaged; put it back from a backup, or start a new run'),
    );
    expect(messages[3]).toBe('data.parquet was not written by nemokit; read it as a table instead');
  });
});

describe('the hash of a table', () => {
  it('is that of its cells, not of the file', async () => {
    const table = await read('a,b\n1,x\n,y\n');
    const other = await read('# a comment\na;b\n1;x\n;y\n', { name: 'other.csv' });
    expect(tableHash(other)).toBe(tableHash(table));
    expect(tableHash(table)).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each(['a,c\n1,x\n,y\n', 'a,b\n1,x\n,z\n', 'a,b\n2,x\n,y\n', 'a,b\n<1,x\n,y\n', 'a,b\n1,x\n,\n'])(
    'changes with %j',
    async (csv) => {
      expect(tableHash(await read(csv))).not.toBe(tableHash(await read('a,b\n1,x\n,y\n')));
    },
  );
});
