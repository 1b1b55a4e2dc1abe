/** A folder of runs: a free path for a new run, a list of the runs, and the removal of one. */

import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, FileError, fileError } from './fileError.js';
import { acquireLock, lockName, lockOf } from './lock.js';
import { type Manifest, manifestName, type RunStatus, readManifest } from './manifest.js';
import { most, readOwn } from './ownFile.js';
import { exists, inputNames, isRunFile, resultNames, sha256Of } from './runFiles.js';

export interface RunName {
  readonly date: Date;
  /** Such as the goal's column. */
  readonly goal: string;
  /** SHA-256 of the data. */
  readonly dataHash: string;
  readonly seed: number;
}

/** A free path such as `runs/2026-11-15-yield-7f3a`: the day, the goal, four digits of a hash of data, goal and seed. */
export async function defaultRunPath(root: string, { date, goal, dataHash, seed }: RunName): Promise<string> {
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  const hash = sha256Of(JSON.stringify([dataHash, goal, seed])).slice(0, 4);
  const base = join(root, `${day}-${slugOf(goal)}-${hash}`);
  let path = base;
  for (let n = 2; await exists(path); n++) path = `${base}-${n}`;
  return path;
}

/** Only letters, digits and hyphens, which every disk and shell accepts. */
function slugOf(text: string): string {
  // Upper case first, which makes SS of ß.
  const plain = text.normalize('NFKD').toUpperCase().toLowerCase();
  const slug = plain
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 24)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'run' : slug;
}

/** A run as `listRuns` finds it. */
export interface ListedRun {
  readonly path: string;
  readonly name: string;
  /** Absent where the folder cannot be read as a run. */
  readonly manifest?: Manifest;
  /** "running" only while a process works on it. */
  readonly status?: RunStatus;
  /** What is wrong, in words. */
  readonly problem?: string;
}

/** The entries of a folder of runs, by name; empty if there is no such folder. */
export async function listRuns(folder: string): Promise<ListedRun[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw fileError(folder, error, 'read');
  });
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return Promise.all(
    sorted.map(async (entry): Promise<ListedRun> => {
      const { name } = entry;
      const path = join(folder, name);
      if (!entry.isDirectory()) {
        const what = entry.isSymbolicLink() ? 'a link, which is not followed' : 'a file';
        return { path, name, problem: `${path} is ${what}, not a run folder` };
      }
      return { path, name, ...(await examineRun(path)) };
    }),
  );
}

async function examineRun(path: string): Promise<Pick<ListedRun, 'manifest' | 'status' | 'problem'>> {
  try {
    const manifest = await readManifest(path);
    const isHeld = (await lockOf(path))?.isHeld ?? false;
    const status = isHeld ? 'running' : manifest.status === 'running' ? 'interrupted' : manifest.status;
    const names = Object.keys(manifest.files);
    const present = await Promise.all(names.map((file) => exists(join(path, file))));
    const missing = names.filter((_, i) => !present[i]);
    if (missing.length === 0 || isHeld) return { manifest, status };
    return { manifest, status, problem: `${path}: ${missing.join(', ')} missing` };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { problem: error.message };
  }
}

/**
 * Deletes a run folder that holds only files as nemokit wrote them. Otherwise throws a `FileError` that names the
 * others: foreign files, links, folders, and edited results.
 */
export async function removeRun(path: string): Promise<void> {
  const entry = await lstat(path).catch((error: unknown) => {
    throw fileError(path, error, 'removed');
  });
  if (entry.isSymbolicLink())
    throw new FileError(`${path} is a link, not a run folder; remove the link by hand`, path);
  if (!entry.isDirectory()) throw new FileError(`${path} is a file, not a run folder`, path);
  await readManifest(path);
  const lock = await acquireLock(path);
  try {
    const names = await requireUnedited(path);
    // The manifest last: after a crash the rest is still a run folder, and can be removed again.
    const last = [manifestName, lockName];
    for (const name of [...names.filter((name) => !last.includes(name)), manifestName])
      await rm(join(path, name), { force: true });
  } catch (error) {
    throw fileError(path, error, 'removed');
  } finally {
    await lock.release();
  }
  await rmdir(path).catch((error: unknown) => {
    throw fileError(path, error, 'removed');
  });
}

async function requireUnedited(path: string): Promise<string[]> {
  const { files, pending } = await readManifest(path);
  const entries = await readdir(path, { withFileTypes: true });
  const strangers = entries.filter((entry) => !entry.isFile() || !isRunFile(entry.name));
  if (strangers.length > 0)
    throw new FileError(
      `${path} is not removed, because it holds what nemokit did not write: ` +
        `${strangers.map(({ name }) => name).join(', ')}. Move these elsewhere first`,
      path,
    );
  const names = entries.map(({ name }) => name);
  const edited: string[] = [];
  for (const name of names.filter(isInputOrResult)) {
    const sha256 = sha256Of(await readOwn(join(path, name), most.bytes));
    if (sha256 !== files[name]?.sha256 && sha256 !== pending?.[name]) edited.push(name);
  }
  if (edited.length > 0)
    throw new FileError(
      `${path} is not removed, because these files were edited: ${edited.join(', ')}. Move these elsewhere first`,
      path,
    );
  return names;
}

/** An input or a result: a file that people may have edited. */
function isInputOrResult(name: string): boolean {
  return [...inputNames, ...resultNames].some((known) => known === name);
}
