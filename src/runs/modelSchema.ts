/** `model.json`. Types: design/savedModel.ts. */
import { z } from 'zod';
import { modelVersion } from '../design/savedModel.js';
import { readingVersion } from '../judging/modelReading.js';
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

const scoreReading = z.strictObject({
  kind: z.literal('crossFittedCnml').describe('How the score is read out.'),
  version: z.literal(1).describe('Version of this kind.'),
  name: text('"headline", or a goal in the user\'s words.'),
  bins: ofAtMost(MOST_BINS, 'K.'),
  low: number('Score at the lower end of bin 0.'),
  high: number('Score at the upper end of bin K - 1.'),
  headScale: number('s of the head.'),
  activation: z.literal('softplus').describe('Of hidden units.'),
  ridge: number('Of the last layer.'),
  folds: ofAtMost(MOST_FOLDS, 'Networks that are averaged.'),
  calibration: z
    .strictObject({
      below: number('Factor of the lower half of an interval.'),
      above: number('Factor of the upper half.'),
    })
    .describe('Widths by which ends of intervals move.'),
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
      })
      .describe('What a score of the objective is in the units that are shown.'),
    scores: z.array(scoreReading).describe('How each score is read out.'),
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
      })
      .describe('Settings of the run that follow from its data and effort.'),
    seed: count('The seed.'),
    trainingSteps: z.array(z.int().min(0)).describe("Steps of training of each score's networks."),
    scores: texts('What each score is: "headline", or a goal in the user\'s words.'),
    reading: modelReading.exactOptional(),
  })
  .meta({ title: 'model.json', description: 'How to use the numbers of model.safetensors.' });
