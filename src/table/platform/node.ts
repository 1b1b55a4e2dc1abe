/** Tables from files and from standard input, for Node. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type ReadOptions, readInput } from '../readTable.js';
import { type Table, TableError } from '../table.js';

/** The file that a table was read from, as it was then. */
export interface TableSource {
  /** Name without folders. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface TableFile {
  readonly table: Table;
  /** Absent for standard input. */
  readonly source?: TableSource;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'you may not read the file; change its permissions, or copy it to a folder of yours',
  EPERM: 'you may not read the file; change its permissions, or copy it to a folder of yours',
  EISDIR: 'is a folder; give a file in it',
  ELOOP: 'symbolic links lead in a circle; check the path',
  ENAMETOOLONG: 'the path is too long; check it',
  EIO: 'the disk reports a fault; copy the file from another place',
  EMFILE: 'too many files are open; close other programs, then try again',
};

const reasonOf = (error: unknown) =>
  reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? 'the file cannot be opened';

/** Why nothing can be read at `path`; undefined for a file that is there. */
export function whyUnreadable(path: string): Promise<string | undefined> {
  return stat(path).then((entry) => {
    if (entry.isFile()) return undefined;
    if (entry.isDirectory()) return 'is a folder; give a file in it';
    // opening a pipe waits for its other end, and a device may have no end
    return 'is a pipe or a device; save its contents as a file, or give a table as "-" on standard input';
  }, reasonOf);
}

/** Reads the table at `path`; "-" is standard input. */
export async function readTableFile(path: string, options: ReadOptions = {}): Promise<Table> {
  return (await openTableFile(path, options)).table;
}

/** Reads the table at `path` and the checksum of the file, in one go; "-" is standard input. */
export async function openTableFile(
  path: string,
  options: ReadOptions = {},
  /** Told after the reason why the file cannot be read. */
  advice = '',
): Promise<TableFile> {
  if (path === '-') {
    const name = options.name ?? 'standard input';
    return { table: await readInput({ isRepeatable: false, open: () => process.stdin }, name, options) };
  }
  const file = basename(path);
  const name = options.name ?? file;
  const unreadable = (reason: string) => new TableError(`${path}: ${reason}${advice}`, { file: name }, true);
  const reason = await whyUnreadable(path);
  if (reason !== undefined) throw unreadable(reason);
  // a file may be there and not be open to everybody
  const hashed = new HashedFile(path, (error) => unreadable(reasonOf(error)));
  const table = await readInput({ isRepeatable: true, open: () => hashed.open() }, name, options);
  return { table, source: { file, ...(await hashed.finish()) } };
}

/** A file whose bytes are counted and hashed as they are read. */
class HashedFile {
  #hash = createHash('sha256');
  #bytes = 0;
  #isWhole = false;

  constructor(
    private readonly path: string,
    /** What to throw where the system refuses. */
    private readonly refused: (error: unknown) => TableError,
  ) {}

  /** From the beginning. A reader that opens the file a second time does so because the first reading told too little. */
  async *open(): AsyncGenerator<Uint8Array> {
    this.#hash = createHash('sha256');
    this.#bytes = 0;
    this.#isWhole = false;
    yield* this.#chunks();
    this.#isWhole = true;
  }

  /** Readers may stop before the end: what they left is read here. */
  async finish(): Promise<{ readonly bytes: number; readonly sha256: string }> {
    if (!this.#isWhole) for await (const _ of this.#chunks());
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  async *#chunks(): AsyncGenerator<Uint8Array> {
    const stream = createReadStream(this.path, { start: this.#bytes, highWaterMark: 1 << 20 });
    const chunks = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    const next = () =>
      chunks.next().catch((error: unknown) => {
        throw this.refused(error);
      });
    try {
      for (let read = await next(); !read.done; read = await next()) {
        this.#hash.update(read.value);
        this.#bytes += read.value.length;
        yield read.value;
      }
    } finally {
      // readers may stop before the end
      await chunks.return?.();
    }
  }
}
