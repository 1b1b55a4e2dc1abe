/**
 * The host of the app that computes on this machine and keeps runs in a folder. It decides, and looks after processes;
 * what takes time is done elsewhere: tables and models by desks, runs by the queue.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, fileError } from '../../runs/fileError.js';
import { most, readOwn } from '../../runs/ownFile.js';
import { version } from '../../version.js';
import type {
  About,
  Ask,
  BenchFolder,
  CallName,
  Cells,
  ContourQuestion,
  Host,
  Measured,
  OpenedRun,
  OpenedTable,
  ProfileQuestion,
  RunFileName,
  RunSummary,
  TableChange,
  TableSource,
} from '../protocol/index.js';
import { keepBody, keepFile, MOST_TABLE_BYTES, type Sent } from './bodies.js';
import { Desk } from './desk.js';
import { RefusedError } from './refused.js';
import { RunQueue } from './runQueue.js';
import { RunWatch } from './runWatch.js';
import { StudioFolder } from './studioFolder.js';
import { type TablePlace, TableShelf } from './tableShelf.js';

export interface StudioHostOptions {
  /** A run, a folder of runs, or a folder with tables. */
  readonly folder: string;
  /** Runs at once; default 2. */
  readonly jobs?: number;
  /** The file that the process of a run runs; tests pass another one. */
  readonly processFile?: string;
}

/** A table of the folder, or pasted cells. */
export type JsonSource = Exclude<TableSource, { kind: 'bytes' }>;

/** Tables of runs are named by this and the run. */
const runTable = 'run:';

export class StudioHost implements Pick<Host, CallName> {
  /** Tables; lists of runs; models. Apart, so that one that is busy keeps no other waiting. */
  readonly #tables = new Desk();
  readonly #runs = new Desk();
  readonly #models = new Desk();
  readonly #queue: RunQueue;
  readonly #watch: RunWatch;

