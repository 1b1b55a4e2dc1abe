/** `model.json`. Types: design/savedModel.ts. */
import { z } from 'zod';
import { modelVersion } from '../design/savedModel.js';
import { count, number, ordinal, share, texts } from './values.js';

export const modelDescription = z
  .strictObject({
    modelVersion: z.literal(modelVersion).describe('Version of this format.'),
    plan: z
      .strictObject({
        bins: ordinal('Bins of a score, for the search.'),
        headroom: number('Room above the best score, as a share of the range of scores.'),
        judge: z
          .strictObject({ bins: ordinal('Bins of a score.'), headroom: number('Room above the best score.') })
          .describe('The same for the networks that judge.'),
        hidden: z.array(z.int().min(1)).describe('Sizes of the hidden layers.'),
        minibatch: ordinal('Rows per step of training.'),
        trainingRate: number("Adam's rate."),
        tried: z.array(z.int().min(1)).describe('Steps of training after which networks are tried.'),
        folds: ordinal('Parts of the rows, each left out by one group of networks.'),
        hiddenTop: share('Share of the rows, the best ones, that one more group never meets.'),
        networksPerGroup: ordinal('Networks per group.'),
        steps: ordinal('Iterations of the search.'),
      })
      .describe('Settings of the run that follow from its data and effort.'),
    seed: count('The seed.'),
    trainingSteps: z.array(z.int().min(0)).describe("Steps of training of each score's networks."),
    scores: texts('What each score is: "headline", or a goal in the user\'s words.'),
  })
  .meta({ title: 'model.json', description: 'How to use the numbers of model.safetensors.' });
