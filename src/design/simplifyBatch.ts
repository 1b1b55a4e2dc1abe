/** The designs of a batch with as few changes against past runs as their promises allow. */
import type { Advisor } from '../judging/advisor.js';
import type { BatchRules } from '../judging/batchRules.js';
import { frontPoint, hasFront } from '../judging/paretoBatch.js';
import { simplify } from '../judging/simplify.js';
import { type Tier, tierPromise } from '../judging/tiers.js';
import { rowOf } from '../numeric/rows.js';
import { violations } from '../space/index.js';
import { repeatsOf } from './doableDesigns.js';
import type { PickedAs } from './runDocument.js';

/** Part of the way from what is expected to the lower end of the interval that a simpler design may cost. */
const TOLERANCE = 0.05;
/** And of a goal's desirability, where several goals are spread over. */
const GOAL_TOLERANCE = 0.005;

export interface ChosenDesign {
  readonly x: Float64Array;
  readonly pick: PickedAs;
}

/** Kept designs and rows of a list stay as they are. */
export async function simplifyBatch(
  advisor: Advisor,
  chosen: readonly ChosenDesign[],
  rules: BatchRules,
  isFront: boolean,
): Promise<ChosenDesign[]> {
  const { problem, past } = advisor;
  const { space, resolution, data, spec } = problem;
  if (space.choices) return [...chosen];
  const d = space.columns.length;
  const isRepeat = spec.allowRepeats ? () => false : repeatsOf(problem);
  const fixed = new Set((space.fixed ?? []).map(({ column }) => column));
  const held = new Set([...fixed, ...rules.same.flatMap(({ places }) => places)]);
  const simplified = [...chosen];
  for (const [i, { x, pick }] of chosen.entries()) {
    if (pick === 'kept') continue;
    const others = simplified.flatMap((one, k) => (k === i ? [] : [one.x]));
    const [score] = await advisor.scores(x);
    const { row } = past.nearestTo(past.place(x));
    const simpler = await simplify(space, x, rowOf(data.x, d, row), {
      promise: isFront ? goalPromise(advisor, x, pick) : scorePromise(advisor, pick),
      tolerance: isFront ? GOAL_TOLERANCE : TOLERANCE * Math.abs(score!.expected - score!.low),
      isAllowed: (next) =>
        violations(space, next).length === 0 &&
        !isRepeat(next) &&
        rules.isWanted(next) &&
        rules.isNew(others, next) &&
        rules.isPaid([...others, next]),
      decimals: resolution.map((one) => one?.decimals ?? null),
      held,
    });
    simplified[i] = { x: simpler, pick };
  }
  return simplified;
}

function scorePromise(advisor: Advisor, tier: Tier) {
  return async (x: Float64Array) => (await advisor.scores(x)).map((one) => tierPromise(tier, one));
}

/** The goal that loses most against the design as it was. */
function goalPromise(advisor: Advisor, design: Float64Array, tier: Tier) {
  const { rule } = advisor.problem;
  return async (x: Float64Array) => {
    if (!hasFront(rule)) return [];
    const [before] = (await advisor.goalScores(design)).map((goals) => frontPoint(rule, goals, tier));
    return (await advisor.goalScores(x)).map((goals) =>
      frontPoint(rule, goals, tier).reduce((least, value, g) => Math.min(least, value - before![g]!), 1),
    );
  };
}
