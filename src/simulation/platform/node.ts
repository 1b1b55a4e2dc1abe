/** A pool of threads with one MuJoCo each. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ArgumentError, requireCount, ShapeError } from '../../numeric/errors.js';
import { type Robot, robotOf, type Simulator } from '../robot.js';
import type { FromThread, ToThread } from './worker.js';

export interface SimulatorOptions {
  /** Default: `NEMOKIT_THREADS`, else as many as the machine can run at a time. Scores do not depend on it. */
  readonly threads?: number;
  /** The script of a thread; default: the one beside this file. */
  readonly script?: URL;
}

/**
 * Starts the first thread; the others start when there is work for them. Throws an `ArgumentError` if MuJoCo is not
 * installed. Idle threads do not keep a process from ending.
 */
export async function openSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const threads = options.threads ?? (Number(process.env.NEMOKIT_THREADS) || availableParallelism());
  requireCount('threads', threads);
  const pool = new Pool(threads, options.script ?? new URL('./worker.js', import.meta.url));
  await pool.openFirst();
  return pool;
}

interface Job {
  readonly robot: Robot;
  readonly design: Float64Array;
  readonly done: (score: number) => void;
  readonly failed: (error: Error) => void;
}

class Pool implements Simulator {
  private readonly idle: Thread[] = [];
  private readonly all = new Set<Thread>();
  private readonly queue: Job[] = [];
  private isClosed = false;

  constructor(
    private readonly threads: number,
    private readonly script: URL,
  ) {}

  async openFirst(): Promise<void> {
    const thread = this.start();
    try {
      await thread.ready;
    } catch (error) {
      await this.close();
      throw error;
    }
    this.idle.push(thread);
  }

  async score(
    robotId: string,
    designs: Float64Array,
    report?: (share: number) => void,
  ): Promise<Float64Array> {
    if (this.isClosed) throw new ArgumentError('simulator', 'the simulator is closed; open another');
    const robot = robotOf(robotId);
    const d = robot.parameters;
    if (designs.length % d !== 0) {
      throw new ShapeError('designs', `designs has ${designs.length} numbers, not a multiple of ${d}`);
    }
    const n = designs.length / d;
    const scores = new Float64Array(n);
    let finished = 0;
    if (n === 0) return scores;
    return new Promise((resolve, failed) => {
      for (let i = 0; i < n; i++) {
        const done = (score: number) => {
          scores[i] = score;
          finished += 1;
          report?.(finished / n);
          if (finished === n) resolve(scores);
        };
        this.queue.push({ robot, design: designs.slice(i * d, (i + 1) * d), done, failed });
      }
      this.dispatch();
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const closed = new Error('the simulator was closed');
    for (const job of this.queue.splice(0)) job.failed(closed);
    await Promise.all([...this.all].map((thread) => thread.stop()));
  }

  private start(): Thread {
    const thread = new Thread(this.script, () => this.all.delete(thread));
    this.all.add(thread);
    return thread;
  }

  private dispatch(): void {
    while (this.queue.length > 0 && !this.isClosed) {
      const thread = this.idle.pop();
      if (thread) void this.work(thread);
      else if (this.all.size < this.threads) void this.work(this.start());
      else return;
    }
  }

  /** One design after the other until none is left, the thread dies or cannot begin. */
  private async work(thread: Thread): Promise<void> {
    try {
      await thread.ready;
    } catch (error) {
      this.all.delete(thread);
      // Others, which have begun, will do it all.
      if (this.all.size === 0) for (const job of this.queue.splice(0)) job.failed(error as Error);
      return;
    }
    for (let job = this.queue.shift(); job; job = this.queue.shift()) {
      const score = await thread.ask({ robot: job.robot.id, design: job.design });
      if (score === undefined) {
        if (this.isClosed) job.failed(new Error('the simulator was closed'));
        else job.done(job.robot.floor);
        this.dispatch();
        return;
      }
      job.done(score);
    }
    this.idle.push(thread);
  }
}

class Thread {
  readonly ready: Promise<void>;
  private readonly worker: Worker;
  private readonly gone: Promise<void>;
  private answer: ((score: number | undefined) => void) | undefined;

  constructor(script: URL, onExit: () => void) {
    this.worker = new Worker(script, { execArgv: [], stdout: true, stderr: true });
    this.ready = new Promise((resolve, reject) => {
      const fail = (why: string) => reject(new ArgumentError('simulator', why));
      this.worker.on('message', (message: FromThread) => {
        if (message.kind === 'ready') {
          this.worker.unref();
          resolve();
        } else if (message.kind === 'failed') fail(message.why);
        else this.settle(message.score);
      });
      // Out of memory, or an abort of WebAssembly; "exit" follows.
      this.worker.on('error', (error) => fail(`a thread of the simulator failed: ${error.message}`));
      this.worker.on('exit', (code) => fail(`a thread of the simulator ended with code ${code}`));
    });
    // Also a thread that nobody waits for may fail.
    this.ready.catch(() => {});
    this.gone = new Promise((resolve) => {
      this.worker.once('exit', () => {
        onExit();
        this.settle(undefined);
        resolve();
      });
    });
  }

  /** The score; undefined if the thread died over it. */
  ask(message: ToThread): Promise<number | undefined> {
    this.worker.ref();
    return new Promise((resolve) => {
      this.answer = resolve;
      this.worker.postMessage(message);
    });
  }

  async stop(): Promise<void> {
    this.worker.ref();
    await this.worker.terminate();
    await this.gone;
  }

  private settle(score: number | undefined): void {
    this.worker.unref();
    this.answer?.(score);
    this.answer = undefined;
  }
}
