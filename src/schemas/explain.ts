/** `nemokit explain --json`. Types: cli/explain.ts. */
import { z } from 'zod';
import { candidate, goalSummary, nearest, profile } from '../runs/documentSchema.js';
import { cell, number, text } from '../runs/schemaValues.js';

export const explainDocument = z
  .strictObject({
    explainVersion: z.literal(1).describe('Version of this format.'),
    run: text('Folder of the run.'),
    goal: goalSummary,
    candidate,
    nearest: z.array(nearest).describe('Past rows near it, the nearest first.'),
    explanation: z
      .strictObject({
        before: number('What the model expects of the nearest past row.'),
        after: number('What it expects of the candidate.'),
        contributions: z
          .array(
            z.strictObject({
              column: text('Name of the column.'),
              from: cell('Value of the past row.'),
              to: cell('Value of the candidate.'),
              change: number('What the column brings, in units of the objective.'),
            }),
          )
          .describe('Shapley values of the columns that differ; together they make the whole difference.'),
      })
      .describe('From the nearest past row to the candidate.'),
    profiles: z.array(profile).describe('The candidate, one column at a time.'),
  })
  .meta({ title: 'nemokit explain --json', description: 'Why a candidate is expected to be what it is.' });
