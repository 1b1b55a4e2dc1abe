// Where tests of tasks get their data: from memory, or from the real folder if it is there.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { filePath, openDataFolder } from '../../src/data/dataFolder.js';
import type { Simulator } from '../../src/simulation/robot.js';
import { datasetOf } from '../../src/tasks/datasets.js';
import type { DataSource } from '../../src/tasks/task.js';
import { openSourceSimulator } from '../simulation/open.js';

export const realFolder =
  process.env.NEMOKIT_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));

export function isThere(dataset: string): boolean {
  return datasetOf(dataset).files.every(({ name }) => existsSync(filePath(realFolder, dataset, name)));
}

/** Says why on standard error where data are missing. */
export function isThereOrSaysWhy(dataset: string, what: string): boolean {
  if (isThere(dataset)) return true;
  process.stderr.write(`${what} skipped: no ${dataset} in ${realFolder} (set NEMOKIT_DATA)\n`);
  return false;
}

/** Keeps what is computed in memory. */
export function memoryCache(): DataSource['cached'] & { readonly names: string[] } {
  const kept = new Map<string, Promise<Uint8Array>>();
  const names: string[] = [];
  const cached: DataSource['cached'] = (name, make) => {
    let bytes = kept.get(name);
    if (!bytes) {
      names.push(name);
      bytes = make(() => {});
      kept.set(name, bytes);
    }
    return bytes;
  };
  return Object.assign(cached, { names });
}

/** The real files, without a trace in any folder. */
export function realSource(): DataSource {
  return {
    ...openDataFolder({ folder: realFolder, caches: [] }),
    cached: memoryCache(),
    simulator: openOnce,
  };
}

let simulator: Promise<Simulator> | undefined;

/** One for all tests of a file; its threads do not keep a process from ending. */
function openOnce(): Promise<Simulator> {
  simulator ??= openSourceSimulator();
  return simulator;
}

export function memorySource(files: Readonly<Record<string, Uint8Array>>): DataSource {
  return {
    read: async (dataset, file) => {
      const bytes = files[`${dataset}/${file}`];
      if (!bytes) throw new Error(`no ${dataset}/${file}`);
      return bytes;
    },
    cached: memoryCache(),
  };
}

/** A source of texts, by "dataset/file". */
export function textSource(files: Readonly<Record<string, string>>): DataSource {
  const bytes = Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)]);
  return memorySource(Object.fromEntries(bytes));
}
