/**
 * Dense float64 linear algebra for Gaussian processes: Cholesky factor, triangular solves, products.
 * Matrices are row-major. Arguments are never changed, results are new arrays.
 */
import type { Kernel } from './backend.js';
import {
  ArgumentError,
  NotFiniteError,
  OutOfMemoryError,
  requireCount,
  requireFinite,
  requireLength,
  requireSteps,
} from './errors.js';
import { type KernelChoice, loadKernel } from './kernels/load.js';
import { nativeLinalg } from './nativeLinalg.js';
import {
  type PairKernel,
  type PairRows,
  type PairTable,
  type PairValues,
  tableStride,
} from './pairKernel.js';
import { portableLog } from './portable.js';
import { type LinalgKernel, referenceLinalg, type TriangularSolve } from './referenceLinalg.js';
import { MOST_BYTES, WasmLinalg } from './wasmLinalg.js';

/** A matrix without a Cholesky factor, in float64 at least: more noise on its diagonal would give it one. */
export class NotPositiveDefiniteError extends Error {
  override readonly name = 'NotPositiveDefiniteError';

  constructor(
    /** Name of the offending argument. */
    readonly argument: string,
    /** Index of the first row whose pivot is not positive; the rows before it are positive definite. */
    readonly pivot: number,
  ) {
    super(`${argument} is not positive definite: pivot ${pivot} is not positive`);
  }
}

export interface LinearAlgebraOptions {
  /** Default: the environment's `NEMOKIT_KERNEL`, else `auto`. */
  readonly kernel?: KernelChoice | undefined;
}

/**
 * `a`, `l` n x n, `b` n x columns (default 1). Of `l` and, but for the check that it is finite, of `a` only the lower
 * triangle is read; the diagonal of `l` must be positive. Throws `ShapeError` for a wrong length, `NotFiniteError` for
 * NaN or an infinity, in an argument or by overflow in the result, and `OutOfMemoryError`.
 */
export interface LinearAlgebra {
  readonly kernel: Kernel;
  /** L of A = L L', lower triangular with a positive diagonal. Throws `NotPositiveDefiniteError`. */
  cholesky(a: Float64Array, n: number): Float64Array;
  /** X of L X = B. */
  solveLower(l: Float64Array, n: number, b: Float64Array, columns?: number): Float64Array;
  /** X of L' X = B. */
  solveLowerTransposed(l: Float64Array, n: number, b: Float64Array, columns?: number): Float64Array;
  /** X of L L' X = B. */
  solveCholesky(l: Float64Array, n: number, b: Float64Array, columns?: number): Float64Array;
  /** log det(L L') = 2 sum of log l_ii. */
  logDeterminant(l: Float64Array, n: number): number;
  /** A B', rowsA x rowsB, of `a` rowsA x columns and `b` rowsB x columns. */
  multiplyTransposed(
    a: Float64Array,
    b: Float64Array,
    rowsA: number,
    rowsB: number,
    columns: number,
  ): Float64Array;
  /** L^-1, lower triangular. */
  invertLower(l: Float64Array, n: number): Float64Array;
  /** (L L')^-1, symmetric. */
  invertCholesky(l: Float64Array, n: number): Float64Array;
  /**
   * Covariances of all pairs of rows, n x m, with the same bits on every kernel (pairKernel.ts). The first `numbers` of the
   * kernel's columns are numbers, the others classes.
   */
  pairCovariances(kernel: PairKernel, numbers: number, a: PairRows, b: PairRows): Float64Array;
  /** Of the pairs of a table, as pairKernel.ts has them. */
  pairValues(kernel: PairKernel, noise: number, table: PairTable): PairValues;
  pairSlopes(
    isMatern: boolean,
    table: PairTable,
    values: PairValues,
    alpha: Float64Array,
    inverted: Float64Array,
  ): Float64Array;
  /**
   * The same operations, for many calls with `matrix` as their first argument: it is checked and copied to where the
   * kernels compute once, not at every call. It must not be changed afterwards.
   */
  hold(matrix: Float64Array): LinearAlgebra;
}

