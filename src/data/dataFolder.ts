/** The folder of datasets on this machine, the state of its files, and a cache for what tasks compute from them. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ArgumentError } from '../numeric/errors.js';
import { writeAtomic } from '../runs/atomicFile.js';
import { codeOf, FileError, fileError } from '../runs/fileError.js';
import { makeFolder } from '../runs/makeFolder.js';
import type { Simulator } from '../simulation/robot.js';
import { type DatasetFile, datasetOf, datasets, fileOf } from '../tasks/datasets.js';
import type { DataSource } from '../tasks/task.js';
import { robotData, robotPackage } from './robotData.js';

type Settings = Readonly<Record<string, string | undefined>>;

/** `NEMOKIT_DATA`, else `nemokit` in the system's folder for data of programs. */
export function dataFolderPath(env: Settings = process.env, platform = process.platform, home = homedir()) {
  return env.NEMOKIT_DATA || join(userFolder('data', env, platform, home), 'nemokit');
}

/** Folders in which computed files are kept, best first. */
export function cacheFolderPaths(
  folder: string,
  env: Settings = process.env,
  platform = process.platform,
  home = homedir(),
): string[] {
  if (env.NEMOKIT_CACHE) return [env.NEMOKIT_CACHE];
  const own = join(userFolder('cache', env, platform, home), 'nemokit');
  // a folder that was named may be shared: nothing is put into it that nobody asked for
  return env.NEMOKIT_DATA ? [own] : [join(folder, 'cache'), own];
}

/** Where a file of a dataset belongs. */
export function filePath(folder: string, dataset: string, name: string): string {
  return join(datasetOf(dataset).ships ? robotData() : folder, dataset, name);
}

function userFolder(kind: 'data' | 'cache', env: Settings, platform: string, home: string): string {
  const chosen = kind === 'data' ? env.XDG_DATA_HOME : env.XDG_CACHE_HOME;
  // The XDG specification says to ignore relative paths.
  if (chosen && isAbsolute(chosen)) return chosen;
  if (platform === 'darwin') return join(home, 'Library', kind === 'data' ? 'Application Support' : 'Caches');
  if (platform === 'win32') return env.LOCALAPPDATA || join(home, 'AppData', 'Local');
  return join(home, kind === 'data' ? join('.local', 'share') : '.cache');
}

/** Where data sets lie. */
export interface DataFolderOptions {
  /** Default: `dataFolderPath()`. */
  readonly folder?: string;
  /** Where computed files are looked for and kept, best first. Default: `cacheFolderPaths(folder)`. */
  readonly caches?: readonly string[];
  /** Called while a file for the cache is computed. */
  readonly onProgress?: (name: string, share: number) => void;
}

/** Data sets on this machine, as tasks read them. */
export interface DataFolder extends DataSource {
  readonly path: string;
}

/** Reads whole files and checks their SHA-256 every time: the largest takes 20 ms. */
export function openDataFolder({ folder, caches, onProgress }: DataFolderOptions = {}): DataFolder {
  const path = folder ?? dataFolderPath();
  const cacheFolders = caches ?? cacheFolderPaths(path);
  // what somebody put beside shared data is used
  const looked = caches ? cacheFolders : [...new Set([...cacheFolders, join(path, 'cache')])];
  const making = new Map<string, Promise<Uint8Array>>();
  let simulator: Promise<Simulator> | undefined;
  return {
    path,
    async read(dataset, name) {
      const file = fileOf(dataset, name);
      const place = filePath(path, dataset, name);
      const bytes = await readFile(place).catch((error: unknown) => {
        throw codeOf(error) === 'ENOENT'
          ? new FileError(missingText(path, dataset, file), place, 'ENOENT')
          : fileError(place, error, 'read');
      });
      if (sha256(bytes) !== file.sha256) throw new FileError(wrongText(place, dataset, file, bytes), place);
      return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    },
    async fingerprints(options) {
      const { openFingerprints } = await import('../problem/platform/rdkit.js');
      return openFingerprints(options);
    },
    simulator() {
      simulator ??= startSimulator().catch((error: unknown) => {
        simulator = undefined;
        throw error;
      });
      return simulator;
    },
    cached(name, make) {
      if (!/^[\w.-]+$/.test(name) || /^\./.test(name))
        throw new ArgumentError('name', `"${name}" cannot be the name of a cached file`);
      let made = making.get(name);
      if (!made) {
        made = cachedFile(looked, cacheFolders, name, () =>
          make((share) => onProgress?.(name, share)),
        ).finally(() => making.delete(name));
        making.set(name, made);
      }
      return made;
    },
  };
}

