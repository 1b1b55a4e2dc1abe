import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { writeWholeFile } from '../../src/cli/wholeFile.js';
import { makeFolder } from '../../src/runs/makeFolder.js';
import { called } from '../cli/called.js';
import { secondsSince } from '../processorTime.js';

const folder = mkdtempSync(join(tmpdir(), 'nemokit-outputs-'));
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

describe('files that a command writes', () => {
  it('never replace a device, a link or a folder', async () => {
    const target = join(folder, 'target.csv');
    writeFileSync(target, 'kept');
    symlinkSync(target, join(folder, 'link.csv'));
    symlinkSync('/dev/full', join(folder, 'full.csv'));
    mkdirSync(join(folder, 'folder.csv'));
    for (const [name, what] of [
      ['link.csv', 'a link to'],
      ['full.csv', 'a link to /dev/full'],
      ['folder.csv', 'a folder'],
    ] as const) {
      const path = join(folder, name);
      const before = lstatSync(path).mode;
      for (const replace of [true, false])
        await expect(writeWholeFile(path, 'new', { replace, flag: '--out' })).rejects.toThrow(
          `${path} is ${what}`,
        );
      expect(lstatSync(path).mode).toBe(before);
    }
    expect(readFileSync(target, 'utf8')).toBe('kept');
    expect(readdirSync(folder).toSorted()).toEqual(['folder.csv', 'full.csv', 'link.csv', 'target.csv']);
  });

  it('into a device are refused, and the device stays', async () => {
    expect(lstatSync('/dev/full').isCharacterDevice()).toBe(true);
    await expect(writeWholeFile('/dev/full', 'new', { replace: true, flag: '--out' })).rejects.toThrow(
      '/dev/full is a device or a pipe; only files are replaced; give another name with --out',
    );
    expect(lstatSync('/dev/full').isCharacterDevice()).toBe(true);
  });

  it('below /proc end in an error, not in an endless try', async () => {
    const started = process.cpuUsage();
    for (const path of ['/proc/x', '/proc/x/y/z', '/dev/null/x'])
      await expect(makeFolder(path)).rejects.toMatchObject({ name: 'FileError', path: expect.any(String) });
    const table = join(folder, 'past.csv');
    writeFileSync(
      table,
      `x,y\n${Array.from({ length: 30 }, (_, i) => `${(i * 7) % 11},${(i * 5) % 13}`).join('\n')}\n`,
    );
    const { code, stderr } = await called('design', table, '--goal', 'max y', '--out', '/proc/x', '--quiet');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^nemokit: \/proc\/x cannot be written: /);
    expect(secondsSince(started)).toBeLessThan(10);
  });

  it('a folder is made with those above it, and one that is there is left alone', async () => {
    const path = join(folder, 'a', 'b', 'c');
    expect(await makeFolder(path)).toBe(join(folder, 'a'));
    expect(await makeFolder(path)).toBeUndefined();
  });
});

describe('standard output', () => {
  it.each([
    ['--version', '--version'],
    ['a list', 'bench list'],
    ['JSON', 'bench list --json'],
  ])('that is full gives a message and code 1: %s', (_, args) => {
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', `"${process.execPath}" "${main}" ${args} > /dev/full`],
      {
        encoding: 'utf8',
        timeout: 300_000,
      },
    );
    expect(stderr).toBe(
      'nemokit: standard output cannot be written: the disk is full; free some space, then try again\n',
    );
    expect(status).toBe(1);
  });
});
