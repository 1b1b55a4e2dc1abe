/** Tables 1 and 2 of the paper, as data: data/paper-tables.json. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Percentile } from './summary.js';

/** Mean and standard deviation, as printed. */
const number = z.string().regex(/^\d+(\.\d+)?$/);
const cell = z.tuple([number, number]).nullable();
const table = z.object({ title: z.string(), rows: z.record(z.string(), z.record(z.string(), cell)) });
const schema = z.object({
  source: z.string(),
  trials: z.number(),
  designs: z.number(),
  tasks: z.array(z.string()),
  datasetMax: z.record(z.string(), number),
  tables: z.object({ 100: table, 50: table }),
});

export type PaperTables = z.output<typeof schema>;

export async function readPaperTables(): Promise<PaperTables> {
  const file = new URL('../../data/paper-tables.json', import.meta.url);
  return schema.parse(JSON.parse(await readFile(file, 'utf8')));
}

/** "127.0 ± 7.292"; null where the paper prints a dash or has no such cell. */
export function publishedCell(
  { tables }: PaperTables,
  percentile: Percentile,
  algorithm: string,
  task: string,
): string | null {
  return tables[percentile].rows[algorithm]?.[task]?.join(' ± ') ?? null;
}
