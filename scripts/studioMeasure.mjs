// How fast the page without a server is: first paint, a large table, a design, a dragged value.
//   npm run build:web && node scripts/studioMeasure.mjs [script] [paint] [wide] [design] [drag]     default: all
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { chromium } from 'playwright-core';
import { keepMeasured } from './studioMeasured.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const web = join(root, 'build/web');
const LONG = 900_000;
const executablePath = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((path) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(path, name)))
  .find((file) => existsSync(file));
if (!executablePath || !existsSync(web)) {
  process.stderr.write('studioMeasure: needs Chromium on the PATH and build/web (npm run build:web)\n');
  process.exit(1);
}
const asked = process.argv.slice(2);
const isAsked = (/** @type {string} */ name) => asked.length === 0 || asked.includes(name);

/** @type {Record<string, string>} */
const types = {
  '.js': 'text/javascript',
  '.html': 'text/html',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const file = join(web, pathname === '/' ? 'index.html' : pathname);
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
  if (!existsSync(file)) response.writeHead(404).end();
  else
    response
      .writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
      .end(readFileSync(file));
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const base = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/`;
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const folder = mkdtempSync(join(tmpdir(), 'nemokit-measure-'));

/** CPU seconds of the browser so far, all its processes together (Linux: /proc): a busy machine changes them little. */
function cpuOfBrowser() {
  /** @type {Map<number, { parent: number, seconds: number }>} */
  const all = new Map();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const fields = (readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1] ?? '').split(' ');
      all.set(Number(name), {
        parent: Number(fields[1]),
        seconds: (Number(fields[11]) + Number(fields[12])) / 100,
      });
    } catch {
      // it ended meanwhile
    }
  }
  const isOwn = (/** @type {number} */ pid) => {
    for (let at = all.get(pid)?.parent; at; at = all.get(at)?.parent) if (at === process.pid) return true;
    return false;
  };
  return [...all].reduce((sum, [pid, { seconds }]) => sum + (isOwn(pid) ? seconds : 0), 0);
}

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Numbers that look measured, the same every time. @param {number} rows @param {number} columns */
function tableOf(rows, columns) {
  let seed = 1;
  const next = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  const lines = [[...Array.from({ length: columns - 1 }, (_, j) => `x${j + 1}`), 'yield'].join()];
  for (let i = 0; i < rows; i++) {
    const x = Array.from({ length: columns - 1 }, () => next());
    const y = 50 + 20 * Math.sin(3 * x[0]) - 30 * (x[1] - 0.6) ** 2 + 10 * x[2] * x[3] + next();
    lines.push([...x.map((value) => value.toFixed(3)), y.toFixed(2)].join());
  }
  return `${lines.join('\n')}\n`;
}

async function newPage() {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage();
  page.setDefaultTimeout(LONG);
  return page;
}

/** @param {import('playwright-core').Page} page @param {string} name @param {string} text */
async function drop(page, name, text) {
  const file = join(folder, name);
  writeFileSync(file, text);
  await page.goto(base);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const began = performance.now();
  const before = cpuOfBrowser();
  await page.getByLabel('Table of past experiments').setInputFiles(file);
  // opened: cards of all columns with their histograms, and the first rows
  await page.getByText(/ rows, \d+ columns/).waitFor();
  await page.getByRole('gridcell').filter({ hasText: /\d/ }).first().waitFor();
  const opened = { seconds: (performance.now() - began) / 1000, cpu: cpuOfBrowser() - before };
  await page.getByText('What was found').waitFor();
  return { ...opened, found: (performance.now() - began) / 1000 };
}

if (isAsked('script') || isAsked('paint')) {
  /** @type {number[]} */
  const times = [];
  let bytes = 0;
  /** @type {number[]} */
  const cpu = [];
  for (let visit = 0; visit < 7; visit++) {
    const page = await newPage();
    const before = cpuOfBrowser();
    await page.goto(base);
    await page.getByRole('heading', { level: 1 }).waitFor();
    times.push(
      await page.evaluate(`new Promise((resolve) => {
        new PerformanceObserver((list) => {
          const [entry] = list.getEntriesByName('first-contentful-paint');
          if (entry) resolve(entry.startTime);
        }).observe({ type: 'paint', buffered: true });
      })`),
    );
    cpu.push(cpuOfBrowser() - before);
    /** @type {string[]} */
    const paths = await page.evaluate(
      "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((path) => path.endsWith('.js'))",
    );
    bytes = paths.reduce((sum, path) => sum + gzipSync(readFileSync(join(web, path))).length, 0);
    await page.context().close();
  }
  process.stdout.write(`script ${bytes} bytes; first paint ${times.map(Math.round).join(', ')} ms\n`);
  keepMeasured({
    script: { bytes },
    paint: { visits: times.length, median: median(times), cpu: median(cpu) },
  });
}
if (isAsked('wide')) {
  const page = await newPage();
  const { seconds, cpu, found } = await drop(page, 'wide.csv', tableOf(100_000, 50));
  // from one end of the table to the other, in frames
  /** @type {number[]} */
  const frames = await page.evaluate(`(async () => {
    const box = document.querySelector('.grid-view');
    const times = [];
    let last = performance.now();
    for (let i = 0; i < 120; i++) {
      box.scrollTop = (box.scrollHeight * i) / 120;
      await new Promise(requestAnimationFrame);
      times.push(performance.now() - last);
      last = performance.now();
    }
    return times;
  })()`);
  await page.getByRole('gridcell').filter({ hasText: /\d/ }).first().waitFor();
  process.stdout.write(
    `100,000 x 50 opened in ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU; checked after ${found.toFixed(1)} s; scrolled: median frame ${median(frames).toFixed(0)} ms\n`,
  );
  keepMeasured({ wide: { seconds, cpu, found, frame: median(frames) } });
  await page.context().close();
}
if (isAsked('design')) {
  const page = await newPage();
  await drop(page, 'plain.csv', tableOf(1000, 10));
  await page.getByRole('link', { name: 'State the problem' }).click();
  await page.locator('.meter').waitFor();
  const began = performance.now();
  const before = cpuOfBrowser();
  await page.getByRole('button', { name: /^Design/ }).click();
  await page.getByRole('heading', { name: /experiments? to (run next|propose)/ }).waitFor();
  const seconds = (performance.now() - began) / 1000;
  const cpu = cpuOfBrowser() - before;
  process.stdout.write(`1,000 x 10 designed in ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU\n`);
  keepMeasured({ design: { seconds, cpu } });
  await page.context().close();
}
if (isAsked('drag')) {
  // a large table, and one with a recipe of three solvents; runs of the command line, so that each part can be measured alone
  const large = join(folder, 'plain.csv');
  writeFileSync(large, tableOf(1000, 10));
  const reactor = join(root, 'src/studio/web/public/examples/reactor.csv');
  keepMeasured({
    drag: await dragged(large, 'x1', ['--effort', 'fast']),
    dragRecipe: await dragged(reactor, 'ethanol', ['--effort', 'fast']),
  });
}

/**
 * A column of the first candidate of a run, dragged to and fro, by the page's own clock: from a moved pointer to the next frame
 * with the moved curves. @param {string} table @param {string} column @param {string[]} options
 */
async function dragged(table, column, options) {
  const run = mkdtempSync(join(folder, 'run-'));
  execFileSync(
    process.execPath,
    [
      join(root, 'dist/cli/main.js'),
      'design',
      table,
      '--goal',
      'max yield',
      '--out',
      run,
      '--quiet',
      ...options,
    ],
    { stdio: 'pipe' },
  );
  const entries = readdirSync(run).map((name) => [`run/${name}`, readFileSync(join(run, name))]);
  const page = await newPage();
  await page.goto(base);
  await page.getByLabel('Table of past experiments').setInputFiles({
    name: 'run.zip',
    mimeType: 'application/zip',
    buffer: Buffer.from(zipSync(Object.fromEntries(entries))),
  });
  await page.getByRole('heading', { name: /experiments to run next/ }).waitFor();
  await page.getByRole('link', { name: 'Profiler' }).click();
  await page.getByRole('slider', { name: column }).waitFor();
  // models are loaded and curves exact: what is measured is a drag, not the opening of the page
  await page.locator('.cell-known').first().waitFor();
  await page.waitForTimeout(2000);
  const before = cpuOfBrowser();
  /** @type {number[]} */
  const times = await page.evaluate(`(async () => {
    const element = document.querySelector('[role="slider"][aria-label="${column}"]');
    const { left, top, width, height } = element.getBoundingClientRect();
    const found = [];
    for (let i = 0; i < 80; i++) {
      const from = performance.now();
      const moved = new Promise((resolve) => {
        const observer = new MutationObserver(() => { observer.disconnect(); resolve(); });
        observer.observe(element, { attributeFilter: ['aria-valuenow'] });
      });
      const clientX = left + width * (0.45 + 0.01 * Math.abs(20 - (i % 40)));
      const place = { clientX, clientY: top + height / 2, buttons: 1, bubbles: true };
      element.dispatchEvent(new PointerEvent('pointermove', place));
      await moved;
      await new Promise(requestAnimationFrame);
      found.push(performance.now() - from);
    }
    // the first moves wake the compiler
    return found.slice(20);
  })()`);
  const cpu = (cpuOfBrowser() - before) / 80;
  await page.context().close();
  const sorted = times.toSorted((a, b) => a - b);
  const found = {
    moves: times.length,
    median: median(times),
    ninth: sorted[Math.floor(0.9 * sorted.length)],
    cpu,
  };
  process.stdout.write(
    `${column} dragged: median ${found.median.toFixed(0)} ms, nine of ten below ${found.ninth.toFixed(0)} ms, ${(1000 * cpu).toFixed(0)} ms of CPU\n`,
  );
  return found;
}

await browser.close();
server.close();
rmSync(folder, { recursive: true, force: true });
