/**
 * Two judges of one score who differ usefully: the Gaussian process knows how far it has left the data, the networks
 * bend where it is too smooth. Together they say what to expect of a design, how much they doubt it, and with intervals
 * that are calibrated on rows which neither had seen.
 *
 * On the scale z of the process, with means g, n and deviations s_g, s_n:
 *
 *   m = w g + (1 - w) n        u^2 = w s_g^2 + (1 - w) s_n^2 + w (1 - w) (g - n)^2
 *
 * What is expected is m + b s, s = sqrt(u^2 + noise), and intervals are m + b s -+ q s. b is what promises of the rehearsal
 * turned out to lack or to exceed (dressRehearsal.ts). q is the weighted quantile of |z_i - m_i| / s_i over rows i as
 * judged by those who had not seen them (weighted cross-conformal prediction: D. Prinster et al., JAWS, NeurIPS 2022).
 * Proposals are no random rows: rows that promise much weigh more, w_i = exp(m_i / tau), with tau so large that the
 * weights still stand for an effective sample of 30 rows. The upper end reaches as far as hidden better rows rose above what
 * was said of them.
 */

import type { Opinion } from '../models/opinion.js';
import { fromScale, type Response, toScale } from '../models/response.js';
import { portableExp } from '../numeric/portable.js';
import { normalCdf } from '../numeric/special.js';
import { argsort, spearman } from '../numeric/stats.js';
import type { ScoreJudge } from './goalsJudge.js';
import type { NetworkJudge } from './networkJudge.js';

/** What both judges say, and what follows from it; n each, on the scale of the process. */
export interface JointOpinion extends Opinion {
  readonly gaussian: Opinion;
  readonly networks: Opinion | null;
}

/** How sure an interval is. */
export const COVERAGE = 0.8;
/** What a normal deviation is multiplied with for such an interval. */
const NORMAL = 1.2815515655446004;
/** Effective sample that weights of rows may shrink to. */
const LEAST_SAMPLE = 30;
/** Never narrower than a normal interval would be by this factor, nor wider by that. */
const NARROWEST = 0.6;
const WIDEST = 4;

export interface PanelSettings {
  /** w: how much the process counts, 0 to 1. */
  readonly weight: number;
  /** b. */
  readonly shift: number;
  /** q, and the same for the upper end. */
  readonly reach: number;
  readonly rise: number;
  /** Rows that q stands on, as an effective number. */
  readonly sample: number;
}

/** One row as judged by those who had not seen it. */
export interface Unseen {
  readonly row: number;
  readonly z: number;
  readonly mean: number;
  readonly deviation: number;
}

export class Panel {
  private quick: Pick<ScoreJudge, 'read'> | undefined;

  constructor(
    readonly gaussian: ScoreJudge,
    readonly networks: NetworkJudge | null,
    readonly settings: PanelSettings,
  ) {}

  get response(): Response {
    return this.gaussian.response;
  }

  /** Designs, n x d. `isQuick`: nearly the same, for what follows a finger. */
  async read(x: ArrayLike<number>, isQuick = false): Promise<JointOpinion> {
    if (isQuick) this.quick ??= this.gaussian.quick();
    const gaussian = (isQuick ? this.quick! : this.gaussian).read(x);
    return jointOpinion(gaussian, (await this.networks?.read(x)) ?? null, this.settings.weight);
  }

  /**
   * Scores that designs (m x d) may have together, one row for each row of `normals` (S x m): those of the process, moved
   * and stretched to what both judges say of each design alone.
   */
  async together(x: ArrayLike<number>, normals: readonly Float64Array[]): Promise<Float64Array[]> {
    const { mean, deviation, gaussian } = await this.read(x);
    return this.gaussian
      .together(x, normals)
      .map((draw) =>
        draw.map(
          (value, i) =>
            mean[i]! +
            ((value - gaussian.mean[i]!) * deviation[i]!) / Math.max(1e-12, gaussian.deviation[i]!),
        ),
      );
  }

  /** What is expected, the ends of its interval, and the standard deviation that it stands for. */
  intervalAt(
    mean: number,
    deviation: number,
  ): { expected: number; low: number; high: number; spread: number } {
    const { shift, reach, rise } = this.settings;
    const spread = Math.sqrt(deviation * deviation + this.gaussian.noise);
    const expected = mean + shift * spread;
    const half = reach * spread;
    return { expected, low: expected - half, high: expected + rise * spread, spread: half / NORMAL };
  }

  /** Probability that a design beats a score. */
  chanceOver(score: number, mean: number, deviation: number): number {
    const { expected, spread } = this.intervalAt(mean, deviation);
    return normalCdf((expected - toScale(this.response, score)) / spread);
  }

  scoreAt(z: number): number {
    return fromScale(this.response, z);
  }
}

export function jointOpinion(gaussian: Opinion, networks: Opinion | null, weight: number): JointOpinion {
  if (!networks) return { ...gaussian, gaussian, networks };
  const [w, v] = [weight, 1 - weight];
  const mean = gaussian.mean.map((g, i) => w * g + v * networks.mean[i]!);
  const deviation = gaussian.deviation.map((s, i) => {
    const apart = gaussian.mean[i]! - networks.mean[i]!;
    return Math.sqrt(w * s * s + v * networks.deviation[i]! ** 2 + w * v * apart * apart);
  });
  return { mean, deviation, gaussian, networks };
}

/** q of rows that were judged unseen, and the effective number of rows behind it. */
export function reachOf(unseen: readonly Unseen[], noise: number): { reach: number; sample: number } {
  const weights = weightsOf(unseen);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const needed = unseen.map(
    ({ z, mean, deviation }) => Math.abs(z - mean) / Math.sqrt(deviation ** 2 + noise),
  );
  const order = argsort(needed);
  // the design itself counts as one more row of the greatest weight, which may lie anywhere
  const most = weights.reduce((greatest, weight) => Math.max(greatest, weight), 0);
  let passed = 0;
  let reach = needed[order.at(-1)!]!;
  for (const i of order) {
    passed += weights[i]!;
    if (passed < COVERAGE * (total + most)) continue;
    reach = needed[i]!;
    break;
  }
  const squares = weights.reduce((sum, weight) => sum + weight * weight, 0);
  return {
    reach: Math.max(NARROWEST * NORMAL, Math.min(WIDEST * NORMAL, reach)),
    sample: (total * total) / squares,
  };
}

/** exp(m / tau) with the smallest tau that leaves an effective sample of 30, or of half the rows. */
function weightsOf(unseen: readonly Unseen[]): number[] {
  const top = unseen.reduce((most, { mean }) => Math.max(most, mean), Number.NEGATIVE_INFINITY);
  const wanted = Math.min(LEAST_SAMPLE, unseen.length / 2);
  const at = (inverse: number) => unseen.map(({ mean }) => portableExp((mean - top) * inverse));
  const sampleOf = (weights: readonly number[]) => {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return (total * total) / weights.reduce((sum, weight) => sum + weight * weight, 0);
  };
  let [low, high] = [0, 8];
  for (let halving = 0; halving < 20; halving++) {
    const middle = (low + high) / 2;
    if (sampleOf(at(middle)) >= wanted) low = middle;
    else high = middle;
  }
  return at(low);
}

/** Rank correlation, 0 where one side is constant. */
export function rankCorrelation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const isConstant = (values: ArrayLike<number>) => Array.from(values).every((value) => value === values[0]);
  return a.length < 3 || isConstant(a) || isConstant(b) ? 0 : spearman(a, b);
}
