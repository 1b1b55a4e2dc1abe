/**
 * Judges of a search that it never climbs: boosted trees of either half of the rows, and a Gaussian process. On the
 * scale z of the process, with t what both halves' trees expect, p what the process does, e their mean squared errors for
 * rows that they had not seen, and w = e_t^2 / (e_t^2 + e_p^2):
 *
 *   mean: t - w max(0, t - p)        doubt: the process's deviation        reach: p
 *
 * Trees are flat beyond the data, so they do not reward a design for leaving them. A process goes on
 * there, as do the models that were climbed, and errs with them; so it may lower what trees expect and not raise it,
 * and only as far as it errs less than they. But it knows how far a design is from the rows, which trees do not: the
 * doubt is its own. What an exact process says is the mean. Rows of the data are judged by trees, and by a process, that
 * have not seen them.
 */
import { foldKey, type Key } from '../numeric/key.js';
import type { LinearAlgebra } from '../numeric/linalg.js';
import { takeRows } from '../numeric/rows.js';
import { extent, spearman } from '../numeric/stats.js';
import { encode, isAllClasses, oneHots } from '../search/encoding.js';
import { chooseRows } from '../search/rowSubset.js';
import type { SearchSpace } from '../search/searchSpace.js';
import { fitBoosting } from './gradientBoosting.js';
import type { Opinion } from './opinion.js';
import { ProcessJudge } from './processJudge.js';
import { fromScale, toScale } from './response.js';
import { predictTrees, type Trees } from './trees.js';
import { plainScale, WideProcess } from './wideProcess.js';

/** Rows below which nothing can be judged. */
const FEWEST = 10;
/** Columns up to which a process has a length for each of them. */
const OWN_LENGTHS = 100;
/** Rows of each half that trees are grown on, and columns that a tree may use. */
const GROWN = 6000;
const COLUMNS = 256;
const boosting = { trees: 100, depth: 5, minLeaf: 5, rowShare: 0.7 };
/** Rank correlation with unseen rows from which on a judge may choose; where all columns are classes, and otherwise. */
const LEAST_RANK = { classes: 0.25, numbers: 0.15 };

/** Share of the variance that a process may lack for what it says to stand alone. */
const EXACT = 0.001;

/** Shares of the variance that may be lacking for each level of trust. */
const FULL_TRUST = 0.1;
const MUCH_TRUST = 0.3;
const LITTLE_TRUST = 7 / 8;

/** How a judge does on rows that it has not seen. */
export interface Accuracy {
  /** Mean squared. */
  readonly error: number;
  /** Spearman's rank correlation. */
  readonly rank: number;
}

export interface PanelReading {
  readonly mean: Float64Array;
  readonly doubt: Float64Array;
  readonly reach: Float64Array;
}

interface Smooth {
  /** Scores of the data on its scale. */
  readonly z: Float64Array;
  readonly scoreOf: (z: number) => number;
  /** Rows that were asked about as if they had not been seen, and what was said of them. */
  readonly asked: ArrayLike<number>;
  readonly said: Float64Array;
  readonly read: (x: Float64Array, parameters: Float64Array) => Opinion;
}

export class SearchPanel {
  private constructor(
    private readonly search: SearchSpace,
    private readonly smooth: Smooth,
    /** Of the two halves. */
    private readonly trees: readonly [Trees, Trees],
    /** For rows that were not seen, on the scale of the panel. */
    readonly accuracy: { readonly smooth: Accuracy; readonly trees: Accuracy },
  ) {}

  /** Whether data can be judged: ten rows that are not all alike, none of them a bound. */
  static canJudge({ data: { y, censored } }: SearchSpace): boolean {
    if (y.length < FEWEST || censored?.some((side) => side !== 0)) return false;
    const { min, max } = extent(y);
    return max > min;
  }

  static fit(linalg: LinearAlgebra, search: SearchSpace, key: Key): SearchPanel {
    const isWide = search.space.columns.length > OWN_LENGTHS;
    const smooth = (isWide ? wideOf : narrowOf)(linalg, search, foldKey(key, 'process'));
    const trees = grow(search, smooth.z, key);
    // rows are asked about of the trees that never saw them
    const inputs = oneHots(search.encoding, search.parameters);
    const P = search.encoding.parameters;
    const unseen = [trees[1], trees[0]].map((those, half) => {
      const rows = Uint32Array.from(smooth.asked).filter((row) => row % 2 === half);
      const said = predictTrees(those, takeRows(inputs, P, rows));
      return { rows: Array.from(rows), said: Array.from(said) };
    });
    return new SearchPanel(search, smooth, trees, {
      smooth: accuracyOf(smooth.z, smooth.asked, smooth.said),
      trees: accuracyOf(
        smooth.z,
        unseen.flatMap(({ rows }) => rows),
        unseen.flatMap(({ said }) => said),
      ),
    });
  }

  /** Whether either kind ranks rows that it has not seen. Where none does, nothing that they say of a design is worth a step. */
  get canRank(): boolean {
    const least = isAllClasses(this.search.space) ? LEAST_RANK.classes : LEAST_RANK.numbers;
    return Math.max(this.accuracy.smooth.rank, this.accuracy.trees.rank) >= least;
  }

  /** How far a choice by these judges may be trusted, by the share of the scores' variance that the better one lacks on unseen rows. */
  get trust(): 'full' | 'much' | 'some' | 'little' {
    const lacking = Math.min(this.accuracy.smooth.error, this.accuracy.trees.error);
    if (!this.canRank || lacking > LITTLE_TRUST) return 'little';
    if (lacking > MUCH_TRUST) return 'some';
    return lacking > FULL_TRUST ? 'much' : 'full';
  }

