/** The linear algebra's kernels in WebAssembly. */
import type { Kernel } from './backend.js';
import {
  type PairKernel,
  type PairRows,
  type PairTable,
  type PairValues,
  tableStride,
} from './pairKernel.js';
import type { LinalgKernel, TriangularSolve } from './referenceLinalg.js';

const PAGE = 65536;
const PAGES = 65536;
/** The most that a memory holds. */
export const MOST_BYTES = PAGE * PAGES;
/** Bytes at the start of memory that belong to the kernels' own constants. */
const STATIC = 4096;

/** Of assembly/linalg.ts and pairs.ts. Addresses are in bytes. */
interface Exports {
  linalgRoom(): number;
  choleskyFactor(n: number, a: number, room: number): number;
  solveLower(n: number, m: number, l: number, b: number, room: number): void;
  solveLowerTransposed(n: number, m: number, l: number, b: number, room: number): void;
  multiplyTransposed(
    rows: number,
    columns: number,
    depth: number,
    a: number,
    b: number,
    c: number,
    room: number,
  ): void;
  invertFactor(n: number, isWhole: boolean, l: number, x: number, room: number): void;
  pairRoom(columns: number): number;
  pairCovariances(
    isMatern: boolean,
    isSame: boolean,
    numbers: number,
    classes: number,
    weights: number,
    n: number,
    a: number,
    m: number,
    b: number,
    to: number,
    room: number,
  ): void;
  packGroup(size: number, groups: number, apart: number, alike: number, to: number): void;
  pairValues(
    isMatern: boolean,
    n: number,
    groups: number,
    table: number,
    product: number,
    weights: number,
    r: number,
    q: number,
    k: number,
    room: number,
  ): void;
  pairSlopes(
    isMatern: boolean,
    n: number,
    groups: number,
    table: number,
    product: number,
    alpha: number,
    inverted: number,
    r: number,
    q: number,
    sums: number,
    room: number,
  ): void;
}

/** The kernels in WebAssembly, on a memory of their own that grows to the largest call. */
export class WasmLinalg implements LinalgKernel {
  private readonly memory = new WebAssembly.Memory({ initial: 1, maximum: PAGES, shared: true });
  private readonly exports: Exports;
  private start: number;
  /** A matrix that stays in memory, before `start`. */
  private held: { readonly matrix: Float64Array; readonly byteOffset: number } | null = null;
  /** The table of pairs that was met last, in a memory of its own: a fit asks for the same one many times. */
  private tables: { of: PairTable | null; readonly keeper: WasmLinalg; packed: number } | null = null;

  constructor(
    readonly kernel: Kernel,
    private readonly module: WebAssembly.Module,
  ) {
    const { exports } = new WebAssembly.Instance(module, { env: { memory: this.memory } });
    this.exports = exports as unknown as Exports;
    this.start = STATIC + this.exports.linalgRoom();
  }

  hold(matrix: Float64Array): LinalgKernel {
    const keeper = new WasmLinalg(this.kernel, this.module);
    const [stored] = keeper.place(matrix.length);
    stored.set(matrix);
    keeper.held = { matrix, byteOffset: stored.byteOffset };
    keeper.start += stored.byteLength;
    return keeper;
  }

  factor(a: Float64Array, n: number): Float64Array | number {
    const [l] = this.place(a.length);
    l.set(a);
    const failed = this.exports.choleskyFactor(n, l.byteOffset, STATIC);
    return failed === 0 ? l.slice() : failed - 1;
  }

  solve(which: TriangularSolve, l: Float64Array, n: number, b: Float64Array, columns: number): Float64Array {
    const held = this.held?.matrix === l ? this.held : null;
    const [factor, x] = this.place(held ? 0 : l.length, b.length);
    if (!held) factor.set(l);
    x.set(b);
    const address = (held ?? factor).byteOffset;
    const { solveLower, solveLowerTransposed } = this.exports;
    if (which.lower) solveLower(n, columns, address, x.byteOffset, STATIC);
    if (which.transposed) solveLowerTransposed(n, columns, address, x.byteOffset, STATIC);
    return x.slice();
  }

  multiplyTransposed(
    a: Float64Array,
    b: Float64Array,
    rowsA: number,
    rowsB: number,
    columns: number,
  ): Float64Array {
    const held = this.held?.matrix === a ? this.held : null;
    const [left, right, product] = this.place(held ? 0 : a.length, b.length, rowsA * rowsB);
    if (!held) left.set(a);
    right.set(b);
    const { byteOffset } = held ?? left;
    this.exports.multiplyTransposed(
      rowsA,
      rowsB,
      columns,
      byteOffset,
      right.byteOffset,
      product.byteOffset,
      STATIC,
    );
    return product.slice();
  }

  invert(isWhole: boolean, l: Float64Array, n: number): Float64Array {
    const held = this.held?.matrix === l ? this.held : null;
    const [factor, x] = this.place(held ? 0 : l.length, n * n);
    if (!held) factor.set(l);
    this.exports.invertFactor(n, isWhole, (held ?? factor).byteOffset, x.byteOffset, STATIC);
    return x.slice();
  }

