// Writes what is made from the declarations of options: the tables of docs/algorithms/*.md.
//   node scripts/options.mjs && npm run format
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { algorithms } from '../dist/algorithms/index.js';
import { optionsMarkdown } from '../dist/options/optionDocs.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const begin = '<!-- options: node scripts/options.mjs -->';
const end = '<!-- end of options -->';

/** Pages with a table of options. */
export const pages = Object.keys(algorithms).map((id) => `docs/algorithms/${id}.md`);

/** A page with its table made from the declarations. @param {string} path */
export function withOptions(path) {
  const text = readFileSync(root + path, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${path} lacks "${begin}" or "${end}"`);
  const algorithm = Object.values(algorithms).find(({ id }) => path.endsWith(`/${id}.md`));
  if (!algorithm) throw new Error(`${path} is the page of no algorithm`);
  const made = `${text.slice(0, from + begin.length)}\n\n${optionsMarkdown(algorithm)}\n\n${text.slice(to)}`;
  return { text, made };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const path of pages) writeFileSync(root + path, withOptions(path).made);
