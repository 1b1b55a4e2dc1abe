/**
 * Trials over many machines: a submitter puts them on a queue in Redis (BullMQ), workers take them, the submitter writes
 * the records. A trial is a job whose id is the trial's, so that however often a worker dies or a command is repeated
 * there is one record. Nothing here is needed on one machine.
 */

import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Job, Queue, QueueEvents, Worker } from 'bullmq';
import { z } from 'zod';
import { ArgumentError } from '../numeric/errors.js';
import { portablePower } from '../numeric/portable.js';
import { fileError } from '../runs/fileError.js';
import { version } from '../version.js';
import { parseRecord, type TrialRecord } from './records.js';
import { type TrialProgress, type TrialSpec, trialId } from './trial.js';
import { buildFault, type TrialBuild, trialBuild } from './trialBuild.js';

/** Workers of another version do not see these trials. */
const queueName = `nemokit-trials-${version}`;

/** Tries of a trial that fails, with this pause before the second one, doubled each time. */
const ATTEMPTS = 3;
const PAUSE = 2000;

/** A worker that has not renewed its claim for this long is dead, and the trial is given to another. */
const CLAIM = 30_000;
/** How many workers may die over one trial. */
const MOST_DEATHS = 20;

interface Connection {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: object;
  readonly maxRetriesPerRequest: null;
  readonly retryStrategy?: (times: number) => number | null;
}

/**
 * `redis://user:password@host:port/db`, or `rediss://` for TLS. Messages never hold what is between // and @. A password
 * in the environment, or in a file that it names, is used where the address has none.
 */
