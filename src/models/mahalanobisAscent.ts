/**
 * Steepest ascent where distance is Mahalanobis' of the data: of all steps of one length the one that rises most,
 *   x <- x + alpha sqrt(R) C g / sqrt(g' C g),   C the covariance of the data's parameters, R its rank at most.
 * Rows of the data lie about sqrt(R) from their mean, so that alpha is a share of that. Columns that go together in the data
 * are moved together, and what never varied stays.
 */
import { someRows } from './crossFit.js';

/** Beyond this many parameters C is that of some of the rows, and is kept as these. */
const MOST_PARAMETERS = 512;
const MOST_ROWS = 256;

export class MahalanobisAscent {
  /** R, the rank of C at most. */
  private readonly rank: number;
  /** C itself, P x P; or F, R x P, with C = F' F. */
  private readonly covariance: Float64Array | null;
  private readonly factor: Float64Array | null;

  /** `parameters`: of the data, N x P. */
  constructor(
    parameters: Float64Array,
    private readonly P: number,
  ) {
    const isSmall = P <= MOST_PARAMETERS;
    const rows = centred(isSmall ? parameters : evenly(parameters, P, MOST_ROWS), P);
    this.rank = Math.min(P, rows.length / P);
    this.covariance = isSmall ? gram(rows, P) : null;
    this.factor = isSmall ? null : rows;
  }

  /** Designs (M x P) one step up `slopes` (M x P). Where the slope is flat along the data, a design stays. */
  step(designs: ArrayLike<number>, slopes: ArrayLike<number>, rate: number): Float64Array {
    const { P } = this;
    const climbed = Float64Array.from(designs);
    for (let at = 0; at < climbed.length; at += P) {
      const g = Float64Array.from({ length: P }, (_, i) => slopes[at + i]!);
      const direction = this.times(g);
      const square = dot(direction, 0, g, P);
      if (!(square > 0)) continue;
      const factor = rate * Math.sqrt(this.rank / square);
      for (let i = 0; i < P; i++) climbed[at + i]! += factor * direction[i]!;
    }
    return climbed;
  }

  /** C g. */
  private times(g: Float64Array): Float64Array {
    const { P, covariance, factor } = this;
    const product = new Float64Array(P);
    if (covariance) {
      for (let i = 0; i < P; i++) product[i] = dot(covariance, i * P, g, P);
      return product;
    }
    for (let at = 0; factor && at < factor.length; at += P) {
      const along = dot(factor, at, g, P);
      for (let i = 0; i < P; i++) product[i]! += along * factor[at + i]!;
    }
    return product;
  }
}

/** a[from], a[from + 1], ... times b. */
function dot(a: Float64Array, from: number, b: Float64Array, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += a[from + i]! * b[i]!;
  return sum;
}

function evenly(parameters: Float64Array, P: number, most: number): Float64Array {
  const N = parameters.length / P;
  const n = Math.min(N, most);
  const chosen = Array.from({ length: n }, (_, i) => Math.floor((i * N) / n));
  return someRows(parameters, P, chosen);
}

/** Minus their mean, over the root of their number. */
function centred(parameters: Float64Array, P: number): Float64Array {
  const n = parameters.length / P;
  const mean = new Float64Array(P);
  parameters.forEach((value, i) => {
    mean[i % P]! += value / n;
  });
  return parameters.map((value, i) => (value - mean[i % P]!) / Math.sqrt(n));
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
