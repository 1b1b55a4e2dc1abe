/** From Zod to JSON Schema, and to text. */
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** The times that `Date.prototype.toISOString` writes. */
const isoTime = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$';

/**
 * A document that has a file of its own, or the part of it that `pointer` names, as a part of another. The two files
 * are given to a validator together.
 */
export function inFile<T extends z.ZodType>(_: T, name: string, description: string, pointer = ''): T {
  return z.unknown().meta({ $ref: `${fileOf(name)}${pointer}`, description }) as z.ZodType as T;
}

function fileOf(name: string): string {
  return `${name}.schema.json`;
}

/** As Zod says it, without what tells a validator nothing. Named parts stand in `$defs`. */
export function toJsonSchema(name: string, schema: z.ZodType): JsonSchema {
  const { $schema, $defs, title, description, ...rest } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      // every validator knows patterns; formats need an extension
      if (jsonSchema.format === 'date-time') {
        delete jsonSchema.format;
        jsonSchema.pattern = isoTime;
      }
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // every name of a JSON object is a text
      delete jsonSchema.propertyNames;
    },
  });
  return { $schema, $id: fileOf(name), title, description, ...rest, ...($defs && { $defs }) };
}

const widest = 130;

/** JSON with everything that fits on a line on one line: half the size of one value per line, and shorter to read. */
export function printSchema(value: unknown, indent = ''): string {
  const line = oneLine(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= widest) return line;
  const deeper = `${indent} `;
  const parts = Array.isArray(value)
    ? value.map((item) => printSchema(item, deeper))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => `${JSON.stringify(key)}: ${printSchema(item, deeper)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${deeper}${parts.join(`,\n${deeper}`)}\n${indent}${close}`;
}

/** With a space behind commas and colons. */
function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${JSON.stringify(key)}: ${oneLine(item)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
