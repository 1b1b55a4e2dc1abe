/** `nemokit bench conform --json`. Types: cli/benchConform.ts. */
import { z } from 'zod';
import { flag, number, text } from '../runs/schemaValues.js';

export const conformDocument = z
  .strictObject({
    conformVersion: z.literal(1).describe('Version of this format.'),
    isConforming: flag('Whether every part conforms; if not, the exit code is 1.'),
    checked: z
      .array(
        z.strictObject({
          file: text('The plug-in.'),
          kind: z.enum(['algorithm', 'task']).describe('What it is.'),
          id: text('Its name.'),
          isProgram: flag('Whether it is a program, and not a module.'),
          isConforming: flag('Whether every check of level "must" holds.'),
          checks: z
            .array(
              z.strictObject({
                name: text('What is checked.'),
                level: z.enum(['must', 'should']).describe('must: results are not trustworthy without it.'),
                outcome: z.enum(['holds', 'fails', 'not asked']).describe('What came out.'),
                reason: z.string().nullable().describe('Why it fails or was not asked; null if it holds.'),
                seconds: number('How long it took.'),
              }),
            )
            .describe('The checks that were run.'),
        }),
      )
      .describe('Algorithms and tasks of the plug-ins.'),
  })
  .meta({ title: 'nemokit bench conform --json', description: 'Conformance checks of plug-ins.' });
