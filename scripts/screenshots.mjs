// The examples of docs/examples, from real runs: node scripts/screenshots.mjs [data folder]
// The data folder (or NEMOKIT_DATA) holds tables/concrete.csv and tables/airfoil_self_noise.csv. Needs a Chromium on
// the PATH; takes about two minutes.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { terminalPicture, withoutColours } from './terminalPicture.mjs';

/** @typedef {{ name: string, table: string, goal: string }} Example */

/** @type {readonly Example[]} */
const examples = [
  { name: 'concrete', table: 'concrete.csv', goal: 'max ConcreteCompressiveStrength' },
  { name: 'airfoil', table: 'airfoil_self_noise.csv', goal: 'min scaled_sound_pressure_db' },
];

const root = fileURLToPath(new URL('..', import.meta.url));
const command = join(root, 'dist/cli/main.js');
const largestPicture = 250_000;
const largestReport = 300_000;
const pageWidth = 1280;
/** The top of a page says what it looks like; more would only be bytes. */
const tallestPicture = 1250;

/** @param {string} message @returns {never} */
function stop(message) {
  process.stderr.write(`screenshots: ${message}\n`);
  process.exit(1);
}

function findChromium() {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const files = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((at) => names.map((name) => join(at, name)));
  return files.find((file) => existsSync(file)) ?? stop(`none of ${names.join(', ')} is on the PATH`);
}

/**
 * Runs nemokit as a user of a terminal with colours does.
 * @param {string} folder @param {string[]} words @returns {string} what it printed, after the line that was typed
 */
function nemokit(folder, words) {
  const { NO_COLOR: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...env, FORCE_COLOR: '1' },
  });
  if (status !== 0) stop(`nemokit ${words.join(' ')} ended with ${status}\n${stderr}`);
  const typed = words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ');
  return `\u001b[2m$\u001b[22m \u001b[1mnemokit ${typed}\u001b[22m\n\n${stdout.trimEnd().replace(/^\n+/, '')}\n`;
}

/** @param {string} file @param {number} limit */
function requireSmall(file, limit) {
  const { size } = statSync(file);
  process.stdout.write(`  ${file.slice(root.length)} ${Math.ceil(size / 1000)} kB\n`);
  if (size > limit) stop(`${file} has ${size} bytes, more than ${limit}`);
}

/**
 * @param {import('playwright-core').Browser} browser @param {string} report @param {string} picture
 * @param {{ scheme: 'light' | 'dark', from?: string, to: string }} part from the head of one section to that of another
 */
async function photograph(browser, report, picture, { scheme, from, to }) {
  const page = await browser.newPage({ viewport: { width: pageWidth, height: 900 }, colorScheme: scheme });
  await page.goto(pathToFileURL(report).href);
  /** @param {string} selector */
  const top = async (selector) => (await page.locator(selector).boundingBox())?.y ?? 0;
  const start = from === undefined ? 0 : (await top(from)) - 24;
  const height = Math.min(tallestPicture, (await top(to)) - 24 - start);
  await page.screenshot({
    path: picture,
    fullPage: true,
    clip: { x: 0, y: start, width: pageWidth, height },
  });
  await page.close();
  requireSmall(picture, largestPicture);
}

/** @param {import('playwright-core').Browser} browser @param {string} tables @param {Example} example */
async function make(browser, tables, { name, table, goal }) {
  const out = join(root, 'docs/examples', name);
  mkdirSync(out, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'nemokit-example-'));
  try {
    copyFileSync(join(tables, table), join(folder, table));
    const check = nemokit(folder, ['check', table, '--goal', goal]);
    const design = nemokit(folder, ['design', table, '--goal', goal, '--seed', '0', '--out', `runs/${name}`]);
    for (const [kind, text] of Object.entries({ check, design })) {
      writeFileSync(join(out, `${kind}.txt`), withoutColours(text));
      writeFileSync(join(out, `${kind}.svg`), terminalPicture(text, `nemokit ${kind} on ${table}`));
      requireSmall(join(out, `${kind}.svg`), largestPicture);
    }
    for (const file of ['report.html', 'candidates.csv']) {
      copyFileSync(join(folder, 'runs', name, file), join(out, file));
      requireSmall(join(out, file), largestReport);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const report = join(out, 'report.html');
  await photograph(browser, report, join(out, 'report-light.png'), { scheme: 'light', to: '#model' });
  await photograph(browser, report, join(out, 'report-dark.png'), { scheme: 'dark', to: '#model' });
  await photograph(browser, report, join(out, 'model.png'), {
    scheme: 'light',
    from: '#model',
    to: '#search',
  });
  await photograph(browser, report, join(out, 'profiles.png'), {
    scheme: 'light',
    from: '#profiles',
    to: '#map',
  });
}

const data = process.argv[2] ?? process.env.NEMOKIT_DATA;
if (!data) stop('which folder has the data? node scripts/screenshots.mjs <folder>, or NEMOKIT_DATA');
const tables = join(resolve(data), 'tables');
for (const { table } of examples) {
  if (!existsSync(join(tables, table)))
    stop(`there is no ${join(tables, table)}; docs/examples/README.md says what it is`);
}
const executablePath = findChromium();
const built = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) stop('the build failed');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  for (const example of examples) {
    process.stdout.write(`${example.name}\n`);
    await make(browser, tables, example);
  }
} finally {
  await browser.close();
}
