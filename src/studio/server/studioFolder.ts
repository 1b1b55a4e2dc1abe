/**
 * The folder that a studio works in: runs, and tables beside them. Names that come from a browser lead to what lies in
 * the folder itself, never elsewhere: one name, no path, no link.
 */
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { codeOf, FileError } from '../../runs/fileError.js';
import { makeFolder } from '../../runs/makeFolder.js';
import { manifestName } from '../../runs/manifest.js';
import { openOwn } from '../../runs/ownFile.js';
import { exists } from '../../runs/runFiles.js';
import { RefusedError } from './refused.js';

const tableEndings = ['.csv', '.tsv', '.txt', '.xlsx', '.parquet'];
/** Tables that are listed at most. */
const MOST_TABLES = 200;

export interface OpenedFolder {
  readonly folder: StudioFolder;
  /** Name of the run that was asked for. */
  readonly open: string | null;
}

export class StudioFolder {
  private constructor(
    /** Where tables are. */
    readonly tablesPath: string,
    /** Where runs are. */
    readonly runsPath: string,
  ) {}

  /**
   * `path` is a run, a folder of runs, or a folder with tables, whose runs are in `runs/`, as for the other commands.
   * Throws `FileError`.
   */
  static async open(path: string): Promise<OpenedFolder> {
    const whole = await realpath(resolve(path)).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
      throw new FileError(`there is no folder ${path}; make it first, or name another one`, path, 'ENOENT');
    });
    if (!(await lstat(whole)).isDirectory())
      throw new FileError(`${path} is a file, not a folder; open the studio, then drop the file there`, path);
    if (await exists(join(whole, manifestName)))
      return {
        folder: new StudioFolder(dirname(whole), dirname(whole)),
        open: requireName(basename(whole), 'run'),
      };
    const runs = (await holdsRuns(whole)) ? whole : join(whole, 'runs');
    return { folder: new StudioFolder(whole, runs), open: null };
  }

  /** What people are shown. */
  get name(): string {
    return this.runsPath === this.tablesPath
      ? basename(this.runsPath)
      : `${basename(this.tablesPath)}/${basename(this.runsPath)}`;
  }

  /** Makes the folder of runs, which is not a link. */
  async makeRuns(): Promise<string> {
    await makeFolder(this.runsPath);
    if ((await lstat(this.runsPath)).isDirectory()) return this.runsPath;
    throw new FileError(`${this.runsPath} is a link, not a folder; name its target instead`, this.runsPath);
  }

  /** The folder of a run that is there. Throws `RefusedError`. */
  async runPath(id: string): Promise<string> {
    const name = requireName(id, 'run');
    const path = join(this.runsPath, name);
    for (const folder of [this.runsPath, path]) {
      const entry = await lstat(folder).catch(() => undefined);
      if (!entry?.isDirectory()) throw missing('run', name);
    }
    if (!(await exists(join(path, manifestName)))) throw missing('run', name);
    return path;
  }

  /** Names of tables that can be opened. */
  async tables(): Promise<string[]> {
    const entries = await readdir(this.tablesPath, { withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => entry.isFile() && isTable(entry.name))
      .map(({ name }) => name)
      .toSorted()
      .slice(0, MOST_TABLES);
  }

  /** A table of the folder, opened: whoever calls closes it. Throws `RefusedError`. */
  async openTable(given: string): Promise<Awaited<ReturnType<typeof openOwn>>> {
    const name = requireName(given, 'table');
    if (!isTable(name)) throw missing('table', name);
    return openOwn(join(this.tablesPath, name), 'read').catch((error: unknown) => {
      // also for a link, a pipe or a folder: what is not a table of this folder is not there
      if (codeOf(error) === 'ENOENT' || error instanceof FileError) throw missing('table', name);
      throw error;
    });
  }
}

/** One name of an entry of a folder. */
export function requireName(text: string, what: string): string {
  const isPath = /[/\\\p{Cc}]/u.test(text) || text === '.' || text === '..' || text === '';
  if (isPath || text.startsWith('.') || Buffer.byteLength(text) > 255)
    throw new RefusedError(404, `${JSON.stringify(text.slice(0, 80))} is no name of a ${what}`);
  return text;
}

function missing(what: string, name: string): RefusedError {
  return new RefusedError(404, `there is no ${what} ${JSON.stringify(name)} in this folder`);
}

function isTable(name: string): boolean {
  return !name.startsWith('.') && tableEndings.includes(extname(name.replace(/\.gz$/i, '')).toLowerCase());
}

/** Called so, or with runs in it, and neither tables nor a folder `runs/`. */
async function holdsRuns(folder: string): Promise<boolean> {
  if (basename(folder) === 'runs') return true;
  const entries = await readdir(folder, { withFileTypes: true });
  if (entries.some((entry) => entry.name === 'runs' || (entry.isFile() && isTable(entry.name)))) return false;
  for (const entry of entries)
    if (entry.isDirectory() && (await exists(join(folder, entry.name, manifestName)))) return true;
  return false;
}
