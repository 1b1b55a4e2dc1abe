/** Folders of benchmark records, as the app draws them. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecords, recordsName } from '../../bench/records.js';
import { inOrder } from '../../bench/summary.js';
import { largest, median } from '../../numeric/stats.js';
import type { BenchFolder } from '../protocol/index.js';
import { RefusedError } from './refused.js';
import { requireName } from './studioFolder.js';

/** Names of the folders in `folder` that hold records. */
export async function benchesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries)
    if (entry.isDirectory() && !entry.name.startsWith('.') && (await holdsRecords(join(folder, entry.name))))
      found.push(entry.name);
  return found.toSorted();
}

/** Throws `RefusedError` or `FileError`. */
export async function openBench(folder: string, id: string): Promise<BenchFolder> {
  const path = join(folder, requireName(id, 'folder'));
  const isFolder = (await lstat(path).catch(() => undefined))?.isDirectory() ?? false;
  if (!isFolder || !(await holdsRecords(path)))
    throw new RefusedError(404, `there is no folder of benchmark records ${JSON.stringify(id)} here`);
  const { records } = await readRecords(path);
  return {
    id,
    trials: inOrder(records).map(({ task, algorithm, variant, seed, result }) => ({
      task,
      algorithm,
      variant,
      seed,
      best: largest(result.scores),
      median: median(result.scores),
      visibleMax: result.visibleMax,
      range: result.range,
      curve: result.curve.map(({ iteration, best, median }) => ({
        iteration,
        ...(best !== undefined && { best }),
        ...(median !== undefined && { median }),
      })),
    })),
  };
}

/** A regular file, not a link to another place. */
async function holdsRecords(path: string): Promise<boolean> {
  return (await lstat(join(path, recordsName)).catch(() => undefined))?.isFile() ?? false;
}
