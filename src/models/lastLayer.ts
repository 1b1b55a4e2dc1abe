/**
 * Conditional NML (Eq. 2) of a model's last layer, fast: the features phi of the layer below and a 1 for the bias are
 * held fixed, what cnml.ts solves exactly is solved here in four directions of theta for each query.
 *
 * loss'(mu, b) = T(mu) - (b + 1) / (K s), T(mu) = sum_j o_j / (K s): labels differ by a constant, rows come in through
 * one table of T. Directions: H^-1 phi (leverage), which over-states how far outputs move where they saturate because
 * the Hessian H vanishes there; F^-1 phi, F the Hessian as if no output were saturated; and F^-1 times the gradient
 * left over by these two for the lowest and for the highest label.
 */
import { ArgumentError, requireCount, requireFinite, requireLength } from '../numeric/errors.js';
import type { LinearAlgebra } from '../numeric/linalg.js';
import { argsort } from '../numeric/stats.js';
import { fitLinear, hessian, type LinearFit, type LinearFitOptions } from './cnml.js';
import { type Head, lossCurvature, lossSlope, ownProbability } from './discretizedLogistic.js';

export interface LastLayerOptions extends LinearFitOptions {
  /** Most rows the augmented fits see; more are represented by a weighted choice. Default 256. */
  readonly representatives?: number | undefined;
}

export interface LastLayer {
  readonly linalg: LinearAlgebra;
  readonly fit: LinearFit;
  /** Cholesky factor of H, the Hessian of the fit, p x p. */
  readonly factor: Float64Array;
  /** Cholesky factor of F, the Hessian with every output in the middle of the range. */
  readonly middleFactor: Float64Array;
  /** Row numbers the augmented fits see, with what each stands for. */
  readonly chosen: Uint32Array;
  readonly weights: Float64Array;
}

export interface Readout {
  /** Output of the model fitted to label k, count x K. */
  readonly mu: Float64Array;
  /** Probability that model gives to its own label, count x K. */
  readonly own: Float64Array;
  /** own / sum own, count x K (Eq. 2). */
  readonly pnml: Float64Array;
  /** Individual regret log sum own, count (§4.3). */
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
  const factor = linalg.cholesky(hessian(linalg, fit, fit.mu), columns);
  const middle = hessian(linalg, fit, new Float64Array(rows).fill(0.5));
  const middleFactor = linalg.cholesky(middle, columns);
  return { linalg, fit, factor, middleFactor, ...choose(linalg, fit, middleFactor, representatives) };
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
/** Up to this many bins every label is solved for; of more, some in the middle are interpolated. */
const ALL_LABELS = 12;

/** Approximates `exactCnml` for each of `count` queries, row major. */
export function readout(layer: LastLayer, queries: Float64Array, count: number): Readout {
  const { fit } = layer;
  requireQueries(fit, queries, count);
  const { head, columns: p } = fit;
  const sampled = sampleRows(layer);
  const result = emptyReadout(count, head.bins);
  const labels = solvedLabels(head.bins);
  for (let from = 0; from < count; from += CHUNK) {
    const size = Math.min(CHUNK, count - from);
    const x = queries.subarray(from * p, (from + size) * p);
    const first = solveRows(layer.linalg, layer.factor, x, size, p);
    const second = solveRows(layer.linalg, layer.middleFactor, x, size, p);
    const [low, high] = leftOver(layer, sampled, x, [first, second]);
    const third = solveRows(layer.linalg, layer.middleFactor, low, size, p);
    const fourth = solveRows(layer.linalg, layer.middleFactor, high, size, p);
    forEachSubspace(layer, sampled, x, [first, second, third, fourth], (space, q) => {
      const k = (from + q) * head.bins;
      followLabels(space, head, labels, result.mu.subarray(k, k + head.bins));
      result.base[from + q] = space.mu0;
    });
  }
  return complete(head, sampled.table, result);
}

/**
 * The plain leverage form: mu_k solves mu = mu0 - lambda loss_k'(mu), lambda = phi' H^-1 phi. Over-states gamma where
 * outputs saturate; kept to compare with.
 */
export function leverageReadout(layer: LastLayer, queries: Float64Array, count: number): Readout {
  const { fit, linalg, factor } = layer;
  requireQueries(fit, queries, count);
  const { head, columns: p } = fit;
  const v = solveRows(linalg, factor, queries, count, p);
  const result = emptyReadout(count, head.bins);
  for (let q = 0; q < count; q++) {
    const lambda = dot(queries, q * p, v, q * p, p);
    const mu0 = dot(queries, q * p, fit.theta, 0, p);
    result.base[q] = mu0;
    for (let k = 0; k < head.bins; k++) {
      // loss' lies within -1/s..1/s
      let low = mu0 - lambda / head.scale;
      let high = mu0 + lambda / head.scale;
      for (let middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2) {
        if (middle + lambda * lossSlope(head, middle, k) > mu0) high = middle;
        else low = middle;
      }
      result.mu[q * head.bins + k] = low;
    }
  }
  return complete(head, makeTable(head, 0, 0), result);
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
    own: new Float64Array(count * K),
    pnml: new Float64Array(count * K),
    gamma: new Float64Array(count),
    mean: new Float64Array(count),
    base: new Float64Array(count),
  };
}

