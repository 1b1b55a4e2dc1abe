/** The log of a run, `events.jsonl`, as its watchers are told it: read once, however many watch, and only what is new. */
import { join } from 'node:path';
import type { RunEvent as LoggedEvent } from '../../runs/events.js';
import { codeOf } from '../../runs/fileError.js';
import { openOwn } from '../../runs/ownFile.js';
import { eventsName } from '../../runs/runFiles.js';
import type { RunProgress } from '../protocol/index.js';

/** Reasons in the log of an interrupted run. */
export const pausedReason = 'paused';
/** A run with this reason goes on when the studio is opened again. */
export const closedReason = 'the studio was closed';

/** A line of the log. */
export interface LogLine {
  /** Bytes of the log up to the end of this line: the same after a restart of the server. */
  readonly id: number;
  /** What the line says about the state of the run, if anything. */
  readonly event: LoggedEvent['event'] | undefined;
  readonly detail: string | undefined;
  readonly progress: RunProgress | undefined;
}

/** Bytes that are read at once; a longer line is left out. */
const PART = 1 << 20;

/** Follows a log from its beginning. */
export class RunLog {
  readonly #path: string;
  #offset = 0;
  #rest = Buffer.alloc(0);
  #lastTime: number | undefined;
  #seconds = 0;
  #isSkipping = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(runPath: string) {
    this.#path = join(runPath, eventsName);
  }

  /** Lines that were written since the last call. One reading at a time. */
  readNew(): Promise<LogLine[]> {
    const lines = this.#last.then(() => this.#readNew());
    this.#last = lines.catch(() => {});
    return lines;
  }

  async #readNew(): Promise<LogLine[]> {
    const lines: LogLine[] = [];
    let opened: Awaited<ReturnType<typeof openOwn>>;
    try {
      opened = await openOwn(this.#path, 'read');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
    const { file, size } = opened;
    try {
      // Resuming cuts off a torn line: then it is shorter, by less than what is held back here.
      if (size < this.#offset + this.#rest.length) this.#rest = Buffer.alloc(0);
      for (;;) {
        const part = Buffer.alloc(PART);
        const { bytesRead } = await file.read(part, 0, PART, this.#offset + this.#rest.length);
        if (bytesRead === 0) return lines;
        this.#take(part.subarray(0, bytesRead), lines);
      }
    } finally {
      await file.close();
    }
  }

  #take(part: Buffer, lines: LogLine[]): void {
    const bytes = Buffer.concat([this.#rest, part]);
    let from = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, from)) {
      this.#offset += end + 1 - from;
      const line = this.#isSkipping ? undefined : this.#lineOf(bytes.toString('utf8', from, end));
      this.#isSkipping = false;
      if (line) lines.push(line);
      from = end + 1;
    }
    this.#rest = bytes.subarray(from);
    if (this.#rest.length <= PART) return;
    this.#offset += this.#rest.length;
    this.#rest = Buffer.alloc(0);
    this.#isSkipping = true;
  }

  #lineOf(text: string): LogLine | undefined {
    let found: LoggedEvent;
    try {
      found = JSON.parse(text);
    } catch {
      return undefined;
    }
    if (typeof found !== 'object' || found === null) return undefined;
    const time = Date.parse(found.time);
    // the time between two sessions is nobody's work
    if (this.#lastTime !== undefined && found.event !== 'resumed' && time > this.#lastTime)
      this.#seconds += (time - this.#lastTime) / 1000;
    if (Number.isFinite(time)) this.#lastTime = time;
    const { event, stage, fraction, detail, watched } = found;
    const isProgress = typeof stage === 'string' && typeof fraction === 'number';
    return {
      id: this.#offset,
      event,
      detail,
      progress: isProgress
        ? {
            stage,
            fraction,
            detail: detail ?? '',
            watched: watched ?? null,
            seconds: Math.round(10 * this.#seconds) / 10,
          }
        : undefined,
    };
  }
}
