import { randomUUID } from 'node:crypto';
import { link, lstat, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { exists } from '../runs/runFiles.js';
import { CommandError, exitCodes } from './exitCodes.js';

/** All of the text or nothing: written beside the path and moved there. Without `replace`, never over a file. */
export async function writeWholeFile(
  path: string,
  text: string,
  { replace = false, flag = '-o' } = {},
): Promise<void> {
  await requireReplaceable(path, flag);
  const partial = `${path}.${randomUUID().slice(0, 8)}.partial`;
  try {
    await writeFile(partial, text, { flag: 'wx' });
    if (replace) await rename(partial, path);
    else await moveToNew(partial, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new CommandError(
        exitCodes.usage,
        `${path} exists already; --force replaces it, ${flag} names another`,
      );
    // The name beside it means nothing to anybody.
    if (error instanceof Error && 'path' in error) error.path = path;
    throw error;
  } finally {
    await rm(partial, { force: true });
  }
}

/** A device, a pipe or a link would be gone afterwards, and a file of that name in its place. */
async function requireReplaceable(path: string, flag: string): Promise<void> {
  const entry = await lstat(path).catch(() => undefined);
  if (!entry || entry.isFile()) return;
  const what = entry.isSymbolicLink()
    ? `a link to ${await readlink(path).catch(() => 'something else')}`
    : entry.isDirectory()
      ? 'a folder'
      : 'a device or a pipe';
  throw new CommandError(
    exitCodes.usage,
    `${path} is ${what}; only files are replaced; give another name with ${flag}`,
  );
}

/** Unlike rename, a link fails where a file came up in the meantime; some file systems have none. */
async function moveToNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(code)) throw error;
    if (await exists(to)) throw Object.assign(new Error('exists'), { code: 'EEXIST' });
    await rename(from, to);
  }
}
