/**
 * What a finished run can say about any design: expected value, 80 % interval, trust, and the nearest past experiment.
 * Speaks through networks that the search never climbed (models/crossFit.ts), calibrated on rows they had not seen.
 */

import type { Assessed, Forecast, Nearest, Trust } from '../design/runDocument.js';
import { CrossAssessor, type CrossReadout } from '../models/crossAssessment.js';
import type { CrossFit } from '../models/crossFit.js';
import { scoreOf, scoreQuantile } from '../models/quantizer.js';
import type { LinearAlgebra } from '../numeric/linalg.js';
import { rowOf } from '../numeric/rows.js';
import { argsort, topIndices } from '../numeric/stats.js';
import type { TensorData } from '../numeric/tensorFile.js';
import { type Cell, type GoalLimits, type Problem, toCells, within } from '../problem/index.js';
import { encode } from '../search/encoding.js';
import { evenly } from '../search/rowSubset.js';
import { type Calibration, calibrated, fitCalibration, type Outcome } from './calibration.js';
import { type ModelReading, readingOf } from './modelReading.js';
import { PastRows } from './novelty.js';
import { objectiveValue } from './objective.js';
import type { ScoreModel } from './scoreModel.js';
import { type References, trustIn } from './trust.js';

/** Unseen rows that intervals are calibrated on and trust is measured against. */
const UNSEEN = 400;

/** Share of them that promise most. */
const PROMISING = 0.25;

/** Share of values beyond either end of an 80 % interval. */
const MISS = 0.1;

/** Which networks answer for which score. */
export interface TrainedModel {
  readonly model: ScoreModel;
  readonly networks: CrossFit;
}

/** Scores in the model's own direction. */
interface ScorePrediction {
  readonly expected: number;
  readonly low: number;
  readonly high: number;
}

interface RankedScore extends ScorePrediction {
  /** To the nearest past row. */
  readonly distance: number;
  readonly trust: Trust;
}

class Reader {
  private constructor(
    readonly model: ScoreModel,
    private readonly assessor: CrossAssessor,
    /** Rows of the data that were read out unseen, and what was said. */
    readonly unseen: Int32Array,
    readonly unseenReadout: CrossReadout,
    readonly calibration: Calibration,
  ) {}

  static async open(
    linalg: LinearAlgebra,
    { model, networks }: TrainedModel,
    censored: Int8Array | undefined,
  ): Promise<Reader> {
    const assessor = await CrossAssessor.fit(linalg, networks, model.quantizer);
    const known = Int32Array.from(model.y.keys()).filter((row) => !censored?.[row]);
    const unseen = evenly(known.length, UNSEEN).map((i) => known[i]!);
    const readout = await assessor.heldOut(unseen);
    const random = outcomesOf(model, unseen, readout);
    const promising = topIndices(readout.mean, Math.ceil(PROMISING * unseen.length));
    const hidden = model.crossFitSpec.top.filter((row) => !censored?.[row]);
    const top = evenly(hidden.length, UNSEEN).map((i) => hidden[i]!);
    const best = outcomesOf(model, top, await assessor.hiddenTop(top));
    const calibration = fitCalibration(
      { falls: [random, Array.from(promising, (i) => random[i]!)], rises: [random, best] },
      MISS,
    );
    return new Reader(model, assessor, unseen, readout, calibration);
  }

  assess(x: ArrayLike<number>): Promise<CrossReadout> {
    return this.assessor.assess(encode(this.model.encoding, x));
  }

  heldOut(rows: ArrayLike<number>): Promise<CrossReadout> {
    return this.assessor.heldOut(rows);
  }

  tensors(): Record<string, TensorData> {
    return this.assessor.tensors();
  }

  predictionAt(readout: CrossReadout, i: number): ScorePrediction {
    const expected = readout.mean[i]!;
    return { expected, ...calibrated(this.calibration, rawInterval(this.model, readout, i), expected) };
  }
}

function outcomesOf(model: ScoreModel, rows: Int32Array, readout: CrossReadout): Outcome[] {
  return Array.from(rows, (row, i) => ({
    interval: rawInterval(model, readout, i),
    measured: model.y[row]!,
  }));
}

