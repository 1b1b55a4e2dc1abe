/** How one score of a problem is modelled: the objective that designs are searched for, or a goal by itself. Plain data. */
import type { CrossFitSpec } from '../models/crossFit.js';
import { foldsOf } from '../models/crossFit.js';
import type { Head } from '../models/discretizedLogistic.js';
import { fitQuantizer, labelsOf, type Quantizer } from '../models/quantizer.js';
import { foldKey, type Key } from '../numeric/key.js';
import { topIndices } from '../numeric/stats.js';
import type { Problem } from '../problem/index.js';
import { type Encoding, encode, fitEncoding } from '../search/encoding.js';
import type { Plan } from './plan.js';

export interface ScoreModel {
  /** "headline", or the goal in the user's words. */
  readonly name: string;
  readonly plan: Plan;
  readonly encoding: Encoding;
  readonly quantizer: Quantizer;
  readonly head: Head;
  /** N, one per row of the problem's data. */
  readonly y: Float64Array;
  readonly crossFitSpec: CrossFitSpec;
}

/** Name of the objective's model. Random keys and `model.json` depend on it, so it stays. */
export const OBJECTIVE = 'headline';

export function scoreModel(
  name: string,
  problem: Pick<Problem, 'data' | 'space'>,
  plan: Plan,
  y: Float64Array,
  key: Key,
  box: number | null = 0.01,
): ScoreModel {
  const { data, space } = problem;
  const encoding = fitEncoding(data, space, { box });
  const quantizer = fitQuantizer(y, plan.judge);
  const head = { bins: plan.judge.bins, scale: 1 / plan.judge.bins };
  const isObjective = y === data.y;
  return {
    name,
    plan,
    encoding,
    quantizer,
    head,
    y,
    crossFitSpec: {
      encoding,
      head,
      hidden: plan.hidden,
      parameters: encode(encoding, data.x),
      labels: labelsOf(y, quantizer, isObjective ? data.censored : undefined),
      folds: foldsOf(y.length, plan.folds, foldKey(key, 'folds')),
      top: Int32Array.from(topIndices(y, Math.round(plan.hiddenTop * y.length))),
      networksPerGroup: plan.networksPerGroup,
      minibatch: plan.minibatch,
    },
  };
}

/** The model of the objective. */
export function objectiveModel(problem: Pick<Problem, 'data' | 'space'>, plan: Plan, key: Key): ScoreModel {
  return scoreModel(OBJECTIVE, problem, plan, problem.data.y, key);
}
