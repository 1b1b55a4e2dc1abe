/** `candidates.json`, and the parts of it that other documents have too. Types: design/runDocument.ts. */
import { z } from 'zod';
import { documentVersion } from '../design/runDocument.js';
import { risks } from '../problem/index.js';
import {
  cell,
  cells,
  count,
  flag,
  number,
  ordinal,
  sha256,
  share,
  text,
  texts,
  time,
  watched,
} from './schemaValues.js';

const forecastFields = {
  expected: number('Expected value, in the units of the table.'),
  lo80: number('Lower end of the 80 % interval.'),
  hi80: number('Upper end of the 80 % interval.'),
};

export const forecast = z
  .strictObject(forecastFields)
  .meta({ id: 'Forecast', description: 'What is expected of a design, in the units of the table.' });

export const trust = z.enum(['Trusted', 'Stretch', 'Guess']).meta({
  id: 'Trust',
  description:
    'By the chance of beating the best known row: Trusted from 85 %, Stretch from 60 %, Guess below.',
});

const rowNumber = 'Row of the table, counted from 1 below its header.';
const rowNumbers = (what: string) => z.array(z.int().min(1)).describe(what);

const replicates = z
  .strictObject({
    rows: rowNumbers('Rows of the table with these settings, counted from 1 below its header.'),
    values: z.array(z.number()).describe('Objective value of each.'),
  })
  .meta({ id: 'Replicates', description: 'Rows with the same settings, of which a value is the mean.' });

const meanOf = replicates
  .describe('The rows whose mean the value is; absent where it is one measurement.')
  .exactOptional();

export const nearest = z
  .strictObject({
    row: ordinal('Row of the table, counted from 1 below its header; the first of several.'),
    value: number('Its measured objective value; the mean where the same settings were measured again.'),
    meanOf,
    differences: z
      .array(
        z.strictObject({
          column: text('Name of the column.'),
          from: cell('Value of the past row.'),
          to: cell('Value of the design.'),
        }),
      )
      .describe('Columns that differ, the largest difference first.'),
  })
  .meta({ id: 'Nearest', description: 'A past row near a design, and how the two differ.' });

const listed = z
  .strictObject({
    row: ordinal('Counted from 1 below the header of the list.'),
    cells: cells('Every cell of the row that is not empty.'),
    same: rowNumbers('Other rows of the list with the same settings.').exactOptional(),
  })
  .meta({ id: 'ListedRow', description: 'The row of a list (`choices`) that a design is, whole.' })
  .exactOptional();

const outcomeFields = {
  ...forecastFields,
  measured: number('Measured value.'),
  isInside: flag('Whether it lies in the 80 % interval.'),
};

const history = z
  .strictObject({
    rounds: z
      .array(
        z.strictObject({
          file: text('Name of the file of measured candidates.'),
          promised: count('Rows of the file with a promise, measured or not.'),
          aboutOthers: count('Promises that are about another goal, and not compared.'),
          bestBefore: z
            .number()
            .nullable()
            .describe('Best objective value before the round; null where nothing was measured.'),
          beaten: count('Measured rows that are better than that.'),
          rows: z
            .array(
              z.strictObject({
                row: ordinal(rowNumber),
                ...outcomeFields,
                trust: text('How far it was trusted.').exactOptional(),
                goals: z
                  .array(z.strictObject({ column: text('The measured column.'), ...outcomeFields }))
                  .describe('Each of several goals by itself.'),
              }),
            )
            .describe('Rows that were measured.'),
        }),
      )
      .describe('One per file of measured candidates, the oldest first.'),
    measured: count('Measured rows of all rounds.'),
    inside: count('Those inside their 80 % interval.'),
    overPromise: z
      .number()
      .nullable()
      .describe('By how much rows were promised to be better than they are, on average.'),
  })
  .meta({ id: 'History', description: 'How the promises of earlier runs turned out.' });
const pick = z
  .enum(['kept', 'safe', 'balanced', 'bold'])
  .describe('How a design came into the batch; absent unless tiers or designs to keep were asked for.');