/** All that follows from `mu`. */
function complete(head: Head, table: Table, result: Readout): Readout {
  const { mu, own, pnml, gamma, mean } = result;
  const K = head.bins;
  for (let q = 0; q < gamma.length; q++) {
    let total = 0;
    for (let k = 0; k < K; k++) {
      const at = q * K + k;
      own[at] = ownProbability(head, mu[at], k);
      total += own[at];
      mean[q] += (head.scale * valueAt(table, mu[at])) / K;
    }
    for (let at = q * K; at < (q + 1) * K; at++) pnml[at] = own[at] / total;
    gamma[q] = Math.log(total);
  }
  return result;
}

/** T(mu) on a grid, linear between; constant beyond, where outputs are saturated to 2e-9. */
interface Table {
  readonly start: number;
  readonly perUnit: number;
  readonly values: Float64Array;
}

const TAIL = 20;
/** Grid points per s: an error of 1e-5 of the largest T. */
const POINTS = 128;
const MOST_POINTS = 2 ** 18;

/** T over the thresholds a label `low`..`high` supervises. */
function makeTable(head: Head, low: number, high: number): Table {
  const { scale: s } = head;
  const width = 1 + 2 * TAIL * s;
  const cells = Math.ceil(Math.min((width / s) * POINTS, MOST_POINTS));
  const start = -TAIL * s;
  const offset = (low + 1) / (head.bins * s);
  const values = new Float64Array(cells + 1);
  for (let i = 0; i <= cells; i++) {
    values[i] = lossSlope(head, start + (i * width) / cells, low, high) + offset;
  }
  values[0] = 0;
  values[cells] = (head.bins - (high - low)) / (head.bins * s);
  return { start, perUnit: cells / width, values };
}

function valueAt({ start, perUnit, values }: Table, mu: number): number {
  const last = values.length - 1;
  const at = Math.max(0, Math.min(last, (mu - start) * perUnit));
  const cell = Math.min(last - 1, Math.floor(at));
  return values[cell] + (at - cell) * (values[cell + 1] - values[cell]);
}

/** The chosen rows, gathered. */
interface Sampled {
  /** m x p. */
  readonly phi: Float64Array;
  readonly mu: Float64Array;
  readonly weights: Float64Array;
  /** T at `mu`. */
  readonly slopes: Float64Array;
  /** H's weights of the rows, weight times curvature. */
  readonly curvatures: Float64Array;
  /** Of a label that is known. */
  readonly table: Table;
  /** Of each row. */
  readonly tables: readonly Table[];
  readonly isWhole: boolean;
}

