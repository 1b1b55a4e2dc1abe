// A seeded fuzzer: a broken table either reads, or gives one TableError in one line that names the file.
import { deflateRawSync, gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { defaultMissing } from '../../src/table/cellText.js';
import { inspect } from '../../src/table/columnTypes.js';
import { type ReadOptions, readTable } from '../../src/table/readTable.js';
import { type Table, TableError } from '../../src/table/table.js';
import { utf8, workbook, workbookParts, zip } from './reading.js';

/** xorshift32 (Marsaglia 2003, doi:10.18637/jss.v008.i14). */
function generator(seed: number) {
  let state = seed;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  return {
    below: (limit: number) => next() % limit,
    pick: <T>(items: readonly T[]): T => items[next() % items.length]!,
  };
}

type Random = ReturnType<typeof generator>;

interface Family {
  readonly count: number;
  readonly options?: ReadOptions;
  /** Whether some of its inputs are expected to read all the same. */
  readonly reads: 'never' | 'sometimes' | 'always';
  make(random: Random, index: number): Uint8Array;
}

const texts = [
  '1',
  '2.5',
  '-3e4',
  'A',
  'B, C',
  '"',
  '""',
  'NA',
  '',
  '<0.5',
  '12%',
  '1,5',
  'é',
  '2024-01-01',
  ' ',
  "'",
];

function goodCsv(random: Random, delimiter = random.pick([',', ';', '\t', '|'])): string {
  const columns = 1 + random.below(6);
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = [Array.from({ length: columns }, (_, j) => `c${j}`).join(delimiter)];
  for (let i = random.below(30) + 1; i > 0; i--)
    lines.push(Array.from({ length: columns }, () => quote(random.pick(texts))).join(delimiter));
  return lines.join(random.pick(['\n', '\r\n', '\r'])) + random.pick(['', '\n']);
}

function cut(random: Random, bytes: Uint8Array): Uint8Array {
  return bytes.slice(0, random.below(bytes.length));
}

function flip(random: Random, bytes: Uint8Array): Uint8Array {
  const damaged = Uint8Array.from(bytes);
  for (let i = 1 + random.below(4); i > 0; i--) damaged[random.below(bytes.length)]! ^= 1 << random.below(8);
  return damaged;
}

const damage = (random: Random, bytes: Uint8Array) => random.pick([cut, flip])(random, bytes);

const numbers = Array.from({ length: 300 }, (_, i) => i / 7);
const parquets = (['UNCOMPRESSED', 'SNAPPY'] as const).map(
  (codec) =>
    new Uint8Array(
      parquetWriteBuffer({
        codec,
        rowGroupSize: 100,
        columnData: [
          { name: 'x', data: numbers, type: 'DOUBLE' },
          { name: 'n', data: numbers.map((_, i) => i % 5), type: 'INT32' },
          { name: 'cat', data: numbers.map((_, i) => (i % 9 ? `level ${i % 3}` : null)), type: 'STRING' },
          { name: 'ok', data: numbers.map((_, i) => i % 2 === 0), type: 'BOOLEAN' },
        ],
      }),
    ),
);
const book = workbook({ a: [['x', 'y'], ...Array.from({ length: 20 }, (_, i) => [i / 3, `text ${i}`])] });

/** A workbook in which one part is missing, cut or not XML. */
function brokenBook(random: Random): Uint8Array {
  const parts: Record<string, string> = {
    ...workbookParts({
      a: [
        ['x', 'y'],
        [1, 'b'],
      ],
    }),
    'xl/sharedStrings.xml': '<sst><si><t>x</t></si></sst>',
  };
  const name = random.pick(Object.keys(parts));
  const how = random.below(3);
  if (how === 0) delete parts[name];
  else if (how === 1) parts[name] = parts[name]!.slice(0, random.below(parts[name]!.length));
  else
    parts[name] = random.pick([
      '',
      '=cmd|calc',
      '<',
      '<a><b></a>',
      '\0\0',
      '<worksheet><sheetData><row><c r="ZZZZZZ9999999999"/>',
    ]);
  return zip(parts);
}

const families: Readonly<Record<string, Family>> = {
  'cut short': { count: 250, reads: 'sometimes', make: (random) => cut(random, utf8(goodCsv(random))) },
  'with flipped bits': {
    count: 400,
    reads: 'sometimes',
    make: (random) => flip(random, utf8(goodCsv(random))),
  },
  'of random bytes': {
    count: 200,
    reads: 'never',
    make: (random) => Uint8Array.from({ length: 64 + random.below(3000) }, () => random.below(256)),
  },
  'of random text': {
    count: 200,
    reads: 'sometimes',
    make: (random) =>
      utf8(
        Array.from({ length: random.below(200) }, () =>
          random.pick([...'"\',;|\t\n\r#%/01.-+eE<>NAa é∞']),
        ).join(''),
      ),
  },
  'in UTF-16, damaged': {
    count: 100,
    reads: 'sometimes',
    make: (random) => damage(random, Uint8Array.from(Buffer.from('\ufeff' + goodCsv(random), 'utf16le'))),
  },
  ragged: {
    count: 150,
    reads: 'never',
    make: (random) => {
      const rows = Array.from({ length: 10 }, () => '1,2,3');
      rows[random.below(10)] = random.pick(['1,2', '1,2,3,4', '1', '1,2,3,', '"1,2,3"']);
      return utf8(`a,b,c\n${rows.join('\n')}\n`);
    },
  },
  'with nested quotes': {
    count: 200,
    reads: 'sometimes',
    make: (random) => {
      const good = ['"a"', 'b', '"a\nb"', '"c""d"', 'a"'];
      const odd = ['"a"b"', '""a""', '"a""', '"a', '"a" "b"', '"""'];
      const cell = () => random.pick(random.below(6) > 0 ? good : odd);
      return utf8(`a,b\n${Array.from({ length: 5 }, () => `${cell()},${cell()}`).join('\n')}\n`);
    },
  },
  'with bad headers': {
    count: 100,
    reads: 'never',
    make: (random) => utf8(`${random.pick(['a,a', 'a,', 'a,b,a', 'a, ,b', 'a,""'])}\n1,2\n3,4\n`),
  },
  'with infinities': {
    count: 100,
    reads: 'never',
    make: (random) => {
      const infinite = random.pick(['inf', '-Inf', 'Infinity', '+infinity', '∞', '1e400', '-9e999', '<inf']);
      const rows = Array.from({ length: 20 }, (_, i) => `${i},${i / 2}`);
      rows[random.below(20)] = `1,${infinite}`;
      return utf8(`a,b\n${rows.join('\n')}\n`);
    },
  },
  'of one long line': {
    count: 4,
    reads: 'never',
    make: (_, index) => utf8(['x', 'a,', '"', '"a"b'][index]!.repeat(1e7 / [1, 2, 1, 4][index]!)),
  },
  'of gzip bombs': {
    count: 20,
    reads: 'never',
    options: { maxBytes: 100_000 },
    make: (random) =>
      gzipSync(Buffer.alloc(1_000_000 + random.below(1_000_000), random.pick(['\0', 'a,b\n1,2\n', ',']))),
  },
  'of ZIP bombs': {
    count: 5,
    reads: 'never',
    options: { maxBytes: 100_000 },
    make: () => zip({ 'xl/workbook.xml': ' '.repeat(200_000) }),
  },
  'of damaged gzip': {
    count: 250,
    reads: 'sometimes',
    make: (random) => damage(random, gzipSync(goodCsv(random))),
  },
  'of raw deflate': {
    count: 20,
    reads: 'never',
    make: (random) => deflateRawSync('a,b\n1,2\n'.repeat(50 + random.below(99))),
  },
  'of damaged Parquet': {
    count: 350,
    reads: 'sometimes',
    make: (random) => damage(random, random.pick(parquets)),
  },
  'of damaged XLSX': { count: 200, reads: 'sometimes', make: (random) => damage(random, book) },
  'of XLSX with missing parts': { count: 150, reads: 'sometimes', make: brokenBook },
};

/** Missing cells come from missing texts only: with every one of them replaced by 0, no NaN is left. */
function nanCells(table: Table): number {
  return table.columns.reduce(
    (sum, column) => sum + (column.kind === 'number' ? column.values.filter(Number.isNaN).length : 0),
    0,
  );
}

describe('broken tables', () => {
  it('are at least 2,000', () => {
    expect(Object.values(families).reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(2000);
  });

  it.each(Object.entries(families))('%s read or say what is wrong', async (name, family) => {
    const random = generator(name.length * 7919 + family.count);
    let read = 0;
    for (let index = 0; index < family.count; index++) {
      const bytes = family.make(random, index);
      try {
        const table = await readTable(bytes, { ...family.options, name: 'broken.file' });
        read++;
        expect(table.rows).toBeGreaterThan(0);
        for (const column of table.columns) {
          if (column.kind === 'number') expect(column.values.length).toBe(table.rows);
          else expect(column.codes.length).toBe(table.rows);
          if (column.kind === 'number')
            expect(column.values.every((value) => Number.isNaN(value) || Number.isFinite(value))).toBe(true);
        }
        expect(inspect(table).length).toBe(table.columns.length);
      } catch (error) {
        if (!(error instanceof TableError))
          throw new Error(`${name} ${index}: ${String(error)}`, { cause: error });
        expect(error.message).toMatch(/^broken\.file(?::\d+)?(?:, column ".*")?: .+$/);
        expect(error.message).not.toMatch(/undefined|NaN,|\[object|at .*\.js/);
        expect(error.message.length).toBeLessThan(300);
      }
    }
    if (family.reads === 'never') expect(read).toBe(0);
    if (family.reads === 'sometimes') expect(read).toBeGreaterThan(0);
  });

  it('have no NaN where a cell is not missing', async () => {
    const random = generator(5);
    const filled = texts.filter((text) => !defaultMissing.includes(text.trim()));
    for (let index = 0; index < 200; index++) {
      const rows = Array.from({ length: 10 }, () => `"${random.pick(filled).replaceAll('"', '""')}",7`);
      const table = await readTable(utf8(`a,b\n${rows.join('\n')}\n`));
      expect(nanCells(table)).toBe(0);
      for (const column of table.columns)
        if (column.kind === 'text') expect(column.codes.includes(-1)).toBe(false);
    }
  });
});
