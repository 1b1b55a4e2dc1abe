// Tables as instruments, mail programs and slips make them: bytes of other encodings and formats, headers and rows of any
// shape. Each is read or refused in one message, and nothing is said to be fine that no design can come of.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { called } from '../cli/called.js';
import { expectNoSlip } from './craftedRun.js';

const folder = mkdtempSync(join(tmpdir(), 'nemokit-odd-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stream = new Stream(rootKey(5));
const base = [
  'a,b,kind,y',
  ...Array.from({ length: 30 }, (_, i) => {
    const [a, b] = [stream.uniform(), stream.uniform()];
    return [a.toFixed(3), b.toFixed(3), 'ABC'[i % 3], (a + b / 2).toFixed(3)].join();
  }),
  '',
].join('\n');
const rows = (cells: (i: number) => string) => Array.from({ length: 40 }, (_, i) => cells(i)).join('\n');
const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding);
const swapped = (buffer: Buffer) => Buffer.from(buffer).swap16();
const oddBytes = (text: string, ...odd: number[]) =>
  Buffer.concat([bytes(text.slice(0, 4)), Buffer.from(odd), bytes(text.slice(8))]);

let made = 0;
async function check(contents: string | Buffer, extension = 'csv') {
  const path = join(folder, `t${made++}.${extension}`);
  writeFileSync(path, contents);
  const answer = await called('check', path, '--goal', 'max y');
  return { ...answer, path };
}

const contents: readonly (readonly [string, number, string | Buffer])[] = [
  ['two byte order marks', 0, bytes(`\ufeff\ufeff${base}`)],
  ['UTF-16 with a mark', 0, bytes(`\ufeff${base}`, 'utf16le')],
  ['UTF-16 of the other order', 0, swapped(bytes(`\ufeff${base}`, 'utf16le'))],
  ['UTF-16 without a mark', 0, bytes(base, 'utf16le')],
  ['half of the last UTF-16 character', 2, bytes(`\ufeff${base}`, 'utf16le').subarray(0, -1)],
  ['a mark and nothing else', 2, '\ufeff'],
  ['bytes of 255', 2, Buffer.alloc(1000, 255)],
  ['zeros', 2, Buffer.alloc(1000)],
  ['an overlong sequence', 0, oddBytes(base, 0xc0, 0xaf, 0xc0, 0xaf)],
  ['half of a surrogate pair', 0, oddBytes(base, 0xed, 0xa0, 0x80)],
  ['gzip', 0, gzipSync(base)],
  ['gzip twice', 2, gzipSync(gzipSync(base))],
  ['gzip, cut', 2, gzipSync(base).subarray(0, -9)],
  ['no-break spaces', 0, base.replaceAll(',', '\u00a0,\u00a0')],
  ['wide commas', 2, base.replaceAll(',', '，')],
  ['Arabic digits', 2, base.replaceAll(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))],
  ['minus signs of typography', 0, base.replaceAll('0.', '−0.')],
  ['spaces without width', 2, base.replaceAll('0.', '\u200b0.')],
  ['form feeds as line ends', 2, base.replaceAll('\n', '\f')],
  ['carriage returns as line ends', 0, base.replaceAll('\n', '\r')],
  ['line ends the wrong way round', 0, base.replaceAll('\n', '\n\r')],
  ['line ends of two systems at once', 0, base.replaceAll('\n', '\r\r\n')],
  ['nothing', 2, ''],
  ['line ends', 2, '\n'.repeat(500)],
  ['one name', 2, 'y'],
  ['one number', 2, '5'],
  ['a column of one row', 3, 'y\n5'],
  ['one column', 3, `y\n${rows(String)}`],
  ['one row', 3, 'a,b,y\n1,2,3\n'],
  ['a header', 2, 'a,b,y\n'],
  ['delimiters', 2, ',,,,\n'.repeat(40)],
  ['quotes', 2, '"'.repeat(2001)],
  ['a quote that is never closed', 2, '"a,b\ny,1\n'],
  ['the same name twice', 2, base.replace('a,b', 'a,a')],
  ['the same name but for a space', 2, base.replace('a,b', 'a,a ')],
  ['names that differ by case', 0, base.replace('a,b', 'a,A')],
  ['the goal twice', 2, base.replace('a,b', 'y,b')],
  ['a column without a name', 2, base.replace('a,b', 'a,')],
  ['rows that are too short', 2, base.replaceAll('\n', '\n1,2\n')],
  ['rows with empty ends', 0, base.replaceAll('\n', ',,,,,\n')],
  ['a cell of 300,000 characters', 0, base.replace('A', 'A'.repeat(300_000))],
  ['a row of 200,000 cells', 2, `a,b,y\n${Array(200_000).fill('1').join()}\n`],
  ['one row again and again', 3, `a,b,y\n${'1,2,3\n'.repeat(40)}`],
  ['a goal that never changes', 3, `a,b,y\n${rows((i) => `${i},${(i * i) % 7},3`)}`],
  ['settings that never change', 3, `a,b,y\n${rows((i) => `1,2,${i}`)}`],
  ['empty cells', 2, `a,b,y\n${',,\n'.repeat(40)}`],
  ['a goal without a value', 3, `a,b,y\n${rows((i) => `${i},${i % 3},`)}`],
  ['a goal with one value', 3, `a,b,y\n${rows((i) => `${i},${i % 3},${i === 3 ? 1 : ''}`)}`],
  ['infinite goals', 2, `a,b,y\n${rows((i) => `${i},${i % 3},${i % 5 ? i : 'inf'}`)}`],
  ['numbers without digits left', 2, `a,b,y\n${rows((i) => `${i}e-320,${i % 5},${i}`)}`],
  ['dates and one setting', 3, `d,b,y\n${rows((i) => `2024-01-${10 + (i % 19)},${i % 5},${i}`)}`],
  ['months that do not exist', 3, `d,b,y\n${rows((i) => `2024-13-${10 + i},${i % 5},${i}`)}`],
  ['formulas', 3, `a,b,y\n${rows((i) => `=A${i},${i % 5},${i}`)}`],
  ['words of the language as names', 0, base.replace('a,b,kind', 'max,if,forbid')],
  ['names of object properties', 0, base.replace('a,b,kind', '__proto__,hasOwnProperty,valueOf')],
];

