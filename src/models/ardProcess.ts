/**
 * A Gaussian process for tables of experiments: the kernel of ardKernel.ts, exact in float64, with predictions for rows
 * it has seen as if it had not (Rasmussen & Williams 2006, Eq. 5.12).
 */
import type { LinearAlgebra } from '../numeric/linalg.js';
import {
  type ArdForm,
  type ArdParameters,
  type ArdRows,
  type ArdShape,
  ardCovariances,
  ardParameters,
  ardVariances,
} from './ardKernel.js';
import { factorWithNoise } from './marginalLikelihood.js';

/** Mean and variance of the noiseless score. */
export interface NormalReadout {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
}

/** Designs that are read out at a time, so that their covariances fit into a cache. */
const AT_ONCE = 256;
/** Variance that makes covariances of many designs invertible, against that of the process. */
const JITTER = 1e-8;

export class ArdProcess {
  readonly parameters: ArdParameters;
  private readonly l: Float64Array;
  /** (K + noise)^-1 z. */
  readonly alpha: Float64Array;
  private readonly holder: LinearAlgebra;

  /** `z`: one score per row, on the scale of the process. */
  constructor(
    private readonly linalg: LinearAlgebra,
    readonly shape: ArdShape,
    readonly rows: ArdRows,
    readonly z: Float64Array,
    readonly theta: Float64Array,
    form: ArdForm,
  ) {
    this.parameters = ardParameters(shape, theta, form);
    const n = rows.count;
    const k = ardCovariances(linalg, shape, this.parameters, rows, rows);
    this.l = factorWithNoise(linalg, k, n, this.parameters.noise);
    this.alpha = linalg.solveCholesky(this.l, n, z);
    this.holder = linalg.hold(this.l);
  }

  mean(at: ArdRows): Float64Array {
    const n = this.rows.count;
    const mean = new Float64Array(at.count);
    this.inParts(at, (part, from) => {
      const k = ardCovariances(this.linalg, this.shape, this.parameters, part, this.rows);
      for (let q = 0, i = 0; q < part.count; q++) {
        let sum = 0;
        for (let j = 0; j < n; j++, i++) sum += k[i]! * this.alpha[j]!;
        mean[from + q] = sum;
      }
    });
    return mean;
  }

  predict(at: ArdRows): NormalReadout {
    const n = this.rows.count;
    const mean = new Float64Array(at.count);
    const variance = ardVariances(this.shape, this.parameters, at);
    const floor = 1e-10 * (1 + this.parameters.v);
    this.inParts(at, (part, from) => {
      const m = part.count;
      const k = ardCovariances(this.linalg, this.shape, this.parameters, this.rows, part);
      const whitened = this.holder.solveLower(this.l, n, k, m);
      for (let j = 0, i = 0; j < n; j++) {
        for (let q = 0; q < m; q++, i++) {
          mean[from + q]! += this.alpha[j]! * k[i]!;
          variance[from + q]! -= whitened[i]! * whitened[i]!;
        }
      }
    });
    for (let q = 0; q < at.count; q++) variance[q] = Math.max(floor, variance[q]!);
    return { mean, variance };
  }

  /** Noiseless scores of all designs together, one row for each row of `normals` (S x m). */
  together(at: ArdRows, normals: readonly Float64Array[]): Float64Array[] {
    const [n, m] = [this.rows.count, at.count];
    const { mean } = this.predict(at);
    const whitened = this.holder.solveLower(
      this.l,
      n,
      ardCovariances(this.linalg, this.shape, this.parameters, this.rows, at),
      m,
    );
    const k = ardCovariances(this.linalg, this.shape, this.parameters, at, at);
    for (let j = 0; j < n; j++) {
      const row = whitened.subarray(j * m, (j + 1) * m);
      for (let a = 0; a < m; a++) for (let b = 0; b < m; b++) k[a * m + b]! -= row[a]! * row[b]!;
    }
    const root = factorWithNoise(this.linalg, k, m, JITTER * (1 + this.parameters.v));
    return normals.map((normal) =>
      mean.map((center, a) => {
        let sum = center;
        for (let b = 0; b <= a; b++) sum += root[a * m + b]! * normal[b]!;
        return sum;
      }),
    );
  }

  /** Every row by the process that has seen all others: mean, and variance of the noiseless score. */
  leaveOneOut(): NormalReadout {
    const n = this.rows.count;
    const root = this.holder.invertLower(this.l, n);
    const diagonal = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      for (let j = 0, at = i * n; j <= i; j++, at++) diagonal[j]! += root[at]! * root[at]!;
    }
    return {
      mean: this.z.map((z, i) => z - this.alpha[i]! / diagonal[i]!),
      variance: diagonal.map((d) => Math.max(0, 1 / d - this.parameters.noise)),
    };
  }

  private inParts({ count, x, k }: ArdRows, read: (part: ArdRows, from: number) => void): void {
    const [c, G] = [this.shape.numbers.length, this.shape.classes.length];
    for (let from = 0; from < count; from += AT_ONCE) {
      const to = Math.min(count, from + AT_ONCE);
      read({ count: to - from, x: x.subarray(from * c, to * c), k: k.subarray(from * G, to * G) }, from);
    }
  }
}
