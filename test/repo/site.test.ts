// What the site makes of the pages in docs/. site.slow.test.ts builds it and follows every link.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';
import { describe, expect, it } from 'vitest';
import { anchorOf, siteLink } from '../../docs/.vitepress/links.js';
import { apiGroups, readingPaths } from '../../docs/.vitepress/sidebar.js';
import { homePage } from '../../scripts/homePage.mjs';

const docs = fileURLToPath(new URL('../../docs', import.meta.url));

function linksIn(items: readonly DefaultTheme.SidebarItem[]): string[] {
  return items.flatMap(({ link, items: below }) => [...(link ? [link] : []), ...linksIn(below ?? [])]);
}

/** Calls with a folder that has these files and is removed afterwards. */
function withFiles<T>(files: Readonly<Record<string, string>>, call: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'nemokit-site-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return call(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the sidebar', () => {
  it('has every page of docs/: name new ones in docs/README.md', () => {
    const links = linksIn(readingPaths(docs));
    const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
      .map((path) => `/${path.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.md') && path !== '/README.md' && !path.startsWith('/.'))
      .map((path) => path.replace(/\/README\.md$/, '/'));
    expect(links.filter((link) => link.startsWith('/')).toSorted()).toEqual(
      expect.arrayContaining(pages.toSorted()),
    );
  });

  it('begins with the two paths', () => {
    const names = readingPaths(docs).map(({ text }) => text);
    expect(names.slice(0, 2)).toEqual(['For scientists and engineers', 'For researchers']);
  });

  it('is read from the numbered lists, without pages that do not exist', () => {
    const files = {
      'README.md':
        '# Docs\n\n[x](x.md)\n\n## One\n\n1. [`a` b](a.md): what.\n2. [Not yet](later.md): what.\n3. [Tasks](tasks/README.md): what.\n\n## Text\n\nonly\n',
      'a.md': '# A',
      'tasks/README.md': '# Tasks\n\n[z](z.md), [y](y.md), [z again](z.md), [a](../a.md)\n',
      'tasks/y.md': '# Why',
      'tasks/z.md': '# The `z`\n',
    };
    expect(withFiles(files, readingPaths)).toEqual([
      {
        text: 'One',
        collapsed: true,
        items: [
          { text: 'a b', link: '/a.md' },
          {
            text: 'Tasks',
            link: '/tasks/',
            collapsed: true,
            items: [
              { text: 'The z', link: '/tasks/z.md' },
              { text: 'Why', link: '/tasks/y.md' },
            ],
          },
        ],
      },
    ]);
  });

  it('of the reference follows what TypeDoc writes', () => {
    const navigation = [
      {
        title: 'kit',
        path: 'kit/index.md',
        children: [{ title: 'Functions', children: [{ title: 'f', path: 'kit/functions/f.md' }] }],
      },
    ];
    const groups = withFiles({ 'navigation.json': JSON.stringify(navigation) }, (folder) =>
      apiGroups(join(folder, 'navigation.json')),
    );
    expect(linksIn(groups)).toEqual(['/api/kit/', '/api/kit/functions/f']);
    expect(apiGroups(join(docs, 'navigation.json'))).toEqual([]);
  });
});

describe('a link of a page', () => {
  const github = 'https://github.com/nemokit/nemokit';

  it.each([
    ['cli.md#candidatescsv', '', '/cli.md#candidatescsv'],
    ['README.md', '', '/'],
    ['README.md', 'tasks', '/tasks/'],
    ['../algorithms/README.md#x', 'tasks', '/algorithms/#x'],
    ['images/ant.svg', 'tasks', '/tasks/images/ant.svg'],
    ['../src/report', '', `${github}/tree/main/src/report`],
    ['../../src/algorithm.ts#L3', 'tasks', `${github}/blob/main/src/algorithm.ts#L3`],
    ['../CONTRIBUTING.md#rules', '', `${github}/blob/main/CONTRIBUTING.md#rules`],
    ['#here', 'tasks', '#here'],
    ['/api/', '', '/api/'],
    ['https://example.org/a.md', '', 'https://example.org/a.md'],
    ['mailto:a@example.org', '', 'mailto:a@example.org'],
  ])('%s in docs/%s leads to %s', (href, folder, target) => {
    expect(siteLink(href, folder)).toBe(target);
  });

  it.each([
    ['The page of f(x): what’s new?', 'the-page-of-fx-whats-new'],
    ['Ändern & snake_case', 'ändern--snake_case'],
    ['candidates.csv', 'candidatescsv'],
  ])('finds the heading "%s" at #%s', (heading, anchor) => {
    expect(anchorOf(heading)).toBe(anchor);
  });
});

describe('the home page', () => {
  it('has the promise of README.md, both paths, and the limits', () => {
    const read = (path: string) => readFileSync(join(docs, path), 'utf8');
    const page = homePage(read('../README.md'), read('README.md'));
    expect(page).toMatch(/"tagline":"[A-Z][^"*`[]{80,}"/);
    for (const heading of ['For scientists and engineers', 'For researchers', 'What nemokit promises'])
      expect(page).toContain(`\n## ${heading}`);
  });

  it('has links that start from docs/', () => {
    const readme =
      '# kit\n\n[badge](x)\n\nWe **promise**\n[much](docs/a.md).\n\n[![A](docs/a.png)](docs/a.md)\n\n_A [b](docs/b.md)._\n\n' +
      '## What nemokit promises\n\n[a](docs/a.md#x), [b](src/b.ts), [c](https://c.org), [d](#d)\n\n## Other\n';
    expect(homePage(readme, '# Docs\n\n[e](e.md)\n').split('---\n')[2]).toBe(
      '\n[![A](a.png)](a.md)\n\n_A [b](b.md)._\n\n\n[e](e.md)\n\n\n' +
        '## What nemokit promises\n\n[a](a.md#x), [b](../src/b.ts), [c](https://c.org), [d](#d)\n\n',
    );
    expect(homePage(readme, '')).toContain('"tagline":"We promise much."');
    const addresses = readme
      .replaceAll('](docs/a.png', '](https://raw.githubusercontent.com/nemokit/nemokit/main/docs/a.png')
      .replaceAll(/\]\((?=docs\/\w+\.md|src\/)/g, '](https://github.com/nemokit/nemokit/blob/main/');
    expect(addresses.match(/nemokit\/main\/|blob\/main\//g)).toHaveLength(6);
    expect(homePage(addresses, '')).toBe(homePage(readme, ''));
  });

  it('is not made without them', () => {
    expect(() => homePage('# kit\n\nText.\n', '')).toThrow('What nemokit promises');
  });
});
