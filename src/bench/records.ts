/** Records of trials: one line of JSON each, in `records.jsonl` of a folder. Append-only, one writer, any number of readers. */

import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { codeOf, FileError, fileError } from '../runs/fileError.js';
import { acquireLock, type Lock } from '../runs/lock.js';
import { makeFolder } from '../runs/makeFolder.js';
import { firstVersion, type TrialResult, type TrialSpec } from './trial.js';
import { TrialTimes } from './trialTimes.js';

export const recordVersion = 1;

const whole = z.number().int();

export const recordSchema = z.object({
  recordVersion: z.literal(recordVersion).describe('Version of this format.'),
  id: z
    .string()
    .describe('Of the trial: a hash of task, algorithm and its version, options, seed and curve.'),
  task: z.string().describe('The task.'),
  algorithm: z.string().describe('The algorithm.'),
  algorithmVersion: z.string().describe('Its version; where there is none, 0.1.0.').optional(),
  variant: z.string().describe('Name of its options.'),
  options: z.record(z.string(), z.unknown()).describe('Options as used.'),
  seed: whole.describe('The seed.'),
  result: z
    .object({
      step: whole.describe('Iterations of the search after which the batch was scored.'),
      scores: z.array(z.number()).describe('True score of each design, in the order proposed.'),
      distances: z
        .array(z.number())
        .describe(
          'Distance of each to the nearest visible row: root mean square over standardised parameters.',
        ),
      designsSha256: z.string().describe('SHA-256 of the designs as little-endian float64.'),
      visibleMax: z.number().describe('Best score that the algorithm could see.'),
      range: z
        .object({ worst: z.number().describe('Worst score.'), best: z.number().describe('Best score.') })
        .describe('Of the whole dataset, with its hidden part.'),
      curve: z
        .array(
          z.object({
            iteration: whole.describe('Iteration; negative while training.'),
            watched: z.record(z.string(), z.number()).describe('Metrics.'),
            best: z.number().describe('Best true score of the batch there.').optional(),
            median: z.number().describe('Its median true score.').optional(),
          }),
        )
        .describe('The learning curve.'),
    })
    .describe('What came out.'),
  made: z
    .object({
      version: z.string().describe('Version of nemokit.'),
      commit: z.string().nullable().describe('Commit of a clone; null for an installed package.'),
      node: z.string().describe('Version of Node.'),
      kernel: z.string().describe('The kernel.'),
      threads: whole.describe('Number of threads.'),
      processor: z.string().describe('The processor.'),
      cores: whole.describe('Its cores.'),
      memoryGB: z.number().describe('Memory of the machine.'),
      platform: z.string().describe('The operating system.'),
      started: z.string().describe('ISO time.'),
      seconds: z.number().describe('How long the trial took.'),
      cpuSeconds: z.number().describe('Processor time.'),
      peakMemoryMB: z.number().describe('Most memory it used.'),
    })
    .describe('Where and when; never compared.'),
});

export type TrialRecord = z.output<typeof recordSchema>;

export function makeRecord(
  id: string,
  { task, algorithm, algorithmVersion = firstVersion, variant, options, seed }: TrialSpec,
  result: TrialResult,
  made: TrialRecord['made'],
): TrialRecord {
  const plain = structuredClone(result) as TrialRecord['result'];
  return {
    recordVersion,
    id,
    task,
    algorithm,
    algorithmVersion,
    variant,
    options: { ...options },
    seed,
    result: plain,
    made,
  };
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
  const parsed = recordSchema.safeParse(value);
  if (parsed.success) return { record: parsed.data };
  const [issue] = parsed.error.issues;
  return { fault: 'torn', reason: `${issue?.path.join('.') || 'record'}: ${issue?.message}` };
}

/** Why a record that is written as one says nothing, or undefined. */
function recordFault({ result: { scores, distances, range } }: TrialRecord): string | undefined {
  if (scores.length === 0) return 'it has no scores';
  // of imported scores there are no designs
  if (distances.length > 0 && distances.length !== scores.length)
    return `it has ${scores.length} scores and ${distances.length} distances`;
  if (!(range.best > range.worst))
    return `its range is from ${range.worst} to ${range.best}, which is no scale for scores`;
  return undefined;
}

/** Why two records of one trial cannot both be right, or undefined. */
export function conflictOf(record: TrialRecord, other: TrialRecord, place: string): string | undefined {
  if (isDeepStrictEqual(record.result.scores, other.result.scores)) return undefined;
  return `it is of the same trial as ${place}, with other scores; that one is used`;
}

export const recordsName = 'records.jsonl';

export interface ReadRecords {
  /** Of several records of one trial, the first. */
  readonly records: readonly TrialRecord[];
  /** Lines that cannot be read, counted from 1, and why. */
  readonly torn: readonly { readonly line: number; readonly reason: string }[];
  /** Of each record, its line. */
  readonly lines: readonly number[];
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
  const records = new Map<string, { readonly record: TrialRecord; readonly line: number }>();
  const torn: { line: number; reason: string }[] = [];
  text.split('\n').forEach((line, i) => {
    if (line === '') return;
    const parsed = parseRecord(line);
    if ('record' in parsed) {
      const { record } = parsed;
      const before = records.get(record.id);
      const fault =
        recordFault(record) ?? (before && conflictOf(record, before.record, `line ${before.line}`));
      if (fault) torn.push({ line: i + 1, reason: fault });
      else if (!before) records.set(record.id, { record, line: i + 1 });
    } else if (parsed.fault === 'newer')
      throw new FileError(`${path}:${i + 1}: ${parsed.reason}; update nemokit`, path);
    else torn.push({ line: i + 1, reason: parsed.reason });
  });
  const kept = [...records.values()];
  return { records: kept.map(({ record }) => record), torn, lines: kept.map(({ line }) => line) };
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
    await makeFolder(folder);
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
