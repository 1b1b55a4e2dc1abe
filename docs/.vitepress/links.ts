// Links and anchors. In the repository links are relative and work on GitHub; these rules make them work on the site.
import { statSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the repository, with a slash at its end. */
export const root = fileURLToPath(new URL('../..', import.meta.url));
export const repository = 'https://github.com/nemokit/nemokit';

/**
 * What a link of a page leads to on the site. Pages are named from the top (`/tasks/gfp.md`), README.md is the index
 * of its folder, and what lies outside docs/ is shown on GitHub.
 *
 * @param folder Folder of the page, relative to docs/; empty for docs/ itself.
 */
export function siteLink(href: string, folder: string): string {
  if (/^(?:[a-z][a-z\d+.-]*:|\/|#)/i.test(href)) return href;
  const [, file = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(href)!;
  const path = posix.join('docs', folder, decodeURI(file));
  if (!path.startsWith('docs/')) return `${repository}/${kindOf(path)}/main/${encodeURI(path)}${rest}`;
  const page = path.slice('docs'.length).replace(/\/README\.md$/, '/');
  return encodeURI(page) + rest;
}

function kindOf(path: string): 'blob' | 'tree' {
  return statSync(root + path, { throwIfNoEntry: false })?.isDirectory() ? 'tree' : 'blob';
}

/** The anchor that GitHub gives to a heading. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
