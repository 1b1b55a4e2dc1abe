import { lstat, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError, fileError } from './fileError.js';
import { acquireLock, lockName } from './lock.js';
import { manifestName, readManifest } from './manifest.js';
import { inputNames, isOwnFile, resultNames, sha256Of } from './runFiles.js';

/**
 * Deletes a run folder that holds nothing but what nemokit wrote. Refuses with a `FileError` that names the others:
 * files of strangers, links, folders, and results that were edited.
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
    const names = await requireOwnFiles(path);
    // The manifest goes last: what is cut short is still a run folder, and can be removed again.
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

async function requireOwnFiles(path: string): Promise<string[]> {
  const { files, pending } = await readManifest(path);
  const entries = await readdir(path, { withFileTypes: true });
  const strangers = entries.filter((entry) => !entry.isFile() || !isOwnFile(entry.name));
  if (strangers.length > 0)
    throw new FileError(
      `${path} is not removed, because it holds what nemokit did not write: ` +
        `${strangers.map(({ name }) => name).join(', ')}. Move these elsewhere first`,
      path,
    );
  const names = entries.map(({ name }) => name);
  const edited: string[] = [];
  for (const name of names.filter(isKept)) {
    const sha256 = sha256Of(await readFile(join(path, name)));
    if (sha256 !== files[name]?.sha256 && sha256 !== pending?.[name]) edited.push(name);
  }
  if (edited.length > 0)
    throw new FileError(
      `${path} is not removed, because these files were edited: ${edited.join(', ')}. Move these elsewhere first`,
      path,
    );
  return names;
}

/** Whether people may have worked on it. */
function isKept(name: string): boolean {
  return [...inputNames, ...resultNames].some((own) => own === name);
}
