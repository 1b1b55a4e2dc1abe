// A project as docs/browser.md tells users to write it: its files, its commands, and nemokit as it is installed.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { address, type ServeOptions, serve } from './pages.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/browser.md'), 'utf8');

/** Blocks that follow a line with nothing but a file's name. */
const files = Object.fromEntries(
  [...page.matchAll(/^`([\w./-]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm)].map(([, name, text]) => [name!, text!]),
);

/** The shell commands below a heading. */
function commandsBelow(heading: string): string {
  const [, section = ''] =
    new RegExp(`^## ${heading}\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, 'm').exec(page) ?? [];
  const found = /^```sh\n([\s\S]*?)^```$/m.exec(section)?.[1];
  if (!found) throw new Error(`docs/browser.md has no commands below "${heading}"`);
  return found;
}

const dependenciesOf = (folder: string): string[] =>
  Object.keys(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies ?? {});

/** Packages that a user gets with nemokit, and theirs; tools come from the repository. */
function install(folder: string): void {
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, 'nemokit'), { recursive: true });
  for (const name of ['dist', 'package.json'])
    cpSync(join(root, name), join(packages, 'nemokit', name), { recursive: true });
  const names = new Set(dependenciesOf(root));
  for (const name of names) {
    const source = join(root, 'node_modules', name);
    for (const other of dependenciesOf(source)) names.add(other);
    mkdirSync(dirname(join(packages, name)), { recursive: true });
    symlinkSync(source, join(packages, name), 'dir');
  }
}

/** Makes the project in a new folder. */
export function makeProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nemokit-page-'));
  install(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/**
 * Runs what the page says below a heading, with `added` at the end of the first command. `npx` takes the tools of the
 * repository.
 */
export function build(folder: string, heading: string, added = ''): void {
  const commands = commandsBelow(heading).replaceAll('npx ', '').replace('\n', `${added}\n`);
  const PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  execFileSync('sh', ['-ec', commands], {
    cwd: folder,
    env: { ...process.env, PATH, NODE_ENV: 'production' },
    stdio: 'pipe',
  });
}

export interface Use {
  /** File in the folder that is served. */
  readonly page?: string;
  readonly table: string;
  readonly ask: object;
}

/** What a person does with the page, and what it says in the end. */
export async function usePage(browser: Browser, options: ServeOptions, { page = '', table, ask }: Use) {
  const asked: string[] = [];
  const server = await serve({ ...options, asked: (path) => asked.push(path) });
  const tab = await browser.newPage();
  const warnings: string[] = [];
  const started: string[] = [];
  tab.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) warnings.push(message.text());
  });
  const broken = new Promise<never>((_, reject) => tab.once('pageerror', reject));
  broken.catch(() => {});
  tab.on('worker', (worker) => started.push(worker.url().replace(/^blob:.*/, 'blob')));
  try {
    await tab.goto(address(server) + page);
    const buffer = Buffer.from(table);
    await tab.locator('#file').setInputFiles({ name: 'past.csv', mimeType: 'text/csv', buffer });
    await tab.locator('#ask').fill(JSON.stringify(ask));
    await tab.locator('#start').click();
    const output = tab.locator('#output');
    const said = output.filter({ hasNotText: /^(?:\w+: \d+ %)?$/ }).waitFor({ timeout: 300_000 });
    said.catch(() => {});
    await Promise.race([said, broken]);
    return { text: (await output.textContent()) ?? '', warnings, started, asked };
  } finally {
    await tab.close();
    server.close();
  }
}

export const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
