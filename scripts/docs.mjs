// The documentation site: docs/ and the API reference as static pages in build/site.
//   node scripts/docs.mjs
// DOCS_BASE is the path at which the site will be served, such as /nemokit/; default /.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { makeApi } from './api.mjs';
import { homePage } from './homePage.mjs';

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

stage();
await makeApi(join(staged, 'api'));
await build(source);
