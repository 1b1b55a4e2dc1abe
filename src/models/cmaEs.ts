/**
 * CMA-ES, the evolution strategy with covariance matrix adaptation: (mu/mu_w, lambda) with cumulation, rank-one and
 * rank-mu updates, as in Hansen, "The CMA Evolution Strategy: A Tutorial" (arXiv 1604.00772), Fig. 6 and Table 1, with
 * positive weights alone. The separable variant (Ros & Hansen 2008) adapts variances only, at O(n) instead of O(n^3) a
 * generation, and learns them (n + 2) / 3 times as fast. Values are maximised.
 *
 *   m mean   sigma step size   C covariance   p_c, p_s evolution paths   y = (x - m) / sigma
 */

import { symmetricEigen } from '../numeric/eigen.js';
import { requireCount, requireFinite, requireLength, requireOption } from '../numeric/errors.js';
import { portableExp, portableLog, portablePower } from '../numeric/portable.js';
import type { Stream } from '../numeric/random.js';
import { rowOf } from '../numeric/rows.js';
import { argsort } from '../numeric/stats.js';

/** Plain data of one run. */
export interface CmaEsState {
  readonly generation: number;
  /** n. */
  readonly mean: Float64Array;
  readonly sigma: number;
  /** p_c and p_s, n. */
  readonly path: Float64Array;
  readonly sigmaPath: Float64Array;
  /** C, n x n; its diagonal, n, in the separable variant. */
  readonly covariance: Float64Array;
}

/** What depends on n and lambda alone (Table 1). */
export interface CmaEsSettings {
  readonly n: number;
  readonly lambda: number;
  /** Of the best mu, from the best; they sum to 1. */
  readonly weights: Float64Array;
  readonly mueff: number;
  readonly cs: number;
  readonly ds: number;
  readonly cc: number;
  readonly c1: number;
  readonly cmu: number;
  /** About the expected length of a standard normal vector. */
  readonly chi: number;
  readonly isSeparable: boolean;
}

/** The step size is not let beyond: a slope without end would take designs out of all numbers. */
const MOST_SIGMA = 1e6;
/** Least eigenvalue of C, of the greatest. */
const LEAST_RATIO = 1e-14;

/** lambda: 4 + floor(3 ln n). */
export function usualPopulation(n: number): number {
  return 4 + Math.floor(3 * portableLog(n));
}

export function cmaEsSettings(
  n: number,
  { lambda = usualPopulation(n), isSeparable = false }: { lambda?: number; isSeparable?: boolean } = {},
): CmaEsSettings {
  requireCount('n', n);
  requireOption('lambda', lambda, Number.isSafeInteger(lambda) && lambda >= 4, 'a whole number >= 4');
  const mu = Math.floor(lambda / 2);
  const raw = Float64Array.from({ length: mu }, (_, i) => portableLog((lambda + 1) / 2) - portableLog(i + 1));
  const total = raw.reduce((sum, w) => sum + w, 0);
  const weights = raw.map((w) => w / total);
  const mueff = 1 / weights.reduce((sum, w) => sum + w * w, 0);
  const cs = (mueff + 2) / (n + mueff + 5);
  const faster = isSeparable ? (n + 2) / 3 : 1;
  const c1 = Math.min(1, (faster * 2) / ((n + 1.3) ** 2 + mueff));
  const cmu = Math.min(1 - c1, (faster * 2 * (mueff - 2 + 1 / mueff)) / ((n + 2) ** 2 + mueff));
  return {
    n,
    lambda,
    weights,
    mueff,
    cs,
    ds: 1 + 2 * Math.max(0, Math.sqrt((mueff - 1) / (n + 1)) - 1) + cs,
    cc: (4 + mueff / n) / (n + 4 + (2 * mueff) / n),
    c1,
    cmu,
    chi: Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)),
    isSeparable,
  };
}

/** C = I, no path. */
export function startCmaEs(
  mean: ArrayLike<number>,
  sigma: number,
  { n, isSeparable }: CmaEsSettings,
): CmaEsState {
  requireLength('mean', mean, n);
  requireFinite('mean', mean);
  requireOption('sigma', sigma, sigma > 0 && sigma <= MOST_SIGMA, 'a number above 0');
  const covariance = new Float64Array(isSeparable ? n : n * n);
  for (let i = 0; i < n; i++) covariance[isSeparable ? i : i * n + i] = 1;
  return {
    generation: 0,
    mean: Float64Array.from(mean),
    sigma,
    path: new Float64Array(n),
    sigmaPath: new Float64Array(n),
    covariance,
  };
}

