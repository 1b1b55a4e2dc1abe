/** Options of ascent on regression networks, one or several: what `forward` and `ensemble` have in common. */
import type { Preset } from '../algorithm.js';
import { choice, count, flag, number, type OptionsOf, steps, widths } from './option.js';
import { batchSize, box, startFrom } from './searchOptions.js';

export const networkAscentOptions = {
  batchSize: batchSize('M, designs that climb'),
  hidden: widths([256, 256], 'Widths of the hidden layers'),
  activation: choice('softplus', 'After every hidden layer', {
    softplus: 'log(1 + e^x)',
    relu: 'max(0, x)',
    leakyRelu: 'slope 0.3 below 0',
  }),
  head: choice('mean', 'How a network is fitted; its mean is climbed', {
    mean: 'squared error',
    gaussian: 'mean and standard deviation by likelihood',
  }),
  bootstrap: flag(false, 'Train on a bootstrap resample of the rows instead of the rows'),
  trainSteps: steps(2000, 'Steps of training; an epoch is N / minibatch of them'),
  trainRate: number(1e-3, "Adam's rate in training", { least: 0 }),
  minibatch: count(128, 'Rows of data per step'),
  steps: count(150, 'Steps of the designs'),
  ascent: choice('plain', 'How designs climb', {
    adam: 'by Adam, for each design',
    plain: 'a step is designRate sqrt(P) times the gradient, P numbers per design',
  }),
  designRate: number('auto', 'Size of a step; columns are standardised', {
    least: 0,
    words: {
      auto: 'plain 0.01 for numbers and 0.1 for logits; Adam 0.02, or 0.05 where all columns are classes',
    },
  }),
  startFrom: startFrom(),
  box: box(),
};

export type NetworkAscentOptions = OptionsOf<typeof networkAscentOptions>;

const published = { hidden: [2048, 2048], box: null };
const gaussian = { ...published, activation: 'leakyRelu', head: 'gaussian', bootstrap: true } as const;
const squared = { ...published, activation: 'relu', trainSteps: 13_300, trainRate: 3e-4 } as const;

/** Settings of public versions; trainSteps are their epochs at 17,014 rows (133 steps an epoch). */
export const networkAscentPresets = {
  paper: {
    help: "NEMO's comparison, 2020: 100 epochs, 1000 plain steps",
    options: { ...gaussian, trainSteps: 13_300, steps: 1000, ascent: 'plain', designRate: 0.01 },
  },
  designBench: {
    help: 'Design-Bench 2022: 50 epochs, 200 plain steps',
    options: {
      ...gaussian,
      trainSteps: 6650,
      trainRate: 3e-4,
      steps: 200,
      ascent: 'plain',
      designRate: 0.01,
    },
  },
  modern: {
    help: 'what tables since 2023 call "Grad" on continuous tasks: squared error, Adam for each design',
    options: { ...squared, steps: 200, ascent: 'adam', designRate: 1e-3 },
  },
  modernDiscrete: {
    help: 'the same on discrete tasks',
    options: { ...squared, steps: 100, ascent: 'adam', designRate: 0.1 },
  },
} as const satisfies Record<string, Preset<NetworkAscentOptions>>;
