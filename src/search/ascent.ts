/**
 * Steps of designs uphill, for designs that are plain arrays of parameters (M x P):
 *
 *   plain        x <- x + rate sqrt(P) g                                (Trabucco et al. 2022)
 *   adam         moments for each parameter                             (Kingma & Ba 2015)
 *   mahalanobis  x <- x + rate sqrt(R) C g / sqrt(g' C g)
 *
 * The last is steepest ascent where distance is the Mahalanobis distance of the data: C is the covariance of the data's
 * parameters, R its rank at most. Rows of the data lie about sqrt(R) from their mean, so the rate is a share of that
 * distance. Columns that vary together in the data move together, and columns that never vary stay fixed.
 */
import { adamCorrection, adamMove } from '../numeric/adam.js';
import { dot } from '../numeric/rows.js';
import { largest, median } from '../numeric/stats.js';
import { type Encoding, isAllClasses } from './encoding.js';

/** Designs and Adam's moments, M x P each; the moments stay 0 in plain ascent. */
export interface AscentState {
  readonly designs: Float64Array;
  readonly firstMoment: Float64Array;
  readonly secondMoment: Float64Array;
}

export interface AscentSettings {
  readonly ascent: 'adam' | 'plain';
  /** P, one per parameter. */
  readonly rates: Float64Array;
}

export function startAscent(designs: Float64Array): AscentState {
  return {
    designs: designs.slice(),
    firstMoment: new Float64Array(designs.length),
    secondMoment: new Float64Array(designs.length),
  };
}

/** A copy that can be climbed without changing a saved state. */
export function copyAscent({ designs, firstMoment, secondMoment }: AscentState): AscentState {
  return {
    designs: designs.slice(),
    firstMoment: firstMoment.slice(),
    secondMoment: secondMoment.slice(),
  };
}

/** Step number `t`, from 1, in place. */
export function ascend(
  state: AscentState,
  gradient: ArrayLike<number>,
  t: number,
  { ascent, rates }: AscentSettings,
): void {
  const { designs } = state;
  const P = rates.length;
  if (ascent === 'plain') {
    const root = Math.sqrt(P);
    for (let i = 0; i < designs.length; i++) designs[i]! += rates[i % P]! * root * gradient[i]!;
    return;
  }
  const correction = adamCorrection(t);
  for (let i = 0; i < designs.length; i++)
    designs[i]! += adamMove(state, i, gradient[i]!, correction, rates[i % P]!);
}

/** P rates. 'auto': plain 0.01 for numbers and 0.1 for logits; Adam 0.02, or 0.05 where all columns are classes. */
export function designRatesOf(
  { ascent, designRate }: { readonly ascent: 'adam' | 'plain'; readonly designRate: number | 'auto' },
  { parameters, blocks, space }: Encoding,
): Float64Array {
  const rates = new Float64Array(parameters);
  if (designRate !== 'auto') return rates.fill(designRate);
  if (ascent === 'adam') return rates.fill(isAllClasses(space) ? 0.05 : 0.02);
  for (const { from, count, classes } of blocks) rates.fill(classes > 0 ? 0.1 : 0.01, from, from + count);
  return rates;
}

/** Predicted scores of the designs, and how far they are from where they began (both M x P). */
export function ascentMetrics(
  predicted: Float64Array,
  designs: ArrayLike<number>,
  start: ArrayLike<number>,
): { predictedBest: number; predictedMedian: number; moved: number } {
  return {
    predictedBest: largest(predicted),
    predictedMedian: median(predicted),
    moved: median(distances(designs, start, designs.length / predicted.length)),
  };
}

/** Root mean square distance of each design from where it began, in standard deviations of the columns. */
export function distances(designs: ArrayLike<number>, start: ArrayLike<number>, P: number): Float64Array {
  return Float64Array.from({ length: designs.length / P }, (_, m) => {
    let sum = 0;
    for (let i = m * P; i < (m + 1) * P; i++) sum += (designs[i]! - start[i]!) ** 2;
    return Math.sqrt(sum / P);
  });
}

/** Beyond this many parameters only their variances count: C is diagonal. */
const MOST_PARAMETERS = 512;
/** A variance below this share of the greatest is that of a parameter which never varied. */
const ROUNDING = 1e-12;

export class MahalanobisAscent {
  /** R. */
  private readonly rank: number;
  /** C, P x P; or its diagonal, P. */
  private readonly covariance: Float64Array;

  /** `parameters`: of the data, N x P. */
  constructor(
    parameters: Float64Array,
    private readonly P: number,
  ) {
    if (P > MOST_PARAMETERS) {
      this.covariance = variances(parameters, P);
      const least = ROUNDING * largest(this.covariance);
      this.rank = this.covariance.filter((variance) => variance > least).length;
    } else {
      this.covariance = gram(centred(parameters, P), P);
      this.rank = Math.min(P, parameters.length / P);
    }
  }

  /** Designs (M x P) one step up `slopes` (M x P). Where the slope is flat along the data, a design stays. */
  step(designs: ArrayLike<number>, slopes: ArrayLike<number>, rate: number): Float64Array {
    const { P } = this;
    const climbed = Float64Array.from(designs);
    for (let at = 0; at < climbed.length; at += P) {
      const g = Float64Array.from({ length: P }, (_, i) => slopes[at + i]!);
      const direction = this.times(g);
      const square = dot(direction, g);
      if (!(square > 0)) continue;
      const factor = rate * Math.sqrt(this.rank / square);
      for (let i = 0; i < P; i++) climbed[at + i]! += factor * direction[i]!;
    }
    return climbed;
  }

  /** C g. */
  private times(g: Float64Array): Float64Array {
    const { P, covariance } = this;
    return covariance.length === P
      ? g.map((slope, i) => covariance[i]! * slope)
      : g.map((_, i) => dot(covariance, g, P, i * P));
  }
}

function columnMeans(parameters: Float64Array, P: number): Float64Array {
  const n = parameters.length / P;
  const mean = new Float64Array(P);
  for (let at = 0; at < parameters.length; at += P) {
    for (let j = 0; j < P; j++) mean[j]! += parameters[at + j]! / n;
  }
  return mean;
}

/** Minus their mean, over the root of their number. */
function centred(parameters: Float64Array, P: number): Float64Array {
  const mean = columnMeans(parameters, P);
  const root = Math.sqrt(parameters.length / P);
  return parameters.map((value, i) => (value - mean[i % P]!) / root);
}

/** The diagonal of `gram(centred(...))`, without a second copy of a wide table. */
function variances(parameters: Float64Array, P: number): Float64Array {
  const mean = columnMeans(parameters, P);
  const root = Math.sqrt(parameters.length / P);
  const sums = new Float64Array(P);
  for (let at = 0; at < parameters.length; at += P) {
    for (let j = 0; j < P; j++) {
      const value = (parameters[at + j]! - mean[j]!) / root;
      sums[j]! += value * value;
    }
  }
  return sums;
}

function gram(rows: Float64Array, P: number): Float64Array {
  const product = new Float64Array(P * P);
  for (let at = 0; at < rows.length; at += P) {
    for (let i = 0; i < P; i++) {
      const value = rows[at + i]!;
      if (value === 0) continue;
      for (let j = 0; j < P; j++) product[i * P + j]! += value * rows[at + j]!;
    }
  }
  return product;
}