/** A generation that was drawn and has yet to be judged. */
export interface Offspring {
  /** lambda x n. */
  readonly x: Float64Array;
  /** Standard normals z of C^-1/2 y = B z, where y = B D z. */
  readonly z: Float64Array;
  /** Roots of the eigenvalues, D. */
  readonly scales: Float64Array;
  /** Eigenvectors in rows, B'; null: the axes themselves. */
  readonly axes: Float64Array | null;
}

export function drawOffspring(state: CmaEsState, settings: CmaEsSettings, stream: Stream): Offspring {
  const { n, lambda, isSeparable } = settings;
  const { mean, sigma, covariance } = state;
  const z = new Float64Array(lambda * n);
  stream.fillNormal(z, 0, 1);
  const eigen = isSeparable ? null : symmetricEigen(covariance, n);
  const squares = eigen?.values ?? covariance;
  const least = LEAST_RATIO * squares.reduce((most, v) => Math.max(most, v), 0);
  const scales = squares.map((v) => Math.sqrt(Math.max(least, v)));
  const axes = eigen?.vectors ?? null;
  const x = new Float64Array(lambda * n);
  for (let k = 0; k < lambda; k++) {
    const row = rowOf(x, n, k);
    turn(axes, rowOf(z, n, k), scales, row);
    for (let i = 0; i < n; i++) row[i] = mean[i]! + sigma * row[i]!;
  }
  return { x, z, scales, axes };
}

/** The state after a generation. `values`: of each of its lambda designs, larger is better. */
export function nextGeneration(
  state: CmaEsState,
  settings: CmaEsSettings,
  { x, z, scales, axes }: Offspring,
  values: ArrayLike<number>,
): CmaEsState {
  const { n, lambda, weights, mueff, cs, ds, cc, c1, cmu, chi, isSeparable } = settings;
  requireLength('values', values, lambda);
  requireFinite('values', values);
  const best = argsort(values, 'descending').subarray(0, weights.length);
  const mean = new Float64Array(n);
  const normal = new Float64Array(n); // sum w z
  best.forEach((k, rank) => {
    for (let i = 0; i < n; i++) {
      mean[i]! += weights[rank]! * x[k * n + i]!;
      normal[i]! += weights[rank]! * z[k * n + i]!;
    }
  });
  // Eq. 43: p_s, with C^-1/2 (m' - m) / sigma = B sum w z
  const whitened = new Float64Array(n);
  turn(axes, normal, null, whitened);
  const sigmaPath = state.sigmaPath.map(
    (p, i) => (1 - cs) * p + Math.sqrt(cs * (2 - cs) * mueff) * whitened[i]!,
  );
  const length = Math.sqrt(sigmaPath.reduce((sum, p) => sum + p * p, 0));
  // Eq. 44
  const sigma = Math.min(MOST_SIGMA, state.sigma * portableExp(Math.min(1, (cs / ds) * (length / chi - 1))));
  const generation = state.generation + 1;
  const isSteady = length / Math.sqrt(1 - portablePower(1 - cs, 2 * generation)) < (1.4 + 2 / (n + 1)) * chi;
  // Eq. 45
  const onward = isSteady ? Math.sqrt(cc * (2 - cc) * mueff) / state.sigma : 0;
  const path = state.path.map((p, i) => (1 - cc) * p + onward * (mean[i]! - state.mean[i]!));
  // Eq. 47
  const kept = 1 - c1 - cmu + (isSteady ? 0 : c1 * cc * (2 - cc));
  const covariance = state.covariance.map((c) => kept * c);
  addSquare(covariance, path, c1, n, isSeparable);
  const y = new Float64Array(n);
  best.forEach((k, rank) => {
    turn(axes, rowOf(z, n, k), scales, y);
    addSquare(covariance, y, cmu * weights[rank]!, n, isSeparable);
  });
  return { generation, mean, sigma, path, sigmaPath, covariance };
}

/** B D z, or B z without scales. */
function turn(
  axes: Float64Array | null,
  z: Float64Array,
  scales: Float64Array | null,
  into: Float64Array,
): void {
  const n = z.length;
  if (!axes) {
    for (let i = 0; i < n; i++) into[i] = z[i]! * (scales?.[i] ?? 1);
    return;
  }
  into.fill(0);
  for (let k = 0; k < n; k++) {
    const [length, row] = [z[k]! * (scales?.[k] ?? 1), k * n];
    for (let i = 0; i < n; i++) into[i]! += length * axes[row + i]!;
  }
}

/** C += weight v v'. */
function addSquare(C: Float64Array, v: Float64Array, weight: number, n: number, isDiagonal: boolean): void {
  for (let i = 0; i < n; i++) {
    const part = weight * v[i]!;
    if (isDiagonal) C[i]! += part * v[i]!;
    else for (let j = 0, row = i * n; j < n; j++) C[row + j]! += part * v[j]!;
  }
}
