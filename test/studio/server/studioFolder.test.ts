import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RefusedError } from '../../../src/studio/server/refused.js';
import { StudioFolder } from '../../../src/studio/server/studioFolder.js';
import { visibleName } from '../../../src/studio/server/tableShelf.js';

const outside = mkdtempSync(join(tmpdir(), 'nemokit-folder-'));
const place = join(outside, 'project');
let folder: StudioFolder;

function makeRun(path: string): void {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'manifest.json'), '{}');
}

beforeAll(async () => {
  makeRun(join(place, 'runs', 'one'));
  makeRun(join(outside, 'secret'));
  writeFileSync(join(outside, 'secret.csv'), 'a\n1\n');
  writeFileSync(join(place, 'past.csv'), 'a\n1\n');
  writeFileSync(join(place, '.hidden.csv'), 'a\n1\n');
  writeFileSync(join(place, 'notes.md'), '# notes');
  writeFileSync(join(place, 'packed.CSV.gz'), '');
  mkdirSync(join(place, 'folder.csv'));
  symlinkSync(join(outside, 'secret.csv'), join(place, 'link.csv'));
  symlinkSync(join(outside, 'secret'), join(place, 'runs', 'link'));
  mkdirSync(join(place, 'runs', 'empty'));
  ({ folder } = await StudioFolder.open(place));
});
afterAll(() => rmSync(outside, { recursive: true, force: true }));

const escapes = [
  '..',
  '.',
  '',
  '../secret',
  '..\\secret',
  'one/../../../secret',
  '/etc',
  'C:\\Windows',
  'one\0',
  'one\n',
  '\u0085',
  'x'.repeat(256),
  '.hidden',
];

describe('a folder of the studio', () => {
  it('finds runs by their names', async () => {
    expect(basename(await folder.runPath('one'))).toBe('one');
  });

  it.each([...escapes, 'link', 'empty', 'two', 'past.csv'])('has no run %j', async (name) => {
    const error = await folder.runPath(name).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RefusedError);
    expect((error as RefusedError).status).toBe(404);
  });

  it('lists tables, and no link, folder or hidden file', async () => {
    expect(await folder.tables()).toEqual(['packed.CSV.gz', 'past.csv']);
  });

  it.each([...escapes, 'link.csv', 'folder.csv', '.hidden.csv', 'notes.md', '../secret.csv', 'runs/one'])(
    'opens no table %j',
    async (name) => {
      const error = await folder.openTable(name).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(RefusedError);
      expect((error as RefusedError).status).toBe(404);
    },
  );

  it('opens a table', async () => {
    const { file, size } = await folder.openTable('past.csv');
    await file.close();
    expect(size).toBe(4);
  });

  it('is a project, a folder of runs, or a run', async () => {
    const runs = join(place, 'runs');
    expect([folder.runsPath.endsWith('/project/runs'), folder.name]).toEqual([true, 'project/runs']);
    expect((await StudioFolder.open(runs)).folder.runsPath).toBe(folder.runsPath);
    const { folder: around, open } = await StudioFolder.open(join(runs, 'one'));
    expect([around.runsPath, open]).toEqual([folder.runsPath, 'one']);
  });

  it('is a folder of runs by any name, but not where tables lie beside a run', async () => {
    const results = join(outside, 'results');
    makeRun(join(results, 'one'));
    expect((await StudioFolder.open(results)).folder.runsPath.endsWith('/results')).toBe(true);
    writeFileSync(join(results, 'past.csv'), 'a\n1\n');
    expect((await StudioFolder.open(results)).folder.runsPath.endsWith('/results/runs')).toBe(true);
  });

  it('is refused where it is a file, or not there', async () => {
    await expect(StudioFolder.open(join(place, 'past.csv'))).rejects.toThrow(/is a file, not a folder/);
    await expect(StudioFolder.open(join(place, 'nowhere'))).rejects.toThrow(/there is no folder/);
  });

  it('makes no runs through a link', async () => {
    const linked = join(outside, 'linked');
    mkdirSync(linked);
    symlinkSync(join(outside, 'secret'), join(linked, 'runs'));
    const { folder: opened } = await StudioFolder.open(linked);
    await expect(opened.makeRuns()).rejects.toThrow(/is a link, not a folder/);
    makeRun(join(outside, 'secret', 'inner'));
    await expect(opened.runPath('inner')).rejects.toThrow(RefusedError);
  });
});

describe('the name of a file that was sent', () => {
  it.each([
    ['past.csv', 'past.csv'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\data\\past.csv', 'past.csv'],
    ['a\r\nSet-Cookie: b\u001b[31m\u202e.csv', 'a·Set-Cookie: b·[31m·.csv'],
    ['', 'table'],
    ['folder/', 'table'],
    ['é'.repeat(300), 'é'.repeat(200)],
  ])('%j is shown as %j', (given, shown) => {
    expect(visibleName(given)).toBe(shown);
  });
});
