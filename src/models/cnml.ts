/**
 * Conditional normalised maximum likelihood (Eq. 2) of a model that is linear in its features, solved exactly: the
 * slow definition that faster read-outs are held to.
 *
 *     theta   = argmin  sum_i loss(phi_i . theta, bin_i) + ridge/2 |theta|^2       convex, by damped Newton
 *     theta_k = the same with one more row, (query, k)
 *     p_nml(k) = own_k / sum own,   own_k = p(k | query, theta_k),   gamma = log sum own
 *
 * loss is the cross entropy of the thermometer label (discretizedLogistic.ts), as in §4.2, not -log p(k).
 */
import {
  ArgumentError,
  NotFiniteError,
  requireCount,
  requireFinite,
  requireLength,
} from '../numeric/errors.js';
import { type LinearAlgebra, NotPositiveDefiniteError } from '../numeric/linalg.js';
import {
  expected,
  type Head,
  loss,
  lossCurvature,
  lossSlope,
  ownProbability,
  requireBins,
  requireHead,
} from './discretizedLogistic.js';

export interface LinearFitOptions {
  readonly head: Head;
  /** >= 0, on every coefficient. At 0 a fit that the data leave open, as separable data do, is an `ArgumentError`. */
  readonly ridge: number;
  /** Highest bin of each row, for censored labels; `labels` then holds the lowest. Default `labels`. */
  readonly highs?: ArrayLike<number> | undefined;
}

export interface LinearFit {
  readonly head: Head;
  readonly ridge: number;
  readonly rows: number;
  readonly columns: number;
  /** N x p, row major. */
  readonly phi: Float64Array;
  readonly lows: Int32Array;
  readonly highs: Int32Array;
  /** p coefficients. */
  readonly theta: Float64Array;
  /** phi theta, N. */
  readonly mu: Float64Array;
}

export interface Cnml {
  /** Output at the query of the model fitted to label k, K. */
  readonly mu: Float64Array;
  /** Probability that model gives to its own label, K. */
  readonly own: Float64Array;
  /** own / sum own, K (Eq. 2). */
  readonly pnml: Float64Array;
  /** Individual regret, log sum own (§4.3). */
  readonly gamma: number;
}

/** `phi` N x p, `labels` N bins. Throws `ShapeError`, `NotFiniteError`, `ArgumentError`. */
export function fitLinear(
  linalg: LinearAlgebra,
  phi: Float64Array,
  rows: number,
  columns: number,
  labels: ArrayLike<number>,
  options: LinearFitOptions,
): LinearFit {
  const { head, ridge, highs = labels } = options;
  requireHead(head);
  if (!(ridge >= 0 && ridge < Number.POSITIVE_INFINITY)) {
    throw new ArgumentError('ridge', `ridge is ${ridge}; expected a number >= 0`);
  }
  requireCount('rows', rows);
  requireCount('columns', columns);
  requireLength('phi', phi, rows * columns);
  requireFinite('phi', phi);
  requireLength('labels', labels, rows);
  requireLength('highs', highs, rows);
  for (let i = 0; i < rows; i++) requireRowBins(head.bins, labels[i], highs[i], i);
  const problem: Problem = {
    ...{ head, ridge, rows, columns, phi },
    lows: Int32Array.from(labels),
    highs: Int32Array.from(highs),
  };
  const theta = minimize(linalg, problem, new Float64Array(columns));
  return { ...problem, theta, mu: outputs(problem, theta) };
}

function requireRowBins(bins: number, low: number, high: number, row: number): void {
  try {
    requireBins(bins, low, high);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause;
    throw new ArgumentError('labels', `row ${row} of labels: ${reason}`);
  }
}

/** Fits every label of `query` (p numbers) to the end, each fit started from the one before. */
export function exactCnml(linalg: LinearAlgebra, fit: LinearFit, query: ArrayLike<number>): Cnml {
  const { head, rows, columns, phi, lows, highs } = fit;
  requireLength('query', query, columns);
  requireFinite('query', query);
  const augmented = {
    ...fit,
    rows: rows + 1,
    phi: new Float64Array((rows + 1) * columns),
    lows: new Int32Array(rows + 1),
    highs: new Int32Array(rows + 1),
  };
  augmented.phi.set(phi);
  augmented.phi.set(Float64Array.from(query), rows * columns);
  augmented.lows.set(lows);
  augmented.highs.set(highs);
  const mu = new Float64Array(head.bins);
  let theta = fit.theta;
  for (let k = 0; k < head.bins; k++) {
    augmented.lows[rows] = k;
    augmented.highs[rows] = k;
    theta = minimize(linalg, augmented, theta); // theta_k, Eq. 2
    mu[k] = outputs(augmented, theta)[rows];
  }
  return normalize(head, mu);
}

/** Eq. 2 from the outputs of the K models at the query. */
export function normalize(head: Head, mu: Float64Array): Cnml {
  requireLength('mu', mu, head.bins);
  const own = mu.map((m, k) => ownProbability(head, m, k));
  const total = own.reduce((sum, p) => sum + p, 0);
  return { mu, own, pnml: own.map((p) => p / total), gamma: Math.log(total) };
}

