/**
 * One writer per run folder. The lock is a file that names its holder; its modification time is the heartbeat, renewed
 * through the open file, so that a holder that lost the lock cannot touch the file of its successor.
 */
import { randomUUID } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { isAlive, temporaryPath } from './atomicFile.js';
import { codeOf, FileError, fileError } from './fileError.js';
import { most, readOwn, readOwnSync } from './ownFile.js';

export const lockName = 'lock.json';
export const takeoverName = 'lock.takeover';

const heartbeatEvery = 10_000;
const heartbeatExpires = 60_000;
const farAhead = 86_400_000;
/** Taking over is a few calls; a guard older than this was left by a killed process. */
const takeoverExpires = 10_000;

const ownerSchema = z.object({
  pid: z.number().int(),
  host: z.string(),
  /** ISO time. */
  started: z.string(),
  token: z.string(),
});

export type LockOwner = z.output<typeof ownerSchema>;

/** Somebody else writes to the folder. */
export class LockedError extends Error {
  override readonly name = 'LockedError';

  constructor(
    message: string,
    readonly path: string,
    readonly owner: LockOwner | undefined,
  ) {
    super(message);
  }
}

export interface LockState {
  /** Undefined if the file cannot be read as a lock. */
  readonly owner: LockOwner | undefined;
  readonly isHeld: boolean;
}

/** Who holds the lock of `folder`; undefined if there is none. */
export async function lockOf(folder: string): Promise<LockState | undefined> {
  return stateOf(join(folder, lockName), heartbeatExpires);
}

/** Throws `LockedError` if somebody holds the lock of `folder`. */
export async function requireUnlocked(folder: string): Promise<void> {
  const found = await lockOf(folder);
  if (found?.isHeld) throw refusal(folder, found);
}

