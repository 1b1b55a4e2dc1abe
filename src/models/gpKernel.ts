/**
 * The kernel of a Gaussian process over the inputs of an encoding: x continuous parameters, u the softened one-hots of
 * G columns of classes.
 *
 *   k(a, b) = v exp(-1/2 sum_j (x_aj - x_bj)^2 / l_j^2) (o + u_a.u_b / G)
 *
 * Rasmussen & Williams 2006, Eq. 4.9 and 4.24; a factor that has no inputs is left out. Mixed inputs take the product:
 * the effect of a number may then be another one for every class. Alone, the inner product is Bayesian linear
 * regression on the one-hots.
 */
import type { LinearAlgebra } from '../numeric/linalg.js';
import { portableExp, portableLog } from '../numeric/portable.js';
import type { Encoding } from '../search/encoding.js';

/** Which inputs are what. */
export interface KernelShape {
  /** P. */
  readonly inputs: number;
  readonly continuous: readonly number[];
  readonly discrete: readonly number[];
  /** G, columns of classes. */
  readonly groups: number;
  /** A length scale for every continuous parameter, not one for all. */
  readonly ard: boolean;
}

export function kernelShape({ blocks, parameters }: Encoding, ard: boolean): KernelShape {
  const continuous: number[] = [];
  const discrete: number[] = [];
  let groups = 0;
  for (const { from, count, classes } of blocks) {
    for (let i = from; i < from + count; i++) (classes === 0 ? continuous : discrete).push(i);
    if (classes > 0) groups += count / classes;
  }
  return { inputs: parameters, continuous, discrete, groups, ard };
}

export interface Hyperparameters {
  /** v. */
  readonly variance: number;
  /** l, one for every continuous parameter. */
  readonly lengthscales: Float64Array;
  /** o. */
  readonly offset: number;
  /** Variance of the noise on a score. */
  readonly noise: number;
}

/** How many length scales are free. */
function scaleCount({ continuous, ard }: KernelShape): number {
  return ard ? continuous.length : Math.min(1, continuous.length);
}

/** Hyperparameters of their logarithms in the order v, l..., o (if there are classes), noise. */
export function hyperparametersOf(shape: KernelShape, theta: ArrayLike<number>): Hyperparameters {
  const scales = scaleCount(shape);
  const at = (i: number) => portableExp(theta[i]!);
  return {
    variance: at(0),
    lengthscales: Float64Array.from(shape.continuous, (_, j) => at(1 + (shape.ard ? j : 0))),
    offset: shape.groups > 0 ? at(1 + scales) : 0,
    noise: at(theta.length - 1),
  };
}

/** Where a fit begins, and how far it may go, as logarithms: for inputs and scores of standard deviation 1. */
export function thetaBounds(shape: KernelShape): Record<'start' | 'lower' | 'upper', Float64Array> {
  const unit = Math.sqrt(Math.max(1, shape.continuous.length)); // so that the distance of two rows is about 1
  const rows = [
    [1, 1e-2, 1e2],
    ...Array.from({ length: scaleCount(shape) }, () => [unit, unit / 100, unit * 100]),
    ...(shape.groups > 0 ? [[0.1, 1e-3, 10]] : []),
    [0.1, 1e-5, 10],
  ];
  const column = (i: number) => Float64Array.from(rows, (row) => portableLog(row[i]!));
  return { start: column(0), lower: column(1), upper: column(2) };
}

/** Inputs taken apart, n rows each. */
export interface KernelInputs {
  readonly count: number;
  /** x / l. */
  readonly scaled: Float64Array;
  /** Sum of squares of `scaled`, by row. */
  readonly squares: Float64Array;
  readonly discrete: Float64Array;
}

/** `inputs` n x P, as `modelInputs` makes them. */
export function takeApart(
  shape: KernelShape,
  { lengthscales }: Hyperparameters,
  inputs: ArrayLike<number>,
): KernelInputs {
  const { inputs: P, continuous, discrete } = shape;
  const count = inputs.length / P;
  const scaled = new Float64Array(count * continuous.length);
  const squares = new Float64Array(count);
  const classes = new Float64Array(count * discrete.length);
  for (let i = 0, at = 0, to = 0; i < count; i++) {
    for (let j = 0; j < continuous.length; j++) {
      const value = inputs[i * P + continuous[j]!]! / lengthscales[j]!;
      scaled[at++] = value;
      squares[i]! += value * value;
    }
    for (const j of discrete) classes[to++] = inputs[i * P + j]!;
  }
  return { count, scaled, squares, discrete: classes };
}

/** k(a, b) of all pairs, n x m, and v exp(...) alone, which the slopes of the inner product need. */
export interface Covariances {
  readonly k: Float64Array;
  readonly radial: Float64Array;
}

/** `products`: x_a.x_b over the length scales, and u_a.u_b, for the pairs. */
export function covariances(
  shape: KernelShape,
  { variance, offset }: Hyperparameters,
  a: KernelInputs,
  b: KernelInputs,
  products: { readonly scaled: Float64Array | null; readonly discrete: Float64Array | null },
): Covariances {
  const k = new Float64Array(a.count * b.count);
  const radial = products.discrete ? new Float64Array(k.length) : k;
  for (let i = 0, at = 0; i < a.count; i++) {
    for (let j = 0; j < b.count; j++, at++) {
      // rounding may leave a distance a little below 0
      const distance = products.scaled
        ? Math.max(0, a.squares[i]! + b.squares[j]! - 2 * products.scaled[at]!)
        : 0;
      const value = distance === 0 ? variance : variance * portableExp(-0.5 * distance);
      radial[at] = value;
      if (products.discrete) k[at] = value * (offset + products.discrete[at]! / shape.groups);
    }
  }
  return { k, radial };
}

/** x_a.x_b and u_a.u_b; `keeper`s may hold a's matrices. */
export function innerProducts(
  shape: KernelShape,
  a: KernelInputs,
  b: KernelInputs,
  linalg: { readonly scaled: LinearAlgebra; readonly discrete: LinearAlgebra },
): { scaled: Float64Array | null; discrete: Float64Array | null } {
  const c = shape.continuous.length;
  const u = shape.discrete.length;
  return {
    scaled: c > 0 ? linalg.scaled.multiplyTransposed(a.scaled, b.scaled, a.count, b.count, c) : null,
    discrete: u > 0 ? linalg.discrete.multiplyTransposed(a.discrete, b.discrete, a.count, b.count, u) : null,
  };
}

/** k(a, a), row by row. */
export function ownCovariances(
  shape: KernelShape,
  { variance, offset }: Hyperparameters,
  { count, discrete }: KernelInputs,
): Float64Array {
  const u = shape.discrete.length;
  return Float64Array.from({ length: count }, (_, i) => {
    if (u === 0) return variance;
    let sum = 0;
    for (let at = i * u; at < (i + 1) * u; at++) sum += discrete[at]! ** 2;
    return variance * (offset + sum / shape.groups);
  });
}
