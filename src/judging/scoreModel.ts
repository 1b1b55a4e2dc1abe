/** How one score of a problem is modelled: the headline that designs are searched for, or a goal by itself. Plain data. */
import type { CrossFitSpec } from '../models/crossFit.js';
import { foldsOf } from '../models/crossFit.js';
import type { Head } from '../models/discretizedLogistic.js';
import { fitQuantizer, labelsOf, type Quantizer } from '../models/quantizer.js';
import { foldKey, type Key } from '../numeric/key.js';
import { topIndices } from '../numeric/stats.js';
import type { TableProblem } from '../problem/index.js';
import { type Encoding, encode, fitEncoding } from '../search/encoding.js';
import type { Table } from '../table/index.js';
import { goalValues } from './headline.js';
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

/** `hasRoomBelow`: values below all that was seen can be predicted too, as for a goal with a target. */
export function scoreModel(
  name: string,
  problem: TableProblem,
  plan: Plan,
  y: Float64Array,
  key: Key,
  { hasRoomBelow = false, box = 0.01 as number | null } = {},
): ScoreModel {
  const { data, space } = problem;
  const encoding = fitEncoding(data, space, { box });
  const fitted = fitQuantizer(y, plan.judge);
  const room = hasRoomBelow ? fitted.high - Math.max(...y) : 0;
  const quantizer = { ...fitted, low: fitted.low - Math.max(0, room) };
  const head = { bins: plan.judge.bins, scale: 1 / plan.judge.bins };
  const isHeadline = y === data.y;
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
      labels: labelsOf(y, quantizer, isHeadline ? data.censored : undefined),
      folds: foldsOf(y.length, plan.folds, foldKey(key, 'folds')),
      top: Int32Array.from(topIndices(y, Math.round(plan.hiddenTop * y.length))),
      networksPerGroup: plan.networksPerGroup,
      minibatch: plan.minibatch,
    },
  };
}

/** The headline's model, then one per goal where the headline is not a goal itself. */
export function scoreModels(problem: TableProblem, table: Table, plan: Plan, key: Key): ScoreModel[] {
  const { rule, data } = problem;
  const goals = rule.kind === 'value' ? [] : rule.parts.map(({ goal }) => goal);
  const values = goalValues(problem, table);
  return [
    scoreModel('headline', problem, plan, data.y, key),
    ...goals.map(({ label }, i) => scoreModel(label, problem, plan, values[i]!, key, { hasRoomBelow: true })),
  ];
}
