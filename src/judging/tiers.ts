/** How much of the interval counts when designs are ranked: safe ones by its lower end, bold ones by its upper end. */

/** A score with its 80 % interval, larger is better. */
export interface Interval {
  readonly expected: number;
  readonly low: number;
  readonly high: number;
  /** What the judges rank by, and how much they doubt it; absent for a goal by itself. */
  readonly promise?: number;
  readonly doubt?: number;
}

export const tierNames = ['safe', 'balanced', 'bold'] as const;
/** How a design was chosen: by the lower end of its interval, by its promise, or by the upper end. */
export type Tier = (typeof tierNames)[number];

/** Part of the way from the expected value to the lower end; negative: to the upper end. */
const caution: Readonly<Record<Tier, number>> = { safe: 1, balanced: 0.25, bold: -1 };

export function tierPromise(tier: Tier, { expected, low, high, promise }: Interval): number {
  if (tier === 'balanced' && promise !== undefined) return promise;
  const part = caution[tier];
  return part >= 0 ? expected - part * (expected - low) : expected - part * (high - expected);
}
