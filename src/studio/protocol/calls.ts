/**
 * How the calls of `Host` travel over HTTP. All paths are below `api/`, relative to the page.
 *
 * - `POST api/<name>` with a JSON list of the arguments; the answer is JSON. Every call in `callSchemas`.
 * - `POST api/openTable?name=NAME&sheet=SHEET` with the file as body (application/octet-stream) for a dropped file;
 *   with JSON `[source]` (application/json) for the other sources.
 * - `POST api/addRun` with a zip as body.
 * - `GET api/runs/ID/files/NAME` and `GET api/runs/ID/zip`: bytes.
 * - `GET api/runs/ID/events`: server-sent events, each `data:` a `RunEvent` as JSON.
 *
 * An answer that is not 2xx has a `Fault` as JSON.
 */
import { z } from 'zod';
import { askSchema, cellsSchema } from './ask.js';
import type { Host } from './host.js';

const id = z.string().min(1).max(300);
const count = z.int().min(0);

export const callSchemas = {
  about: z.tuple([]),
  table: z.tuple([id]),
  rows: z.tuple([id, count, count.max(1000)]),
  changeTable: z.tuple([
    id,
    z
      .array(
        z.union([
          z.strictObject({
            row: count,
            column: count,
            value: z.union([z.number(), z.string().max(10_000), z.null()]),
          }),
          z.strictObject({ column: count, unit: z.string().min(1).max(40).nullable() }),
        ]),
      )
      .min(1)
      .max(10_000),
  ]),
  state: z.tuple([id, askSchema]),
  startRun: z.tuple([id, askSchema]),
  pauseRun: z.tuple([id]),
  resumeRun: z.tuple([id]),
  stopRun: z.tuple([id]),
  listRuns: z.tuple([]),
  openRun: z.tuple([id]),
  deleteRun: z.tuple([id]),
  score: z.tuple([id, z.array(cellsSchema).max(10_000)]),
  explain: z.tuple([id, z.int().min(1)]),
  molecules: z.tuple([id]),
  profile: z.tuple([
    id,
    z.strictObject({
      cells: cellsSchema,
      move: z.strictObject({ column: z.string(), value: z.union([z.number(), z.string()]) }).optional(),
      locked: z.array(z.string()).optional(),
      columns: z.array(z.string()).optional(),
      isQuick: z.boolean().optional(),
      onSteps: z.boolean().optional(),
    }),
  ]),
  contour: z.tuple([id, z.strictObject({ cells: cellsSchema, x: z.string(), y: z.string() })]),
  addRound: z.tuple([
    id,
    z.array(z.strictObject({ row: z.int().min(1), values: z.record(z.string(), z.number()) })).max(10_000),
  ]),
  openBench: z.tuple([id]),
} as const satisfies Partial<Record<keyof Host, z.ZodType>>;

/** Calls that are JSON both ways. */
export type CallName = keyof typeof callSchemas;

/** Sources of `openTable` that are JSON. */
export const sourceSchema = z.tuple([
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('path'), path: z.string(), sheet: z.string().optional() }),
    z.strictObject({ kind: z.literal('pasted'), text: z.string() }),
  ]),
]);
