/**
 * Conditional NML (Eq. 2) of a model's last layer, fast: the features phi of the layer below and a 1 for the bias are
 * held fixed, and what cnml.ts solves exactly is solved here in four directions of theta for each query.
 *
 * H^-1 phi, the leverage direction, over-states how far outputs move where they saturate, because the Hessian H
 * vanishes there. The others: F^-1 phi, F half way to a Hessian without saturation; and F^-1 times the gradient these
 * two leave for the lowest and for the highest label. Too few directions under-state gamma: where nearly all outputs
 * are saturated and rows are few for the columns, by up to 0.7 of 1.2 (docs/algorithms/nemo.md).
 */
import { ArgumentError, requireCount, requireFinite, requireLength } from '../numeric/errors.js';
import type { LinearAlgebra } from '../numeric/linalg.js';
import { portableLog } from '../numeric/portable.js';
import { dot, rowOf } from '../numeric/rows.js';
import { argsort } from '../numeric/stats.js';
import { AugmentedLoss, D, factorSmall, type QuerySubspace, type Rows } from './augmentedLoss.js';
import { fitLinear, hessian as hessianOf, type LinearFit, type LinearFitOptions } from './cnml.js';
import { binProbability, type Head, lossCurvature } from './discretizedLogistic.js';
import { type SlopeTable, slopeAt, slopeTable } from './slopeTable.js';

export interface LastLayerOptions extends LinearFitOptions {
  /** Most rows the augmented fits see; more are represented by a weighted choice. Default 256. */
  readonly representatives?: number | undefined;
}

export interface LastLayer {
  readonly linalg: LinearAlgebra;
  readonly fit: LinearFit;
  /** H, the Hessian of the fit, p x p. */
  readonly hessian: Float64Array;
  /** Its Cholesky factor. */
  readonly factor: Float64Array;
  /** Cholesky factor of F, as H but of the mean of each curvature and that of an output of 1/2, geometrically. */
  readonly middleFactor: Float64Array;
  /** Row numbers the augmented fits see, with what each stands for. */
  readonly chosen: Uint32Array;
  readonly weights: Float64Array;
  /** The chosen rows with their tables, for every readout. */
  readonly rows: ChosenRows;
}

export interface Readout {
  /** Output of the model fitted to label k, count x K. */
  readonly mu: Float64Array;
  /** Probability of label k under the fit to D and (query, k), count x K. */
  readonly likelihoods: Float64Array;
  /** Normalised likelihoods, count x K (Eq. 2). */
  readonly pnml: Float64Array;
  /** Individual regret, logarithm of the sum of the likelihoods, count (§4.3). */
  readonly gamma: Float64Array;
  /** Mean over the K models of y_mean (§4.2), count. */
  readonly mean: Float64Array;
  /** Output of the fit itself, count. */
  readonly base: Float64Array;
}

/** `phi` N x p, `labels` N bins; as `fitLinear`. Synchronous, on an opened linear algebra. */
export function fitLastLayer(
  linalg: LinearAlgebra,
  phi: Float64Array,
  rows: number,
  columns: number,
  labels: ArrayLike<number>,
  options: LastLayerOptions,
): LastLayer {
  const { representatives = 256 } = options;
  requireCount('representatives', representatives);
  const fit = fitLinear(linalg, phi, rows, columns, labels, options);
  const hessian = hessianOf(linalg, fit, fit.curvatures);
  const factor = linalg.cholesky(hessian, columns);
  const free = lossCurvature(options.head, 0.5, 0);
  const between = fit.curvatures.map((c) => Math.sqrt(c * free));
  const middleFactor = linalg.cholesky(hessianOf(linalg, fit, between), columns);
  const { chosen, weights } = choose(linalg, fit, middleFactor, representatives);
  return { linalg, fit, hessian, factor, middleFactor, chosen, weights, rows: gather(fit, chosen, weights) };
}

/**
 * Rows with probability half uniform, half in proportion to leverage phi' F^-1 phi, drawn systematically along the
 * order of their outputs from a fixed start, so that saturated and free rows keep their shares; weights 1 / expected
 * count. The same rows give the same choice.
 */