const batchRecord = z
  .strictObject({
    same: texts('Columns with one value, or few, in the whole batch.').exactOptional(),
    cost: text('What a design costs, as a formula of columns.').exactOptional(),
    budget: number('What the batch may cost in all.').exactOptional(),
    tiers: z
      .array(count('A number of designs.'))
      .describe('Safe, balanced and bold designs.')
      .exactOptional(),
    front: flag('Whether several goals spread the batch over their front.').exactOptional(),
    simplify: flag('Whether columns go back to the nearest past run at no cost.').exactOptional(),
    kept: count('How many designs were to be kept.').exactOptional(),
    avoided: count('Rows of the table of designs to avoid.').exactOptional(),
    total: number('What the batch costs.').exactOptional(),
  })
  .meta({ id: 'BatchRules', description: 'What was asked of the batch as a whole.' });

const candidateFields = {
  row: ordinal('Number of the row: of a batch the most promising first, of scored rows as in their table.'),
  cells: cells("Every column a design sets, in the table's order."),
  listed,
  ...forecastFields,
  trust,
  reasons: texts('Why the label is not better than it is; empty for Trusted.'),
  gamma: number('Individual regret of conditional NML: 0 settled, log K anything goes.'),
  gammaPercentile: number('Share of held-out rows with a smaller gamma, 0 to 100.'),
  novelty: number('Share of past rows that lie nearer to their own nearest neighbour, 0 to 100.'),
  disagreement: number('How far the models are apart, in standard deviations of the goal.'),
  disagreementPercentile: number('Share of held-out rows on which they are less apart, 0 to 100.'),
  better: share('Chance of beating the best known row, calibrated on rows that the models had not seen.'),
  nearest: nearest.describe('The nearest past row.'),
  goals: z.array(forecast).describe('Each goal by itself, in the order of `goal.goals`.'),
  pick: pick.exactOptional(),
  cost: number('What it costs; absent unless a cost was given.').exactOptional(),
};

export const candidate = z
  .strictObject(candidateFields)
  .meta({ id: 'Candidate', description: 'A design, and how sure one can be about it.' });

export const assessedRow = z
  .strictObject({
    ...candidateFields,
    breaks: texts('Constraints of the run that the row does not satisfy, in words.'),
  })
  .meta({ id: 'AssessedRow', description: 'A row that was scored.' });

export const goalSummary = z
  .strictObject({
    labels: texts("Goals in the user's words."),
    name: text('Name of the objective value: the column, or "desirability".'),
    direction: z.enum(['max', 'min']).describe('Whether a larger or a smaller objective value is better.'),
    goals: z
      .array(
        z.strictObject({
          column: text('The measured column.'),
          label: text("The goal in the user's words."),
          kind: z.enum(['max', 'min', 'target', 'keep']).describe('What is wanted of the column.'),
        }),
      )
      .describe('The measured columns behind the objective.'),
  })
  .meta({ id: 'Goal', description: 'What is wanted.' });

export const bestKnown = z
  .strictObject({
    row: ordinal('Row of the table, counted from 1 below its header.'),
    value: number('Its measured objective value.'),
    cells: cells('Its settings.'),
    meanOf,
    single: z
      .strictObject({
        row: ordinal(rowNumber),
        value: number('Its measured objective value.'),
        mean: number('Mean of all rows with its settings.'),
        rows: rowNumbers('These rows.'),
      })
      .describe('A single measurement that is better, of settings whose mean is not.')
      .exactOptional(),
    heldOut: forecast
      .nullable()
      .describe('What a model that has not seen the row says of it; null if unknown.'),
  })
  .meta({ id: 'BestKnown', description: 'The best past row.' });

