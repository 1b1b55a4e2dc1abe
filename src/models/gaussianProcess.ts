/**
 * Exact Gaussian process regression in float64 (Rasmussen & Williams 2006, Alg. 2.1): mean and variance of the
 * noiseless score, their slopes in the inputs, and observations that are added one at a time.
 */
import type { LinearAlgebra } from '../numeric/linalg.js';
import {
  covariances,
  type Hyperparameters,
  hyperparametersOf,
  innerProducts,
  type KernelInputs,
  type KernelShape,
  ownCovariances,
  takeApart,
} from './gpKernel.js';
import { factorWithNoise } from './marginalLikelihood.js';

/** The mean at m inputs, and what its slopes are made of. */
export interface MeanPrediction {
  readonly mean: Float64Array;
  readonly at: KernelInputs;
  /** k(X, x) and its radial factor, N x m. */
  readonly cross: { readonly k: Float64Array; readonly radial: Float64Array };
}

/** The posterior at m inputs, and what its slopes are made of. */
export interface GaussianPrediction extends MeanPrediction {
  /** Of the noiseless score. */
  readonly variance: Float64Array;
  /** L^-1 k(X, x), N x m. */
  readonly whitened: Float64Array;
  /** The same for every believed row, m each. */
  readonly believed: Float64Array[];
}

/** A row that was added as if it had been observed. */
interface Belief {
  readonly at: KernelInputs;
  /** Its row of the Cholesky factor: N numbers, those of earlier beliefs, the diagonal. */
  readonly base: Float64Array;
  readonly earlier: readonly number[];
  readonly diagonal: number;
}

/** A variance is never less than this share of v. */
const LEAST = 1e-12;

export class GaussianProcess {
  readonly hyperparameters: Hyperparameters;
  private readonly N: number;
  private readonly data: KernelInputs;
  private readonly l: Float64Array;
  private readonly alpha: Float64Array;
  private readonly beliefs: Belief[] = [];
  /** Matrices of the data with their rows as columns, and the linear algebra that holds each matrix. */
  private readonly scaledColumns: Float64Array;
  private readonly discreteColumns: Float64Array;
  private readonly keepers: Record<
    'factor' | 'scaled' | 'discrete' | 'scaledColumns' | 'discreteColumns',
    LinearAlgebra
  >;

  /** `inputs` N x P, as `modelInputs` makes them; `y` N, standardised; `theta` as in `hyperparametersOf`. */
  constructor(
    linalg: LinearAlgebra,
    readonly shape: KernelShape,
    inputs: ArrayLike<number>,
    y: Float64Array,
    theta: ArrayLike<number>,
  ) {
    this.hyperparameters = hyperparametersOf(shape, theta);
    this.N = y.length;
    this.data = takeApart(shape, this.hyperparameters, inputs);
    const { data, N } = this;
    const products = innerProducts(shape, data, data, { scaled: linalg, discrete: linalg });
    const { k } = covariances(shape, this.hyperparameters, data, data, products);
    this.l = factorWithNoise(linalg, k, N, this.hyperparameters.noise);
    this.alpha = linalg.solveCholesky(this.l, N, y);
    this.scaledColumns = transpose(data.scaled, N, shape.continuous.length);
    this.discreteColumns = transpose(data.discrete, N, shape.discrete.length);
    const keep = (matrix: Float64Array) => (matrix.length > 0 ? linalg.hold(matrix) : linalg);
    this.keepers = {
      factor: keep(this.l),
      scaled: keep(data.scaled),
      discrete: keep(data.discrete),
      scaledColumns: keep(this.scaledColumns),
      discreteColumns: keep(this.discreteColumns),
    };
  }

  /** Means at the data, of the scores `y` it was made with: k alpha = y - noise alpha. */
  fitted(y: Float64Array): Float64Array {
    return y.map((score, i) => score - this.hyperparameters.noise * this.alpha[i]!);
  }

  /** The mean at `inputs`, m x P, without the variance, which takes a solve. Beliefs do not change it. */
  predictMean(inputs: ArrayLike<number>): MeanPrediction {
    const { shape, hyperparameters, data, N, alpha, keepers } = this;
    const at = takeApart(shape, hyperparameters, inputs);
    const m = at.count;
    const cross = covariances(shape, hyperparameters, data, at, innerProducts(shape, data, at, keepers));
    const mean = new Float64Array(m);
    for (let i = 0, to = 0; i < N; i++) {
      for (let q = 0; q < m; q++, to++) mean[q]! += alpha[i]! * cross.k[to]!;
    }
    return { mean, at, cross };
  }

