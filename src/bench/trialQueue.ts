/**
 * Trials over many machines: a submitter puts them on a queue in Redis (BullMQ), workers take them, the submitter writes
 * the records. A trial is a job whose id is the trial's, so that however often a worker dies or a command is repeated
 * there is one record. Nothing here is needed on one machine.
 */
import { hostname } from 'node:os';
import type { Job, Queue, QueueEvents, Worker } from 'bullmq';
import { ArgumentError } from '../numeric/errors.js';
import { version } from '../version.js';
import { parseRecord, type TrialRecord } from './records.js';
import { type TrialProgress, type TrialSpec, trialId } from './trial.js';

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

/** `redis://user:password@host:port/db`, or `rediss://` for TLS. Messages never hold what is between // and @. */
export function parseQueueUrl(text: string): Connection {
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
  return {
    host: url.hostname,
    port: Number(url.port || 6379),
    db,
    ...(url.username && { username: decodeURIComponent(url.username) }),
    ...(url.password && { password: decodeURIComponent(url.password) }),
    ...(url.protocol === 'rediss:' && { tls: {} }),
    maxRetriesPerRequest: null,
  };
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

/** Throws if no Redis answers, instead of waiting for one. */
async function requireRedis(connection: Connection, shown: string): Promise<void> {
  const { Redis } = await import('ioredis').catch(() => {
    throw new ArgumentError('--queue', 'a queue needs two packages: npm install bullmq ioredis');
  });
  const probe = new Redis({ ...connection, lazyConnect: true, retryStrategy: () => null });
  // without a listener it would be printed
  probe.on('error', () => {});
  try {
    await probe.connect();
    await probe.ping();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ArgumentError('--queue', `no Redis answers at ${shown}: ${reason}`);
  } finally {
    probe.disconnect();
  }
}

export interface SubmitOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (spec: TrialSpec, progress: TrialProgress) => void;
  readonly onRecord: (spec: TrialSpec, record: TrialRecord) => void | Promise<void>;
  readonly onFailure: (spec: TrialSpec, message: string) => void;
}

/** Resolves when every trial has ended. Aborted, it leaves trials on the queue: the same command collects them later. */
export async function runOnQueue(
  address: string,
  specs: readonly TrialSpec[],
  { signal, onProgress, onRecord, onFailure }: SubmitOptions,
): Promise<void> {
  const connection = parseQueueUrl(address);
  const { Queue, QueueEvents } = await library();
  await requireRedis(connection, describeQueue(address));
  const waiting = new Map(specs.map((spec) => [trialId(spec), spec]));
  const queue: Queue = new Queue(queueName, { connection });
  const events: QueueEvents = new QueueEvents(queueName, { connection });
  const ignore = () => {};
  queue.on('error', ignore);
  events.on('error', ignore);
  try {
    await events.waitUntilReady();
    await new Promise<void>((resolve, reject) => {
      const end = async (id: string, finish: (spec: TrialSpec) => unknown) => {
        const spec = waiting.get(id);
        if (!spec) return;
        waiting.delete(id);
        await finish(spec);
        if (waiting.size === 0) resolve();
      };
      const collect = async (id: string, value: unknown) =>
        end(id, async (spec) => {
          const parsed = parseRecord(typeof value === 'string' ? value : JSON.stringify(value));
          if ('record' in parsed) await onRecord(spec, parsed.record);
          else onFailure(spec, `its worker answered with ${parsed.reason}`);
          await queue.remove(id).catch(ignore);
        }).catch(reject);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      events.on('completed', ({ jobId, returnvalue }) => collect(jobId, returnvalue));
      events.on('failed', ({ jobId, failedReason }) => {
        end(jobId, async (spec) => {
          onFailure(spec, failedReason);
          await queue.remove(jobId).catch(ignore);
        }).catch(reject);
      });
      events.on('progress', ({ jobId, data }) => {
        const spec = waiting.get(jobId);
        if (spec) onProgress?.(spec, data as unknown as TrialProgress);
      });
      const put = async () => {
        for (const [id, spec] of [...waiting]) {
          signal?.throwIfAborted();
          const known = (await queue.getJob(id)) as Job | undefined;
          if (known && (await known.isCompleted())) await collect(id, known.returnvalue);
          else if (known && (await known.isFailed())) await known.retry();
          else if (!known)
            await queue.add('trial', spec, {
              jobId: id,
              attempts: ATTEMPTS,
              backoff: { type: 'exponential', delay: PAUSE },
            });
        }
        if (waiting.size === 0) resolve();
      };
      put().catch(reject);
    });
  } finally {
    await Promise.all([queue.close(), events.close()]);
  }
}

export interface QueueWorkerOptions {
  /** Trials at once. */
  readonly jobs: number;
  /** Shown by the submitter. Default: host name and process id. */
  readonly name?: string;
  /** Milliseconds without a sign of life after which a trial is given to another worker. */
  readonly claim?: number;
  readonly run: (spec: TrialSpec, onProgress: (progress: TrialProgress) => void) => Promise<TrialRecord>;
  readonly onStart?: (spec: TrialSpec) => void;
  readonly onEnd?: (spec: TrialSpec, message: string | null) => void;
  /** Aborted: running trials are finished, no further trial is taken. */
  readonly signal: AbortSignal;
}

/** Takes trials until the signal is aborted. */
export async function workOnQueue(address: string, options: QueueWorkerOptions): Promise<void> {
  const { jobs, run, onStart, onEnd, signal, claim = CLAIM, name = `${hostname()}-${process.pid}` } = options;
  const connection = parseQueueUrl(address);
  const { Worker } = await library();
  await requireRedis(connection, describeQueue(address));
  const worker: Worker = new Worker(
    queueName,
    async (job: Job) => {
      const spec = job.data as TrialSpec;
      onStart?.(spec);
      try {
        const tell = (progress: TrialProgress) => {
          job.updateProgress({ ...progress, worker: name }).catch(() => {});
        };
        tell({ stage: 'open', done: 0 });
        const record = await run(spec, tell);
        onEnd?.(spec, null);
        return record;
      } catch (error) {
        onEnd?.(spec, error instanceof Error ? error.message : String(error));
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
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await worker.close();
}