function choose(
  linalg: LinearAlgebra,
  { rows, columns, phi, mu }: LinearFit,
  middleFactor: Float64Array,
  count: number,
): Pick<LastLayer, 'chosen' | 'weights'> {
  if (rows <= count) {
    return {
      chosen: Uint32Array.from({ length: rows }, (_, i) => i),
      weights: new Float64Array(rows).fill(1),
    };
  }
  const z = linalg.solveLower(middleFactor, columns, transpose(phi, rows, columns), rows); // p x N
  const leverage = new Float64Array(rows);
  for (let at = 0; at < z.length; at++) leverage[at % rows] += z[at] * z[at];
  const total = leverage.reduce((sum, h) => sum + h, 0);
  const chosen: number[] = [];
  const weights: number[] = [];
  let next = 0.5;
  let passed = 0;
  for (const i of argsort(mu)) {
    const share = count * (total > 0 ? (0.5 * leverage[i]) / total + 0.5 / rows : 1 / rows);
    passed += share;
    let hits = 0;
    for (; next < passed; next++) hits++;
    if (hits === 0) continue;
    chosen.push(i);
    weights.push(hits / share);
  }
  return { chosen: Uint32Array.from(chosen), weights: Float64Array.from(weights) };
}

/** Queries whose directions are solved for in one call. */
const CHUNK = 256;

/** Approximates `exactCnml` for each of `count` queries, row major. */
export function readout(layer: LastLayer, queries: Float64Array, count: number): Readout {
  const { fit, linalg, middleFactor, rows } = layer;
  requireQueries(fit, queries, count);
  const { head, columns: p } = fit;
  const loss = new AugmentedLoss(head, rows);
  const result = emptyReadout(count, head.bins);
  for (let from = 0; from < count; from += CHUNK) {
    const size = Math.min(CHUNK, count - from);
    const x = queries.subarray(from * p, (from + size) * p);
    const directions = [
      solveRows(linalg, layer.factor, x, size, p),
      solveRows(linalg, middleFactor, x, size, p),
    ];
    for (const rest of leftOver(layer, rows, loss, x, directions)) {
      directions.push(solveRows(linalg, middleFactor, rest, size, p));
    }
    forEachQuery(layer, rows, x, directions, (subspace, q) => {
      loss.open(subspace);
      loss.follow(rowOf(result.mu, head.bins, from + q));
      result.base[from + q] = subspace.mu0;
    });
  }
  return complete(head, rows.table, result);
}

/**
 * The plain leverage form: mu_k solves mu = mu0 - lambda loss_k'(mu), lambda = phi' H^-1 phi. Over-states gamma where
 * outputs saturate; kept to compare with.
 */
export function leverageReadout(layer: LastLayer, queries: Float64Array, count: number): Readout {
  const { fit, linalg, factor } = layer;
  const { table } = layer.rows;
  requireQueries(fit, queries, count);
  const { columns: p, head } = fit;
  const { bins: K, scale: s } = head;
  const v = solveRows(linalg, factor, queries, count, p);
  const result = emptyReadout(count, K);
  for (let q = 0; q < count; q++) {
    const lambda = dot(queries, v, p, q * p, q * p);
    const mu0 = dot(queries, fit.theta, p, q * p, 0);
    result.base[q] = mu0;
    for (let k = 0; k < K; k++) {
      let [low, high] = [mu0 - lambda / s, mu0 + lambda / s]; // loss' lies within -1/s..1/s
      for (let halving = 0; halving < 50; halving++) {
        const middle = (low + high) / 2;
        if (middle + lambda * (slopeAt(table, middle) - (k + 1) / (K * s)) > mu0) high = middle;
        else low = middle;
      }
      result.mu[q * K + k] = (low + high) / 2;
    }
  }
  return complete(head, table, result);
}

function requireQueries({ columns }: LinearFit, queries: Float64Array, count: number): void {
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new ArgumentError('count', `count is ${count}; expected a whole number >= 0`);
  }
  requireLength('queries', queries, count * columns);
  requireFinite('queries', queries);
}

