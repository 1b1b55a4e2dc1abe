import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { acquireLock, LockedError, lockName, lockOf, takeoverName } from '../../src/runs/lock.js';
import { caught, temporaryFolder } from './runs.js';

/** No system gives out this number. */
const deadPid = 2_147_483_646;

function plant(folder: string, owner: object, secondsAgo = 0, name = lockName): void {
  const path = join(folder, name);
  const defaults = { pid: deadPid, host: hostname(), started: '2026-11-15T08:00:00.000Z', token: 'other' };
  writeFileSync(path, JSON.stringify({ ...defaults, ...owner }));
  const time = Date.now() / 1000 - secondsAgo;
  utimesSync(path, time, time);
}

describe('a lock', () => {
  it('says who holds it, and is gone when released', async () => {
    const folder = temporaryFolder();
    const listeners = process.listenerCount('SIGINT');
    const lock = await acquireLock(folder);
    expect(JSON.parse(readFileSync(join(folder, lockName), 'utf8'))).toEqual(lock.owner);
    expect(lock.owner).toMatchObject({ pid: process.pid, host: hostname() });
    expect(lock.note).toBeUndefined();
    expect(await lockOf(folder)).toMatchObject({ isHeld: true });
    await lock.check();
    await lock.release();
    await lock.release();
    expect(readdirSync(folder)).toEqual([]);
    expect(process.listenerCount('SIGINT')).toBe(listeners);
  });

  it('beats every ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const folder = temporaryFolder();
    const lock = await acquireLock(folder);
    utimesSync(join(folder, lockName), 0, 0);
    expect(await lockOf(folder)).toMatchObject({ isHeld: false });
    vi.advanceTimersByTime(9_999);
    expect(await lockOf(folder)).toMatchObject({ isHeld: false });
    vi.advanceTimersByTime(1);
    await expect.poll(() => lockOf(folder)).toMatchObject({ isHeld: true });
    await lock.release();
  });

  it('lets nobody else in, in the same process either', async () => {
    const folder = temporaryFolder();
    const lock = await acquireLock(folder);
    const error = await caught(acquireLock(folder));
    expect(error).toBeInstanceOf(LockedError);
    expect(error.message).toBe(
      `${folder} is in use: process ${process.pid} on ${hostname()} has been writing to it since ` +
        `${lock.owner.started}. Wait for it, stop it, or choose another folder`,
    );
    await lock.release();
    await (await acquireLock(folder)).release();
  });

  it('lets one of many in', async () => {
    const folder = temporaryFolder();
    plant(folder, {});
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => acquireLock(folder)));
    const winners = tries.filter((attempt) => attempt.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    await winners[0]!.value.check();
    await winners[0]!.value.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['a dead process', { pid: deadPid }, 0],
    ['this process in an earlier life', { pid: process.pid }, 0],
    ['a process that stopped beating', { pid: process.ppid }, 61],
    ['another machine that stopped beating', { host: 'elsewhere' }, 61],
  ])('is taken over from %s, with a note', async (_, owner, secondsAgo) => {
    const folder = temporaryFolder();
    plant(folder, owner, secondsAgo);
    const lock = await acquireLock(folder);
    const { pid = deadPid, host = hostname() } = owner as { pid?: number; host?: string };
    expect(lock.note).toBe(
      `process ${pid} on ${host}, started 2026-11-15T08:00:00.000Z, ended without giving back the lock of ${folder}; ` +
        'it was taken over',
    );
    await lock.release();
  });

  it.each([
    ['a living process', { pid: process.ppid }, 50],
    ['another machine', { host: 'elsewhere' }, 50],
    ['nobody knows who', { pid: 'x' }, 50],
  ])('stays with %s', async (_, owner, secondsAgo) => {
    const folder = temporaryFolder();
    plant(folder, owner, secondsAgo);
    expect(await caught(acquireLock(folder))).toBeInstanceOf(LockedError);
    expect(readdirSync(folder)).toEqual([lockName]);
  });

  it('is taken over although a process died doing so', async () => {
    const folder = temporaryFolder();
    plant(folder, {});
    plant(folder, {}, 0, takeoverName);
    await (await acquireLock(folder)).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('that was lost is noticed, and not touched', async () => {
    const folder = temporaryFolder();
    const lock = await acquireLock(folder);
    plant(folder, { pid: process.ppid });
    const error = await caught(lock.check());
    expect(error.message).toContain('taken over by another process while this one stood still');
    await lock.release();
    expect(existsSync(join(folder, lockName))).toBe(true);
  });
});
