/** Options that CbAS and autofocus share. */
import { choice, count, interval, number, type OptionsOf, steps, widths } from './option.js';
import { batchSize, box, startFrom } from './searchOptions.js';

/** How the defaults were chosen: docs/algorithms/cbas.md. */
export const adaptiveSamplingOptions = {
  networks: count(5, 'Networks of the oracle, each with a bootstrap resample of its own'),
  hidden: widths([256], "Widths of the oracle's hidden layers, leaky ReLU"),
  trainSteps: steps(2000, 'Steps of training of the oracle'),
  trainRate: number(1e-3, "Adam's rate for the oracle", { least: 0 }),
  minibatch: count(128, 'Rows per step, of the oracle and of the generative model'),
  latent: count(32, 'Columns of z'),
  vaeHidden: widths([256], "Widths of the encoder's hidden layers; the decoder's are the same in reverse"),
  vaeSteps: steps(2000, 'Steps of training of the generative model on the data'),
  vaeRate: number(1e-3, "Adam's rate for the generative model, on data and in refits", { least: 0 }),
  beta: number(1, 'Weight of the divergence in the ELBO', { least: 0 }),
  deviation: interval([0.1, 1], 'Least and greatest standard deviation of a standardised column given z'),
  steps: count(20, 'Iterations of the search'),
  samples: count(1000, 'S, designs drawn per iteration'),
  quantile: number(0.8, "Q: gamma is this quantile of the oracle's means over the draws", {
    least: 0,
    most: 1,
  }),
  threshold: choice('rising', 'How gamma moves', {
    rising: 'it never falls, as in the paper',
    free: "it is the quantile of each iteration's draws",
  }),
  leastEffective: number(
    0.02,
    'Weights are flattened where the effective sample size would be a smaller share of the draws; 0: never',
    { least: 0, below: 1 },
  ),
  refitSteps: steps(100, 'Steps of the generative model per iteration'),
  batchSize: batchSize('M, designs that are proposed'),
  startFrom: startFrom('Which visible designs are proposed until the search has drawn some'),
  box: box('Designs stay where all but this share of the data lies, on either side of each column'),
};

export type AdaptiveSamplingOptions = OptionsOf<typeof adaptiveSamplingOptions>;
