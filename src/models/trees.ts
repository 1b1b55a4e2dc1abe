/** Regression trees as flat arrays, a row's prediction by all of them, and how they are joined. */
import { ArgumentError, NotFiniteError, ShapeError } from '../numeric/errors.js';

/**
 * Trees one after another, each from its root in preorder: the left child of a split is the next node.
 * A prediction is base + (sum of the leaves reached) / divisor.
 */
export interface Trees {
  /** d, of the rows they predict. */
  readonly columns: number;
  readonly base: number;
  /** 1 for boosting, the number of trees for a forest. */
  readonly divisor: number;
  /** First node of each tree, and at the end the number of nodes. */
  readonly first: Int32Array;
  /** Per node: the column of a split, -1 for a leaf. */
  readonly column: Int32Array;
  /** Per node: of a split, the threshold (x <= threshold goes left); of a leaf, its value. */
  readonly number: Float64Array;
  /** Per node: how many nodes are left of a split, between it and its right child; 0 for a leaf. */
  readonly skip: Int32Array;
}

/** The nodes of one tree. */
export type Tree = Pick<Trees, 'column' | 'number' | 'skip'>;

export function joinTrees(trees: readonly Tree[], form: Pick<Trees, 'columns' | 'base' | 'divisor'>): Trees {
  const first = new Int32Array(trees.length + 1);
  trees.forEach(({ column }, t) => {
    const end = first[t]! + column.length;
    if (end > 2 ** 31 - 1) throw new ArgumentError('trees', `${trees.length} trees have over 2^31 nodes`);
    first[t + 1] = end;
  });
  const nodes = first[trees.length]!;
  const column = new Int32Array(nodes);
  const number = new Float64Array(nodes);
  const skip = new Int32Array(nodes);
  trees.forEach((tree, t) => {
    column.set(tree.column, first[t]!);
    number.set(tree.number, first[t]!);
    skip.set(tree.skip, first[t]!);
  });
  return { columns: form.columns, base: form.base, divisor: form.divisor, first, column, number, skip };
}

/** Of the rows of `x`, N x d row-major. */
export function predictTrees(trees: Trees, x: ArrayLike<number>): Float64Array {
  const { columns, base, divisor, first } = trees;
  if (x.length % columns !== 0) {
    throw new ShapeError('x', `x has ${x.length} numbers, which are not whole rows of ${columns} columns`);
  }
  const numbers = x instanceof Float64Array ? x : Float64Array.from(x);
  for (let i = 0; i < numbers.length; i++) {
    if (Number.isFinite(numbers[i])) continue;
    const [row, j] = [Math.floor(i / columns), i % columns];
    throw new NotFiniteError(
      'x',
      `column ${j} is ${numbers[i]} in row ${row}; trees need a number in every cell`,
    );
  }
  const sums = new Float64Array(numbers.length / columns);
  for (let t = 0; t + 1 < first.length; t++) addLeaves(sums, numbers, columns, trees, first[t]!);
  for (let i = 0; i < sums.length; i++) sums[i] = base + sums[i]! / divisor;
  return sums;
}

/**
 * Adds to each row's sum the leaf it reaches from `root`. Four rows go down together and without branches, because a
 * processor guesses the way of a row wrong half of the time: at a leaf, column -1, a step leads nowhere.
 */
export function addLeaves(
  sums: Float64Array,
  x: Float64Array,
  columns: number,
  { column, number, skip }: Tree,
  root: number,
): void {
  const last = sums.length - 1;
  for (let i = 0; i <= last; i += 4) {
    const i1 = Math.min(i + 1, last);
    const i2 = Math.min(i + 2, last);
    const i3 = Math.min(i + 3, last);
    const x0 = i * columns;
    const x1 = i1 * columns;
    const x2 = i2 * columns;
    const x3 = i3 * columns;
    let n0 = root;
    let n1 = root;
    let n2 = root;
    let n3 = root;
    for (;;) {
      const c0 = column[n0]!;
      const c1 = column[n1]!;
      const c2 = column[n2]!;
      const c3 = column[n3]!;
      if ((c0 & c1 & c2 & c3) < 0) break;
      // c >> 31 is -1 at a leaf, else 0; -(+true) is a mask of ones
      n0 += 1 + (c0 >> 31) + (skip[n0]! & -+(x[x0 + (c0 & ~(c0 >> 31))]! > number[n0]!));
      n1 += 1 + (c1 >> 31) + (skip[n1]! & -+(x[x1 + (c1 & ~(c1 >> 31))]! > number[n1]!));
      n2 += 1 + (c2 >> 31) + (skip[n2]! & -+(x[x2 + (c2 & ~(c2 >> 31))]! > number[n2]!));
      n3 += 1 + (c3 >> 31) + (skip[n3]! & -+(x[x3 + (c3 & ~(c3 >> 31))]! > number[n3]!));
    }
    sums[i]! += number[n0]!;
    if (i + 1 <= last) sums[i1]! += number[n1]!;
    if (i + 2 <= last) sums[i2]! += number[n2]!;
    if (i + 3 <= last) sums[i3]! += number[n3]!;
  }
}
