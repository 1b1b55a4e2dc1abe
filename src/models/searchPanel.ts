/**
 * Judges of a search that it never climbs: boosted trees of either half of the rows, or a Gaussian process where that is
 * clearly better, with less than a third of the trees' mean squared error for rows that neither had seen. On the scale z
 * of the process:
 *
 *   mean: of the two halves' trees, or of the process        doubt: the process's deviation
 *
 * Trees never expect more than the best rows had, so they do not reward a design for leaving the data. A process goes on
 * beyond them, as do the models that were climbed, and errs with them. But it knows how far a design is from the rows,
 * which trees do not: the doubt is its own.
 */
import { foldKey, type Key } from '../numeric/key.js';
import type { LinearAlgebra } from '../numeric/linalg.js';
import { takeRows } from '../numeric/rows.js';
import { extent } from '../numeric/stats.js';
import { encode, oneHots } from '../search/encoding.js';
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
/** By what its error has to be smaller so that a process takes the place of trees. */
const CLEARLY = 3;

export interface PanelReading {
  readonly mean: Float64Array;
  readonly doubt: Float64Array;
}

interface Smooth {
  /** Scores of the data on its scale. */
  readonly z: Float64Array;
  readonly scoreOf: (z: number) => number;
  /** Rows that were asked about as if they had not been seen, and the mean squared error for them. */
  readonly asked: ArrayLike<number>;
  readonly error: number;
  readonly read: (x: Float64Array, parameters: Float64Array) => Opinion;
}

export class SearchPanel {
  private constructor(
    private readonly search: SearchSpace,
    private readonly smooth: Smooth,
    /** Of the two halves. */
    private readonly trees: readonly [Trees, Trees],
    /** Mean squared errors for rows that were not seen, on the scale of the panel. */
    readonly errors: { readonly smooth: number; readonly trees: number },
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
    const { z } = smooth;
    const P = search.encoding.parameters;
    const inputs = oneHots(search.encoding, search.parameters);
    const halves = [0, 1].map((half) => Array.from(z.keys()).filter((row) => row % 2 === half));
    const trees = halves.map((rows, half) => {
      const scores = Float64Array.from(rows, (row) => z[row]!);
      const grown = Uint32Array.from(chooseRows(scores, GROWN, foldKey(key, half)), (i) => rows[i]!).sort();
      return fitBoosting(
        { x: takeRows(inputs, P, grown), y: Float64Array.from(grown, (row) => z[row]!), columns: P },
        { ...boosting, columnsPerTree: Math.min(P, COLUMNS) },
        foldKey(key, `trees ${half}`),
      );
    });
    const [even, odd] = trees;
    let sum = 0;
    for (const [half, unseen] of [odd!, even!].entries()) {
      const rows = Uint32Array.from(smooth.asked).filter((row) => row % 2 === half);
      predictTrees(unseen, takeRows(inputs, P, rows)).forEach((said, i) => {
        sum += (said - z[rows[i]!]!) ** 2;
      });
    }
    const errors = { smooth: smooth.error, trees: sum / smooth.asked.length };
    return new SearchPanel(search, smooth, [even!, odd!], errors);
  }

  /** Whether the process says what to expect, and not the trees. */
  get isSmooth(): boolean {
    return CLEARLY * this.errors.smooth < this.errors.trees;
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
    const { encoding } = this.search;
    const parameters = encode(encoding, x);
    const inputs = oneHots(encoding, parameters);
    const [a, b] = this.trees.map((trees) => predictTrees(trees, inputs));
    return {
      smooth: this.smooth.read(x, parameters),
      trees: a!.map((said, i) => (said + b![i]!) / 2),
    };
  }

  /** Designs, n x d. */
  read(x: Float64Array): PanelReading {
    const { smooth, trees } = this.opinions(x);
    return { mean: this.isSmooth ? smooth.mean : trees, doubt: smooth.deviation };
  }
}

function narrowOf(linalg: LinearAlgebra, { data, encoding }: SearchSpace, key: Key): Smooth {
  const y = Float64Array.from(data.y);
  const judge = ProcessJudge.fit(linalg, { encoding, x: data.x, y, noise: null }, key);
  const { response } = judge;
  const z = y.map((score) => toScale(response, score));
  const sketch = judge.sketch(foldKey(key, 'sketch'));
  const left = judge.leaveOneOut();
  let sum = 0;
  left.rows.forEach((row, i) => {
    sum += (left.mean[i]! - z[row]!) ** 2;
  });
  return {
    z,
    scoreOf: (value) => fromScale(response, value),
    asked: left.rows,
    error: sum / left.rows.length,
    // thousands of designs are asked about: deviations come from few of the rows
    read: (x) => ({ mean: judge.means(x), deviation: sketch.read(x).deviation }),
  };
}

function wideOf(linalg: LinearAlgebra, search: SearchSpace, key: Key): Smooth {
  const { z, scoreOf } = plainScale(search.data.y);
  const judge = WideProcess.fit(linalg, search, z, key);
  const { asked, error } = judge;
  return { z, scoreOf, asked, error, read: (_, parameters) => judge.read(parameters) };
}
