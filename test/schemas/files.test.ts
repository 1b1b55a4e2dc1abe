import { readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { schemaFiles } from '../../src/schemas/index.js';
import { printSchema } from '../../src/schemas/jsonSchema.js';
import { faultsOf, readSchema, schemaNames } from './validator.js';

const folder = new URL('../../schemas/', import.meta.url);
const made = schemaFiles();

it('are the files of schemas/, current: npm run build && npm run schemas', () => {
  expect(readdirSync(folder).toSorted()).toEqual(Object.keys(made).toSorted());
  for (const [name, schema] of Object.entries(made))
    expect(readFileSync(new URL(name, folder), 'utf8'), name).toBe(`${printSchema(schema)}\n`);
});

it('take little room in the package', () => {
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(new URL(name, folder)).size, 0);
  // most of it are the options of fifteen algorithms, in problem and spec
  expect(bytes).toBeLessThan(240_000);
});

it('are printed as JSON that reads back the same', () => {
  const value = {
    a: [1, 'x"\n'],
    b: {},
    c: [],
    d: { e: null, f: 'y'.repeat(200), g: [{ h: 'z'.repeat(130) }] },
  };
  expect(JSON.parse(printSchema(value))).toEqual(value);
});

/** What nemokit reads has a schema of its own kind: open where methods differ. */
const written = schemaNames.filter((name) => name !== 'problem' && name !== 'spec');

it.each(schemaNames)('%s is a schema that strict validators take', (name) => {
  expect(faultsOf(name, null)).not.toEqual([]);
});

it.each(written)('%s describes every field, and is closed', (name) => {
  const undescribed: string[] = [];
  const open: string[] = [];
  let objects = 0;
  const visit = (node: unknown, path: string) => {
    if (typeof node !== 'object' || node === null) return;
    const { type, properties, additionalProperties } = node as Record<string, unknown>;
    if (type === 'object' && typeof properties === 'object') {
      objects++;
      if (additionalProperties !== false) open.push(path);
      for (const [key, field] of Object.entries(properties as Record<string, Record<string, unknown>>))
        if (!isDescribed(field, name)) undescribed.push(`${path}/${key}`);
    }
    for (const [key, inner] of Object.entries(node)) visit(inner, `${path}/${key}`);
  };
  visit(readSchema(name), '');
  expect({ undescribed, open }).toEqual({ undescribed: [], open: [] });
  expect(objects).toBeGreaterThan(0);
});

/** By itself, or where its reference leads. */
function isDescribed({ description, $ref }: Record<string, unknown>, name: string): boolean {
  if (typeof description === 'string' && description !== '') return true;
  const part = /^#\/\$defs\/(.*)$/.exec(String($ref))?.[1];
  if (part === undefined) return false;
  const definitions = readSchema(name).$defs as Record<string, Record<string, unknown>>;
  return typeof definitions[part]?.description === 'string';
}

it('stand in docs/json.md, as every error code does', () => {
  const page = readFileSync(new URL('../../docs/json.md', import.meta.url), 'utf8');
  for (const name of schemaNames) expect(page).toContain(`(../schemas/${name}.schema.json)`);
  const { properties } = readSchema('error') as {
    properties: { error: { properties: { code: { enum: string[] } } } };
  };
  const codes = [...page.matchAll(/^\| `([a-z]+)` +\| [\d, ]+ +\|/gm)].map(([, code]) => code);
  expect(codes.toSorted()).toEqual(properties.error.properties.code.enum.toSorted());
});
