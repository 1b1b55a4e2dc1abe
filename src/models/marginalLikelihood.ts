/** How well a Gaussian process explains scores, and how that changes with its hyperparameters. */
import { type LinearAlgebra, NotPositiveDefiniteError } from '../numeric/linalg.js';
import { portableLog, portablePower } from '../numeric/portable.js';
import {
  covariances,
  hyperparametersOf,
  innerProducts,
  type KernelShape,
  takeApart,
  thetaBounds,
} from './gpKernel.js';

export interface LogMarginal {
  readonly value: number;
  /** By the logarithms of the hyperparameters. */
  readonly gradient: Float64Array;
}

/** log p(y | X, theta) of a zero-mean Gaussian process: Rasmussen & Williams 2006, Eq. 2.30 and 5.9. */
export class MarginalLikelihood {
  private readonly n: number;
  /** u_a.u_b, which no hyperparameter changes. */
  private discrete: Float64Array | null = null;

  /** `inputs` n x P, as `modelInputs` makes them; `y` n, standardised. */
  constructor(
    private readonly linalg: LinearAlgebra,
    private readonly shape: KernelShape,
    private readonly inputs: Float64Array,
    private readonly y: Float64Array,
  ) {
    this.n = y.length;
  }

  evaluate(theta: ArrayLike<number>): LogMarginal {
    const { linalg, shape, n, y } = this;
    const hyper = hyperparametersOf(shape, theta);
    const parts = takeApart(shape, hyper, this.inputs);
    const scaledOnly = { ...shape, discrete: this.discrete ? [] : shape.discrete };
    const products = innerProducts(scaledOnly, parts, parts, { scaled: linalg, discrete: linalg });
    this.discrete ??= products.discrete;
    const { k, radial } = covariances(shape, hyper, parts, parts, { ...products, discrete: this.discrete });

    const l = factorWithNoise(linalg, k, n, hyper.noise);
    const alpha = linalg.solveCholesky(l, n, y);
    const inverse = linalg.invertCholesky(l, n);

    let fit = 0;
    for (let i = 0; i < n; i++) fit += y[i]! * alpha[i]!;
    const value = -0.5 * (fit + linalg.logDeterminant(l, n) + n * portableLog(2 * Math.PI));

    // d/dt = 1/2 tr(A dK/dt), A = alpha alpha' - K^-1; W = A k, element by element
    const w = new Float64Array(n * n);
    const rowSums = new Float64Array(n);
    let byVariance = 0;
    let byOffset = 0;
    let byNoise = 0;
    for (let i = 0, at = 0; i < n; i++) {
      for (let j = 0; j < n; j++, at++) {
        const a = alpha[i]! * alpha[j]! - inverse[at]!;
        w[at] = a * k[at]!;
        rowSums[i]! += w[at]!;
        byOffset += a * radial[at]!;
        if (i === j) byNoise += a;
      }
      byVariance += rowSums[i]!;
    }
    const gradient = [byVariance / 2, ...this.byScales(parts.scaled, w, rowSums)];
    if (shape.groups > 0) gradient.push((byOffset * hyper.offset) / 2);
    gradient.push((byNoise * hyper.noise) / 2);
    return { value, gradient: Float64Array.from(gradient) };
  }

  /** 1/2 sum_ab W_ab (x_aj - x_bj)^2 / l_j^2 = sum_a W_a. x_aj^2 - x_.j' W x_.j, x over the length scales. */
  private byScales(scaled: Float64Array, w: Float64Array, rowSums: Float64Array): number[] {
    const { n, shape } = this;
    const c = shape.continuous.length;
    if (c === 0) return [];
    const transposed = new Float64Array(c * n);
    for (let i = 0; i < n; i++) for (let j = 0; j < c; j++) transposed[j * n + i] = scaled[i * c + j]!;
    const wx = this.linalg.multiplyTransposed(transposed, w, c, n, n); // W is symmetric
    const sums = Array<number>(c).fill(0);
    for (let j = 0; j < c; j++) {
      for (let i = 0; i < n; i++) {
        const x = transposed[j * n + i]!;
        sums[j]! += x * (rowSums[i]! * x - wx[j * n + i]!);
      }
    }
    return shape.ard ? sums : [sums.reduce((a, b) => a + b, 0)];
  }
}

/** Cholesky factor of k + noise I. Where rounding leaves none, the diagonal gets 1e-8 of its mean more, then tenfold. */
export function factorWithNoise(
  linalg: LinearAlgebra,
  k: Float64Array,
  n: number,
  noise: number,
): Float64Array {
  let mean = 0;
  for (let i = 0; i < n; i++) mean += k[i * n + i]! / n;
  const noisy = k.slice();
  let extra = 0;
  for (let attempt = 0; ; attempt++) {
    for (let i = 0; i < n; i++) noisy[i * n + i] = k[i * n + i]! + noise + extra;
    try {
      return linalg.cholesky(noisy, n);
    } catch (error) {
      if (!(error instanceof NotPositiveDefiniteError) || attempt === 6) throw error;
      extra = mean * 1e-8 * portablePower(10, attempt);
    }
  }
}

/** Hyperparameters on their way up the likelihood, as plain data. */
export interface HyperparameterFit {
  /** Logarithms, in the order of `hyperparametersOf`. */
  readonly theta: Float64Array;
  readonly firstMoment: Float64Array;
  readonly secondMoment: Float64Array;
}

export function startFit(shape: KernelShape): HyperparameterFit {
  const { start } = thetaBounds(shape);
  return {
    theta: start,
    firstMoment: new Float64Array(start.length),
    secondMoment: new Float64Array(start.length),
  };
}

/** Step t = 1, 2, ... of Adam (Kingma & Ba 2015) on the likelihood of a row, within `thetaBounds`. */
export function stepFit(
  likelihood: MarginalLikelihood,
  shape: KernelShape,
  fit: HyperparameterFit,
  rows: number,
  t: number,
  rate: number,
): HyperparameterFit {
  const { lower, upper } = thetaBounds(shape);
  const { gradient } = likelihood.evaluate(fit.theta);
  const firstMoment = fit.firstMoment.map((m, i) => 0.9 * m + 0.1 * (gradient[i]! / rows));
  const secondMoment = fit.secondMoment.map((s, i) => 0.99 * s + 0.01 * (gradient[i]! / rows) ** 2);
  const [left, leftOfSquares] = [1 - portablePower(0.9, t), 1 - portablePower(0.99, t)];
  const theta = fit.theta.map((value, i) => {
    const first = firstMoment[i]! / left;
    const second = secondMoment[i]! / leftOfSquares;
    const moved = value + (rate * first) / (Math.sqrt(second) + 1e-8);
    return Math.max(lower[i]!, Math.min(upper[i]!, moved));
  });
  return { theta, firstMoment, secondMoment };
}
