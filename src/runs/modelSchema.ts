/** `model.json`. Types: design/savedModel.ts. */
import { z } from 'zod';
import { modelVersion } from '../design/savedModel.js';
import { readingVersion } from '../judging/modelReading.js';
import { risks } from '../problem/index.js';
import { count, flag, number, share, text, texts } from './schemaValues.js';

// What no run comes near, and no reader should allocate.
const MOST_BINS = 4096;
const MOST_FOLDS = 1024;
const MOST_LAYERS = 64;
const MOST_WIDTH = 65_536;
const MOST_STEPS = 1e9;

const ofAtMost = (most: number, what: string) => z.int().min(1).max(most).describe(what);

const named = {
  name: text('Name of the column.'),
  filler: z
    .union([z.number(), z.string(), z.null()])
    .describe('What stands for an empty cell; null: none may be empty.'),
};
const numbers = (what: string) => z.array(z.number()).describe(what);

const readColumn = z.discriminatedUnion('kind', [
  z.strictObject({
    ...named,
    kind: z.literal('number').describe('Kind of column.'),
    log: flag('Whether the logarithm is standardised.'),
    mean: number('Subtracted from the value.'),
    deviation: number('Divides what is left.'),
  }),
  z.strictObject({
    ...named,
    kind: z.literal('category').describe('Kind of column.'),
    levels: texts('Its classes, in order.'),
  }),
  z.strictObject({ ...named, kind: z.literal('missing').describe('Kind of column.') }),
  z.strictObject({
    ...named,
    kind: z.literal('sequence').describe('Kind of column.'),
    length: z.number().describe('Letters per design.'),
    letters: texts('The letters, in order.'),
  }),
  z.strictObject({
    ...named,
    kind: z.literal('molecule').describe('Kind of column.'),
    molecules: texts('SMILES.'),
    bits: texts('Per molecule, a 0 or 1 for each bit.'),
    mean: numbers('Subtracted, per bit.'),
    deviation: numbers('Divides what is left, per bit.'),
  }),
]);

const response = z
  .strictObject({
    kind: z.enum(['plain', 'log', 'root', 'exp', 'logit']).describe('The transformation t.'),
    origin: number('Where it begins, in units of the score.'),
    side: z.union([z.literal(1), z.literal(-1)]).describe('-1 where the origin is above all scores.'),
    width: number('Width of the range.'),
    mean: number('Subtracted from t.'),
    deviation: number('Divides what is left.'),
  })
  .meta({ id: 'Response', description: 'Scale of a score: z = (t(y) - mean) / deviation.' });

const panel = z
  .strictObject({
    weight: number('w: how much the process counts, 0 to 1.'),
    reach: number('q: half of an interval, in standard deviations of a prediction.'),
    sample: number('Rows that q stands on, as an effective number.'),
  })
  .meta({ id: 'Panel', description: 'How the models are joined.' });

const processReading = z.strictObject({
  response,
  v: number('Variance of the product kernel.'),
  inverse: numbers('1 / l^2 of each column, numbers first.'),
  effects: numbers('a of each column, numbers first.'),
  line: number('Variance of the lines.'),
  noise: number('Variance of the noise.'),
  x: numbers('Its rows: numbers, standardised, row by row.'),
  k: numbers('Its rows: classes, row by row.'),
  z: numbers('Scores of its rows, on the scale of the response.'),
});

