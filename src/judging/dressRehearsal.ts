/**
 * The rehearsal of a run: the best fifth of the rows is hidden, and the judges that a run uses, fitted without them, rank
 * hidden rows and others. What they find decides how much each judge counts and how bold the run may be; what became of
 * their promises is said to people. And whether there is anything to learn at all: the rank correlation on unseen rows
 * against that on shuffled scores.
 */
import { ardStart, fitArd } from '../models/ardFit.js';
import { takeArdRows } from '../models/ardKernel.js';
import { ArdProcess } from '../models/ardProcess.js';
import type { Opinion } from '../models/opinion.js';
import type { ProcessJudge } from '../models/processJudge.js';
import { fromScale, toScale } from '../models/response.js';
import { foldKey, type Key } from '../numeric/key.js';
import type { LinearAlgebra } from '../numeric/linalg.js';
import { Stream } from '../numeric/random.js';
import { joinRows, rowOf } from '../numeric/rows.js';
import { argsort, median, quantile } from '../numeric/stats.js';
import type { Risk } from '../problem/index.js';
import type { Dataset } from '../space/space.js';
import type { ScoreJudge } from './goalsJudge.js';
import type { NetworkJudge } from './networkJudge.js';
import {
  COVERAGE,
  jointOpinion,
  type PanelSettings,
  rankCorrelation,
  reachOf,
  type Unseen,
} from './panel.js';

/** Deviations that are taken off what is expected. */
export const cautionOf: Readonly<Record<Risk, number>> = { cautious: 1, balanced: 0.2, bold: 0 };

/** What the rehearsal found; plain data. */
export interface Rehearsed {
  /** Rows that were hidden, and rows that were seen. */
  readonly hidden: number;
  readonly seen: number;
  /** Rows of the first list that were hidden, its length, and how many chance would name. */
  readonly named: number;
  readonly first: number;
  readonly byChance: number;
  /** Mean score that the first rows promised, and that they had; scores of the problem. */
  readonly promised: number;
  readonly delivered: number;
  /** Mean score of as many of the best rows that were seen: doing nothing. */
  readonly bestSeen: number;
  /** Of the rules that were tried, the one that hidden rows speak for; balanced where nothing speaks for another. */
  readonly risk: Risk;
  /** Rank correlation of unseen rows, and the chance of as much by luck. */
  readonly rankCorrelation: number;
  readonly luck: number;
  /** How much the process counts beside the networks. */
  readonly weight: number;
}

export interface RehearsalJudges {
  readonly gaussian: ScoreJudge;
  readonly networks: NetworkJudge | null;
}

/** Rows of the list that is looked at: a batch. */
const FIRST = 8;
/** The process counts for most; alone where networks are far worse. */
const LEAST_WEIGHT = 0.95;
const MOST_WEIGHT = 1;
/** Standard errors by which another rule has to be better than the balanced one. */
const SPEAKS = 1;

