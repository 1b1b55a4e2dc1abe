/**
 * Judges of a search that it never climbs: the Gaussian process that `nemokit design` judges with, and boosted trees of
 * either half of the rows. On the scale z of the process, with means g, t and deviations s_g, s_t:
 *
 *   mean = w g + (1 - w) t        doubt^2 = w s_g^2 + (1 - w) s_t^2 + w (1 - w) (g - t)^2
 *
 * w = e_t / (e_g + e_t), of the mean squared errors for rows as judged by those who had not seen them. s_t^2 = e_t.
 */
import { foldKey, type Key } from '../numeric/key.js';
import type { LinearAlgebra } from '../numeric/linalg.js';
import { takeRows } from '../numeric/rows.js';
import { extent } from '../numeric/stats.js';
import { encode, oneHots } from '../search/encoding.js';
import { chooseRows } from '../search/rowSubset.js';
import type { SearchSpace } from '../search/searchSpace.js';
import { fitBoosting } from './gradientBoosting.js';
import { ProcessJudge } from './processJudge.js';
import { fromScale, toScale } from './response.js';
import { predictTrees, type Trees } from './trees.js';

/** Rows below which nothing can be judged. */
const FEWEST = 10;
/** Rows of each half that trees are grown on, and columns that a tree may use. */
const GROWN = 6000;
const COLUMNS = 256;
const boosting = { trees: 100, depth: 5, minLeaf: 5, rowShare: 0.7 };

export interface PanelReading {
  readonly mean: Float64Array;
  readonly doubt: Float64Array;
}

export class SearchPanel {
  private constructor(
    private readonly search: SearchSpace,
    readonly process: ProcessJudge,
    /** Of the two halves. */
    private readonly trees: readonly [Trees, Trees],
    /** w and e_t. */
    readonly weight: number,
    private readonly treeError: number,
  ) {}

  /** Whether data can be judged: ten rows that are not all alike, none of them a bound. */
  static canJudge({ data: { y, censored } }: SearchSpace): boolean {
    if (y.length < FEWEST || censored?.some((side) => side !== 0)) return false;
    const { min, max } = extent(y);
    return max > min;
  }

  static fit(linalg: LinearAlgebra, search: SearchSpace, key: Key): SearchPanel {
    const { data, encoding } = search;
    const { x, y } = data;
    const judge = ProcessJudge.fit(
      linalg,
      { encoding, x, y: Float64Array.from(y), noise: null },
      foldKey(key, 'process'),
    );
    const z = Float64Array.from(y, (score) => toScale(judge.response, score));
    const P = encoding.parameters;
    const inputs = oneHots(encoding, search.parameters);
    const halves = [0, 1].map((half) => Array.from(z.keys()).filter((row) => row % 2 === half));
    const [even, odd] = halves.map((rows, half) => {
      const scores = Float64Array.from(rows, (row) => z[row]!);
      const grown = Uint32Array.from(chooseRows(scores, GROWN, foldKey(key, half)), (i) => rows[i]!).sort();
      return fitBoosting(
        { x: takeRows(inputs, P, grown), y: Float64Array.from(grown, (row) => z[row]!), columns: P },
        { ...boosting, columnsPerTree: Math.min(P, COLUMNS) },
        foldKey(key, `trees ${half}`),
      );
    });
    const left = judge.leaveOneOut();
    const unseen = halves.flatMap((rows, half) => {
      const kept = new Set(left.rows);
      const asked = rows.filter((row) => kept.has(row));
      const said = predictTrees(half === 0 ? odd! : even!, takeRows(inputs, P, asked));
      return asked.map((row, i) => (said[i]! - z[row]!) ** 2);
    });
    const treeError = Math.max(1e-6, unseen.reduce((sum, e) => sum + e, 0) / unseen.length);
    const errors = left.rows.map((row, i) => (left.mean[i]! - z[row]!) ** 2);
    const processError = Math.max(1e-6, errors.reduce((sum, e) => sum + e, 0) / errors.length);
    const weight = treeError / (processError + treeError);
    return new SearchPanel(search, judge, [even!, odd!], weight, treeError);
  }

  /** Scores of the data, on the scale of the panel. */
  scale(y: ArrayLike<number>): Float64Array {
    return Float64Array.from(y, (score) => toScale(this.process.response, score));
  }

  scoreOf(z: number): number {
    return fromScale(this.process.response, z);
  }

  /** Designs, n x d. */
  read(x: Float64Array): PanelReading {
    const { encoding } = this.search;
    const { mean: g, deviation } = this.process.read(x);
    const inputs = oneHots(encoding, encode(encoding, x));
    const [a, b] = this.trees.map((trees) => predictTrees(trees, inputs));
    const { weight: w, treeError } = this;
    const t = a!.map((value, i) => (value + b![i]!) / 2);
    return {
      mean: g.map((value, i) => w * value + (1 - w) * t[i]!),
      doubt: g.map((value, i) =>
        Math.sqrt(w * deviation[i]! ** 2 + (1 - w) * treeError + w * (1 - w) * (value - t[i]!) ** 2),
      ),
    };
  }
}
