// The Gaussian process that a person writes with scikit-learn in twenty lines, in our linear algebra:
//
//   kernel = ConstantKernel(1, (1e-3, 1e3)) * Matern([1] * P, (1e-2, 1e3), nu=2.5) + WhiteKernel(1e-2, (1e-6, 10))
//   GaussianProcessRegressor(kernel, normalize_y=True, n_restarts_optimizer=2)
//
// sklearnCheck.mjs compares the two. Restarts begin between 0.1 and 10 times the first values.
import { Stream } from '../../dist/numeric/index.js';

/**
 * @typedef {import('../../dist/numeric/index.js').LinearAlgebra} LinearAlgebra
 * @typedef {object} Fit
 * @property {Float64Array} theta logarithms of constant, lengths and noise variance
 * @property {number} logLikelihood of the rows it was fitted to, with standardised y
 */

const ROOT5 = Math.sqrt(5);
/** Hyperparameters are fitted to at most this many rows, drawn evenly; all rows are conditioned on. */
export const FIT_ROWS = 500;
const RESTARTS = 2;
const STEPS = 100;

/** Bounds of theta: constant, P lengths, noise. @param {number} P */
function boundsOf(P) {
  const between = (
    /** @type {number} */ constant,
    /** @type {number} */ length,
    /** @type {number} */ noise,
  ) => Float64Array.from([constant, ...Array(P).fill(length), noise], Math.log);
  return { first: between(1, 1, 1e-2), lower: between(1e-3, 1e-2, 1e-6), upper: between(1e3, 1e3, 10) };
}

/**
 * Hyperparameters of greatest likelihood.
 * @param {LinearAlgebra} linalg @param {Float64Array} x n x P @param {Float64Array} y standardised
 * @param {Stream} stream @param {() => void} check called often; may throw
 * @returns {Fit}
 */
export function fitProcess(linalg, x, y, stream, check) {
  const P = x.length / y.length;
  const rows = y.length > FIT_ROWS ? stream.choose(y.length, FIT_ROWS) : Uint32Array.from(y.keys());
  const seen = {
    x: Float64Array.from({ length: rows.length * P }, (_, i) => x[rows[Math.floor(i / P)] * P + (i % P)]),
    y: Float64Array.from(rows, (row) => y[row]),
  };
  const loss = (/** @type {Float64Array} */ theta) => {
    check();
    return negativeLogLikelihood(linalg, seen.x, seen.y, theta);
  };
  const { first, lower, upper } = boundsOf(P);
  const starts = Array.from({ length: 1 + RESTARTS }, (_, start) =>
    start === 0 ? first : first.map((v) => v + Math.log(10) * (2 * stream.uniform() - 1)),
  );
  const ends = starts.map((start) => minimise(loss, start, lower, upper));
  const best = ends.reduce((a, b) => (b.value < a.value ? b : a));
  return { theta: best.at, logLikelihood: -best.value };
}

/**
 * -log p(y | theta) and its slopes: with W = a a' - K^-1 and a = K^-1 y, d log p / d theta = trace(W dK) / 2.
 * @param {LinearAlgebra} linalg @param {Float64Array} x @param {Float64Array} y @param {Float64Array} theta
 */
export function negativeLogLikelihood(linalg, x, y, theta) {
  const n = y.length;
  const P = x.length / n;
  const constant = Math.exp(theta[0]);
  const noise = Math.exp(theta[P + 1]);
  const z = scaled(x, theta);
  const kernel = new Float64Array(n * n);
  // of the Matern kernel by the logarithm of a length, without its (x - x')^2 / length^2
  const falls = new Float64Array(n * n);
  for (let a = 0; a < n; a++) {
    kernel[a * n + a] = constant + noise + 1e-10;
    for (let b = 0; b < a; b++) {
      const r = ROOT5 * distance(z, a, z, b, P);
      const decay = constant * Math.exp(-r);
      kernel[a * n + b] = kernel[b * n + a] = decay * (1 + r + (r * r) / 3);
      falls[a * n + b] = (5 / 3) * decay * (1 + r);
    }
  }
  /** @type {Float64Array} */
  let l;
  try {
    l = linalg.cholesky(kernel, n);
  } catch {
    return { value: Number.POSITIVE_INFINITY, slope: new Float64Array(P + 2) };
  }
  const identity = new Float64Array(n * n);
  for (let a = 0; a < n; a++) identity[a * n + a] = 1;
  const inverse = linalg.solveCholesky(l, n, identity, n);
  const weights = linalg.solveCholesky(l, n, y);
  const slope = new Float64Array(P + 2);
  for (let a = 0; a < n; a++) {
    const own = weights[a] * weights[a] - inverse[a * n + a];
    slope[0] -= 0.5 * constant * own;
    slope[P + 1] -= 0.5 * noise * own;
    for (let b = 0; b < a; b++) {
      const w = weights[a] * weights[b] - inverse[a * n + b];
      slope[0] -= w * kernel[a * n + b];
      const fall = w * falls[a * n + b];
      for (let j = 0; j < P; j++) slope[1 + j] -= fall * (z[a * P + j] - z[b * P + j]) ** 2;
    }
  }
  let fit = 0;
  for (let a = 0; a < n; a++) fit += y[a] * weights[a];
  return { value: 0.5 * (fit + linalg.logDeterminant(l, n) + n * Math.log(2 * Math.PI)), slope };
}

/** Inputs divided by their lengths. @param {Float64Array} x @param {Float64Array} theta */
function scaled(x, theta) {
  const P = theta.length - 2;
  const shares = theta.slice(1, P + 1).map((v) => Math.exp(-v));
  return x.map((v, i) => v * shares[i % P]);
}