export async function rehearse(
  { gaussian, networks }: RehearsalJudges,
  data: Dataset,
  top: ArrayLike<number>,
  /** How clumped the rows are, 0 to 1. */
  clumped: number,
  key: Key,
): Promise<Omit<Rehearsed, 'luck'> & { readonly settings: PanelSettings; readonly unseen: Unseen[] }> {
  const { y } = data;
  const zOf = (row: number) => toScale(gaussian.response, y[row]!);
  const isKnown = (row: number) => (data.censored?.[row] ?? 0) === 0;
  const d = data.x.length / y.length;
  const hidden = Array.from(top).filter(isKnown);
  const apart = gaussian.without(new Set(Array.from(top)), foldKey(key, 'rehearsal'));
  const others = apart.leaveOneOut();
  const listed = [...hidden, ...others.rows];
  const designs = joinRows(hidden.map((row) => rowOf(data.x, d, row)));
  const ofProcess = join(apart.read(designs), others);
  const ofNetworks = networks ? await networks.withoutTop(listed) : null;
  const z = Float64Array.from(listed, zOf);

  // rows of the data by judges that had seen all others, or all other folds
  const left = gaussian.leaveOneOut();
  const known = left.rows.map((row, i) => ({ row, i })).filter(({ row }) => isKnown(row));
  const rows = known.map(({ row }) => row);
  const alone: Opinion = {
    mean: Float64Array.from(known, ({ i }) => left.mean[i]!),
    deviation: Float64Array.from(known, ({ i }) => left.deviation[i]!),
  };
  const byNetworks = networks ? await networks.heldOut(rows) : null;
  const zSeen = Float64Array.from(rows, zOf);
  const weight = weightOf(
    squaredError(alone, zSeen) + squaredError(ofProcess, z, hidden.length),
    byNetworks && ofNetworks
      ? squaredError(byNetworks, zSeen) + squaredError(ofNetworks, z, hidden.length)
      : Number.POSITIVE_INFINITY,
  );
  const joint = jointOpinion(ofProcess, ofNetworks, weight);
  const risk = riskOf(joint, z);
  const chosen = firstBy(joint, cautionOf[risk]);
  const bestSeen = Array.from(others.rows, (row) => y[row]!)
    .sort((a, b) => b - a)
    .slice(0, chosen.length);

  const seenJointly = jointOpinion(alone, byNetworks, weight);
  const unseen = rows.map((row, i) => ({
    row,
    z: zSeen[i]!,
    mean: seenJointly.mean[i]!,
    deviation: seenJointly.deviation[i]!,
  }));
  return {
    hidden: hidden.length,
    seen: others.rows.length,
    named: chosen.filter((i) => i < hidden.length).length,
    first: chosen.length,
    byChance: (chosen.length * hidden.length) / listed.length,
    promised: meanOf(chosen, (i) => fromScale(gaussian.response, joint.mean[i]!)),
    delivered: meanOf(chosen, (i) => y[listed[i]!]!),
    bestSeen: meanOf(bestSeen, (score) => score),
    risk,
    rankCorrelation: rankCorrelation(seenJointly.mean, zSeen),
    weight,
    settings: {
      weight,
      ...panelReach(
        promisesOf(joint, z, cautionOf[risk], hidden.length, gaussian.noise),
        hidden.map((_, i) => offBy(joint, z, i, gaussian.noise)),
        reachOf(unseen, gaussian.noise),
        clumped,
      ),
    },
    unseen,
  };
}

function join(a: Opinion, b: Opinion): Opinion {
  return { mean: joinRows([a.mean, b.mean]), deviation: joinRows([a.deviation, b.deviation]) };
}

/**
 * How the rows that would have been named first turned out, in deviations of what was said. They are chosen by their
 * promise, as proposals are, so they are a fair picture of what promises are worth.
 */
function promisesOf(
  joint: Opinion,
  z: Float64Array,
  caution: number,
  hidden: number,
  noise: number,
): number[] {
  const count = Math.min(z.length, Math.max(FIRST, Math.round(hidden / 2)));
  return firstBy(joint, caution, count).map((i) => offBy(joint, z, i, noise));
}

/** By how much a row is better than was said, in deviations. */
function offBy({ mean, deviation }: Opinion, z: Float64Array, i: number, noise: number): number {
  return (z[i]! - mean[i]!) / Math.sqrt(deviation[i]! ** 2 + noise);
}

/** Promises that count as much as a belief that nothing is missing. */
const BELIEF = 4;
const MOST_SHIFT = 1.5;

function panelReach(
  promises: readonly number[],
  hidden: readonly number[],
  { reach, sample }: { readonly reach: number; readonly sample: number },
  clumped: number,
): Pick<PanelSettings, 'shift' | 'reach' | 'rise' | 'sample'> {
  const middle = (promises.length / (promises.length + BELIEF)) * median(promises);
  // hidden rows of a clump have neighbours that were seen, proposals between clumps have none: better than was said they
  // may be for that reason alone
  const kept = middle > 0 ? (1 - clumped) * middle : middle;
  const centre = Math.max(-MOST_SHIFT, Math.min(MOST_SHIFT, kept));
  const needed = quantile(
    promises.map((one) => Math.abs(one - centre)),
    COVERAGE,
  );
  const both = Math.max(reach, Math.min(needed, WIDEST * reach));
  // better than anything seen, as the hidden rows were: how far they rose above what was said
  const above = hidden.length === 0 ? 0 : quantile(hidden, (1 + COVERAGE) / 2) - centre;
  const lift = LIFT * (1 - clumped);
  return {
    shift: centre + lift,
    reach: BELOW * both + lift,
    rise: BEYOND * Math.max(both, Math.min(above, WIDEST * both)) - lift,
    sample,
  };
}

