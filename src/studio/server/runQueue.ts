/**
 * Runs in processes of their own, a few at once; others wait. A process that dies takes no other down: its run is marked
 * as failed, and can be resumed from its last saved state.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openRun } from '../../runs/runFolder.js';
import { RefusedError } from './refused.js';
import { pausedReason } from './runLog.js';
import type { RunOrder, RunReply } from './runProcess.js';

/** How a run stands in the queue; others are as their folders say. */
export type QueueState = 'waiting' | 'running';

export interface RunQueueOptions {
  /** Runs at once. */
  readonly jobs: number;
  /** Runs that may wait. */
  readonly mostWaiting?: number;
  /** The file that each process runs; tests pass another one. */
  readonly processFile?: string;
  /** Told when a run began, ended or changed its place. */
  readonly onChange: (id: string) => void;
}

interface Active {
  readonly path: string;
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
}

const runProcess = fileURLToPath(new URL('./runProcess.js', import.meta.url));

/** What the process of a run prints at most, in characters; the end of it tells why it died. */
const MOST_PRINTED = 2000;

export class RunQueue {
  readonly #waiting: string[] = [];
  readonly #active = new Map<string, Active>();
  readonly #options: RunQueueOptions;
  #isClosed = false;

  constructor(options: RunQueueOptions) {
    this.#options = options;
  }

  stateOf(id: string): QueueState | undefined {
    if (this.#active.has(id)) return 'running';
    return this.#waiting.some((path) => basename(path) === id) ? 'waiting' : undefined;
  }

  /** Runs that wait or are computed. */
  get count(): number {
    return this.#waiting.length + this.#active.size;
  }

  /** Throws `RefusedError` where no more runs may wait. */
  requireRoom(): void {
    const { jobs, mostWaiting = 20 } = this.#options;
    if (this.count < jobs + mostWaiting) return;
    throw new RefusedError(
      429,
      `${this.count} runs are computed or wait already; start this one when some of them have ended`,
    );
  }

  /** The run in the folder `path` is begun, or goes on, when others have ended. Nothing where it does already. */
  add(path: string): void {
    const id = basename(path);
    if (this.stateOf(id) !== undefined) return;
    this.requireRoom();
    this.#waiting.push(path);
    this.#startNext();
    this.#options.onChange(id);
  }

  /** The state is saved and the process ends; a run that waits no longer does. */
  async pause(id: string): Promise<void> {
    await this.#end(id, { kind: 'pause' });
  }

  /** The search ends with what it has. */
  async stop(id: string): Promise<void> {
    await this.#end(id, { kind: 'stop' });
  }

  async #end(id: string, order: RunOrder): Promise<void> {
    const place = this.#waiting.findIndex((path) => basename(path) === id);
    if (place >= 0) {
      const [path] = this.#waiting.splice(place, 1);
      await markPaused(path!);
      this.#options.onChange(id);
      return;
    }
    const active = this.#active.get(id);
    if (!active) throw new RefusedError(409, `the run ${JSON.stringify(id)} is not being computed here`);
    if (active.child.connected) active.child.send(order);
    await active.ended;
  }

  /** All processes save their states and end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.length = 0;
    const active = [...this.#active.values()];
    for (const { child } of active) if (child.connected) child.disconnect();
    await Promise.all(active.map(({ ended }) => ended));
  }

  #startNext(): void {
    while (!this.#isClosed && this.#active.size < this.#options.jobs) {
      const path = this.#waiting.shift();
      if (path === undefined) return;
      this.#start(path);
    }
  }

  #start(path: string): void {
    const id = basename(path);
    const child = fork(this.#options.processFile ?? runProcess, [], {
      env: { ...process.env, NEMOKIT_STUDIO: 'run' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // typed arrays survive, and large messages are cheap
      serialization: 'advanced',
    });
    let printed = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString('utf8')).slice(-MOST_PRINTED);
    });
    let isTold = false;
    child.on('message', (reply: RunReply) => {
      if (reply.kind === 'started') this.#options.onChange(id);
      else isTold = true;
    });
    // a process that cannot be started has no exit
    const ended = new Promise<string>((resolve) => {
      child.once('error', ({ message }) => resolve(`could not be started: ${message}`));
      child.once('exit', (code, signal) =>
        resolve(signal ? `ended by ${signal}` : `ended with code ${code}`),
      );
    }).then(async (how) => {
      const wasClosed = this.#isClosed;
      if (!isTold && !wasClosed) await markFailed(path, how, printed);
      this.#active.delete(id);
      this.#startNext();
      this.#options.onChange(id);
    });
    this.#active.set(id, { path, child, ended });
    child.send({ kind: 'run', path } satisfies RunOrder, () => {});
  }
}

/** Says in the folder of a run that waited that it is not to begin by itself. */
async function markPaused(path: string): Promise<void> {
  const folder = await openRun(path);
  try {
    await folder.interrupt(pausedReason);
  } finally {
    await folder.close();
  }
}

/** Says in the folder of a run that its process died, if nobody else has taken the run over. */
async function markFailed(path: string, how: string, printed: string): Promise<void> {
  const lastLine = printed.trim().split('\n').at(-1) ?? '';
  const reason = /heap|memory/i.test(printed)
    ? ': it ran out of memory'
    : lastLine && ` (${lastLine.slice(0, 200)})`;
  try {
    const folder = await openRun(path);
    try {
      if (folder.manifest.status !== 'done')
        await folder.fail(
          new Error(`the process of the run ${how}${reason}; resume it to go on from its last saved state`),
        );
    } finally {
      await folder.close();
    }
  } catch {
    // the folder is gone, locked or damaged: listing the runs says so
  }
}
