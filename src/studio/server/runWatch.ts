/**
 * Progress of runs as server-sent events. The log of a run is read once for all who watch it, and every event is encoded
 * once. Curves need no more than some hundred points, so of many events some are told. An event of progress has the place in the log as its id, so a browser that lost the connection, or met a new
 * start of the server, goes on where it was (`Last-Event-ID`).
 */
import type { RunEvent, RunSummary } from '../protocol/index.js';
import { RefusedError } from './refused.js';
import { RunLog } from './runLog.js';

export interface RunWatchOptions {
  readonly pathOf: (id: string) => Promise<string>;
  readonly summaryOf: (id: string) => Promise<RunSummary>;
  /** Milliseconds between two looks at a log. */
  readonly every?: number;
  readonly mostClients?: number;
  /** Events that are told at each look, at most; default 4. */
  readonly mostNew?: number;
}

/** Bytes that wait for a client that does not read; it is cut off then, and comes back by itself. */
const MOST_WAITING = 4 * 2 ** 20;
/** Events of the past that a new client is told, at most. */
const MOST_PAST = 400;
/** Milliseconds between two looks for every client, where these are more than the usual ones. */
const PER_CLIENT = 100;
/** Milliseconds between two signs of life. */
const SIGN_OF_LIFE = 15_000;

interface Client {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
}

interface Watched {
  readonly id: string;
  readonly log: RunLog;
  /** All events so far. */
  readonly told: { readonly id: number; readonly text: string }[];
  readonly clients: Set<Client>;
  timer: NodeJS.Timeout | undefined;
  /** One reading at a time. */
  reading: Promise<void> | undefined;
  /** How often its status was told. */
  statuses: number;
}

/** Answers about how a run stands: one that is on its way, and one that is asked when that has arrived. */
interface Asked {
  readonly now: Promise<RunSummary>;
  next: Promise<RunSummary> | undefined;
}

export class RunWatch {
  readonly #options: RunWatchOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #asked = new Map<string, Asked>();
  #clients = 0;

  constructor(options: RunWatchOptions) {
    this.#options = options;
  }