  /** The posterior at `inputs`, m x P, beliefs included. */
  predict(inputs: ArrayLike<number>): GaussianPrediction {
    const { shape, hyperparameters, data, N, alpha, keepers } = this;
    const at = takeApart(shape, hyperparameters, inputs);
    const m = at.count;
    const cross = covariances(shape, hyperparameters, data, at, innerProducts(shape, data, at, keepers));
    const whitened = keepers.factor.solveLower(this.l, N, cross.k, m);
    const mean = new Float64Array(m);
    const variance = ownCovariances(shape, hyperparameters, at);
    for (let i = 0, to = 0; i < N; i++) {
      for (let q = 0; q < m; q++, to++) {
        mean[q]! += alpha[i]! * cross.k[to]!;
        variance[q]! -= whitened[to]! ** 2;
      }
    }
    const floor = LEAST * hyperparameters.variance;
    for (let q = 0; q < m; q++) variance[q] = Math.max(floor, variance[q]!);
    const prediction: GaussianPrediction = { mean, variance, at, cross, whitened, believed: [] };
    this.condition(prediction);
    return prediction;
  }

  /** Brings a prediction up to the beliefs that came after it; the mean stays as it is. */
  condition({ at, whitened, variance, believed }: GaussianPrediction): void {
    const { N } = this;
    const m = at.count;
    const floor = LEAST * this.hyperparameters.variance;
    for (const belief of this.beliefs.slice(believed.length)) {
      const row = this.covariancesWith(belief, at).k;
      for (let i = 0, from = 0; i < N; i++) {
        const factor = belief.base[i]!;
        for (let q = 0; q < m; q++, from++) row[q]! -= factor * whitened[from]!;
      }
      belief.earlier.forEach((factor, s) => {
        for (let q = 0; q < m; q++) row[q]! -= factor * believed[s]![q]!;
      });
      for (let q = 0; q < m; q++) {
        row[q]! /= belief.diagonal;
        variance[q] = Math.max(floor, variance[q]! - row[q]! ** 2);
      }
      believed.push(row);
    }
  }

  private covariancesWith(belief: Belief, at: KernelInputs) {
    const { shape, hyperparameters } = this;
    const dots = (a: Float64Array, b: Float64Array) =>
      a.length === 0
        ? null
        : Float64Array.from({ length: at.count }, (_, q) => {
            let sum = 0;
            for (let j = 0; j < a.length; j++) sum += a[j]! * b[q * a.length + j]!;
            return sum;
          });
    const products = {
      scaled: dots(belief.at.scaled, at.scaled),
      discrete: dots(belief.at.discrete, at.discrete),
    };
    return covariances(shape, hyperparameters, belief.at, at, products);
  }

  /**
   * Adds a row (1 x P) with its own mean as its score: one more row of the Cholesky factor. An observation that is what
   * was expected changes no mean, only variances (kriging believer, Ginsbourger et al. 2010).
   */
  believe(input: ArrayLike<number>): void {
    const { at, whitened, believed, variance } = this.predict(input);
    this.beliefs.push({
      at,
      base: whitened,
      earlier: believed.map((row) => row[0]!),
      diagonal: Math.sqrt(variance[0]! + this.hyperparameters.noise),
    });
  }

  /** Slopes of sum_q byMean_q mean_q in the inputs, m x P. */
  meanSlopes({ at, cross }: MeanPrediction, byMean: ArrayLike<number>): Float64Array {
    const { N, alpha } = this;
    const m = at.count;
    const byKernel = new Float64Array(N * m);
    for (let i = 0, to = 0; i < N; i++) {
      for (let q = 0; q < m; q++, to++) byKernel[to] = byMean[q]! * alpha[i]!;
    }
    return this.inputSlopes(at, this.kernelSums(at, cross, byKernel), new Float64Array(m));
  }

