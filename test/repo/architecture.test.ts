// ARCHITECTURE.md is a map: every folder of src/ stands in it once, and its arrows are imports.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(`${root}ARCHITECTURE.md`, 'utf8');

/** Names in the first cells of the table whose heading starts so. */
function firstCells(markdown: string, heading: string): string[] {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${heading}`));
  const end = lines.findIndex((line, i) => i > start && !line.startsWith('|'));
  return lines
    .slice(start + 2, end)
    .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
}

/** [imported, importer], from lines such as "    a <- b <- c". */
function arrowsIn(markdown: string): [string, string][] {
  return markdown
    .split('\n')
    .filter((line) => /^ {4}\S.* <- /.test(line))
    .flatMap((line) => {
      const names = line.trim().split(' <- ');
      return names.slice(1).map((name, i): [string, string] => [names[i]!, name]);
    });
}

function entries(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).map((entry) =>
    entry.isDirectory() ? `${entry.name}/` : entry.name,
  );
}

function zoneOf(path: string): string {
  return path.split('/')[1]!.replace(/\..*$/, '');
}

/** "importer -> imported", types aside. */
function importsOf(sources: Readonly<Record<string, string>>): Set<string> {
  const found = new Set<string>();
  for (const [path, text] of Object.entries(sources)) {
    const named = [...text.matchAll(/^(?:import|export)\s+(?!type\s)[^;]*?from\s+'(\.[^']+)'/gm)];
    const dynamic = [...text.matchAll(/\bimport\(\s*'(\.[^']+)'/g)];
    for (const [, specifier] of [...named, ...dynamic])
      found.add(`${zoneOf(path)} -> ${zoneOf(posix.join(posix.dirname(path), specifier!))}`);
  }
  return found;
}

describe('ARCHITECTURE.md', () => {
  it('lists every folder and file at the top of src/', () => {
    expect(firstCells(page, 'in `src/`').toSorted()).toEqual(entries(`${root}src`).toSorted());
  });

  it('lists the folders beside src/', () => {
    const unlisted = ['src/', 'node_modules/', 'dist/', 'build/', 'coverage/', 'runs/'];
    const folders = entries(root).filter((name) => /^[^.].*\/$/.test(name) && !unlisted.includes(name));
    expect(firstCells(page, 'beside `src/`').toSorted()).toEqual(folders.toSorted());
  });

  it('draws arrows that are imports, and never against them', () => {
    const paths = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
      .map((name) => `src/${name.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.ts'));
    const imports = importsOf(
      Object.fromEntries(paths.map((path) => [path, readFileSync(root + path, 'utf8')])),
    );
    const arrows = arrowsIn(page);
    expect(arrows.length).toBeGreaterThan(10);
    for (const [imported, importer] of arrows) {
      expect(existsSync(`${root}src/${imported}`), imported).toBe(true);
      expect([...imports], `${imported} <- ${importer}`).toContain(`${importer} -> ${imported}`);
      expect([...imports], `${imported} <- ${importer}`).not.toContain(`${imported} -> ${importer}`);
    }
  });

  it('is read as it is written', () => {
    const text = '| in `src/` | holds |\n| --- | --- |\n| `a/` `b.ts` | `c/` |\n| `d/` | |\n\n| `e/` | |\n';
    expect(firstCells(text, 'in `src/`')).toEqual(['a/', 'b.ts', 'd/']);
    expect(arrowsIn('a <- b\n    a <- b <- c\n    text\n')).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ]);
    const sources = {
      'src/a/x.ts': "import { y } from '../b/y.js';\nimport type { Z } from '../c/z.js';",
      'src/b/y.ts': "const { d } = await import('../d.js');",
    };
    expect([...importsOf(sources)]).toEqual(['a -> b', 'b -> d']);
  });
});
