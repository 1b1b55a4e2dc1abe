// Pages built by Vite and by esbuild, from docs/browser.md alone, design what Node designs, digit for digit.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executable } from './chromium.js';
import { designJob, pastCsv, question } from './designJob.js';
import { build, listFiles, makeProject } from './documentedProject.js';
import { address, launch, type ServeOptions, serve } from './pages.js';

type Kernel = 'wasm' | 'auto';
type Candidates = Awaited<ReturnType<typeof designJob>>['candidates'];

/** [heading of docs/browser.md, folder that its commands make] */
const bundlers = [
  ['Vite', 'dist'],
  ['esbuild', 'out'],
] as const;

describe.skipIf(!executable)('a page built by', () => {
  let browser: Browser;
  let project: string;
  const inNode = new Map<Kernel, Candidates>();

  beforeAll(async () => {
    browser = await launch();
    project = makeProject();
    for (const kernel of ['wasm', 'auto'] as const)
      inNode.set(kernel, (await designJob(kernel, 2)).candidates);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    if (project) rmSync(project, { recursive: true });
  });

  /** What a person does with the page, and what it says. */
  async function usePage(options: ServeOptions, kernel: Kernel, threads: number) {
    const asked: string[] = [];
    const server = await serve({ ...options, asked: (path) => asked.push(path) });
    const tab = await browser.newPage();
    const warnings: string[] = [];
    const started: string[] = [];
    tab.on('console', (message) => {
      if (['warning', 'error'].includes(message.type())) warnings.push(message.text());
    });
    tab.on('worker', (worker) => started.push(worker.url().replace(/^blob:.*/, 'blob')));
    try {
      await tab.goto(address(server));
      const bytes = Buffer.from(pastCsv());
      await tab.locator('#file').setInputFiles({ name: 'past.csv', mimeType: 'text/csv', buffer: bytes });
      await tab.locator('#ask').fill(JSON.stringify(question(kernel, threads)));
      await tab.locator('#start').click();
      const output = tab.locator('#output');
      await output.filter({ hasNotText: /^(?:\w+: \d+ %)?$/ }).waitFor({ timeout: 100_000 });
      const text = await output.textContent();
      expect(text).toMatch(/^\[/);
      return { candidates: JSON.parse(text!) as Candidates, warnings, started, asked };
    } finally {
      await tab.close();
      server.close();
    }
  }

  describe.each(bundlers)('%s', (heading, made) => {
    let folder: string;

    beforeAll(() => {
      build(project, heading);
      folder = join(project, made);
    }, 120_000);

    it.each(['wasm', 'auto'] as const)(
      'designs on threads what Node designs, with the kernel %s',
      async (kernel) => {
        const { candidates, warnings, started, asked } = await usePage({ folder, isolated: true }, kernel, 2);
        expect(candidates).toHaveLength(8);
        expect(candidates).toEqual(inNode.get(kernel));
        expect(warnings).toEqual([]);
        expect(started).toContain('blob');
        // the solver was needed
        expect(asked.filter((path) => path.endsWith('.wasm'))).toHaveLength(1);
      },
      120_000,
    );

    it.each(['wasm', 'auto'] as const)(
      'says that it has one thread if it is not isolated, and designs the same, with the kernel %s',
      async (kernel) => {
        const { candidates, warnings, started } = await usePage({ folder }, kernel, 2);
        expect(candidates).toEqual(inNode.get(kernel));
        expect(warnings).toEqual([expect.stringMatching(/^nemokit: one thread computes/)]);
        expect(started).not.toContain('blob');
      },
      120_000,
    );

    it('designs the same where threads are forbidden', async () => {
      // pages may start their own worker, but that worker no other
      const policy = "worker-src 'self'";
      const moved = Object.fromEntries(
        ['worker.web', ...listFiles(folder).map((file) => file.slice(folder.length))]
          .filter((path) => path.includes('worker.web'))
          .map((path) => [path, null]),
      );
      const { candidates, warnings } = await usePage({ folder, isolated: true, policy, moved }, 'wasm', 2);
      expect(candidates).toEqual(inNode.get('wasm'));
      expect(warnings.filter((text) => text.startsWith('nemokit: '))).toEqual([
        expect.stringMatching(/threads could not be started/),
      ]);
    }, 120_000);

    it('has a worker of the size that docs/browser.md names', () => {
      const scripts = listFiles(folder).filter((file) => /worker-?[^.]*\.js$/.test(file));
      const sizes = scripts.map((file) => gzipSync(readFileSync(file)).length);
      console.log(scripts, sizes);
    });
  });
});