  /** Everything that is told about a run after the event `after`, and what follows. Throws `RefusedError`. */
  async open(id: string, after: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    if (this.#clients >= (this.#options.mostClients ?? 200))
      throw new RefusedError(503, 'too many pages watch runs; close some of them');
    const path = await this.#options.pathOf(id);
    // What others were told meanwhile, or that the last of them left, makes this ask again.
    for (;;) {
      const watched = this.#watched.get(id) ?? this.#begin(id, path);
      const { statuses } = watched;
      await this.#read(watched).catch((error) => this.#giveUp(watched, error));
      const first = statusText(await this.#summaryOf(id).catch((error) => this.#giveUp(watched, error)));
      if (this.#watched.get(id) === watched && watched.statuses === statuses)
        return this.#join(watched, first, after, signal);
    }
  }

  #join(watched: Watched, first: string, after: number, signal: AbortSignal): ReadableStream<Uint8Array> {
    let client: Client;
    const leave = () => this.#leave(watched, client);
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          client = { controller };
          watched.clients.add(client);
          this.#clients++;
          const missed = watched.told.filter((event) => event.id > after);
          const past = spread(missed, MOST_PAST).map(({ text }) => text);
          controller.enqueue(encode(`retry: 1000\n\n${first}${past.join('')}`));
          signal.addEventListener('abort', leave, { once: true });
          if (signal.aborted) leave();
        },
        cancel: leave,
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }),
    );
  }

  /** Tells those who watch a run how it stands now. */
  async announce(id: string): Promise<void> {
    const watched = this.#watched.get(id);
    if (!watched) return;
    await this.#read(watched);
    await this.#tellStatus(watched);
  }

  async #tellStatus(watched: Watched): Promise<void> {
    watched.statuses++;
    const summary = await this.#summaryOf(watched.id).catch(() => undefined);
    if (!summary) return;
    watched.statuses++;
    this.#send(watched, statusText(summary));
  }

  /** Ends all streams. */
  close(): void {
    for (const watched of this.#watched.values())
      for (const client of [...watched.clients]) {
        this.#leave(watched, client);
        closeQuietly(client);
      }
  }

  /** One answer for all who ask at once. It was looked up after this call: one that is on its way may be old. */
  #summaryOf(id: string): Promise<RunSummary> {
    const asked = this.#asked.get(id);
    if (!asked) return this.#ask(id);
    asked.next ??= asked.now.then(
      () => this.#ask(id),
      () => this.#ask(id),
    );
    return asked.next;
  }

  #ask(id: string): Promise<RunSummary> {
    const now = this.#options.summaryOf(id);
    const asked: Asked = { now, next: undefined };
    this.#asked.set(id, asked);
    const leave = () => {
      if (this.#asked.get(id) === asked && !asked.next) this.#asked.delete(id);
    };
    now.then(leave, leave);
    return now;
  }

  #begin(id: string, path: string): Watched {
    const watched: Watched = {
      id,
      log: new RunLog(path),
      told: [],
      clients: new Set(),
      timer: undefined,
      reading: undefined,
      statuses: 0,
    };
    this.#watched.set(id, watched);
    let quiet = 0;
    let waited = 0;
    const { every = 500 } = this.#options;
    watched.timer = setInterval(() => {
      // the more watch, the more seldom: what is sent in a second stays the same
      waited += every;
      if (waited < PER_CLIENT * watched.clients.size) return;
      quiet += waited;
      waited = 0;
      if (quiet >= SIGN_OF_LIFE) {
        quiet = 0;
        this.#send(watched, ': still here\n\n');
      }
      this.#read(watched).catch(() => {});
    }, every);
    return watched;
  }

  #read(watched: Watched): Promise<void> {
    watched.reading ??= this.#readNew(watched).finally(() => {
      watched.reading = undefined;
    });
    return watched.reading;
  }

  async #readNew(watched: Watched): Promise<void> {
    const lines = await watched.log.readNew();
    const seen = lines.flatMap(({ id, progress }) => (progress ? [{ id, progress }] : []));
    const most = watched.told.length === 0 ? MOST_PAST : (this.#options.mostNew ?? 4);
    const events = spread(seen, most).map(({ id, progress }) => ({
      id,
      text: eventText({ kind: 'progress', progress }, id),
    }));
    for (const event of events) watched.told.push(event);
    if (events.length > 0) this.#send(watched, events.map(({ text }) => text).join(''));
    // also where another process computes the run, such as a command
    if (lines.some(({ event }) => event !== undefined) && watched.clients.size > 0)
      await this.#tellStatus(watched);
  }

  #send(watched: Watched, text: string): void {
    const bytes = encode(text);
    for (const client of [...watched.clients]) {
      if ((client.controller.desiredSize ?? 0) > 0) client.controller.enqueue(bytes);
      else {
        this.#leave(watched, client);
        closeQuietly(client);
      }
    }
  }

  #leave(watched: Watched, client: Client): void {
    if (!watched.clients.delete(client)) return;
    this.#clients--;
    this.#endWithoutClients(watched);
  }

  #giveUp(watched: Watched, error: unknown): never {
    this.#endWithoutClients(watched);
    throw error;
  }

  #endWithoutClients(watched: Watched): void {
    if (watched.clients.size > 0) return;
    clearInterval(watched.timer);
    if (this.#watched.get(watched.id) === watched) this.#watched.delete(watched.id);
  }
}

/** At most so many of them, evenly, the last among them. */
function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, i) => items[Math.ceil(((i + 1) * items.length) / most) - 1]!);
}

function closeQuietly({ controller }: Client): void {
  try {
    controller.close();
  } catch {
    // the client was faster
  }
}

function statusText(summary: RunSummary): string {
  return eventText({ kind: 'status', summary });
}

/** JSON has no line breaks of its own, so an event is one line of data. */
function eventText(event: RunEvent, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(event)}\n\n`;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
