// All schemas in one validator, as a program that reads what nemokit writes would use them.
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

const folder = new URL('../../schemas/', import.meta.url);

export const schemaNames = readdirSync(folder).map((file) => file.replace(/\.schema\.json$/, ''));

export function readSchema(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(`${name}.schema.json`, folder), 'utf8'));
}

/** Strict: an unknown key, a type that does not fit its keywords or a format nobody checks is an error. */
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
for (const name of schemaNames) ajv.addSchema(readSchema(name), `${name}.schema.json`);

/** What is wrong with a value, as it is after JSON; empty if nothing is. */
export function faultsOf(name: string, value: unknown): string[] {
  const validate = ajv.getSchema(`${name}.schema.json`);
  if (!validate) throw new Error(`no schema is called ${name}`);
  if (validate(JSON.parse(JSON.stringify(value)))) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
  );
}
