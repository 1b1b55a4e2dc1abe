/** `nemokit score --json`. Types: cli/score.ts. */
import { z } from 'zod';
import { assessedRow, bestKnown, goalSummary } from '../runs/documentSchema.js';
import { text, texts } from '../runs/schemaValues.js';

export const scoreDocument = z
  .strictObject({
    scoreVersion: z.literal(1).describe('Version of this format.'),
    run: text('Folder of the run.'),
    file: text('Table of the rows.'),
    goal: goalSummary,
    bestKnown,
    rows: z.array(assessedRow).describe('Every row of the table, in its order.'),
    notes: texts('What was assumed, in sentences.'),
  })
  .meta({ title: 'nemokit score --json', description: 'What a finished run expects of rows of a table.' });