  private constructor(
    readonly folder: StudioFolder,
    /** The run that was asked for. */
    readonly openFirst: string | null,
    private readonly shelf: TableShelf,
    { jobs = 2, processFile }: StudioHostOptions,
  ) {
    this.#queue = new RunQueue({
      jobs,
      ...(processFile !== undefined && { processFile }),
      onChange: (id) => void this.#watch.announce(id).catch(() => {}),
    });
    this.#watch = new RunWatch({
      pathOf: (id) => this.folder.runPath(id),
      summaryOf: (id) => this.summary(id),
    });
  }

  /** Goes on with the runs that an earlier start left unfinished. Throws `FileError`. */
  static async open(options: StudioHostOptions): Promise<StudioHost> {
    const { folder, open } = await StudioFolder.open(options.folder);
    return new StudioHost(folder, open, await TableShelf.open(), options);
  }

  /** Names of the runs that go on by themselves, because the studio was closed while they were computed or waited. */
  async goOn(): Promise<string[]> {
    const left = await this.#runs.call('leftByStudio', this.folder.runsPath);
    for (const name of left) this.#queue.add(await this.folder.runPath(name));
    return left;
  }

  /** Runs that wait or are computed. */
  get busy(): number {
    return this.#queue.count;
  }

  /** Runs save their states. */
  async close(): Promise<void> {
    this.#watch.close();
    await this.#queue.close();
    for (const desk of [this.#tables, this.#runs, this.#models]) desk.close();
    await this.shelf.close();
  }

  async about(): Promise<About> {
    return {
      kind: 'server',
      version,
      ...(await this.#models.call('engine')),
      keeps: this.folder.name,
      open: this.openFirst,
      tables: await this.folder.tables(),
      benches: await this.#tables.call('benches', this.folder.tablesPath),
      mostBytes: MOST_TABLE_BYTES,
    };
  }

  async openSource(source: JsonSource): Promise<OpenedTable> {
    const path = this.shelf.newPath();
    if (source.kind === 'path') {
      const kept = await keepFile(await this.folder.openTable(source.path), path);
      return this.#opened(await this.shelf.keepFile(path, kept, source.path, source.sheet));
    }
    await writeFile(path, source.text, { flag: 'wx', mode: 0o600 });
    return this.#opened(await this.shelf.keepText(path, source.text));
  }

  async openUpload(sent: Sent, name: string, sheet: string | undefined): Promise<OpenedTable> {
    const path = this.shelf.newPath();
    return this.#opened(await this.shelf.keepFile(path, await keepBody(sent, path), name, sheet));
  }

  async #opened(place: TablePlace): Promise<OpenedTable> {
    return this.#tables.call('openTable', place);
  }

  async #placeOf(id: string): Promise<TablePlace> {
    if (!id.startsWith(runTable)) return this.shelf.place(id);
    return { kind: 'run', id, path: await this.folder.runPath(id.slice(runTable.length)) };
  }

  async table(id: string): Promise<OpenedTable> {
    return this.#opened(await this.#placeOf(id));
  }

  async rows(id: string, from: number, count: number) {
    return this.#tables.call('rows', await this.#placeOf(id), from, count);
  }

  async changeTable(id: string, changes: readonly TableChange[]): Promise<OpenedTable> {
    const path = this.shelf.newPath();
    const about = await this.#tables.call('changeTable', await this.#placeOf(id), changes, path);
    return this.#opened(await this.shelf.keepRound(path, about));
  }

  async state(id: string, ask: Ask) {
    return this.#tables.call('state', await this.#placeOf(id), ask);
  }

  async startRun(id: string, ask: Ask): Promise<RunSummary> {
    this.#queue.requireRoom();
    const place = await this.#placeOf(id);
    const name = await this.#tables.call('createRun', place, ask, await this.folder.makeRuns());
    this.#queue.add(await this.folder.runPath(name));
    return this.summary(name);
  }

  async pauseRun(id: string): Promise<RunSummary> {
    await this.folder.runPath(id);
    await this.#queue.pause(id);
    return this.summary(id);
  }

  async resumeRun(id: string): Promise<RunSummary> {
    const path = await this.folder.runPath(id);
    const { status } = await this.summary(id);
    if (status === 'done') throw new RefusedError(409, 'the run is done already');
    if (status === 'running' && this.#queue.stateOf(id) === undefined)
      throw new RefusedError(409, 'another process computes this run; wait for it');
    this.#queue.add(path);
    return this.summary(id);
  }

  async stopRun(id: string): Promise<RunSummary> {
    await this.folder.runPath(id);
    await this.#queue.stop(id);
    return this.summary(id);
  }

  /** What watchers of a run are told after the event `after`. */
  watch(id: string, after: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    return this.#watch.open(id, after, signal);
  }

  async summary(id: string): Promise<RunSummary> {
    return this.#inQueue(await this.#runs.call('summary', await this.folder.runPath(id)));
  }

  /** The folder does not know who waits. */
  #inQueue(summary: RunSummary): RunSummary {
    const status = this.#queue.stateOf(summary.id);
    return status === undefined ? summary : { ...summary, status, fault: null };
  }

  async listRuns(): Promise<RunSummary[]> {
    const found = await this.#runs.call('summaries', this.folder.runsPath);
    return found.map((summary) => this.#inQueue(summary));
  }

  async openRun(id: string): Promise<OpenedRun> {
    const { summary, ...rest } = await this.#runs.call('openRun', await this.folder.runPath(id));
    return { summary: this.#inQueue(summary), ...rest, table: `${runTable}${id}` };
  }

  async deleteRun(id: string): Promise<void> {
    const path = await this.folder.runPath(id);
    if (this.#queue.stateOf(id) !== undefined)
      throw new RefusedError(409, 'the run is being computed, or waits; pause it before you delete it');
    await this.#runs.call('deleteRun', path);
  }

  async runFile(id: string, name: RunFileName): Promise<Uint8Array> {
    const path = join(await this.folder.runPath(id), name);
    return readOwn(path, most.bytes).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') throw new RefusedError(404, `the run has no ${name} yet`);
      throw fileError(path, error, 'read');
    });
  }

  async saveRun(id: string): Promise<Uint8Array> {
    return this.#runs.call('zipRun', await this.folder.runPath(id));
  }

  async addUploadedRun(sent: Sent): Promise<RunSummary> {
    const path = this.shelf.newPath();
    await keepBody(sent, path, { type: 'application/zip' });
    const name = await this.#runs.call('addRun', path, await this.folder.makeRuns());
    return this.summary(name);
  }

  async score(id: string, rows: readonly Cells[]) {
    return this.#models.call('score', await this.folder.runPath(id), rows);
  }

  async explain(id: string, row: number) {
    return this.#models.call('explain', await this.folder.runPath(id), row);
  }

  async molecules(id: string) {
    return this.#models.call('molecules', await this.folder.runPath(id));
  }

  async profile(id: string, question: ProfileQuestion) {
    return this.#models.call('profile', await this.folder.runPath(id), question);
  }

  async contour(id: string, question: ContourQuestion) {
    return this.#models.call('contour', await this.folder.runPath(id), question);
  }

  async addRound(id: string, measured: readonly Measured[]): Promise<OpenedTable> {
    const path = this.shelf.newPath();
    const about = await this.#models.call('addRound', await this.folder.runPath(id), measured, path);
    return this.#opened(await this.shelf.keepRound(path, about));
  }

  async openBench(id: string): Promise<BenchFolder> {
    return this.#tables.call('openBench', this.folder.tablesPath, id);
  }
}
