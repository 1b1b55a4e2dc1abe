import type { Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executable } from './chromium.js';
import { job } from './job.js';
import { address, launch, serve } from './pages.js';

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