  /** The same judges with trees of other draws: what is bred to please these has not pleased those yet. */
  redrawn(key: Key): SearchPanel {
    const { search, smooth, accuracy } = this;
    return new SearchPanel(search, smooth, grow(search, smooth.z, key), accuracy);
  }

  /** Scores of the data, on the scale of the panel. */
  get scores(): Float64Array {
    return this.smooth.z.slice();
  }

  scoreOf(z: number): number {
    return this.smooth.scoreOf(z);
  }

  /** What either kind expects of designs, n x d. */
  opinions(x: Float64Array): { readonly smooth: Opinion; readonly trees: Float64Array } {
    const parameters = encode(this.search.encoding, x);
    return { smooth: this.smooth.read(x, parameters), trees: meansOf(this.trees, this.inputsOf(x)) };
  }

  private inputsOf(x: Float64Array): Float64Array {
    const { encoding } = this.search;
    return oneHots(encoding, encode(encoding, x));
  }

  /** Designs, n x d. */
  read(x: Float64Array): PanelReading {
    const { smooth, trees } = this.opinions(x);
    return this.reading(trees, smooth.mean, smooth.deviation);
  }

  /** Rows of the data as if they were designs that nobody has measured. */
  readRows(rows: readonly number[]): PanelReading {
    const { data, space, encoding } = this.search;
    const x = takeRows(data.x, space.columns.length, rows);
    const inputs = this.inputsOf(x);
    const [byEven, byOdd] = this.trees.map((half) => predictTrees(half, inputs));
    const trees = Float64Array.from(rows, (row, i) => (row % 2 === 0 ? byOdd![i]! : byEven![i]!));
    const { mean, deviation } = this.smooth.read(x, encode(encoding, x));
    const unseen = new Map(Array.from(this.smooth.asked, (row, i) => [row, this.smooth.said[i]!] as const));
    return this.reading(
      trees,
      Float64Array.from(rows, (row, i) => unseen.get(row) ?? mean[i]!),
      deviation,
    );
  }

  private reading(trees: Float64Array, smooth: Float64Array, deviation: Float64Array): PanelReading {
    const [byTrees, byProcess] = [this.accuracy.trees.error ** 2, this.accuracy.smooth.error ** 2];
    const trust = byProcess === 0 ? 1 : byTrees / (byTrees + byProcess);
    const mean =
      this.accuracy.smooth.error < EXACT
        ? smooth
        : trees.map((t, i) => t - trust * Math.max(0, t - smooth[i]!));
    return { mean, doubt: deviation, reach: smooth };
  }
}

/** Boosted trees of either half of the rows. */
function grow(search: SearchSpace, z: Float64Array, key: Key): [Trees, Trees] {
  const P = search.encoding.parameters;
  const inputs = oneHots(search.encoding, search.parameters);
  const [even, odd] = [0, 1].map((half) => {
    const rows = Array.from(z.keys()).filter((row) => row % 2 === half);
    const scores = Float64Array.from(rows, (row) => z[row]!);
    const grown = Uint32Array.from(chooseRows(scores, GROWN, foldKey(key, half)), (i) => rows[i]!).sort();
    return fitBoosting(
      { x: takeRows(inputs, P, grown), y: Float64Array.from(grown, (row) => z[row]!), columns: P },
      { ...boosting, columnsPerTree: Math.min(P, COLUMNS) },
      foldKey(key, `trees ${half}`),
    );
  });
  return [even!, odd!];
}

/** What two halves' trees expect on average. */
function meansOf(trees: readonly [Trees, Trees], inputs: Float64Array): Float64Array {
  const [a, b] = trees.map((half) => predictTrees(half, inputs));
  return a!.map((said, i) => (said + b![i]!) / 2);
}

function accuracyOf(z: Float64Array, rows: ArrayLike<number>, said: ArrayLike<number>): Accuracy {
  const scores = Float64Array.from(rows, (row) => z[row]!);
  let sum = 0;
  for (let i = 0; i < scores.length; i++) sum += (said[i]! - scores[i]!) ** 2;
  const isAlike = ({ min, max }: { min: number; max: number }) => min === max;
  const rank = isAlike(extent(said)) || isAlike(extent(scores)) ? 0 : spearman(said, scores);
  return { error: sum / scores.length, rank };
}

function narrowOf(linalg: LinearAlgebra, { data, encoding }: SearchSpace, key: Key): Smooth {
  const y = Float64Array.from(data.y);
  const judge = ProcessJudge.fit(linalg, { encoding, x: data.x, y, noise: null }, key);
  const { response } = judge;
  const z = y.map((score) => toScale(response, score));
  const sketch = judge.sketch(foldKey(key, 'sketch'));
  const left = judge.leaveOneOut();
  return {
    z,
    scoreOf: (value) => fromScale(response, value),
    asked: left.rows,
    said: left.mean,
    // thousands of designs are asked about: deviations come from few of the rows
    read: (x) => ({ mean: judge.means(x), deviation: sketch.read(x).deviation }),
  };
}

function wideOf(linalg: LinearAlgebra, search: SearchSpace, key: Key): Smooth {
  const { z, scoreOf } = plainScale(search.data.y);
  const judge = WideProcess.fit(linalg, search, z, key);
  const { asked, said } = judge;
  return { z, scoreOf, asked, said, read: (_, parameters) => judge.read(parameters) };
}
