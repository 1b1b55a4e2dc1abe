// Writes schemas/*.schema.json from src/schemas/, after a build: npm run build && npm run schemas
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { schemaFiles } from '../dist/schemas/index.js';
import { printSchema } from '../dist/schemas/jsonSchema.js';

const folder = fileURLToPath(new URL('../schemas/', import.meta.url));
const files = schemaFiles();
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (!(name in files)) rmSync(folder + name);
for (const [name, schema] of Object.entries(files)) writeFileSync(folder + name, `${printSchema(schema)}\n`);
