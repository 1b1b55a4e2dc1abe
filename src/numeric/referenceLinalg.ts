import type { Kernel } from './backend.js';
import {
  type PairKernel,
  type PairRows,
  type PairTable,
  type PairValues,
  pairCovariances,
  pairSlopes,
  pairValues,
} from './pairKernel.js';

/** Which triangular systems to solve, in this order: L X = B, L' X = B. */
export interface TriangularSolve {
  readonly lower: boolean;
  readonly transposed: boolean;
}

/** What a kernel of the linear algebra does. Its arguments have been checked; what it returns is checked after it. */
export interface LinalgKernel {
  readonly kernel: Kernel;
  /** L of A = L L', or the index of the first pivot that is not positive. */
  factor(a: Float64Array, n: number): Float64Array | number;
  solve(which: TriangularSolve, l: Float64Array, n: number, b: Float64Array, columns: number): Float64Array;
  /** A B', `a` rowsA x columns, `b` rowsB x columns. */
  multiplyTransposed(
    a: Float64Array,
    b: Float64Array,
    rowsA: number,
    rowsB: number,
    columns: number,
  ): Float64Array;
  /** L^-1, or with `isWhole` (L L')^-1, symmetric. */
  invert(isWhole: boolean, l: Float64Array, n: number): Float64Array;
  /** Of pairKernel.ts. */
  pairCovariances(kernel: PairKernel, numbers: number, a: PairRows, b: PairRows): Float64Array;
  pairValues(kernel: PairKernel, noise: number, table: PairTable): PairValues;
  pairSlopes(
    isMatern: boolean,
    table: PairTable,
    values: PairValues,
    alpha: Float64Array,
    inverted: Float64Array,
  ): Float64Array;
  /** A kernel that need not copy `matrix` when it comes as `l` or `a`. */
  hold(matrix: Float64Array): LinalgKernel;
}

/** The definitions, term by term: slow, and what the others are compared with. */
export const referenceLinalg: LinalgKernel = {
  kernel: 'reference',

  factor(a, n) {
    const l = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        let s = a[i * n + j]!;
        for (let k = 0; k < j; k++) s -= l[i * n + k]! * l[j * n + k]!;
        if (j < i) l[i * n + j] = s / l[j * n + j]!;
        else if (s > 0) l[i * n + i] = Math.sqrt(s);
        else return i;
      }
    }
    return l;
  },

  solve({ lower, transposed }, l, n, b, columns) {
    const x = new Float64Array(b);
    if (lower) {
      for (let i = 0; i < n; i++) {
        for (let k = 0; k < i; k++) subtractRow(x, columns, i, l[i * n + k]!, k);
        divideRow(x, columns, i, l[i * n + i]!);
      }
    }
    if (transposed) {
      for (let i = n - 1; i >= 0; i--) {
        for (let k = i + 1; k < n; k++) subtractRow(x, columns, i, l[k * n + i]!, k);
        divideRow(x, columns, i, l[i * n + i]!);
      }
    }
    return x;
  },

  multiplyTransposed(a, b, rowsA, rowsB, columns) {
    const c = new Float64Array(rowsA * rowsB);
    for (let i = 0; i < rowsA; i++) {
      for (let j = 0; j < rowsB; j++) {
        let s = 0;
        for (let k = 0; k < columns; k++) s += a[i * columns + k]! * b[j * columns + k]!;
        c[i * rowsB + j] = s;
      }
    }
    return c;
  },

  /** By the solution for the identity; what is above the diagonal is taken from below it. */
  invert(isWhole, l, n) {
    const identity = new Float64Array(n * n);
    for (let i = 0; i < n; i++) identity[i * n + i] = 1;
    const x = referenceLinalg.solve({ lower: true, transposed: isWhole }, l, n, identity, n);
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) x[j * n + i] = isWhole ? x[i * n + j]! : 0;
    return x;
  },

  pairCovariances,
  pairValues,
  pairSlopes,

  hold: () => referenceLinalg,
};

/** x_i -= factor x_k */
function subtractRow(x: Float64Array, columns: number, i: number, factor: number, k: number): void {
  for (let j = 0; j < columns; j++) x[i * columns + j]! -= factor * x[k * columns + j]!;
}

function divideRow(x: Float64Array, columns: number, i: number, divisor: number): void {
  for (let j = 0; j < columns; j++) x[i * columns + j]! /= divisor;
}
