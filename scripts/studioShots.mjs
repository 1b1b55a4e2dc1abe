// Pictures of every page of the studio, in light, in dark and on a phone, from one run of the demo table in a page.
//   npm run build:web && node scripts/studioShots.mjs [folder]     default folder: build/shots
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const web = join(root, 'build/web');
const folder = process.argv[2] ?? join(root, 'build/shots');
/** @type {Record<string, string>} */
const types = {
  '.js': 'text/javascript',
  '.html': 'text/html',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};

const executablePath = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((path) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(path, name)))
  .find((file) => existsSync(file));
if (!executablePath || !existsSync(web)) {
  process.stderr.write('studioShots: needs Chromium on the PATH and build/web (npm run build:web)\n');
  process.exit(1);
}

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
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
const base = `http://127.0.0.1:${port}/`;

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage();
page.on('pageerror', (error) => process.stderr.write(`${error.message}\n`));
mkdirSync(folder, { recursive: true });

const looks = /** @type {const} */ ([
  ['light', { width: 1280, height: 860 }, 'light'],
  ['dark', { width: 1280, height: 860 }, 'dark'],
  ['phone', { width: 390, height: 844 }, 'light'],
]);

/** @param {string} name */
async function shoot(name) {
  for (const [look, size, colorScheme] of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage: true });
  }
  await page.setViewportSize(looks[0][1]);
  await page.emulateMedia({ colorScheme: 'light' });
}

await page.setViewportSize(looks[0][1]);
await page.goto(base);
await page.waitForSelector('h1');
await page.getByRole('button', { name: /stirred reactor/ }).click();
await page.getByText('What was found').waitFor({ timeout: 120_000 });
await page.waitForTimeout(1500);
await shoot('data');
await page.getByRole('link', { name: 'State the problem' }).click();
await page.locator('.meter').waitFor({ timeout: 120_000 });
await page.getByRole('combobox', { name: 'Effort' }).selectOption('fast');
await page.waitForTimeout(1500);
await shoot('problem');
await page.getByRole('button', { name: /^Design/ }).click();
await page.getByText('left.').waitFor({ timeout: 240_000 });
await shoot('run');
await page.locator('table.candidates').waitFor({ timeout: 600_000 });
await shoot('candidates');
const run = new URL(page.url()).hash.split('/')[2];
await page.goto(`${base}#/run/${run}/profiler`);
await page.locator('.cell-known').first().waitFor({ timeout: 120_000 });
await shoot('profiler');
await page.goto(`${base}#/run/${run}/sheets?row=1`);
await page.locator('.bench-sheet').waitFor();
await shoot('sheets');
await page.goto(`${base}#/run/${run}/trust`);
await page.getByText('What was never seen').waitFor();
await shoot('trust');
await page.goto(`${base}#/run/${run}/rounds`);
const measured = page.getByRole('textbox', { name: /measured/ });
await measured.first().waitFor();
for (const [i, value] of [88.1, 84.9, 91.3, 71.2].entries()) await measured.nth(i).fill(String(value));
await shoot('rounds');
await page.goto(`${base}#/compare?runs=${run}`);
await page.getByText('Side by side', { exact: true }).waitFor();
await shoot('compare');
await page.goto(`${base}#/`);
await page.getByText('Runs in this browser').waitFor();
await shoot('home');
await browser.close();
server.close();
for (const name of ['candidates', 'problem', 'profiler'])
  copyFileSync(join(folder, `${name}-light.png`), join(root, `docs/studio/${name}.png`));
