// Tables of options and JSON Schemas are made from the declarations: node scripts/options.mjs && npm run format
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pages, schemas, withOptions } from '../../scripts/options.mjs';

it.each(pages)('%s shows the options as they are declared', (path) => {
  const { text, made } = withOptions(path);
  expect(text).toBe(made);
});

it.each(Object.keys(schemas))('%s is current', (path) => {
  const written = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  expect(JSON.parse(written)).toEqual(schemas[path]!());
});