describe('a table of', () => {
  it.each(contents)('%s ends with code %i', async (what, exitCode, text) => {
    const { path, ...answer } = await check(text);
    expectNoSlip(answer, what);
    expect(answer.code, answer.stdout + answer.stderr).toBe(exitCode);
    if (exitCode === 2) expect(answer.stderr.match(/^nemokit: \S/gm)).toHaveLength(1);
    // check says that a design can be made only where there is something to set
    if (exitCode === 0) expect(answer.stdout).toContain('Support');
  });

  it.each([
    ['<!DOCTYPE html><html></html>', 'is a web page'],
    ['<html><table><tr><td>a</td></tr></table></html>', 'is a web page'],
    ['<?xml version="1.0"?><a/>', 'is XML'],
    ['{\\rtf1 hello}', 'is formatted text (RTF)'],
    ['[{"a": 1, "y": 2}]', 'is JSON'],
    ['{"a": [1, 2]}', 'is JSON'],
    ['SQLite format 3\0\0\0', 'is a database'],
    ['%PDF-1.4\n', 'is a PDF'],
  ])('%j is called what it is', async (text, message) => {
    const { code, stderr, path } = await check(text);
    expect([code, stderr]).toEqual([
      2,
      `nemokit: ${basename(path)}: ${message}; save the table as CSV, XLSX or Parquet\n`,
    ]);
  });

  it('letters of KOI8 is not silently read as Latin-1', async () => {
    const name = Buffer.from([0xcb, 0xc1, 0xd4, 0xc1, 0xcc, 0xc9, 0xda, 0xc1, 0xd4, 0xcf, 0xd2]);
    const [before, after] = base.split('kind') as [string, string];
    const { stdout } = await check(Buffer.concat([bytes(before), name, bytes(after)]));
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('but looks like another encoding: --encoding names it');
  });

  it('settings that never change is not said to be ready for a design', async () => {
    const { stdout } = await check(`a,b,y\n${rows((i) => `1,2,${i}`)}`);
    expect(stdout).toContain('There is no column that a design could set');
    expect(stdout).not.toContain('nemokit design');
  });
});
