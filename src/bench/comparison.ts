/** Comparisons of algorithms: paired by seed on each task, and by mean rank over tasks. */
import { foldKey, rootKey } from '../numeric/key.js';
import { portableExp, portableLog } from '../numeric/portable.js';
import { Stream } from '../numeric/random.js';
import { quantiles, ranks } from '../numeric/stats.js';
import { isNull } from './nulls/index.js';
import { isSecondColumn } from './rescore.js';
import { type Cell, type Percentile, rowName } from './summary.js';

/** Of two rows, a - b over pairs. */
export interface MeanDifference {
  /** Seeds that both rows have. */
  readonly pairs: number;
  /** Mean of a - b, in units of the task. */
  readonly mean: number;
  /** 95 % interval of the mean: percentile bootstrap over pairs. */
  readonly low: number;
  readonly high: number;
  /** Pairs in which a was better; a tie counts half. */
  readonly wins: number;
}

export interface PairedDifference extends MeanDifference {
  readonly task: string;
}

const DRAWS = 10_000;

/** One entry per task that both rows have. Rows by `rowName`. */
export function compareRows(
  cells: readonly Cell[],
  a: string,
  b: string,
  percentile: Percentile,
): PairedDifference[] {
  return cells
    .filter((cell) => rowName(cell) === a)
    .flatMap((cell) => {
      const other = cells.find(({ task, ...rest }) => task === cell.task && rowName(rest) === b);
      if (!other) return [];
      const differences = cell.seeds.flatMap((seed, i) => {
        const at = other.seeds.indexOf(seed);
        return at < 0 ? [] : [cell.scores[percentile][i]! - other.scores[percentile][at]!];
      });
      if (differences.length === 0) return [];
      return [{ task: cell.task, ...meanDifference(differences) }];
    });
}

/** Of the differences of at least one pair. */
export function meanDifference(differences: readonly number[]): MeanDifference {
  const [low, high] = bootstrapMean(differences);
  return {
    pairs: differences.length,
    mean: meanOf(differences),
    low,
    high,
    wins: differences.reduce((sum, d) => sum + (d > 0 ? 1 : d === 0 ? 0.5 : 0), 0),
  };
}

function bootstrapMean(values: readonly number[]): readonly [low: number, high: number] {
  const stream = new Stream(foldKey(rootKey(0), 'bootstrap'));
  const means = Float64Array.from({ length: DRAWS }, () => {
    let sum = 0;
    for (const i of stream.sampleWithReplacement(values.length, values.length)) sum += values[i]!;
    return sum / values.length;
  });
  const [low, high] = quantiles(means, [0.025, 0.975]);
  return [low!, high!];
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export interface RankComparison {
  /** Rows that have every task, the best mean rank first; 1 is best. */
  readonly rows: readonly { readonly name: string; readonly rank: number }[];
  readonly tasks: readonly string[];
  /** Mean ranks that differ by less do not differ significantly at 5 % (Nemenyi; Demšar 2006). */
  readonly criticalDifference: number;
  /** p-value of the Friedman test: probability of ranks at least this unequal if all rows were equal. */
  readonly chance: number;
}

/** q of the studentised range at 5 %, over the root of 2, for 2, 3, ... rows (Demšar 2006, Table 5; above 10 by the same distribution). */
const nemenyi = [
  1.96, 2.343, 2.569, 2.728, 2.85, 2.949, 3.031, 3.102, 3.164, 3.219, 3.268, 3.313, 3.354, 3.391, 3.426,
  3.458, 3.489, 3.517, 3.544, 3.569, 3.593, 3.616, 3.637, 3.658, 3.678, 3.696, 3.714, 3.732, 3.749,
];

/**
 * A second scorer is no second task. A row without a model that lacks a task which all other rows have is left out: it would
 * take the task with it.
 */
function rankedCells(all: readonly Cell[]): Cell[] {
  const cells = all.filter(({ task }) => !isSecondColumn(task));
  const has = (row: string, task: string) =>
    cells.some((cell) => cell.task === task && rowName(cell) === row);
  const models = [...new Set(cells.filter(({ algorithm }) => !isNull(algorithm)).map(rowName))];
  const tasks = [...new Set(cells.map(({ task }) => task))].filter((task) =>
    models.every((row) => has(row, task)),
  );
  return cells.filter((cell) => !isNull(cell.algorithm) || tasks.every((task) => has(rowName(cell), task)));
}

/** Null with fewer than two rows or tasks that all of them have. */
export function compareRanks(all: readonly Cell[], percentile: Percentile): RankComparison | null {
  const cells = rankedCells(all);
  const names = [...new Set(cells.map(rowName))];
  const find = (name: string, task: string) =>
    cells.find((cell) => cell.task === task && rowName(cell) === name);
  const tasks = [...new Set(cells.map(({ task }) => task))].filter((task) =>
    names.every((name) => find(name, task)),
  );
  const [k, n] = [names.length, tasks.length];
  const q = nemenyi[k - 2];
  if (q === undefined || n < 2) return null;
  const sums = new Float64Array(k);
  for (const task of tasks) {
    // the smallest of the negated means is the best
    ranks(names.map((name) => -find(name, task)!.raw[percentile].mean)).forEach((rank, i) => {
      sums[i]! += rank;
    });
  }
  const squares = sums.reduce((sum, value) => sum + (value / n) ** 2, 0);
  const friedman = ((12 * n) / (k * (k + 1))) * (squares - (k * (k + 1) ** 2) / 4);
  return {
    rows: names.map((name, i) => ({ name, rank: sums[i]! / n })).sort((a, b) => a.rank - b.rank),
    tasks,
    criticalDifference: q * Math.sqrt((k * (k + 1)) / (6 * n)),
    chance: chiSquareTail(friedman, k - 1),
  };
}

/** P(X >= x) for chi-square with `degrees` degrees of freedom: 1 - P(degrees / 2, x / 2), by the series of P. */
export function chiSquareTail(x: number, degrees: number): number {
  if (x <= 0) return 1;
  const [a, z] = [degrees / 2, x / 2];
  let term = 1 / a;
  let sum = term;
  for (let n = 1; n < 10_000 && term > sum * 1e-16; n++) {
    term *= z / (a + n);
    sum += term;
  }
  return Math.max(0, Math.min(1, 1 - sum * portableExp(a * portableLog(z) - z - logGamma(a))));
}

/** For whole and half numbers: Γ(a + 1) = a Γ(a), Γ(1) = 1, Γ(1/2) = sqrt(π). */
function logGamma(a: number): number {
  let log = a % 1 === 0 ? 0 : portableLog(Math.PI) / 2;
  for (let b = a % 1 === 0 ? 1 : 0.5; b < a; b++) log += portableLog(b);
  return log;
}
