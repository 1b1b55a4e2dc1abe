/**
 * Puts the files of a dataset in the data folder: from their public homes, a mirror, or another folder. A download goes
 * to `<path>.part`, is resumed after a broken connection (Range), checked, and only then renamed.
 */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder, writeAtomic } from '../runs/atomicFile.js';
import { codeOf, FileError, fileError } from '../runs/fileError.js';
import { makeFolder } from '../runs/makeFolder.js';
import type { DatasetFile, DatasetSpec } from '../tasks/datasets.js';
import { byHandText, filePath, sha256, stateOf } from './dataFolder.js';

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

/** One file after the other; a file that cannot be fetched does not stop the others. */
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
    // Only npm writes to the folder of a package.
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
      // Downloading by hand does not help against a full disk or missing permissions.
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
  await makeFolder(dirname(path));
  await writeAtomic(path, bytes);
}

export interface Download {
  readonly url: string;
  readonly path: string;
  /** Exact; a larger answer is refused before it fills the disk. */
  readonly bytes: number;
  readonly sha256: string;
  readonly onProgress?: (received: number) => void;
  /** How often a connection that broke is tried again; default 3. */
  readonly retries?: number;
  /** Milliseconds before the first of these, doubled each time; default 500. */
  readonly pause?: number;
  /** Milliseconds without a byte after which a connection counts as broken; default 30 000. */
  readonly patience?: number;
}

/** The server could not be reached, or the connection broke. Trying again may help. */
class ConnectionError extends Error {}

export async function download(task: Download): Promise<void> {
  const part = `${task.path}.part`;
  try {
    await makeFolder(dirname(task.path));
    // A part of another file shows in the checksum: then once more from the start.
    const wasBegun = (await sizeOf(part)) > 0;
    await receive(task, part);
    let found = await hashOf(part);
    if (found !== task.sha256 && wasBegun) {
      await rm(part, { force: true });
      await receive(task, part);
      found = await hashOf(part);
    }
    if (found !== task.sha256) {
      await rm(part, { force: true });
      throw new FileError(
        `${task.url} gave another file than expected: SHA-256 ${found}, not ${task.sha256}; it was not kept`,
        task.path,
      );
    }
    await rename(part, task.path);
    await syncFolder(dirname(task.path));
  } catch (error) {
    throw fileError(task.path, error, 'written');
  }
}

/** Until `part` has all its bytes. */
async function receive(task: Download, part: string): Promise<void> {
  const { url, bytes, retries = 3, pause = 500 } = task;
  for (let attempt = 0; ; attempt++) {
    try {
      await receiveOnce(task, part);
      return;
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      if (attempt < retries) {
        await new Promise((resolve) => setTimeout(resolve, pause * 2 ** attempt));
        continue;
      }
      const have = await sizeOf(part);
      const rest =
        have > 0 ? `; ${have} of ${bytes} bytes are kept, and the next try goes on from there` : '';
      throw new FileError(`${url} cannot be reached: ${error.message}${rest}`, task.path, 'ECONNREFUSED');
    }
  }
}

async function receiveOnce(task: Download, part: string): Promise<void> {
  const { url, path, bytes, onProgress, patience = 30_000 } = task;
  let have = await sizeOf(part);
  if (have > bytes) {
    await rm(part, { force: true });
    have = 0;
  }
  if (have === bytes) return;
  const controller = new AbortController();
  let timer = setTimeout(() => controller.abort(), patience);
  try {
    const response = await fetch(url, {
      // Compressed answers have other lengths.
      headers: { 'accept-encoding': 'identity', ...(have > 0 && { range: `bytes=${have}-` }) },
      signal: controller.signal,
    }).catch((error: unknown) => {
      throw new ConnectionError(reasonOf(error, patience));
    });
    if (response.status === 416) {
      await response.body?.cancel();
      await rm(part, { force: true });
      throw new ConnectionError('the server does not know the part that is missing');
    }
    if (response.status >= 500 || response.status === 429) {
      await response.body?.cancel();
      throw new ConnectionError(`the server answered ${response.status} ${response.statusText}`.trimEnd());
    }
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      throw new FileError(
        `${url} cannot be downloaded: the server answered ${`${response.status} ${response.statusText}`.trimEnd()}`,
        path,
      );
    }
    const isRest =
      response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${have}-`) === true;
    const begin = isRest ? have : 0;
    const length = Number(response.headers.get('content-length') ?? Number.NaN);
    if (begin + length > bytes) {
      await response.body.cancel();
      throw tooLarge(task, `${begin + length} bytes`);
    }
    const file = await open(part, isRest ? 'a' : 'w');
    let received = begin;
    try {
      const reader = response.body.getReader();
      for (;;) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          throw new ConnectionError(reasonOf(error, patience));
        });
        if (done) break;
        clearTimeout(timer);
        timer = setTimeout(() => controller.abort(), patience);
        received += value.length;
        if (received > bytes) {
          await reader.cancel().catch(() => {});
          throw tooLarge(task, `more than ${bytes} bytes`);
        }
        await file.writeFile(value);
        onProgress?.(received);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    if (received < bytes)
      throw new ConnectionError(`the connection was cut after ${received} of ${bytes} bytes`);
  } catch (error) {
    if (error instanceof TooLargeError) await rm(part, { force: true });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

class TooLargeError extends FileError {}

function tooLarge({ url, path, bytes }: Download, found: string): TooLargeError {
  return new TooLargeError(
    `${url} gave another file than expected: ${found} instead of ${bytes}; it was not kept`,
    path,
  );
}

/** Node's fetch says only "fetch failed"; the cause says why. */
function reasonOf(error: unknown, patience: number): string {
  if (error instanceof Error && error.name === 'AbortError')
    return `nothing came for ${Math.round(patience / 1000)} seconds`;
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = codeOf(cause);
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'the connection was refused',
    ECONNRESET: 'the connection was cut',
    UND_ERR_SOCKET: 'the connection was cut',
    ENOTFOUND: 'there is no such server, or no network',
    EAI_AGAIN: 'there is no network',
    ENETUNREACH: 'there is no network',
    ETIMEDOUT: 'the server did not answer',
    UND_ERR_CONNECT_TIMEOUT: 'the server did not answer',
  };
  return known[code ?? ''] ?? (cause instanceof Error ? cause.message : String(cause));
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
