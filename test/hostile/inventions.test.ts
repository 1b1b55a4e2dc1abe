// Attacks of other kinds than wrong values: prototypes, bombs, deep nesting, odd names.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readTable } from '../../src/table/readTable.js';
import { TableError } from '../../src/table/table.js';
import { called } from '../cli/called.js';
import { secondsSince } from '../processorTime.js';
import { utf8, workbookParts, zip } from '../table/reading.js';

const folder = mkdtempSync(join(tmpdir(), 'nemokit-inventions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rows = Array.from({ length: 24 }, (_, i) => `${i % 7},${(i * 3) % 11},${(i % 5) + (i % 3)}`);
const table = `a,b,yield\n${rows.join('\n')}\n`;
const past = join(folder, 'past.csv');
writeFileSync(past, table);
const goal = ['--goal', 'max yield'];

let made = 0;
function file(text: string, extension: string): string {
  const path = join(folder, `f${made++}.${extension}`);
  writeFileSync(path, text);
  return path;
}

/** Ends as documented, within seconds of the processor, without a stack; what it says. */
async function ends(args: readonly string[], codes: readonly number[] = [0, 2, 3, 4]): Promise<string> {
  const start = process.cpuUsage();
  const { code, stdout, stderr } = await called(...args);
  expect(codes, stderr.slice(0, 500)).toContain(code);
  expect(stderr).not.toMatch(/this is a bug|^\s+at .*[.:]\d+:\d+\)?$/m);
  expect(secondsSince(start)).toBeLessThan(10);
  return stdout + stderr;
}

describe('prototypes', () => {
  it.each([
    'columns:\n  __proto__: {role: ignore}\n',
    'columns:\n  constructor: {role: ignore}\n',
    'options:\n  __proto__: {steps: 3}\n',
    '__proto__:\n  batch: 3\n',
    'limits:\n  __proto__: [0, 1]\n',
    'read:\n  __proto__: {delimiter: ";"}\n',
  ])('%j in a problem file name nothing', async (lines) => {
    const said = await ends(
      ['check', file(`version: 1\ndata: past.csv\ngoals: [max yield]\n${lines}`, 'yaml')],
      [2],
    );
    expect(said).toMatch(/__proto__|constructor/);
    expect(({} as { batch?: unknown; role?: unknown }).batch).toBeUndefined();
  });

  it('are columns like others in a table', async () => {
    const said = await ends(['check', file(table.replace('a,b', '__proto__,constructor'), 'csv'), ...goal]);
    expect(said).toContain('__proto__');
  });
});

describe('bombs', () => {
  it('of YAML aliases are refused', async () => {
    const levels = Array.from(
      { length: 30 },
      (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join()}]`,
    );
    const text = `version: 1\ndata: past.csv\ngoals: [max yield]\na0: &a0 [x, x]\n${levels.join('\n')}\n`;
    await ends(['check', file(text, 'yaml')], [2]);
  });

  it('of YAML nesting are refused', async () => {
    for (const text of ['['.repeat(100_000), '{a: '.repeat(100_000), '- '.repeat(100_000)])
      await ends(['check', file(`version: 1\ngoals: ${text}`, 'yaml')], [2]);
  });

  it('of workbooks are refused by what they hold, not read', async () => {
    const parts = workbookParts({
      a: [
        ['x', 'y'],
        [1, 2],
      ],
    });
    const sheet = Object.keys(parts).find((name) => name.includes('sheet1'))!;
    const bytes = zip({ ...parts, [sheet]: parts[sheet]! + ' '.repeat(3_000_000) }, true);
    await expect(readTable(bytes, { name: 'w.xlsx', maxBytes: 1e6 })).rejects.toThrow(
      'w.xlsx: holds more than 1000000 bytes when decompressed',
    );
  });
});

describe('patterns', () => {
  const runs = [
    '1',
    ' ',
    '-',
    'e',
    '.',
    '(',
    '%',
    'x',
    '1 ',
    '1.',
    '1e',
    'a ',
    '"',
    "'",
    '/',
    '_',
    'in ',
    '(a',
  ];

  it.each(runs)('%j twenty thousand characters long is read soon', async (run) => {
    const long = `1${run.repeat(20_000 / run.length)}x`;
    const start = process.cpuUsage();
    for (const text of [`a,yield\n1,2\n${long},3\n`, `${long},yield\n1,2\n3,4\n`])
      await readTable(utf8(text)).catch((error: unknown) => {
        expect(error).toBeInstanceOf(TableError);
        expect((error as Error).message.length).toBeLessThan(500);
      });
    // of the processor; the square of the length took more than 2 s for digits
    expect(secondsSince(start)).toBeLessThan(1);
  });

  it.each(['--bounds', '--fix', '--mixture', '--type', '--constraint', '--delimiter'])(
    'of %s end soon, with a short message',
    async (flag) => {
      for (const run of ['1', ' ', '=', '"=', '(', 'a,']) {
        const start = process.cpuUsage();
        const said = await ends(['check', past, ...goal, flag, `"${run.repeat(20_000 / run.length)}x`], [2]);
        expect(said.length).toBeLessThan(1000);
        expect(secondsSince(start)).toBeLessThan(2);
      }
    },
  );
});