function rawInterval({ quantizer }: ScoreModel, readout: CrossReadout, i: number) {
  const probabilities = rowOf(readout.probabilities, quantizer.bins, i);
  return {
    low: scoreQuantile(quantizer, probabilities, MISS),
    high: scoreQuantile(quantizer, probabilities, 1 - MISS),
  };
}

export class Advisor {
  private constructor(
    readonly problem: Problem,
    private readonly objective: Reader,
    private readonly goals: readonly Reader[],
    readonly past: PastRows,
    private readonly references: References,
    /** Row of the data with the best score that is known. */
    readonly best: number,
  ) {}

  /** `trained`: the objective's model first, then one per goal where the objective is not a goal itself. */
  static async open(
    linalg: LinearAlgebra,
    problem: Problem,
    [objective, ...goals]: readonly [TrainedModel, ...TrainedModel[]],
  ): Promise<Advisor> {
    const { data } = problem;
    const main = await Reader.open(linalg, objective, data.censored);
    const readers: Reader[] = [];
    for (const goal of goals) readers.push(await Reader.open(linalg, goal, undefined));
    const past = new PastRows(objective.model.encoding, data.x);
    const references = {
      distance: past.distances,
      gamma: main.unseenReadout.gamma.slice().sort(),
      disagreement: main.unseenReadout.spread.slice().sort(),
    };
    // a score that is only known to be at most y is not the best one
    const best = argsort(data.y, 'descending').find((row) => (data.censored?.[row] ?? 0) >= 0) ?? 0;
    return new Advisor(problem, main, readers, past, references, best);
  }

  /** Scores of designs (n x d), as they are ranked: larger is better, whatever the goal. */
  async scores(x: ArrayLike<number>): Promise<RankedScore[]> {
    const readout = await this.objective.assess(x);
    const points = this.past.place(x);
    return Array.from(readout.mean, (_, i) => {
      const { distance, trust } = this.trustAt(readout, points, i);
      return { ...this.objective.predictionAt(readout, i), distance, trust };
    });
  }

  /** Each goal of designs (n x d) by itself, in the units and limits of its column; nothing where there is one score. */
  async goalScores(x: ArrayLike<number>): Promise<ScorePrediction[][]> {
    const n = x.length / this.problem.space.columns.length;
    const found: ScorePrediction[][] = Array.from({ length: n }, () => []);
    for (const [g, reader] of this.goals.entries()) {
      const readout = await reader.assess(x);
      found.forEach((goals, i) => {
        const { expected, lo80, hi80 } = limited(asForecast({ reader, readout }, i), this.problem.limits[g]);
        goals.push({ expected, low: lo80, high: hi80 });
      });
    }
    return found;
  }

  /** How far row i of the points (n x P) lies from past rows, and how far it may be trusted. */
  private trustAt(readout: CrossReadout, points: Float64Array, i: number) {
    const P = points.length / readout.mean.length;
    const { row, distance } = this.past.nearestTo(rowOf(points, P, i));
    const measures = { gamma: readout.gamma[i]!, distance, disagreement: readout.spread[i]! };
    return { row, distance, measures, ...trustIn(measures, this.references) };
  }

  /** The objective value alone, and gamma. */
  async predict(x: ArrayLike<number>): Promise<(Forecast & { readonly gamma: number })[]> {
    const readout = await this.objective.assess(x);
    return Array.from(readout.mean, (_, i) => ({
      ...this.inUnits(this.objective.predictionAt(readout, i)),
      gamma: readout.gamma[i]!,
    }));
  }

