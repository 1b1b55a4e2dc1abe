/**
 * A Gaussian process on some rows of a search's data: which rows, its hyperparameters by marginal likelihood on fewer of
 * them, and the posterior given all of them. Likelihoods are large, so one is kept at a time.
 */
import type { Kernel } from '../numeric/backend.js';
import { foldKey, type Key } from '../numeric/key.js';
import { openLinearAlgebra } from '../numeric/linalg.js';
import { takeRows } from '../numeric/rows.js';
import { fitStandardization, type Standardization } from '../numeric/stats.js';
import { modelInputs } from '../search/encoding.js';
import { chooseRows } from '../search/rowSubset.js';
import type { SearchSpace } from '../search/searchSpace.js';
import { GaussianProcess } from './gaussianProcess.js';
import { type KernelShape, kernelShape } from './gpKernel.js';
import { type HyperparameterFit, MarginalLikelihood, stepFit } from './marginalLikelihood.js';

export interface ProcessOptions {
  /** Rows that the process is conditioned on, at most. */
  readonly rows: number;
  /** Rows of these that the hyperparameters are fitted to, at most. */
  readonly fitRows: number;
  /** A length scale for every continuous column, not one for all. */
  readonly ard: boolean;
  /** Steps of Adam on the hyperparameters, and its rate, which falls to a tenth on the way. */
  readonly trainSteps: number;
  readonly trainRate: number;
}

export class ProcessFit {
  readonly shape: KernelShape;
  readonly scores: Standardization;
  private kept: { readonly key: Key; readonly likelihood: MarginalLikelihood; readonly rows: number } | null =
    null;

  constructor(
    private readonly kernel: Kernel,
    private readonly search: SearchSpace,
    private readonly options: ProcessOptions,
  ) {
    this.shape = kernelShape(search.encoding, options.ard);
    this.scores = fitStandardization(search.data.y, 1);
  }

  /** Step `done` + 1 of the fit. `key`: which rows. */
  async step(fit: HyperparameterFit, key: Key, done: number): Promise<HyperparameterFit> {
    const { trainSteps, trainRate } = this.options;
    const { likelihood, rows } = await this.likelihood(key);
    const rate = trainRate * (1 - (0.9 * done) / trainSteps);
    return stepFit(likelihood, this.shape, fit, rows, done + 1, rate);
  }

  /** Minus the log marginal likelihood of a row, and how many rows it is the mean of. */
  async loss(theta: ArrayLike<number>, key: Key): Promise<{ loss: number; rows: number }> {
    const { likelihood, rows } = await this.likelihood(key);
    return { loss: -likelihood.evaluate(theta).value / rows, rows };
  }

  /** The process given its rows, and their scores, standardised. The likelihood is given back: it is not needed any more. */
  async posterior(theta: ArrayLike<number>, key: Key): Promise<{ gp: GaussianProcess; y: Float64Array }> {
    this.kept = null;
    const linalg = await openLinearAlgebra({ kernel: this.kernel });
    const { inputs, y } = this.rowsOf(key, this.options.rows);
    return { gp: new GaussianProcess(linalg, this.shape, inputs, y, theta), y };
  }

  /** Inputs and standardised scores of the first `count` of the rows that are used. */
  private rowsOf(key: Key, count: number): { inputs: Float64Array; y: Float64Array } {
    const { encoding, parameters, data } = this.search;
    const { mean, scale } = this.scores;
    const chosen = chooseRows(data.y, this.options.rows, foldKey(key, 'rows')).subarray(0, count);
    return {
      inputs: modelInputs(encoding, takeRows(parameters, encoding.parameters, chosen)),
      y: Float64Array.from(chosen, (row) => (data.y[row]! - mean[0]!) / scale[0]!),
    };
  }

  private async likelihood(key: Key) {
    if (this.kept && this.kept.key[0] === key[0] && this.kept.key[1] === key[1]) return this.kept;
    const linalg = await openLinearAlgebra({ kernel: this.kernel });
    const { inputs, y } = this.rowsOf(key, this.options.fitRows);
    this.kept = { key, likelihood: new MarginalLikelihood(linalg, this.shape, inputs, y), rows: y.length };
    return this.kept;
  }
}
