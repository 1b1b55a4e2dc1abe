/** A line of `events.jsonl`. Types: runs/events.ts. */
import { z } from 'zod';
import { share, text, time, watched } from '../runs/schemaValues.js';

export const runEvent = z
  .strictObject({
    time: time('When.'),
    event: z
      .enum(['created', 'resumed', 'interrupted', 'partial', 'done', 'failed'])
      .describe('What happened; absent from the lines of progress.')
      .exactOptional(),
    stage: text('What is done: validate, train, search or assess.').exactOptional(),
    fraction: share('How much of the run is done.').exactOptional(),
    detail: text('More about the stage.').exactOptional(),
    watched: watched('Metrics of the search.').exactOptional(),
  })
  .meta({ title: 'events.jsonl', description: 'One line of the log of a run.' });
