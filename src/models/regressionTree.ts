/** One regression tree, grown greedily from the root: each node takes the cut that lowers the squared error most. */
import { ArgumentError, requireCount } from '../numeric/errors.js';
import type { Stream } from '../numeric/random.js';
import type { ColumnCodes } from './columnCodes.js';
import { SplitSearch } from './splitSearch.js';
import type { Tree } from './trees.js';

export interface TreeOptions {
  /** Most cuts from the root to a leaf; null: no limit. */
  readonly depth: number | null;
  /** Fewest rows in a leaf. A row drawn twice is one row of twice the weight. */
  readonly minLeaf: number;
  /** Columns looked at for each cut, drawn anew; null: all. */
  readonly columnsPerSplit: number | null;
}

function requireTreeOptions({ depth, minLeaf, columnsPerSplit }: TreeOptions, columns: number): void {
  if (depth !== null) requireCount('depth', depth);
  requireCount('minLeaf', minLeaf);
  if (columnsPerSplit === null) return;
  requireCount('columnsPerSplit', columnsPerSplit);
  if (columnsPerSplit > columns) {
    throw new ArgumentError(
      'columnsPerSplit',
      `columnsPerSplit is ${columnsPerSplit}, but there are ${columns} columns`,
    );
  }
}

/** Grows trees on one table; keeps its memory from tree to tree. */
export class TreeGrower {
  readonly #table: ColumnCodes;
  readonly #options: TreeOptions;
  readonly #search: SplitSearch;
  readonly #spare: Int32Array;
  readonly #column: Int32Array;
  readonly #number: Float64Array;
  readonly #skip: Int32Array;

  /** For samples of at most `rows` rows. */
  constructor(table: ColumnCodes, rows: number, options: TreeOptions) {
    requireTreeOptions(options, table.columns);
    this.#table = table;
    this.#options = options;
    this.#search = new SplitSearch(table, rows, options.minLeaf);
    this.#spare = new Int32Array(rows);
    this.#column = new Int32Array(2 * rows);
    this.#number = new Float64Array(2 * rows);
    this.#skip = new Int32Array(2 * rows);
  }

  /**
   * On the scores `y` of the distinct rows in `sample` (reordered in place) with positive weights `w`, by cuts in
   * `columns` (reordered if they are drawn from). `y` and `w` are of all N rows.
   */
  grow(sample: Int32Array, y: Float64Array, w: Float64Array, columns: Int32Array, stream: Stream): Tree {
    const search = this.#search;
    const { minLeaf } = this.#options;
    const depth = this.#options.depth ?? Number.POSITIVE_INFINITY;
    const column = this.#column;
    const number = this.#number;
    const skip = this.#skip;
    // [from, to, level, parent of a right child or -1]; left children are pushed last, so that they come next
    const stack: [from: number, to: number, level: number, parent: number][] = [[0, sample.length, 0, -1]];
    let nodes = 0;
    for (let entry = stack.pop(); entry; entry = stack.pop()) {
      const [from, to, level, parent] = entry;
      const node = nodes++;
      if (parent >= 0) skip[parent] = node - parent - 1;
      search.begin(sample, from, to, y, w);
      if (level < depth && !search.isPure && to - from >= 2 * minLeaf) this.#look(columns, stream);
      if (search.column < 0) {
        column[node] = -1;
        number[node] = search.mean;
        skip[node] = 0;
        continue;
      }
      const values = this.#table.values[search.column]!;
      column[node] = search.column;
      number[node] = between(values[search.low]!, values[search.high]!);
      const middle = this.#part(sample, from, to, search.column, search.low);
      stack.push([middle, to, level + 1, node], [from, middle, level + 1, -1]);
    }
    return { column: column.slice(0, nodes), number: number.slice(0, nodes), skip: skip.slice(0, nodes) };
  }

  /** All columns in their order; or so many of them in a random order, and on until one has two values. */
  #look(columns: Int32Array, stream: Stream): void {
    const search = this.#search;
    const wanted = this.#options.columnsPerSplit;
    if (wanted === null) {
      search.tryAll(columns);
      return;
    }
    let hasSeen = false;
    for (let k = 0; k < columns.length && (k < wanted || !hasSeen); k++) {
      const at = k + stream.integer(columns.length - k);
      const drawn = columns[at]!;
      columns[at] = columns[k]!;
      columns[k] = drawn;
      if (search.try(drawn)) hasSeen = true;
    }
  }

  /** Rows up to the code first, each side in its order; returns where the right side begins. */
  #part(sample: Int32Array, from: number, to: number, column: number, low: number): number {
    const { codes, columns } = this.#table;
    const spare = this.#spare;
    let left = from;
    let others = 0;
    for (let i = from; i < to; i++) {
      const row = sample[i]!;
      if (codes[row * columns + column]! <= low) sample[left++] = row;
      else spare[others++] = row;
    }
    for (let i = 0; i < others; i++) sample[left + i] = spare[i]!;
    return left;
  }
}

/** The middle of a < b, or a where the middle is not below b in floating point. */
function between(a: number, b: number): number {
  const middle = a / 2 + b / 2;
  return middle >= a && middle < b ? middle : a;
}
