import { randomUUID } from 'node:crypto';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { exists } from '../runs/runFiles.js';
import { CommandError, exitCodes } from './exitCodes.js';

/** All of the text or nothing: written beside the path and moved there. Without `replace`, never over a file. */
export async function writeWholeFile(
  path: string,
  text: string,
  { replace = false, flag = '-o' } = {},
): Promise<void> {
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
