/**
 * Conditional normalised maximum likelihood (Eq. 2) of a model that is linear in its features, solved exactly: the
 * slow definition that faster read-outs are held to.
 *
 *     theta   = argmin  sum_i loss(phi_i . theta, bin_i) + ridge/2 |theta|^2       convex, by damped Newton
 *     theta_k = the same with one more row, (query, k)
 *     p_nml(k) = l_k / sum_j l_j,   l_k = p(k | query, theta_k),   gamma = log sum_j l_j
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
import { portableLog } from '../numeric/portable.js';
import { dot } from '../numeric/rows.js';
import {
  binProbability,
  expected,
  type Head,
  lossDerivatives,
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

/** What is fitted: a linear model of features to bins. */
interface Problem {
  readonly head: Head;
  readonly ridge: number;
  readonly rows: number;
  readonly columns: number;
  /** N x p, row major. */
  readonly phi: Float64Array;
  readonly lows: Int32Array;
  readonly highs: Int32Array;
}

export interface LinearFit extends Problem {
  /** p coefficients. */
  readonly theta: Float64Array;
  /** phi theta, N. */
  readonly mu: Float64Array;
  /** loss'' of each row, N. */
  readonly curvatures: Float64Array;
}

export interface Cnml {
  /** Output at the query of the model fitted to label k, K. */
  readonly mu: Float64Array;
  /** Probability of label k under the fit to D and (query, k), K. */
  readonly likelihoods: Float64Array;
  /** Normalised likelihoods, K (Eq. 2). */
  readonly pnml: Float64Array;
  /** Individual regret, logarithm of the sum of the likelihoods (§4.3). */
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
  const { theta, mu, curvatures } = minimize(linalg, problem, new Float64Array(columns));
  return { ...problem, theta, mu, curvatures };
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
    const fitted = minimize(linalg, augmented, theta); // theta_k, Eq. 2
    theta = fitted.theta;
    mu[k] = fitted.mu[rows];
  }
  return normalize(head, mu);
}

/** Eq. 2 from the outputs of the K models at the query. */
export function normalize(head: Head, mu: Float64Array): Cnml {
  requireLength('mu', mu, head.bins);
  const likelihoods = mu.map((m, k) => binProbability(head, m, k));
  const total = likelihoods.reduce((sum, p) => sum + p, 0);
  return { mu, likelihoods, pnml: likelihoods.map((p) => p / total), gamma: portableLog(total) };
}

/** max over labels y of |E_pnml[g] - E_p(. | theta_y)[g]|, for a value `g` of each bin (§4.3, Definition). */
export function functionalRegret(head: Head, { mu, pnml }: Cnml, g: ArrayLike<number>): number {
  requireLength('g', g, head.bins);
  const mean = pnml.reduce((sum, p, k) => sum + p * g[k], 0);
  return mu.reduce((worst, m) => Math.max(worst, Math.abs(mean - expected(head, m, g))), 0);
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

/** Where the fit stands: outputs, gradient and each row's curvature at theta. */
interface Point {
  readonly theta: Float64Array;
  readonly mu: Float64Array;
  readonly gradient: Float64Array;
  readonly curvatures: Float64Array;
}

function evaluate(problem: Problem, theta: Float64Array): Point {
  const { head, ridge, rows, columns, phi, lows, highs } = problem;
  const mu = outputs(problem, theta);
  const gradient = theta.map((t) => ridge * t);
  const curvatures = new Float64Array(rows);
  const derivatives = new Float64Array(2);
  for (let i = 0; i < rows; i++) {
    lossDerivatives(head, mu[i], lows[i], highs[i], derivatives);
    for (let j = 0; j < columns; j++) gradient[j] += derivatives[0] * phi[i * columns + j];
    curvatures[i] = derivatives[1];
  }
  return { theta, mu, gradient, curvatures };
}

/** sum_i curvature_i phi_i phi_i' + ridge I, p x p. */
export function hessian(
  linalg: LinearAlgebra,
  { ridge, rows, columns, phi }: Problem,
  curvatures: Float64Array,
): Float64Array {
  const scaled = new Float64Array(columns * rows); // transposed, row i times the root of its curvature
  for (let i = 0; i < rows; i++) {
    const root = Math.sqrt(curvatures[i]);
    for (let j = 0; j < columns; j++) scaled[j * rows + i] = root * phi[i * columns + j];
  }
  const h = linalg.multiplyTransposed(scaled, scaled, columns, columns, rows);
  for (let j = 0; j < columns; j++) h[j * columns + j] += ridge;
  return h;
}

const GRADIENT_NORM = 1e-11;
/** Of s; on separable data without ridge the gradient vanishes while every step still moves outputs by about s. */
const SMALL_MOVE = 1e-6;
/** Of the label range, to begin with: a longer step, where all is saturated, ends on a plateau far away. */
const LARGE_MOVE = 2;
const MOST_STEPS = 200;
const MOST_CUTS = 40;

/** The point where the gradient's norm is below 1e-11, or where rounding keeps Newton from making it smaller. */
function minimize(linalg: LinearAlgebra, problem: Problem, start: Float64Array): Point {
  const { head, ridge, columns } = problem;
  let point = evaluate(problem, start);
  let before = Number.POSITIVE_INFINITY;
  let limit = LARGE_MOVE;
  for (let count = 0; count < MOST_STEPS; count++) {
    const step = newtonStep(linalg, hessian(linalg, problem, point.curvatures), columns, point.gradient);
    if (!step) break;
    const norm = Math.sqrt(dot(point.gradient, point.gradient));
    const move = outputs(problem, step).reduce((most, m) => Math.max(most, Math.abs(m)), 0);
    const isSettled = move <= SMALL_MOVE * head.scale;
    if (isSettled && (norm <= GRADIENT_NORM || norm >= 0.5 * before)) return point;
    before = norm;
    const reach = Math.min(1, limit / move);
    const capped = step.map((v) => reach * v);
    const next = moveAlong(problem, point, capped);
    limit = next.isWhole ? 2 * limit : Math.max(LARGE_MOVE, limit / 4);
    point = next.point;
  }
  if (ridge === 0) {
    throw new ArgumentError('ridge', 'ridge is 0 and the data leave the fit open; a ridge above 0 closes it');
  }
  throw new NotFiniteError('phi', `the fit to phi does not settle in ${MOST_STEPS} Newton steps; scale phi`);
}

/**
 * Damped step. The loss is convex: where the slope ahead is above half the slope behind, the whole step goes too far
 * and is shortened until the slope there, either way, is below half.
 */
function moveAlong(
  problem: Problem,
  { theta, gradient }: Point,
  step: Float64Array,
): { point: Point; isWhole: boolean } {
  const behind = -dot(gradient, step);
  let [near, far] = [0, 1];
  let factor = 1;
  for (let cut = 0; ; cut++) {
    const point = evaluate(
      problem,
      theta.map((t, j) => t + factor * step[j]),
    );
    const ahead = dot(point.gradient, step);
    const isShortEnough = factor === 1 ? !(ahead > 0.5 * behind) : Math.abs(ahead) <= 0.5 * behind;
    if (isShortEnough || cut === MOST_CUTS) return { point, isWhole: factor === 1 };
    if (ahead > 0) far = factor;
    else near = factor;
    factor = (near + far) / 2;
  }
}

/** -H^-1 g; nothing where H is singular. */
function newtonStep(
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