  pairCovariances(kernel: PairKernel, numbers: number, a: PairRows, b: PairRows): Float64Array {
    const { isMatern, inverse, effects, v, line } = kernel;
    const columns = inverse.length;
    const isSame = a.x === b.x && a.k === b.k;
    const [weights, left, right, to, room] = this.place(
      2 * columns + 2,
      a.count * columns,
      isSame ? 0 : b.count * columns,
      a.count * b.count,
      this.exports.pairRoom(columns) / 8,
    );
    weights.set(inverse);
    weights.set(effects, columns);
    weights.set([v, line], 2 * columns);
    besideEachOther(left, numbers, columns, a);
    if (!isSame) besideEachOther(right, numbers, columns, b);
    this.exports.pairCovariances(
      isMatern,
      isSame,
      numbers,
      columns - numbers,
      weights.byteOffset,
      a.count,
      left.byteOffset,
      b.count,
      (isSame ? left : right).byteOffset,
      to.byteOffset,
      room.byteOffset,
    );
    return to.slice();
  }

  pairValues(
    { isMatern, v, inverse, effects, line }: PairKernel,
    noise: number,
    table: PairTable,
  ): PairValues {
    const { n, groups, product } = table;
    const { keeper, packed } = this.withTable(table);
    const stride = product.length;
    const [weights, pairs, r, q, k, room] = keeper.place(
      2 * groups + 3,
      stride,
      stride,
      stride,
      n * n,
      stride,
    );
    for (let g = 0; g < groups; g++) {
      weights[2 * g] = inverse[g]!;
      weights[2 * g + 1] = effects[g]!;
    }
    weights.set([v, line, noise], 2 * groups);
    pairs.set(product);
    k.fill(0);
    keeper.exports.pairValues(
      isMatern,
      n,
      groups,
      packed,
      pairs.byteOffset,
      weights.byteOffset,
      r.byteOffset,
      q.byteOffset,
      k.byteOffset,
      room.byteOffset,
    );
    return { r: r.slice(), q: q.slice(), k: k.slice() };
  }

  pairSlopes(
    isMatern: boolean,
    table: PairTable,
    values: Pick<PairValues, 'r' | 'q'>,
    alpha: Float64Array,
    inverted: Float64Array,
  ): Float64Array {
    const { n, groups, product } = table;
    const { keeper, packed } = this.withTable(table);
    // pairs are read two at a time, so that one is read behind the last
    const [pairs, r, q, left, matrix, sums, room] = keeper.place(
      product.length,
      product.length,
      product.length,
      n + 1,
      n * n + 1,
      2 * groups + 3,
      2 * n + 2,
    );
    pairs.set(product);
    r.set(values.r);
    q.set(values.q);
    left.set(alpha);
    matrix.set(inverted);
    keeper.exports.pairSlopes(
      isMatern,
      n,
      groups,
      packed,
      pairs.byteOffset,
      left.byteOffset,
      matrix.byteOffset,
      r.byteOffset,
      q.byteOffset,
      sums.byteOffset,
      room.byteOffset,
    );
    const slopes = new Float64Array(3 + 2 * groups);
    slopes.set(sums.subarray(2 * groups));
    for (let g = 0; g < groups; g++) {
      slopes[3 + g] = sums[2 * g]!;
      slopes[3 + groups + g] = sums[2 * g + 1]!;
    }
    return slopes;
  }

  /** A memory that holds the table, and where in it; the table must not change afterwards. */
  private withTable(table: PairTable): { readonly keeper: WasmLinalg; readonly packed: number } {
    this.tables ??= { of: null, keeper: new WasmLinalg(this.kernel, this.module), packed: 0 };
    const { tables } = this;
    if (tables.of === table) return tables;
    const { keeper } = tables;
    const { n, groups, apart, alike } = table;
    const stride = tableStride(n);
    const size = (n * (n + 1)) / 2;
    tables.of = null;
    keeper.start = STATIC + keeper.exports.linalgRoom();
    // pairs are read four at a time, so that three are read behind the last
    const [packed, far, near] = keeper.place(2 * groups * (size + 3), stride, stride);
    packed.fill(0, 2 * groups * size);
    for (let g = 0; g < groups; g++) {
      far.set(apart.subarray(g * stride, (g + 1) * stride));
      near.set(alike.subarray(g * stride, (g + 1) * stride));
      keeper.exports.packGroup(size, groups, far.byteOffset, near.byteOffset, packed.byteOffset + 16 * g);
    }
    keeper.start += packed.byteLength;
    return Object.assign(tables, { of: table, packed: packed.byteOffset });
  }

  /** Views of these lengths, one behind the other; the next call gives out the same memory again. */
  private place<const Lengths extends readonly number[]>(
    ...lengths: Lengths
  ): { [K in keyof Lengths]: Float64Array } {
    const bytes = this.start + lengths.reduce((sum, length) => sum + length * 8, 0);
    if (bytes > PAGES * PAGE) throw new RangeError('more than 4 GiB');
    const missing = bytes - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    let at = this.start;
    return lengths.map((length) => {
      const view = new Float64Array(this.memory.buffer, at, length);
      at += view.byteLength;
      return view;
    }) as { [K in keyof Lengths]: Float64Array };
  }
}

/** Numbers and classes of each row, `columns` together. */
function besideEachOther(
  to: Float64Array,
  numbers: number,
  columns: number,
  { count, x, k }: PairRows,
): void {
  const classes = columns - numbers;
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < numbers; j++) to[i * columns + j] = x[i * numbers + j]!;
    for (let g = 0; g < classes; g++) to[i * columns + numbers + g] = k[i * classes + g]!;
  }
}
