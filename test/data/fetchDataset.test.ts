// Downloads against a server on this machine that behaves as badly as real ones.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { download } from '../../src/data/fetchDataset.js';

const content = Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * 7 + (i >> 8)) % 256));
const sha256 = createHash('sha256').update(content).digest('hex');

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** One per request; the last one also for all that follow. */
let answers: Answer[] = [];
let requests: IncomingMessage[] = [];
const server = createServer((request, response) => {
  requests.push(request);
  const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
  answer(request, response);
});
let address = '';
let path = '';

const whole: Answer = (_, response) => response.end(content);
const ranged: Answer = ({ headers: { range } }, response) => {
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
  if (from > 0)
    response.writeHead(206, { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` });
  response.end(content.subarray(from));
};
/** Sends some bytes and hangs up. */
const cutAfter =
  (bytes: number): Answer =>
  (_, response) => {
    response.writeHead(200, { 'content-length': content.length });
    response.write(content.subarray(0, bytes), () => setTimeout(() => response.destroy(), 20));
  };
const status =
  (code: number): Answer =>
  (_, response) =>
    response.writeHead(code).end('no');

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests = [];
  path = join(mkdtempSync(join(tmpdir(), 'nemokit-download-')), 'deep', 'file.bin');
});

const get = (more: Partial<Parameters<typeof download>[0]> = {}) =>
  download({ url: address, path, bytes: content.length, sha256, pause: 1, ...more });

describe('a download', () => {
  it('puts the file in its place, and says how far it is', async () => {
    answers = [whole];
    const received: number[] = [];
    await get({ onProgress: (bytes) => received.push(bytes) });
    expect(readFileSync(path).equals(content)).toBe(true);
    expect(existsSync(`${path}.part`)).toBe(false);
    expect(received.at(-1)).toBe(content.length);
    expect(received).toEqual(received.toSorted((a, b) => a - b));
  });

  it('goes on after a cut with the bytes that are missing', async () => {
    answers = [cutAfter(20_000), ranged];
    await get();
    expect(readFileSync(path).equals(content)).toBe(true);
    expect(requests).toHaveLength(2);
    expect(requests[1]!.headers.range).toBe('bytes=20000-');
  });

  it('goes on in another process, from the part that was left', async () => {
    answers = [cutAfter(30_000)];
    await expect(get({ retries: 0 })).rejects.toThrow(
      /cannot be reached: .*; 30000 of 50000 bytes are kept, and the next try goes on from there/,
    );
    expect(existsSync(path)).toBe(false);
    answers = [ranged];
    await get();
    expect(requests.at(-1)!.headers.range).toBe('bytes=30000-');
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  it('begins anew with a server that does not know parts', async () => {
    answers = [cutAfter(20_000), whole];
    await get();
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  it('begins anew where the part was of other bytes', async () => {
    answers = [whole];
    await get();
    writeFileSync(`${path}.part`, Buffer.alloc(1000, 1));
    answers = [ranged];
    await get();
    expect(readFileSync(path).equals(content)).toBe(true);
    expect(requests.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=1000-', undefined]);
  });

  it('keeps nothing of a file with another checksum', async () => {
    answers = [(_, response) => response.end(Buffer.alloc(content.length, 3))];
    await expect(get()).rejects.toThrow(
      /gave another file than expected: SHA-256 [0-9a-f]{64}, not .*; it was not kept/,
    );
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
  });

  it.each([
    ['announced', (_: IncomingMessage, response: ServerResponse) => response.end(Buffer.alloc(60_000))],
    [
      'not announced',
      (_: IncomingMessage, response: ServerResponse) => {
        response.write(Buffer.alloc(40_000));
        response.end(Buffer.alloc(40_000));
      },
    ],
  ])('stops at more bytes than there should be, %s', async (_, answer) => {
    answers = [answer];
    await expect(get()).rejects.toThrow(
      /(60000 bytes|more than 50000 bytes) instead of 50000; it was not kept/,
    );
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
  });

  it('does not try a missing page again, and a busy server it does', async () => {
    answers = [status(404)];
    await expect(get()).rejects.toThrow('cannot be downloaded: the server answered 404 Not Found');
    expect(requests).toHaveLength(1);
    answers = [status(503), status(429), whole];
    await get();
    expect(requests).toHaveLength(4);
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  it('gives up on a server that says nothing, or is not there', async () => {
    answers = [() => {}];
    await expect(get({ retries: 0, patience: 50 })).rejects.toThrow('cannot be reached: nothing came for');
    await expect(get({ url: 'http://127.0.0.1:9/file', retries: 0 })).rejects.toThrow('cannot be reached: ');
  });
});