function emptyReadout(count: number, K: number): Readout {
  return {
    mu: new Float64Array(count * K),
    likelihoods: new Float64Array(count * K),
    pnml: new Float64Array(count * K),
    gamma: new Float64Array(count),
    mean: new Float64Array(count),
    base: new Float64Array(count),
  };
}

/** All that follows from `mu`. */
function complete(head: Head, table: SlopeTable, result: Readout): Readout {
  const { mu, likelihoods, pnml, gamma, mean } = result;
  const K = head.bins;
  for (let q = 0; q < gamma.length; q++) {
    let total = 0;
    for (let k = 0; k < K; k++) {
      const at = q * K + k;
      likelihoods[at] = binProbability(head, mu[at], k);
      total += likelihoods[at];
      mean[q] += (head.scale * slopeAt(table, mu[at])) / K;
    }
    for (let at = q * K; at < (q + 1) * K; at++) pnml[at] = likelihoods[at] / total;
    gamma[q] = portableLog(total);
  }
  return result;
}

/** The chosen rows with their tables. */
function gather(fit: LinearFit, chosen: Uint32Array, weights: Float64Array): ChosenRows {
  const { head, columns: p, lows, highs } = fit;
  // a known label supervises every threshold, whichever it is
  const nameOf = (row: number) => (lows[row] === highs[row] ? -1 : lows[row] * head.bins + highs[row]);
  const order = Array.from(chosen, (_, i) => i).sort(
    (a, b) => nameOf(chosen[a]) - nameOf(chosen[b]) || a - b,
  );
  const table = slopeTable(head, 0, 0);
  const groups: { table: SlopeTable; from: number; to: number }[] = [];
  order.forEach((at, i) => {
    const row = chosen[at];
    if (i > 0 && nameOf(chosen[order[i - 1]]) === nameOf(row)) groups[groups.length - 1].to = i + 1;
    else {
      const rowTable = lows[row] === highs[row] ? table : slopeTable(head, lows[row], highs[row]);
      groups.push({ table: rowTable, from: i, to: i + 1 });
    }
  });
  const m = order.length;
  const rows = {
    phi: new Float64Array(m * p),
    mu: Float64Array.from(order, (at) => fit.mu[chosen[at]]),
    weights: Float64Array.from(order, (at) => weights[at]),
    slopes: new Float64Array(m),
    curvatures: new Float64Array(m),
  };
  order.forEach((at, i) => rows.phi.set(rowOf(fit.phi, p, chosen[at]), i * p));
  for (const group of groups) {
    for (let i = group.from; i < group.to; i++) {
      const row = chosen[order[i]];
      rows.slopes[i] = slopeAt(group.table, rows.mu[i]);
      rows.curvatures[i] = fit.curvatures[row];
    }
  }
  return { ...rows, groups, table };
}

export interface ChosenRows extends Rows {
  /** Curvature of the loss at `mu`. */
  readonly curvatures: Float64Array;
}

/** Calls `visit` for each query with what up to D `directions`, count x p each, do there. */
function forEachQuery(
  { linalg, fit, hessian, chosen }: LastLayer,
  rows: ChosenRows,
  x: Float64Array,
  directions: readonly Float64Array[],
  visit: (subspace: QuerySubspace, query: number) => void,
): void {
  const p = fit.columns;
  const count = x.length / p;
  const m = rows.mu.length;
  const isWhole = chosen.length === fit.rows;
  const movesOf = directions.map((v) => linalg.multiplyTransposed(v, rows.phi, count, m, p));
  const curved = isWhole ? [] : directions.map((v) => linalg.multiplyTransposed(v, hessian, count, p, p));
  const subspace = {
    moves: new Float64Array(m * D),
    query: new Float64Array(D),
    ridge: new Float64Array(D * D),
    mu0: 0,
  };
  const target = new Float64Array(D * D);
  for (let q = 0; q < count; q++) {
    const at = q * p;
    directions.forEach((v, d) => {
      for (let i = 0; i < m; i++) subspace.moves[i * D + d] = movesOf[d][q * m + i];
      subspace.query[d] = dot(x, v, p, at, at);
      directions.forEach((w, e) => {
        subspace.ridge[d * D + e] = fit.ridge * dot(v, w, p, at, at);
        if (!isWhole) target[d * D + e] = dot(v, curved[e], p, at, at) - subspace.ridge[d * D + e];
      });
    });
    subspace.mu0 = dot(x, fit.theta, p, at, 0);
    if (!isWhole) calibrate(subspace.moves, rows, target);
    visit(subspace, q);
  }
}