  async assess(x: ArrayLike<number>): Promise<Assessed[]> {
    const readout = await this.objective.assess(x);
    const goals: { reader: Reader; readout: CrossReadout }[] = [];
    for (const reader of this.goals) goals.push({ reader, readout: await reader.assess(x) });
    const points = this.past.place(x);
    const cells = toCells(this.problem, x);
    return Array.from(readout.mean, (_, i): Assessed => {
      const { row, measures, trust, reasons, percentiles } = this.trustAt(readout, points, i);
      const objective = this.inUnits(this.objective.predictionAt(readout, i));
      return {
        ...objective,
        trust,
        reasons,
        gamma: measures.gamma,
        gammaPercentile: percentiles.gamma,
        novelty: percentiles.distance,
        disagreement: measures.disagreement,
        disagreementPercentile: percentiles.disagreement,
        better: this.chanceOfBetter(readout, i),
        nearest: this.nearest(row, cells[i]!),
        goals:
          this.goals.length === 0
            ? [objective]
            : goals.map((goal, g) => limited(asForecast(goal, i), this.problem.limits[g])),
      };
    });
  }

  /** What others need beside the networks' weights to predict the same: plain data, and arrays of each score. */
  reading(): { description: ModelReading; tensors: Record<string, TensorData>[] } {
    const readers = [this.objective, ...this.goals];
    return {
      description: readingOf(this.problem, this.best, readers),
      tensors: readers.map((reader) => reader.tensors()),
    };
  }

  /** Rows of the data by networks that have not seen them. */
  async heldOut(rows: ArrayLike<number>): Promise<Forecast[]> {
    const readout = await this.objective.heldOut(rows);
    return Array.from(readout.mean, (_, i) => this.inUnits(this.objective.predictionAt(readout, i)));
  }

  /** The unseen rows that intervals were calibrated on, with what was predicted. */
  unseen(): { row: number; measured: number; prediction: Forecast }[] {
    const { unseen, unseenReadout } = this.objective;
    return Array.from(unseen, (row, i) => ({
      row,
      measured: this.valueOf(row),
      prediction: this.inUnits(this.objective.predictionAt(unseenReadout, i)),
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
    return {
      row: rows[row]![0]! + 1,
      value: this.valueOf(row),
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

  /** Probability of p_NML above the best known score. */
  private chanceOfBetter({ probabilities }: CrossReadout, i: number): number {
    const { quantizer } = this.objective.model;
    const best = this.problem.data.y[this.best]!;
    if (this.isAtLimit(best)) return 0;
    let chance = 0;
    for (let k = 0; k < quantizer.bins; k++) {
      const lower = scoreOf(quantizer, k - 0.5);
      const upper = scoreOf(quantizer, k + 0.5);
      const above = Math.max(0, Math.min(1, (upper - best) / (upper - lower)));
      chance += above * probabilities[i * quantizer.bins + k]!;
    }
    return Math.max(0, Math.min(1, chance));
  }

  /** Whether nothing can be better than this score. */
  private isAtLimit(score: number): boolean {
    const { rule, limits } = this.problem;
    if (rule.kind !== 'value') return false;
    return rule.sign === 1 ? score >= limits[0]!.upper : -score <= limits[0]!.lower;
  }

  /** That a design is surely better than everything measured is nothing that data can say: the lower end stays below. */
  private inUnits({ expected, low, high }: ScorePrediction): Forecast {
    const ends = [Math.min(low, this.problem.data.y[this.best]!), high].map((score) =>
      objectiveValue(this.problem.rule, score),
    );
    const forecast = {
      expected: objectiveValue(this.problem.rule, expected),
      lo80: Math.min(...ends),
      hi80: Math.max(...ends),
    };
    return this.problem.rule.kind === 'value' ? limited(forecast, this.problem.limits[0]) : forecast;
  }
}

/** A yield of 116 % is none: what is expected, and what is likely, stays inside the limits of the goal. */
function limited(forecast: Forecast, limits: GoalLimits | undefined): Forecast {
  if (!limits) return forecast;
  const { expected, lo80, hi80 } = forecast;
  return { expected: within(limits, expected), lo80: within(limits, lo80), hi80: within(limits, hi80) };
}

function asForecast({ reader, readout }: { reader: Reader; readout: CrossReadout }, i: number): Forecast {
  const { expected, low, high } = reader.predictionAt(readout, i);
  return { expected, lo80: low, hi80: high };
}
