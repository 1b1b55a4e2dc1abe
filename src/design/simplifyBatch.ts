/** The designs of a batch with as few changes against past runs as their promises allow. */
import type { Advisor } from '../judging/advisor.js';
import type { BatchRules } from '../judging/batchRules.js';
import type { PastRows } from '../judging/novelty.js';
import { frontPoint, hasFront } from '../judging/paretoBatch.js';
import { simplify } from '../judging/simplify.js';
import { type Tier, tierPromise } from '../judging/tiers.js';
import { joinRows, nearestRows, rowOf } from '../numeric/rows.js';
import { median } from '../numeric/stats.js';
import { violations } from '../space/index.js';
import { repeatsOf } from './doableDesigns.js';
import type { PickedAs } from './runDocument.js';

/** Part of the way from what is expected to the lower end of the interval that a simpler design may cost. */
const TOLERANCE = 0.01;
/** And of a goal's desirability, where several goals are spread over. */
const GOAL_TOLERANCE = 0.005;
/** Part of its distance to the other designs of the batch, and to past rows, that a simpler design keeps at least. */
const SPREAD = 0.7;

/** Larger batches stay as the search found them: every design of them is judged many times over. */
export const MOST_SIMPLIFIED = 200;

type Score = Awaited<ReturnType<Advisor['scores']>>[number];

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
  if (space.choices || chosen.length > MOST_SIMPLIFIED) return [...chosen];
  const d = space.columns.length;
  const isRepeat = spec.allowRepeats ? () => false : repeatsOf(problem);
  const fixed = new Set((space.fixed ?? []).map(({ column }) => column));
  const held = new Set([...fixed, ...rules.same.flatMap(({ places }) => places)]);
  const positive = past.distances.filter((one) => one > 0);
  const usual = positive.length > 0 ? median(positive) : 0;
  const simplified = [...chosen];
  for (const [i, { x, pick }] of chosen.entries()) {
    if (pick === 'kept') continue;
    const others = simplified.flatMap((one, k) => (k === i ? [] : [one.x]));
    const distance = distanceTo(past, others);
    const { row, distance: toPast } = past.nearestTo(past.place(x));
    const nearest = rowOf(data.x, d, row);
    const [score] = await advisor.scores(x);
    const least = Math.min(usual, SPREAD * distance(x));
    const leastToPast = Math.min(usual, SPREAD * toPast);
    const simpler = await simplify(space, x, nearest, {
      promise: isFront ? goalPromise(advisor, x, pick) : scorePromise(advisor, score!, pick),
      tolerance: isFront ? GOAL_TOLERANCE : 1,
      isAllowed: (next) =>
        violations(space, next).length === 0 &&
        !isRepeat(next) &&
        rules.isWanted(next) &&
        rules.isNew(others, next) &&
        rules.isPaid([...others, next]) &&
        distance(next) >= least &&
        past.nearestTo(past.place(next)).distance >= leastToPast,
      decimals: resolution.map((one) => one?.decimals ?? null),
      held,
    });
    simplified[i] = { x: simpler, pick };
  }
  return simplified;
}

/** Distance to the nearest of some designs, as the model sees them. */
function distanceTo(past: PastRows, designs: readonly Float64Array[]): (x: Float64Array) => number {
  const points = past.place(joinRows(designs));
  return (x) => {
    const [nearest] = nearestRows(points, past.place(x), 1);
    return nearest ? Math.sqrt(nearest.squared) : Number.POSITIVE_INFINITY;
  };
}

/** What is lost against the design as it was, of what is expected or of its rank, in parts of what may be lost. */
function scorePromise(advisor: Advisor, before: Score, tier: Tier) {
  const width = TOLERANCE * Math.abs(before.expected - before.low) || Number.MIN_VALUE;
  const doubt = TOLERANCE * before.doubt || Number.MIN_VALUE;
  return async (x: Float64Array) =>
    (await advisor.scores(x)).map((one) =>
      Math.min(
        (one.expected - before.expected) / width,
        tier === 'balanced'
          ? (one.promise - before.promise) / doubt
          : (tierPromise(tier, one) - tierPromise(tier, before)) / width,
      ),
    );
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
