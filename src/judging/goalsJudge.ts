/**
 * Several goals as one score: each goal has a process of its own, and the desirability of a design is that of its goals'
 * distributions, by the same few draws for every design. A desirability bends and saturates, goals mostly do not, so
 * this needs fewer rows than a process of the desirability itself.
 */

import type { Opinion } from '../models/opinion.js';
import type { ProcessJudge } from '../models/processJudge.js';
import { fromScale, type Response, responsesFor } from '../models/response.js';
import { foldKey, type Key, rootKey } from '../numeric/key.js';
import { portableLog1p } from '../numeric/portable.js';
import { Stream } from '../numeric/random.js';
import { normalQuantile } from '../numeric/special.js';
import { type GoalLimits, type ScoreRule, scoreOf, within } from '../problem/index.js';

/** Draws of every goal. */
const DRAWS = 24;

/** What the panel asks of its first judge. */
export type ScoreJudge = Pick<
  ProcessJudge,
  'response' | 'noise' | 'read' | 'quick' | 'means' | 'together' | 'leaveOneOut' | 'gammaOf' | 'relevance'
> & {
  without(hidden: ReadonlySet<number>, key: Key): ScoreJudge;
  sketch(key: Key): ScoreJudge;
};

export class GoalsJudge implements ScoreJudge {
  readonly response: Response;
  readonly noise: number;
  /** Normal draws, goal by goal. */
  readonly draws: readonly Float64Array[];

  /** `y`: the scores of the rows, for their scale. */
  constructor(
    private readonly goals: readonly ProcessJudge[],
    private readonly rule: ScoreRule,
    private readonly limits: readonly GoalLimits[],
    private readonly y: Float64Array,
  ) {
    [this.response] = responsesFor(y) as [Response];
    // every goal sees each quantile once, in an order of its own
    this.draws = goals.map((_, g) => {
      const order = new Stream(foldKey(rootKey(g), 'goals judge')).permutation(DRAWS);
      return Float64Array.from(order, (i) => normalQuantile((i + 0.5) / DRAWS));
    });
    this.noise = this.noiseAt(goals[0]!.leaveOneOut());
  }

  read(x: ArrayLike<number>): Opinion {
    return this.compose(this.goals.map((goal) => goal.read(x)));
  }

  quick(): Pick<ScoreJudge, 'read'> {
    const goals = this.goals.map((goal) => goal.quick());
    return { read: (x) => this.compose(goals.map((goal) => goal.read(x))) };
  }

  means(x: ArrayLike<number>): Float64Array {
    return this.read(x).mean;
  }

  together(x: ArrayLike<number>, normals: readonly Float64Array[]): Float64Array[] {
    const half = normals.length >> 1;
    // goals are drawn apart from each other: each takes the normals from another place on
    const all = this.goals.map((goal, g) => {
      const shift = (g * half) % Math.max(1, normals.length);
      return goal.together(x, [...normals.slice(shift), ...normals.slice(0, shift)]);
    });
    return normals.map((normal, s) =>
      normal.map((_, i) => {
        const values = this.goals.map((goal, g) =>
          within(this.limits[g]!, fromScale(goal.response, all[g]![s]![i]!)),
        );
        return (scoreOf(this.rule, values) - this.response.mean) / this.response.deviation;
      }),
    );
  }

  leaveOneOut(): Opinion & { readonly rows: readonly number[] } {
    const all = this.goals.map((goal) => goal.leaveOneOut());
    return { rows: all[0]!.rows, ...this.compose(all) };
  }

  without(hidden: ReadonlySet<number>, key: Key): GoalsJudge {
    return new GoalsJudge(
      this.goals.map((goal, g) => goal.without(hidden, foldKey(key, g))),
      this.rule,
      this.limits,
      this.y,
    );
  }

  sketch(key: Key): GoalsJudge {
    return new GoalsJudge(
      this.goals.map((goal) => goal.sketch(key)),
      this.rule,
      this.limits,
      this.y,
    );
  }

  gammaOf(deviation: number): number {
    return portableLog1p((deviation * deviation) / this.noise);
  }

  /** The largest of the goals' relevances. */
  relevance(key: Key): Float64Array {
    const all = this.goals.map((goal) => goal.relevance(key));
    return all[0]!.map((_, j) => all.reduce((most, one) => Math.max(most, one[j]!), 0));
  }

  private compose(opinions: readonly Opinion[]): Opinion {
    const n = opinions[0]!.mean.length;
    const mean = new Float64Array(n);
    const deviation = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      let [sum, squares] = [0, 0];
      for (let t = 0; t < DRAWS; t++) {
        const values = opinions.map((opinion, g) => {
          const z = opinion.mean[i]! + opinion.deviation[i]! * this.draws[g]![t]!;
          return within(this.limits[g]!, fromScale(this.goals[g]!.response, z));
        });
        const score = scoreOf(this.rule, values);
        sum += score;
        squares += score * score;
      }
      const average = sum / DRAWS;
      mean[i] = (average - this.response.mean) / this.response.deviation;
      deviation[i] = Math.max(
        1e-3,
        Math.sqrt(Math.max(0, squares / DRAWS - average * average)) / this.response.deviation,
      );
    }
    return { mean, deviation };
  }

  /** What the noise of the goals does to the score, at the rows. */
  private noiseAt(first: { readonly rows: readonly number[] }): number {
    const noisy = this.goals.map((goal) => {
      const { mean } = goal.leaveOneOut();
      return { mean, deviation: mean.map(() => Math.sqrt(goal.noise)) };
    });
    const { deviation } = this.compose(noisy);
    let sum = 0;
    for (const one of deviation) sum += one * one;
    return Math.max(1e-4, sum / first.rows.length);
  }
}
