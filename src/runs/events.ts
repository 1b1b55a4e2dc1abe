/** `events.jsonl`: one JSON object per line, appended while a run goes on. */
import { type FileHandle, open } from 'node:fs/promises';
import { writeAtomic } from './atomicFile.js';
import { codeOf, fileError } from './fileError.js';
import { most, openOwn, readOwn } from './ownFile.js';

export interface RunEvent {
  /** ISO time. */
  readonly time: string;
  /** Absent from the lines of progress. */
  readonly event?: 'created' | 'resumed' | 'interrupted' | 'partial' | 'done' | 'failed';
  readonly stage?: string;
  readonly fraction?: number;
  readonly detail?: string;
  readonly watched?: Readonly<Record<string, number>>;
}

export class EventLog {
  #file: FileHandle | undefined;
  #bytes: number;

  private constructor(
    readonly path: string,
    file: FileHandle,
    bytes: number,
  ) {
    this.#file = file;
    this.#bytes = bytes;
  }

  static async open(path: string): Promise<EventLog> {
    try {
      const found = await openOwn(path, 'written').catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error;
      });
      if (!found) return new EventLog(path, await open(path, 'ax'), 0);
      if (found.names === 1) return new EventLog(path, found.file, found.size);
      // The same file has a name elsewhere, such as in a backup made of hard links: go on with a copy.
      await found.file.close();
      await writeAtomic(path, await readOwn(path, most.text));
      return await EventLog.open(path);
    } catch (error) {
      throw fileError(path, error, 'written');
    }
  }

  /** A line is one write, so that only the last one can be torn; what a full disk tears is taken back. */
  async append(event: RunEvent): Promise<void> {
    const line = Buffer.from(`${JSON.stringify(event)}\n`);
    try {
      await this.#file?.appendFile(line);
      this.#bytes += line.length;
    } catch (error) {
      await this.#file?.truncate(this.#bytes).catch(() => {});
      throw fileError(this.path, error, 'written');
    }
  }

  async sync(): Promise<void> {
    try {
      await this.#file?.sync();
    } catch (error) {
      throw fileError(this.path, error, 'written');
    }
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}

/** Cuts off a last line that a killed process did not finish; whether there was one. */
export async function repairEvents(path: string): Promise<boolean> {
  try {
    const bytes = await readOwn(path, most.text);
    const end = bytes.lastIndexOf(0x0a) + 1;
    if (end === bytes.length) return false;
    await writeAtomic(path, bytes.subarray(0, end));
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw fileError(path, error, 'written');
  }
}

/** Every line that is whole; others are left out. */
export async function readEvents(path: string): Promise<RunEvent[]> {
  let text: string;
  try {
    text = (await readOwn(path, most.text)).toString('utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw fileError(path, error, 'read');
  }
  return text.split('\n').flatMap((line) => {
    try {
      const event: unknown = JSON.parse(line);
      return typeof event === 'object' && event !== null ? [event as RunEvent] : [];
    } catch {
      return [];
    }
  });
}