/**
 * Opens the linear algebra; from then on every call is synchronous and on one thread.
 *
 *     const linalg = await openLinearAlgebra();
 *     const l = linalg.cholesky(Float64Array.of(4, 2, 2, 5), 2); // 2 0 1 2
 *     const x = linalg.solveCholesky(l, 2, Float64Array.of(10, 13)); // 1.5 2
 */
export async function openLinearAlgebra(options: LinearAlgebraOptions = {}): Promise<LinearAlgebra> {
  const { kernel, code } = await loadKernel(options.kernel);
  if (!code) return new CheckedLinalg(referenceLinalg);
  if ('native' in code) return new CheckedLinalg(nativeLinalg(code.native));
  const { module } = code;
  return new CheckedLinalg(withinMemory('kernel', MOST_BYTES / 8, () => new WasmLinalg(kernel, module)));
}

class CheckedLinalg implements LinearAlgebra {
  constructor(
    private readonly inner: LinalgKernel,
    /** Found finite before. */
    private readonly held: Float64Array | null = null,
  ) {}

  get kernel(): Kernel {
    return this.inner.kernel;
  }

  cholesky(a: Float64Array, n: number): Float64Array {
    requireSquare('a', a, n);
    requireFinite('a', a);
    const l = withinMemory('a', n * n, () => this.inner.factor(a, n));
    if (typeof l === 'number') throw new NotPositiveDefiniteError('a', l);
    return l;
  }

  solveLower(l: Float64Array, n: number, b: Float64Array, columns = 1): Float64Array {
    return this.solve({ lower: true, transposed: false }, l, n, b, columns);
  }

  solveLowerTransposed(l: Float64Array, n: number, b: Float64Array, columns = 1): Float64Array {
    return this.solve({ lower: false, transposed: true }, l, n, b, columns);
  }

  solveCholesky(l: Float64Array, n: number, b: Float64Array, columns = 1): Float64Array {
    return this.solve({ lower: true, transposed: true }, l, n, b, columns);
  }

  logDeterminant(l: Float64Array, n: number): number {
    requireFactor(l, n);
    let sum = 0;
    for (let i = 0; i < n; i++) sum += portableLog(l[i * n + i]!);
    return 2 * sum;
  }

  multiplyTransposed(
    a: Float64Array,
    b: Float64Array,
    rowsA: number,
    rowsB: number,
    columns: number,
  ): Float64Array {
    requireCount('rowsA', rowsA);
    requireCount('rowsB', rowsB);
    requireCount('columns', columns);
    requireLength('a', a, rowsA * columns);
    requireLength('b', b, rowsB * columns);
    if (a !== this.held) requireFinite('a', a);
    requireFinite('b', b);
    const product = withinMemory('rowsB', rowsA * rowsB, () =>
      this.inner.multiplyTransposed(a, b, rowsA, rowsB, columns),
    );
    if (!areFinite(product)) throw new NotFiniteError('a', "the product of a and b' overflows");
    return product;
  }

  invertLower(l: Float64Array, n: number): Float64Array {
    return this.invert(false, l, n);
  }

  invertCholesky(l: Float64Array, n: number): Float64Array {
    return this.invert(true, l, n);
  }

  pairCovariances(kernel: PairKernel, numbers: number, a: PairRows, b: PairRows): Float64Array {
    requireSteps('numbers', numbers);
    const columns = kernel.inverse.length;
    requireLength('effects', kernel.effects, columns);
    if (numbers > columns) throw new ArgumentError('numbers', `numbers is ${numbers} of ${columns} columns`);
    for (const [name, rows] of Object.entries({ a, b })) {
      requireLength(`${name}.x`, rows.x, rows.count * numbers);
      requireLength(`${name}.k`, rows.k, rows.count * (columns - numbers));
      requireFinite(`${name}.x`, rows.x);
    }
    return withinMemory('b', a.count * b.count, () => this.inner.pairCovariances(kernel, numbers, a, b));
  }

