/**
 * What a finished run can say about any design: expected value, 80 % interval, chance of being better, trust, and the
 * nearest past experiment. Speaks through a panel of judges (panel.ts), calibrated on rows they had not seen.
 */

import type { Assessed, Forecast, Nearest, Trust } from '../design/runDocument.js';
import type { ProcessJudge } from '../models/processJudge.js';
import { rowOf } from '../numeric/rows.js';
import { argsort, median } from '../numeric/stats.js';
import { type Cell, type GoalLimits, type Problem, toCells, within } from '../problem/index.js';
import type { Encoding } from '../search/encoding.js';
import { evenly } from '../search/rowSubset.js';
import type { Rehearsed } from './dressRehearsal.js';
import { type ModelReading, readingOf } from './modelReading.js';
import { PastRows } from './novelty.js';
import { objectiveValue } from './objective.js';
import { type JointOpinion, jointOpinion, Panel } from './panel.js';
import { replicatesAt } from './replicates.js';
import type { ScoreModel } from './scoreModel.js';
import { type References, trustIn } from './trust.js';

/** Unseen rows that are shown, and that trust is measured against. */
const UNSEEN = 400;

/** A design as it is ranked: larger is better, whatever the goal. */
export interface RankedScore {
  readonly expected: number;
  readonly low: number;
  readonly high: number;
  /** What is expected, less the doubt that the table asks for; on the scale of the judges. */
  readonly promise: number;
  /** How much it is doubted, on the same scale. */
  readonly doubt: number;
  /** To the nearest past row. */
  readonly distance: number;
  readonly trust: Trust;
}

/** The judges of a run. */
export interface Judges {
  /** Of the objective. */
  readonly panel: Panel;
  /** One per goal where the objective is not a goal itself. */
  readonly goals: readonly ProcessJudge[];
  readonly rehearsed: Rehearsed;
}

export class Advisor {
  private constructor(
    readonly problem: Problem,
    private readonly judges: Judges,
    /** Deviations that are taken off what is expected, where designs are ranked. */
    private readonly caution: number,
    readonly past: PastRows,
    /** Rows of the data that nobody had seen, about 400 at most, the best among them, and what was said of them. */
    private readonly unseenRows: readonly number[],
    private readonly unseenOpinion: JointOpinion,
    private readonly references: References,
    /** Row of the data with the best score that is known. */
    readonly best: number,
  ) {}

  static async open(problem: Problem, encoding: Encoding, judges: Judges, caution: number): Promise<Advisor> {
    const { data } = problem;
    const { panel } = judges;
    const past = new PastRows(encoding, data.x);
    const left = panel.gaussian.leaveOneOut();
    const known = left.rows.map((row, i) => ({ row, i })).filter(({ row }) => !data.censored?.[row]);
    // a score that is only known to be at most y is not the best one
    const best = argsort(data.y, 'descending').find((row) => (data.censored?.[row] ?? 0) >= 0) ?? 0;
    const shown = Array.from(evenly(known.length, UNSEEN), (k) => known[k]!);
    const ofBest = known.find(({ row }) => row === best);
    if (ofBest && !shown.includes(ofBest)) shown.push(ofBest);
    const rows = shown.map(({ row }) => row);
    const gaussian = {
      mean: Float64Array.from(shown, ({ i }) => left.mean[i]!),
      deviation: Float64Array.from(shown, ({ i }) => left.deviation[i]!),
    };
    const networks = panel.networks ? await panel.networks.heldOut(rows) : null;
    const opinion = jointOpinion(gaussian, networks, panel.settings.weight);
    const references = {
      distance: past.distances,
      gamma: gaussian.deviation.map((deviation) => panel.gaussian.gammaOf(deviation)).sort(),
      disagreement: gaussian.mean.map((_, i) => disagreementAt(opinion, i)).sort(),
    };
    return new Advisor(problem, judges, caution, past, rows, opinion, references, best);
  }

  get rehearsed(): Rehearsed {
    return this.judges.rehearsed;
  }

  get panel(): Panel {
    return this.judges.panel;
  }

  /** What others need beside the networks' weights to predict the same. */
  reading(model: ScoreModel): ModelReading {
    return readingOf(this.problem, this.best, model, this.judges);
  }