export function parseQueueUrl(text: string, password?: string): Connection {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ArgumentError(
      '--queue',
      'the queue is not an address; expected something like redis://host:6379',
    );
  }
  const db = Number(url.pathname.replace(/^\//, '') || 0);
  if (!['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '' || !Number.isSafeInteger(db))
    throw new ArgumentError(
      '--queue',
      `the queue is ${describeQueue(text)}; expected redis://host:6379, or rediss:// with TLS, optionally followed by the number of a database`,
    );
  const word = url.password ? decodeURIComponent(url.password) : password;
  return {
    host: url.hostname,
    port: Number(url.port || 6379),
    db,
    ...(url.username && { username: decodeURIComponent(url.username) }),
    ...(word && { password: word }),
    ...(url.protocol === 'rediss:' && { tls: {} }),
    maxRetriesPerRequest: null,
  };
}

/** `NEMOKIT_QUEUE_PASSWORD`, or the first line of the file `NEMOKIT_QUEUE_PASSWORD_FILE`, which `ps` does not show. */
export async function queuePassword(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string | undefined> {
  if (env.NEMOKIT_QUEUE_PASSWORD) return env.NEMOKIT_QUEUE_PASSWORD;
  const file = env.NEMOKIT_QUEUE_PASSWORD_FILE;
  if (!file) return undefined;
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw fileError(file, error, 'read');
  });
  return text.split(/\r?\n/)[0] || undefined;
}

/** The address without name and password, for people. */
export function describeQueue(text: string): string {
  try {
    const { protocol, host, pathname } = new URL(text);
    return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
  } catch {
    return 'no address';
  }
}

async function library(): Promise<typeof import('bullmq')> {
  try {
    return await import('bullmq');
  } catch {
    throw new ArgumentError('--queue', 'a queue needs two packages: npm install bullmq ioredis');
  }
}

/** Throws if no Redis answers, or it refuses the password, instead of waiting. */
async function requireRedis(connection: Connection, shown: string): Promise<void> {
  const { Redis } = await import('ioredis').catch(() => {
    throw new ArgumentError('--queue', 'a queue needs two packages: npm install bullmq ioredis');
  });
  const probe = new Redis({ ...connection, lazyConnect: true, retryStrategy: () => null });
  let first: Error | undefined;
  // without a listener it would be printed
  probe.on('error', (error: Error) => {
    first ??= error;
  });
  try {
    await probe.connect();
    await probe.ping();
  } catch (error) {
    // what came first says why; what is thrown may only say that the connection was closed
    const reasons = [first, error].map((one) => (one instanceof Error ? one.message : String(one)));
    if (reasons.some((reason) => /WRONGPASS|NOAUTH|AUTH|invalid password/.test(reason)))
      throw new ArgumentError(
        '--queue',
        `the Redis at ${shown} refuses ${connection.password ? 'this password or name' : 'to work without a password'}; ` +
          'set NEMOKIT_QUEUE_PASSWORD, or NEMOKIT_QUEUE_PASSWORD_FILE to a file that holds it',
      );
    throw new ArgumentError('--queue', `no Redis answers at ${shown}: ${reasons[first ? 0 : 1]}`);
  } finally {
    probe.disconnect();
  }
}

export interface SubmitOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (spec: TrialSpec, progress: TrialProgress) => void;
  readonly onRecord: (spec: TrialSpec, record: TrialRecord) => void | Promise<void>;
  readonly onFailure: (spec: TrialSpec, message: string) => void;
  /** What the trials are to be computed with. */
  readonly buildOf: (spec: TrialSpec) => TrialBuild;
  /** What happens to the queue and its workers, in words. */
  readonly onNotice?: (message: string) => void;
  /** Milliseconds; default 5000. */
  readonly sweepEvery?: number;
}

/** What a job holds. */
const jobSchema = z.object({ spec: z.unknown(), build: trialBuild });

/** Progress of a job, or what a worker says that cannot run it. */
type QueueProgress = TrialProgress | { readonly worker: string; readonly unable: string };

/** Milliseconds between two looks at what became of trials: an event may be lost, or all of Redis with its memory. */
const SWEEP = 5000;

/** Finished records beside the jobs, by the id of the trial, for a day. */
const recordsKey = `${queueName}-records`;
const KEPT = 24 * 3600;

/**
 * Resolves when every trial has ended. What the queue has lost is put again, and records are taken from wherever there is
 * one. Aborted, it leaves trials on the queue: the same command collects them later.
 */
export async function runOnQueue(
  address: string,
  specs: readonly TrialSpec[],
  { signal, buildOf, onProgress, onRecord, onFailure, onNotice, sweepEvery = SWEEP }: SubmitOptions,
): Promise<void> {
  const connection = parseQueueUrl(address, await queuePassword());
  const { Queue, QueueEvents } = await library();
  await requireRedis(connection, describeQueue(address));
  const waiting = new Map(specs.map((spec) => [trialId(spec), spec]));
  const queue: Queue = new Queue(queueName, { connection });
  const events: QueueEvents = new QueueEvents(queueName, { connection });
  const ignore = () => {};
  let isAway = false;
  queue.on('error', () => {
    if (!isAway) onNotice?.(`${describeQueue(address)} does not answer; waiting for it`);
    isAway = true;
  });
  events.on('error', ignore);
  const client = await openClient(connection);
  let timer: NodeJS.Timeout | undefined;
  try {
    await events.waitUntilReady();
    await new Promise<void>((resolve, reject) => {
      const end = async (id: string, finish: (spec: TrialSpec) => unknown) => {
        const spec = waiting.get(id);
        if (!spec) return;
        waiting.delete(id);
        await finish(spec);
        // only now: whatever happens before, the next command finds it
        await queue.remove(id).catch(ignore);
        await client.hdel(recordsKey, id).catch(ignore);
        if (waiting.size === 0) resolve();
      };
      const collect = async (id: string, value: unknown) =>
        end(id, async (spec) => {
          const parsed = parseRecord(typeof value === 'string' ? value : JSON.stringify(value));
          if ('record' in parsed && parsed.record.id === id) await onRecord(spec, parsed.record);
          else
            onFailure(
              spec,
              `its worker answered with ${'reason' in parsed ? parsed.reason : 'another trial'}`,
            );
        }).catch(reject);
      const fail = (id: string, reason: string) => end(id, (spec) => onFailure(spec, reason)).catch(reject);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      events.on('completed', ({ jobId, returnvalue }) => collect(jobId, returnvalue));
      events.on('failed', ({ jobId, failedReason }) => fail(jobId, failedReason));
      const told = new Set<string>();
      events.on('progress', ({ jobId, data }) => {
        const spec = waiting.get(jobId);
        const progress = data as unknown as QueueProgress;
        if (!spec) return;
        if (!('unable' in progress)) return onProgress?.(spec, progress);
        const words = `worker ${progress.worker} cannot run ${spec.task}: ${progress.unable}`;
        if (!told.has(words)) onNotice?.(words);
        told.add(words);
      });
      const put = (id: string, spec: TrialSpec) =>
        queue.add(
          'trial',
          { spec, build: buildOf(spec) },
          {
            jobId: id,
            attempts: ATTEMPTS,
            backoff: { type: 'exponential', delay: PAUSE },
          },
        );
      const sweep = async (isFirst: boolean) => {
        for (const [id, spec] of [...waiting]) {
          if (signal?.aborted) return;
          const kept = await client.hget(recordsKey, id);
          if (kept !== null) {
            await collect(id, kept);
            continue;
          }
          const known = (await queue.getJob(id)) as Job | undefined;
          if (isAway && !known) onNotice?.('the queue is back, and has lost trials; they are put again');
          if (!known) isAway = false;
          if (!known) await put(id, spec);
          else if (await known.isCompleted()) await collect(id, known.returnvalue);
          else if (await known.isFailed()) {
            // of an earlier command: try again; of this one: an event was lost
            if (isFirst && !isSame(known.data, buildOf(spec))) await known.remove().then(() => put(id, spec));
            else if (isFirst) await known.retry();
            else await fail(id, known.failedReason);
          } else if (isFirst && !isSame(known.data, buildOf(spec)) && !(await known.isActive())) {
            await known.remove();
            await put(id, spec);
          }
        }
        isAway = false;
        if (waiting.size === 0) resolve();
        else timer = setTimeout(() => sweep(false).catch(reject), sweepEvery);
      };
      sweep(true).catch(reject);
    });
  } finally {
    clearTimeout(timer);
    client.disconnect();
    await Promise.all([queue.close(), events.close()]);
  }
}

/** A job that an earlier command put is for its build. */
function isSame(data: unknown, build: TrialBuild): boolean {
  const found = jobSchema.safeParse(data).data?.build;
  return found !== undefined && buildFault(found, build) === null;
}

/** A connection for records, which waits while Redis is away. */
async function openClient(connection: Connection): Promise<import('ioredis').Redis> {
  const { Redis } = await import('ioredis');
  const client = new Redis(connection);
  client.on('error', () => {});
  return client;
}

/** This worker cannot run the trial; another one may. */
export class UnableError extends Error {
  override readonly name = 'UnableError';
}

/** Milliseconds after which a trial that was handed back is given out again: the first time, and at most. */
const PAUSE_BACK = 1000;
const LONGEST_BACK = 30_000;
/** After so many starts a trial that nobody could run is a failure: three quarters of an hour. */
const MOST_STARTS = 100;

export interface QueueWorkerOptions {
  /** Trials at once. */
  readonly jobs: number;
  /** Shown by the submitter. Default: host name and process id. */
  readonly name?: string;
  /** Milliseconds without a sign of life after which a trial is given to another worker. */
  readonly claim?: number;
  readonly buildOf: (spec: TrialSpec) => TrialBuild;
  /** Throws `UnableError` where this machine lacks something. */
  readonly run: (spec: TrialSpec, onProgress: (progress: TrialProgress) => void) => Promise<TrialRecord>;
  readonly onStart?: (spec: TrialSpec) => void;
  readonly onEnd?: (spec: TrialSpec, message: string | null) => void;
  /** Told once per task and reason. */
  readonly onUnable?: (spec: TrialSpec, reason: string) => void;
  /** Aborted: running trials are finished, no further trial is taken. */
  readonly signal: AbortSignal;
}

/** Takes trials until the signal is aborted. */
export async function workOnQueue(address: string, options: QueueWorkerOptions): Promise<void> {
  const { jobs, run, buildOf, onStart, onEnd, onUnable, signal, claim = CLAIM } = options;
  const { name = `${hostname()}-${process.pid}` } = options;
  const connection = parseQueueUrl(address, await queuePassword());
  const { Worker, DelayedError, UnrecoverableError } = await library();
  await requireRedis(connection, describeQueue(address));
  const unable = new Map<string, string>();
  /** Records that were made here, in case Redis forgets them before somebody has them. */
  const made = new Map<string, string>();
  const client = await openClient(connection);
  const keep = async (id: string, record: string) => {
    await client.hset(recordsKey, id, record);
    await client.expire(recordsKey, KEPT);
  };
  const handBack = async (job: Job, token: string | undefined, spec: TrialSpec, reason: string) => {
    const words = `${spec.task} ${reason}`;
    if (!unable.has(words)) onUnable?.(spec, reason);
    unable.set(words, reason);
    await job.updateProgress({ worker: name, unable: reason }).catch(() => {});
    const starts = job.attemptsStarted ?? 0;
    if (starts > MOST_STARTS)
      return new UnrecoverableError(`no worker can run it; the last one says: ${reason}`);
    const pause = Math.min(LONGEST_BACK, PAUSE_BACK * portablePower(1.3, Math.max(0, starts - 5)));
    await job.moveToDelayed(Date.now() + pause, token);
    return new DelayedError();
  };
  const worker: Worker = new Worker(
    queueName,
    async (job: Job, token?: string) => {
      const asked = jobSchema.safeParse(job.data);
      const spec = (asked.data?.spec ?? job.data) as TrialSpec;
      const fault = asked.success
        ? faultOf(asked.data.build, spec, buildOf)
        : 'it was put by another version';
      if (fault !== null) throw await handBack(job, token, spec, fault);
      onStart?.(spec);
      try {
        const tell = (progress: TrialProgress) => {
          job.updateProgress({ ...progress, worker: name }).catch(() => {});
        };
        tell({ stage: 'open', done: 0 });
        const id = job.id ?? trialId(spec);
        const record = made.get(id) ?? JSON.stringify(await run(spec, tell));
        made.set(id, record);
        if (made.size > MOST_KEPT) made.delete(made.keys().next().value as string);
        await keep(id, record);
        onEnd?.(spec, null);
        return JSON.parse(record) as TrialRecord;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (error instanceof UnableError) throw await handBack(job, token, spec, message);
        onEnd?.(spec, message);
        throw error;
      }
    },
    {
      connection,
      concurrency: jobs,
      lockDuration: claim,
      stalledInterval: claim,
      maxStalledCount: MOST_DEATHS,
    },
  );
  worker.on('error', () => {});
  // a Redis that comes back may have forgotten what was not collected yet
  client.on('ready', () => {
    for (const [id, record] of made) keep(id, record).catch(() => {});
  });
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await worker.close();
  client.disconnect();
}

/** Records that a worker holds for a Redis that forgets. */
const MOST_KEPT = 200;

function faultOf(asked: TrialBuild, spec: TrialSpec, buildOf: QueueWorkerOptions['buildOf']): string | null {
  try {
    return buildFault(asked, buildOf(spec));
  } catch (error) {
    // a task that nobody here knows
    return error instanceof Error ? error.message : String(error);
  }
}
