/**
 * The best cut of a node's rows in two, over every column and every place between two values: exact, no binning.
 *
 * With weights w, scores y and their mean m over the node, a cut with sums S = Σ w (y - m) and W = Σ w over its left
 * rows lowers the squared error by S² W₁ / (W (W₁ - W)), where W₁ is the node's weight. For scores that are 0 or 1 this
 * is half the node's weight times the fall of the Gini impurity, so that the best cut is the same.
 */
import { type CodeArray, type ColumnCodes, type SparseOnes, sparseOnes } from './columnCodes.js';

/** Two cuts whose gains differ by less than this share of the node's squared error are equally good: rounding. */
const TIE = 1e-12;
/** Up to so many rows, insertion is the faster way to sort. */
const FEW = 32;

export class SplitSearch {
  /** Mean score of the node. */
  mean = 0;
  /** Whether all its scores are equal. */
  isPure = true;
  /** Column of the best cut so far, -1 if there is none. */
  column = -1;
  /** Codes on both sides of the cut: greatest of the left rows, least of the right ones. */
  low = 0;
  high = 0;

  readonly #table: ColumnCodes;
  readonly #minLeaf: number;
  /** If the table is one of zeros and few ones. */
  readonly #ones: SparseOnes | undefined;
  #rows: Int32Array = new Int32Array(0);
  #from = 0;
  #count = 0;
  #weight = 0;
  #tie = 0;
  /** What a cut has to exceed. */
  #bar = 0;
  /** Per row of the node: w (y - mean), w, code. */
  readonly #pull: Float64Array;
  readonly #mass: Float64Array;
  readonly #code: Int32Array;
  readonly #order: Int32Array;
  readonly #half: Int32Array;
  /** Per code from the least in the node, or per column of ones: sums of pull and mass, count of rows. */
  readonly #pulls: Float64Array;
  readonly #masses: Float64Array;
  readonly #counts: Int32Array;
  /** Counts of the low and of the high digit. */
  readonly #digits: Int32Array;

  /** For nodes of at most `rows` rows. */
  constructor(table: ColumnCodes, rows: number, minLeaf: number) {
    this.#table = table;
    this.#minLeaf = minLeaf;
    this.#ones = sparseOnes(table);
    const sums = this.#ones ? Math.max(rows, table.columns) : rows;
    this.#pull = new Float64Array(rows);
    this.#mass = new Float64Array(rows);
    this.#code = new Int32Array(rows);
    this.#order = new Int32Array(rows);
    this.#half = new Int32Array(rows);
    this.#pulls = new Float64Array(sums);
    this.#masses = new Float64Array(sums);
    this.#counts = new Int32Array(sums);
    this.#digits = new Int32Array(2 << digitBits(table.rows));
  }

  /** Turns to the node that holds rows[from] … rows[to - 1]. Weights are positive. */
  begin(rows: Int32Array, from: number, to: number, y: Float64Array, w: Float64Array): void {
    const n = to - from;
    // Differences from the first score, so that equal scores have exactly their value as mean.
    const first = y[rows[from]!]!;
    let weight = 0;
    let sum = 0;
    let isPure = true;
    for (let i = from; i < to; i++) {
      const row = rows[i]!;
      const difference = y[row]! - first;
      if (difference !== 0) isPure = false;
      weight += w[row]!;
      sum += w[row]! * difference;
    }
    const shift = sum / weight;
    this.mean = first + shift;
    this.isPure = isPure;
    this.column = -1;
    this.#rows = rows;
    this.#from = from;
    this.#count = n;
    this.#weight = weight;
    if (isPure || n < 2 * this.#minLeaf) return;
    let squares = 0;
    for (let i = 0; i < n; i++) {
      const row = rows[from + i]!;
      // Not y - mean: next to large scores that are nearly equal, its rounding would decide between equal cuts.
      const difference = y[row]! - first - shift;
      this.#pull[i] = w[row]! * difference;
      this.#mass[i] = w[row]!;
      squares += w[row]! * difference * difference;
    }
    // in the units of S² / (W (W₁ - W))
    this.#tie = (TIE * squares) / weight;
    this.#bar = -1;
  }

  /** Takes the cuts of a column into account. False if the column has one value in this node. */
  try(column: number): boolean {
    const n = this.#count;
    const width = this.#read(this.#table.codes, this.#table.columns, column);
    if (width === 1) return false;
    if (width <= n) this.#scanCounts(column, width);
    else {
      if (n <= FEW) this.#sortFew();
      else this.#sortMany(width);
      this.#scanOrder(column);
    }
    return true;
  }

  /** Takes the cuts of all these columns into account, in their order. */
  tryAll(columns: Int32Array): void {
    if (this.#ones) this.#scanOnes(columns, this.#ones);
    else for (let k = 0; k < columns.length; k++) this.try(columns[k]!);
  }

  /** One pass over the ones of the node's rows gives the sums of all columns: those of the right side, -S and W₁ - W. */
  #scanOnes(columns: Int32Array, ones: SparseOnes): void {
    const n = this.#count;
    const { first, columns: at } = ones;
    const pulls = this.#pulls;
    const masses = this.#masses;
    const counts = this.#counts;
    const d = this.#table.columns;
    pulls.fill(0, 0, d);
    masses.fill(0, 0, d);
    counts.fill(0, 0, d);
    for (let i = 0; i < n; i++) {
      const row = this.#rows[this.#from + i]!;
      const pull = this.#pull[i]!;
      const mass = this.#mass[i]!;
      for (let k = first[row]!; k < first[row + 1]!; k++) {
        const column = at[k]!;
        pulls[column]! += pull;
        masses[column]! += mass;
        counts[column]!++;
      }
    }
    const weight = this.#weight;
    const minLeaf = this.#minLeaf;
    let bar = this.#bar;
    for (let k = 0; k < columns.length; k++) {
      const column = columns[k]!;
      const right = counts[column]!;
      if (right < minLeaf || n - right < minLeaf) continue;
      const S = pulls[column]!;
      const W = masses[column]!;
      const gain = (S * S) / (W * (weight - W));
      if (gain > bar) {
        bar = gain + this.#tie;
        this.column = column;
        this.low = 0;
        this.high = 1;
      }
    }
    this.#bar = bar;
  }

  #least = 0;

  /** Codes of the node's rows, less their least; returns how many codes there are from least to greatest. */
  #read(codes: CodeArray, columns: number, column: number): number {
    const n = this.#count;
    const rows = this.#rows;
    const from = this.#from;
    const code = this.#code;
    let least = codes[rows[from]! * columns + column]!;
    let most = least;
    for (let i = 0; i < n; i++) {
      const c = codes[rows[from + i]! * columns + column]!;
      code[i] = c;
      if (c < least) least = c;
      else if (c > most) most = c;
    }
    this.#least = least;
    return most - least + 1;
  }

