// Matrix products of one model. A weight of k rows and n columns lies in panels of 8 columns, [n/8][k][8], the last
// panel filled up with zeros, so that forward, backward and update all read it in order; a weight of one column is
// a plain vector. Everything else is row-major. Rows of the left operand may be picked by a table of row numbers.
import { LEAST_SPARSE, PACKED_DEPTH as DEPTH, PACKED_ROWS as BLOCK } from '../src/numeric/kernels/opcodes';
import { entriesOf, isSparse, listedMost, sparseRows } from './sparse';
import { packFourRows, rowAt, tile1x8, tile4x8, transpose4 } from './tile';
import { laneSum, loadTail, multiplyAdd, splat, storeTail } from './vector';

/**
 * Up to eight columns of C, all rows, from one panel [depth][8]. Whole fours of rows are read at `packed`, the last ones where
 * they lie. Where there are fewer than eight columns, tiles are made in `room` (96 floats) and only their columns copied.
 */
function panelProduct(
  rows: i32, depth: i32, columns: i32, packed: usize, a: usize, stride: usize, table: usize,
  panel: usize, c: usize, cs: usize, add: bool, times: usize, room: usize,
): void {
  for (let r = 0; r < rows; ) {
    const count = r + 4 <= rows ? 4 : 1;
    let to = c, step = cs, factor = times;
    if (columns < 8) {
      to = room;
      step = 32;
      if (add) copyRows(count, columns, room, 32, c, cs);
      if (times) {
        factor = room + 128;
        copyRows(count, columns, factor, 32, times, cs);
      }
    }
    if (add && r + 8 <= rows) fetch(c + 4 * cs, cs);
    if (count == 4) tile4x8(depth, packed + ((<usize>r * depth) << 2), panel, to, step, add, factor);
    else tile1x8(depth, rowAt(a, stride, table, r), panel, to, add, factor);
    if (columns < 8) copyRows(count, columns, c, cs, room, 32);
    const done = <usize>count * cs;
    c += done;
    if (times) times += done;
    r += count;
  }
}

/** Has four rows of C on their way to the first cache while the tile before them is computed. */
// @ts-ignore: decorator
@inline function fetch(c: usize, cs: usize): void {
  load<i32>(c);
  load<i32>(c + cs);
  load<i32>(c + 2 * cs);
  load<i32>(c + 3 * cs);
}

/** Fours of rows, `depth` elements each, as [rows/4][depth][4]. */
function packRows(rows: i32, depth: i32, a: usize, stride: usize, table: usize, to: usize): void {
  for (let r = 0; r + 4 <= rows; r += 4) {
    packFourRows(
      depth, rowAt(a, stride, table, r), rowAt(a, stride, table, r + 1), rowAt(a, stride, table, r + 2),
      rowAt(a, stride, table, r + 3), to,
    );
    to += <usize>depth << 4;
  }
}

function copyRows(rows: i32, columns: i32, to: usize, toStride: usize, from: usize, fromStride: usize): void {
  for (let r = 0; r < rows; r++) {
    for (let j = 0; j < columns; j++) store<f32>(to + (<usize>j << 2), load<f32>(from + (<usize>j << 2)));
    to += toStride;
    from += fromStride;
  }
}

/**
 * C (rows x n) = A (rows x k) W (k x n), added to C where `add`. Picked rows are data, of which sparse ones are listed
 * and taken together, dense ones in runs. `room`: src/numeric/packing.ts says how much.
 */
export function matmul(
  rows: i32, k: i32, n: i32, a: usize, stride: usize, table: usize, w: usize, c: usize, add: bool, room: usize,
): void {
  if (!table || n == 1) {
    denseMatmul(rows, k, n, a, stride, table, w, c, add, room, room + 384);
    return;
  }
  const cs = <usize>n << 2;
  const most = listedMost(rows, k);
  const held = room + 384;
  const entries = held + BLOCK * 12;
  const packed = entries + (k < LEAST_SPARSE ? 0 : <usize>(most + 32) << 3);
  let from = 0, count = 0, used = 0;
  for (let r = 0; r < rows; r++) {
    const row = rowAt(a, stride, table, r);
    if (!isSparse(k, row)) continue;
    if (count == BLOCK || used + (k >> 2) > most) {
      sparseRows(count, held, k, n, w, c, add, room);
      count = used = 0;
    }
    const list = entries + (<usize>used << 3);
    const found = entriesOf(k, row, list, k >> 2);
    if (found < 0) continue;
    const at = held + <usize>count * 12;
    store<i32>(at, r);
    store<i32>(at, <i32>list, 4);
    store<i32>(at, found, 8);
    count++;
    used += found;
    if (from < r) {
      denseMatmul(
        r - from, k, n, a, stride, table + (<usize>from << 2), w, c + <usize>from * cs, add, room, packed,
      );
    }
    from = r + 1;
  }
  sparseRows(count, held, k, n, w, c, add, room);
  if (from < rows) {
    denseMatmul(
      rows - from, k, n, a, stride, table + (<usize>from << 2), w, c + <usize>from * cs, add, room, packed,
    );
  }
}