/** max over labels y of |E_pnml[g] - E_p(. | theta_y)[g]|, for a value `g` of each bin (§4.3, Definition). */
export function functionalRegret(head: Head, { mu, pnml }: Cnml, g: ArrayLike<number>): number {
  requireLength('g', g, head.bins);
  const mean = pnml.reduce((sum, p, k) => sum + p * g[k], 0);
  return mu.reduce((worst, m) => Math.max(worst, Math.abs(mean - expected(head, m, g))), 0);
}

interface Problem {
  readonly head: Head;
  readonly ridge: number;
  readonly rows: number;
  readonly columns: number;
  readonly phi: Float64Array;
  readonly lows: Int32Array;
  readonly highs: Int32Array;
}

/** phi theta, N. */
function outputs({ rows, columns, phi }: Problem, theta: Float64Array): Float64Array {
  const mu = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    let sum = 0;
    for (let j = 0; j < columns; j++) sum += phi[i * columns + j] * theta[j];
    mu[i] = sum;
  }
  return mu;
}

function objective({ head, ridge, lows, highs }: Problem, theta: Float64Array, mu: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < mu.length; i++) sum += loss(head, mu[i], lows[i], highs[i]);
  return sum + 0.5 * ridge * dot(theta, theta);
}

function gradient(problem: Problem, theta: Float64Array, mu: Float64Array): Float64Array {
  const { head, ridge, rows, columns, phi, lows, highs } = problem;
  const g = theta.map((t) => ridge * t);
  for (let i = 0; i < rows; i++) {
    const slope = lossSlope(head, mu[i], lows[i], highs[i]);
    for (let j = 0; j < columns; j++) g[j] += slope * phi[i * columns + j];
  }
  return g;
}

/** sum_i curvature_i phi_i phi_i' + ridge I, p x p. */
export function hessian(linalg: LinearAlgebra, problem: Problem, mu: Float64Array): Float64Array {
  const { head, ridge, rows, columns, phi, lows, highs } = problem;
  const scaled = new Float64Array(columns * rows); // transposed, row i times the root of its curvature
  for (let i = 0; i < rows; i++) {
    const root = Math.sqrt(lossCurvature(head, mu[i], lows[i], highs[i]));
    for (let j = 0; j < columns; j++) scaled[j * rows + i] = root * phi[i * columns + j];
  }
  const h = linalg.multiplyTransposed(scaled, scaled, columns, columns, rows);
  for (let j = 0; j < columns; j++) h[j * columns + j] += ridge;
  return h;
}

const GRADIENT_NORM = 1e-11;
/** Of s; on separable data without ridge the gradient vanishes while every step still moves outputs by about s. */
const LARGEST_MOVE = 1e-6;
const MOST_STEPS = 200;

/** theta where the gradient's norm is below 1e-11, or below its own rounding error where that is larger. */
function minimize(linalg: LinearAlgebra, problem: Problem, start: Float64Array): Float64Array {
  const { head, ridge, columns } = problem;
  const tolerance = Math.max(GRADIENT_NORM, Number.EPSILON * gradientScale(problem));
  let theta = start;
  let mu = outputs(problem, theta);
  let value = objective(problem, theta, mu);
  for (let step = 0; step < MOST_STEPS; step++) {
    const g = gradient(problem, theta, mu);
    const direction = newtonDirection(linalg, hessian(linalg, problem, mu), columns, g);
    if (!direction) break;
    const move = outputs(problem, direction);
    const isSettled = move.every((m) => Math.abs(m) <= LARGEST_MOVE * head.scale);
    if (isSettled && Math.sqrt(dot(g, g)) <= tolerance) return theta;
    const decrease = dot(g, direction);
    for (let factor = 1; ; factor /= 2) {
      const next = theta.map((t, j) => t + factor * direction[j]);
      const nextMu = outputs(problem, next);
      const nextValue = objective(problem, next, nextMu);
      // 1e-4: Armijo; near the optimum the decrease drowns in the rounding of the objective
      const slack = 4 * Number.EPSILON * (1 + Math.abs(value));
      if (nextValue <= value + 1e-4 * factor * decrease + slack || factor < 1e-12) {
        [theta, mu, value] = [next, nextMu, nextValue];
        break;
      }
    }
  }
  if (ridge === 0) {
    throw new ArgumentError('ridge', 'ridge is 0 and the data leave the fit open; a ridge above 0 closes it');
  }
  throw new NotFiniteError('phi', `the fit to phi does not settle in ${MOST_STEPS} Newton steps; scale phi`);
}

/** -H^-1 g; nothing where H is singular. */
function newtonDirection(
  linalg: LinearAlgebra,
  h: Float64Array,
  columns: number,
  g: Float64Array,
): Float64Array | undefined {
  try {
    return linalg.solveCholesky(
      linalg.cholesky(h, columns),
      columns,
      g.map((v) => -v),
    );
  } catch (error) {
    if (error instanceof NotPositiveDefiniteError) return undefined;
    throw error;
  }
}

/** sum_i |phi_i| / s, the largest norm the gradient can have. */
function gradientScale({ head, rows, columns, phi }: Problem): number {
  let sum = 0;
  for (let i = 0; i < rows; i++) {
    const row = phi.subarray(i * columns, (i + 1) * columns);
    sum += Math.sqrt(dot(row, row));
  }
  return sum / head.scale;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