  /** Scores of designs (n x d), as they are ranked. */
  async scores(x: ArrayLike<number>): Promise<RankedScore[]> {
    const opinion = await this.panel.read(x);
    const points = this.past.place(x);
    return Array.from(opinion.mean, (mean, i) => {
      const { distance, trust } = this.trustAt(opinion, points, i);
      const { expected, low, high } = this.panel.intervalAt(mean, opinion.deviation[i]!);
      return {
        expected: this.panel.scoreAt(expected),
        low: this.panel.scoreAt(low),
        high: this.panel.scoreAt(high),
        promise: mean - this.caution * opinion.deviation[i]!,
        doubt: opinion.deviation[i]!,
        distance,
        trust,
      };
    });
  }

  /** What designs (m x d) may score together, on the scale of the judges. */
  jointScores(x: ArrayLike<number>, normals: readonly Float64Array[]): Promise<Float64Array[]> {
    return this.panel.together(x, normals);
  }

  /** How far row i of the points (n x P) lies from past rows, and how far it may be trusted. */
  private trustAt(opinion: JointOpinion, points: Float64Array, i: number) {
    const P = points.length / opinion.mean.length;
    const { row, distance } = this.past.nearestTo(rowOf(points, P, i));
    const better = this.chanceOfBetter(opinion, i);
    const gamma = this.panel.gaussian.gammaOf(opinion.gaussian.deviation[i]!);
    const measures = { gamma, distance, disagreement: disagreementAt(opinion, i) };
    return { row, distance, better, measures, ...trustIn(better, measures, this.references) };
  }

  /** The objective value alone, and gamma. `isQuick` as in `Panel.read`. */
  async predict(x: ArrayLike<number>, isQuick = false): Promise<(Forecast & { readonly gamma: number })[]> {
    const opinion = await this.panel.read(x, isQuick);
    return Array.from(opinion.mean, (_, i) => ({
      ...this.forecastAt(opinion, i),
      gamma: this.panel.gaussian.gammaOf(opinion.gaussian.deviation[i]!),
    }));
  }

  async assess(x: ArrayLike<number>): Promise<Assessed[]> {
    const opinion = await this.panel.read(x);
    const goals = this.goalForecasts(x);
    const points = this.past.place(x);
    const cells = toCells(this.problem, x);
    return Array.from(opinion.mean, (_, i): Assessed => {
      const { row, better, measures, trust, reasons, percentiles } = this.trustAt(opinion, points, i);
      const objective = this.forecastAt(opinion, i);
      return {
        ...objective,
        trust,
        reasons,
        gamma: measures.gamma,
        gammaPercentile: percentiles.gamma,
        novelty: percentiles.distance,
        disagreement: measures.disagreement,
        disagreementPercentile: percentiles.disagreement,
        better,
        nearest: this.nearest(row, cells[i]!),
        goals: goals.length === 0 ? [objective] : goals.map((forecasts) => forecasts[i]!),
      };
    });
  }

  /** Each goal of designs (n x d) by itself, goal by goal; nothing where the objective is a goal itself. */
  private goalForecasts(x: ArrayLike<number>): Forecast[][] {
    return this.judges.goals.map((goal, g) => {
      const { mean, deviation } = goal.read(x);
      const panel = new Panel(goal, null, { ...this.panel.settings, shift: 0, weight: 1 });
      return Array.from(mean, (m, i) => {
        const { low, high } = panel.intervalAt(m, deviation[i]!);
        const ends = [panel.scoreAt(low), panel.scoreAt(high)];
        const forecast = {
          expected: panel.scoreAt(m),
          lo80: Math.min(ends[0]!, ends[1]!),
          hi80: Math.max(ends[0]!, ends[1]!),
        };
        return limited(forecast, this.problem.limits[g]);
      });
    });
  }

  /** The same as they are ranked. */
  async goalScores(x: ArrayLike<number>): Promise<{ expected: number; low: number; high: number }[][]> {
    const goals = this.goalForecasts(x);
    const n = x.length / this.problem.space.columns.length;
    return Array.from({ length: n }, (_, i) =>
      goals.map((forecasts) => ({
        expected: forecasts[i]!.expected,
        low: forecasts[i]!.lo80,
        high: forecasts[i]!.hi80,
      })),
    );
  }

  /** The best row by judges that have not seen it. */
  async heldOutBest(): Promise<Forecast> {
    const at = this.unseenRows.indexOf(this.best);
    if (at >= 0) return this.forecastAt(this.unseenOpinion, at);
    // a bound that is not known exactly
    const { data, space } = this.problem;
    const { expected, lo80, hi80 } = (await this.predict(rowOf(data.x, space.columns.length, this.best)))[0]!;
    return { expected, lo80, hi80 };
  }

