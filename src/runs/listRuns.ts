import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, FileError, fileError } from './fileError.js';
import { lockOf } from './lock.js';
import { type Manifest, type RunStatus, readManifest } from './manifest.js';
import { exists } from './runFiles.js';

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

/** What lies in a folder of runs, by name; empty if there is no such folder. */
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
