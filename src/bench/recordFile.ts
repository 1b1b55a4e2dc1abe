/** Records of trials in a folder: `records.jsonl`, append-only, one writer, as many readers as one likes. */
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, FileError, fileError } from '../runs/fileError.js';
import { acquireLock, type Lock } from '../runs/lock.js';
import { parseRecord, type TrialRecord } from './trialRecord.js';
import { TrialTimes } from './trialTimes.js';

export const recordsName = 'records.jsonl';

export interface ReadRecords {
  /** Of several records of one trial, the first. */
  readonly records: readonly TrialRecord[];
  /** Lines that are no records, by number from 1, and why. */
  readonly torn: readonly { readonly line: number; readonly reason: string }[];
}

/** Throws `FileError` where there is no such folder or file, or where it was made by a newer nemokit. */
export async function readRecords(folder: string): Promise<ReadRecords> {
  const path = join(folder, recordsName);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT')
      throw new FileError(
        `${folder} holds no results of a benchmark: there is no ${recordsName}; make some: nemokit bench run --out ${folder}`,
        path,
        'ENOENT',
      );
    throw fileError(path, error, 'read');
  });
  const records = new Map<string, TrialRecord>();
  const torn: { line: number; reason: string }[] = [];
  text.split('\n').forEach((line, i) => {
    if (line === '') return;
    const parsed = parseRecord(line);
    if ('record' in parsed) {
      if (!records.has(parsed.record.id)) records.set(parsed.record.id, parsed.record);
    } else if (parsed.fault === 'newer')
      throw new FileError(`${path}:${i + 1}: ${parsed.reason}; update nemokit`, path);
    else torn.push({ line: i + 1, reason: parsed.reason });
  });
  return { records: [...records.values()], torn };
}

/** The one writer of a folder. */
export class RecordWriter implements AsyncDisposable {
  private readonly known: Set<string>;
  /** How long its trials took. */
  readonly times: TrialTimes;
  private last: Promise<void> = Promise.resolve();

  private constructor(
    readonly folder: string,
    private readonly lock: Lock,
    known: readonly TrialRecord[],
  ) {
    this.known = new Set(known.map(({ id }) => id));
    this.times = new TrialTimes(known);
  }

  /** Makes the folder if it is not there. Throws `LockedError` while somebody else writes. */
  static async open(folder: string): Promise<RecordWriter> {
    await mkdir(folder, { recursive: true }).catch((error: unknown) => {
      throw fileError(folder, error, 'written');
    });
    const lock = await acquireLock(folder);
    try {
      const found = await readRecords(folder).catch((error: unknown) => {
        if (error instanceof FileError && error.code === 'ENOENT') return { records: [] };
        throw error;
      });
      await endLine(join(folder, recordsName));
      return new RecordWriter(folder, lock, found.records);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  has(id: string): boolean {
    return this.known.has(id);
  }

  /** On the disk when it resolves. A trial that is there already stays as it is. */
  append(record: TrialRecord): Promise<void> {
    this.last = this.last
      .catch(() => {})
      .then(async () => {
        if (this.known.has(record.id)) return;
        const path = join(this.folder, recordsName);
        try {
          const file = await open(path, 'a');
          try {
            await file.writeFile(`${JSON.stringify(record)}\n`);
            await file.sync();
          } finally {
            await file.close();
          }
        } catch (error) {
          throw fileError(path, error, 'written');
        }
        this.known.add(record.id);
        this.times.add(record);
      });
    return this.last;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.last.catch(() => {});
    await this.lock.release();
  }
}

/** A line that a killed writer left half done is ended, so that the next record has a line of its own. */
async function endLine(path: string): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size === 0) return;
  const file = await open(path, 'r+');
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
    if (buffer[0] !== 0x0a) await file.write('\n', size);
  } finally {
    await file.close();
  }
}
