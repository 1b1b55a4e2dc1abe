/** Records of trials: one line of JSON each, in `records.jsonl` of a folder. Append-only, one writer, any number of readers. */

import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf, FileError, fileError } from '../runs/fileError.js';
import { acquireLock, type Lock } from '../runs/lock.js';
import type { TrialResult, TrialSpec } from './trial.js';
import { TrialTimes } from './trialTimes.js';

export const recordVersion = 1;

const percentile = z.number();

const schema = z.object({
  recordVersion: z.literal(recordVersion),
  /** Of the trial: `trialId`. */
  id: z.string(),
  task: z.string(),
  algorithm: z.string(),
  variant: z.string(),
  options: z.record(z.string(), z.unknown()),
  seed: z.number().int(),
  result: z.object({
    step: z.number().int(),
    scores: z.array(z.number()),
    distances: z.array(z.number()),
    designsSha256: z.string(),
    visibleMax: z.number(),
    range: z.object({ worst: z.number(), best: z.number() }),
    curve: z.array(
      z.object({
        iteration: z.number().int(),
        watched: z.record(z.string(), z.number()),
        best: percentile.optional(),
        median: percentile.optional(),
      }),
    ),
  }),
  /** Where and when; never compared. */
  made: z.object({
    version: z.string(),
    commit: z.string().nullable(),
    node: z.string(),
    kernel: z.string(),
    threads: z.number().int(),
    processor: z.string(),
    cores: z.number().int(),
    memoryGB: z.number(),
    platform: z.string(),
    /** ISO time. */
    started: z.string(),
    seconds: z.number(),
    cpuSeconds: z.number(),
    peakMemoryMB: z.number(),
  }),
});

export type TrialRecord = z.output<typeof schema>;

export function makeRecord(
  id: string,
  { task, algorithm, variant, options, seed }: TrialSpec,
  result: TrialResult,
  made: TrialRecord['made'],
): TrialRecord {
  const plain = structuredClone(result) as TrialRecord['result'];
  return { recordVersion, id, task, algorithm, variant, options: { ...options }, seed, result: plain, made };
}

export type ParsedLine =
  | { readonly record: TrialRecord }
  | { readonly fault: 'torn' | 'newer'; readonly reason: string };

/** A line that a killed writer left half done is `torn`; one of a newer nemokit is `newer`. */
export function parseRecord(line: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { fault: 'torn', reason: 'no whole JSON document' };
  }
  const version = z.object({ recordVersion: z.number() }).safeParse(value).data?.recordVersion;
  if (version !== undefined && version > recordVersion)
    return { fault: 'newer', reason: `a record of version ${version}; this nemokit reads ${recordVersion}` };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { record: parsed.data };
  const [issue] = parsed.error.issues;
  return { fault: 'torn', reason: `${issue?.path.join('.') || 'record'}: ${issue?.message}` };
}

export const recordsName = 'records.jsonl';

export interface ReadRecords {
  /** Of several records of one trial, the first. */
  readonly records: readonly TrialRecord[];
  /** Lines that cannot be read, counted from 1, and why. */
  readonly torn: readonly { readonly line: number; readonly reason: string }[];
}

/** Throws `FileError` if there is no such folder or file, or a newer nemokit wrote it. */
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

  /** On the disk when it resolves. A trial that is already there stays as it is. */
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

/** Ends a line that a killed writer left half done, so that the next record begins on a new line. */
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
