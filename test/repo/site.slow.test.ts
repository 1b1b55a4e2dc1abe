// Builds the documentation site, whose API reference TypeDoc makes without a warning, and follows every link.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { executable } from '../browser/chromium.js';
import { launch } from '../browser/pages.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const site = join(root, 'build/site');
const origin = 'http://site.test';
const buildTime = 600_000;

interface Page {
  readonly path: string;
  readonly html: string;
  readonly ids: ReadonlySet<string>;
}

/** Values of these attributes, without the entities of HTML. */
function attributes(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(([, value]) =>
    value!.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  );
}

/** The file that a server of static files gives for a path. */
function fileOf(path: string): string {
  const file = join(site, decodeURIComponent(path));
  return existsSync(file) && statSync(file).isDirectory() ? join(file, 'index.html') : file;
}

describe('the site', () => {
  let output = '';
  let pages: Page[] = [];

  beforeAll(async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['scripts/docs.mjs'], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production', DOCS_BASE: '/' },
    });
    output = stdout + stderr;
    pages = readdirSync(site, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      // Reports of the examples are pages of their own.
      .filter((path) => path.endsWith('.html') && !path.endsWith('/report.html'))
      .map((path) => {
        const html = readFileSync(join(site, path), 'utf8');
        return { path, html, ids: new Set(attributes(html, /\sid="([^"]+)"/g)) };
      });
  }, buildTime);

  it('is built without warnings of TypeDoc and dead links', () => {
    expect(output).not.toMatch(/\[(?:warning|error)\]|dead link/i);
  });

  it('has a page for each page of docs/, and the reference of every entry point', () => {
    const made = new Set(pages.map(({ path }) => path));
    const sources = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && !path.startsWith('.'))
      .map((path) => path.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html'));
    expect(sources.filter((path) => !made.has(path))).toEqual([]);
    const api = readFileSync(join(site, 'api/index.html'), 'utf8');
    expect(api).toContain('href="/api/nemokit/"');
    expect(made.has('api/nemokit/index.html')).toBe(true);
  });

  it('has links that lead to a file, and to an anchor in it', () => {
    const byFile = new Map(pages.map((page) => [join(site, page.path), page]));
    const broken = pages.flatMap(({ path, html }) =>
      attributes(html, /<a\b[^>]*?\shref="([^"]*)"/g)
        .map((href) => new URL(href, `${origin}/${path}`))
        .filter((url) => url.origin === origin)
        .flatMap(({ pathname, hash }) => {
          const file = fileOf(pathname);
          if (!existsSync(file)) return [`${path}: ${pathname} leads nowhere`];
          const anchor = decodeURIComponent(hash.slice(1));
          const isKnown = anchor === '' || byFile.get(file)?.ids.has(anchor);
          return isKnown ? [] : [`${path}: ${pathname}${hash} names no heading`];
        }),
    );
    expect(broken).toEqual([]);
  });

  it('has links to GitHub that lead to files of this repository', () => {
    const links = pages.flatMap(({ html }) => attributes(html, /\shref="https:\/\/github\.com\/([^"]*)"/g));
    const paths = links.flatMap((link) => {
      const found = /^nemokit\/nemokit\/(?:blob|tree|edit)\/main\/([^#]+)/.exec(link);
      return found ? [posix.normalize(decodeURI(found[1]!))] : [];
    });
    expect(paths.length).toBeGreaterThan(100);
    expect([...new Set(paths)].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('has pictures, styles and scripts of its own, and none from elsewhere', () => {
    const files = pages.flatMap(({ path, html }) =>
      [
        ...attributes(html, /<(?:img|script|source)\b[^>]*?\ssrc="([^"]*)"/g),
        ...attributes(html, /<link\b[^>]*?\shref="([^"]*)"/g),
      ].map((link) => new URL(link, `${origin}/${path}`)),
    );
    const own = files.filter(({ protocol }) => protocol !== 'data:');
    expect(own.filter((url) => url.origin !== origin).map(String)).toEqual([]);
    expect(own.filter(({ pathname }) => !existsSync(fileOf(pathname))).map(String)).toEqual([]);
    // figures of results are in studies/ and docs/results/, their page has none
    expect(own.filter(({ pathname }) => /\.(?:svg|png)$/.test(pathname)).length).toBeGreaterThan(12);
    const styles = readdirSync(join(site, 'assets')).filter((name) => name.endsWith('.css'));
    for (const name of styles)
      expect(readFileSync(join(site, 'assets', name), 'utf8')).not.toMatch(/@import|url\(["']?https?:/);
  });

  it('has an index for the search', () => {
    const chunks = join(site, 'assets/chunks');
    const [index] = readdirSync(chunks).filter((name) => name.startsWith('@localSearchIndexroot'));
    const text = readFileSync(join(chunks, index!), 'utf8');
    for (const page of ['/glossary.html', '/algorithms/nemo.html', '/api/nemokit/'])
      expect(text).toContain(page);
  });

  describe.skipIf(!executable)('in a browser', () => {
    it('finds a word and opens its page, and asks nobody else for anything', async () => {
      const browser = await launch();
      try {
        const page = await browser.newPage();
        const elsewhere: string[] = [];
        const errors: string[] = [];
        page.on('pageerror', ({ message }) => errors.push(message));
        await page.route('**/*', (route) => {
          const url = new URL(route.request().url());
          if (url.origin === origin) return route.fulfill({ path: fileOf(url.pathname) });
          elsewhere.push(url.href);
          return route.abort();
        });
        await page.goto(`${origin}/`);
        await page.locator('.DocSearch-Button').first().click();
        await page.locator('.VPLocalSearchBox input').fill('kriging believer');
        await page.locator('.VPLocalSearchBox .result').first().click();
        await page.waitForURL(/gp-bo/);
        // the address changes before the page does
        await page.locator('h1', { hasText: 'GP-BO' }).waitFor();
        expect(elsewhere).toEqual([]);
        expect(errors).toEqual([]);
      } finally {
        await browser.close();
      }
    });
  });
});
