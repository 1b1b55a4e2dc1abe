import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type ReadOptions, readInput } from '../readTable.js';
import { type Table, TableError } from '../table.js';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'the file may not be read; check its permissions',
  EPERM: 'the file may not be read; check its permissions',
};

/** Reads the table at `path`; "-" is standard input. */
export async function readTableFile(path: string, options: ReadOptions = {}): Promise<Table> {
  if (path === '-')
    return readInput(
      { isRepeatable: false, open: () => process.stdin },
      options.name ?? 'standard input',
      options,
    );
  const file = options.name ?? basename(path);
  const isFolder = await stat(path).then(
    (entry) => entry.isDirectory(),
    (error: NodeJS.ErrnoException) => {
      throw new TableError(`${path}: ${reasons[error.code ?? ''] ?? 'the file cannot be opened'}`, { file });
    },
  );
  if (isFolder) throw new TableError(`${path}: is a folder; give a file in it`, { file });
  const open = () => createReadStream(path, { highWaterMark: 1 << 20 });
  return readInput({ isRepeatable: true, open }, file, options);
}
