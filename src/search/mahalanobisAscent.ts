/**
 * Steepest ascent where distance is Mahalanobis' of the data: of all steps of one length the one that rises most,
 *   x <- x + alpha sqrt(R) C g / sqrt(g' C g),   C the covariance of the data's parameters, R its rank at most.
 * Rows of the data lie about sqrt(R) from their mean, so that alpha is a share of that. Columns that go together in the data
 * are moved together, and what never varied stays.
 */

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
      const least = ROUNDING * Math.max(...this.covariance);
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
      const square = dot(direction, 0, g, P);
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
      : g.map((_, i) => dot(covariance, i * P, g, P));
  }
}

/** a[from], a[from + 1], ... times b. */
function dot(a: Float64Array, from: number, b: Float64Array, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += a[from + i]! * b[i]!;
  return sum;
}

function means(parameters: Float64Array, P: number): Float64Array {
  const n = parameters.length / P;
  const mean = new Float64Array(P);
  for (let at = 0; at < parameters.length; at += P) {
    for (let j = 0; j < P; j++) mean[j]! += parameters[at + j]! / n;
  }
  return mean;
}

/** Minus their mean, over the root of their number. */
function centred(parameters: Float64Array, P: number): Float64Array {
  const mean = means(parameters, P);
  const root = Math.sqrt(parameters.length / P);
  return parameters.map((value, i) => (value - mean[i % P]!) / root);
}

/** The diagonal of `gram(centred(...))`, without a second copy of a wide table. */
function variances(parameters: Float64Array, P: number): Float64Array {
  const mean = means(parameters, P);
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
