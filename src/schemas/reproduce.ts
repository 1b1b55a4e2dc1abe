/** `nemokit reproduce --json`. Types: cli/reproduce.ts. */
import { z } from 'zod';
import { flag, text } from '../runs/schemaValues.js';

const thenAndNow = z.strictObject({ a: text('Then.'), b: text('Now.') }).nullable();

export const reproduceDocument = z
  .strictObject({
    reproduceVersion: z.literal(1).describe('Version of this format.'),
    run: text('Folder of the run.'),
    isSame: flag('Whether every value is the same, bit for bit.'),
    differences: z
      .array(
        z.strictObject({
          path: text('Where, such as candidates[0].expected.'),
          a: z.unknown().describe('The value then; absent if there was none.').exactOptional(),
          b: z.unknown().describe('The value now; absent if there is none.').exactOptional(),
        }),
      )
      .describe('Values that differ.'),
    kernels: thenAndNow.describe('Kernels, where they differ; else null. Kernels round differently.'),
    versions: thenAndNow.describe('Versions of nemokit, where they differ; else null.'),
  })
  .meta({
    title: 'nemokit reproduce --json',
    description: 'A run that was repeated, compared with what it was.',
  });
