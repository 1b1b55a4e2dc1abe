/**
 * Conditional NML of a Gaussian process with m phantom rows, in closed form. With posterior mean mu and variance v of
 * the noiseless score at x, and noise sigma^2, m rows (x, y) move the mean to mu + g (y - mu), g = v / (v + sigma^2 / m).
 * The likelihood of y under its own fit is then that of a normal around mu with deviation
 *
 *     s = sigma / (1 - g) = sigma + m v / sigma,        regret = log(s / sigma) = log(1 + m v / sigma^2)
 *
 * Scores have no bounds here, as bins have, and Eq. 2 needs some: the scores y themselves are weighted by a normal of the
 * visible range, with its middle c and half its width h (luckiness NML; Grünwald 2007, §11.3). The expected score is
 *
 *     E = c + (mu - c) h^2 / (h^2 + s^2)
 *
 * mu where the data settle it, the middle of the range where they say nothing. It has no ceiling.
 */
import type { Key } from '../numeric/key.js';
import type { LinearAlgebra } from '../numeric/linalg.js';
import { portableLog1p } from '../numeric/portable.js';
import { takeRows } from '../numeric/rows.js';
import { extent, fitStandardization, quantile } from '../numeric/stats.js';
import { type Encoding, modelInputs, parameterSlopes, roundToGrid } from '../search/encoding.js';
import { chooseRows } from '../search/rowSubset.js';
import { GaussianProcess } from './gaussianProcess.js';
import { type KernelShape, kernelShape } from './gpKernel.js';
import type { DesignEstimates } from './lastLayerNetworks.js';
import { MarginalLikelihood, startFit, stepFit } from './marginalLikelihood.js';

export interface GaussianCnmlSpec {
  readonly encoding: Encoding;
  /** Parameters of the data's designs, N x P. */
  readonly parameters: Float64Array;
  /** N, on the scale that the process explains best. */
  readonly scores: Float64Array;
  /** Rows that are hidden where m is calibrated. */
  readonly hiddenRows: Int32Array;
}

/** Rows to which hyperparameters are fitted, and rows that it is conditioned on: costs grow with the cube. */
const FITTED = 256;
const KEPT = 800;
const FIT_STEPS = 40;
const FIT_RATE = 0.15;
/** Continuous parameters up to which each has a length scale of its own. */
const OWN_LENGTHS = 24;
const COVERAGE = 0.8;
/** What a normal deviation is multiplied with for an interval of 80 %. */
const NORMAL = 1.2815515655446004;
const ASKED = 128;
/** Half of the range of scores that are all alike, of standardised ones. */
const LEAST_HALF = 1e-9;

/** Deviation of p_NML with m phantom rows. */
export function nmlDeviation(variance: number, noise: number, m: number): number {
  const sigma = Math.sqrt(noise);
  return sigma + (m * variance) / sigma;
}

/** Individual regret with m phantom rows (§4.3); with m = 1, log(1 + v / sigma^2). */
export function nmlRegret(variance: number, noise: number, m: number): number {
  return portableLog1p((m * variance) / noise);
}

export class GaussianCnml {
  private readonly shape: KernelShape;
  private readonly process: GaussianProcess;
  private readonly middle: number;
  private readonly half: number;
  /** The m whose intervals hold the hidden rows. */
  readonly calibrated: number;

  constructor(
    linalg: LinearAlgebra,
    private readonly spec: GaussianCnmlSpec,
    key: Key,
  ) {
    const { encoding, parameters, scores, hiddenRows } = spec;
    const P = encoding.parameters;
    const { mean, scale } = fitStandardization(scores, 1);
    const z = scores.map((score) => (score - mean[0]!) / scale[0]!);
    const isOwn = encoding.blocks.reduce((sum, b) => sum + (b.classes === 0 ? b.count : 0), 0) <= OWN_LENGTHS;
    this.shape = kernelShape(encoding, isOwn);
    const inputsOf = (rows: ArrayLike<number>) => modelInputs(encoding, takeRows(parameters, P, rows));
    const scoresOf = (rows: ArrayLike<number>) => Float64Array.from(rows, (row) => z[row]!);
    const kept = chooseRows(z, KEPT, key);
    const fitted = kept.subarray(0, FITTED);
    const likelihood = new MarginalLikelihood(linalg, this.shape, inputsOf(fitted), scoresOf(fitted));
    let fit = startFit(this.shape);
    for (let t = 1; t <= FIT_STEPS; t++)
      fit = stepFit(likelihood, this.shape, fit, fitted.length, t, FIT_RATE * (1 - (0.9 * t) / FIT_STEPS));
    const make = (rows: ArrayLike<number>) =>
      new GaussianProcess(linalg, this.shape, inputsOf(rows), scoresOf(rows), fit.theta);
    this.process = make(kept);
    const { min, max } = extent(z);
    this.middle = (min + max) / 2;
    this.half = Math.max((max - min) / 2, LEAST_HALF);
    const hidden = new Set(hiddenRows);
    const without = chooseRows(
      z.map((score, row) => (hidden.has(row) ? min - 1 : score)),
      KEPT,
      key,
    ).filter((row) => !hidden.has(row));
    this.calibrated = without.length > 1 ? calibrate(make(without), inputsOf, scoresOf, hiddenRows) : 1;
  }

  /** What designs (M x P parameters) are expected to score with `m` phantom rows each, and which way is up. */
  estimate(parameters: Float32Array | Float64Array, m: ArrayLike<number>): DesignEstimates {
    const { encoding } = this.spec;
    const inputs = modelInputs(encoding, roundToGrid(encoding, parameters));
    const prediction = this.process.predict(inputs);
    const { noise } = this.process.hyperparameters;
    const square = this.half * this.half;
    const byVariance = new Float64Array(prediction.mean.length);
    const byMean = new Float64Array(prediction.mean.length);
    const mean = prediction.mean.map((mu, i) => {
      const s = nmlDeviation(prediction.variance[i]!, noise, m[i]!);
      const kept = square / (square + s * s);
      byMean[i] = kept;
      byVariance[i] = ((this.middle - mu) * kept * kept * 2 * s * m[i]!) / (square * Math.sqrt(noise));
      return this.middle + (mu - this.middle) * kept;
    });
    const slopes = this.process.slopes(prediction, byMean, byVariance);
    return {
      mean: mean.map((value) => 0.5 + (value - this.middle) / (2 * this.half)),
      slopes: parameterSlopes(encoding, inputs, slopes),
    };
  }
}

/** The m with which 80 % intervals, mu -+ 1.28 s, hold 80 % of the hidden rows: the quantile of what each row needs. */
function calibrate(
  gaussian: GaussianProcess,
  inputsOf: (rows: ArrayLike<number>) => Float64Array,
  scoresOf: (rows: ArrayLike<number>) => Float64Array,
  hiddenRows: Int32Array,
): number {
  if (hiddenRows.length === 0) return 1;
  const count = Math.min(ASKED, hiddenRows.length);
  const rows = Int32Array.from(
    { length: count },
    (_, i) => hiddenRows[Math.floor((i * hiddenRows.length) / count)]!,
  );
  const { mean, variance } = gaussian.predict(inputsOf(rows));
  const { noise } = gaussian.hyperparameters;
  const sigma = Math.sqrt(noise);
  const needed = scoresOf(rows).map((z, i) =>
    Math.max(0, ((Math.abs(z - mean[i]!) / NORMAL - sigma) * sigma) / variance[i]!),
  );
  return quantile(needed, COVERAGE);
}
