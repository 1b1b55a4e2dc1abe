/**
 * A run on the disk: its inputs, its state and its results. Every file is written as a whole or not at all, the manifest
 * last: a folder is either done with all its files, or can be resumed. docs/run-folder.md lists the guarantees.
 */
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Progress } from '../design/work.js';
import { version } from '../version.js';
import { isTemporary, removeLeftovers, type WriteAll, writeAtomic } from './atomicFile.js';
import {
  checkpointName,
  type Identity,
  loadCheckpoint,
  previousCheckpointName,
  saveCheckpoint,
} from './checkpoint.js';
import { EventLog, type RunEvent, repairEvents } from './events.js';
import { codeOf, FileError, fileError } from './fileError.js';
import { acquireLock, type Lock, lockName, lockOf, requireUnlocked, takeoverName } from './lock.js';
import { makeFolder } from './makeFolder.js';
import { type Manifest, manifestName, manifestVersion, printManifest, readManifest } from './manifest.js';
import { most, readOwn, requirePlain } from './ownFile.js';
import {
  eventsName,
  type InputName,
  inputNames,
  isRunFile,
  type ResultName,
  type RunInputs,
  setAside,
  sha256Of,
} from './runFiles.js';

type RequestField =
  | 'argv'
  | 'goal'
  | 'source'
  | 'table'
  | 'seed'
  | 'method'
  | 'effort'
  | 'options'
  | 'kernel'
  | 'threads';

export interface RunRequest extends Pick<Manifest, RequestField> {
  /** Copies of what the run needs, so that it can be repeated without the user's files. */
  readonly inputs: RunInputs;
}

export interface RunFolderOptions {
  /** Milliseconds since 1970; default the clock. */
  readonly now?: () => number;
  /** Writes the bytes of a file; tests pass one that fails. */
  readonly write?: WriteAll;
}

export type RunResults = Readonly<Partial<Record<ResultName, string | Uint8Array>>>;

/**
 * Makes a folder for a run and locks it. The folder is new, empty, or left by a `createRun` that was killed. After an
 * error it is as before.
 */
export async function createRun(
  path: string,
  request: RunRequest,
  options: RunFolderOptions = {},
): Promise<RunFolder> {
  const made = await makeFolder(path);
  // Inputs beside a lock, without a manifest, were left by a killed process.
  const wasCut = (await lockOf(path)) !== undefined;
  await requireFree(path, wasCut).catch(async (error: unknown) => {
    // The files may belong to a run that another process is creating.
    await requireUnlocked(path);
    throw error;
  });
  const lock = await acquireLock(path);
  try {
    await requireFree(path, wasCut);
    const manifest = await writeFirstFiles(path, request, options);
    return await RunFolder.open(path, lock, manifest, 'created', options);
  } catch (error) {
    await lock.release();
    if (made !== undefined) await rmdir(path).catch(() => {});
    throw error;
  }
}

async function writeFirstFiles(
  path: string,
  { inputs, ...asked }: RunRequest,
  { now = Date.now, write }: RunFolderOptions,
): Promise<Manifest> {
  const time = new Date(now()).toISOString();
  const files: Manifest['files'] = {};
  const started: string[] = [];
  const put = async (name: string, data: string | Uint8Array) => {
    started.push(name);
    await writeAtomic(join(path, name), data, write && { write });
  };
  try {
    for (const [name, data] of Object.entries(inputs)) {
      await put(name, data);
      files[name] = fileEntry(data);
    }
    const manifest: Manifest = {
      manifestVersion,
      version,
      created: time,
      updated: time,
      status: 'running',
      ...asked,
      problem: { sha256: files['problem.yaml']!.sha256 },
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      timings: {},
      files,
    };
    await put(manifestName, printManifest(manifest));
    return manifest;
  } catch (error) {
    for (const name of started) await rm(join(path, name), { force: true }).catch(() => {});
    throw error;
  }
}

/** Throws `FileError` if other files are in the folder. */
async function requireFree(path: string, wasCut: boolean): Promise<void> {
  const names = await readdir(path).catch((error: unknown) => {
    throw fileError(path, error, 'read');
  });
  if (names.includes(manifestName))
    throw new FileError(`${path} holds a run already; resume it, or choose another folder`, path, 'EEXIST');
  const left: readonly string[] = [lockName, takeoverName, ...(wasCut ? inputNames : [])];
  const strangers = names.filter((name) => !left.includes(name) && !isTemporary(name));
  if (strangers.length === 0) return;
  const some = strangers.length > 3 ? `${strangers.slice(0, 3).join(', ')}, ...` : strangers.join(', ');
  throw new FileError(`${path} is not empty: it holds ${some}; choose another folder`, path, 'ENOTEMPTY');
}

