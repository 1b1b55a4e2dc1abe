// The page of docs/browser.md can be built and answers; built.slow.test.ts compares what it designs.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executable } from './chromium.js';
import { build, listFiles, makeProject, usePage } from './documentedProject.js';
import { launch } from './pages.js';

describe.skipIf(!executable)('a page built by', () => {
  let browser: Browser;
  let project: string;

  beforeAll(async () => {
    project = makeProject();
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    if (project) rmSync(project, { recursive: true });
  });

  it.each([
    ['Vite', 'dist'],
    ['esbuild', 'out'],
  ])('%s brings all it needs, and its worker answers', async (heading, made) => {
    build(project, heading);
    const folder = join(project, made);
    const files = listFiles(folder);
    expect(files.filter((file) => file.endsWith('.wasm'))).toHaveLength(1);
    // what is loaded at once; the solver has a call of import() that browsers never reach
    for (const file of files.filter((name) => name.endsWith('.js')))
      expect(readFileSync(file, 'utf8').match(/(?:from|import) ?["'`]node:/g)).toBeNull();
    const { text, warnings } = await usePage(
      browser,
      { folder },
      { table: 'temp,yield\n1,2\n3,4,5\n', ask: { goal: 'max yield' } },
    );
    expect(text).toMatch(/^past\.csv:3, column "yield": 3 cells where the header has 2;/);
    expect(warnings).toEqual([]);
  });
});