function sampleRows({ fit, chosen, weights }: LastLayer): Sampled {
  const { head, columns: p, lows, highs } = fit;
  const known = new Map<string, Table>();
  const tableOf = (low: number, high: number) => {
    // thresholds low+1..high are left out; none of them are when the bins are equal, whichever they are
    const name = low === high ? '' : `${low} ${high}`;
    const table = known.get(name) ?? (low === high ? makeTable(head, 0, 0) : makeTable(head, low, high));
    known.set(name, table);
    return table;
  };
  const rows = Array.from(chosen);
  const phi = new Float64Array(rows.length * p);
  rows.forEach((row, i) => phi.set(fit.phi.subarray(row * p, (row + 1) * p), i * p));
  const mu = Float64Array.from(rows, (row) => fit.mu[row]);
  const tables = rows.map((row) => tableOf(lows[row], highs[row]));
  return {
    ...{ phi, mu, weights, tables },
    slopes: mu.map((m, i) => valueAt(tables[i], m)),
    curvatures: mu.map((m, i) => weights[i] * lossCurvature(head, m, lows[rows[i]], highs[rows[i]])),
    table: tableOf(0, 0),
    isWhole: rows.length === fit.rows,
  };
}

/** The loss as a function of t: theta = fit.theta + sum_d t_d v_d, for one query. */
interface Subspace {
  readonly size: number;
  readonly sampled: Sampled;
  /** What every row's weight is multiplied with, so that the curvature along the first direction is H's. */
  readonly share: number;
  /** phi v_d over the chosen rows; directions one after the other. */
  readonly moves: Float64Array;
  /** query . v_d. */
  readonly own: Float64Array;
  /** ridge v_d . v_e. */
  readonly ridge: Float64Array;
  /** Output of the fit at the query. */
  readonly mu0: number;
  readonly t: Float64Array;
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
  readonly step: Float64Array;
}

/** Calls `visit` with each query's subspace; `directions` count x p each. */
function forEachSubspace(
  { linalg, fit }: LastLayer,
  sampled: Sampled,
  x: Float64Array,
  directions: readonly Float64Array[],
  visit: (space: Subspace, query: number) => void,
): void {
  const p = fit.columns;
  const count = x.length / p;
  const m = sampled.mu.length;
  const D = directions.length;
  const moves = directions.map((v) => linalg.multiplyTransposed(v, sampled.phi, count, m, p));
  const room = new Float64Array(D * m);
  for (let q = 0; q < count; q++) {
    moves.forEach((a, d) => room.set(a.subarray(q * m, (q + 1) * m), d * m));
    const own = Float64Array.from(directions, (v) => dot(x, q * p, v, q * p, p));
    const ridge = new Float64Array(D * D);
    for (let d = 0; d < D; d++) {
      for (let e = 0; e < D; e++) {
        ridge[d * D + e] = fit.ridge * dot(directions[d], q * p, directions[e], q * p, p);
      }
    }
    let curvature = 0;
    for (let i = 0; i < m; i++) curvature += sampled.curvatures[i] * room[i] * room[i];
    const share = sampled.isWhole || !(curvature > 0) ? 1 : Math.max(0, own[0] - ridge[0]) / curvature;
    const mu0 = dot(x, q * p, fit.theta, 0, p);
    const space: Subspace = {
      ...{ size: D, sampled, moves: room, own, ridge, mu0 },
      share: Math.max(1 / 4, Math.min(4, share)),
      t: new Float64Array(D),
      gradient: new Float64Array(D),
      hessian: new Float64Array(D * D),
      step: new Float64Array(D),
    };
    visit(space, q);
  }
}

