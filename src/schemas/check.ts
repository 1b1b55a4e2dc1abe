/** `nemokit check --json`. Types: problem/checkTable.ts. */
import { z } from 'zod';
import { checkVersion } from '../problem/checkTable.js';
import { columnRole, finding } from '../runs/documentSchema.js';
import { count, flag, number, text, texts } from '../runs/schemaValues.js';
import { columnTypes } from '../table/columnTypes.js';

export const checkReport = z
  .strictObject({
    checkVersion: z.literal(checkVersion).describe('Version of this format.'),
    file: text('Name of the table.'),
    rows: count('Number of rows.'),
    columns: z
      .array(
        z.strictObject({
          name: text('Name of the column.'),
          type: z.enum(columnTypes).describe('How it was read.'),
          role: z
            .enum([...columnRole.options, 'goal?'])
            .describe('Its part in the problem; "goal?" where nobody named a goal and this one is assumed.'),
          range: z
            .strictObject({ min: number('Smallest value.'), max: number('Largest value.') })
            .nullable()
            .describe('Of columns of numbers; else null.'),
          levels: z
            .array(z.strictObject({ text: text('The level.'), rows: count('Rows that have it.') }))
            .describe('Of columns of text, the most frequent first, at most 20.'),
          distinct: count('Different values.'),
          missing: count('Empty cells.'),
          evidence: text('Why it was read so.'),
          note: text('What to look at; empty where nothing is odd.'),
          assumed: flag('True where nobody gave the column its role.').exactOptional(),
          step: number('Designs lie on steps of this size.').exactOptional(),
        }),
      )
      .describe('The columns of the table.'),
    notes: texts('What the reader assumed.'),
    mixtures: z
      .array(
        z.strictObject({
          columns: texts('Names of the columns.'),
          sum: number('Their sum.'),
          deviation: number("Largest distance of a row's sum from it."),
          rows: count('Rows in which every column has a value.'),
          off: z
            .array(z.int().min(0))
            .describe('Rows further off than rounding explains, counted from 0.')
            .exactOptional(),
          isGiven: flag('Whether it was given, and not found.'),
        }),
      )
      .describe('Columns with a constant sum.'),
    assumed: z
      .array(
        z.strictObject({
          column: text('Name of the column.'),
          kind: z.enum(['outcome', 'note', 'context', 'counter']).describe('What it probably is.'),
          why: text('The evidence.'),
          change: text('The options that change it.'),
          goal: text('A goal that it could be.').exactOptional(),
        }),
      )
      .describe('Columns that are no settings by their names, values or place.'),
    relations: z
      .array(
        z.strictObject({
          column: text('The column that follows from the others.'),
          kind: z.enum(['sum', 'product', 'ratio']).describe('How.'),
          terms: z
            .array(z.strictObject({ column: text('A column.'), weight: number('Its weight.') }))
            .describe('What it follows from.'),
          constant: number('Added to a sum.'),
          decimals: number('Digits of the column.'),
          label: text('In words.'),
          rows: count('Complete rows.'),
          off: z.array(z.int().min(0)).describe('Rows in which it does not hold, counted from 0.'),
        }),
      )
      .describe('Columns that follow from others, and are computed for designs.'),
    limits: z
      .array(
        z.strictObject({
          column: text('A goal.'),
          lower: z.number().nullable().describe('Null where there is no end.'),
          upper: z.number().nullable().describe('Null where there is no end.'),
          isAssumed: flag('Whether nobody gave them.'),
          why: text('The evidence.'),
        }),
      )
      .describe('Where values of the goals can lie.'),
    goals: texts('Goals that the rest of the report is about.'),
    goalColumns: texts('The measured columns behind the goals, in their order.'),
    isDesirability: flag('Whether several goals, or a target, are joined to one desirability.'),
    isGuess: flag('Whether the goal is a guess.'),
    goalCandidates: z
      .array(
        z.strictObject({
          column: text('Name of the column.'),
          goal: text('A goal to type, such as "max yield".'),
          why: text('Why it may be the goal.'),
        }),
      )
      .describe('Guesses, the likeliest first; empty if a goal was given.'),
    findings: z.array(finding).describe('What is odd about the table.'),
    replicates: z
      .strictObject({
        groups: count('Groups of rows with the same settings.'),
        rows: count('Rows in them.'),
        noise: number('Standard deviation of one measurement, in units of the objective.'),
      })
      .nullable()
      .describe('Repeated measurements; null if there are none.'),
    contextHints: z
      .array(
        z.strictObject({
          column: text('Name of the column.'),
          explains: number("Share of the goal's variance that goes with it, 0 to 1."),
        }),
      )
      .describe('Columns that were probably not chosen.'),
    support: z
      .strictObject({
        level: z.enum(['good', 'thin', 'none']).describe('Whether there are enough rows.'),
        rows: count('Distinct settings with every goal measured.'),
        numbers: count('Numbers that describe one design.'),
        sentence: text('The same for people.'),
      })
      .nullable()
      .describe('What the table can support; null where there is nothing to aim at.'),
    conflict: texts('Constraints that exclude each other; empty if designs exist.'),
  })
  .meta({ title: 'nemokit check --json', description: 'What is in a table and what it can support.' });