  /** The unseen rows, with what was predicted. */
  unseen(): { row: number; measured: number; prediction: Forecast }[] {
    return this.unseenRows.map((row, i) => ({
      row,
      measured: this.valueOf(row),
      prediction: this.forecastAt(this.unseenOpinion, i),
    }));
  }

  /** The chance of each unseen row to be better than half of all rows, and whether it was; 0.5 where it is the middle. */
  unseenChances(): { chance: number; isBetter: number }[] {
    const { y } = this.problem.data;
    const middle = median(y);
    const { mean, deviation } = this.unseenOpinion;
    return this.unseenRows.map((row, i) => ({
      chance: this.panel.chanceOver(middle, mean[i]!, deviation[i]!),
      isBetter: y[row]! > middle ? 1 : y[row]! < middle ? 0 : 0.5,
    }));
  }

  /** Measured objective value of a row of the data. */
  valueOf(row: number): number {
    return objectiveValue(this.problem.rule, this.problem.data.y[row]!);
  }

  /** A past row beside the cells of a design. */
  nearest(row: number, cells: Readonly<Record<string, Cell>>): Nearest {
    const { data, rows, space } = this.problem;
    const d = space.columns.length;
    const [past] = toCells(this.problem, rowOf(data.x, d, row));
    const differences = Object.entries(cells)
      // columns that follow from others are no differences of their own
      .filter(([column, to]) => Object.hasOwn(past!, column) && past![column] !== to)
      .map(([column, to]) => ({ column, from: past![column]!, to }));
    const sizes = differences.map(({ column, from, to }) => this.sizeOf(column, from, to));
    const meanOf = replicatesAt(this.problem, row);
    return {
      row: rows[row]![0]! + 1,
      value: this.valueOf(row),
      ...(meanOf && { meanOf }),
      differences:
        differences.length === 0 ? [] : Array.from(argsort(sizes, 'descending'), (i) => differences[i]!),
    };
  }

  /** How large a difference is against the range of its column; 1 between classes. */
  private sizeOf(name: string, from: Cell, to: Cell): number {
    const column = this.problem.columns.find((candidate) => candidate.name === name);
    if (column?.kind !== 'number' && column?.kind !== 'integer') return 1;
    return Math.abs(Number(to) - Number(from)) / (column.max - column.min || 1);
  }

  /** Probability of beating the best known score. */
  private chanceOfBetter({ mean, deviation }: JointOpinion, i: number): number {
    const best = this.problem.data.y[this.best]!;
    return this.isAtLimit(best) ? 0 : this.panel.chanceOver(best, mean[i]!, deviation[i]!);
  }

  /** Whether nothing can be better than this score. */
  private isAtLimit(score: number): boolean {
    const { rule, limits } = this.problem;
    if (rule.kind !== 'value') return false;
    return rule.sign === 1 ? score >= limits[0]!.upper : -score <= limits[0]!.lower;
  }

  private forecastAt({ mean, deviation }: JointOpinion, i: number): Forecast {
    const { expected, low, high } = this.panel.intervalAt(mean[i]!, deviation[i]!);
    const ends = [low, high].map((z) => objectiveValue(this.problem.rule, this.panel.scoreAt(z)));
    const forecast = {
      expected: objectiveValue(this.problem.rule, this.panel.scoreAt(expected)),
      lo80: Math.min(ends[0]!, ends[1]!),
      hi80: Math.max(ends[0]!, ends[1]!),
    };
    return this.problem.rule.kind === 'value' ? limited(forecast, this.problem.limits[0]) : forecast;
  }
}

/** How far the judges are apart, in deviations of the scores. */
function disagreementAt({ gaussian, networks }: JointOpinion, i: number): number {
  return networks ? Math.abs(gaussian.mean[i]! - networks.mean[i]!) : gaussian.deviation[i]!;
}

/** A yield of 116 % is none: what is expected, and what is likely, stays inside the limits of the goal. */
function limited(forecast: Forecast, limits: GoalLimits | undefined): Forecast {
  if (!limits) return forecast;
  const { expected, lo80, hi80 } = forecast;
  return { expected: within(limits, expected), lo80: within(limits, lo80), hi80: within(limits, hi80) };
}
