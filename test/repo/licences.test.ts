// Committed data say where they come from and what may be done with them.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Formats that hold data alone; JSON may be a setting or a schema, so only much of it counts. */
const alwaysData = /\.(bin|csv|tsv|parquet|f32|npy|npz|gz|xlsx)$/;
const largeData = /\.jsonl?$/;
const LARGE = 20_000;

/** Tables that `src/` and the tests read are described where they are used. */
const elsewhere = /^(?:src|test\/(?!golden\/))/;

function isData(path: string, bytes: number): boolean {
  if (elsewhere.test(path) || path === 'package-lock.json' || path.endsWith('.schema.json')) return false;
  return alwaysData.test(path) || (largeData.test(path) && bytes > LARGE);
}

/** The page beside a file, or nearest above it but below the root, that speaks of a licence. */
function licenceOf(path: string, textOf: (page: string) => string | undefined): string | undefined {
  for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
    const pages = ['LICENSE', 'LICENSE.md', 'README.md'].map((name) => `${folder}/${name}`);
    const found = pages.find((page) => /licen[cs]e/i.test(textOf(page) ?? ''));
    if (found) return found;
  }
  return undefined;
}

describe('committed data', () => {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  const files = stdout.split('\0').filter((path) => path !== '' && existsSync(root + path));
  if (status !== 0) process.stderr.write('licences of data are not looked at: git does not list the files\n');
  const textOf = (page: string) => (existsSync(root + page) ? readFileSync(root + page, 'utf8') : undefined);

  it.skipIf(status !== 0)('have a licence beside or above them', () => {
    const data = files.filter((path) => isData(path, statSync(root + path).size));
    expect(data).toEqual(
      expect.arrayContaining(['data/hopper-controller/designs.bin', 'studies/paper-tasks/records.jsonl']),
    );
    expect(data.filter((path) => licenceOf(path, textOf) === undefined)).toEqual([]);
  });

  it.skipIf(status !== 0)('that the package ships are named in data/LICENSE.md', () => {
    const page = textOf('data/LICENSE.md')!;
    for (const path of files.filter((name) => /^data\/.*(?<!\.md)$/.test(name)))
      expect(page).toContain(`\`${path.slice('data/'.length)}\``);
  });

  it('are found without one', () => {
    const page = (name: string) => ({ 'a/README.md': 'About.', 'b/LICENSE.md': 'Licence: CC0' })[name];
    expect(licenceOf('a/table.csv', page)).toBeUndefined();
    expect(licenceOf('b/c/table.csv', page)).toBe('b/LICENSE.md');
    expect([isData('a/x.json', 10), isData('a/x.json', 1e6), isData('a/x.csv', 10)]).toEqual([
      false,
      true,
      true,
    ]);
  });
});
