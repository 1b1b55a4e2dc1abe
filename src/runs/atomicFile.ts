/**
 * Atomic writes: a file holds its old or its new content, never part of it, even if the process is killed or the power
 * fails. Written under a temporary name in the same folder, flushed to the disk, renamed.
 */
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, fileError } from './fileError.js';

export type WriteAll = (file: FileHandle, data: Uint8Array) => Promise<void>;

export interface AtomicOptions {
  /** Writes the bytes to the opened file; tests pass one that fails. */
  readonly write?: WriteAll;
  /** Called when the bytes are safe under their temporary name, before they replace what is at `path`. */
  readonly beforeRename?: () => Promise<void>;
}

/** `.name.nemokit-<process>-<number>.tmp` */
const temporaryName = /^\..+\.nemokit-(\d+)-\d+\.tmp$/s;

const inUse = new Set<string>();
let count = 0;

/** Throws `FileError`; then `path` is unchanged and no temporary file is left. */
export async function writeAtomic(
  path: string,
  data: string | Uint8Array,
  { write = writeAll, beforeRename }: AtomicOptions = {},
): Promise<void> {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  const folder = dirname(path);
  const temporary = temporaryPath(path);
  inUse.add(temporary);
  try {
    const file = await open(temporary, 'wx', 0o666);
    try {
      await write(file, bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await beforeRename?.();
    await rename(temporary, path);
    await syncFolder(folder);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw fileError(path, error, 'written');
  } finally {
    inUse.delete(temporary);
  }
}

export function temporaryPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.nemokit-${process.pid}-${++count}.tmp`);
}

async function writeAll(file: FileHandle, data: Uint8Array): Promise<void> {
  await file.writeFile(data);
}

/** Makes renames in `folder` survive a power failure. Windows cannot open folders and does not need to. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

export function isTemporary(name: string): boolean {
  return temporaryName.test(name);
}

/** Removes temporary files that ended processes left in `folder`; returns their names. */
export async function removeLeftovers(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw fileError(folder, error, 'read');
  });
  const dead = names.filter((name) => {
    const pid = Number(temporaryName.exec(name)?.[1]);
    // An earlier process may have had the number of this one.
    if (pid === process.pid) return !inUse.has(join(folder, name));
    return Number.isInteger(pid) && !isAlive(pid);
  });
  for (const name of dead) await rm(join(folder, name), { force: true }).catch(() => {});
  return dead;
}

/** Whether a process of this number runs on this machine, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
