import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, fileError } from './fileError.js';

/**
 * Makes a folder and those above it; the topmost that was made, or undefined. Node's own `recursive` never ends where a
 * file system has no room for new names, such as /proc. Throws `FileError`.
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  const missing: string[] = [];
  let at = resolve(path);
  while (!(await isThere(at))) {
    missing.unshift(at);
    at = dirname(at);
  }
  for (const folder of missing)
    await mkdir(folder).catch((error: unknown) => {
      // another process was faster
      if (codeOf(error) !== 'EEXIST') throw fileError(path, error, 'written');
    });
  const entry = await stat(path).catch((error: unknown) => {
    throw fileError(path, error, 'written');
  });
  if (!entry.isDirectory()) throw fileError(path, { code: 'ENOTDIR' }, 'written');
  return missing[0];
}

async function isThere(path: string): Promise<boolean> {
  if (dirname(path) === path) return true;
  return stat(path).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false;
      throw fileError(path, error, 'written');
    },
  );
}
