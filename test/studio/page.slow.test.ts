// The page without a server, built as `npm run build:web` builds it: from a dropped table to a downloaded batch.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
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

/** A workbook of these sheets, in their order. */
function workbook(sheets: Readonly<Record<string, readonly (readonly (string | number)[])[]>>): Uint8Array {
  const names = Object.keys(sheets);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relations = (parts: readonly string[]) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${parts.join('')}</Relationships>`;
  const cellOf = (cell: string | number, row: number, column: number) => {
    const place = `${'ABC'[column]}${row + 1}`;
    return typeof cell === 'number'
      ? `<c r="${place}"><v>${cell}</v></c>`
      : `<c r="${place}" t="inlineStr"><is><t>${cell}</t></is></c>`;
  };
  const rowOf = (cells: readonly (string | number)[], i: number) =>
    `<row r="${i + 1}">${cells.map((cell, j) => cellOf(cell, i, j)).join('')}</row>`;
  const files = {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
    '_rels/.rels': relations([
      `<Relationship Id="r" Type="${office}/officeDocument" Target="xl/workbook.xml"/>`,
    ]),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names
      .map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="r${i + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      names.map(
        (_, i) =>
          `<Relationship Id="r${i + 1}" Type="${office}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
      ),
    ),
    ...Object.fromEntries(
      Object.values(sheets).map((rows, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `<worksheet xmlns="${main}"><sheetData>${rows.map(rowOf).join('')}</sheetData></worksheet>`,
      ]),
    ),
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])));
}

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

  it('takes a newcomer along the sixty seconds of docs/studio.md', { timeout: LONG }, async () => {
    const guide = readFileSync(join(root, 'docs/studio.md'), 'utf8');
    const path = guide.split('## Sixty seconds')[1]!.split('\n## ')[0]!;
    const named = [...path.matchAll(/Click _([^_]+)_|click _([^_]+)_/g)].map(([, a, b]) => a ?? b!);
    expect(named).toEqual(['A stirred reactor', 'State the problem', 'Design 8 experiments', 'Download CSV']);
    await page.goto(`${base}#/`);
    for (const name of named.slice(0, -1)) {
      const words = new RegExp(`^${name}`);
      const places = page.getByRole('button', { name: words }).or(page.getByRole('link', { name: words }));
      await places.and(page.locator(':enabled, a')).first().click();
    }
    await page.getByRole('heading', { name: '8 experiments to run next' }).waitFor({ timeout: LONG });
    const lines = (await downloaded(named.at(-1)!)).toString('utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(9);
    expect(lines[0]).toContain('temperature,time,stirring,catalyst');
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

  it('mends a table, and says what a constraint would do while it is typed', { timeout: LONG }, async () => {
    await page.goto(`${base}#/`);
    await page.getByRole('button', { name: 'Paste cells' }).click();
    const rows = Array.from({ length: 40 }, (_, i) => [i % 8, (i * 7) % 11, i === 11 ? 9000 : (i * 5) % 13]);
    await page
      .getByRole('textbox', { name: /Cells copied/ })
      .fill(['a\tb\tyield', ...rows.map((row) => row.join('\t'))].join('\n'));
    await page.getByRole('button', { name: 'Open these cells' }).click();
    await page.getByRole('button', { name: 'Leave this row out' }).click();
    await page.getByRole('heading', { name: 'pasted cells (changed).csv' }).waitFor();
    await page.getByText('One row is left out.').waitFor();
    await page.getByText('Which, and why').click();
    await page.getByText('Row 12: yield is empty').waitFor();
    // and by hand, with the keyboard
    await page.getByRole('grid').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('textbox', { name: 'b of row 2' }).fill('5,5');
    await page.keyboard.press('Enter');
    await page.getByRole('gridcell', { name: '5.5' }).waitFor();
    await page.getByText('How the table was read').click();
    await page.getByText('2 cells were changed in the studio').waitFor();
    await page.getByText('Type, unit, step, scale of yield').click();
    await page.getByRole('textbox', { name: 'Unit of yield' }).fill('%');
    await page.keyboard.press('Enter');
    await page.getByText('the unit of yield was set in the studio: %').waitFor({ state: 'attached' });
    await page.getByText('Type, unit, step, scale of a').click();
    await page.getByRole('textbox', { name: 'Step of a' }).fill('2');
    await page.keyboard.press('Enter');
    await page
      .getByText('number, setting, steps of 2')
      .or(page.getByText('integer, setting, steps of 2'))
      .waitFor();
    expect(await axeFaults()).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the changed table as CSV' }).click(),
    ]);
    const saved = (await bytesOf(download)).toString('utf8').split('\n');
    expect(saved[0]).toBe('a,b,yield');
    expect(saved[1]).toBe(',,[%]');
    expect(saved[3]).toBe('1,5.5,5');
    expect(saved[13]).toBe('3,0,');

    await page.getByRole('link', { name: 'State the problem' }).click();
    await page.locator('.meter').waitFor();
    const field = page.getByRole('textbox', { name: 'A constraint' });
    await field.fill('a + b <= 9');
    await page.getByText(/With this, \d+\s%\sof the space is feasible/).waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).last().click();
    await page
      .getByText("--constraint 'a + b <= 9'")
      .or(page.getByText('--constraint "a + b <= 9"'))
      .waitFor();
    await field.fill('a + b >= 12');
    await page.getByText('No design can satisfy this together with a + b <= 9.').waitFor();
    await field.fill('a + c <= 1');
    await page.locator('.tried', { hasText: '"c"' }).waitFor();
    await page.getByRole('textbox', { name: 'Greatest possible yield' }).fill('20');
    await page.keyboard.press('Enter');
    await page.getByText(/--limits ["']?yield=\S*\.\.20/).waitFor();
    expect(await axeFaults()).toEqual([]);
  });

  it('keeps the sorted table in its address, judges a changed cell, and prints sheets', {
    timeout: LONG,
  }, async () => {
    await openRun('candidates');
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('better');
    await page.getByRole('button', { name: 'Pin candidate 8' }).click();
    await page.reload();
    await page.getByRole('heading', { name: /experiments to run next/ }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Sort by' }).inputValue()).toBe('better');
    const first = page.locator('table.candidates tbody:not(.reference)').first();
    expect(await first.getByRole('rowheader').first().textContent()).toBe('8');
    const before = await first.locator('td.strong').textContent();
    await first.getByRole('button', { name: /^temperature of candidate 8/ }).click();
    await page.getByRole('textbox', { name: 'temperature of candidate 8' }).fill('60');
    await page.keyboard.press('Enter');
    await first.getByText('edited').waitFor();
    expect(Number(await first.locator('td.strong').textContent())).toBeLessThan(Number(before));
    expect(await axeFaults()).toEqual([]);
    await page.getByRole('link', { name: 'Bench sheets' }).click();
    await page.getByRole('heading', { name: 'Experiment 8' }).waitFor();
    expect(await page.locator('.bench-sheet').count()).toBe(8);
    expect(await axeFaults()).toEqual([]);
  });

  it('shows several goals among past runs, fills up what was rejected, and adds a design', {
    timeout: LONG,
  }, async () => {
    const rows = Array.from({ length: 48 }, (_, i) => {
      const [feed, time] = [(i * 7) % 11, (i * 5) % 13];
      return [feed, time, 40 + 3 * feed - 0.4 * (time - 5) ** 2, 5 + 2 * feed + 0.5 * time].join(',');
    });
    await page.goto(`${base}#/`);
    await page.getByLabel('Table of past experiments').setInputFiles({
      name: 'two.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['feed,time,yield,impurity', ...rows].join('\n')),
    });
    await page.getByText('What was found').waitFor();
    const id = new URL(page.url()).hash.split(/[/?]/)[2]!;
    const ask = { goals: ['max yield', 'min impurity'], effort: 'fast', batch: 4 };
    await page.goto(`${base}#/problem/${id}?ask=${encodeURIComponent(JSON.stringify(ask))}`);
    await page.getByRole('button', { name: /^Design/ }).click();
    await page.getByRole('heading', { name: '4 experiments to run next' }).waitFor({ timeout: LONG });
    await page.getByRole('columnheader', { name: 'expected impurity' }).waitFor();
    await expect.poll(() => page.locator('.past-dot').count(), { timeout: 120_000 }).toBe(48);
    expect(await axeFaults()).toEqual([]);
    const sheet = unzipSync(await downloaded('XLSX'));
    const text = (await downloaded('Download CSV')).toString('utf8');
    const columns = text.split('\n')[0]!.split(',');
    const cells = Buffer.from(sheet['xl/worksheets/sheet1.xml']!).toString('utf8');
    expect(cells.match(/<row /g)!.length).toBe(5);
    for (const name of ['feed', 'time']) {
      expect(columns).toContain(name);
      expect(cells).toContain(`>${name}<`);
    }

    // the design of a row is that of its cells that can be typed over
    const designs = async () => {
      const bodies = await page.locator('table.candidates tbody:not(.reference)').all();
      return Promise.all(
        bodies.map(async (body) => (await body.locator('.cell-button').allTextContents()).join()),
      );
    };
    const before = await designs();
    expect(before.length).toBe(4);
    await page.getByRole('button', { name: 'Reject candidate 2' }).click();
    const first = page.url();
    await page.getByRole('button', { name: 'Refill 1 rejected' }).click();
    await page.waitForURL(
      (url) => /\/run\/[^/]+\/candidates/.test(url.hash) && url.href.split('?')[0] !== first.split('?')[0],
      { timeout: LONG },
    );
    await page.getByRole('heading', { name: '4 experiments to run next' }).waitFor({ timeout: LONG });
    const after = await designs();
    expect(after.length).toBe(4);
    expect(after).toEqual(expect.arrayContaining(before.filter((_, i) => i !== 1)));
    expect(after).not.toContain(before[1]);

    await page.getByRole('link', { name: 'Profiler' }).click();
    await page.locator('.iso-line').first().waitFor();
    await page.getByRole('slider', { name: 'time' }).focus();
    await page.keyboard.press('PageUp');
    await page.getByRole('button', { name: 'Add to the batch' }).click();
    await page.getByRole('heading', { name: '5 experiments to run next' }).waitFor({ timeout: LONG });

    // on paper there are no buttons
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Download CSV' }).isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Pin candidate 1' }).isVisible()).toBe(false);
    expect(await page.getByRole('heading', { name: '5 experiments to run next' }).isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
  });

  it('reads the sheet of a workbook that is chosen', { timeout: LONG }, async () => {
    const past = Array.from({ length: 30 }, (_, i) => [50 + ((i * 7) % 43), i % 9, 60 + ((i * 5) % 31)]);
    const file = workbook({ Notes: [['who'], ['me']], Runs: [['temp', 'time', 'yield'], ...past] });
    await page.goto(`${base}#/`);
    await page.getByLabel('Table of past experiments').setInputFiles({
      name: 'lab.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: Buffer.from(file),
    });
    await page.getByText('30 rows, 3 columns').waitFor();
    const picker = page.getByRole('combobox', { name: 'Sheet' });
    expect(await picker.inputValue()).toBe('Runs');
    await picker.selectOption('Notes');
    await page.getByText('1 rows, 1 columns').or(page.getByText('1 row, 1 column')).waitFor();
    expect(await picker.inputValue()).toBe('Notes');
  });

  it('compares runs, and draws a benchmark', { timeout: LONG }, async () => {
    await openRun('candidates');
    await page.goto(`${base}#/compare?runs=${run}`);
    await page.getByRole('heading', { name: 'Side by side', exact: true }).waitFor();
    const record = (algorithm: string, seed: number) =>
      JSON.stringify({
        task: 'levy20',
        algorithm,
        variant: 'default',
        seed,
        result: {
          scores: [0.2 + seed / 10, 0.5],
          visibleMax: 0.4,
          range: { worst: 0, best: 1 },
          curve: [0, 10, 20].map((iteration) => ({ iteration, best: 0.3 + (iteration * seed) / 100 })),
        },
      });
    const text = ['nemo', 'random'].flatMap((name) => [1, 2, 3].map((seed) => record(name, seed))).join('\n');
    await page
      .getByLabel('Records of a benchmark')
      .setInputFiles({ name: 'records.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(text) });
    await page.getByText('levy20, step by step').waitFor();
    expect(await page.locator('.dot.seed').count()).toBe(6);
    expect(await page.locator('.dot.seed.open').count()).toBe(3);
    await page.getByRole('row', { name: /random no model/ }).waitFor();
    expect(await axeFaults()).toEqual([]);
  });

  it('follows a dragged value along a recipe', { timeout: LONG }, async () => {
    await openRun('profiler');
    const slider = page.getByRole('slider', { name: 'water' });
    await slider.waitFor();
    const shown = async (name = 'water') =>
      Number(await page.getByRole('slider', { name }).getAttribute('aria-valuenow'));
    /** What the address keeps, a moment after the last answer. */
    const kept = () => {
      const query = new URLSearchParams(new URL(page.url()).hash.split('?')[1]);
      return Number(JSON.parse(query.get('at') ?? '{}').water);
    };
    const slow = { timeout: 300_000 };
    const settles = () =>
      expect.poll(async () => Math.abs(kept() - (await shown())), slow).toBeLessThan(1e-9);
    const before = await shown();
    await slider.focus();
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
    await expect.poll(() => shown(), slow).toBeGreaterThan(before);
    await settles();
    const parts = await Promise.all(['ethanol', 'water', 'toluene'].map((name) => shown(name)));
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(1, 6);
    // by pointer; what is locked stays
    await page.getByRole('checkbox', { name: 'Lock toluene' }).check();
    const box = (await slider.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => shown(), slow).not.toBe(parts[1]);
    await settles();
    expect(await shown('toluene')).toBeCloseTo(parts[2]!, 9);
    // the address keeps the design
    const here = await shown();
    await page.reload();
    await slider.waitFor();
    expect(await shown()).toBeCloseTo(here, 9);
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
        .poll(() => first.evaluate('navigator.serviceWorker.controller !== null'), { timeout: 300_000 })
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

  it('opens a table of 5,000 columns, and refuses one of 200 MB in words', { timeout: LONG }, async () => {
    const names = Array.from({ length: 5000 }, (_, i) => `c${i}`);
    const rows = Array.from({ length: 12 }, (_, i) => names.map((_, j) => (i * 7 + j * 3) % 11).join(','));
    await page.goto(`${base}#/`);
    const input = page.getByLabel('Table of past experiments');
    await input.setInputFiles({
      name: 'wide.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([names.join(','), ...rows].join('\n')),
    });
    await page.getByText('12 rows, 5000 columns').waitFor();
    await page.getByRole('button', { name: 'Show all 5000 columns' }).waitFor();
    const large = join(folder, 'large.csv');
    writeFileSync(large, 'a,b\n');
    truncateSync(large, 200e6);
    await page.goto(`${base}#/`);
    await input.setInputFiles(large);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/large\.csv has 200 MB; 134 MB are the most/);
    // and the page goes on
    await page.getByRole('button', { name: /stirred reactor/ }).click();
    await page.getByText('What was found').waitFor();
  });

  it('fits a phone', { timeout: LONG }, async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const fits = async (part: string) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth'), part).toBeLessThanOrEqual(390);
    };
    for (const part of ['', 'candidates', 'profiler', 'trust', 'rounds', 'sheets']) {
      await openRun(part);
      await fits(part);
    }
    // the current step is in sight, however many there are before it
    await openRun('rounds');
    const step = page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Rounds' });
    await expect.poll(async () => (await step.boundingBox())!.x, { timeout: 60_000 }).toBeLessThan(390 - 40);
    await page.goto(`${base}#/compare?runs=${run}`);
    await page.getByRole('heading', { name: 'Side by side', exact: true }).waitFor();
    await fits('compare');
    await page.goto(`${base}#/`);
    await fits('home');
    await page.getByRole('button', { name: /stirred reactor/ }).click();
    await page.getByText('What was found').waitFor();
    await fits('data');
    await page.getByRole('link', { name: 'State the problem' }).click();
    await page.locator('.meter').waitFor();
    await fits('problem');
  });

  it('says nothing wrong meanwhile', () => {
    expect(faults).toEqual([]);
  });
});
