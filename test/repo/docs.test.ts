import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const requiredDocuments = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs/decisions.md',
];

const readmeCommands = ['npm ci && npm run demo', 'npm ci && npm test'];

const readableFiles = /(?:\.(?:[cm]?[jt]sx?|json|md|py|sh|ya?ml|html|css)|(?:^|\/)\.ci\/[^.]+)$/;

/** Ignored by git; a folder without git has them all the same. */
const unlistedFolders = ['.git', 'node_modules', 'dist', 'build', 'coverage'];

/** Path -> text. A file that nobody reads as text has an empty one. */
type Tree = Readonly<Record<string, string>>;

/** Fenced blocks and inline code hold no links; a heading keeps the words of its code. */
function withoutFences(text: string): string {
  return text.replace(/^ {0,3}(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*?\n)?? {0,3}\1[`~]*[ \t]*$/gm, '');
}

function linksIn(markdown: string): string[] {
  const text = withoutFences(markdown).replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '`code`');
  const patterns = [
    /\]\(\s*<([^>\n]*)>/g,
    /\]\(\s*((?:[^\s()<]|\([^\s()]*\))+)/g,
    /^ {0,3}\[[^\]^][^\]]*\]:\s*<?([^\s>]+)/gm,
    /<(?:a|img|source)\b[^>]*?\s(?:href|src|srcset)="([^"\s]+)/g,
  ];
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''));
}

/** The anchors GitHub gives to headings, plus those written as HTML. */
function anchorsIn(markdown: string): Set<string> {
  const text = withoutFences(markdown);
  const anchors = new Set(
    [...text.matchAll(/<a\b[^>]*\s(?:id|name)="([^"]+)"/g)].map((match) => match[1] ?? ''),
  );
  for (const [, heading = ''] of text.matchAll(/^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/gm)) {
    const slug = slugOf(heading);
    let anchor = slug;
    for (let repeat = 1; anchors.has(anchor); repeat++) anchor = `${slug}-${repeat}`;
    anchors.add(anchor);
  }
  return anchors;
}

function slugOf(heading: string): string {
  return heading
    .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<[^>]+>/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** The repository as npmjs.com and other sites see it: its pages, and its files as they are. */
const publicAddress =
  /^https:\/\/(?:github\.com\/nemokit\/nemokit\/(?:blob|tree)|raw\.githubusercontent\.com\/nemokit\/nemokit)\/main\//;

/** npmjs.com shows the README without the files beside it. */
function findRelativeLinks(tree: Tree): string[] {
  return linksIn(tree['README.md'] ?? '').filter((link) => !/^(?:https:\/\/|#)/.test(link));
}

function findBrokenLinks(tree: Tree): string[] {
  const folders = new Set(Object.keys(tree).flatMap(parents));
  return Object.keys(tree)
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) =>
      linksIn(tree[path] ?? '')
        // from the root of the repository
        .map((link) => link.replace(publicAddress, '/'))
        .filter((link) => !/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(link))
        .flatMap((link) => {
          const [, file = '', anchor] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(decodeURI(link)) ?? [];
          const base = file.startsWith('/') ? '.' : posix.dirname(path);
          const target = file === '' ? path : posix.join(base, file).replace(/\/$/, '');
          if (!(target in tree) && !folders.has(target)) return [`${path}: ${link} leads nowhere`];
          if (anchor === undefined) return [];
          const isKnown = target.endsWith('.md')
            ? anchorsIn(tree[target] ?? '').has(anchor)
            : /^L\d+(?:-L\d+)?$/.test(anchor);
          return isKnown ? [] : [`${path}: ${link} names no heading`];
        }),
    );
}

function parents(path: string): string[] {
  const parent = posix.dirname(path);
  return parent === '.' ? ['.'] : [parent, ...parents(parent)];
}

function findMissingDocuments(tree: Tree): string[] {
  return requiredDocuments.filter((path) => !(path in tree));
}

function findMissingCommands(tree: Tree): string[] {
  return readmeCommands.filter((command) => !tree['README.md']?.includes(command));
}

/** A path of somebody's machine. What comes after a name, a dot or a brace is the rest of another path. */
function findMachinePaths(tree: Tree): string[] {
  const paths = /(?<![\w.})-])(?:\/(?:work|root|home|tmp|Users)\/|[A-Z]:\\{1,2}Users\\{1,2})\w+/g;
  return Object.entries(tree).flatMap(([path, text]) =>
    text.split('\n').flatMap((line, index) =>
      [...line.matchAll(paths)]
        // Code that asks for the temporary folder may have a reason to name one.
        .filter(([found]) => !(found.startsWith('/tmp/') && /\btmpdir\(/.test(text)))
        .map(([found]) => `${path}:${index + 1}: ${found}`),
    ),
  );
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What git tracks or would track; without a repository, or without git to ask, every file. */
function listFiles(): string[] {
  if (!existsSync(`${root}.git`)) return walk('');
  const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { status, stdout } = spawnSync('git', options, { cwd: root, encoding: 'utf8' });
  if (status !== 0) return walk('');
  return stdout.split('\0').filter((path) => path !== '' && existsSync(root + path));
}

function walk(folder: string): string[] {
  return readdirSync(root + folder, { withFileTypes: true })
    .filter(({ name }) => !unlistedFolders.includes(name))
    .flatMap((entry) =>
      entry.isDirectory() ? walk(`${folder}${entry.name}/`) : entry.isFile() ? [folder + entry.name] : [],
    );
}

function readTree(): Tree {
  return Object.fromEntries(
    listFiles().map((path) => [path, readableFiles.test(path) ? readFileSync(root + path, 'utf8') : '']),
  );
}

describe('the repository', () => {
  const tree = readTree();

  it('is read whole', () => {
    expect(Object.keys(tree)).toEqual(
      expect.arrayContaining(['package.json', 'src/numeric/index.ts', 'LICENSE']),
    );
  });

  it('has the documents a reader looks for', () => {
    expect(findMissingDocuments(tree)).toEqual([]);
  });

  it('shows in the README how to see and how to test it', () => {
    expect(findMissingCommands(tree)).toEqual([]);
  });

  it('has links that lead somewhere', () => {
    expect(findBrokenLinks(tree)).toEqual([]);
  });

  it('has a README whose links work elsewhere', () => {
    expect(findRelativeLinks(tree)).toEqual([]);
    expect(
      linksIn(tree['README.md'] ?? '').filter((link) => publicAddress.test(link)).length,
    ).toBeGreaterThan(9);
  });

  it("names no path of anybody's machine", () => {
    expect(findMachinePaths(tree)).toEqual([]);
  });
});

describe('the checks', () => {
  it('report missing documents', () => {
    expect(findMissingDocuments({ 'README.md': '', 'docs/README.md': '' })).toEqual(
      requiredDocuments.slice(1),
    );
  });

  it('report missing commands', () => {
    expect(findMissingCommands({})).toEqual(readmeCommands);
    expect(findMissingCommands({ 'README.md': '```\nnpm ci && npm run demo\n```\nnpm test' })).toEqual([
      'npm ci && npm test',
    ]);
  });

  const page = [
    '# The *page* of `f(x)`: what’s new?',
    '## Twice',
    '## Twice',
    '## See [the docs](https://example.org/a) ##',
    '## Ändern & snake_case',
    '<a id="by-hand"></a>',
    '```',
    '# Not a heading',
    '```',
  ].join('\n');
  const tree: Tree = { 'docs/page.md': page, 'docs/(old).md': '', 'docs/figure.svg': '', 'src/a.ts': '' };

  it.each([
    '[a](page.md)',
    '[a](./page.md "title")',
    '[a](/docs/page.md)',
    '[a](<page.md>)',
    '[a](%28old%29.md)',
    '[a]((old).md)',
    '![a](figure.svg)',
    '[![a](figure.svg)](page.md)',
    '[a](../src/)',
    '[a](..)',
    '[a](../src/a.ts#L3-L5)',
    '[a]: page.md',
    '<img alt="a" src="figure.svg">',
    '[a](https://example.org/nowhere.md#x)',
    '[a](mailto:a@example.org)',
    '[a](https://github.com/nemokit/nemokit/blob/main/docs/page.md#twice)',
    '[a](https://github.com/nemokit/nemokit/tree/main/docs)',
    '![a](https://raw.githubusercontent.com/nemokit/nemokit/main/docs/figure.svg)',
    '[a](https://github.com/nemokit/nemokit)',
    '# Here\n[a](#here)',
    '[a](page.md#the-page-of-fx-whats-new)',
    '[a](page.md#twice-1)',
    '[a](page.md#see-the-docs)',
    '[a](page.md#ändern--snake_case)',
    '[a](page.md#by-hand)',
    '`[a](nowhere.md)` and ``[a`](nowhere.md)``',
    '```md\n[a](nowhere.md)\n```',
    '````\n```\n[a](nowhere.md)\n```\n````',
    'rows[i](j)',
    '[^1]: nowhere.md',
  ])('accept %j', (text) => {
    const known = { ...tree, 'docs/j': '' };
    expect(findBrokenLinks({ ...known, 'docs/index.md': text })).toEqual([]);
  });

  it.each([
    ['[a](nowhere.md)', 'nowhere.md leads nowhere'],
    ['[a](docs/page.md)', 'docs/page.md leads nowhere'],
    ['[a](Page.md)', 'Page.md leads nowhere'],
    ['[a](../../page.md)', '../../page.md leads nowhere'],
    ['![a](nowhere.svg "title")', 'nowhere.svg leads nowhere'],
    ['[![a](nowhere.svg)](page.md)', 'nowhere.svg leads nowhere'],
    ['[a](<no where.md>)', 'no where.md leads nowhere'],
    ['text\n\n[a]: nowhere.md', 'nowhere.md leads nowhere'],
    ['<a class="x" href="nowhere.md">a</a>', 'nowhere.md leads nowhere'],
    ['[a](https://github.com/nemokit/nemokit/blob/main/page.md)', '/page.md leads nowhere'],
    ['![a](https://raw.githubusercontent.com/nemokit/nemokit/main/no.svg)', '/no.svg leads nowhere'],
    [
      '[a](https://github.com/nemokit/nemokit/blob/main/docs/page.md#nowhere)',
      '/docs/page.md#nowhere names no heading',
    ],
    ['[a](#nowhere)', '#nowhere names no heading'],
    ['[a](page.md#nowhere)', 'page.md#nowhere names no heading'],
    ['[a](page.md#Twice)', 'page.md#Twice names no heading'],
    ['[a](page.md#twice-2)', 'page.md#twice-2 names no heading'],
    ['[a](page.md#not-a-heading)', 'page.md#not-a-heading names no heading'],
    ['[a](../src/a.ts#main)', '../src/a.ts#main names no heading'],
    ['```\ncode\n```\n[a](nowhere.md)\n```\ncode\n```', 'nowhere.md leads nowhere'],
    ['`code` [a](nowhere.md) `code`', 'nowhere.md leads nowhere'],
  ])('report %j', (text, violation) => {
    expect(findBrokenLinks({ ...tree, 'docs/index.md': text })).toEqual([`docs/index.md: ${violation}`]);
  });

  it('report links of the README that need the files beside it', () => {
    const text =
      '[a](docs/page.md) ![b](docs/figure.svg) [c](https://example.org) [d](#here) <img src="e.png">';
    expect(findRelativeLinks({ 'README.md': text })).toEqual(['docs/page.md', 'docs/figure.svg', 'e.png']);
  });

  // Put together here, so that this file names no such path itself.
  const machinePath = (...parts: string[]) => ['', ...parts].join('/');

  it.each(['work', 'root', 'home', 'tmp', 'Users'])('report a path under %s', (folder) => {
    const found = machinePath(folder, 'ada');
    expect(findMachinePaths({ 'docs/a.md': `first\nsee \`${found}/data.csv\`` })).toEqual([
      `docs/a.md:2: ${found}`,
    ]);
    expect(findMachinePaths({ 'src/a.ts': `open('${found}')` })).toEqual([`src/a.ts:1: ${found}`]);
  });

  it('report a path of a Windows user', () => {
    const found = ['C:', 'Users', 'ada'].join('\\');
    expect(findMachinePaths({ 'docs/a.md': found })).toEqual([`docs/a.md:1: ${found}`]);
  });

  it('accept the rest of another path, and temporary folders in code that asks for one', () => {
    const path = machinePath('home', 'ada');
    expect(findMachinePaths({ 'a.md': `https://example.org${path} ..${path} {base}${path}` })).toEqual([]);
    const temporary = machinePath('tmp', 'nemokit');
    expect(findMachinePaths({ 'a.ts': `join(tmpdir(), 'a'); // such as ${temporary}` })).toEqual([]);
    expect(findMachinePaths({ 'a.ts': `tmpdir(); '${path}'` })).toHaveLength(1);
  });
});