/** @param {Float64Array} u @param {number} a @param {Float64Array} v @param {number} b @param {number} P */
function distance(u, a, v, b, P) {
  let sum = 0;
  for (let j = 0; j < P; j++) sum += (u[a * P + j] - v[b * P + j]) ** 2;
  return Math.sqrt(sum);
}

/**
 * The process given rows: what it expects elsewhere.
 * @param {LinearAlgebra} linalg @param {Float64Array} x n x P @param {Float64Array} y standardised @param {Float64Array} theta
 */
export function conditioned(linalg, x, y, theta) {
  const n = y.length;
  const P = theta.length - 2;
  const constant = Math.exp(theta[0]);
  const noise = Math.exp(theta[P + 1]);
  const z = scaled(x, theta);
  /** Covariance of the n rows with q others. @param {Float64Array} others scaled */
  const across = (others) => {
    const q = others.length / P;
    const k = new Float64Array(n * q);
    for (let a = 0; a < n; a++) {
      for (let b = 0; b < q; b++) {
        const r = ROOT5 * distance(z, a, others, b, P);
        k[a * q + b] = constant * Math.exp(-r) * (1 + r + (r * r) / 3);
      }
    }
    return k;
  };
  const kernel = across(z);
  for (let a = 0; a < n; a++) kernel[a * n + a] += noise + 1e-10;
  const l = linalg.cholesky(kernel, n);
  const weights = linalg.solveCholesky(l, n, y);
  const held = linalg.hold(l);
  const meanOf = (/** @type {Float64Array} */ k) => {
    const q = k.length / n;
    const mean = new Float64Array(q);
    for (let a = 0; a < n; a++) for (let b = 0; b < q; b++) mean[b] += weights[a] * k[a * q + b];
    return mean;
  };
  return {
    /** @param {Float64Array} at q x P */
    mean: (at) => meanOf(across(scaled(at, theta))),
    /** Mean and standard deviation, which has the noise in it, as scikit-learn's has. @param {Float64Array} at q x P */
    predict(at) {
      const k = across(scaled(at, theta));
      const mean = meanOf(k);
      const q = mean.length;
      const v = held.solveLower(l, n, k, q);
      const variance = new Float64Array(q).fill(constant + noise);
      for (let a = 0; a < n; a++) for (let b = 0; b < q; b++) variance[b] -= v[a * q + b] ** 2;
      return { mean, sd: variance.map((s) => Math.sqrt(Math.max(s, 1e-12))) };
    },
  };
}

/**
 * L-BFGS between bounds: steps are cut at the bounds, and what is held by one is left out of the direction.
 * @param {(at: Float64Array) => { value: number, slope: Float64Array }} loss
 * @param {Float64Array} start @param {Float64Array} lower @param {Float64Array} upper
 */
function minimise(loss, start, lower, upper) {
  const inside = (/** @type {Float64Array} */ at) =>
    at.map((v, i) => Math.min(upper[i], Math.max(lower[i], v)));
  let at = inside(start);
  let { value, slope } = loss(at);
  /** @type {{ s: Float64Array, y: Float64Array, sy: number }[]} */
  let pairs = [];
  for (let step = 0; step < STEPS; step++) {
    const free = slope.map((g, i) => Number(g > 0 ? at[i] > lower[i] : at[i] < upper[i]));
    const g = slope.map((v, i) => v * free[i]);
    if (g.every((v) => Math.abs(v) < 1e-4)) break;
    let direction = descent(g, pairs).map((v, i) => v * free[i]);
    if (dot(direction, g) >= 0) {
      pairs = [];
      direction = g.map((v) => -v);
    }
    let length = pairs.length === 0 ? Math.min(1, 1 / Math.sqrt(dot(g, g))) : 1;
    let next = null;
    for (let halving = 0; halving < 20 && !next; halving++, length /= 2) {
      const to = inside(at.map((v, i) => v + length * direction[i]));
      const there = loss(to);
      const moved = to.map((v, i) => v - at[i]);
      if (there.value <= value + 1e-4 * dot(g, moved)) next = { to, there, moved };
    }
    if (!next) break;
    const { to, there, moved } = next;
    const y = there.slope.map((v, i) => v - slope[i]);
    const sy = dot(moved, y);
    if (sy > 1e-10) pairs = [...pairs.slice(-9), { s: moved, y, sy }];
    const gained = value - there.value;
    at = to;
    ({ value, slope } = there);
    if (gained < 1e-8 * Math.max(1, Math.abs(value))) break;
  }
  return { at, value };
}

/** Two loops over the last steps (Nocedal 1980). @param {Float64Array} g @param {{ s: Float64Array, y: Float64Array, sy: number }[]} pairs */
function descent(g, pairs) {
  let q = g.map((v) => -v);
  const shares = pairs.map(() => 0);
  for (let k = pairs.length - 1; k >= 0; k--) {
    const { s, y, sy } = pairs[k];
    const share = dot(s, q) / sy;
    shares[k] = share;
    q = q.map((v, i) => v - share * y[i]);
  }
  const last = pairs.at(-1);
  if (last) q = q.map((v) => (v * last.sy) / dot(last.y, last.y));
  for (const [k, { s, y, sy }] of pairs.entries()) {
    const share = shares[k] - dot(y, q) / sy;
    q = q.map((v, i) => v + share * s[i]);
  }
  return q;
}

/** @param {Float64Array} a @param {Float64Array} b */
function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
