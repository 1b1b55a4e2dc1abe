// `nemokit studio` in a browser: from a dropped table to the bytes of the command line, in several tabs, reloaded and paused.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executable } from '../browser/chromium.js';
import { launch } from '../browser/pages.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const main = join(root, 'dist/cli/main.js');
const table = join(root, 'src/studio/web/public/examples/reactor.csv');

/** Runs of some ten seconds on an idle machine. */
const LONG = 600_000;
/** A run that no machine ends during a test; it has no design before it is trained. */
const endless = { goals: ['max yield'], effort: 'fast', options: { pretrainSteps: 10_000_000 } };

if (!executable) process.stderr.write('tests of the studio are skipped: there is no Chromium on the PATH\n');

describe.skipIf(!executable)('the studio of the command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nemokit-served-'));
  let studio: ReturnType<typeof spawn>;
  let link: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const faults: string[] = [];

  async function newTab(): Promise<Page> {
    const tab = await context.newPage();
    // two cores may be shared with other tests
    tab.setDefaultTimeout(180_000);
    tab.on('pageerror', ({ message }) => faults.push(message));
    tab.on('dialog', (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    tab.on('console', (said) => {
      if (said.type() === 'error') faults.push(said.text());
    });
    return tab;
  }

  beforeAll(async () => {
    copyFileSync(table, join(folder, 'reactor.csv'));
    studio = spawn(process.execPath, [main, 'studio', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    [link] = (await once(createInterface({ input: studio.stdout! }), 'line')) as [string];
    browser = await launch();
    context = await browser.newContext({ viewport: { width: 1280, height: 860 }, acceptDownloads: true });
    page = await newTab();
  }, LONG);

  afterAll(async () => {
    await browser?.close();
    const ended = once(studio, 'exit');
    studio.kill('SIGINT');
    expect((await ended)[0]).toBe(0);
    rmSync(folder, { recursive: true, force: true });
  }, LONG);

  it(
    'lets in whoever has the link, and nobody else',
    async () => {
      const { origin } = new URL(link);
      const stranger = await browser.newContext();
      const other = await stranger.newPage();
      expect((await other.goto(`${origin}/`))!.status()).toBe(401);
      expect((await other.goto(`${origin}/open?token=wrong`))!.status()).toBe(401);
      await stranger.close();
      await page.goto(link);
      await page.getByRole('heading', { level: 1 }).waitFor();
      // the token is in a cookie that no script reads, and no longer in the address
      expect(page.url()).not.toContain('token');
      expect(await page.evaluate('document.cookie')).toBe('');
      expect(await page.evaluate('crossOriginIsolated')).toBe(true);
    },
    LONG,
  );

  it(
    'goes on through a reload, and is paused and stopped in two tabs',
    async () => {
      await page.goto(link);
      await page.getByLabel('Table of past experiments').setInputFiles(table);
      await page.getByText('What was found').waitFor();
      const id = new URL(page.url()).hash.split(/[/?]/)[2]!;
      const ask = encodeURIComponent(JSON.stringify(endless));
      await page.goto(new URL(`/#/problem/${id}?ask=${ask}`, link).href);
      await page.getByRole('button', { name: /^Design/ }).click();
      const working = (tab: Page) => tab.getByText(/step [1-9]\d* of 10000000/).waitFor();
      await working(page);
      // unlike a page that computes by itself, the run goes on
      await page.reload();
      await working(page);
      const second = await newTab();
      await second.goto(page.url());
      await working(second);
      const titles = async (name: string) => {
        for (const tab of [page, second]) await tab.getByRole('heading', { name, exact: true }).waitFor();
      };
      await titles('Designing');
      await second.getByRole('button', { name: 'Pause' }).click();
      await titles('Paused');
      await page.getByRole('button', { name: 'Resume' }).click();
      await titles('Designing');
      await second.getByRole('button', { name: 'Stop and keep' }).click();
      // there was no design yet
      await titles('Interrupted');
      await second.close();
      expect(faults).toEqual([]);
    },
    LONG,
  );

  it(
    'designs what the command line designs, paused, reloaded, and seen in two tabs',
    async () => {
      await page.goto(link);
      await page.getByLabel('Table of past experiments').setInputFiles(table);
      await page.getByText('What was found').waitFor();
      await page.getByRole('link', { name: 'State the problem' }).click();
      await page.locator('.meter').waitFor();
      await page.getByRole('combobox', { name: 'Effort' }).selectOption('fast');
      await page.getByText('--effort fast').waitFor();
      await page.getByRole('button', { name: /^Design/ }).click();
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('heading', { name: 'Paused' }).waitFor();
      await page.reload();
      const second = await newTab();
      await second.goto(page.url());
      for (const tab of [page, second]) await tab.getByRole('heading', { name: 'Paused' }).waitFor();
      await page.getByRole('button', { name: 'Resume' }).click();
      for (const tab of [page, second])
        await tab.getByRole('heading', { name: /experiments to run next/ }).waitFor({ timeout: LONG });
      await second.close();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download CSV' }).click(),
      ]);
      const out = join(folder, 'command');
      const asked = ['--goal', 'max yield', '--effort', 'fast', '--out', out, '--quiet'];
      execFileSync(process.execPath, [main, 'design', table, ...asked]);
      const bytes = readFileSync((await download.path())!);
      expect(bytes.equals(readFileSync(join(out, 'candidates.csv')))).toBe(true);

      // and the report leads back, from a file, where a browser sends no cookie along
      const id = new URL(page.url()).hash.split('/')[2]!;
      const report = readFileSync(join(folder, 'runs', id, 'report.html'), 'utf8');
      const said = /<a href="http:\/\/127\.0\.0\.1:4748(\/run\/[^"]+)">open in studio<\/a>/.exec(report);
      expect(said?.[1]).toBe(`/run/${id}`);
      const copy = join(folder, 'report.html');
      writeFileSync(copy, report.replace('http://127.0.0.1:4748', new URL(link).origin));
      const reader = await newTab();
      await reader.goto(pathToFileURL(copy).href);
      await reader.getByRole('link', { name: 'open in studio' }).click();
      await reader.getByRole('heading', { name: /experiments to run next/ }).waitFor();
      await reader.close();
      expect(faults).toEqual([]);
    },
    LONG,
  );

  it(
    'opens at the run that is named',
    async () => {
      const run = readdirSync(join(folder, 'runs')).find((name) =>
        existsSync(join(folder, 'runs', name, 'candidates.csv')),
      )!;
      const other = spawn(process.execPath, [main, 'studio', join(folder, 'runs', run)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        const [named] = (await once(createInterface({ input: other.stdout }), 'line')) as [string];
        const tab = await newTab();
        await tab.goto(named);
        await tab.getByRole('heading', { name: /experiments to run next/ }).waitFor();
        expect(new URL(tab.url()).hash).toContain(`/run/${run}`);
        await tab.close();
      } finally {
        const ended = once(other, 'exit');
        other.kill('SIGINT');
        await ended;
      }
      expect(faults).toEqual([]);
    },
    LONG,
  );

  it(
    'shows what a hostile table holds as text',
    async () => {
      const header = '<img src=x onerror=alert(1)>,"=HYPERLINK(""http://evil.example"")",yield';
      const rows = Array.from({ length: 30 }, (_, i) => `${i},"<script>alert(${i % 3})</script>",${i % 7}`);
      const file = join(folder, 'hostile.csv');
      writeFileSync(file, `${header}\n${rows.join('\n')}\n`);
      await page.goto(new URL('/', link).href);
      await page.getByLabel('Table of past experiments').setInputFiles(file);
      await page.getByText('What was found').waitFor();
      await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>' }).first().waitFor();
      expect(await page.locator('img[src="x"]').count()).toBe(0);
      expect(faults).toEqual([]);
    },
    LONG,
  );

  it(
    'says that a file is too large',
    async () => {
      const file = join(folder, 'large.csv');
      writeFileSync(file, 'a,b\n');
      truncateSync(file, 200e6);
      await page.goto(new URL('/', link).href);
      await page.getByLabel('Table of past experiments').setInputFiles(file);
      await page
        .getByText(/\d+ MB/)
        .first()
        .waitFor();
    },
    LONG,
  );
});
