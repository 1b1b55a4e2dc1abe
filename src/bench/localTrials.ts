/**
 * Trials on this machine: one process per trial at a time, so that a trial that crashes or runs out of memory does not
 * stop the others. A failed trial is reported and not recorded; the next run tries it again.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism, freemem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { TrialRecord } from './records.js';
import { TaskError, type TrialProgress, type TrialSpec } from './trial.js';
import type { TrialReply } from './trialProcess.js';

export interface LocalTrialsOptions {
  /** Trials at once; default: one per core, as far as memory goes. */
  readonly jobs?: number;
  readonly plugins?: readonly string[];
  /** Whether the bytes of a file of designs come with the record. */
  readonly withDesigns?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (spec: TrialSpec, progress: TrialProgress) => void;
  /** Awaited before the next trial begins in that process. */
  readonly onRecord: (spec: TrialSpec, record: TrialRecord, designs?: Uint8Array) => void | Promise<void>;
  readonly onFailure: (spec: TrialSpec, message: string) => void;
}

/** Memory of a trial of the largest task, with a margin. */
const MEMORY_PER_TRIAL = 1.5 * 2 ** 30;

/** Milliseconds for the process of a trial to end. */
const GRACE = 300;

const processFile = fileURLToPath(new URL('./trialProcess.js', import.meta.url));

export function jobsFor(cores = availableParallelism(), free = freeMemory()): number {
  return Math.max(1, Math.min(cores, Math.floor(free / MEMORY_PER_TRIAL)));
}

/**
 * Free memory of the machine, at most the limit of a container or a batch system. Memory in use below that limit is not
 * subtracted: most of it is cached files, which the system drops when needed.
 */
function freeMemory(): number {
  // 0 where there is no limit
  return Math.min(freemem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** Resolves when all trials are done. Aborted, it ends the processes and throws the reason. */
export async function runLocally(specs: readonly TrialSpec[], options: LocalTrialsOptions): Promise<void> {
  const { signal, onProgress, onRecord, onFailure, withDesigns = false } = options;
  const jobs = Math.min(options.jobs ?? jobsFor(), specs.length);
  const waiting = [...specs];
  const work = async () => {
    using slot = new TrialSlot(options.plugins, withDesigns);
    for (let spec = waiting.shift(); spec; spec = waiting.shift()) {
      signal?.throwIfAborted();
      const current = spec;
      let designs: Uint8Array | undefined;
      const outcome = await slot
        .run(current, {
          signal,
          onProgress: (progress) => onProgress?.(current, progress),
          onDesigns: (bytes) => {
            designs = bytes;
          },
        })
        .catch((error: Error) => error);
      signal?.throwIfAborted();
      if (outcome instanceof Error) onFailure(current, outcome.message);
      else await onRecord(current, outcome, designs);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
}

/** A process that runs one trial at a time; a process that died is replaced. */
export class TrialSlot implements Disposable {
  private child: ChildProcess | undefined;

  constructor(
    private readonly plugins: readonly string[] = [],
    private readonly withDesigns = false,
  ) {}

  /** Rejects with the reason if there is no record. */
  run(
    spec: TrialSpec,
    {
      signal,
      onProgress,
      onDesigns,
    }: {
      readonly signal?: AbortSignal | undefined;
      readonly onProgress?: (progress: TrialProgress) => void;
      readonly onDesigns?: (bytes: Uint8Array) => void;
    },
  ): Promise<TrialRecord> {
    if (!this.child?.connected) this.child = startProcess();
    const { child } = this;
    return new Promise((resolve, reject) => {
      const end = (finish: () => void) => {
        child.off('message', onMessage);
        child.off('exit', onExit);
        signal?.removeEventListener('abort', onAbort);
        finish();
      };
      const onMessage = (reply: TrialReply) => {
        if (reply.kind === 'progress') onProgress?.(reply.progress);
        else if (reply.kind === 'record') {
          if (reply.designs !== undefined) onDesigns?.(Buffer.from(reply.designs, 'base64'));
          end(() => resolve(reply.record));
        } else end(() => reject(reply.isUnable ? new TaskError(reply.message) : new Error(reply.message)));
      };
      const onExit = (code: number | null, ending: NodeJS.Signals | null) =>
        end(() =>
          reject(
            new Error(`the process of the trial ended ${ending ? `by ${ending}` : `with code ${code}`}`),
          ),
        );
      const onAbort = () => end(() => reject(new Error('stopped')));
      child.on('message', onMessage);
      child.on('exit', onExit);
      signal?.addEventListener('abort', onAbort);
      child.send({ spec, threads: 1, plugins: this.plugins, withDesigns: this.withDesigns });
    });
  }

  /** The process ends by itself, with the program it runs; one that computes is killed. */
  [Symbol.dispose](): void {
    const { child } = this;
    if (!child?.connected) return;
    child.disconnect();
    const timer = setTimeout(() => child.kill('SIGKILL'), GRACE);
    child.once('exit', () => clearTimeout(timer));
  }
}

function startProcess(): ChildProcess {
  return fork(processFile, [], {
    env: { ...process.env, NEMOKIT_TRIALS: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}
