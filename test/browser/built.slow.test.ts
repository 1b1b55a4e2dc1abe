// Pages built by Vite and by esbuild, from docs/browser.md alone, design what Node designs, digit for digit.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executable } from './chromium.js';
import { designJob, pastCsv, question } from './designJob.js';
import { build, listFiles, makeProject, usePage } from './documentedProject.js';
import { launch, type ServeOptions } from './pages.js';

type Kernel = 'wasm' | 'auto';
type Candidates = Awaited<ReturnType<typeof designJob>>['candidates'];

const document = readFileSync(new URL('../../docs/browser.md', import.meta.url), 'utf8');

/** Several runs, each of some seconds. */
const LONG = 240_000;

describe.skipIf(!executable)('a page', () => {
  let browser: Browser;
  let project: string;
  const inNode = new Map<Kernel, Candidates>();

  beforeAll(async () => {
    browser = await launch();
    project = makeProject();
    for (const kernel of ['wasm', 'auto'] as const)
      inNode.set(kernel, (await designJob(kernel, 2)).candidates);
  }, LONG);

  afterAll(async () => {
    await browser?.close();
    if (project) rmSync(project, { recursive: true });
  });

  /** Runs the page and compares its candidates with Node's. */
  async function compare(options: ServeOptions, kernel: Kernel, page?: string) {
    const use = { table: pastCsv(), ask: question(kernel, 2), ...(page !== undefined && { page }) };
    const { text, ...rest } = await usePage(browser, options, use);
    expect(text).toMatch(/^\[/);
    const candidates = JSON.parse(text);
    expect(candidates).toHaveLength(8);
    expect(candidates).toEqual(inNode.get(kernel));
    return rest;
  }

  const kernels = ['wasm', 'auto'] as const;
  const policy = /^ {4}Content-Security-Policy: (.*)$/m.exec(document)![1]!;
  const oneThread = expect.stringMatching(/^nemokit: one thread computes/);

  /** [heading of docs/browser.md, folder that its commands make] */
  describe.each([
    ['Vite', 'dist'],
    ['esbuild', 'out'],
  ])('built by %s', (heading, made) => {
    let folder: string;

    beforeAll(() => {
      build(project, heading);
      folder = join(project, made);
    }, LONG);

    it('designs on threads what Node designs', { timeout: LONG }, async () => {
      for (const kernel of kernels) {
        const { warnings, started, asked } = await compare({ folder, isolated: true, policy }, kernel);
        expect(warnings).toEqual([]);
        expect(started).toContain('blob');
        // the solver was needed
        expect(asked.filter((path) => path.endsWith('.wasm'))).toHaveLength(1);
      }
    });

    it('says that it has one thread if it is not isolated, and designs the same', {
      timeout: LONG,
    }, async () => {
      for (const kernel of kernels) {
        const { warnings, started } = await compare({ folder }, kernel);
        expect(warnings).toEqual([oneThread]);
        expect(started).not.toContain('blob');
      }
    });

    it('says that threads are forbidden, and designs the same', { timeout: LONG }, async () => {
      // the page may start its own worker, but that worker finds no script for a thread
      const strict = policy.replace(' blob:', '');
      const files = listFiles(folder).map((file) => file.slice(folder.length));
      const moved = Object.fromEntries(
        files.filter((path) => path.includes('worker.web')).map((path) => [path, null]),
      );
      const { warnings } = await compare({ folder, isolated: true, policy: strict, moved }, 'wasm');
      expect(warnings.filter((text) => text.startsWith('nemokit: '))).toEqual([
        expect.stringMatching(/^nemokit: threads could not be started/),
      ]);
    });

    it('starts threads from a file where a policy has no blob:, if there is one', {
      timeout: LONG,
    }, async () => {
      const strict = policy.replace(' blob:', '');
      const { warnings } = await compare({ folder, isolated: true, policy: strict }, 'wasm');
      const said = warnings.filter((text) => text.startsWith('nemokit: '));
      expect(said).toHaveLength(heading === 'Vite' ? 0 : 1);
    });

    it('has the size that docs/browser.md names', () => {
      const sizes = listFiles(folder).map((file) => gzipSync(readFileSync(file)).length);
      const [solver = 0, worker = 0] = sizes.toSorted((a, b) => b - a);
      const named = (row: string) =>
        Number(new RegExp(`^\\| ${row}[^|]*\\| +([\\d,]+) kB`, 'm').exec(document)?.[1]?.replace(',', ''));
      expect(Math.abs(worker / 1000 / named('the worker') - 1)).toBeLessThan(0.1);
      expect(Math.abs(solver / 1000 / named('`highs.wasm`') - 1)).toBeLessThan(0.1);
    });
  });

  it('may load parts when they are needed', { timeout: LONG }, async () => {
    const config = join(project, 'vite.config.js');
    const text = readFileSync(config, 'utf8');
    writeFileSync(config, text.replace('export default {', "export default { worker: { format: 'es' },"));
    build(project, 'Vite', ' --outDir=vite-parts');
    build(project, 'esbuild', ' --splitting');
    for (const made of ['vite-parts', 'out'])
      await compare({ folder: join(project, made), isolated: true }, 'wasm');
  });

  it('works without a bundler', { timeout: LONG }, async () => {
    const { warnings } = await compare({ folder: project, isolated: true }, 'wasm', 'plain.html');
    expect(warnings).toEqual([]);
  });
});
