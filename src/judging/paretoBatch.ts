/**
 * Several goals at once: a batch that spreads over their front. Every design is a point, one desirability per goal; a
 * batch is as good as the volume that its points dominate (hypervolume: Zitzler and Thiele, IEEE Trans. Evolutionary
 * Computation 3, 1999). The volume is counted at fixed points, so that any number of goals costs the same, and designs
 * are taken one by one, each the one that adds most; that is at least 1 - 1/e of the best batch, up to the counting.
 */
import { portableExp, portableLog } from '../numeric/portable.js';
import { largest, smallest } from '../numeric/stats.js';
import { desirability, type ScoreRule } from '../problem/desirability.js';
import type { Problem } from '../problem/index.js';
import { type Interval, type Tier, tierPromise } from './tiers.js';

/** Points at which the volume is counted. */
const POINTS = 4096;

type DesirabilityRule = Extract<ScoreRule, { kind: 'desirability' }>;

/** Whether the goals of a rule pull in different directions: two of them at least want more than a limit. */
export function hasFront(rule: ScoreRule): rule is DesirabilityRule {
  return rule.kind === 'desirability' && rule.parts.filter(({ goal }) => goal.kind !== 'keep').length > 1;
}

/**
 * A design's point: the desirability of each goal but limits, raised to its weight, times that of the limits. Of the
 * values in the interval between what is expected and what the tier looks at, the least desirable one counts; for bold
 * designs the most desirable one.
 */
export function frontPoint({ parts }: DesirabilityRule, goals: readonly Interval[], tier: Tier): number[] {
  const wished = parts.map(({ ramp }, g) => {
    const goal = goals[g]!;
    const mirrored = { expected: goal.expected, low: goal.high, high: goal.low };
    const values = [goal.expected, tierPromise(tier, goal), tierPromise(tier, mirrored)];
    const desired = values.map((value) => desirability(ramp, value));
    return tier === 'bold' ? largest(desired) : smallest(desired);
  });
  return weighted(parts, wished);
}

/** The point of a row whose goals were measured. */
function measuredPoint({ parts }: DesirabilityRule, values: readonly number[]): number[] {
  return weighted(
    parts,
    parts.map(({ ramp }, g) => desirability(ramp, values[g]!)),
  );
}

/** The points of all rows of the data; none where there is no front. */
export function measuredPoints({ rule, goalValues, data }: Problem): number[][] {
  if (!hasFront(rule)) return [];
  return Array.from(data.y, (_, i) =>
    measuredPoint(
      rule,
      goalValues.map((values) => values[i]!),
    ),
  );
}

/** How many designs, by the expected values of their goals, no row of the data equals or beats in every goal. */
export function countBeyond(problem: Problem, expected: readonly (readonly number[])[]): number {
  const { rule } = problem;
  if (!hasFront(rule)) return 0;
  const measured = measuredPoints(problem);
  return expected.filter((values) => {
    const point = measuredPoint(rule, values);
    return !measured.some((other) => other.every((value, g) => value >= point[g]!));
  }).length;
}

function weighted(parts: DesirabilityRule['parts'], wished: readonly number[]): number[] {
  const aims = parts.flatMap(({ goal }, g) => (goal.kind === 'keep' ? [] : [g]));
  const kept = parts.reduce((product, { goal }, g) => product * (goal.kind === 'keep' ? wished[g]! : 1), 1);
  const most = aims.reduce((largest, g) => Math.max(largest, parts[g]!.goal.weight), 0);
  // d^(w / largest w), as in the geometric mean of all
  const raised = (d: number, power: number) => (d === 0 ? 0 : portableExp(power * portableLog(d)));
  return aims.map((g) => kept * raised(wished[g]!, parts[g]!.goal.weight / most));
}

/** Whether a is at least as good as b in every goal, and better in one. */
export function dominates(a: readonly number[], b: readonly number[]): boolean {
  return a.every((value, g) => value >= b[g]!) && a.some((value, g) => value > b[g]!);
}

/** The volume that designs dominate, counted at fixed points of the box in which they differ. */
export class Front {
  private readonly points: Float64Array;
  private readonly covered: Uint8Array;
  private readonly goals: number;

  /** `designs`: the points of all designs that may be taken. */
  constructor(private readonly designs: readonly (readonly number[])[]) {
    this.goals = designs[0]?.length ?? 0;
    const box = Array.from({ length: this.goals }, (_, g) => {
      const values = designs.map((point) => point[g]!);
      return {
        low: values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
        high: values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
      };
    });
    const steps = evenSteps(this.goals);
    this.points = new Float64Array(POINTS * this.goals);
    for (let i = 0; i < POINTS; i++) {
      box.forEach(({ low, high }, g) => {
        const share = (0.5 + (i + 1) * steps[g]!) % 1;
        this.points[i * this.goals + g] = low + (high - low) * share;
      });
    }
    this.covered = new Uint8Array(POINTS);
  }

  /** Points that a design would add, as a share of all. */
  gain(design: number): number {
    let count = 0;
    for (let i = 0; i < POINTS; i++)
      if (this.covered[i] === 0 && this.isBelow(i, this.designs[design]!)) count++;
    return count / POINTS;
  }

  /** Takes what a design, or a measured row, dominates as given. */
  add(point: readonly number[]): void {
    for (let i = 0; i < POINTS; i++) if (this.isBelow(i, point)) this.covered[i] = 1;
  }

  /** Forgets what was added. */
  clear(): void {
    this.covered.fill(0);
  }

  private isBelow(i: number, point: readonly number[]): boolean {
    for (let g = 0; g < this.goals; g++) if (this.points[i * this.goals + g]! > point[g]!) return false;
    return true;
  }
}

/**
 * Multiples of these, modulo 1, fill the unit cube evenly in any dimension m: powers of the inverse of the root of
 * t^(m+1) = t + 1 (Roberts, The unreasonable effectiveness of quasirandom sequences, 2018).
 */
function evenSteps(goals: number): number[] {
  let root = 2;
  for (let k = 0; k < 60; k++) {
    let power = 1;
    for (let n = 0; n < goals; n++) power *= root;
    // Newton's step for t^(m+1) - t - 1
    root -= (power * root - root - 1) / ((goals + 1) * power - 1);
  }
  let step = 1;
  return Array.from({ length: goals }, () => {
    step /= root;
    return step;
  });
}
