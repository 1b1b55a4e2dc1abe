/** Settings of ascent on regression networks, one or several: what `forward` and `ensemble` have in common. */
import type { RegressionOptions } from './regressionSurrogate.js';

export interface NetworkAscentOptions extends RegressionOptions {
  /** M, designs that climb. */
  readonly batchSize: number;
  /** Widths of the hidden layers. */
  readonly hidden: readonly number[];
  /** After every hidden layer; leakyRelu has slope 0.3 below 0. */
  readonly activation: 'softplus' | 'relu' | 'leakyRelu';
  /** 'mean': squared error; 'gaussian': mean and standard deviation by likelihood. The mean is climbed. */
  readonly head: 'mean' | 'gaussian';
  /** Train on a bootstrap resample of the rows instead of the rows. */
  readonly bootstrap: boolean;
  /** Steps of training; an epoch is N / minibatch of them. */
  readonly trainSteps: number;
  /** Adam's rate in training. */
  readonly trainRate: number;
  /** Rows of data per step. */
  readonly minibatch: number;
  /** Steps of the designs. */
  readonly steps: number;
  /** 'plain' gradient ascent, or 'adam' for each design. */
  readonly ascent: 'adam' | 'plain';
  /**
   * In plain ascent a step is designRate sqrt(P) times the gradient, P numbers per design; else Adam's rate. Columns are
   * standardised. 'auto': plain 0.01 for numbers and 0.1 for logits; Adam 0.02, or 0.05 where all columns are classes.
   */
  readonly designRate: number | 'auto';
  /** Begin at the best visible designs, or at the worst. */
  readonly startFrom: 'best' | 'worst';
  /** The search stays where all but this share of the data lies, on either side of each column; null: anywhere. */
  readonly box: number | null;
}

export const networkAscentDefaults: NetworkAscentOptions = {
  batchSize: 128,
  hidden: [256, 256],
  activation: 'softplus',
  head: 'mean',
  bootstrap: false,
  trainSteps: 2000,
  trainRate: 1e-3,
  minibatch: 128,
  steps: 150,
  ascent: 'plain',
  designRate: 'auto',
  startFrom: 'best',
  box: 0.01,
};

/** Settings of public versions; trainSteps are their epochs at 17,014 rows (133 steps an epoch). */
export const networkAscentPresets = {
  /** NEMO's comparison, 2020: 100 epochs, 1000 plain steps. */
  paper: {
    ...networkAscentDefaults,
    hidden: [2048, 2048],
    activation: 'leakyRelu',
    head: 'gaussian',
    bootstrap: true,
    trainSteps: 13_300,
    steps: 1000,
    ascent: 'plain',
    designRate: 0.01,
    box: null,
  },
  /** Design-Bench 2022: 50 epochs, 200 plain steps. */
  designBench: {
    ...networkAscentDefaults,
    hidden: [2048, 2048],
    activation: 'leakyRelu',
    head: 'gaussian',
    bootstrap: true,
    trainSteps: 6650,
    trainRate: 3e-4,
    steps: 200,
    ascent: 'plain',
    designRate: 0.01,
    box: null,
  },
  /** What tables since 2023 call "Grad" on continuous tasks: squared error, Adam for each design. */
  modern: {
    ...networkAscentDefaults,
    hidden: [2048, 2048],
    activation: 'relu',
    trainSteps: 13_300,
    trainRate: 3e-4,
    steps: 200,
    ascent: 'adam',
    designRate: 1e-3,
    box: null,
  },
  /** The same on discrete tasks. */
  modernDiscrete: {
    ...networkAscentDefaults,
    hidden: [2048, 2048],
    activation: 'relu',
    trainSteps: 13_300,
    trainRate: 3e-4,
    steps: 100,
    ascent: 'adam',
    designRate: 0.1,
    box: null,
  },
} as const satisfies Record<string, NetworkAscentOptions>;