export const profile = z
  .strictObject({
    column: text('The column that is moved.'),
    kind: z.enum(['number', 'category']).describe('What kind of column it is.'),
    at: cell('Where the candidate is.'),
    seen: z
      .strictObject({ min: number('Smallest past value.'), max: number('Largest past value.') })
      .nullable()
      .describe('Range of the column in past rows; null for categories.'),
    along: texts('Columns of a recipe that move along, so that the sum stays.').exactOptional(),
    points: z
      .array(
        z.strictObject({
          ...forecastFields,
          value: cell('Value of the column.'),
          gamma: number('Individual regret there.'),
        }),
      )
      .describe('Predictions along the column.'),
  })
  .meta({ id: 'Profile', description: 'One column is moved, the rest stays as in the candidate.' });

export const finding = z
  .strictObject({
    severity: z.enum(['error', 'warning', 'note']).describe('How bad it is.'),
    kind: z
      .enum([
        'missingGoal',
        'conflictingRows',
        'constantColumn',
        'derivedColumn',
        'unitJump',
        'outliers',
        'leak',
        'drift',
        'tooFewRows',
      ])
      .describe('What kind of finding, for programs.'),
    columns: texts('Columns it is about.'),
    rows: z
      .array(z.int().min(0))
      .describe('Rows it is about, counted from 0; at most 20, the most telling first.'),
    message: text('What was found.'),
    advice: text('What to do.'),
  })
  .meta({ id: 'Finding', description: 'What is wrong, or odd, about a table.' });

export const columnRole = z.enum(['goal', 'design', 'context', 'fixed', 'left out']);

