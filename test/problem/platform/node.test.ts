import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readProblem } from '../../../src/problem/platform/node.js';
import { type ProblemFile, parseProblemFile, writeProblemFile } from '../../../src/problem/problemFile.js';
import { stateProblem, toCells } from '../../../src/problem/stateProblem.js';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A new folder with these files in it. */
function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'nemokit-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

const past = 'temp,catalyst,yield\n20,A,1\n30,B,2\n40,A,3\n55,B,5\n';
const head = 'version: 1\ngoals: [max yield]\n';

describe('a problem file with its tables', () => {
  it('is read with paths relative to it', async () => {
    const folder = folderOf({
      'plan/nemokit.yaml': `${head}data: ../data/past.csv\nchoices: lists/stock.csv\nbatch: 3\n`,
      'data/past.csv': past,
      'plan/lists/stock.csv': 'catalyst,temp\nB,25\nA,45\n',
    });
    const { spec, settings, table, choices } = await readProblem(join(folder, 'plan/nemokit.yaml'));
    const problem = stateProblem(table, spec, { choices: choices! });
    expect(spec).toEqual({ goals: ['max yield'] });
    expect(settings).toEqual({ batch: 3 });
    expect(table.name).toBe('past.csv');
    expect(choices!.rows).toBe(2);
    expect([...problem.data.y]).toEqual([1, 2, 3, 5]);
    expect(toCells(problem, problem.space.choices!)).toEqual([
      { temp: 25, catalyst: 'B' },
      { temp: 45, catalyst: 'A' },
    ]);
  });

  it('needs no choices, and takes absolute paths', async () => {
    const folder = folderOf({ 'past.csv': past });
    writeFileSync(join(folder, 'p.yaml'), `${head}data: ${JSON.stringify(join(folder, 'past.csv'))}\n`);
    const read = await readProblem(join(folder, 'p.yaml'));
    expect('choices' in read).toBe(false);
    expect(stateProblem(read.table, read.spec).space.choices).toBeUndefined();
  });

  it.each([
    [{}, 'ProblemFileError', /p\.yaml: there is no such file$/],
    [
      { 'p.yaml': `${head}data: past.csv\n` },
      'TableError',
      /past\.csv: there is no such file; "data" of p\.yaml names it, relative to that file$/,
    ],
    [
      { 'p.yaml': `${head}data: past.csv\nchoices: lists\n`, 'past.csv': past, 'lists/a.csv': past },
      'TableError',
      /lists: is a folder; give a file in it; "choices" of p\.yaml names it, relative to that file$/,
    ],
    [
      { 'p.yaml': `${head}data: "-"\n` },
      'TableError',
      /-: there is no such file; "data" of p\.yaml names it/,
    ],
    [
      { 'p.yaml': `${head}data: past.csv\nbatsh: 3\n` },
      'ProblemFileError',
      /p\.yaml:4:1: unknown key "batsh"/,
    ],
    [
      { 'p.yaml': new Uint8Array([0x76, 0xff, 0xfe, 0x61]) },
      'ProblemFileError',
      /^p\.yaml:1:1: is not UTF-8 text; save it as such$/,
    ],
    [
      { 'p.yaml': `${head}data: past.csv\n`, 'past.csv': 'temp,yield\n1\n' },
      'TableError',
      /^past\.csv:2, column "yield": 1 cell where the header has 2/,
    ],
  ])('%j: is told in the words of the user', async (files, name, message) => {
    const folder = folderOf(files as Record<string, string>);
    const error: unknown = await readProblem(join(folder, 'p.yaml')).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name, message: expect.stringMatching(message) });
  });

  it('is a folder at times', async () => {
    const folder = folderOf({ 'p.yaml/x': '' });
    await expect(readProblem(join(folder, 'p.yaml'))).rejects.toThrow('is a folder; give a file in it');
  });
});

describe('the line that tells editors the schema', () => {
  const spec: ProblemFile = { version: 1, data: 'past.csv', goals: ['max yield'] };

  it('is written only where the caller knows the place', () => {
    expect(writeProblemFile(spec)).not.toContain('$schema');
    const text = writeProblemFile(spec, { schema: './node_modules/nemokit/schemas/problem.schema.json' });
    expect(text.split('\n')[0]).toBe(
      '# yaml-language-server: $schema=./node_modules/nemokit/schemas/problem.schema.json',
    );
    expect(parseProblemFile(text, 'p.yaml')).toEqual(spec);
  });

  it.each(['', 'a b', 'a\nversion: 2'])('is refused with the place %j', (schema) => {
    expect(() => writeProblemFile(spec, { schema })).toThrow('schema is a path or URL without spaces');
  });
});
