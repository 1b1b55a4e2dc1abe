/**
 * Files of a run folder, opened so that a folder made by somebody else can do no harm: only regular files that lie in
 * the folder itself, no links, pipes or devices, and none larger than it may be. What is checked is what was opened, so
 * nothing can be put in its place in between.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { codeOf, FileError, fileError } from './fileError.js';

/** What files may be at most, in bytes. */
export const most = {
  /** Locks. */
  lock: 1 << 16,
  /** Text and JSON: a string in Node holds half a GB. */
  text: 1 << 28,
  /** Tables, models and states: what one read gives. */
  bytes: 2 ** 31 - 1,
} as const;

// Windows has neither, and no such links without special rights; `requirePlain` looks for them there.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;

/** Opens a regular file that is there. Throws `FileError`, or the system's error with ENOENT. */
export async function openOwn(
  path: string,
  doing: 'read' | 'written',
): Promise<{ file: FileHandle; size: number; names: number }> {
  const mode = doing === 'read' ? constants.O_RDONLY : constants.O_RDWR | constants.O_APPEND;
  let file: FileHandle | undefined;
  try {
    if (O_NOFOLLOW === 0) await requirePlain(path);
    // without O_NONBLOCK, opening a pipe waits for its other end
    file = await open(path, mode | O_NOFOLLOW | O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile()) throw notPlain(path, stat.isDirectory() ? 'a folder' : undefined);
    return { file, size: stat.size, names: stat.nlink };
  } catch (error) {
    await file?.close();
    throw refusalOf(path, error, doing);
  }
}

/** The bytes of a regular file of at most `limit` bytes. Throws `FileError`, or the system's error with ENOENT. */
export async function readOwn(path: string, limit: number): Promise<Buffer> {
  const { file, size } = await openOwn(path, 'read');
  try {
    requireSize(path, size, limit);
    // one byte more, to notice a file that grows
    const bytes = Buffer.alloc(size + 1);
    let at = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, at, bytes.length - at, at);
      at += bytesRead;
      if (bytesRead === 0) return bytes.subarray(0, at);
      if (at > size) throw new FileError(`${path} is being written; try again when that is over`, path);
    }
  } catch (error) {
    throw fileError(path, error, 'read');
  } finally {
    await file.close();
  }
}

/** `readOwn` of a short text, for what has to be read while the process ends. */
export function readOwnSync(path: string, limit: number): string {
  const file = openSync(path, constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw notPlain(path);
    requireSize(path, stat.size, limit);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Throws `FileError` if something else than a regular file is at `path`; nothing may be there. */
export async function requirePlain(path: string): Promise<void> {
  const entry = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw fileError(path, error, 'read');
  });
  if (entry && !entry.isFile()) throw notPlain(path, entry.isDirectory() ? 'a folder' : undefined);
}

function requireSize(path: string, size: number, limit: number): void {
  if (size <= limit) return;
  throw new FileError(
    `${path} has ${size} bytes, and at most ${limit} can be right: it is damaged, or not of this run`,
    path,
  );
}

function notPlain(path: string, what = 'a link, a pipe or a device'): FileError {
  return new FileError(
    `${path} is ${what}, not a file of this run; it is neither read nor written. Move it elsewhere, or put the file back`,
    path,
  );
}

/** Opening a link with O_NOFOLLOW fails with ELOOP (EMLINK on some systems), a socket or a pipe with ENXIO. */
function refusalOf(path: string, error: unknown, doing: 'read' | 'written'): unknown {
  const code = codeOf(error);
  if (code === 'ENOENT') return error;
  if (code === 'ELOOP' || code === 'EMLINK' || code === 'ENXIO' || code === 'ENODEV') return notPlain(path);
  if (code === 'EISDIR') return notPlain(path, 'a folder');
  return fileError(path, error, doing);
}
