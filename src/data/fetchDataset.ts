/** Puts the files of a dataset in the data folder: from their public homes, from a mirror, or from a folder. */
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAtomic } from '../runs/atomicFile.js';
import { FileError, fileError } from '../runs/fileError.js';
import type { DatasetFile, DatasetSpec } from '../tasks/datasets.js';
import { byHandText, filePath, sha256, stateOf } from './dataFolder.js';
import { type Download, download } from './download.js';

export interface FetchOptions extends Pick<Download, 'retries' | 'pause' | 'patience'> {
  /** A folder, or an http address, that holds `<dataset>/<file>`; default: the public home of each file. */
  readonly from?: string;
  readonly onProgress?: (file: DatasetFile, received: number) => void;
}

export interface FetchedFile {
  readonly file: DatasetFile;
  readonly path: string;
  /** `kept`: was there and right. `byHand`: could not be fetched; `reason` says why and what to do. */
  readonly outcome: 'kept' | 'fetched' | 'byHand';
  readonly reason?: string;
}

/** One file after the other; a file that cannot be had does not keep the others from coming. */
export async function fetchDataset(
  folder: string,
  dataset: DatasetSpec,
  options: FetchOptions = {},
): Promise<FetchedFile[]> {
  const fetched: FetchedFile[] = [];
  for (const file of dataset.files) {
    const path = filePath(folder, dataset.id, file.name);
    if ((await stateOf(path, file)) === 'right') {
      fetched.push({ file, path, outcome: 'kept' });
      continue;
    }
    // The folder of the package is npm's to write.
    const place = dataset.ships ? null : placeOf(dataset.id, file, options.from);
    if (place === null) {
      const words = byHandText(folder, dataset.id, file);
      const reason = dataset.ships ? words : `It has no public home. ${words}`;
      fetched.push({ file, path, outcome: 'byHand', reason });
      continue;
    }
    try {
      if (isAddress(place)) await fromWeb(place, path, file, options);
      else await fromFolder(place, path, file);
      fetched.push({ file, path, outcome: 'fetched' });
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      // A full disk or a folder that may not be written is no reason to download by hand.
      if (error.code !== undefined && error.code !== 'ECONNREFUSED') throw error;
      const reason = `${error.message}. ${byHandText(folder, dataset.id, file)}`;
      fetched.push({ file, path, outcome: 'byHand', reason });
    }
  }
  return fetched;
}

function isAddress(place: string): boolean {
  return /^https?:\/\//i.test(place);
}

function placeOf(dataset: string, file: DatasetFile, from: string | undefined): string | null {
  if (from === undefined) return file.url;
  if (!isAddress(from)) return join(from, dataset, file.name);
  return `${from.replace(/\/+$/, '')}/${dataset}/${encodeURIComponent(file.name)}`;
}

async function fromWeb(url: string, path: string, file: DatasetFile, options: FetchOptions): Promise<void> {
  const { from: _, onProgress, ...rest } = options;
  await download({
    ...rest,
    url,
    path,
    bytes: file.bytes,
    sha256: file.sha256,
    onProgress: (received) => onProgress?.(file, received),
  });
}

async function fromFolder(source: string, path: string, file: DatasetFile): Promise<void> {
  const bytes = await readFile(source).catch((error: unknown) => {
    throw new FileError(fileError(source, error, 'read').message, source);
  });
  if (sha256(bytes) !== file.sha256)
    throw new FileError(
      `${source} is another file than expected: ${bytes.length} bytes, SHA-256 ${sha256(bytes)}; it was not copied`,
      source,
    );
  await mkdir(dirname(path), { recursive: true }).catch((error: unknown) => {
    throw fileError(path, error, 'written');
  });
  await writeAtomic(path, bytes);
}
