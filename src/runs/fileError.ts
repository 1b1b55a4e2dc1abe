/** A file or folder that cannot be used: which one, why, what to do. */
export class FileError extends Error {
  override readonly name = 'FileError';

  constructor(
    message: string,
    readonly path: string,
    /** Code of the operating system, such as "ENOSPC", if the error came from there. */
    readonly code?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space, then try again',
  EDQUOT: 'your quota on this disk is used up; free some space, then try again',
  EFBIG: 'the file would be larger than this disk allows; choose a folder on another disk',
  EACCES: 'access is denied; change its permissions, or choose another folder',
  EPERM:
    'access is denied; change its permissions, close programs that have the file open, or choose another folder',
  EBUSY: 'another program has it open; close that program, then try again',
  ETXTBSY: 'another program has it open; close that program, then try again',
  EROFS: 'the disk is read-only; choose a folder on another disk',
  EISDIR: 'a folder is in the place of this file; rename or move that folder',
  ENOTEMPTY: 'a folder with other files is in its place; rename or move that folder',
  EEXIST: 'something of this name is there already; rename or move it',
  ENOENT: 'there is no such file or folder; check the path',
  ENOTDIR: 'part of this path is a file, not a folder; check the path',
  ELOOP: 'symbolic links lead in a circle; check the path',
  ENAMETOOLONG: 'the path is too long; choose a shorter name',
  EMFILE: 'too many files are open; close other programs, then try again',
  ENFILE: 'too many files are open; close other programs, then try again',
  EIO: 'the disk reports a fault; check it, or choose a folder on another disk',
};

export function codeOf(error: unknown): string | undefined {
  const code: unknown = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** An error of the operating system as a `FileError`; a `FileError` stays what it is. */
export function fileError(path: string, error: unknown, doing: 'read' | 'written' | 'removed'): FileError {
  if (error instanceof FileError) return error;
  const code = codeOf(error);
  const reason =
    reasons[code ?? ''] ?? (error instanceof Error ? error.message.split('\n')[0]! : String(error));
  return new FileError(`${path} cannot be ${doing}: ${reason}`, path, code, { cause: error });
}
