// The documentation site: docs/ and the API reference as static pages in build/site.
//   node scripts/docs.mjs
// DOCS_BASE is the path at which the site will be served, such as /nemokit/; default /.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { makeApi } from './api.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'docs');
const staged = join(root, 'build/docs-src');

/** Pages to build/docs-src, all other files to its folder public/, which VitePress copies as it is. */
function stage() {
  rmSync(staged, { recursive: true, force: true });
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name);
    const path = from.slice(source.length + 1);
    if (!entry.isFile() || path.startsWith('.')) continue;
    const isPage = path.endsWith('.md');
    const to = join(staged, isPage ? path.replace(/README\.md$/, 'index.md') : join('public', path));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to);
  }
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const paths = readFileSync(join(source, 'README.md'), 'utf8');
  writeFileSync(join(staged, 'index.md'), homePage(readme, paths));
}

/**
 * The home page: the reading paths of docs/README.md; above them what README.md promises and its picture, below them
 * its limits.
 * @param {string} readme @param {string} paths
 */
function homePage(readme, paths) {
  const promise = readme.split('\n\n')[1]?.replaceAll('\n', ' ');
  const picture = /^\[!\[[^\n]*(?:\n\n_[^_]*_)?/m.exec(readme)?.[0] ?? '';
  const limits = /^## What nemokit promises[\s\S]*?(?=^## )/m.exec(readme)?.[0];
  if (!promise || !limits) throw new Error('README.md lacks its first paragraph or "What nemokit promises"');
  const start = { theme: 'brand', text: 'First example', link: '/examples/' };
  const settings = {
    layout: 'home',
    titleTemplate: 'from past experiments to better designs',
    hero: {
      name: 'nemokit',
      text: 'From past experiments to better designs',
      tagline: promise,
      actions: [start, { theme: 'alt', text: 'Commands', link: '/cli' }],
    },
  };
  const text = `${picture}\n${paths.replace(/^# .*\n/, '')}\n${limits}`;
  return `---\n${JSON.stringify(settings)}\n---\n${text.replaceAll('](docs/', '](')}`;
}

stage();
await makeApi(join(staged, 'api'));
await build(source);