/** Locks a run folder to go on with it. To look at one, `readManifest` is enough. */
export async function openRun(path: string, options: RunFolderOptions = {}): Promise<RunFolder> {
  await readManifest(path);
  await requirePlainFiles(path);
  const lock = await acquireLock(path);
  try {
    // Read again: the last holder of the lock may have changed it.
    return await RunFolder.open(path, lock, await readManifest(path), 'resumed', options);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Removes what a run leaves that was killed between writing "done" and giving its folder back: saved states, temporary
 * files and the lock. Where nothing may be removed, or somebody works in the folder, all stays as it is.
 */
export async function tidyDone(path: string): Promise<void> {
  const states = [previousCheckpointName, checkpointName];
  const left: readonly string[] = [...states, lockName, takeoverName];
  const names = await readdir(path).catch(() => []);
  if (!names.some((name) => left.includes(name) || isTemporary(name))) return;
  const lock = await acquireLock(path).catch(() => undefined);
  if (!lock) return;
  try {
    // another process may have begun it anew meanwhile
    if ((await readManifest(path)).status !== 'done') return;
    await removeLeftovers(path);
    for (const name of states) await rm(join(path, name), { force: true });
  } catch {
    // its results can be read all the same
  } finally {
    await lock.release();
  }
}

/** Links and the like are found before hours of work, not when a file is to be written in their place. */
async function requirePlainFiles(path: string): Promise<void> {
  const names = await readdir(path).catch((error: unknown) => {
    throw fileError(path, error, 'read');
  });
  for (const name of names.filter(isRunFile)) await requirePlain(join(path, name));
}

function fileEntry(data: string | Uint8Array): Manifest['files'][string] {
  return { bytes: Buffer.byteLength(data), sha256: sha256Of(data) };
}

/** One writer's hold on a run. Whoever opened it closes it, also after an error. */
export class RunFolder {
  /** Messages for the user: locks taken over, lines repaired, states damaged, edited files kept. */
  readonly notes: string[] = [];
  readonly #lock: Lock;
  readonly #events: EventLog;
  readonly #now: () => number;
  readonly #write: { readonly write?: WriteAll };
  #manifest: Manifest;
  #clock: number;

  private constructor(
    readonly path: string,
    lock: Lock,
    manifest: Manifest,
    events: EventLog,
    { now = Date.now, write }: RunFolderOptions,
  ) {
    this.#lock = lock;
    this.#manifest = manifest;
    this.#events = events;
    this.#now = now;
    this.#clock = now();
    this.#write = write ? { write } : {};
  }

  /** For `createRun` and `openRun`. */
  static async open(
    path: string,
    lock: Lock,
    manifest: Manifest,
    event: 'created' | 'resumed',
    options: RunFolderOptions,
  ): Promise<RunFolder> {
    await removeLeftovers(path);
    const eventsPath = join(path, eventsName);
    const isTorn = await repairEvents(eventsPath);
    const run = new RunFolder(path, lock, manifest, await EventLog.open(eventsPath), options);
    if (lock.note) run.notes.push(lock.note);
    if (isTorn) run.notes.push(`${eventsPath}: the last line was cut off, and is removed`);
    await run.#event({ event });
    return run;
  }

  get manifest(): Manifest {
    return this.#manifest;
  }

  /** Bytes of a file as the run wrote it. Throws `FileError` if it is missing or was edited. */
  async read(name: InputName | ResultName): Promise<Buffer> {
    const path = join(this.path, name);
    const bytes = await readOwn(path, most.bytes).catch((error: unknown) => {
      throw fileError(path, error, 'read');
    });
    if (sha256Of(bytes) === this.#manifest.files[name]?.sha256) return bytes;
    throw new FileError(
      `${path} has changed since the run wrote it; start a new run with it, or put the old one back`,
      path,
    );
  }

  /**
   * The newest saved state; undefined where the run has to begin at its start. `actual` is what the caller runs with,
   * such as its kernel, and has to be what the run began with. Throws `CheckpointError`.
   */
  async loadState<State>(actual: Identity = {}): Promise<State | undefined> {
    const { state, warnings } = await loadCheckpoint<State>(this.path, { ...this.#identity(), ...actual });
    for (const warning of warnings) this.notes.push(warning);
    return state;
  }

  /** Keeps the state before it until the new one is in place. */
  async saveState(state: unknown): Promise<void> {
    await this.#lock.check();
    await saveCheckpoint(this.path, state, this.#identity(), this.#write);
    await this.#events.sync();
    await this.#update({ status: 'running' });
  }

  /** A line of `events.jsonl`; the time since the last one counts for its stage. */
  async log(progress: Progress, watched?: Readonly<Record<string, number>> | null): Promise<void> {
    const { stage } = progress;
    const now = this.#now();
    const seconds = Math.max(0, now - this.#clock) / 1000;
    this.#clock = now;
    const { timings } = this.#manifest;
    this.#manifest = {
      ...this.#manifest,
      timings: { ...timings, [stage]: (timings[stage] ?? 0) + seconds },
    };
    await this.#event({ ...progress, ...(watched && { watched }) });
  }

  /**
   * Writes the results: "done", or "partial" where a time limit came first and the run can still go on. A file that
   * was edited since the run wrote it is kept as `<name>.edited-<n>`; the names of these are returned, and noted.
   */
  async finish(status: 'done' | 'partial', results: RunResults): Promise<string[]> {
    await this.#lock.check();
    const entries = Object.entries(results).filter(([, data]) => data !== undefined);
    const written = Object.fromEntries(entries.map(([name, data]) => [name, fileEntry(data)]));
    const known = { ...this.#manifest.pending };
    const pending = Object.fromEntries(Object.entries(written).map(([name, { sha256 }]) => [name, sha256]));
    await this.#update({ status: 'running', pending: { ...known, ...pending } });
    const kept: string[] = [];
    for (const [name, data] of entries) {
      const knownHashes = [this.#manifest.files[name]?.sha256, known[name], pending[name]];
      const edited = await this.#keepEdited(name, knownHashes);
      if (edited !== undefined) kept.push(edited);
      await writeAtomic(join(this.path, name), data, this.#write);
    }
    await this.#event({ event: status });
    await this.#events.sync();
    const events = fileEntry(await readOwn(join(this.path, eventsName), most.text));
    const { pending: _, error: __, ...rest } = this.#manifest;
    this.#manifest = { ...rest, files: { ...rest.files, ...written, [eventsName]: events } };
    await this.#update({ status });
    if (status === 'done')
      for (const name of [previousCheckpointName, checkpointName])
        await rm(join(this.path, name), { force: true });
    return kept;
  }

  /** For a run that was told to stop and saved its state. `why`: who told it, such as "SIGINT". */
  async interrupt(why?: string): Promise<void> {
    await this.#lock.check();
    await this.#event({ event: 'interrupted', ...(why !== undefined && { detail: why }) });
    await this.#update({ status: 'interrupted' });
  }

  async fail(error: unknown): Promise<void> {
    await this.#lock.check();
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    await this.#event({ event: 'failed', detail: message });
    await this.#update({ status: 'failed', error: { name, message } });
  }

  /** Gives the folder back. May be called twice. */
  async close(): Promise<void> {
    await this.#events.close();
    await this.#lock.release();
  }

  async #keepEdited(name: string, knownHashes: readonly (string | undefined)[]): Promise<string | undefined> {
    const path = join(this.path, name);
    let sha256: string;
    try {
      sha256 = sha256Of(await readOwn(path, most.bytes));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw fileError(path, error, 'read');
    }
    if (knownHashes.includes(sha256)) return undefined;
    const kept = await setAside(this.path, name);
    this.notes.push(`${path} was edited; your version is kept as ${kept}`);
    return kept;
  }

  async #event(event: Omit<RunEvent, 'time'>): Promise<void> {
    await this.#events.append({ time: new Date(this.#now()).toISOString(), ...event });
  }

  async #update(change: Partial<Manifest>): Promise<void> {
    const updated = new Date(this.#now()).toISOString();
    const manifest = { ...this.#manifest, ...change, updated };
    await writeAtomic(join(this.path, manifestName), printManifest(manifest), this.#write);
    this.#manifest = manifest;
  }

  #identity(): Identity {
    const { table, problem, method, options, seed, kernel } = this.#manifest;
    return {
      table: table.sha256,
      problem: problem.sha256,
      method,
      options: sha256Of(JSON.stringify(options)),
      seed: String(seed),
      kernel,
    };
  }
}
