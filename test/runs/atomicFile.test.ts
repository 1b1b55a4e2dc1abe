import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { removeLeftovers, type WriteAll, writeAtomic } from '../../src/runs/atomicFile.js';
import { EventLog } from '../../src/runs/events.js';
import { FileError } from '../../src/runs/fileError.js';
import { caught, DiskFull, temporaryFolder } from './runs.js';

const halfThenFull: WriteAll = async (file, data) => {
  await file.write(data.subarray(0, data.length / 2));
  throw new DiskFull();
};

describe('writeAtomic', () => {
  it('writes and replaces', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a.txt');
    await writeAtomic(path, 'first');
    await writeAtomic(path, Uint8Array.of(0, 255, 10));
    expect([...readFileSync(path)]).toEqual([0, 255, 10]);
    expect(readdirSync(folder)).toEqual(['a.txt']);
  });

  it('leaves the old file and nothing else when the disk is full', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a.txt');
    await writeAtomic(path, 'old');
    const error = await caught(writeAtomic(path, 'a longer new text', { write: halfThenFull }));
    expect(error).toBeInstanceOf(FileError);
    expect(error).toMatchObject({ path, code: 'ENOSPC' });
    expect(error.message).toBe(
      `${path} cannot be written: the disk is full; free some space, then try again`,
    );
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['a.txt']);
  });

  it('says what is in the way', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'taken', 'inner'), { recursive: true });
    writeFileSync(join(folder, 'file'), '');
    const messages = await Promise.all(
      ['taken', 'file/a.txt', 'nowhere/a.txt', 'x'.repeat(300)].map(
        async (name) => (await caught(writeAtomic(join(folder, name), 'text'))).message,
      ),
    );
    expect(messages).toEqual([
      `${join(folder, 'taken')} cannot be written: a folder is in the place of this file; rename or move that folder`,
      `${join(folder, 'file/a.txt')} cannot be written: part of this path is a file, not a folder; check the path`,
      `${join(folder, 'nowhere/a.txt')} cannot be written: there is no such file or folder; check the path`,
      `${join(folder, 'x'.repeat(300))} cannot be written: the path is too long; choose a shorter name`,
    ]);
    expect(readdirSync(folder).toSorted()).toEqual(['file', 'taken']);
  });

  it.runIf(existsSync('/dev/full'))('a device is no file of a run', async () => {
    const error = await caught(EventLog.open('/dev/full'));
    expect(error).toMatchObject({ name: 'FileError' });
    expect(error.message).toContain('/dev/full is a link, a pipe or a device, not a file of this run');
  });
});

describe('removeLeftovers', () => {
  it('removes what dead processes left, and nothing else', async () => {
    const folder = temporaryFolder();
    // No system gives out this number.
    const dead = '.a.txt.nemokit-2147483646-1.tmp';
    const earlierSelf = `.a.txt.nemokit-${process.pid}-1000000.tmp`;
    const alive = `.a.txt.nemokit-${process.ppid}-1.tmp`;
    const others = [alive, 'a.tmp', '.a.tmp', 'a.txt.nemokit-2147483646-1.tmp'];
    for (const name of [dead, earlierSelf, ...others]) writeFileSync(join(folder, name), '');
    const seen = await new Promise<string[]>((resolve, reject) => {
      writeAtomic(join(folder, 'b.txt'), 'text', {
        beforeRename: async () => resolve(await removeLeftovers(folder)),
      }).catch(reject);
    });
    expect(seen.toSorted()).toEqual([dead, earlierSelf].toSorted());
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(others));
  });
});
