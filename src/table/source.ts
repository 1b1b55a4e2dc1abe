/** Bytes of a table, in chunks: from memory, a file of a browser or a stream, and unpacked from gzip. */
import { TableError } from './table.js';
import { tableFault } from './tableBuilder.js';

/** A `File` or `Blob` of a browser or of Node. */
interface BlobLike {
  readonly name?: string;
  arrayBuffer(): Promise<ArrayBuffer>;
  stream?(): unknown;
}

export type ByteSource =
  | Uint8Array
  | ArrayBuffer
  | BlobLike
  | AsyncIterable<Uint8Array>
  | ReadableStream<Uint8Array>;

/** Bytes that can be read from the beginning, once or as often as needed. */
export interface Input {
  readonly isRepeatable: boolean;
  open(): AsyncIterable<Uint8Array>;
}

const chunkBytes = 1 << 20;

export function inputOf(source: ByteSource): Input {
  if (source instanceof Uint8Array) return { isRepeatable: true, open: () => pieces(source) };
  if (source instanceof ArrayBuffer)
    return { isRepeatable: true, open: () => pieces(new Uint8Array(source)) };
  if (source instanceof ReadableStream) return { isRepeatable: false, open: () => streamChunks(source) };
  if (Symbol.asyncIterator in source) return { isRepeatable: false, open: () => source };
  return { isRepeatable: true, open: () => blobChunks(source) };
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += chunkBytes)
    yield bytes.subarray(start, start + chunkBytes);
}

async function* blobChunks(blob: BlobLike): AsyncGenerator<Uint8Array> {
  const stream = blob.stream?.();
  if (stream instanceof ReadableStream) yield* streamChunks(stream);
  else yield* pieces(new Uint8Array(await blob.arrayBuffer()));
}

/** By reader: not every browser can iterate a stream. */
export async function* streamChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited: a source that has stalled would keep an error waiting.
    reader.cancel().catch(() => {});
  }
}

export interface Peeked {
  readonly head: Uint8Array;
  /** All chunks, the head included. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Lets go of the source, read to its end or not. */
  close(): void;
}

export async function peek(chunks: AsyncIterable<Uint8Array>, bytes: number): Promise<Peeked> {
  const iterator = chunks[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  let length = 0;
  while (length < bytes) {
    const next = await iterator.next();
    if (next.done) break;
    seen.push(next.value);
    length += next.value.length;
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* seen;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  const close = () => {
    iterator.return?.().catch(() => {});
  };
  return { head: joined(seen).subarray(0, bytes), chunks: all(), close };
}

export async function collect(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  maximum: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maximum)
      throw tableFault(file, `has more than ${maximum} bytes; raise \`maxBytes\` if that is meant`);
    parts.push(chunk);
  }
  return joined(parts);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** The bytes inside a gzip, at most `maximum` of them: a small file can hold terabytes of zeros. */
export async function* gunzip(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  maximum: number,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const compressed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value as Uint8Array<ArrayBuffer>);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  let length = 0;
  try {
    for await (const chunk of streamChunks(compressed.pipeThrough(new DecompressionStream('gzip')))) {
      length += chunk.length;
      if (length > maximum)
        throw tableFault(
          file,
          `holds more than ${maximum} bytes when decompressed; raise \`maxBytes\` if that is meant`,
        );
      yield chunk;
    }
  } catch (error) {
    if (error instanceof TableError) throw error;
    throw tableFault(file, 'the gzip data are damaged or cut short; copy or download the file again');
  }
}
