/** What trees are fitted to, checked, and which part of it each tree gets to see. */
import { ArgumentError, requireCount, requireFinite, requireLength, ShapeError } from '../numeric/errors.js';
import type { Key } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';

/** Codes times 32 are sorted as 32-bit integers. */
const MOST_ROWS = 2 ** 26;

/** Sums of squares stay within float64 up to these. */
const GREATEST_SCORE = 1e60;
const GREATEST_WEIGHT = 1e30;
/** A side of a cut must not vanish beside the other. */
const GREATEST_RATIO = 1e9;

export interface TreeData {
  /** N x d, row-major. */
  readonly x: Float64Array;
  /** N. */
  readonly y: ArrayLike<number>;
  /** d. */
  readonly columns: number;
  /** N, each above 0, within nine decades; default: all 1. */
  readonly weights?: ArrayLike<number>;
  /** Of the columns, for messages. */
  readonly names?: readonly string[];
}

export interface CheckedTable {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly w: Float64Array;
  readonly N: number;
  readonly d: number;
}

/** Cells of `x` are checked where they are encoded. */
export function requireTable({ x, y, columns, weights }: TreeData): CheckedTable {
  requireCount('columns', columns);
  if (x.length === 0) throw new ArgumentError('x', 'x has no rows');
  if (x.length % columns !== 0) {
    throw new ShapeError('x', `x has ${x.length} numbers, which are not whole rows of ${columns} columns`);
  }
  const N = x.length / columns;
  if (N > MOST_ROWS) throw new ArgumentError('x', `x has ${N} rows; trees take up to ${MOST_ROWS}`);
  requireLength('y', y, N);
  requireFinite('y', y);
  for (let i = 0; i < N; i++) {
    if (Math.abs(y[i]!) <= GREATEST_SCORE) continue;
    throw new ArgumentError('y', `y[${i}] is ${y[i]}; trees take scores up to ${GREATEST_SCORE}`);
  }
  const w = weights === undefined ? new Float64Array(N).fill(1) : requireWeights(weights, N);
  return { x, y: Float64Array.from(y), w, N, d: columns };
}

function requireWeights(weights: ArrayLike<number>, N: number): Float64Array {
  requireLength('weights', weights, N);
  requireFinite('weights', weights);
  let least = weights[0]!;
  let most = weights[0]!;
  for (let i = 0; i < N; i++) {
    if (!(weights[i]! > 0)) {
      throw new ArgumentError('weights', `weights[${i}] is ${weights[i]}; expected a number above 0`);
    }
    least = Math.min(least, weights[i]!);
    most = Math.max(most, weights[i]!);
  }
  if (most / least > GREATEST_RATIO || most > GREATEST_WEIGHT || least < 1 / GREATEST_WEIGHT) {
    throw new ArgumentError(
      'weights',
      `weights are from ${least} to ${most}; the greatest may be ${GREATEST_RATIO} times the least, and ${GREATEST_WEIGHT}`,
    );
  }
  return Float64Array.from(weights);
}

export function requireShare(argument: string, share: number): void {
  if (share > 0 && share <= 1) return;
  throw new ArgumentError(argument, `${argument} is ${share}; expected a number above 0, at most 1`);
}

/** 0 … n - 1. */
export function firstNumbers(n: number): Int32Array {
  return Int32Array.from({ length: n }, (_, i) => i);
}

/** `size` of 0 … n - 1 without replacement, ascending; nothing is drawn for all of them. */
export function drawInOrder(n: number, size: number, key: Key): Int32Array {
  return size === n ? firstNumbers(n) : Int32Array.from(new Stream(key).choose(n, size)).sort();
}
