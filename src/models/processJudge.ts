/**
 * Gaussian processes (models/ardProcess.ts) as a judge of one score. They find the scale on which the score is easiest to
 * explain, and the columns that matter. One has all parts of the kernel, one any smooth function and nothing else, one a
 * smooth function of few columns: beyond the data they go on in different ways, so each counts by how well it predicts
 * rows it has not seen. Rows are judged as if they had not been seen (leave one out), the best rows by processes that never
 * saw any of them.
 */

import { foldKey, type Key } from '../numeric/key.js';
import type { LinearAlgebra } from '../numeric/linalg.js';
import { portableExp, portableLog, portableLog1p } from '../numeric/portable.js';
import { Stream } from '../numeric/random.js';
import { argsort } from '../numeric/stats.js';
import type { Encoding } from '../search/encoding.js';
import { fitArd } from './ardFit.js';
import { type ArdForm, type ArdRows, type ArdShape, ardRows, ardShape, takeArdRows } from './ardKernel.js';
import { ArdProcess, type NormalReadout } from './ardProcess.js';
import { columnShifts } from './columnShifts.js';
import type { Opinion } from './opinion.js';
import { QuickProcess } from './quickProcess.js';
import { logSlope, type Response, responsesFor, toScale } from './response.js';

/** Rows on which parameters are fitted, and rows that a process keeps: their costs grow with the cube. */
const FITTED = 320;
const KEPT = 1500;
/** Of these, how many are the best ones. */
const BEST_KEPT = 500;
/** Values that are shuffled to see which columns matter, and of how many rows at least. */
const SHUFFLED = 60_000;
const LEAST_SHUFFLED = 50;
/** Rows of a sketch. */
const SKETCHED = 300;

const EVALUATIONS = 60;
/** For another scale, or with the best rows hidden, a fit begins where the last one ended. */
const EVALUATIONS_AGAIN = 25;
/** From the lengths of one form to those of another. */
const EVALUATIONS_ON = 40;

/** Columns below which a process of few of them is no other than one of all. */
const COLUMNS_OF_SPARSE = 5;

/** Log posterior by which another scale than the score's own has to be better. */
const CLEARLY = 3;

/** Plain data, from which the same process is made again. */
export interface SavedProcess {
  readonly response: Response;
  /** One of each form, less those that count for next to nothing; their shares sum to 1. */
  readonly members: readonly {
    readonly form: ArdForm;
    readonly theta: readonly number[];
    readonly share: number;
  }[];
  /** Rows of the data that it keeps. */
  readonly rows: readonly number[];
}

export interface ProcessData {
  readonly encoding: Encoding;
  /** N x d, N. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Standard deviation of repeated measurements, in units of y; null where unknown. */
  readonly noise: number | null;
}

export class ProcessJudge {
  readonly shape: ArdShape;
  private readonly all: ArdRows;
  private readonly members: readonly { readonly gaussian: ArdProcess; readonly share: number }[];

  private constructor(
    private readonly linalg: LinearAlgebra,
    private readonly data: ProcessData,
    readonly saved: SavedProcess,
  ) {
    const { encoding, x, y } = data;
    this.shape = ardShape(encoding);
    this.all = ardRows(this.shape, encoding, x);
    const z = Float64Array.from(saved.rows, (row) => toScale(saved.response, y[row]!));
    const rows = takeArdRows(this.shape, this.all, saved.rows);
    this.members = saved.members.map(({ form, theta, share }) => ({
      gaussian: new ArdProcess(linalg, this.shape, rows, z, Float64Array.from(theta), form),
      share,
    }));
  }

