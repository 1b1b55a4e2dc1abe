/** How one score of a problem is modelled: the objective that designs are searched for, or a goal by itself. Plain data. */
import type { CrossFitSpec } from '../models/crossFit.js';
import { foldsOf } from '../models/crossFit.js';
import type { Head } from '../models/discretizedLogistic.js';
import { fitQuantizer, labelsOf, type Quantizer } from '../models/quantizer.js';
import { foldKey, type Key } from '../numeric/key.js';
import { extent, topIndices } from '../numeric/stats.js';
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

/** `hasRoomBelow`: values below all that was seen can be predicted too, as for a goal with a target. */
export function scoreModel(
  name: string,
  problem: Problem,
  plan: Plan,
  y: Float64Array,
  key: Key,
  { hasRoomBelow = false, box = 0.01 as number | null } = {},
): ScoreModel {
  const { data, space } = problem;
  const encoding = fitEncoding(data, space, { box });
  const fitted = fitQuantizer(y, plan.judge);
  const room = hasRoomBelow ? fitted.high - extent(y).max : 0;
  const quantizer = { ...fitted, low: fitted.low - Math.max(0, room) };
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

/** The objective's model, then one per goal where the objective is not a goal itself. */
export function scoreModels(problem: Problem, plan: Plan, key: Key): ScoreModel[] {
  const { rule, data, goalValues } = problem;
  const goals = rule.kind === 'value' ? [] : rule.parts.map(({ goal }) => goal);
  return [
    scoreModel(OBJECTIVE, problem, plan, data.y, key),
    ...goals.map(({ label }, i) =>
      scoreModel(label, problem, plan, goalValues[i]!, key, { hasRoomBelow: true }),
    ),
  ];
}
