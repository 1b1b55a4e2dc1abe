/**
 * The batch out of all designs that may be in it: those that are kept, then the tiers one after the other, each by its
 * own ranking; several goals spread over their front. Where a budget would not pay for the batch, dear designs rank
 * lower, just enough that it does.
 */
import type { PickedAs } from '../design/runDocument.js';
import { powerOfTwo } from '../numeric/portable.js';
import { argsort, extent, quantiles } from '../numeric/stats.js';
import type { ScoreRule } from '../problem/desirability.js';
import type { BatchRules } from './batchRules.js';
import { chooseBatch } from './chooseBatch.js';
import { chooseJointly, type JointDraws } from './jointGain.js';
import type { PastRows } from './novelty.js';
import { Front, frontPoint, hasFront } from './paretoBatch.js';
import { type Interval, type Tier, tierNames, tierPromise } from './tiers.js';

/** Part of the doubt about the first design within which others are about as good. */
const ABOUT = 0.05;

/**
 * A batch that stands or falls together finds nothing where its models are wrong. So one of eight designs may promise
 * less, by up to this part of the doubt, if they add to the best that can be expected of the batch.
 */
const HEDGES = 1 / 8;
const HEDGED = 1;

/** How much a design's price may count against its promise, in turn. */
const PRICES = [0, ...Array.from({ length: 16 }, (_, k) => powerOfTwo(k - 8))];

export interface Judged extends Interval {
  /** By which balanced designs are ranked, and how much it is doubted, on one scale. */
  readonly promise: number;
  readonly doubt: number;
  /** Each goal by itself, in its own direction; empty where there is one. */
  readonly goals: readonly Interval[];
}

export interface BatchPool {
  /** Those that are kept come first. */
  readonly designs: readonly Float64Array[];
  readonly kept: number;
  readonly judged: readonly Judged[];
  /** n x P. */
  readonly points: Float64Array;
  /** n: distance to the nearest past row. */
  readonly toPast: readonly number[];
  /** What the most promising may score together. Default: nothing is known. */
  readonly joint?: JointDraws;
}

export interface BatchOrder {
  readonly rules: BatchRules;
  /** How many designs of each tier. */
  readonly tiers: readonly { readonly tier: Tier; readonly count: number }[];
  /** The rule whose goals the batch spreads over; null for one promise. */
  readonly front: ScoreRule | null;
  /** The goals of measured rows as points of the front. */
  readonly measured: readonly (readonly number[])[];
}

export interface Picked {
  readonly design: number;
  readonly pick: PickedAs;
}

/** How many designs of each tier: as asked, or all of them balanced. */
export function tierCounts(tiers: readonly number[] | undefined, batch: number): BatchOrder['tiers'] {
  if (!tiers) return [{ tier: 'balanced', count: batch }];
  return tierNames.map((tier, i) => ({ tier, count: tiers[i] ?? 0 }));
}

export function composeBatch(pool: BatchPool, order: BatchOrder, past: PastRows): Picked[] {
  const { rules } = order;
  const { designs } = pool;
  rules.expect(designs.slice(pool.kept));
  const rowsOf = (chosen: readonly number[]) => chosen.map((k) => designs[k]!);
  if (rules.cost && rules.cost.budget !== null) {
    for (const price of PRICES) {
      const picked = compose(pool, order, past, price, (chosen, k) =>
        rules.isNew(rowsOf(chosen), designs[k]!),
      );
      const isFull = picked.length >= rules.batch;
      if (isFull && rules.isPaid(picked.map(({ design }) => designs[design]!))) return picked;
    }
  }
  return compose(pool, order, past, 0, (chosen, k) => rules.allows(rowsOf(chosen), designs[k]!));
}