/** Gradients, count x p each, that the best points of two directions leave for the lowest and the highest label. */
function leftOver(
  layer: LastLayer,
  sampled: Sampled,
  x: Float64Array,
  directions: readonly Float64Array[],
): [Float64Array, Float64Array] {
  const { fit, linalg } = layer;
  const { head, columns: p } = fit;
  const count = x.length / p;
  const m = sampled.mu.length;
  const pulls = [new Float64Array(count * m), new Float64Array(count * m)] as const;
  const rest = [new Float64Array(count * p), new Float64Array(count * p)] as const;
  forEachSubspace(layer, sampled, x, directions, (space, q) => {
    [0, head.bins - 1].forEach((label, end) => {
      space.t.fill(0);
      const mu = settle(space, head, label);
      for (let i = 0; i < m; i++) {
        let moved = sampled.mu[i];
        for (let d = 0; d < space.size; d++) moved += space.t[d] * space.moves[d * m + i];
        const change = valueAt(sampled.tables[i], moved) - sampled.slopes[i];
        pulls[end][q * m + i] = space.share * sampled.weights[i] * change;
      }
      const pull = valueAt(sampled.table, mu) - (label + 1) / (head.bins * head.scale);
      for (let j = q * p; j < (q + 1) * p; j++) {
        let v = 0;
        for (let d = 0; d < space.size; d++) v += space.t[d] * directions[d][j];
        rest[end][j] = pull * x[j] + fit.ridge * v;
      }
    });
  });
  const columns = transpose(sampled.phi, m, p);
  pulls.forEach((pull, end) => {
    const fromRows = linalg.multiplyTransposed(pull, columns, count, p, m);
    for (let j = 0; j < fromRows.length; j++) rest[end][j] += fromRows[j];
  });
  return [rest[0], rest[1]];
}

/** Labels from both ends inwards with growing gaps; mu bends most at the ends, where outputs saturate. */
function solvedLabels(K: number): number[] {
  if (K <= ALL_LABELS) return Array.from({ length: K }, (_, k) => k);
  const labels = new Set<number>();
  for (let gap = 0; gap <= (K - 1) / 2; gap += Math.max(1, Math.ceil(gap / 2))) {
    labels.add(gap).add(K - 1 - gap);
  }
  return [...labels].toSorted((a, b) => a - b);
}

/** Fills `mu` with the output for every label: the solved ones by Newton, the others by a monotone cubic between. */
function followLabels(space: Subspace, head: Head, labels: readonly number[], mu: Float64Array): void {
  const slopes = new Float64Array(mu.length);
  const base = valueAt(space.sampled.table, space.mu0) * head.bins * head.scale - 1; // label the fit agrees with
  const solve = (label: number) => {
    mu[label] = settle(space, head, label);
    slopes[label] = slopeInLabel(space, head);
  };
  space.t.fill(0);
  for (const label of labels) if (label >= base) solve(label);
  space.t.fill(0);
  for (const label of labels.toReversed()) if (label < base) solve(label);
  for (let at = 1; at < labels.length; at++) {
    const [from, to] = [labels[at - 1], labels[at]];
    const rise = (mu[to] - mu[from]) / (to - from);
    // up to three times the secant a cubic stays monotone (Fritsch & Carlson 1980)
    const [left, right] = [Math.min(slopes[from], 3 * rise), Math.min(slopes[to], 3 * rise)];
    for (let k = from + 1; k < to; k++) {
      const u = (k - from) / (to - from);
      const bend = (1 - u) * (left - rise) - u * (right - rise);
      mu[k] = mu[from] + (to - from) * (u * rise + u * (1 - u) * bend);
    }
  }
}

/** d mu / d label = own' (space Hessian)^-1 own / (K s), at the last Newton step. */
function slopeInLabel({ own, hessian, step, size }: Subspace, head: Head): number {
  solveSmall(hessian, own, step, size);
  return dot(own, 0, step, 0, size) / (head.bins * head.scale);
}

const MOST_STEPS = 30;
/** Of s, at the query; Newton squares it once more. */
const SMALL_MOVE = 1e-3;

