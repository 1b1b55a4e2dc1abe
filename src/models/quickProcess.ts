/**
 * A Gaussian process of few of its rows that still stands for all of them, for curves that follow a finger: reading it costs the
 * square of the rows it is made of, not of all N.
 *
 *   K ~ L L'                     partial Cholesky factor (N x M) of the M rows whose variance is left most at each step
 *                                (Harbrecht, Peters & Schneider 2012); its rows at the chosen ones are T, lower triangular
 *   B = I + L'L / noise
 *   w = T^-1 k(chosen, x)        mean = w' B^-1 L'z / noise     var = k(x, x) - |w|^2 + |R^-1 w|^2,   B = R R'
 *
 * which is the process with inducing inputs of Titsias (2009, Eq. 6). Variances err on either side, by no more than what
 * the factor leaves of the rows.
 */
import type { LinearAlgebra } from '../numeric/linalg.js';
import { type ArdRows, ardCovariances, ardVariances, takeArdRows } from './ardKernel.js';
import type { ArdProcess, NormalReadout } from './ardProcess.js';

/** Rows that are chosen, at most. */
const MOST = 160;
/** Variance left at every row below which no more are chosen, against the noise. */
const LITTLE = 1e-3;

export class QuickProcess {
  private readonly chosen: ArdRows;
  private readonly triangle: Float64Array;
  private readonly triangleHolder: LinearAlgebra;
  private readonly root: Float64Array;
  private readonly rootHolder: LinearAlgebra;
  /** B^-1 L'z / noise. */
  private readonly weights: Float64Array;

  constructor(
    private readonly linalg: LinearAlgebra,
    private readonly of: ArdProcess,
  ) {
    const { rows, z, shape, parameters } = of;
    const { pivots, factor } = pivotedFactor(linalg, of);
    const [n, m] = [rows.count, pivots.length];
    this.chosen = takeArdRows(shape, rows, pivots);
    this.triangle = new Float64Array(m * m);
    pivots.forEach((row, i) => {
      for (let j = 0; j <= i; j++) this.triangle[i * m + j] = factor[j]![row]!;
    });
    const flat = new Float64Array(m * n);
    factor.forEach((column, j) => {
      flat.set(column, j * n);
    });
    const b = linalg.multiplyTransposed(flat, flat, m, m, n).map((value) => value / parameters.noise);
    const right = new Float64Array(m);
    for (let j = 0; j < m; j++) {
      b[j * m + j]! += 1;
      let sum = 0;
      for (let i = 0; i < n; i++) sum += factor[j]![i]! * z[i]!;
      right[j] = sum / parameters.noise;
    }
    this.root = linalg.cholesky(b, m);
    this.weights = linalg.solveCholesky(this.root, m, right);
    this.triangleHolder = linalg.hold(this.triangle);
    this.rootHolder = linalg.hold(this.root);
  }

  predict(at: ArdRows): NormalReadout {
    const { shape, parameters } = this.of;
    const [m, count] = [this.weights.length, at.count];
    const k = ardCovariances(this.linalg, shape, parameters, this.chosen, at);
    const w = this.triangleHolder.solveLower(this.triangle, m, k, count);
    const settled = this.rootHolder.solveLower(this.root, m, w, count);
    const mean = new Float64Array(count);
    const variance = ardVariances(shape, parameters, at);
    for (let j = 0, i = 0; j < m; j++) {
      for (let q = 0; q < count; q++, i++) {
        mean[q]! += this.weights[j]! * w[i]!;
        variance[q]! += settled[i]! * settled[i]! - w[i]! * w[i]!;
      }
    }
    const floor = 1e-10 * (1 + parameters.v);
    return { mean, variance: variance.map((value) => Math.max(floor, value)) };
  }
}

/** The chosen rows, and the columns of the factor, N each. */
function pivotedFactor(
  linalg: LinearAlgebra,
  { rows, shape, parameters }: ArdProcess,
): { readonly pivots: readonly number[]; readonly factor: readonly Float64Array[] } {
  const left = ardVariances(shape, parameters, rows);
  const pivots: number[] = [];
  const factor: Float64Array[] = [];
  while (pivots.length < Math.min(MOST, rows.count)) {
    let pivot = 0;
    for (let i = 1; i < left.length; i++) if (left[i]! > left[pivot]!) pivot = i;
    if (left[pivot]! <= LITTLE * parameters.noise && pivots.length > 0) break;
    const column = ardCovariances(linalg, shape, parameters, takeArdRows(shape, rows, [pivot]), rows);
    for (const earlier of factor) {
      const share = earlier[pivot]!;
      for (let i = 0; i < column.length; i++) column[i]! -= share * earlier[i]!;
    }
    const diagonal = Math.sqrt(left[pivot]!);
    for (let i = 0; i < column.length; i++) {
      column[i]! /= diagonal;
      left[i] = Math.max(0, left[i]! - column[i]! * column[i]!);
    }
    // what was chosen has no variance left, whatever rounding says
    column[pivot] = diagonal;
    for (const chosen of pivots) column[chosen] = 0;
    left[pivot] = 0;
    pivots.push(pivot);
    factor.push(column);
  }
  return { pivots, factor };
}