function compose(
  pool: BatchPool,
  { tiers, front, measured, rules }: BatchOrder,
  past: PastRows,
  price: number,
  allows: (chosen: readonly number[], k: number) => boolean,
): Picked[] {
  const { designs, kept, judged, points, toPast } = pool;
  const picked: Picked[] = Array.from({ length: kept }, (_, design) => ({ design, pick: 'kept' }));
  const isUsable = (k: number) => k >= kept;
  const prices = pricesOf(pool, rules, price);
  for (const { tier, count } of tiers) {
    const before = picked.length;
    const taken = () => picked.map(({ design }) => design);
    const promises = judged.map((one) => (tier === 'balanced' ? one.promise : tierPromise(tier, one)));
    const [low, high] = quantiles(promises, [0.25, 1]);
    const promise = promises.map((value, k) => value - prices[k]! * (high! - low!));
    const take = (design: number) => picked.push({ design, pick: tier });
    const order = Array.from(argsort(promise, 'descending')).filter((k) => k >= kept);
    const first = order.find((k) => isUsable(k) && allows(taken(), k)) ?? order[0];
    if (first === undefined || count === 0) continue;
    if (front && hasFront(front)) {
      const vectors = judged.map(({ goals }) => frontPoint(front, goals, tier));
      if (allows(taken(), first)) take(first);
      for (const known of [measured, []]) {
        const volume = new Front(vectors);
        for (const point of known) volume.add(point);
        for (const design of taken()) volume.add(vectors[design]!);
        spread(volume, designs.length, before + count - picked.length, {
          isUsable: (k) => isUsable(k) && !taken().includes(k),
          allows: (k) => allows(taken(), k),
          price: (k) => 1 + prices[k]!,
          take: (k) => {
            take(k);
            volume.add(vectors[k]!);
          },
        });
      }
    }
    const { doubt, expected, low: end } = judged[first]!;
    const enough = promise[first]! - ABOUT * (tier === 'balanced' ? doubt : Math.abs(expected - end));
    if (pool.joint && tier === 'balanced' && !(front && hasFront(front))) {
      if (allows(taken(), first) && !taken().includes(first)) take(first);
      const about = order.filter((k) => isUsable(k) && promise[k]! >= enough && !taken().includes(k));
      const missing = before + count - picked.length;
      const hedges = Math.min(missing, Math.floor(HEDGES * count));
      for (const k of chooseJointly(about, taken(), pool.joint, missing - hedges, allows)) take(k);
      if (picked.length === before + count - hedges) {
        const least = promise[first]! - HEDGED * doubt;
        const others = order.filter((k) => isUsable(k) && promise[k]! >= least && !taken().includes(k));
        for (const k of chooseJointly(others, taken(), pool.joint, hedges, allows)) take(k);
      }
    }
    const chosen = chooseBatch(
      {
        points,
        promise,
        toPast,
        tiers: [(k) => isUsable(k) && promise[k]! >= enough],
        taken: taken(),
        allows,
      },
      past,
      before + count,
    );
    const known = new Set(taken());
    for (const design of chosen) if (!known.has(design)) take(design);
  }
  return picked;
}

/** What each design costs, on a scale of the usual cost, times `price`. */
function pricesOf({ designs, kept }: BatchPool, { cost }: BatchRules, price: number): Float64Array {
  const prices = new Float64Array(designs.length);
  if (!cost || price === 0) return prices;
  const costs = designs.map((x) => cost.of(x));
  const finite = costs.slice(kept).filter(Number.isFinite);
  const { min, max } = finite.length > 0 ? extent(finite) : { min: 0, max: 1 };
  return prices.map((_, k) => (price * Math.min(1e6, costs[k]! - min)) / (max - min || 1));
}

interface Spreading {
  readonly isUsable: (k: number) => boolean;
  readonly allows: (k: number) => boolean;
  readonly price: (k: number) => number;
  readonly take: (k: number) => void;
}

/** Takes up to `count` designs, each the one that adds most volume for its price; stops where none adds any. */
function spread(volume: Front, designs: number, count: number, { isUsable, allows, price, take }: Spreading) {
  // what a design adds only shrinks, so that earlier gains bound later ones
  const bound = Float64Array.from({ length: designs }, (_, k) =>
    isUsable(k) ? volume.gain(k) / price(k) : 0,
  );
  for (let n = 0; n < count; ) {
    const best = bound.reduce((most, value, k) => (value > bound[most]! ? k : most), 0);
    if (!(bound[best]! > 0)) return;
    const gain = volume.gain(best) / price(best);
    if (gain < bound[best]!) {
      bound[best] = gain;
      continue;
    }
    bound[best] = 0;
    if (!allows(best)) continue;
    take(best);
    n++;
  }
}
