/**
 * The loss of D and one more row (query, label) as a function of t, theta = theta0 + sum_d t_d v_d, for four directions
 * v_d; and its minimum for every label of the query.
 *
 *     sum_i w_i (loss_i(mu_i + a_i . t) - loss_i'(mu_i) a_i . t) + ridge/2 |theta - theta0|^2 + loss(mu0 + c . t, label)
 *
 * a_i = (phi_i . v_d)_d, c = (query . v_d)_d: the gradient without the last term vanishes at t = 0, the fit to D.
 */
import type { Head } from './discretizedLogistic.js';
import { type SlopeTable, slopeAt } from './slopeTable.js';

/** Directions. Fewer are padded with zeros. */
export const D = 4;

/** Rows of D, sorted so that those of one table follow each other. */
export interface Rows {
  /** m x p. */
  readonly phi: Float64Array;
  readonly mu: Float64Array;
  readonly weights: Float64Array;
  /** T at `mu`. */
  readonly slopes: Float64Array;
  readonly groups: readonly { readonly table: SlopeTable; readonly from: number; readonly to: number }[];
  /** Of a label that is known. */
  readonly table: SlopeTable;
}

/** A query and the directions in which the fit may move for it. */
export interface QuerySubspace {
  /** a_i, m x D. */
  readonly moves: Float64Array;
  /** c, D. */
  readonly query: Float64Array;
  /** ridge v_d . v_e, D x D. */
  readonly ridge: Float64Array;
  readonly mu0: number;
}

const MOST_STEPS = 50;
const MOST_CUTS = 40;
/** Of s, at the query; the Newton step that is this small leaves an error of about its square. */
const SMALL_MOVE = 1e-3;
/** Of the label range, at the query: a longer step, where all is saturated, ends on a plateau far away. */
const LARGE_MOVE = 2;
/** Up to this many bins every label is solved for; of more, some in the middle are interpolated. */
const ALL_LABELS = 12;

export class AugmentedLoss {
  readonly t = new Float64Array(D);
  private readonly gradient = new Float64Array(D);
  private readonly hessian = new Float64Array(D * D);
  private readonly step = new Float64Array(D);
  private readonly factor = new Float64Array(D * D);
  private readonly labels: readonly number[];
  private readonly slopes: Float64Array;
  /** (label + 1) / (K s) of the label that `gradient` is for. */
  private pull = 0;
  private mu = 0;
  private subspace: QuerySubspace | undefined;

  constructor(
    private readonly head: Head,
    private readonly rows: Rows,
  ) {
    this.labels = solvedLabels(head.bins);
    this.slopes = new Float64Array(head.bins);
  }

  /** Looks at another query, from t = 0. */
  open(subspace: QuerySubspace): void {
    this.subspace = subspace;
    this.t.fill(0);
    this.pull = 0;
    this.evaluate(subspace);
  }

  /** The output at the query for every label, K: solved or, between solved labels, a monotone cubic. */
  follow(mu: Float64Array): void {
    const { labels, slopes, head } = this;
    const agreed = slopeAt(this.rows.table, this.subspace!.mu0) * head.bins * head.scale - 1; // the label of t = 0
    const solve = (label: number) => {
      mu[label] = this.settle(label);
      slopes[label] = this.slopeInLabel();
    };
    for (const label of labels) if (label >= agreed) solve(label);
    this.open(this.subspace!);
    for (const label of labels.toReversed()) if (label < agreed) solve(label);
    for (let at = 1; at < labels.length; at++) {
      const [from, to] = [labels[at - 1], labels[at]];
      const rise = (mu[to] - mu[from]) / (to - from);
      // with slopes up to three times the secant a cubic stays monotone (Fritsch & Carlson 1980)
      const [left, right] = [Math.min(slopes[from], 3 * rise), Math.min(slopes[to], 3 * rise)];
      for (let k = from + 1; k < to; k++) {
        const u = (k - from) / (to - from);
        const bend = (1 - u) * (left - rise) - u * (right - rise);
        mu[k] = mu[from] + (to - from) * (u * rise + u * (1 - u) * bend);
      }
    }
  }

