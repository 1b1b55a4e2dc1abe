// Writes what is made from the declarations of options: the tables of docs/algorithms/*.md, and the JSON Schemas.
//   node scripts/options.mjs && npm run format
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { algorithms } from '../dist/algorithms/index.js';
import { specJsonSchema } from '../dist/bench/trialPlan.js';
import { methodOptions } from '../dist/design/designRequest.js';
import { optionsMarkdown } from '../dist/options/optionDocs.js';
import { problemJsonSchema } from '../dist/problem/index.js';

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

/** @type {Readonly<Record<string, () => Record<string, unknown>>>} */
export const schemas = {
  'docs/nemokit.schema.json': () => problemJsonSchema(methodOptions),
  'docs/nemokit-spec.schema.json': () => specJsonSchema(),
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const path of pages) writeFileSync(root + path, withOptions(path).made);
  for (const [path, make] of Object.entries(schemas))
    writeFileSync(root + path, `${JSON.stringify(make(), null, 2)}\n`);
}