/**
 * Mixes each row's moves by one triangular matrix so that the chosen rows' Hessian at t = 0 is that of all rows,
 * `target`: with A = L L' theirs and B = M M' the target, a <- M L^-1 a. What either
 * Hessian does not tell from earlier directions is left as it is.
 */
function calibrate(moves: Float64Array, { weights, curvatures }: ChosenRows, target: Float64Array): void {
  const theirs = new Float64Array(D * D);
  for (let i = 0; i < weights.length; i++) {
    const c = weights[i] * curvatures[i];
    for (let d = 0; d < D; d++) {
      for (let e = 0; e <= d; e++) theirs[d * D + e] += c * moves[i * D + d] * moves[i * D + e];
    }
  }
  const l = new Float64Array(D * D);
  const m = new Float64Array(D * D);
  factorSmall(theirs, l, LEAST_PIVOT);
  factorSmall(target, m, LEAST_PIVOT);
  const z = new Float64Array(D);
  for (let at = 0; at < moves.length; at += D) {
    for (let d = 0; d < D; d++) {
      let rest = moves[at + d];
      let sum = 0;
      for (let e = 0; e < d; e++) {
        rest -= l[d * D + e] * z[e];
        sum += m[d * D + e] * z[e];
      }
      const isTold = l[d * D + d] > 0 && m[d * D + d] > 0;
      z[d] = isTold ? rest / l[d * D + d] : 0;
      moves[at + d] = sum + (isTold ? m[d * D + d] * z[d] : rest);
    }
  }
}

/** Of its diagonal: below this a direction's part of its own is too small to be scaled by. */
const LEAST_PIVOT = 1e-6;

/** Gradients, count x p each, that two directions leave for the lowest and for the highest label. */
function leftOver(
  layer: LastLayer,
  rows: ChosenRows,
  loss: AugmentedLoss,
  x: Float64Array,
  directions: readonly Float64Array[],
): Float64Array[] {
  const { fit, linalg } = layer;
  const { head, columns: p } = fit;
  const count = x.length / p;
  const m = rows.mu.length;
  const columns = transpose(rows.phi, m, p);
  const labels = [0, head.bins - 1];
  const slopes = labels.map(() => new Float64Array(count * m));
  const rest = labels.map(() => new Float64Array(count * p));
  forEachQuery(layer, rows, x, directions, (subspace, q) => {
    labels.forEach((label, end) => {
      loss.open(subspace);
      loss.settle(label);
      loss.rowSlopes(rowOf(slopes[end], m, q));
      const slope = loss.slopeAtQuery();
      for (let j = q * p; j < (q + 1) * p; j++) {
        rest[end][j] = slope * x[j];
        directions.forEach((v, d) => {
          rest[end][j] += fit.ridge * loss.t[d] * v[j];
        });
      }
    });
  });
  labels.forEach((_, end) => {
    const ofRows = linalg.multiplyTransposed(slopes[end], columns, count, p, m);
    for (let j = 0; j < ofRows.length; j++) rest[end][j] += ofRows[j];
  });
  return rest;
}

/** Rows of X' = (L L')^-1 B', `b` count x p. */
function solveRows(
  linalg: LinearAlgebra,
  l: Float64Array,
  b: Float64Array,
  count: number,
  p: number,
): Float64Array {
  if (count === 0) return new Float64Array(0);
  return transpose(linalg.solveCholesky(l, p, transpose(b, count, p), count), p, count);
}

function transpose(a: Float64Array, rows: number, columns: number): Float64Array {
  const b = new Float64Array(a.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) b[j * rows + i] = a[i * columns + j];
  return b;
}
