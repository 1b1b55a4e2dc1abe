/**
 * Designs of recorded trials scored again: by another scorer of the task, or by its own to check a record. What comes out
 * is kept beside the records, one line of JSON per trial and scorer, in `rescored.jsonl`.
 */
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ArgumentError } from '../numeric/errors.js';
import { codeOf, fileError } from '../runs/fileError.js';
import type { DataSource, Scorer, Task } from '../tasks/index.js';
import { version } from '../version.js';
import { readDesigns } from './designFile.js';
import type { TrialRecord } from './records.js';
import type { Registry } from './registry.js';

export const rescoredName = 'rescored.jsonl';

/** The task's own scorer. */
export const ownScorer = 'own';

const rescoredSchema = z.object({
  rescoredVersion: z.literal(1),
  /** Of the trial. */
  id: z.string(),
  task: z.string(),
  scorer: z.string(),
  scores: z.array(z.number()),
  made: z.object({ version: z.string(), started: z.string(), cpuSeconds: z.number() }),
});

export type Rescored = z.output<typeof rescoredSchema>;

/** None where nothing was scored again; lines that cannot be read are left out. */
export async function readRescored(folder: string): Promise<Rescored[]> {
  const path = join(folder, rescoredName);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw fileError(path, error, 'read');
  });
  return text.split('\n').flatMap((line) => {
    try {
      const parsed = rescoredSchema.safeParse(JSON.parse(line));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return [];
    }
  });
}

export interface RescoreReport {
  readonly rescored: number;
  /** Trials whose designs were not kept. */
  readonly withoutDesigns: number;
  /** Trials of tasks that have no such scorer. */
  readonly withoutScorer: number;
  /** By the task's own scorer: trials whose scores came out otherwise than recorded. */
  readonly different: readonly TrialRecord[];
}

export interface RescoreOptions {
  readonly scorer: string;
  readonly source: DataSource;
  readonly registry: Registry;
  readonly onTrial?: (record: TrialRecord, done: number) => void;
}

/** Trials that have been scored by it already are not scored again, unless the scorer is the task's own. */
export async function rescore(
  folder: string,
  records: readonly TrialRecord[],
  { scorer, source, registry, onTrial }: RescoreOptions,
): Promise<RescoreReport> {
  const before = new Set(
    (await readRescored(folder)).filter((line) => line.scorer === scorer).map(({ id }) => id),
  );
  const opened = new Map<string, Promise<Task>>();
  const different: TrialRecord[] = [];
  let [rescored, withoutDesigns, withoutScorer] = [0, 0, 0];
  for (const [i, record] of records.entries()) {
    if (before.has(record.id)) continue;
    const task = await (opened.get(record.task) ?? registry.taskOf(record.task).open(source));
    opened.set(record.task, Promise.resolve(task));
    const score = scorerOf(task, scorer);
    if (!score) {
      withoutScorer++;
      continue;
    }
    const kept = await readDesigns(folder, record);
    if (!kept) {
      withoutDesigns++;
      continue;
    }
    const started = new Date();
    const cpu = process.cpuUsage();
    const scores = [...(await score(kept.designs))];
    const { user, system } = process.cpuUsage(cpu);
    rescored++;
    onTrial?.(record, (i + 1) / records.length);
    if (scorer === ownScorer) {
      if (!isDeepStrictEqual(scores, record.result.scores)) different.push(record);
      continue;
    }
    const line: Rescored = {
      rescoredVersion: 1,
      id: record.id,
      task: record.task,
      scorer,
      scores,
      made: {
        version,
        started: started.toISOString(),
        cpuSeconds: Number(((user + system) / 1e6).toFixed(2)),
      },
    };
    const path = join(folder, rescoredName);
    await appendFile(path, `${JSON.stringify(line)}\n`).catch((error: unknown) => {
      throw fileError(path, error, 'written');
    });
  }
  if (rescored === 0 && withoutScorer > 0 && withoutScorer + before.size >= records.length)
    throw new ArgumentError(
      '--scorer',
      `none of these tasks has a scorer "${scorer}"${namesOf(await Promise.all(opened.values()))}`,
    );
  return { rescored, withoutDesigns, withoutScorer, different };
}

function scorerOf(task: Task, name: string): Scorer | undefined {
  if (name === ownScorer) return (x, report) => task.score(x, report);
  const { secondScorers = {} } = task;
  return Object.hasOwn(secondScorers, name) ? secondScorers[name] : undefined;
}

function namesOf(tasks: readonly Task[]): string {
  const names = new Set(tasks.flatMap(({ secondScorers = {} }) => Object.keys(secondScorers)));
  return `; there ${names.size === 1 ? 'is' : 'are'} ${[ownScorer, ...names].join(', ')}`;
}

/** "superconductor-gbdt-v1 by forest": a column of its own in tables. */
export function secondColumn(task: string, scorer: string): string {
  return `${task} by ${scorer}`;
}

export function isSecondColumn(task: string): boolean {
  return task.includes(' by ');
}

/** The records, and behind them each trial that was scored again as a trial on a column of its own. */
export function withSecondScorers(
  records: readonly TrialRecord[],
  rescored: readonly Rescored[],
): readonly TrialRecord[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  const again = rescored.flatMap(({ id, scorer, scores }) => {
    const record = byId.get(id);
    if (!record || scores.length !== record.result.scores.length) return [];
    const curve = record.result.curve.map(({ iteration, watched }) => ({ iteration, watched }));
    const result = { ...record.result, scores, curve };
    return [{ ...record, id: `${id} ${scorer}`, task: secondColumn(record.task, scorer), result }];
  });
  return [...records, ...again];
}
