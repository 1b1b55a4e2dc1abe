/** `model.json`. Types: design/savedModel.ts. */
import { z } from 'zod';
import { modelVersion } from '../design/savedModel.js';
import { readingVersion } from '../judging/modelReading.js';
import { ardForms } from '../models/ardKernel.js';
import { responseKinds } from '../models/response.js';
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
const risk = (what: string) => z.enum(risks).describe(what);
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

const response = (what: string) =>
  z
    .strictObject({
      kind: z.enum(responseKinds).describe('Kind of scale.'),
      origin: number('Where the scale begins, in units of the score.'),
      side: z.union([z.literal(1), z.literal(-1)]).describe('-1: the origin is above all scores.'),
      width: number('Range of the scores.'),
      mean: number('Subtracted from the score on this scale.'),
      deviation: number('Divides what is left.'),
    })
    .describe(what);

const processReading = z.strictObject({
  response: response('Scale on which it predicts.'),
  members: z
    .array(
      z.strictObject({
        form: z.enum(ardForms).describe('Form of the kernel.'),
        share: share('How much it counts; all shares sum to 1.'),
        v: number('Variance of the smooth part of the kernel.'),
        inverse: numbers('1 / l^2 of each column, numbers first.'),
        effects: numbers('Variance of the effect of each column, numbers first.'),
        line: number('Variance of the straight line, per column of numbers.'),
        noise: number('Variance of the noise.'),
      }),
    )
    .min(1)
    .describe('Processes that are mixed.'),
  x: numbers('Its rows: inputs of columns of numbers, row by row.'),
  k: numbers('Its rows: classes, counted from 0, row by row.'),
  z: numbers('Its rows: scores on its scale.'),
});

const panelSettings = z.strictObject({
  weight: share('How much the processes count beside the networks.'),
  shift: number('What promises of the rehearsal lacked or exceeded, in standard deviations.'),
  reach: number('From the expected value to the lower end of an 80 % interval, in standard deviations.'),
  rise: number('The same to the upper end.'),
  sample: number('Effective number of unseen rows that the reach stands on.'),
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
        response: response('Scale on which the judges meet.'),
        noise: number('Variance of the noise, on this scale.'),
      })
      .describe('What a score of the objective is in the units that are shown.'),
    networks: z
      .strictObject({
        bins: ofAtMost(MOST_BINS, 'K.'),
        low: number('Score at the lower end of bin 0.'),
        high: number('Score at the upper end of bin K - 1.'),
        activation: z.literal('softplus').describe('Of hidden units.'),
        groups: ofAtMost(MOST_FOLDS, 'Groups of networks.'),
        folds: ofAtMost(MOST_FOLDS, 'Groups that are asked, the first ones.'),
        networksPerGroup: ofAtMost(MOST_FOLDS, 'Networks in each group.'),
      })
      .describe('Networks of the objective, each trained without some of the rows.'),
    processes: z
      .array(processReading)
      .describe('Gaussian processes: of the objective, or of each goal of a desirability.'),
    goals: z
      .strictObject({
        weights: numbers('Weight of each goal.'),
        ramps: z
          .array(z.array(z.number().nullable()))
          .describe('zeroBelow, oneFrom, oneTo, zeroAbove of each goal; null where a side is open.'),
        draws: z.array(z.array(z.number())).describe('Normal draws of each goal.'),
      })
      .describe('How goals become a desirability.')
      .exactOptional(),
    panel: panelSettings.describe('How the judges are joined.'),
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
          response: response('Scale on which it predicts.'),
          members: z
            .array(
              z.strictObject({
                form: z.enum(ardForms).describe('Form of the kernel.'),
                theta: numbers('Logarithms of its parameters.'),
                share: share('How much it counts; all shares sum to 1.'),
              }),
            )
            .min(1)
            .describe('One of each form that counts.'),
          rows: z.array(z.int().min(0)).describe('Rows of the data that it keeps, counted from 0.'),
        }),
      )
      .describe('Gaussian processes, from which nemokit makes the same again.'),
    settings: panelSettings.describe('How the judges are joined.'),
    rehearsed: z
      .strictObject({
        hidden: count('Rows that were hidden, the best ones.'),
        seen: count('Rows that were seen.'),
        named: count('Hidden rows among the first that were named.'),
        first: count('Length of that list.'),
        byChance: number('How many of them chance would name.'),
        promised: number('Mean score that the first rows promised.'),
        delivered: number('Mean score that they had.'),
        bestSeen: number('Mean score of as many of the best rows that were seen.'),
        risk: risk('How bold hidden rows say that a run may be.'),
        rankCorrelation: number('Of unseen rows.'),
        luck: share('Chance of as much by luck.'),
        weight: share('How much the processes count beside the networks.'),
      })
      .describe('What the rehearsal found, with the best rows hidden.'),
    risk: risk('How bold the run was.'),
  })
  .describe('The judges of the run.');

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
            population: ofAtMost(MOST_WIDTH, 'Designs.'),
            generations: ofAtMost(MOST_STEPS, 'Generations.'),
          })
          .describe('Size and length of each climb of the judges.'),
      })
      .describe('Settings of the run that follow from its data and effort.'),
    seed: count('The seed.'),
    trainingSteps: count('Steps of training of the networks; 0 where nothing was trained.'),
    judges: savedJudges.exactOptional(),
    reading: modelReading.exactOptional(),
  })
  .meta({ title: 'model.json', description: 'How to use the numbers of model.safetensors.' });
