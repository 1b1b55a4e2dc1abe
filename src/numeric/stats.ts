// Descriptive statistics of numbers in memory. An empty input is a `ShapeError`, a NaN or an infinity a
// `NotFiniteError`; both name the argument.

import { ArgumentError, requireCount, requireFinite, requireLength, ShapeError } from './errors.js';

function requireValues(argument: string, values: ArrayLike<number>): void {
  if (values.length === 0)
    throw new ShapeError(argument, `${argument} is empty; expected at least one value`);
  requireFinite(argument, values);
}

/** Σ vᵢ / N, corrected once by the mean residual. */
export function mean(values: ArrayLike<number>): number {
  requireValues('values', values);
  return meanOf(values);
}

function meanOf(values: ArrayLike<number>): number {
  const n = values.length;
  let first = 0;
  for (let i = 0; i < n; i++) first += values[i] / n;
  let residual = 0;
  for (let i = 0; i < n; i++) residual += values[i] - first;
  return first + residual / n;
}

/** Σ wᵢ vᵢ / Σ wᵢ, for weights ≥ 0 that do not all vanish. */
export function weightedMean(values: ArrayLike<number>, weights: ArrayLike<number>): number {
  requireValues('values', values);
  requireLength('weights', weights, values.length);
  requireFinite('weights', weights);
  let total = 0;
  let center = 0;
  for (let i = 0; i < values.length; i++) {
    const weight = weights[i];
    if (weight < 0) {
      throw new ArgumentError('weights', `weights[${i}] is ${weight}; expected no negative weight`);
    }
    if (weight === 0) continue;
    total += weight;
    center += (weight / total) * (values[i] - center);
  }
  if (total === 0) throw new ArgumentError('weights', 'weights sum to 0; expected a positive sum');
  return center;
}

export interface VarianceOptions {
  /** Divide by N - 1 instead of N, for N ≥ 2. Default false. */
  readonly unbiased?: boolean;
}

/** Σ (vᵢ - mean)² / N, in two passes. */
export function variance(values: ArrayLike<number>, options: VarianceOptions = {}): number {
  requireValues('values', values);
  const freedom = values.length - (options.unbiased ? 1 : 0);
  if (freedom === 0) {
    throw new ShapeError('values', 'values has length 1; an unbiased variance needs at least 2');
  }
  const center = meanOf(values);
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] - center) ** 2;
  return squares / freedom;
}

/** √variance. */
export function standardDeviation(values: ArrayLike<number>, options: VarianceOptions = {}): number {
  return Math.sqrt(variance(values, options));
}

/** The smallest and the largest value. */
export function extent(values: ArrayLike<number>): { min: number; max: number } {
  requireValues('values', values);
  let min = values[0];
  let max = values[0];
  for (let i = 1; i < values.length; i++) {
    if (values[i] < min) min = values[i];
    if (values[i] > max) max = values[i];
  }
  return { min, max };
}

/** `Math.max` of any number of values: a call takes some ten thousand arguments, and then overflows the stack. */
export function largest(values: ArrayLike<number>, atLeast = Number.NEGATIVE_INFINITY): number {
  let found = atLeast;
  for (let i = 0; i < values.length; i++) found = Math.max(found, values[i]);
  return found;
}

/** `Math.min` of any number of values. */
export function smallest(values: ArrayLike<number>, atMost = Number.POSITIVE_INFINITY): number {
  let found = atMost;
  for (let i = 0; i < values.length; i++) found = Math.min(found, values[i]);
  return found;
}

/** One quantile for each probability: linear between order statistics (type 7, numpy's default). */
export function quantiles(values: ArrayLike<number>, probabilities: ArrayLike<number>): Float64Array {
  requireValues('values', values);
  const sorted = Float64Array.from(values).sort();
  return Float64Array.from(probabilities, (p) => {
    if (!(p >= 0 && p <= 1)) {
      throw new ArgumentError('probabilities', `probability ${p} is outside the range 0 to 1`);
    }
    const position = p * (sorted.length - 1);
    const below = Math.floor(position);
    const low = sorted[below];
    const high = sorted[Math.min(below + 1, sorted.length - 1)];
    return low + (position - below) * (high - low);
  });
}

/** `quantiles` for one probability. */
export function quantile(values: ArrayLike<number>, probability: number): number {
  return quantiles(values, [probability])[0];
}

/** The quantile at 1/2. */
export function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5);
}

export type SortOrder = 'ascending' | 'descending';

