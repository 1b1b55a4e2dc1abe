import { streamChunks } from './source.js';
import { TableError } from './table.js';
import { tableFault } from './tableBuilder.js';

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
