/**
 * Eigenvalues and eigenvectors of a symmetric matrix: Householder reflections to tridiagonal form, then the QL
 * algorithm with implicit shifts (Golub & Van Loan, Alg. 8.3.1 and 8.3.3). About 9 n^3 operations.
 */
import { requireCount, requireFinite, requireLength } from './errors.js';
import { rowOf } from './rows.js';

export interface SymmetricEigen {
  /** n, ascending. */
  readonly values: Float64Array;
  /** n x n, row i is the unit eigenvector of value i. */
  readonly vectors: Float64Array;
}

/** Sweeps per eigenvalue; 2 are usual. */
const MOST_SWEEPS = 60;

/** `a` n x n; only its lower triangle is read. */
export function symmetricEigen(a: ArrayLike<number>, n: number): SymmetricEigen {
  requireCount('n', n);
  requireLength('a', a, n * n);
  requireFinite('a', a);
  const diagonal = new Float64Array(n);
  const beside = new Float64Array(n);
  const vectors = tridiagonalize(a, n, diagonal, beside);
  diagonalize(diagonal, beside, vectors, n);
  return inOrder(diagonal, vectors, n);
}

/** Fills the tridiagonal form T; returns Q' with A = Q T Q'. */
function tridiagonalize(
  a: ArrayLike<number>,
  n: number,
  diagonal: Float64Array,
  beside: Float64Array,
): Float64Array {
  const A = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) A[i * n + j] = A[j * n + i] = a[i * n + j]!;
  const Q = new Float64Array(n * n);
  for (let i = 0; i < n; i++) Q[i * n + i] = 1;
  const v = new Float64Array(n);
  const p = new Float64Array(n);
  for (let k = 0; k < n - 2; k++) {
    let squares = 0;
    for (let i = k + 1; i < n; i++) {
      v[i] = A[k * n + i]!;
      squares += v[i]! ** 2;
    }
    const length = Math.sqrt(squares);
    const ahead = v[k + 1]! > 0 ? -length : length;
    diagonal[k] = A[k * n + k]!;
    beside[k] = ahead;
    // H = I - beta v v' maps the column below the diagonal to (ahead, 0, ..., 0)
    const lead = v[k + 1]! - ahead;
    if (length === 0 || lead === 0) continue;
    v[k + 1] = lead;
    const beta = 1 / (length * Math.abs(lead)); // 2 / v'v
    let inner = 0;
    for (let i = k + 1; i < n; i++) {
      let sum = 0;
      const row = i * n;
      for (let j = k + 1; j < n; j++) sum += A[row + j]! * v[j]!;
      p[i] = beta * sum;
      inner += p[i]! * v[i]!;
    }
    const half = (beta / 2) * inner;
    for (let i = k + 1; i < n; i++) p[i]! -= half * v[i]!;
    for (let i = k + 1; i < n; i++) {
      const [vi, pi, row] = [v[i]!, p[i]!, i * n];
      for (let j = k + 1; j < n; j++) A[row + j]! -= vi * p[j]! + pi * v[j]!;
    }
    reflectRows(Q, v, p, beta, k + 1, n);
  }
  if (n > 1) {
    diagonal[n - 2] = A[(n - 2) * n + n - 2]!;
    beside[n - 2] = A[(n - 1) * n + n - 2]!;
  }
  diagonal[n - 1] = A[n * n - 1]!;
  return Q;
}

/** Q' = H Q', rows from `from` on; `room` is overwritten. */
function reflectRows(
  Q: Float64Array,
  v: Float64Array,
  room: Float64Array,
  beta: number,
  from: number,
  n: number,
): void {
  room.fill(0);
  for (let i = from; i < n; i++) {
    const [vi, row] = [v[i]!, i * n];
    for (let j = 0; j < n; j++) room[j]! += vi * Q[row + j]!;
  }
  for (let i = from; i < n; i++) {
    const [step, row] = [beta * v[i]!, i * n];
    for (let j = 0; j < n; j++) Q[row + j]! -= step * room[j]!;
  }
}

/** Turns T into its eigenvalues on the diagonal, and the rows of `vectors` with it. */
function diagonalize(d: Float64Array, e: Float64Array, vectors: Float64Array, n: number): void {
  for (let l = 0; l < n; l++) {
    for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
      let m = l;
      while (m < n - 1 && Math.abs(e[m]!) > Number.EPSILON * (Math.abs(d[m]!) + Math.abs(d[m + 1]!))) m++;
      if (m === l) break;
      // Wilkinson's shift
      const g0 = (d[l + 1]! - d[l]!) / (2 * e[l]!);
      const r0 = Math.sqrt(g0 * g0 + 1);
      let g = d[m]! - d[l]! + e[l]! / (g0 + (g0 >= 0 ? r0 : -r0));
      let [s, c, p] = [1, 1, 0];
      let i = m - 1;
      for (; i >= l; i--) {
        const f = s * e[i]!;
        const b = c * e[i]!;
        const r = Math.sqrt(f * f + g * g);
        e[i + 1] = r;
        if (r === 0) {
          d[i + 1]! -= p;
          e[m] = 0;
          break;
        }
        s = f / r;
        c = g / r;
        const shifted = d[i + 1]! - p;
        const turn = (d[i]! - shifted) * s + 2 * c * b;
        p = s * turn;
        d[i + 1] = shifted + p;
        g = c * turn - b;
        rotate(vectors, i * n, (i + 1) * n, n, c, s);
      }
      if (i >= l) continue;
      d[l]! -= p;
      e[l] = g;
      e[m] = 0;
    }
  }
}

function rotate(rows: Float64Array, a: number, b: number, n: number, c: number, s: number): void {
  for (let k = 0; k < n; k++) {
    const [low, high] = [rows[a + k]!, rows[b + k]!];
    rows[b + k] = s * low + c * high;
    rows[a + k] = c * low - s * high;
  }
}

function inOrder(d: Float64Array, vectors: Float64Array, n: number): SymmetricEigen {
  const order = Array.from(d.keys()).sort((i, j) => d[i]! - d[j]! || i - j);
  const sorted = new Float64Array(n * n);
  order.forEach((from, to) => {
    sorted.set(rowOf(vectors, n, from), to * n);
  });
  return { values: Float64Array.from(order, (i) => d[i]!), vectors: sorted };
}
