// The sidebar, made from docs/README.md: its reading paths are the groups, so that one list serves both.
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { siteLink } from './links.js';

type Item = DefaultTheme.SidebarItem;

/** A page of the tree that TypeDoc writes; a group of pages has no path. */
interface ApiPage {
  readonly title: string;
  readonly path?: string;
  readonly children?: readonly ApiPage[];
}

/** One group per second-level heading with a numbered list of links. Pages that do not exist are left out. */
export function readingPaths(docs: string): Item[] {
  return read(`${docs}/README.md`)
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const entries = [...section.matchAll(/^\d+\. \[([^\]]+)\]\(([^)]+)\)/gm)];
      const items = entries.flatMap(([, text, path]) => itemOf(docs, plain(text!), path!));
      return items.length > 0 ? [{ text: section.split('\n')[0]!, collapsed: true, items }] : [];
    });
}

/** A page, and below the front page of a folder the pages of that folder, in the order in which it names them. */
function itemOf(docs: string, text: string, path: string): Item[] {
  if (!existsSync(`${docs}/${path}`)) return [];
  const page = { text, link: siteLink(path, '') };
  if (!path.endsWith('/README.md')) return [page];
  const folder = posix.dirname(path);
  const named = [...read(`${docs}/${path}`).matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => name!);
  const items = [...new Set(named)].map((name) => ({
    text: titleOf(read(`${docs}/${folder}/${name}`)),
    link: siteLink(`${folder}/${name}`, ''),
  }));
  return [items.length > 0 ? { ...page, collapsed: true, items } : page];
}

/** The groups of the API reference: entry points, and their names by kind. */
export function apiGroups(navigation: string): Item[] {
  const toItem = ({ title, path, children }: ApiPage): Item => ({
    text: title,
    ...(path !== undefined && { link: `/api/${path.replace(/(?:index)?\.md$/, '')}` }),
    ...(children && { collapsed: true, items: children.map(toItem) }),
  });
  return existsSync(navigation) ? JSON.parse(read(navigation)).map(toItem) : [];
}

const read = (file: string) => readFileSync(file, 'utf8');
const titleOf = (markdown: string) => plain(/^# (.+)$/m.exec(markdown)?.[1] ?? '');
const plain = (heading: string) => heading.replaceAll('`', '');
