// Real data, if they are there: in the folder that NEMOKIT_DATA names, or in ../shared/data beside the repository.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DataSource } from '../../src/tasks/task.js';

export const dataFolder =
  process.env.NEMOKIT_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));

/** Whether a dataset is there; says so on standard error if it is not. */
export function hasDataset(dataset: string): boolean {
  const isThere = existsSync(join(dataFolder, dataset));
  if (!isThere) process.stderr.write(`${dataset} skipped: not in ${dataFolder} (set NEMOKIT_DATA)\n`);
  return isThere;
}

/** Nothing is kept. */
const cached: DataSource['cached'] = (_name, make) => make(() => {});

export const folderSource: DataSource = {
  read: (dataset, file) => readFile(join(dataFolder, dataset, file)),
  cached,
};

/** A source of texts, by "dataset/file". */
export function textSource(files: Readonly<Record<string, string>>): DataSource {
  return {
    async read(dataset, file) {
      const text = files[`${dataset}/${file}`];
      if (text === undefined) throw new Error(`no ${dataset}/${file}`);
      return new TextEncoder().encode(text);
    },
    cached,
  };
}
