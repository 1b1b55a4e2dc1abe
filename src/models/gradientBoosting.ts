/**
 * Gradient boosting for squared error (Friedman 2001, "Greedy function approximation", Alg. 2; 2002, "Stochastic
 * gradient boosting"): each tree is fitted to what the trees before it left over, on a fresh share of the rows.
 */
import { ArgumentError, requireCount } from '../numeric/errors.js';
import { foldKey, type Key } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import { encodeColumns } from './columnCodes.js';
import { TreeGrower, type TreeOptions } from './regressionTree.js';
import { drawInOrder, requireShare, requireTable, type TreeData } from './treeData.js';
import { addLeaves, joinTrees, type Tree, type Trees } from './trees.js';

export interface BoostingOptions extends TreeOptions {
  readonly trees: number;
  /** Learning rate: the share of each tree's values that is added. */
  readonly rate: number;
  /** Share of the rows that each tree is grown on, drawn without replacement; at least one row. */
  readonly rowShare: number;
  /** Columns that each tree may use, drawn anew; null: all. */
  readonly columnsPerTree: number | null;
}

/** Depth 16, 374 trees and a share of 0.5 are the superconductor oracle's, not these. */
export const boostingDefaults: BoostingOptions = {
  trees: 100,
  depth: 3,
  minLeaf: 1,
  rate: 0.1,
  rowShare: 1,
  columnsPerTree: null,
  columnsPerSplit: null,
};

/** All of `boostingSteps` at once. */
export function fitBoosting(data: TreeData, options: Partial<BoostingOptions>, key: Key): Trees {
  const steps = boostingSteps(data, options, key);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Yields the number of trees after each one, so that a caller can show progress, pause or stop. */
export function* boostingSteps(
  data: TreeData,
  options: Partial<BoostingOptions>,
  key: Key,
): Generator<number, Trees, void> {
  const settings = { ...boostingDefaults, ...options };
  const { trees, rate, rowShare, columnsPerTree } = settings;
  requireCount('trees', trees);
  requireShare('rate', rate);
  requireShare('rowShare', rowShare);
  const { x, y, w, N, d } = requireTable(data);
  if (columnsPerTree !== null) {
    requireCount('columnsPerTree', columnsPerTree);
    if (columnsPerTree > d)
      throw new ArgumentError(
        'columnsPerTree',
        `columnsPerTree is ${columnsPerTree}, but there are ${d} columns`,
      );
  }
  const size = Math.max(1, Math.floor(rowShare * N));
  const grower = new TreeGrower(encodeColumns(x, d, data.names), size, settings);
  const base = meanScore(y, w);
  const sums = new Float64Array(N);
  const rest = new Float64Array(N);
  const grown: Tree[] = [];
  for (let t = 0; t < trees; t++) {
    const treeKey = foldKey(key, t);
    for (let i = 0; i < N; i++) rest[i] = y[i]! - (base + sums[i]!);
    const rows = drawInOrder(N, size, foldKey(treeKey, 'rows'));
    const columns = drawInOrder(d, columnsPerTree ?? d, foldKey(treeKey, 'columns'));
    const tree = grower.grow(rows, rest, w, columns, new Stream(foldKey(treeKey, 'splits')));
    for (let node = 0; node < tree.column.length; node++) {
      if (tree.column[node]! < 0) tree.number[node]! *= rate;
    }
    addLeaves(sums, x, d, tree, 0);
    grown.push(tree);
    yield t + 1;
  }
  return joinTrees(grown, { columns: d, base, divisor: 1 });
}

/** Weighted; equal scores have exactly their value as mean. */
function meanScore(y: Float64Array, w: Float64Array): number {
  let sum = 0;
  let weight = 0;
  for (let i = 0; i < y.length; i++) {
    sum += w[i]! * (y[i]! - y[0]!);
    weight += w[i]!;
  }
  return y[0]! + sum / weight;
}
