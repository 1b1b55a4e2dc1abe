/**
 * A sign of life on a terminal. Much of a command's work is one long computation in which no timer fires, so a thread of
 * its own writes the sign: "checking past.csv, 12 s". It is there only while nothing else was written for a while, and
 * whoever writes takes it away first.
 */
import { Worker } from 'node:worker_threads';
import { isPlainTerminal } from './palette.js';
import { cut, oneLineOf } from './textLayout.js';

/** Milliseconds without a written word after which the sign is shown. */
const PATIENCE = 2000;
const MOST_BYTES = 640;
/** Cells of " 9999 s", and of ", 9999 s" on a line of its own. */
const SIGN_CELLS = 8;
/** Words of shared memory: see `Beat`. */
const LOCK = 0;
const STATE = 1;
const SINCE = 2;
const DRAWN = 3;
const LENGTH = 4;
const BACK = 5;
const WORDS = 6;
/** States: away, a line of its own, behind the line that is there. */
const AWAY = 0;
const ALONE = 1;
const BEHIND = 2;

interface Setup {
  readonly fd: number;
  readonly shared: SharedArrayBuffer;
  readonly patience: number;
  /** The terminal knows no escape sequences: whole lines, every other time. */
  readonly isPlain: boolean;
}

/**
 * The thread. Its text is all it has: nothing outside the function is there. Times are milliseconds of the machine's
 * clock, cut to 31 bits.
 */
function beat(): void {
  const { writeSync } = process.getBuiltinModule('node:fs');
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  const { fd, shared, patience, isPlain } = workerData as Setup;
  const words = new Int32Array(shared, 0, 6);
  const bytes = new Uint8Array(shared, 4 * 6);
  let written = 0;
  for (;;) {
    // one of the words changes when the sign is no longer wanted at all
    Atomics.wait(words, 1, Atomics.load(words, 1), patience / 4);
    if (Atomics.compareExchange(words, 0, 0, 1) !== 0) continue;
    try {
      const waited = (Date.now() - Atomics.load(words, 2)) & 0x7fffffff;
      const state = Atomics.load(words, 1);
      if (state !== 0 && waited >= patience) {
        const seconds = `${Math.floor(waited / 1000)} s`;
        const stage = new TextDecoder().decode(bytes.slice(0, Atomics.load(words, 4)));
        const back = Atomics.load(words, 5);
        if (!isPlain) {
          // behind another line: to the end of it, or over its end, and back to where the cursor was
          const behind = `\u001b7${back > 0 ? `\u001b[${back}D` : ''} ${seconds}\u001b8`;
          writeSync(fd, state === 1 ? `\r\u001b[2K${stage}, ${seconds}` : behind);
          Atomics.store(words, 3, state);
        } else if (Date.now() - written >= 2 * patience) {
          writeSync(fd, `${stage}, ${seconds}\n`);
          written = Date.now();
        }
      }
    } catch {
      // the terminal takes nothing just now
    }
    Atomics.store(words, 0, 0);
    Atomics.notify(words, 0);
  }
}

const key = Symbol.for('nemokit.heartbeat');
/** Of this process: the start of the command and the command itself are two bundles. */
const holder = globalThis as { [key]?: Heartbeat };

/** The sign on standard error, if it was begun. */
export function heartbeat(): Heartbeat | undefined {
  return holder[key];
}

/** Begins the sign where standard error is a terminal and nobody asked for quiet. */
export function startHeartbeat(): Heartbeat | undefined {
  if (process.stderr.isTTY !== true || process.argv.includes('--quiet')) return undefined;
  holder[key] ??= new Heartbeat(process.stderr.fd);
  return holder[key];
}

/** Says what is being done, for the sign of life. */
export function sayStage(text: string): void {
  startHeartbeat()?.stage(text);
}

/** No sign while somebody is asked, or when all is done. */
export function pauseHeartbeat(): void {
  const cleared = heartbeat()?.pause() ?? '';
  if (cleared !== '') process.stderr.write(cleared);
}

/** Call before something else is written. */
export function clearHeartbeat(): void {
  const cleared = heartbeat()?.clear() ?? '';
  if (cleared !== '') process.stderr.write(cleared);
}

/** One terminal's sign of life. */
export class Heartbeat {
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #worker: Worker;

  constructor(
    fd: number,
    patience = PATIENCE,
    isPlain = isPlainTerminal(),
    /** Cells of a line now. */
    private readonly columns: () => number = () => process.stderr.columns || 80,
  ) {
    const shared = new SharedArrayBuffer(4 * WORDS + MOST_BYTES);
    this.#words = new Int32Array(shared, 0, WORDS);
    this.#bytes = new Uint8Array(shared, 4 * WORDS);
    this.#worker = new Worker(`(${beat.toString()})()`, {
      eval: true,
      execArgv: [],
      workerData: { fd, shared, patience, isPlain } satisfies Setup,
    });
    // a machine without a thread to spare does without the sign
    this.#worker.on('error', () => {});
    this.#worker.unref();
  }

  /** What is being done, from now on. */
  stage(text: string): void {
    this.#change(() => {
      // a line that wraps could not be taken away
      const line = cut(oneLineOf(text), Math.max(4, this.columns() - 1 - SIGN_CELLS));
      // never half of a character
      const { written } = new TextEncoder().encodeInto(line, this.#bytes);
      Atomics.store(this.#words, LENGTH, written);
      Atomics.store(this.#words, STATE, ALONE);
    });
  }

  /** Another line of `cells` has just been drawn, and stays: the sign goes behind it, or over its end. */
  behind(cells = 0): void {
    this.#change(() => {
      Atomics.store(this.#words, BACK, Math.max(0, cells + SIGN_CELLS - this.columns()));
      Atomics.store(this.#words, STATE, BEHIND);
    }, false);
  }

  /** What to write before anything else is written: takes a line of the sign's own away. The sign comes back later. */
  clear(): string {
    let drawn = AWAY;
    this.#change(() => {
      drawn = Atomics.load(this.#words, DRAWN);
    });
    return drawn === ALONE ? '\r\u001b[2K' : '';
  }

  /** No sign until the next `stage` or `behind`, such as while somebody is asked. */
  pause(): string {
    const cleared = this.clear();
    this.#change(() => Atomics.store(this.#words, STATE, AWAY));
    return cleared;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Changes words while the thread writes nothing. A terminal that has stopped taking text is not waited for long. */
  #change(change: () => void, isCleared = true): void {
    for (let tries = 0; tries < 20; tries++) {
      if (Atomics.compareExchange(this.#words, LOCK, 0, 1) === 0) break;
      Atomics.wait(this.#words, LOCK, 1, 10);
    }
    change();
    if (isCleared) Atomics.store(this.#words, DRAWN, AWAY);
    Atomics.store(this.#words, SINCE, Date.now() & 0x7fffffff);
    Atomics.store(this.#words, LOCK, 0);
  }
}