  #scanCounts(column: number, width: number): void {
    const n = this.#count;
    const code = this.#code;
    const pull = this.#pull;
    const mass = this.#mass;
    const pulls = this.#pulls;
    const masses = this.#masses;
    const counts = this.#counts;
    const least = this.#least;
    const minLeaf = this.#minLeaf;
    pulls.fill(0, 0, width);
    masses.fill(0, 0, width);
    counts.fill(0, 0, width);
    for (let i = 0; i < n; i++) {
      const c = code[i]! - least;
      pulls[c]! += pull[i]!;
      masses[c]! += mass[i]!;
      counts[c]!++;
    }
    const weight = this.#weight;
    let left = 0;
    let S = 0;
    let W = 0;
    let low = 0;
    let bar = this.#bar;
    for (let c = 0; c < width; c++) {
      const count = counts[c]!;
      if (count === 0) continue;
      if (left >= minLeaf && n - left >= minLeaf) {
        const gain = (S * S) / (W * (weight - W));
        if (gain > bar) {
          bar = gain + this.#tie;
          this.column = column;
          this.low = low + least;
          this.high = c + least;
        }
      }
      left += count;
      S += pulls[c]!;
      W += masses[c]!;
      low = c;
    }
    this.#bar = bar;
  }

  #scanOrder(column: number): void {
    const n = this.#count;
    const code = this.#code;
    const order = this.#order;
    const pull = this.#pull;
    const mass = this.#mass;
    const minLeaf = this.#minLeaf;
    const weight = this.#weight;
    let S = 0;
    let W = 0;
    let bar = this.#bar;
    let low = code[order[0]!]!;
    for (let left = 0; left < n; left++) {
      const i = order[left]!;
      const c = code[i]!;
      if (c !== low) {
        if (left >= minLeaf && n - left >= minLeaf) {
          const gain = (S * S) / (W * (weight - W));
          if (gain > bar) {
            bar = gain + this.#tie;
            this.column = column;
            this.low = low;
            this.high = c;
          }
        }
        low = c;
      }
      S += pull[i]!;
      W += mass[i]!;
    }
    this.#bar = bar;
  }

  /** Stable, by insertion of code · FEW + number. */
  #sortFew(): void {
    const n = this.#count;
    const code = this.#code;
    const order = this.#order;
    const least = this.#least;
    for (let i = 0; i < n; i++) {
      const key = (code[i]! - least) * FEW + i;
      let at = i;
      while (at > 0 && order[at - 1]! > key) {
        order[at] = order[at - 1]!;
        at--;
      }
      order[at] = key;
    }
    for (let i = 0; i < n; i++) order[i]! &= FEW - 1;
  }

  /** Stable, by radix with two digits, which are as short as the codes of this node allow. */
  #sortMany(width: number): void {
    const n = this.#count;
    const code = this.#code;
    const half = this.#half;
    const order = this.#order;
    const digits = this.#digits;
    const least = this.#least;
    const bits = digitBits(width);
    const size = 1 << bits;
    const mask = size - 1;
    digits.fill(0, 0, 2 * size);
    for (let i = 0; i < n; i++) {
      const c = code[i]! - least;
      digits[c & mask]!++;
      digits[size + (c >>> bits)]!++;
    }
    let start = 0;
    for (let at = 0; at < 2 * size; at++) {
      if (at === size) start = 0;
      const count = digits[at]!;
      digits[at] = start;
      start += count;
    }
    for (let i = 0; i < n; i++) half[digits[(code[i]! - least) & mask]!++] = i;
    for (let p = 0; p < n; p++) {
      const i = half[p]!;
      order[digits[size + ((code[i]! - least) >>> bits)]!++] = i;
    }
  }
}

/** Bits of each of two digits that tell `codes` codes apart. */
function digitBits(codes: number): number {
  return Math.ceil((32 - Math.clz32(codes - 1)) / 2);
}
