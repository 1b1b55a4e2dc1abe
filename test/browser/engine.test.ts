import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executable } from './chromium.js';
import { job } from './job.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const types: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html' };
const page = `<!doctype html><title>nemokit</title>
<script type="importmap">{ "imports": { "#platform": "/dist/numeric/platform/web.js" } }</script>`;

/** Serves the repository; `isolated` pages may share memory between threads. */
function serve(isolated: boolean): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const file = join(root, path);
    if (isolated) {
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    }
    if (path === '/') response.setHeader('Content-Type', 'text/html').end(page);
    else if (file.startsWith(root) && existsSync(file)) {
      response
        .setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream')
        .end(readFileSync(file));
    } else response.writeHead(404).end();
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const address = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

describe.skipIf(!executable)('in a browser', () => {
  let browser: Browser;
  let isolated: Server;
  let ordinary: Server;

  beforeAll(async () => {
    [isolated, ordinary] = await Promise.all([serve(true), serve(false)]);
    browser = await chromium.launch({
      executablePath: executable!,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--no-first-run',
      ],
    });
  });

  afterAll(async () => {
    await browser?.close();
    isolated?.close();
    ordinary?.close();
  });

  async function inBrowser(server: Server, kernel: string, threads: number): ReturnType<typeof job> {
    const tab: Page = await browser.newPage();
    try {
      await tab.goto(address(server));
      const code = `(async () => {
        const numeric = await import('/dist/numeric/index.js');
        const { job } = await import('/test/browser/job.js');
        return job(numeric, ${JSON.stringify(kernel)}, ${threads});
      })()`;
      return await tab.evaluate(code);
    } finally {
      await tab.close();
    }
  }

  const inNode = async (kernel: 'wasm' | 'wasm-relaxed', threads: number) =>
    job(await import('../../dist/numeric/index.js'), kernel, threads);

  it.each([1, 3])('the plain kernel gives the bits that Node gives, with %i threads', async (threads) => {
    const here = await inNode('wasm', 2);
    const there = await inBrowser(isolated, 'wasm', threads);
    expect(there).toEqual({ ...here, threads });
    expect(here.count).toBe(11 * (5 * 24 + 24 + 24 * 24 + 24 + 24 + 1) + 64 * 5);
  });

  it('relaxed SIMD is found without a switch, with the same bits on the same machine', async () => {
    const there = await inBrowser(isolated, 'auto', 2);
    expect(there).toEqual(await inNode('wasm-relaxed', 2));
  });

  it('a page that may not share memory gets one thread and the same bits', async () => {
    const there = await inBrowser(ordinary, 'wasm', 4);
    expect(there).toEqual(await inNode('wasm', 1));
  });
});
