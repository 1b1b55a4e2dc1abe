/** A line of `nemokit design --jsonl` and `nemokit runs resume --jsonl`. Types: cli/followRun.ts. */
import { z } from 'zod';
import { runDocument } from '../runs/documentSchema.js';
import { share, text, watched } from '../runs/schemaValues.js';
import { errorEvent } from './error.js';
import { inFile } from './jsonSchema.js';

const run = text('Folder of the run.');

export const designEvent = z
  .discriminatedUnion('event', [
    z.strictObject({
      event: z.literal('started').describe('The run begins or goes on.'),
      eventsVersion: z.literal(1).describe('Version of this format.'),
      run,
    }),
    z.strictObject({
      event: z.literal('progress').describe('A step was taken.'),
      stage: text('What is done: validate, train, search or assess.'),
      fraction: share('How much of the run is done.'),
      detail: text('More about the stage.'),
      watched: watched('Metrics of the search.').exactOptional(),
    }),
    z.strictObject({
      event: z.enum(['done', 'partial']).describe('There are results; partial: after a time limit.'),
      run,
      document: inFile(runDocument, 'candidates', 'What was found.'),
    }),
    z.strictObject({
      event: z
        .enum(['interrupted', 'timeLimit'])
        .describe('Stopped by a signal or a time limit before there was a design; the state is saved.'),
      run,
    }),
    errorEvent,
  ])
  .meta({ title: 'nemokit design --jsonl', description: 'One line of the events of a run.' });