/** Indices that sort `values`; equal values keep their order either way. */
export function argsort(values: ArrayLike<number>, order: SortOrder = 'ascending'): Uint32Array {
  requireValues('values', values);
  const sign = order === 'ascending' ? 1 : -1;
  const indices = new Uint32Array(values.length);
  for (let i = 0; i < indices.length; i++) indices[i] = i;
  return indices.sort((a, b) => sign * (values[a] - values[b]));
}

/** Indices of the `k` largest values, largest first; of equal values the lower index wins. */
export function topIndices(values: ArrayLike<number>, k: number): Uint32Array {
  requireCount('k', k);
  if (k > values.length) {
    throw new ArgumentError('k', `k is ${k}; expected at most the ${values.length} values given`);
  }
  return argsort(values, 'descending').slice(0, k);
}

/** Ranks from 1 for the smallest; equal values share the average of their ranks. */
export function ranks(values: ArrayLike<number>): Float64Array {
  const order = argsort(values);
  const result = new Float64Array(order.length);
  let start = 0;
  while (start < order.length) {
    let end = start + 1;
    while (end < order.length && values[order[end]] === values[order[start]]) end += 1;
    for (let i = start; i < end; i++) result[order[i]] = (start + 1 + end) / 2;
    start = end;
  }
  return result;
}

/** Pearson's correlation, in [-1, 1]; both sides need at least two values that differ. */
export function pearson(a: ArrayLike<number>, b: ArrayLike<number>): number {
  requireValues('a', a);
  requireValues('b', b);
  requireLength('b', b, a.length);
  const da = unitDeviations('a', a);
  const db = unitDeviations('b', b);
  let product = 0;
  for (let i = 0; i < da.length; i++) product += da[i] * db[i];
  return Math.max(-1, Math.min(1, product));
}

/** (v - mean) / ‖v - mean‖, scaled first so that the squares neither overflow nor vanish. */
function unitDeviations(argument: string, values: ArrayLike<number>): Float64Array {
  const center = meanOf(values);
  const deviations = Float64Array.from(values, (value) => value - center);
  const { min, max } = extent(values);
  if (min === max) {
    throw new ArgumentError(argument, `${argument} is constant; its correlation is not defined`);
  }
  const scale = max - min;
  let squares = 0;
  for (const deviation of deviations) squares += (deviation / scale) ** 2;
  const norm = Math.sqrt(squares);
  return deviations.map((deviation) => deviation / scale / norm);
}

/** Spearman's correlation: Pearson's of the ranks. */
export function spearman(a: ArrayLike<number>, b: ArrayLike<number>): number {
  requireValues('a', a);
  requireValues('b', b);
  requireLength('b', b, a.length);
  return pearson(ranks(a), ranks(b));
}

/** Per-column location and scale; plain arrays of length d. */
export interface Standardization {
  readonly mean: Float64Array;
  /** Population standard deviation, or 1 for a constant column. */
  readonly scale: Float64Array;
}

function rowCount(argument: string, x: ArrayLike<number>, columns: number): number {
  requireCount('columns', columns);
  if (x.length % columns !== 0) {
    throw new ShapeError(
      argument,
      `${argument} has length ${x.length}; expected a multiple of ${columns} columns`,
    );
  }
  return x.length / columns;
}

/** Mean and standard deviation of each column of `x` N×d, row major. */
export function fitStandardization(x: ArrayLike<number>, columns: number): Standardization {
  const rows = rowCount('x', x, columns);
  requireValues('x', x);
  const result = { mean: new Float64Array(columns), scale: new Float64Array(columns) };
  const column = new Float64Array(rows);
  for (let j = 0; j < columns; j++) {
    for (let i = 0; i < rows; i++) column[i] = x[i * columns + j];
    const { min, max } = extent(column);
    result.mean[j] = meanOf(column);
    result.scale[j] = min === max ? 1 : standardDeviation(column) || 1;
  }
  return result;
}

/** (x - mean) / scale by column, as a new N×d matrix. */
export function standardize(x: ArrayLike<number>, { mean, scale }: Standardization): Float64Array {
  rowCount('x', x, mean.length);
  requireFinite('x', x);
  return Float64Array.from(x, (value, i) => (value - mean[i % mean.length]) / scale[i % mean.length]);
}

/** x scale + mean by column, as a new N×d matrix. */
export function unstandardize(x: ArrayLike<number>, { mean, scale }: Standardization): Float64Array {
  rowCount('x', x, mean.length);
  requireFinite('x', x);
  return Float64Array.from(x, (value, i) => value * scale[i % mean.length] + mean[i % mean.length]);
}
