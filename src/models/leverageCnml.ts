/**
 * Conditional NML (Eq. 2) of a last layer with m phantom rows instead of one, in its leverage form, and its slopes. The
 * fit that was told m times that the query has label k moves the output there from mu0 to
 *
 *     mu_k = mu0 - m lambda loss_k'(mu_k),   lambda = phi' H^-1 phi
 *
 * H the Hessian of the fit to the data. loss_k' = T(mu) - (k + 1) / (K s), so one table serves all labels. By the implicit
 * function theorem
 *
 *     d mu_k = (d mu0 - m loss_k' d lambda) / (1 + m lambda loss_k'')
 *
 * What is climbed is the mean over the labels of y_mean(mu_k) = s T(mu_k) (§4.2): mu0's own where m lambda is 0, the
 * middle of the range where it is large. It is bounded, so no output can run away.
 */
import type { Head } from './discretizedLogistic.js';
import { binProbability } from './discretizedLogistic.js';
import { type SlopeTable, slopeAt, slopeTable } from './slopeTable.js';

/** At one query. */
export interface LeverageEstimate {
  /** Mean over the labels of y_mean, 0 to 1. */
  mean: number;
  /** Its slopes in mu0 and in lambda. */
  byOutput: number;
  byLeverage: number;
}

const MOST_STEPS = 60;
/** Of s: a Newton step this small leaves an error of about its square. */
const SMALL_MOVE = 1e-6;

export class LeverageCnml {
  private readonly table: SlopeTable;
  private readonly estimate: LeverageEstimate = { mean: 0, byOutput: 0, byLeverage: 0 };

  constructor(private readonly head: Head) {
    this.table = slopeTable(head, 0, 0);
  }

  /** mu_k. */
  output(mu0: number, reach: number, k: number): number {
    const { bins: K, scale: s } = this.head;
    if (reach === 0) return mu0;
    // loss' lies between -1/s and 1/s, and on one side of 0 between mu0 and the label
    const pull = (k + 1) / (K * s);
    const isUp = slopeAt(this.table, mu0) < pull;
    let low = isUp ? mu0 : mu0 - reach / s;
    let high = isUp ? mu0 + reach / s : mu0;
    let mu = Math.max(low, Math.min(high, (k + 0.5) / K));
    for (let step = 0; step < MOST_STEPS; step++) {
      const rest = mu - mu0 + reach * (slopeAt(this.table, mu) - pull);
      if (rest > 0) high = mu;
      else low = mu;
      const next = mu - rest / (1 + reach * this.curvature(mu));
      const inside = next > low && next < high ? next : (low + high) / 2;
      const isClose = Math.abs(inside - mu) <= SMALL_MOVE * s;
      mu = inside;
      if (isClose) break;
    }
    return mu;
  }

  /** Overwritten by the next call. */
  at(mu0: number, lambda: number, m: number): LeverageEstimate {
    const { head, table, estimate } = this;
    const { bins: K, scale: s } = head;
    const reach = m * lambda;
    estimate.mean = 0;
    estimate.byOutput = 0;
    estimate.byLeverage = 0;
    for (let k = 0; k < K; k++) {
      const mu = this.output(mu0, reach, k);
      const T = slopeAt(table, mu);
      const curvature = this.curvature(mu);
      const factor = (s * curvature) / (K * (1 + reach * curvature));
      estimate.mean += (s * T) / K;
      estimate.byOutput += factor;
      estimate.byLeverage -= factor * m * (T - (k + 1) / (K * s));
    }
    return estimate;
  }

  /** p_NML of every bin, K. */
  probabilities(mu0: number, lambda: number, m: number): Float64Array {
    const { head } = this;
    const p = new Float64Array(head.bins);
    let total = 0;
    for (let k = 0; k < head.bins; k++) {
      p[k] = binProbability(head, this.output(mu0, m * lambda, k), k);
      total += p[k]!;
    }
    return p.map((value) => value / total);
  }

  /** loss'' = T', of the table's cell. */
  curvature(mu: number): number {
    const { start, perUnit, values } = this.table;
    const x = (mu - start) * perUnit;
    if (!(x > 0 && x < values.length - 1)) return 0;
    const cell = Math.trunc(x);
    return (values[cell + 1]! - values[cell]!) * perUnit;
  }
}