function denseMatmul(
  rows: i32, k: i32, n: i32, a: usize, stride: usize, table: usize, w: usize, c: usize, add: bool, room: usize,
  packed: usize,
): void {
  if (n == 1) {
    for (let r = 0; r < rows; r++) {
      const to = c + (<usize>r << 2);
      store<f32>(to, dot(k, rowAt(a, stride, table, r), w) + (add ? load<f32>(to) : 0));
    }
    return;
  }
  const cs = <usize>n << 2;
  for (let first = 0; first < rows; first += BLOCK) {
    const count = min(BLOCK, rows - first);
    // of a block the table, or the rows themselves, begin further on
    const picked = table ? table + (<usize>first << 2) : 0;
    const start = table ? a : a + <usize>first * stride;
    for (let from = 0; from < k; from += DEPTH) {
      const depth = min(DEPTH, k - from);
      const part = start + (<usize>from << 2);
      packRows(count, depth, part, stride, picked, packed);
      for (let j = 0; j < n; j += 8) {
        panelProduct(
          count, depth, min(8, n - j), packed, part, stride, picked, w + ((<usize>j * k + (<usize>from << 3)) << 2),
          c + <usize>first * cs + (<usize>j << 2), cs, add || from > 0, 0, room,
        );
      }
    }
  }
}

function dot(count: i32, a: usize, b: usize): f32 {
  let s0 = splat(0), s1 = s0;
  let i = 0;
  for (; i + 8 <= count; i += 8) {
    s0 = multiplyAdd(v128.load(a), v128.load(b), s0);
    s1 = multiplyAdd(v128.load(a, 16), v128.load(b, 16), s1);
    a += 32; b += 32;
  }
  let sum = laneSum(f32x4.add(s0, s1));
  for (; i < count; i++) {
    sum += load<f32>(a) * load<f32>(b);
    a += 4; b += 4;
  }
  return sum;
}

/**
 * C (rows x k) = A (rows x n) W' (n x k), added to C where `add`; or, with `times`, that product times T (rows x k)
 * element by element. Eight rows of W at a time become a panel of W'. `room`: src/numeric/packing.ts says how much.
 */
export function matmulTransposed(
  rows: i32, k: i32, n: i32, a: usize, w: usize, times: usize, c: usize, add: bool, room: usize,
): void {
  const cs = <usize>k << 2;
  if (n == 1) {
    for (let r = 0; r < rows; r++) {
      outerRow(k, load<f32>(a + (<usize>r << 2)), w, times ? times + <usize>r * cs : 0, c + <usize>r * cs, add);
    }
    return;
  }
  const stride = <usize>n << 2;
  const panel = room + 384;
  const packed = panel + DEPTH * 32;
  for (let first = 0; first < rows; first += BLOCK) {
    const count = min(BLOCK, rows - first);
    for (let from = 0; from < n; from += DEPTH) {
      const depth = min(DEPTH, n - from);
      const part = a + <usize>first * stride + (<usize>from << 2);
      packRows(count, depth, part, stride, 0, packed);
      for (let i = 0; i < k; i += 8) {
        transposePanel(k, from, from + depth, i, w, panel);
        const at = <usize>first * cs + (<usize>i << 2);
        panelProduct(
          count, depth, min(8, k - i), packed, part, stride, 0, panel, c + at, cs, add || from > 0,
          times && from + depth == n ? times + at : 0, room,
        );
      }
    }
  }
}

/** Rows i..i+7 and columns from..end-1 of W as [end - from][8], with `end` rounded up to the width of W's panels. */
function transposePanel(k: i32, from: i32, end: i32, i: i32, w: usize, to: usize): void {
  const count = min(8, k - i);
  for (let j = from; j < end; j += 8) {
    const q = w + ((<usize>j * k + (<usize>i << 3)) << 2);
    if (count == 8) {
      transpose4(v128.load(q), v128.load(q, 32), v128.load(q, 64), v128.load(q, 96), to, 32);
      transpose4(v128.load(q, 16), v128.load(q, 48), v128.load(q, 80), v128.load(q, 112), to + 128, 32);
      transpose4(v128.load(q, 128), v128.load(q, 160), v128.load(q, 192), v128.load(q, 224), to + 16, 32);
      transpose4(v128.load(q, 144), v128.load(q, 176), v128.load(q, 208), v128.load(q, 240), to + 144, 32);
    } else {
      memory.fill(to, 0, 256);
      for (let p = 0; p < count; p++) {
        for (let c = 0; c < 8; c++) {
          store<f32>(to + (<usize>c << 5) + (<usize>p << 2), load<f32>(q + (<usize>p << 5) + (<usize>c << 2)));
        }
      }
    }
    to += 256;
  }
}

/** to = s w [times T], added to `to` where `add`. */
export function outerRow(count: i32, s: f32, w: usize, times: usize, to: usize, add: bool): void {
  const factor = splat(s);
  let i = 0;
  for (; i < count; i += 4) {
    const at = <usize>i << 2;
    const left = count - i;
    const whole = left >= 4;
    let v = f32x4.mul(factor, whole ? v128.load(w + at) : loadTail(w + at, left));
    if (times) v = f32x4.mul(v, whole ? v128.load(times + at) : loadTail(times + at, left));
    if (add) v = f32x4.add(v, whole ? v128.load(to + at) : loadTail(to + at, left));
    if (whole) v128.store(to + at, v);
    else storeTail(to + at, v, left);
  }
}