  static fit(linalg: LinearAlgebra, data: ProcessData, key: Key): ProcessJudge {
    const { encoding, x, y } = data;
    const shape = ardShape(encoding);
    const all = ardRows(shape, encoding, x);
    const rows = Array.from(y.keys());
    const fitted = new Stream(foldKey(key, 'fitted')).permutation(y.length).slice(0, FITTED);
    const sample = takeArdRows(shape, all, fitted);
    let best: { response: Response; theta: Float64Array; evidence: number } | null = null;
    for (const response of responsesFor(y)) {
      const z = Float64Array.from(fitted, (row) => toScale(response, y[row]!));
      const { theta, logPosterior } = fitArd(linalg, shape, sample, z, {
        evaluations: best ? EVALUATIONS_AGAIN : EVALUATIONS,
        ...(best && { start: best.theta }),
        noise: noiseOn(response, data.noise),
      });
      let evidence = logPosterior;
      for (const row of fitted) evidence += logSlope(response, y[row]!);
      if (!best || evidence > best.evidence + (best.response.kind === 'plain' ? CLEARLY : 0))
        best = { response, theta, evidence };
    }
    const { response, theta } = best!;
    const z = Float64Array.from(fitted, (row) => toScale(response, y[row]!));
    const noise = noiseOn(response, data.noise);
    const smooth = fitArd(linalg, shape, sample, z, { evaluations: EVALUATIONS, noise, form: 'smooth' });
    const fits = [
      { form: 'parts' as ArdForm, theta },
      { form: 'smooth' as ArdForm, theta: smooth.theta },
    ];
    if (shape.groupCount >= COLUMNS_OF_SPARSE) {
      const { theta: start } = smooth;
      const evaluations = EVALUATIONS_ON;
      const sparse = fitArd(linalg, shape, sample, z, { evaluations, start, noise, form: 'sparse' });
      fits.push({ form: 'sparse', theta: sparse.theta });
    }
    const evaluations = EVALUATIONS_ON;
    const start = smooth.theta;
    const plain = fitArd(linalg, shape, sample, z, { evaluations, start, noise, form: 'plain' });
    fits.push({ form: 'plain', theta: plain.theta });
    const kept = keptOf(ranksOf(linalg, shape, all, sample, z, theta), rows, key);
    return new ProcessJudge(linalg, data, {
      response,
      members: shared(linalg, { shape, all, response, y, rows: kept }, fits),
      rows: kept,
    });
  }

  static restore(linalg: LinearAlgebra, data: ProcessData, saved: SavedProcess): ProcessJudge {
    return new ProcessJudge(linalg, data, saved);
  }

  get response(): Response {
    return this.saved.response;
  }

  /** Variance of a measurement's noise, on the scale of the process. */
  get noise(): number {
    let noise = 0;
    for (const { gaussian, share } of this.members) noise += share * gaussian.parameters.noise;
    return noise;
  }

  /** All rows of the data, as the kernel sees them. */
  rowsOfData(): ArdRows {
    return this.all;
  }

  /** The rows it keeps, and their scores on its scale. */
  keptRows(): Pick<ArdRows, 'x' | 'k'> & { readonly z: Float64Array } {
    const { rows, z } = this.members[0]!.gaussian;
    return { x: rows.x, k: rows.k, z };
  }

  /** Designs, n x d. */
  read(x: ArrayLike<number>): Opinion {
    const at = ardRows(this.shape, this.data.encoding, x);
    return this.mixture((gaussian) => gaussian.predict(at));
  }

  /** What reads designs in a small part of the time, and nearly the same (quickProcess.ts). */
  quick(): Pick<ProcessJudge, 'read'> {
    const quick = new Map(
      this.members.map(({ gaussian }) => [gaussian, new QuickProcess(this.linalg, gaussian)]),
    );
    return {
      read: (x) => {
        const at = ardRows(this.shape, this.data.encoding, x);
        return this.mixture((gaussian) => quick.get(gaussian)!.predict(at));
      },
    };
  }

  /** The means alone, which cost far less. */
  means(x: ArrayLike<number>): Float64Array {
    return this.meansAt(ardRows(this.shape, this.data.encoding, x));
  }

  /** Scores that all designs (m x d) may have together: S rows, each of a process that is drawn by its share. */
  together(x: ArrayLike<number>, normals: readonly Float64Array[]): Float64Array[] {
    const at = ardRows(this.shape, this.data.encoding, x);
    let [from, passed] = [0, 0];
    return this.members.flatMap(({ gaussian, share }, i) => {
      passed += share;
      const to = i === this.members.length - 1 ? normals.length : Math.round(passed * normals.length);
      const part = normals.slice(from, to);
      from = to;
      return part.length === 0 ? [] : gaussian.together(at, part);
    });
  }