const modelReading = z
  .strictObject({
    readingVersion: z.literal(readingVersion).describe('Version of this part.'),
    columns: z.array(readColumn).describe("In the order of the networks' inputs."),
    objective: z
      .strictObject({
        kind: z.enum(['value', 'desirability']).describe('What a score stands for.'),
        sign: z.union([z.literal(1), z.literal(-1)]).describe('-1: the value is minus the score.'),
        bestScore: number('Of the past rows.'),
        response,
        noise: number('Variance of the noise on that scale.'),
      })
      .describe('What a score of the objective is in the units that are shown.'),
    networks: z
      .strictObject({
        bins: ofAtMost(MOST_BINS, 'K.'),
        low: number('Score at the lower end of bin 0.'),
        high: number('Score at the upper end of bin K - 1.'),
        activation: z.literal('softplus').describe('Of hidden units.'),
        groups: ofAtMost(MOST_FOLDS, 'Groups of networks.'),
        folds: ofAtMost(MOST_FOLDS, 'Of which the first are asked.'),
        networksPerGroup: ofAtMost(MOST_FOLDS, 'Networks in each.'),
      })
      .describe('Cross-fitted networks of the objective.'),
    processes: z
      .array(processReading)
      .describe('A Gaussian process of the objective, or of each goal where that is their desirability.'),
    goals: z
      .strictObject({
        weights: numbers('Of each goal.'),
        ramps: z
          .array(z.array(z.number().nullable()))
          .describe('zeroBelow, oneFrom, oneTo, zeroAbove; null where a side is open.'),
        draws: z.array(z.array(z.number())).describe('Normal draws of each goal.'),
      })
      .describe('How goals become a desirability; absent for a single value.')
      .exactOptional(),
    panel,
    limits: z
      .array(
        z.strictObject({
          lower: z.number().nullable().describe('Lower limit.'),
          upper: z.number().nullable().describe('Upper limit.'),
        }),
      )
      .describe('Where values of each goal can lie; null where there is no end.')
      .exactOptional(),
  })
  .describe('How to predict from the tensors; docs/model-file.md.');

const savedJudges = z
  .strictObject({
    processes: z
      .array(
        z.strictObject({
          response,
          theta: numbers('Parameters of the kernel.'),
          rows: z.array(z.int().min(0)).describe('Rows of the data that it keeps, counted from 0.'),
        }),
      )
      .describe('Gaussian processes.'),
    settings: panel,
    rehearsed: z
      .strictObject({
        hidden: count('Best rows that were hidden.'),
        seen: count('Rows that were seen.'),
        named: count('Hidden rows among the first that the models named.'),
        first: count('How many rows were named.'),
        byChance: number('How many hidden rows chance would name.'),
        promised: number('Mean score that the named rows promised.'),
        delivered: number('Mean score that they had.'),
        bestSeen: number('Mean score of as many of the best rows that were seen.'),
        risk: z.enum(risks).describe('The rule that hidden rows speak for.'),
        rankCorrelation: number('Of expected and measured scores of unseen rows.'),
        luck: share('Chance that shuffled results are ranked as well.'),
        weight: number('How much the process counts beside the networks.'),
      })
      .describe('What the rehearsal found.'),
    risk: z.enum(risks).describe('How far designs of the run may leave what is known.'),
  })
  .describe('What nemokit restores the models from, beside the tensors; absent where nothing was fitted.');

export const modelDescription = z
  .strictObject({
    modelVersion: z.literal(modelVersion).describe('Version of this format.'),
    plan: z
      .strictObject({
        bins: ofAtMost(MOST_BINS, 'Bins of a score, for the search.'),
        headroom: number('Room above the best score, as a share of the range of scores.'),
        judge: z
          .strictObject({
            bins: ofAtMost(MOST_BINS, 'Bins of a score.'),
            headroom: number('Room above the best score.'),
          })
          .describe('The same for the networks that judge.'),
        hidden: z
          .array(z.int().min(1).max(MOST_WIDTH))
          .max(MOST_LAYERS)
          .describe('Sizes of the hidden layers.'),
        minibatch: ofAtMost(MOST_WIDTH, 'Rows per step of training.'),
        trainingRate: number("Adam's rate."),
        tried: z.array(z.int().min(1)).describe('Steps of training after which networks are tried.'),
        folds: ofAtMost(MOST_FOLDS, 'Parts of the rows, each left out by one group of networks.'),
        hiddenTop: share('Share of the rows, the best ones, that one more group never meets.'),
        networksPerGroup: ofAtMost(MOST_FOLDS, 'Networks per group.'),
        steps: ofAtMost(MOST_STEPS, 'Iterations of the search.'),
        climb: z
          .strictObject({
            population: ofAtMost(MOST_WIDTH, 'Designs at once.'),
            generations: ofAtMost(MOST_STEPS, 'Rounds.'),
          })
          .describe('Size and length of each search of the models.'),
      })
      .describe('Settings of the run that follow from its data and effort.'),
    seed: count('The seed.'),
    trainingSteps: count('Steps of training of the networks; 0 where nothing was trained.'),
    judges: savedJudges.exactOptional(),
    reading: modelReading.exactOptional(),
  })
  .meta({ title: 'model.json', description: 'How to use the numbers of model.safetensors.' });
