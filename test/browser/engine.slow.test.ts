import type { Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executable } from './chromium.js';
import { designJob } from './designJob.js';
import { job } from './job.js';
import { address, launch, type ServeOptions, serve } from './pages.js';

describe.skipIf(!executable)('in a browser', () => {
  let browser: Browser;
  let isolated: Server;
  let ordinary: Server;

  beforeAll(async () => {
    [isolated, ordinary] = await Promise.all([serve({ isolated: true }), serve()]);
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    isolated?.close();
    ordinary?.close();
  });

  /** Warnings of the engine, and addresses of the threads that a page started, both of the last call. */
  let warnings: string[] = [];
  let started: string[] = [];

  async function inBrowser(server: Server, kernel: string, threads: number): ReturnType<typeof job> {
    const tab: Page = await browser.newPage();
    warnings = [];
    started = [];
    tab.on('console', (message) => {
      if (message.text().startsWith('nemokit: ')) warnings.push(`${message.type()} ${message.text()}`);
    });
    tab.on('worker', (worker) => started.push(worker.url()));
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
    expect(started.map((url) => url.split(':')[0])).toEqual(Array(threads - 1).fill('blob'));
    expect(warnings).toEqual([]);
    expect(here.count).toBe(11 * (5 * 24 + 24 + 24 * 24 + 24 + 24 + 1) + 64 * 5);
  });

  it('relaxed SIMD is found without a switch, with the same bits on the same machine', async () => {
    const there = await inBrowser(isolated, 'auto', 2);
    expect(there).toEqual(await inNode('wasm-relaxed', 2));
  });

  it('a page that may not share memory gets one thread and the same bits', async () => {
    const there = await inBrowser(ordinary, 'wasm', 4);
    expect(there).toEqual(await inNode('wasm', 1));
    expect(started).toEqual([]);
    expect(warnings).toEqual([
      expect.stringMatching(/^warning nemokit: one thread computes, because this page is not cross-origin/),
    ]);
    await inBrowser(ordinary, 'wasm', 1);
    expect(warnings).toEqual([]);
  });

  it('a page designs what Node designs, digit for digit', async () => {
    const tab = await browser.newPage();
    try {
      await tab.goto(address(isolated));
      const there = await tab.evaluate(
        `import('/test/browser/designJob.js').then(({ designJob }) => designJob('wasm', 2))`,
      );
      expect(there).toEqual(await designJob('wasm', 1).then((here) => ({ ...here, threads: 2 })));
    } finally {
      await tab.close();
    }
  });

  async function under(policy: string, moved: ServeOptions['moved'] = {}): ReturnType<typeof job> {
    const server = await serve({ isolated: true, policy, moved });
    try {
      return await inBrowser(server, 'wasm', 3);
    } finally {
      server.close();
    }
  }

  const script = '/dist/numeric/threads/worker.web.js';

  it("a policy without blob: gets the threads' file", async () => {
    expect(await under("worker-src 'self'")).toEqual(await inNode('wasm', 3));
    expect(started.filter((url) => url.endsWith(script))).toHaveLength(2);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['a policy forbids threads', "worker-src 'none'", {}],
    ["the threads' file is missing as well", "worker-src 'self'", { [script]: null }],
  ])('one thread computes the same bits where %s', async (_, policy, moved) => {
    expect(await under(policy, moved)).toEqual(await inNode('wasm', 1));
    expect(warnings).toEqual([
      expect.stringMatching(/^warning nemokit: threads could not be started \(.+\); fewer threads compute/),
    ]);
  });
});