  /** The rows it keeps, each as if it were not kept. */
  leaveOneOut(): Opinion & { readonly rows: readonly number[] } {
    return { rows: this.saved.rows, ...this.mixture((gaussian) => gaussian.leaveOneOut()) };
  }

  /** A process on the same scale that never saw some rows: its parameters are fitted without them. */
  without(hidden: ReadonlySet<number>, key: Key): ProcessJudge {
    const { y } = this.data;
    const seen = Array.from(y.keys()).filter((row) => !hidden.has(row));
    const order = new Stream(foldKey(key, 'seen')).permutation(seen.length);
    const fitted = Array.from(order.slice(0, FITTED), (i) => seen[i]!);
    const z = Float64Array.from(fitted, (row) => toScale(this.response, y[row]!));
    const sample = takeArdRows(this.shape, this.all, fitted);
    const fits = this.saved.members.map(({ form, theta }) => {
      const again = fitArd(this.linalg, this.shape, sample, z, {
        evaluations: EVALUATIONS_AGAIN,
        start: Float64Array.from(theta),
        noise: noiseOn(this.response, this.data.noise),
        form,
      });
      return { form, theta: again.theta };
    });
    const { shape, all, response } = this;
    const rank = ranksOf(this.linalg, shape, all, sample, z, fits[0]!.theta, fits[0]!.form);
    const rows = keptOf(rank, seen, key);
    const members = shared(this.linalg, { shape, all, response, y, rows }, fits);
    return new ProcessJudge(this.linalg, this.data, { response, members, rows });
  }

  /** The same process with few of its rows: its deviations cost little, and are on the careful side. */
  sketch(key: Key): ProcessJudge {
    const { shape, all } = this;
    const rank = (of: readonly number[]) => this.meansAt(takeArdRows(shape, all, of));
    const rows = keptOf(rank, this.saved.rows, key, SKETCHED, SKETCHED / 3);
    return rows.length === this.saved.rows.length
      ? this
      : new ProcessJudge(this.linalg, this.data, { ...this.saved, rows });
  }

  /**
   * The regret of conditional NML with one phantom row, in closed form for a normal score of known noise: log(1 + var /
   * noise), 0 where the data settle it.
   */
  gammaOf(deviation: number): number {
    return portableLog1p((deviation * deviation) / this.noise);
  }

  private meansAt(at: ArdRows): Float64Array {
    const means = new Float64Array(at.count);
    for (const { gaussian, share } of this.members) {
      const part = gaussian.mean(at);
      for (let i = 0; i < means.length; i++) means[i]! += share * part[i]!;
    }
    return means;
  }

  /** Mean and deviation of the mixture of all members. */
  private mixture(read: (gaussian: ArdProcess) => NormalReadout): Opinion {
    const parts = this.members.map(({ gaussian, share }) => ({ ...read(gaussian), share }));
    const mean = parts[0]!.mean.map((_, i) =>
      parts.reduce((sum, part) => sum + part.share * part.mean[i]!, 0),
    );
    const deviation = mean.map((m, i) => {
      let variance = 0;
      for (const part of parts) variance += part.share * (part.variance[i]! + (part.mean[i]! - m) ** 2);
      return Math.sqrt(variance);
    });
    return { mean, deviation };
  }

  /**
   * How much each column matters, per column of the space, from 0 to 1: the share of the variance of the mean that is
   * lost where the column is shuffled among the kept rows (a total Sobol index); of many columns, at some of these rows.
   */
  relevance(key: Key): Float64Array {
    const { rows } = this.members[0]!.gaussian;
    const stream = new Stream(foldKey(key, 'relevance'));
    const order = stream.permutation(rows.count);
    const before = this.meansAt(rows);
    const center = before.reduce((sum, value) => sum + value, 0) / rows.count;
    const total = before.reduce((sum, value) => sum + (value - center) ** 2, 0) / rows.count;
    const { numbers, classes } = this.shape;
    const columns = [...numbers, ...classes];
    const result = new Float64Array(columns.length);
    if (!(total > 0)) return result;
    const most = Math.max(LEAST_SHUFFLED, Math.floor(SHUFFLED / columns.length));
    const at =
      rows.count <= most
        ? Array.from({ length: rows.count }, (_, i) => i)
        : Array.from(stream.choose(rows.count, most));
    const from = at.map((i) => order[i]!);
    const shifts = new Float64Array(columns.length * at.length);
    for (const { gaussian, share } of this.members) {
      const part = columnShifts(gaussian, at, from);
      for (let i = 0; i < shifts.length; i++) shifts[i]! += share * part[i]!;
    }
    columns.forEach((column, u) => {
      let lost = 0;
      for (let i = u * at.length; i < (u + 1) * at.length; i++) lost += shifts[i]! * shifts[i]!;
      result[column] = Math.min(1, lost / at.length / (2 * total));
    });
    return result;
  }
}