  pairValues(kernel: PairKernel, noise: number, table: PairTable): PairValues {
    requireTable(table);
    requireLength('inverse', kernel.inverse, table.groups);
    requireLength('effects', kernel.effects, table.groups);
    return withinMemory('table', table.n * table.n, () => this.inner.pairValues(kernel, noise, table));
  }

  pairSlopes(
    isMatern: boolean,
    table: PairTable,
    values: PairValues,
    alpha: Float64Array,
    inverted: Float64Array,
  ): Float64Array {
    requireTable(table);
    requireLength('r', values.r, tableStride(table.n));
    requireLength('q', values.q, tableStride(table.n));
    requireLength('alpha', alpha, table.n);
    requireSquare('inverted', inverted, table.n);
    return this.inner.pairSlopes(isMatern, table, values, alpha, inverted);
  }

  hold(matrix: Float64Array): LinearAlgebra {
    requireFinite('matrix', matrix);
    const inner = withinMemory('matrix', matrix.length, () => this.inner.hold(matrix));
    return new CheckedLinalg(inner, matrix);
  }

  private invert(isWhole: boolean, l: Float64Array, n: number): Float64Array {
    requireFactor(l, n);
    const x = withinMemory('l', 2 * n * n, () => this.inner.invert(isWhole, l, n));
    if (!areFinite(x)) {
      requireFiniteBelow(l, n);
      throw new NotFiniteError('l', 'the inverse overflows');
    }
    return x;
  }

  private solve(
    which: TriangularSolve,
    l: Float64Array,
    n: number,
    b: Float64Array,
    columns: number,
  ): Float64Array {
    requireFactor(l, n);
    requireCount('columns', columns);
    requireLength('b', b, n * columns);
    requireFinite('b', b);
    const x = withinMemory('b', n * (n + columns), () => this.inner.solve(which, l, n, b, columns));
    if (!areFinite(x)) {
      // NaN or an infinity below the diagonal always reaches x, so l need not be searched before
      requireFiniteBelow(l, n);
      throw new NotFiniteError('b', 'the solution for b overflows');
    }
    return x;
  }
}

function requireSquare(argument: string, values: Float64Array, n: number): void {
  requireCount('n', n);
  requireLength(argument, values, n * n);
}

/** A square matrix with a positive, finite diagonal. */
function requireFactor(l: Float64Array, n: number): void {
  requireSquare('l', l, n);
  for (let i = 0; i < n; i++) {
    requireFiniteElement(l, i * n + i);
    const pivot = l[i * n + i]!;
    if (pivot <= 0) {
      throw new ArgumentError('l', `l has ${pivot} on its diagonal, in row ${i}; expected a positive number`);
    }
  }
}

function requireFiniteBelow(l: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    for (let at = i * n; at < i * n + i; at++) requireFiniteElement(l, at);
  }
}

function requireTable({ n, groups, apart, alike, product }: PairTable): void {
  const stride = tableStride(n);
  requireCount('n', n);
  requireLength('apart', apart, groups * stride);
  requireLength('alike', alike, groups * stride);
  requireLength('product', product, stride);
}

function requireFiniteElement(l: Float64Array, at: number): void {
  if (!Number.isFinite(l[at])) {
    throw new NotFiniteError(
      'l',
      `l[${at}] is ${l[at]}; every value on and below the diagonal must be finite`,
    );
  }
}

function areFinite(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return false;
  return true;
}

/** Runs `work`; where JavaScript or WebAssembly refuses memory they throw a `RangeError`. */
function withinMemory<T>(argument: string, elements: number, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const megabytes = Math.ceil((elements * Float64Array.BYTES_PER_ELEMENT) / 1e6);
    const error = new OutOfMemoryError(
      argument,
      `${argument} needs ${megabytes} MB, more than this machine gives`,
    );
    error.cause = cause;
    throw error;
  }
}
