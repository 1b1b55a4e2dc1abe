/** `nemokit rehearse --json`. Types: cli/rehearse.ts. */
import { z } from 'zod';
import { rankingMethods } from '../judging/rehearsal.js';
import { count, number, ordinal, text } from '../runs/schemaValues.js';

const ranking = z
  .strictObject({
    rows: count('Rows that were ranked.'),
    topRows: count('Best rows among them.'),
    enrichment: z
      .array(
        z.strictObject({
          k: ordinal('Length of the list.'),
          found: number('Best rows in it; of rows with equal scores, what a random order gives on average.'),
          share: number('found / k.'),
          recall: number('found / all best rows.'),
          expected: number('What a random order finds on average.'),
          factor: number('found / expected.'),
          chance: number('Probability that a random order finds as many or more.'),
        }),
      )
      .describe('How many of the best rows stand at the top of the ranking.'),
    orderWithinTop: z
      .number()
      .nullable()
      .describe(
        'Rank correlation of scores and measurements within the best rows; null if one side is constant.',
      ),
  })
  .meta({ id: 'Ranking', description: 'How well a method ranked rows.' });

export const rehearsalDocument = z
  .strictObject({
    rehearsalVersion: z.literal(2).describe('Version of this format.'),
    file: text('Name of the table.'),
    goal: text("Goals in the user's words, with semicolons between them."),
    seed: count('Decides which rows are withheld, and the training.'),
    seen: count('Rows that the methods saw.'),
    hiddenTop: count('Best rows that were hidden.'),
    withheld: count('Other rows that were hidden.'),
    repeated: count('Hidden best rows that repeat a setting that was seen.'),
    undecided: count('Rows left out: a bound that may lie on either side of the cut.'),
    bestSeen: number('The greatest score a method saw; larger is better.'),
    methods: z
      .array(
        z.strictObject({
          method: z.enum(rankingMethods).describe('The method.'),
          unseen: ranking.describe('Among rows that were not seen.'),
          all: ranking.describe('Among all rows.'),
        }),
      )
      .describe('One entry per method.'),
  })
  .meta({ title: 'nemokit rehearse --json', description: 'Whether a model would have found the best rows.' });
