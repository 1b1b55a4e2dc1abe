// A project as docs/browser.md tells users to write it: its files, its commands, and nemokit as it is installed.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/browser.md'), 'utf8');

/** Blocks that follow a line with nothing but a file's name. */
const files = Object.fromEntries(
  [...page.matchAll(/^`([\w./-]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm)].map(([, name, text]) => [name!, text!]),
);

/** The shell commands below a heading. */
function commandsBelow(heading: string): string {
  const [, section = ''] = new RegExp(`^## ${heading}\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, 'm').exec(page) ?? [];
  const found = /^```sh\n([\s\S]*?)^```$/m.exec(section)?.[1];
  if (!found) throw new Error(`docs/browser.md has no commands below "${heading}"`);
  return found;
}

/** Packages that a user gets with nemokit; tools come from the repository. */
function install(folder: string): void {
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, 'nemokit'), { recursive: true });
  for (const name of ['dist', 'package.json'])
    cpSync(join(root, name), join(packages, 'nemokit', name), { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(packages, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(packages, name), 'dir');
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

/** Runs what the page says below a heading. `npx` takes the tools of the repository. */
export function build(folder: string, heading: string): void {
  const PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  execFileSync('sh', ['-ec', commandsBelow(heading).replaceAll('npx ', '')], {
    cwd: folder,
    env: { ...process.env, PATH, NODE_ENV: 'production' },
    stdio: 'pipe',
  });
}

export const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