/** Moves `t` from where it is to the least augmented loss for `label`; returns the output at the query. */
function settle(space: Subspace, head: Head, label: number): number {
  const { own, t, gradient, hessian, step, size } = space;
  let mu = evaluate(space, head, label);
  for (let count = 0; count < MOST_STEPS; count++) {
    solveSmall(hessian, gradient, step, size);
    const descent = dot(gradient, 0, step, 0, size);
    let factor = 1;
    for (let d = 0; d < size; d++) t[d] -= step[d];
    mu = evaluate(space, head, label);
    // convex: a slope ahead of more than half the slope behind says the step went too far
    for (let cut = 0; cut < 20; cut++) {
      const ahead = -dot(gradient, 0, step, 0, size);
      if (ahead <= 0.5 * descent) break;
      const shorter = (factor * descent) / (descent + ahead);
      for (let d = 0; d < size; d++) t[d] += (factor - shorter) * step[d];
      factor = shorter;
      mu = evaluate(space, head, label);
    }
    if (factor === 1 && Math.abs(dot(own, 0, step, 0, size)) <= SMALL_MOVE * head.scale) break;
  }
  return mu;
}

/** Gradient and Hessian at `t`; returns the output at the query. */
function evaluate(space: Subspace, head: Head, label: number): number {
  const { size: D, sampled, share, moves, own, ridge, mu0, t, gradient, hessian } = space;
  const m = sampled.mu.length;
  for (let d = 0; d < D; d++) {
    gradient[d] = dot(ridge, d * D, t, 0, D);
    for (let e = 0; e <= d; e++) hessian[d * D + e] = ridge[d * D + e];
  }
  for (let i = 0; i <= m; i++) {
    const isQuery = i === m;
    const { start, perUnit, values } = isQuery ? sampled.table : sampled.tables[i];
    let mu = isQuery ? mu0 : sampled.mu[i];
    for (let d = 0; d < D; d++) mu += t[d] * (isQuery ? own[d] : moves[d * m + i]);
    const last = values.length - 1;
    const at = Math.max(0, Math.min(last, (mu - start) * perUnit));
    const cell = Math.min(last - 1, Math.floor(at));
    const weight = isQuery ? 1 : share * sampled.weights[i];
    const rise = values[cell + 1] - values[cell];
    const before = isQuery ? (label + 1) / (head.bins * head.scale) : sampled.slopes[i];
    const slope = weight * (values[cell] + (at - cell) * rise - before);
    const curvature = at > 0 && at < last ? weight * rise * perUnit : 0;
    for (let d = 0; d < D; d++) {
      const a = isQuery ? own[d] : moves[d * m + i];
      gradient[d] += slope * a;
      for (let e = 0; e <= d; e++)
        hessian[d * D + e] += curvature * a * (isQuery ? own[e] : moves[e * m + i]);
    }
    if (isQuery) return mu;
  }
  return mu0;
}

/** x of H x = b by Cholesky, of the lower triangle; a direction that depends on those before it stays out. */
function solveSmall(h: Float64Array, b: Float64Array, x: Float64Array, n: number): void {
  const l = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    x[i] = b[i];
    for (let j = 0; j <= i; j++) {
      const rest = h[i * n + j] - dot(l, i * n, l, j * n, j);
      if (i !== j) l[i * n + j] = l[j * n + j] > 0 ? rest / l[j * n + j] : 0;
      else l[i * n + i] = rest > 1e-12 * h[i * n + i] ? Math.sqrt(rest) : 0;
    }
    x[i] = l[i * n + i] > 0 ? (x[i] - dot(l, i * n, x, 0, i)) / l[i * n + i] : 0;
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i + 1; j < n; j++) x[i] -= l[j * n + i] * x[j];
    x[i] = l[i * n + i] > 0 ? x[i] / l[i * n + i] : 0;
  }
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

/** Sum of n products, from these places on. */
function dot(a: Float64Array, fromA: number, b: Float64Array, fromB: number, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += a[fromA + i] * b[fromB + i];
  return sum;
}