async function stateOf(path: string, expires: number): Promise<LockState | undefined> {
  try {
    const [bytes, { mtimeMs }] = await Promise.all([readOwn(path, most.lock), lstat(path)]);
    const owner = parseOwner(bytes.toString('utf8'));
    const age = Date.now() - mtimeMs;
    // clocks of two machines differ by minutes; a lock of next week was left by a clock that was wrong
    const isFresh = age < expires && age > -farAhead;
    return { owner, isHeld: isFresh && !isDead(owner) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw fileError(path, error, 'read');
  }
}

function parseOwner(text: string): LockOwner | undefined {
  try {
    return ownerSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function isDead(owner: LockOwner | undefined): boolean {
  if (owner?.host !== hostname()) return false;
  if (owner.pid !== process.pid) return !isAlive(owner.pid);
  // In a container every process may have the number of the one before it.
  return Date.parse(owner.started) < Date.now() - process.uptime() * 1000;
}

/** Throws `LockedError` if another process, or another part of this one, holds the lock. */
export async function acquireLock(folder: string): Promise<Lock> {
  const path = join(folder, lockName);
  const owner: LockOwner = {
    pid: process.pid,
    host: hostname(),
    started: new Date().toISOString(),
    token: randomUUID(),
  };
  const first = await createLock(path, owner);
  if (first) return new Lock(path, owner, first, undefined);
  const found = await lockOf(folder);
  if (found?.isHeld) throw refusal(folder, found);
  // its holder gave it back in the meantime
  const second = found ? await takeOver(folder, owner) : await createLock(path, owner);
  if (second) return new Lock(path, owner, second, found && takeoverNote(folder, found));
  throw refusal(folder, await lockOf(folder));
}

/** Linked into place, so that no process ever sees a lock without its owner. */
async function createLock(path: string, owner: LockOwner): Promise<FileHandle | undefined> {
  const temporary = temporaryPath(path);
  let file: FileHandle | undefined;
  try {
    file = await open(temporary, 'wx');
    await file.writeFile(printOwner(owner));
    await link(temporary, path);
    return file;
  } catch (error) {
    await file?.close();
    if (codeOf(error) === 'EEXIST') return undefined;
    if (file && withoutLinks.includes(codeOf(error) ?? '')) return await createUnlinked(path, owner);
    throw fileError(path, error, 'written');
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

/** Error codes of disks without hard links. */
const withoutLinks = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'];

async function createUnlinked(path: string, owner: LockOwner): Promise<FileHandle | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'wx');
    await file.writeFile(printOwner(owner));
    return file;
  } catch (error) {
    await file?.close();
    if (codeOf(error) === 'EEXIST') return undefined;
    if (file) await rm(path, { force: true });
    throw fileError(path, error, 'written');
  }
}

function printOwner(owner: LockOwner): string {
  return `${JSON.stringify(owner)}\n`;
}

/**
 * Puts a lock in the place of one that nobody holds. Of several processes that try at once, one succeeds. The old lock
 * is replaced, not removed: it is what tells a run that was cut off from files of somebody else.
 */
async function takeOver(folder: string, owner: LockOwner): Promise<FileHandle> {
  const path = join(folder, lockName);
  const guard = join(folder, takeoverName);
  const other = await stateOf(guard, takeoverExpires);
  if (other && !other.isHeld) await rm(guard, { force: true });
  const guardFile = await createLock(guard, owner);
  const temporary = temporaryPath(path);
  let file: FileHandle | undefined;
  try {
    const now = await lockOf(folder);
    if (!guardFile || now?.isHeld) throw refusal(folder, now);
    file = await open(temporary, 'wx');
    await file.writeFile(printOwner(owner));
    await rename(temporary, path);
    return file;
  } catch (error) {
    await file?.close();
    await rm(temporary, { force: true }).catch(() => {});
    if (error instanceof LockedError) throw error;
    throw fileError(path, error, 'written');
  } finally {
    if (guardFile) await rm(guard, { force: true });
    await guardFile?.close();
  }
}

function takeoverNote(folder: string, { owner }: LockState): string {
  const who = owner ? `process ${owner.pid} on ${owner.host}, started ${owner.started},` : 'a process';
  return `${who} ended without giving back the lock of ${folder}; it was taken over`;
}

function refusal(folder: string, found: LockState | undefined): LockedError {
  const { owner } = found ?? {};
  const who = owner
    ? `process ${owner.pid} on ${owner.host} has been writing to it since ${owner.started}`
    : 'another process is writing to it';
  return new LockedError(
    `${folder} is in use: ${who}. Wait for it, stop it, or choose another folder`,
    folder,
    owner,
  );
}

/** Locks of this process. */
let heldCount = 0;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Given back by `release`, when the process exits, and on signals that end it. */
export class Lock {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #timer: NodeJS.Timeout;
  #isReleased = false;
  readonly #onExit = () => this.#unlink();
  readonly #onSignal = (signal: NodeJS.Signals) => {
    // Another listener ends the run in an orderly way, and then the process.
    if (process.listenerCount(signal) > heldCount) return;
    this.#unlink();
    this.#forget();
    process.kill(process.pid, signal);
  };

  constructor(
    path: string,
    readonly owner: LockOwner,
    file: FileHandle,
    /** Set where the lock was taken over from an ended process. */
    readonly note: string | undefined,
  ) {
    this.#path = path;
    this.#file = file;
    this.#timer = setInterval(() => {
      const now = new Date();
      file.utimes(now, now).catch(() => {});
    }, heartbeatEvery);
    this.#timer.unref();
    heldCount++;
    process.on('exit', this.#onExit);
    for (const signal of signals) process.on(signal, this.#onSignal);
  }

  /** Throws `FileError` if another process took over the lock, such as after a long sleep of the machine. */
  async check(): Promise<void> {
    if (this.#isOurs()) return;
    throw new FileError(
      `${this.#path} was removed, or taken over by another process while this one stood still; nothing more is ` +
        'written here. Resume the run when the other one has ended',
      this.#path,
    );
  }

  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#unlink();
    this.#forget();
    await this.#file.close();
  }

  #isOurs(): boolean {
    try {
      return parseOwner(readOwnSync(this.#path, most.lock))?.token === this.owner.token;
    } catch {
      return false;
    }
  }

  #unlink(): void {
    try {
      if (this.#isOurs()) unlinkSync(this.#path);
    } catch {
      // The next run takes over a lock that is left behind.
    }
  }

  #forget(): void {
    clearInterval(this.#timer);
    heldCount--;
    process.off('exit', this.#onExit);
    for (const signal of signals) process.off(signal, this.#onSignal);
  }
}
