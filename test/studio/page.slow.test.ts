// The page without a server, built as `npm run build:web` builds it: from a dropped table to a downloaded batch.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import type { Browser, BrowserContext, Download, Page } from 'playwright-core';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executable } from '../browser/chromium.js';
import { address, launch, serve } from '../browser/pages.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const main = join(root, 'dist/cli/main.js');
const table = join(root, 'src/studio/web/public/examples/reactor.csv');
const axeScript = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Runs of some ten seconds on an idle machine. */
const LONG = 600_000;
/** A run that no machine ends during a test; it has no design before it is trained. */
const endless = { goals: ['max yield'], effort: 'fast', options: { pretrainSteps: 10_000_000 } };

if (!executable) process.stderr.write('tests of the studio are skipped: there is no Chromium on the PATH\n');

describe.skipIf(!executable)('the studio without a server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nemokit-studio-'));
  const web = join(folder, 'web');
  let browser: Browser;
  let server: Server;
  let base: string;
  let context: BrowserContext;
  let page: Page;
  const faults: string[] = [];
  const asked: string[] = [];
  /** A run of the command line, which the page opens: no test needs what another one made. */
  const run = 'reactor-run';
  let csv: string;

  beforeAll(async () => {
    execFileSync(process.execPath, [join(root, 'scripts/buildWeb.mjs'), web]);
    csv = designed(run, 'wasm');
    server = await serve({ folder: web, isolated: true, asked: (path) => asked.push(path) });
    base = address(server);
    browser = await launch();
    context = await browser.newContext({ viewport: { width: 1280, height: 860 }, acceptDownloads: true });
    page = await context.newPage();
    // two cores may be shared with other tests
    page.setDefaultTimeout(120_000);
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (said) => {
      if (said.type() === 'error') faults.push(said.text());
    });
  }, LONG);

  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What the command line proposes, as CSV. */
  function designed(name: string, kernel: string): string {
    const out = join(folder, name);
    execFileSync(
      process.execPath,
      [main, 'design', table, '--goal', 'max yield', '--effort', 'fast', '--out', out],
      { env: { ...process.env, NEMOKIT_KERNEL: kernel }, stdio: 'pipe' },
    );
    return readFileSync(join(out, 'candidates.csv'), 'utf8');
  }

  /** Opens a page of `run`, which the browser is given if it has not kept it. */
  async function openRun(part: string): Promise<void> {
    await page.goto(`${base}#/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const kept = await page.evaluate<string[]>(`new Promise((resolve, reject) => {
      const opening = indexedDB.open('nemokit-studio', 1);
      opening.onupgradeneeded = () => { opening.transaction.abort(); resolve([]); };
      opening.onsuccess = () => {
        const asked = opening.result.transaction('runs').objectStore('runs').getAllKeys();
        asked.onsuccess = () => { opening.result.close(); resolve(asked.result); };
        asked.onerror = () => reject(asked.error);
      };
    })`);
    if (!kept.includes(run)) {
      const files = readdirSync(join(folder, run), { recursive: true, withFileTypes: true });
      const entries = files
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .map((path) => [path.slice(folder.length + 1), readFileSync(path)] as const);
      const buffer = Buffer.from(zipSync(Object.fromEntries(entries)));
      const file = { name: `${run}.zip`, mimeType: 'application/zip', buffer };
      await page.getByLabel('Table of past experiments').setInputFiles(file);
      await page.getByRole('heading', { name: /experiments to run next/ }).waitFor();
    }
    await page.goto(`${base}#/run/${run}/${part}`);
  }

  async function bytesOf(download: Download): Promise<Buffer> {
    return readFileSync((await download.path())!);
  }

  async function downloaded(name: string | RegExp): Promise<Buffer> {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name }).click(),
    ]);
    return bytesOf(download);
  }

  /** Serious faults that axe finds on the page as it is, light and dark. */
  async function axeFaults(): Promise<string[]> {
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // the policy of the page allows no foreign script, so axe comes in through the debugger
      await page.evaluate(readFileSync(axeScript, 'utf8'));
      const { violations } = (await page.evaluate('axe.run()')) as {
        violations: { id: string; nodes: { html: string }[] }[];
      };
      found.push(
        ...violations.map(({ id, nodes }) => `${colorScheme}: ${id}: ${nodes[0]!.html.slice(0, 160)}`),
      );
    }
    await page.emulateMedia({ colorScheme: 'light' });
    return found;
  }

  it('loads little before a file is dropped', async () => {
    await page.goto(base);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const scripts = [...new Set(asked)].filter((path) => path.endsWith('.js') && path !== '/offline.js');
    // the service worker fetches all files, so only those that the page itself asked for count
    const own = await page.evaluate<string[]>(
      "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((path) => path.endsWith('.js'))",
    );
    expect(own.length).toBeGreaterThan(0);
    expect(scripts).toEqual(expect.arrayContaining(own));
    const bytes = own.reduce((sum, path) => sum + gzipSync(readFileSync(join(web, path))).length, 0);
    expect(bytes).toBeLessThan(350_000);
    expect(await axeFaults()).toEqual([]);
  });

  it('designs what the command line designs, byte for byte', { timeout: LONG }, async () => {
    await page.getByLabel('Table of past experiments').setInputFiles(table);
    await page.getByText('What was found').waitFor();
    await page.getByRole('heading', { name: 'yield' }).waitFor();
    expect(await axeFaults()).toEqual([]);
    await page.getByRole('link', { name: 'State the problem' }).click();
    await page.locator('.meter').waitFor();
    await page.getByRole('combobox', { name: 'Effort' }).selectOption('fast');
    await page.getByText('--effort fast').waitFor();
    expect(await axeFaults()).toEqual([]);
    await page.getByRole('button', { name: /^Design/ }).click();

    // pause, reload in the middle, resume
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('heading', { name: 'Paused' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Interrupted' }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('heading', { name: /experiments to run next/ }).waitFor({ timeout: LONG });
    expect(await axeFaults()).toEqual([]);
    const made = (await downloaded('Download CSV')).toString('utf8');
    const document = JSON.parse((await downloaded('JSON')).toString('utf8'));
    const { kernel } = document.run;
    expect(made).toBe(kernel === 'wasm' ? csv : designed('same-kernel', kernel));
  });

  it('is interrupted by a reload, goes on, pauses and stops', { timeout: LONG }, async () => {
    await page.goto(`${base}#/`);
    await page.getByLabel('Table of past experiments').setInputFiles(table);
    await page.getByText('What was found').waitFor();
    const id = new URL(page.url()).hash.split(/[/?]/)[2]!;
    await page.goto(`${base}#/problem/${id}?ask=${encodeURIComponent(JSON.stringify(endless))}`);
    await page.getByRole('button', { name: /^Design/ }).click();
    const title = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
    const working = () => page.getByText(/step [1-9]\d* of 10000000/).waitFor();
    await title('Designing');
    await working();
    expect(await axeFaults()).toEqual([]);
    await page.reload();
    await title('Interrupted');
    await page.getByRole('button', { name: 'Resume' }).click();
    await title('Designing');
    await working();
    await page.getByRole('button', { name: 'Pause' }).click();
    await title('Paused');
    await page.getByRole('button', { name: 'Resume' }).click();
    await title('Designing');
    await page.getByRole('button', { name: 'Stop and keep' }).click();
    // there was no design yet
    await title('Interrupted');
  });

  it('saves a run folder that the command line reads', { timeout: LONG }, async () => {
    await openRun('candidates');
    const zip = await downloaded('Run as zip');
    const saved = join(folder, 'saved');
    const file = join(folder, 'run.zip');
    writeFileSync(file, zip);
    for (const [name, bytes] of Object.entries(unzipSync(zip))) {
      const path = join(saved, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes);
    }
    expect(readFileSync(join(saved, run, 'candidates.csv'), 'utf8')).toBe(csv);
    const explained = spawnSync(
      process.execPath,
      [main, 'explain', join(saved, run), '--row', '1', '--json'],
      { encoding: 'utf8' },
    );
    expect(explained.stderr).not.toMatch(/error/i);
    expect(JSON.parse(explained.stdout).candidate.row).toBe(1);

    // and the page reads it back
    await page.goto(`${base}#/`);
    page.once('dialog', (dialog) => void dialog.accept());
    const remove = page.getByRole('button', { name: `Delete the run ${run}` });
    await remove.click();
    await remove.waitFor({ state: 'detached' });
    await page.getByLabel('Table of past experiments').setInputFiles(file);
    await page.getByRole('heading', { name: /experiments to run next/ }).waitFor();
    expect((await downloaded('Download CSV')).toString('utf8')).toBe(csv);
  });

  it('follows a dragged value along a recipe', { timeout: LONG }, async () => {
    await openRun('profiler');
    const slider = page.getByRole('slider', { name: 'water' });
    await slider.waitFor();
    const before = Number(await slider.getAttribute('aria-valuenow'));
    await slider.focus();
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
    await expect.poll(async () => Number(await slider.getAttribute('aria-valuenow'))).toBeGreaterThan(before);
    const parts = await Promise.all(
      ['ethanol', 'water', 'toluene'].map(async (name) =>
        Number(await page.getByRole('slider', { name }).getAttribute('aria-valuenow')),
      ),
    );
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(1, 6);
    expect(await axeFaults()).toEqual([]);
  });

  it('designs a second round from measured values', { timeout: LONG }, async () => {
    await openRun('trust');
    await page.getByText('What was never seen').waitFor();
    expect(await axeFaults()).toEqual([]);
    await page.goto(`${base}#/run/${run}/rounds`);
    const fields = page.getByRole('textbox', { name: /measured yield/ });
    await fields.first().waitFor();
    for (const [i, value] of ['70.5', '82', '55'].entries()) await fields.nth(i).fill(value);
    await page
      .getByText('3 lie inside')
      .or(page.getByText(/of 3 lie inside/))
      .waitFor();
    expect(await axeFaults()).toEqual([]);
    await page.getByRole('button', { name: 'Design the next round' }).click();
    await page.locator('.meter').waitFor();
    await page.getByRole('link', { name: 'Data' }).click();
    await page.getByText('243 rows').waitFor();
  });

  it('works without a network, and has threads on any host', { timeout: LONG }, async () => {
    const plain = await serve({ folder: web });
    const other = await browser.newContext();
    try {
      const first = await other.newPage();
      await first.goto(address(plain));
      await expect
        .poll(() => first.evaluate('navigator.serviceWorker.controller !== null'), { timeout: 120_000 })
        .toBe(true);
      await first.reload();
      expect(await first.evaluate('crossOriginIsolated')).toBe(true);
      plain.close();
      plain.closeAllConnections();
      await other.setOffline(true);
      await first.reload();
      await first.getByRole('button', { name: /stirred reactor/ }).click();
      await first.getByText('What was found').waitFor();
    } finally {
      await other.close();
      plain.close();
    }
  });

  it('shows a hostile file as text', { timeout: LONG }, async () => {
    const names = ['<img src=x onerror=alert(1)>', '=1+1', ...Array.from({ length: 40 }, (_, i) => `c${i}`)];
    const rows = Array.from({ length: 30 }, (_, i) =>
      names.map((_, j) => (j === 1 ? `"=HYPERLINK(""x"")${i % 3}"` : (i * 7 + j * 3) % 11)).join(','),
    );
    await page.goto(`${base}#/`);
    await page.getByLabel('Table of past experiments').setInputFiles({
      name: '<script>alert(1)</script>.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([names.join(','), ...rows].join('\n')),
    });
    await page.getByRole('heading', { name: '<script>alert(1)</script>.csv' }).waitFor();
    await page.getByText('What was found').waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
  });

  it('fits a phone', { timeout: LONG }, async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const part of ['candidates', 'profiler', 'trust', 'rounds']) {
      await openRun(part);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth'), part).toBeLessThanOrEqual(390);
    }
  });

  it('says nothing wrong meanwhile', () => {
    expect(faults).toEqual([]);
  });
});