describe('nesting', () => {
  it.each(['(', 'a*(', 'if a <= 1 then ', 'a + (', 'a^'])(
    '%j fifty thousand times is refused',
    async (run) => {
      const text = `version: 1\ndata: past.csv\ngoals: [max yield]\nconstraints: ['${run.repeat(50_000)}a <= 3']\n`;
      await ends(['check', file(text, 'yaml')], [2]);
    },
  );
});

describe('odd names and bytes', () => {
  it('a name of a million characters is shown cut', async () => {
    const said = await ends(['check', file(table.replace('b', 'b'.repeat(1e6)), 'csv'), ...goal]);
    expect(said.length).toBeLessThan(2e5);
  });

  it('NUL, UTF-16, marks and mixed line ends read as ever or are named', async () => {
    const mixed = table.replaceAll('\n', (_, at: number) => ['\n', '\r\n', '\r'][at % 3]!);
    const read = await readTable(utf8(`\ufeff${mixed}`));
    expect([read.rows, read.columns.length]).toEqual([24, 3]);
    const wide = await readTable(Uint8Array.from(Buffer.from(table, 'utf16le')));
    expect(wide.rows).toBe(24);
    await expect(readTable(utf8(table.replace('3', '\0')), { name: 't' })).rejects.toThrow(
      /^t:\d+: holds bytes that no text has/,
    );
  });

  it.each(['a b', 'ü-ß', 'new\nline', "quo'te", '-dash', '$HOME'])(
    'a folder called %j can be asked about',
    async (name) => {
      const said = await ends(['runs', 'show', `./${name}`], [2]);
      expect(said).toContain('there is no run');
    },
  );
});

describe('what is no file', () => {
  it('a pipe that nobody writes to is not waited for, as a table or as a problem', async () => {
    for (const name of ['pipe.csv', 'pipe.yaml']) {
      expect(spawnSync('mkfifo', [join(folder, name)]).status).toBe(0);
      const said = await ends(['check', join(folder, name)], [2]);
      expect(said).toContain(
        'is a pipe or a device; save its contents as a file, or give a table as "-" on standard input',
      );
    }
  });

  it('a device is not read', async () => {
    for (const path of ['/dev/zero', '/dev/urandom', '/dev/null'])
      expect(await ends(['check', path], [2])).toContain(`${path}: is a pipe or a device`);
  });
});

describe('a problem file', () => {
  const text = 'version: 1\ndata: past.csv\ngoals: [max yield]\n';

  it('that is two says so in its own words', async () => {
    const said = await ends(['check', file(`${text}---\nversion: 1\n`, 'yaml')], [2]);
    expect(said).toMatch(/:4:1: a second document begins here; write one problem per file\n$/);
  });

  it('with one fault that two rules find says it once', async () => {
    const said = await ends(['check', file(`${text}batch: 99999999999999999999\n`, 'yaml')], [2]);
    expect(said.match(/batch: got 1\d+, expected/g)).toHaveLength(1);
    expect(said).not.toContain('more');
  });
});

it('marks without width that are piled up are cut', async () => {
  const said = await ends(['check', file(table.replace('b', `b${'\u0301'.repeat(1e5)}`), 'csv'), ...goal]);
  expect(said.length).toBeLessThan(1e4);
});