  /** Slopes of sum_q (byMean_q mean_q + byVariance_q variance_q) in the inputs, m x P. */
  slopes(
    prediction: GaussianPrediction,
    byMean: ArrayLike<number>,
    byVariance: ArrayLike<number>,
  ): Float64Array {
    const { N, shape, alpha, keepers } = this;
    const { at, cross, whitened, believed } = prediction;
    const m = at.count;
    const c = shape.continuous.length;
    const u = shape.discrete.length;

    // w = (K + noise I)^-1 k(X, x): back through the rows of the beliefs, then through L'
    const beliefs = this.beliefs.slice(0, believed.length);
    const weights = believed.map((row) => row.slice());
    const rest = whitened.slice();
    for (let s = beliefs.length - 1; s >= 0; s--) {
      const { base, earlier, diagonal } = beliefs[s]!;
      const row = weights[s]!;
      for (let q = 0; q < m; q++) row[q]! /= diagonal;
      earlier.forEach((factor, r) => {
        for (let q = 0; q < m; q++) weights[r]![q]! -= factor * row[q]!;
      });
      for (let i = 0, to = 0; i < N; i++) {
        for (let q = 0; q < m; q++, to++) rest[to]! -= base[i]! * row[q]!;
      }
    }
    const w = keepers.factor.solveLowerTransposed(this.l, N, rest, m);

    const byKernel = new Float64Array(N * m);
    for (let i = 0, to = 0; i < N; i++) {
      for (let q = 0; q < m; q++, to++) byKernel[to] = byMean[q]! * alpha[i]! - 2 * byVariance[q]! * w[to]!;
    }
    const sums = this.kernelSums(at, cross, byKernel);
    beliefs.forEach((belief, s) => {
      const { k, radial } = this.covariancesWith(belief, at);
      for (let q = 0; q < m; q++) {
        const slope = -2 * byVariance[q]! * weights[s]![q]!;
        sums.radial[q]! += slope * k[q]!;
        for (let j = 0; j < c; j++) sums.scaled[j * m + q]! += slope * k[q]! * belief.at.scaled[j]!;
        for (let j = 0; j < u; j++) sums.discrete[j * m + q]! += slope * radial[q]! * belief.at.discrete[j]!;
      }
    });
    return this.inputSlopes(at, sums, byVariance);
  }

  /** Sums over the rows of the data of slopes in k(x_i, x) (N x m): times k, and times what k is made of. */
  private kernelSums(
    at: KernelInputs,
    cross: MeanPrediction['cross'],
    byKernel: Float64Array,
  ): { readonly radial: Float64Array; readonly scaled: Float64Array; readonly discrete: Float64Array } {
    const { N, shape, keepers } = this;
    const m = at.count;
    const c = shape.continuous.length;
    const u = shape.discrete.length;
    const byRadial = new Float64Array(m * N);
    const byInner = new Float64Array(u > 0 ? m * N : 0);
    const radial = new Float64Array(m);
    for (let i = 0, from = 0; i < N; i++) {
      for (let q = 0; q < m; q++, from++) {
        const slope = byKernel[from]!;
        byRadial[q * N + i] = slope * cross.k[from]!;
        radial[q]! += slope * cross.k[from]!;
        if (u > 0) byInner[q * N + i] = slope * cross.radial[from]!;
      }
    }
    const none = new Float64Array(0);
    return {
      radial,
      scaled: c > 0 ? keepers.scaledColumns.multiplyTransposed(this.scaledColumns, byRadial, c, m, N) : none,
      discrete:
        u > 0 ? keepers.discreteColumns.multiplyTransposed(this.discreteColumns, byInner, u, m, N) : none,
    };
  }

  private inputSlopes(
    at: KernelInputs,
    sums: { readonly radial: Float64Array; readonly scaled: Float64Array; readonly discrete: Float64Array },
    byVariance: ArrayLike<number>,
  ): Float64Array {
    const { shape } = this;
    const { variance: v, lengthscales } = this.hyperparameters;
    const m = at.count;
    const c = shape.continuous.length;
    const u = shape.discrete.length;
    const slopes = new Float64Array(m * shape.inputs);
    for (let q = 0; q < m; q++) {
      shape.continuous.forEach((column, j) => {
        const sum = sums.scaled[j * m + q]! - sums.radial[q]! * at.scaled[q * c + j]!;
        slopes[q * shape.inputs + column] = sum / lengthscales[j]!;
      });
      shape.discrete.forEach((column, j) => {
        const bySelf = 2 * byVariance[q]! * v * at.discrete[q * u + j]!; // of k(x, x)
        slopes[q * shape.inputs + column] = (sums.discrete[j * m + q]! + bySelf) / shape.groups;
      });
    }
    return slopes;
  }
}

function transpose(a: Float64Array, rows: number, columns: number): Float64Array {
  const transposed = new Float64Array(a.length);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) transposed[j * rows + i] = a[i * columns + j]!;
  }
  return transposed;
}
