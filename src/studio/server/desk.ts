/**
 * A process that answers questions about tables and finished runs, so that a table that takes long, or all memory, stops
 * neither the server nor a run. One that died is replaced when the next question comes.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { DeskCalls } from './deskProcess.js';
import { RefusedError, type SentError } from './refused.js';

export interface DeskOrder {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

export type DeskReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: SentError };

interface Open {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

const deskProcess = fileURLToPath(new URL('./deskProcess.js', import.meta.url));

/** Milliseconds for an answer; then the process is ended. */
const LONGEST = 300_000;

export class Desk {
  readonly #file: string;
  readonly #longest: number;
  readonly #open = new Map<number, Open>();
  #child: ChildProcess | undefined;
  #count = 0;

  constructor({ file = deskProcess, longest = LONGEST } = {}) {
    this.#file = file;
    this.#longest = longest;
  }

  /** Throws `RefusedError`. */
  call<Name extends keyof DeskCalls>(
    name: Name,
    ...args: Parameters<DeskCalls[Name]>
  ): Promise<Awaited<ReturnType<DeskCalls[Name]>>> {
    const child = this.#child ?? this.#start();
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), this.#longest);
      this.#open.set(id, { resolve: resolve as (result: unknown) => void, reject, timer });
      child.send({ id, name, args } satisfies DeskOrder, (error) => {
        if (error) this.#end(id, ({ reject }) => reject(gone('could not be asked')));
      });
    });
  }

  #start(): ChildProcess {
    const child = fork(this.#file, [], {
      env: { ...process.env, NEMOKIT_STUDIO: 'desk' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    let printed = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString('utf8')).slice(-2000);
    });
    child.on('message', (reply: DeskReply) =>
      this.#end(reply.id, ({ resolve, reject }) => {
        if ('result' in reply) resolve(reply.result);
        else reject(new RefusedError(reply.error.status, reply.error.fault.message, reply.error.fault));
      }),
    );
    const onEnd = (how: string) => {
      if (this.#child === child) this.#child = undefined;
      const reason = /heap|memory/i.test(printed) ? 'ran out of memory' : how;
      for (const id of this.#open.keys()) this.#end(id, ({ reject }) => reject(gone(reason)));
    };
    child.once('error', ({ message }) => onEnd(`could not be started (${message})`));
    child.once('exit', (code, signal) =>
      onEnd(signal ? `was ended by ${signal}` : `ended with code ${code}`),
    );
    this.#child = child;
    return child;
  }

  #end(id: number, finish: (open: Open) => void): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    clearTimeout(open.timer);
    finish(open);
  }

  close(): void {
    this.#child?.kill('SIGKILL');
  }
}

function gone(how: string): RefusedError {
  return new RefusedError(
    503,
    `the process that works on this question ${how}; the table or the question may be too large for this machine`,
  );
}
