/**
 * Random forests (Breiman 2001): trees grown apart on rows drawn with replacement, each cut chosen among a few columns.
 *
 * On scores of 0 and 1 the mean of the leaves is the mean share of ones, and the cuts are those of the Gini impurity:
 * a binary classifier that gives probabilities.
 */
import { ArgumentError, requireCount } from '../numeric/errors.js';
import { foldKey, type Key } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import { encodeColumns } from './columnCodes.js';
import { TreeGrower, type TreeOptions } from './regressionTree.js';
import { drawInOrder, firstNumbers, requireShare, requireTable, type TreeData } from './treeData.js';
import { joinTrees, type Tree, type Trees } from './trees.js';

export interface ForestOptions extends Omit<TreeOptions, 'columnsPerSplit'> {
  readonly trees: number;
  /** Columns looked at for each cut, drawn anew; 'sqrt': the root of their number, rounded down; null: all. */
  readonly columnsPerSplit: number | 'sqrt' | null;
  /** Whether rows are drawn with replacement. */
  readonly bootstrap: boolean;
  /** Draws per tree, as a share of the rows; at least one. */
  readonly rowShare: number;
}

/** Those of scikit-learn's RandomForestRegressor; its classifier has columnsPerSplit 'sqrt'. */
export const forestDefaults: ForestOptions = {
  trees: 100,
  depth: null,
  minLeaf: 1,
  columnsPerSplit: null,
  bootstrap: true,
  rowShare: 1,
};

/** A random forest of regression trees. */
export function fitForest(data: TreeData, options: Partial<ForestOptions>, key: Key): Trees {
  const trees = options.trees ?? forestDefaults.trees;
  requireCount('trees', trees);
  return joinForest([...forestTrees(data, options, key, 0, trees)], data.columns);
}

/** Trees of a forest as a forest: the mean of their leaves. */
export function joinForest(trees: readonly Tree[], columns: number): Trees {
  return joinTrees(trees, { columns, base: 0, divisor: trees.length });
}

/**
 * The trees with the numbers first … last - 1. A tree depends on its number and the key alone, so that parts of a
 * forest can be grown on several threads.
 */
export function* forestTrees(
  data: TreeData,
  options: Partial<ForestOptions>,
  key: Key,
  first: number,
  last: number,
): Generator<Tree, void, void> {
  const { depth, minLeaf, columnsPerSplit, bootstrap, rowShare } = { ...forestDefaults, ...options };
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last) || first < 0 || last < first) {
    throw new ArgumentError('first', `trees ${first} to ${last} are no range`);
  }
  requireShare('rowShare', rowShare);
  const { x, y, w, N, d } = requireTable(data);
  const perSplit = columnsPerSplit === 'sqrt' ? Math.floor(Math.sqrt(d)) : columnsPerSplit;
  const size = Math.max(1, Math.floor(rowShare * N));
  const codes = encodeColumns(x, d, data.names);
  const grower = new TreeGrower(codes, size, { depth, minLeaf, columnsPerSplit: perSplit });
  const weights = new Float64Array(N);
  for (let t = first; t < last; t++) {
    const treeKey = foldKey(key, t);
    const rowKey = foldKey(treeKey, 'rows');
    let rows: Int32Array;
    if (bootstrap) rows = drawWithReplacement(w, size, rowKey, weights);
    else {
      rows = drawInOrder(N, size, rowKey);
      weights.set(w);
    }
    yield grower.grow(rows, y, weights, firstNumbers(d), new Stream(foldKey(treeKey, 'splits')));
  }
}

/** The distinct rows drawn, ascending; the weight of each is times its draws. */
function drawWithReplacement(w: Float64Array, size: number, key: Key, weights: Float64Array): Int32Array {
  const N = w.length;
  weights.fill(0);
  for (const row of new Stream(key).sampleWithReplacement(N, size)) weights[row]! += w[row]!;
  return firstNumbers(N).filter((row) => weights[row]! > 0);
}

/** Weights under which ones and zeros count the same in total: N / (2 · rows of the same label). */
export function balancedWeights(labels: ArrayLike<number>): Float64Array {
  const N = labels.length;
  let ones = 0;
  for (let i = 0; i < N; i++) {
    if (labels[i] !== 0 && labels[i] !== 1) {
      throw new ArgumentError('labels', `labels[${i}] is ${labels[i]}; expected 0 or 1`);
    }
    ones += labels[i]!;
  }
  return Float64Array.from(labels, (label) => N / (2 * (label === 1 ? ones : N - ones)));
}