  /** Moves t from where it is to the minimum for `label`; returns the output at the query. */
  settle(label: number): number {
    const { t, gradient, step, head } = this;
    const subspace = this.subspace!;
    const pull = (label + 1) / (head.bins * head.scale);
    for (let d = 0; d < D; d++) gradient[d] += (this.pull - pull) * subspace.query[d];
    this.pull = pull;
    for (let count = 0; count < MOST_STEPS; count++) {
      solveSmall(this.hessian, gradient, step, this.factor);
      const whole = Math.abs(dot4(subspace.query, step));
      if (whole > LARGE_MOVE) for (let d = 0; d < D; d++) step[d] *= LARGE_MOVE / whole;
      for (let d = 0; d < D; d++) t[d] -= step[d];
      const move = dot4(subspace.query, step);
      if (Math.abs(move) <= SMALL_MOVE * head.scale) {
        gradient.fill(0);
        this.mu -= move;
        break;
      }
      const behind = dot4(gradient, step);
      this.evaluate(subspace);
      this.shorten(subspace, behind);
    }
    return this.mu;
  }

  /**
   * The loss is convex: where the slope ahead is above half the slope behind, the whole step went too far and is
   * shortened until the slope there, either way, is below half.
   */
  private shorten(subspace: QuerySubspace, behind: number): void {
    const { t, gradient, step } = this;
    let ahead = -dot4(gradient, step);
    if (!(ahead > 0.5 * behind)) return;
    let [near, far] = [0, 1];
    let factor = 1;
    for (let cut = 0; cut < MOST_CUTS && Math.abs(ahead) > 0.5 * behind; cut++) {
      if (ahead > 0) far = factor;
      else near = factor;
      const next = (near + far) / 2;
      for (let d = 0; d < D; d++) t[d] += (factor - next) * step[d];
      factor = next;
      this.evaluate(subspace);
      ahead = -dot4(gradient, step);
    }
  }

  /** loss' at the query for the label that was settled last. */
  slopeAtQuery(): number {
    return slopeAt(this.rows.table, this.mu) - this.pull;
  }

  /** w_i (loss_i' at t less that at 0), into m numbers. */
  rowSlopes(into: Float64Array): void {
    const { mu, weights, slopes, groups } = this.rows;
    const { moves } = this.subspace!;
    const [t0, t1, t2, t3] = this.t;
    for (const { table, from, to } of groups) {
      for (let i = from, at = D * from; i < to; i++, at += D) {
        const move = t0 * moves[at] + t1 * moves[at + 1] + t2 * moves[at + 2] + t3 * moves[at + 3];
        into[i] = weights[i] * (slopeAt(table, mu[i] + move) - slopes[i]);
      }
    }
  }

  /** d mu / d label = c' H^-1 c / (K s). */
  private slopeInLabel(): number {
    const { query } = this.subspace!;
    solveSmall(this.hessian, query, this.step, this.factor);
    return dot4(query, this.step) / (this.head.bins * this.head.scale);
  }