export const runDocument = z
  .strictObject({
    documentVersion: z.literal(documentVersion).describe('Version of this format.'),
    run: z
      .strictObject({
        id: text('Name of its folder; absent where no folder keeps the run.').exactOptional(),
        created: time('When it was started; absent where no folder keeps the run.').exactOptional(),
        version: text('Version of nemokit.'),
        method: text('The algorithm.'),
        effort: text('How much was computed: fast, balanced or thorough.'),
        seed: count('The seed.'),
        batch: ordinal('How many designs were asked for.'),
        rules: batchRecord.exactOptional(),
        options: z.record(z.string(), z.unknown()).describe('Options of the method as used.'),
        kernel: text('The kernel; another one rounds differently.'),
        threads: ordinal('Number of threads; never changes a result.'),
        seconds: z
          .number()
          .min(0)
          .describe('Time of computing; absent where no folder keeps the run.')
          .exactOptional(),
        complete: flag('False where a time limit cut the search short.'),
        anyway: z
          .literal(true)
          .describe('Present where designs were to be shown even if the data do not support them.')
          .exactOptional(),
      })
      .describe('How the run was made.'),
    data: z
      .strictObject({
        file: text('Name of the table.'),
        sha256: sha256('Checksum of its file; absent where it did not come from one.').exactOptional(),
        rows: count('Rows of the table.'),
        used: count('Distinct settings with every goal measured.'),
        noise: z
          .number()
          .nullable()
          .describe(
            'Standard deviation of repeated measurements, in units of the objective; null if none repeat.',
          ),
        columns: z
          .array(
            z.strictObject({
              name: text('Name of the column.'),
              type: text('How it was read.'),
              role: columnRole.describe('Its part in the problem.'),
              assumed: flag('True where nobody gave the column its role.').exactOptional(),
              summary: text('Range or levels, for people.'),
            }),
          )
          .describe('The columns of the table.'),
        findings: z.array(finding).describe('What is odd about the table.'),
        notes: texts('What was assumed, in sentences.'),
      })
      .describe('The table of past experiments.'),
    constraints: texts("What every candidate satisfies, in the user's words."),
    goal: goalSummary,
    bestKnown,
    verdict: z
      .strictObject({
        level: z.enum(['likely', 'unclear', 'unsupported']).describe('The verdict for programs.'),
        sentence: text('The verdict for people.'),
        reasons: texts('Why.'),
      })
      .describe('Whether the candidates are probably better than the best known row.'),
    rehearsal: z
      .strictObject({
        hidden: count('Best rows that were hidden.'),
        seen: count('Rows that were seen.'),
        named: count('Hidden rows among the first that the models named.'),
        first: count('How many rows were named.'),
        byChance: number('How many hidden rows chance would name.'),
        promised: number('Mean of what the named rows promised, in units of the objective.'),
        delivered: number('Mean of what they had measured.'),
        bestSeen: number('Mean of as many of the best rows that were seen: doing nothing.'),
        luck: share('Chance that shuffled results are ranked as well.'),
        risk: z.enum(risks).describe('How far the designs of the run may leave what is known.'),
        riskFrom: z.enum(['rehearsal', 'asked']).describe('Who decided it.'),
      })
      .describe(
        'What became of promises when the best rows were hidden; absent where rows are too few to model.',
      )
      .exactOptional(),
    validation: z
      .strictObject({
        rows: count('Rows that were predicted without having been seen.'),
        rankCorrelation: number('Rank correlation of expected and measured values.'),
        typicalError: number('Median absolute error, in units of the objective.'),
        coverage80: share('Share of measured values inside their 80 % interval.'),
        sample: number(
          'Unseen rows behind the width of the intervals, as an effective number.',
        ).exactOptional(),
        reliability: z
          .array(
            z.strictObject({
              from: share('Smallest chance of the bin.'),
              to: share('Largest chance of the bin.'),
              rows: ordinal('Unseen rows in it.'),
              chance: share('Mean of the chances that were said.'),
              share: share('Share of the rows that were better than half of all rows.'),
            }),
          )
          .describe(
            'Unseen rows by their chance of being better than half of all rows, and how many were; empty bins are absent.',
          )
          .exactOptional(),
        trainingSteps: count('Steps of training that did best.'),
        tried: z
          .array(
            z.strictObject({ steps: count('Steps of training.'), loss: number('Mean loss on unseen rows.') }),
          )
          .describe('Steps of training that were tried.'),
        pairs: z
          .array(
            z.strictObject({
              ...forecastFields,
              row: ordinal('Row of the table, counted from 1 below its header.'),
              measured: number('Measured value.'),
            }),
          )
          .describe('Unseen rows, measured and predicted; at most 400.'),
      })
      .describe('How the model did on rows it had not seen.'),
    relevance: z
      .array(
        z.strictObject({
          column: text('Name of the column.'),
          share: share('How much of what the models expect changes if its values are shuffled.'),
        }),
      )
      .describe('How much each column matters, the largest first; absent where rows are too few to model.')
      .exactOptional(),
    candidates: z.array(candidate).describe('The proposed designs, the most promising first.'),
    withheld: ordinal(
      'How many designs are kept back, because the data do not support them; absent where none are.',
    ).exactOptional(),
    plan: z
      .array(
        z.strictObject({
          row: ordinal('Number of the row.'),
          cells: cells('Every column a design sets.'),
          listed,
          nearest: nearest.describe('The nearest past row.'),
          pick: pick.exactOptional(),
          cost: number('What it costs; absent unless a cost was given.').exactOptional(),
        }),
      )
      .describe(
        'Where rows are too few to model: designs that spread over the space; there are no candidates then.',
      )
      .exactOptional(),
    history: history
      .describe('Absent where no row of the table was proposed by an earlier run.')
      .exactOptional(),
    curves: z
      .array(watched('Iteration and metrics.'))
      .describe('Per point of the search, what was watched there.'),
    profiles: z.array(profile).describe('The first candidate, one column at a time.'),
    map: z
      .strictObject({
        kept: number('Share of the variance that the two axes keep, 0 to 1.'),
        past: z
          .array(
            z.strictObject({
              x: number('First axis.'),
              y: number('Second axis.'),
              value: number('Measured objective value.'),
            }),
          )
          .describe('Past rows.'),
        candidates: z
          .array(
            z.strictObject({
              x: number('First axis.'),
              y: number('Second axis.'),
              row: ordinal('Row of the candidate.'),
              trust,
            }),
          )
          .describe('Candidates.'),
      })
      .describe('Past rows and candidates on two principal axes.'),
  })
  .meta({ title: 'candidates.json', description: 'What a run of nemokit design found.' });
