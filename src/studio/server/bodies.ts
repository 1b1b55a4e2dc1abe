/** Bodies of requests, with limits: what is longer than it may be is refused before it is kept. */
import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { RefusedError } from './refused.js';

/** Bytes of a table that is taken at most. Larger ones are for `nemokit design`, which reads them from the disk. */
export const MOST_TABLE_BYTES = 128 * 2 ** 20;
/** Bytes of a question; pasted cells are the longest. */
export const MOST_QUESTION_BYTES = 16 * 2 ** 20;

/** The part of a request that is read here. */
export interface Sent {
  readonly headers: { get(name: string): string | null };
  readonly body: ReadableStream<Uint8Array> | null;
}

export function megabytes(bytes: number): string {
  const size = bytes / 2 ** 20;
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} MB`;
}

/** Parts of a body; throws `RefusedError` as soon as there are too many bytes. */
async function* parts({ headers, body }: Sent, limit: number, advice: string): AsyncGenerator<Uint8Array> {
  const said = headers.get('content-length');
  const tooLong = (bytes: string) =>
    new RefusedError(413, `${bytes} were sent, and at most ${megabytes(limit)} are taken${advice}`);
  if (said !== null && Number(said) > limit) throw tooLong(megabytes(Number(said)));
  if (!body) return;
  let bytes = 0;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.length;
      if (bytes > limit) throw tooLong(`more than ${megabytes(limit)}`);
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** The JSON of a body. Throws `RefusedError`. */
export async function readJson(sent: Sent): Promise<unknown> {
  if (mediaType(sent) !== 'application/json')
    throw new RefusedError(415, 'expected a body of the type application/json');
  const read: Uint8Array[] = [];
  for await (const part of parts(sent, MOST_QUESTION_BYTES, '')) read.push(part);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(read)));
  } catch {
    throw new RefusedError(400, 'the body is not JSON');
  }
}

/** Writes a body to the new file `path`; its size and checksum. Throws `RefusedError`, and leaves no file then. */
export async function keepBody(
  sent: Sent,
  path: string,
  { type = 'application/octet-stream', limit = MOST_TABLE_BYTES } = {},
): Promise<{ bytes: number; sha256: string }> {
  if (mediaType(sent) !== type) throw new RefusedError(415, `expected a body of the type ${type}`);
  return keepParts(parts(sent, limit, `; for larger tables use "nemokit design" in a terminal`), path);
}

/** Copies an opened file; it is closed. */
export async function keepFile(
  { file, size }: { readonly file: FileHandle; readonly size: number },
  path: string,
  limit = MOST_TABLE_BYTES,
): Promise<{ bytes: number; sha256: string }> {
  try {
    if (size > limit)
      throw new RefusedError(
        413,
        `the table has ${megabytes(size)}, and at most ${megabytes(limit)} are opened here; for larger tables use "nemokit design" in a terminal`,
      );
    return await keepParts(file.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>, path);
  } finally {
    await file.close();
  }
}

async function keepParts(
  source: AsyncIterable<Uint8Array>,
  path: string,
): Promise<{ bytes: number; sha256: string }> {
  const file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const part of source) {
      hash.update(part);
      bytes += part.length;
      await file.writeFile(part);
    }
    return { bytes, sha256: hash.digest('hex') };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

function mediaType({ headers }: Sent): string {
  return (headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
}
