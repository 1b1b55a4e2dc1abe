/** `nemokit bench list`, `table` and `compare` with `--json`. Types: cli/bench.ts. */
import { z } from 'zod';
import { percentileNames } from '../bench/summary.js';
import { count, flag, number, text, texts } from '../runs/schemaValues.js';

const benchVersion = z.literal(1).describe('Version of this format.');

export const benchListDocument = z
  .strictObject({
    benchVersion,
    tasks: z
      .array(
        z.strictObject({
          id: text('Name of the task.'),
          title: text('What it is.'),
          paper: z.string().nullable().describe("Its name in the paper's tables; null if it is not in them."),
          isHere: flag('Whether its data are here.'),
          isForTuning: flag('Whether options may be tuned on it.'),
        }),
      )
      .describe('Tasks.'),
    algorithms: z
      .array(
        z.strictObject({
          id: text('Name of the algorithm.'),
          version: text('Its version: it changes when its bits can.'),
          presets: texts('Names of its presets.'),
          isNull: flag('Whether it uses no model: a row that others have to be better than.'),
        }),
      )
      .describe('Algorithms.'),
  })
  .meta({ title: 'nemokit bench list --json', description: 'Tasks and algorithms of the benchmark.' });

const spread = z
  .strictObject({
    mean: number('Mean over seeds.'),
    deviation: number('Standard deviation of the population.'),
  })
  .meta({ id: 'Spread', description: 'Mean and deviation over seeds.' });
const spreads = z.strictObject({
  '100': spread.describe('Of the best score of a batch.'),
  '50': spread.describe('Of its median score.'),
});

const difference = z
  .strictObject({
    pairs: count('Seeds that both have.'),
    mean: number('Mean difference, in units of the task.'),
    low: number('Lower end of its 95 % interval.'),
    high: number('Upper end of its 95 % interval.'),
    wins: number('Pairs in which the row was better; a tie counts half.'),
  })
  .meta({ id: 'MeanDifference', description: 'Row minus null, over seeds.' });
const nullComparison = z.strictObject({
  task: text('The task.'),
  algorithm: text('The algorithm.'),
  variant: text('Name of its options.'),
  against: z
    .enum(['start', 'noise'])
    .describe('start: the best visible rows as they are; noise: with noise, as far from the data.'),
  distance: z.number().nullable().describe('Median distance of the noise; null for the start.'),
  differences: z
    .strictObject({ '100': difference.describe('Of the best.'), '50': difference.describe('Of the median.') })
    .nullable()
    .describe('Null: that null row was not run.'),
});

export const benchTableDocument = z
  .strictObject({
    benchVersion,
    cells: z
      .array(
        z.strictObject({
          task: text('The task.'),
          algorithm: text('The algorithm.'),
          variant: text('Name of its options.'),
          version: text('Version of the algorithm.'),
          changed: texts('Options that differ from the preset of that name.'),
          seeds: z.array(z.int()).describe('Seeds, in order.'),
          designs: z
            .array(z.int())
            .describe('How many designs a trial has; one number, unless trials differ.'),
          scores: z
            .strictObject({
              '100': z.array(z.number()).describe('Best score of the batch, per seed.'),
              '50': z.array(z.number()).describe('Median score of the batch, per seed.'),
            })
            .describe('In units of the task.'),
          raw: spreads.describe('In units of the task.'),
          normalized: spreads.describe('(score - worst) / (best - worst), over the whole dataset.'),
          distance: z
            .number()
            .nullable()
            .describe(
              'Median distance of its designs to the nearest visible row; null where designs are not known.',
            ),
          visibleMax: number('Best score that algorithms could see.'),
          range: z
            .strictObject({ worst: number('Worst score.'), best: number('Best score.') })
            .describe('Of the whole dataset, with its hidden part.'),
          secondsPerTrial: number('Mean time of a trial.'),
          cpuSecondsPerTrial: number('Mean processor time of a trial.'),
        }),
      )
      .describe('One per task, algorithm and variant.'),
    nulls: z
      .array(nullComparison)
      .describe(
        'Each cell of a row with a model beside doing nothing, and beside noise at the same distance.',
      ),
    tables: z
      .array(
        z.strictObject({
          title: text('Title.'),
          notes: texts('Printed below it.'),
          head: texts('Heads of the columns.'),
          rows: z
            .array(
              z.strictObject({
                cells: z
                  .array(
                    z.strictObject({
                      text: text('What stands there.'),
                      isBest: flag('Best of its column, or within one deviation of it.').exactOptional(),
                    }),
                  )
                  .describe('One per column.'),
                isApart: flag('Separated from the rows above it.').exactOptional(),
              }),
            )
            .describe('Rows.'),
        }),
      )
      .describe('As they are printed.'),
  })
  .meta({ title: 'nemokit bench table --json', description: 'Results of a benchmark.' });

export const benchCompareDocument = z
  .strictObject({
    benchVersion,
    against: text('The row that is compared with all others.'),
    compared: z
      .array(
        z.strictObject({
          percentile: z.enum(percentileNames).describe('100: the best of a batch; 50: its median.'),
          ranks: z
            .strictObject({
              rows: z
                .array(z.strictObject({ name: text('The row.'), rank: number('Its mean rank; 1 is best.') }))
                .describe('Rows that have every task, the best mean rank first.'),
              tasks: texts('Tasks that all rows have.'),
              criticalDifference: number('Mean ranks that differ by less do not differ at 5 % (Nemenyi).'),
              chance: number('p-value of the Friedman test.'),
            })
            .nullable()
            .describe('Null with fewer than two rows or tasks that all of them have.'),
          pairs: z
            .array(
              z.strictObject({
                other: text('The other row.'),
                tasks: z
                  .array(
                    z.strictObject({
                      task: text('The task.'),
                      pairs: count('Seeds that both rows have.'),
                      mean: number('Mean difference, in units of the task.'),
                      low: number('Lower end of its 95 % interval.'),
                      high: number('Upper end of its 95 % interval.'),
                      wins: number('Pairs in which `against` was better; a tie counts half.'),
                    }),
                  )
                  .describe('One per task that both rows have.'),
              }),
            )
            .describe('One per other row.'),
        }),
      )
      .describe('One per percentile.'),
  })
  .meta({ title: 'nemokit bench compare --json', description: 'Algorithms compared, paired by seed.' });