async function startSimulator(): Promise<Simulator> {
  const { openSimulator } = await import('../simulation/platform/node.js');
  return openSimulator();
}

/** A cached file: the SHA-256 of the rest (32 bytes), and the rest. A damaged one is computed again. */
async function cachedFile(
  looked: readonly string[],
  kept: readonly string[],
  name: string,
  make: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  for (const folder of looked) {
    const file = await readFile(join(folder, name)).catch(() => undefined);
    if (!file || file.length < 32) continue;
    const digest = createHash('sha256').update(file.subarray(32)).digest();
    if (digest.equals(file.subarray(0, 32))) return Uint8Array.from(file.subarray(32));
  }
  const bytes = await make();
  const file = Buffer.concat([createHash('sha256').update(bytes).digest(), bytes]);
  for (const folder of kept) {
    try {
      await makeFolder(folder);
      await writeAtomic(join(folder, name), file);
      break;
    } catch {
      // Not cached here; the result is right all the same.
    }
  }
  return bytes;
}

export type FileState = 'right' | 'missing' | 'wrong';

export interface FoundFile {
  readonly dataset: string;
  readonly file: DatasetFile;
  readonly path: string;
  readonly state: FileState;
}

/** State of every file of some datasets (default: all), by SHA-256. */
export async function examineFiles(
  folder: string,
  ids: readonly string[] = datasets.map(({ id }) => id),
): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const id of ids) {
    for (const file of datasetOf(id).files) {
      const path = filePath(folder, id, file.name);
      found.push({ dataset: id, file, path, state: await stateOf(path, file) });
    }
  }
  return found;
}

export async function stateOf(path: string, file: DatasetFile): Promise<FileState> {
  try {
    return sha256(await readFile(path)) === file.sha256 ? 'right' : 'wrong';
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return 'missing';
    throw fileError(path, error, 'read');
  }
}

/** How to get a missing file by hand. */
export function byHandText(folder: string, dataset: string, file: DatasetFile): string {
  const place = filePath(folder, dataset, file.name);
  if (datasetOf(dataset).ships) return `It is in a package of its own: npm install ${robotPackage}`;
  return `${file.byHand} Put it at ${place} (${file.bytes} bytes, SHA-256 ${file.sha256}).`;
}

function missingText(folder: string, dataset: string, file: DatasetFile): string {
  const { ships } = datasetOf(dataset);
  if (ships) return `${dataset}/${file.name} is not there. ${byHandText(folder, dataset, file)}`;
  const what = `${filePath(folder, dataset, file.name)} is not there.`;
  return file.url === null
    ? `${what} ${byHandText(folder, dataset, file)} If a folder of datasets is elsewhere: set NEMOKIT_DATA to it, or nemokit data get ${dataset} --from <folder>`
    : `${what} Get it: nemokit data get ${dataset}`;
}

function wrongText(place: string, dataset: string, file: DatasetFile, bytes: Uint8Array): string {
  return (
    `${place} is not the file that this task was made for: it has ${bytes.length} bytes and SHA-256 ${sha256(bytes)}; ` +
    `expected ${file.bytes} bytes and ${file.sha256}. ` +
    (datasetOf(dataset).ships
      ? `Get it again: npm install ${robotPackage}`
      : `Remove it, then: nemokit data get ${dataset}`)
  );
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