  /** Gradient, Hessian (lower triangle) and output at t. */
  private evaluate({ moves, query, ridge, mu0 }: QuerySubspace): void {
    const { t, gradient, hessian, rows } = this;
    const { mu, weights, slopes } = rows;
    const t0 = t[0];
    const t1 = t[1];
    const t2 = t[2];
    const t3 = t[3];
    let g0 = 0;
    let g1 = 0;
    let g2 = 0;
    let g3 = 0;
    let h00 = 0;
    let h10 = 0;
    let h11 = 0;
    let h20 = 0;
    let h21 = 0;
    let h22 = 0;
    let h30 = 0;
    let h31 = 0;
    let h32 = 0;
    let h33 = 0;
    for (const { table, from, to } of rows.groups) {
      const { start, perUnit, values } = table;
      const last = values.length - 1;
      for (let i = from, at = D * from; i < to; i++, at += D) {
        const a0 = moves[at];
        const a1 = moves[at + 1];
        const a2 = moves[at + 2];
        const a3 = moves[at + 3];
        const x = (mu[i] + t0 * a0 + t1 * a1 + t2 * a2 + t3 * a3 - start) * perUnit;
        const weight = weights[i];
        if (!(x > 0 && x < last)) {
          const slope = weight * (values[x > 0 ? last : 0] - slopes[i]);
          g0 += slope * a0;
          g1 += slope * a1;
          g2 += slope * a2;
          g3 += slope * a3;
          continue;
        }
        const cell = Math.trunc(x);
        const value = values[cell];
        const rise = values[cell + 1] - value;
        const slope = weight * (value + (x - cell) * rise - slopes[i]);
        const curvature = weight * rise * perUnit;
        g0 += slope * a0;
        g1 += slope * a1;
        g2 += slope * a2;
        g3 += slope * a3;
        const c0 = curvature * a0;
        const c1 = curvature * a1;
        const c2 = curvature * a2;
        h00 += c0 * a0;
        h10 += c0 * a1;
        h11 += c1 * a1;
        h20 += c0 * a2;
        h21 += c1 * a2;
        h22 += c2 * a2;
        h30 += c0 * a3;
        h31 += c1 * a3;
        h32 += c2 * a3;
        h33 += curvature * a3 * a3;
      }
    }
    gradient.set([g0, g1, g2, g3]);
    hessian.set([h00, 0, 0, 0, h10, h11, 0, 0, h20, h21, h22, 0, h30, h31, h32, h33]);
    this.mu = mu0 + dot4(query, t);
    const { start, perUnit, values } = rows.table;
    const x = (this.mu - start) * perUnit;
    const cell = Math.trunc(x);
    const curvature = x > 0 && x < values.length - 1 ? (values[cell + 1] - values[cell]) * perUnit : 0;
    const slope = this.slopeAtQuery();
    for (let d = 0; d < D; d++) {
      gradient[d] += slope * query[d];
      for (let e = 0; e < D; e++) gradient[d] += ridge[d * D + e] * t[e];
      for (let e = 0; e <= d; e++) hessian[d * D + e] += curvature * query[d] * query[e] + ridge[d * D + e];
    }
  }
}

/** Labels from both ends inwards with growing gaps: mu bends most at the ends, where outputs saturate. */
function solvedLabels(K: number): number[] {
  if (K <= ALL_LABELS) return Array.from({ length: K }, (_, k) => k);
  const labels = new Set<number>();
  for (let gap = 0; gap <= (K - 1) / 2; gap += Math.max(1, Math.ceil(gap / 2))) {
    labels.add(gap).add(K - 1 - gap);
  }
  return [...labels].toSorted((a, b) => a - b);
}

/** Unrolled: the innermost product of a readout. */
function dot4(a: Float64Array, b: Float64Array): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/** L of H = L L', of the lower triangle; a direction whose pivot is below `least` of its diagonal gets zeros. */
export function factorSmall(h: Float64Array, l: Float64Array, least: number): void {
  for (let i = 0; i < D; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = h[i * D + j];
      for (let k = 0; k < j; k++) rest -= l[i * D + k] * l[j * D + k];
      if (i !== j) l[i * D + j] = l[j * D + j] > 0 ? rest / l[j * D + j] : 0;
      else l[i * D + i] = rest > least * h[i * D + i] ? Math.sqrt(rest) : 0;
    }
  }
}

/** x of H x = b; 0 for a direction that depends on those before it. */
function solveSmall(h: Float64Array, b: Float64Array, x: Float64Array, l: Float64Array): void {
  factorSmall(h, l, 1e-12);
  for (let i = 0; i < D; i++) {
    let rest = b[i];
    for (let k = 0; k < i; k++) rest -= l[i * D + k] * x[k];
    x[i] = l[i * D + i] > 0 ? rest / l[i * D + i] : 0;
  }
  for (let i = D - 1; i >= 0; i--) {
    let rest = x[i];
    for (let k = i + 1; k < D; k++) rest -= l[k * D + i] * x[k];
    x[i] = l[i * D + i] > 0 ? rest / l[i * D + i] : 0;
  }
}
