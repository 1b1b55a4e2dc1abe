/** `nemokit runs list --json`, and `runs show --json` of a run without results. Types: cli/runs.ts. */
import { z } from 'zod';
import { manifestSchema, runStatuses } from '../runs/manifest.js';
import { share, text } from '../runs/schemaValues.js';
import { inFile } from './jsonSchema.js';

const manifest = inFile(manifestSchema, 'manifest', 'manifest.json of the run.');
const status = z.enum(runStatuses).describe('"running" only while a process works on it.');

export const runsDocument = z
  .strictObject({
    runsVersion: z.literal(1).describe('Version of this format.'),
    folder: text('The folder that was listed.'),
    runs: z
      .array(
        z.strictObject({
          path: text('Path of the run.'),
          name: text('Name of its folder.'),
          manifest: manifest.exactOptional(),
          status: status.exactOptional(),
          problem: text('What is wrong; absent if nothing is.').exactOptional(),
        }),
      )
      .describe('By name. Without manifest and status where the folder cannot be read as a run.'),
  })
  .meta({ title: 'nemokit runs list --json', description: 'The runs in a folder.' });

export const runProgressDocument = z
  .strictObject({
    runsVersion: z.literal(1).describe('Version of this format.'),
    run: text('Folder of the run.'),
    status,
    stage: z.string().nullable().describe('What it does or did last; null before the first step.'),
    fraction: share('How much of the run is done.'),
    detail: z.string().nullable().describe('More about the stage; null before the first step.'),
    manifest,
  })
  .meta({ title: 'nemokit runs show --json, unfinished', description: 'How far a run without results is.' });