/**
 * Proposals lie farther out than hidden rows did: what the ends of intervals are multiplied with so that they hold for
 * proposals of other tables, and by how many deviations such proposals are better than was said, where rows do not lie in
 * clumps (studies/design-truth).
 */
const BELOW = 1.25;
const BEYOND = 2.4;
const LIFT = 0.45;

/** What the promises of a rehearsal may add to the reach of intervals, at most. */
const WIDEST = 2.5;

function meanOf<T>(of: readonly T[], value: (one: T) => number): number {
  return of.length === 0 ? 0 : of.reduce((sum, one) => sum + value(one), 0) / of.length;
}

function squaredError({ mean }: Opinion, z: Float64Array, count = z.length): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += (mean[i]! - z[i]!) ** 2;
  return count === 0 ? 0 : sum / count;
}

/** By the fourth power of the errors: a judge who is somewhat worse counts far less. */
function weightOf(gaussian: number, networks: number): number {
  if (!Number.isFinite(networks)) return 1;
  const weight = networks ** 2 / (gaussian ** 2 + networks ** 2 || 1); // errors are squares already
  return Math.max(LEAST_WEIGHT, Math.min(MOST_WEIGHT, weight));
}

/** The rows that a rule names first. */
function firstBy({ mean, deviation }: Opinion, caution: number, count = FIRST): number[] {
  const promise = mean.map((m, i) => m - caution * deviation[i]!);
  return Array.from(argsort(promise, 'descending').slice(0, count));
}

/** Another rule than the balanced one where the rows it names are clearly better. */
function riskOf(joint: Opinion, z: Float64Array): Risk {
  const balanced = firstBy(joint, cautionOf.balanced).map((i) => z[i]!);
  const standard = meanOf(balanced, (v) => v);
  const error = Math.sqrt(meanOf(balanced, (v) => (v - standard) ** 2) / Math.max(1, balanced.length));
  for (const risk of ['cautious', 'bold'] as const) {
    const named = meanOf(firstBy(joint, cautionOf[risk]), (i) => z[i]!);
    if (named > standard + SPEAKS * Math.max(error, 0.05)) return risk;
  }
  return 'balanced';
}

/** Shuffles at most, and how many may do as well before the data are said to say nothing. */
const SHUFFLES = 59;
const ALLOWED = 0;
/** Rows that are shuffled, and evaluations of each fit: shuffles are many, and only compared with each other. */
const SHUFFLED_ROWS = 120;
const SHUFFLED_FIT = 14;
/** Rank correlation of this many rows from which no shuffle would do as well. */
const OBVIOUS = 5;

/**
 * The chance that scores which have nothing to do with the settings are ranked as well: a permutation test. Stops as
 * soon as the answer is clear, and is not needed where the rank correlation is many times its deviation by chance.
 */
export function luckOf(
  linalg: LinearAlgebra,
  judge: ProcessJudge,
  data: Dataset,
  correlation: number,
  key: Key,
): number {
  const n = data.y.length;
  if (correlation * Math.sqrt(n - 1) > OBVIOUS) return 0;
  const stream = new Stream(foldKey(key, 'luck'));
  const rows = Array.from(stream.permutation(n).slice(0, SHUFFLED_ROWS));
  const sample = takeArdRows(judge.shape, judge.rowsOfData(), rows);
  const z = Float64Array.from(rows, (row) => toScale(judge.response, data.y[row]!));
  const rankOf = (scores: Float64Array) => {
    const start = ardStart(judge.shape, 'parts');
    const { theta } = fitArd(linalg, judge.shape, sample, scores, { evaluations: SHUFFLED_FIT, start });
    const { mean } = new ArdProcess(linalg, judge.shape, sample, scores, theta, 'parts').leaveOneOut();
    return rankCorrelation(mean, scores);
  };
  const own = rankOf(z);
  let asGood = 0;
  for (let shuffle = 1; shuffle <= SHUFFLES; shuffle++) {
    const order = stream.permutation(rows.length);
    if (rankOf(z.map((_, i) => z[order[i]!]!)) >= own) asGood += 1;
    if (asGood > ALLOWED) return (asGood + 1) / (shuffle + 1);
  }
  return (asGood + 1) / (SHUFFLES + 1);
}
