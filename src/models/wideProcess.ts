/**
 * A Gaussian process as a judge of tables with many columns, where lengths of their own (ardProcess.ts) cost too much and
 * cannot be told apart: one length for all numbers, an inner product for classes (gpKernel.ts). Two processes share their
 * hyperparameters; each keeps rows of one half, so that rows are judged by the one that has not seen them.
 */
import { foldKey, type Key } from '../numeric/key.js';
import type { LinearAlgebra } from '../numeric/linalg.js';
import { takeRows } from '../numeric/rows.js';
import { fitStandardization } from '../numeric/stats.js';
import { modelInputs } from '../search/encoding.js';
import { chooseRows } from '../search/rowSubset.js';
import type { SearchSpace } from '../search/searchSpace.js';
import { GaussianProcess } from './gaussianProcess.js';
import { kernelShape } from './gpKernel.js';
import { MarginalLikelihood, startFit, stepFit } from './marginalLikelihood.js';
import type { Opinion } from './opinion.js';

/** Rows to which hyperparameters are fitted, and rows of a half that are kept: costs grow with the cube. */
const FITTED = 256;
const KEPT = 600;
const FIT_STEPS = 40;
const FIT_RATE = 0.15;
/** Rows of the other half that are asked about. */
const ASKED = 400;

export class WideProcess {
  private constructor(
    private readonly search: SearchSpace,
    private readonly halves: readonly [GaussianProcess, GaussianProcess],
    /** Rows that the other half was asked about, and what it said of them, of standardised scores. */
    readonly asked: Uint32Array,
    readonly said: Float64Array,
  ) {}

  static fit(linalg: LinearAlgebra, search: SearchSpace, z: Float64Array, key: Key): WideProcess {
    const { encoding, parameters } = search;
    const shape = kernelShape(encoding, false);
    const inputsOf = (rows: ArrayLike<number>) =>
      modelInputs(encoding, takeRows(parameters, encoding.parameters, rows));
    const scoresOf = (rows: ArrayLike<number>) => Float64Array.from(rows, (row) => z[row]!);
    const fitted = chooseRows(z, FITTED, foldKey(key, 'fitted'));
    const likelihood = new MarginalLikelihood(linalg, shape, inputsOf(fitted), scoresOf(fitted));
    let fit = startFit(shape);
    for (let t = 1; t <= FIT_STEPS; t++)
      fit = stepFit(likelihood, shape, fit, fitted.length, t, FIT_RATE * (1 - (0.9 * t) / FIT_STEPS));
    const rows = [0, 1].map((half) => {
      const all = Uint32Array.from({ length: Math.ceil((z.length - half) / 2) }, (_, i) => 2 * i + half);
      return chooseRows(scoresOf(all), KEPT, foldKey(key, half)).map((i) => all[i]!);
    });
    const [even, odd] = rows.map(
      (kept) => new GaussianProcess(linalg, shape, inputsOf(kept), scoresOf(kept), fit.theta),
    );
    const asked: number[] = [];
    const said: number[] = [];
    for (const [half, gaussian] of [odd!, even!].entries()) {
      const unseen = rows[half]!.subarray(0, ASKED);
      const { mean } = gaussian.predictMean(inputsOf(unseen));
      unseen.forEach((row, i) => {
        asked.push(row);
        said.push(mean[i]!);
      });
    }
    return new WideProcess(search, [even!, odd!], Uint32Array.from(asked), Float64Array.from(said));
  }

  /** Designs, n x d, given as parameters, n x P. */
  read(parameters: Float64Array): Opinion {
    const inputs = modelInputs(this.search.encoding, parameters);
    const [a, b] = this.halves.map((gaussian) => gaussian.predict(inputs));
    return {
      mean: a!.mean.map((mean, i) => (mean + b!.mean[i]!) / 2),
      deviation: a!.variance.map((variance, i) => Math.sqrt((variance + b!.variance[i]!) / 2)),
    };
  }
}

/** Scores with mean 0 and deviation 1, and the way back. */
export function plainScale(y: ArrayLike<number>): { z: Float64Array; scoreOf: (z: number) => number } {
  const { mean, scale } = fitStandardization(y, 1);
  const [center, width] = [mean[0]!, scale[0]!];
  return {
    z: Float64Array.from(y, (score) => (score - center) / width),
    scoreOf: (z) => center + width * z,
  };
}