/** What a nat of log probability per row makes of a share. */
const TEMPER = 40;
/** A process that would count for less is left out. */
const LEAST_SHARE = 0.03;

/**
 * Shares of processes by how well each predicts the rows as if it had not seen them: exp(40 x the mean log density), as if
 * there were 40 rows, so that about equal ones count about the same.
 */
function shared(
  linalg: LinearAlgebra,
  of: {
    readonly shape: ArdShape;
    readonly all: ArdRows;
    readonly response: Response;
    readonly y: Float64Array;
    readonly rows: readonly number[];
  },
  fits: readonly { readonly form: ArdForm; readonly theta: Float64Array }[],
): SavedProcess['members'] {
  const rows = takeArdRows(of.shape, of.all, of.rows);
  const z = Float64Array.from(of.rows, (row) => toScale(of.response, of.y[row]!));
  const densities = fits.map(({ form, theta }) => {
    const gaussian = new ArdProcess(linalg, of.shape, rows, z, theta, form);
    const { mean, variance } = gaussian.leaveOneOut();
    let sum = 0;
    for (let i = 0; i < z.length; i++) {
      const total = variance[i]! + gaussian.parameters.noise;
      sum -= (portableLog(total) + (z[i]! - mean[i]!) ** 2 / total) / 2;
    }
    return sum / z.length;
  });
  const best = densities.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY);
  const weights = densities.map((one) => portableExp(TEMPER * (one - best)));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const isHeard = weights.map((weight) => weight >= LEAST_SHARE * all);
  const heard = weights.reduce((sum, weight, i) => sum + (isHeard[i] ? weight : 0), 0);
  return fits.flatMap(({ form, theta }, i) =>
    isHeard[i] ? [{ form, theta: Array.from(theta), share: weights[i]! / heard }] : [],
  );
}

/** The variance that repeated measurements show, where the scale is the score's own. */
function noiseOn({ kind, deviation }: Response, noise: number | null): number | null {
  return noise === null || kind !== 'plain' ? null : Math.max(1e-4, (noise / deviation) ** 2);
}

/** What is expected of some rows of the data. */
type Rank = (rows: readonly number[]) => Float64Array;

/** What a process of few rows expects of others. */
function ranksOf(
  linalg: LinearAlgebra,
  shape: ArdShape,
  all: ArdRows,
  sample: ArdRows,
  z: Float64Array,
  theta: Float64Array,
  form: ArdForm = 'parts',
): Rank {
  return (rows) => new ArdProcess(linalg, shape, sample, z, theta, form).mean(takeArdRows(shape, all, rows));
}

/**
 * All rows, or of many the best ones and some of the others, in their order. The best ones by what is expected of them:
 * those that measured best had the luckiest noise, and a process of them would expect too much.
 */
function keptOf(
  rank: Rank,
  rows: readonly number[],
  key: Key,
  most = KEPT,
  bestOfThem = BEST_KEPT,
): number[] {
  if (rows.length <= most) return rows.slice();
  const order = argsort(rank(rows), 'descending');
  const best = Array.from(order.slice(0, bestOfThem), (i) => rows[i]!);
  const others = order.slice(bestOfThem);
  const drawn = new Stream(foldKey(key, 'kept')).choose(others.length, most - bestOfThem);
  return [...best, ...Array.from(drawn, (i) => rows[others[i]!]!)].sort((a, b) => a - b);
}
