// Matrix products of one model. A weight of k rows and n columns lies in panels of 8 columns, [n/8][k][8], the last
// panel filled up with zeros, so that forward, backward and update all read it in order; a weight of one column is
// a plain vector. Everything else is row-major. Rows of the left operand may be picked by a table of row numbers.
// Tiles are 4 x 8 and not unrolled along the sum: V8 11 spills registers otherwise.
import { updateStrip } from './adam';
import { addSparse, entriesOf, isSparse, sparseRow } from './sparse';
import { laneSum, loadTail, multiplyAdd, splat, storeTail } from './vector';

/** How much of the sum a tile takes at a time: 512 x 8 floats of a panel stay in the first cache. */
const DEPTH = 512;
/** Rows of a weight gradient that are made together. */
const STRIP = 64;

// @ts-ignore: decorator
@inline function rowAt(a: usize, stride: usize, table: usize, r: i32): usize {
  return a + (table ? <usize>load<i32>(table + (<usize>r << 2)) : <usize>r) * stride;
}

// ---- C = A W and C = A W' ------------------------------------------------------------------------------------

/** Four rows, eight columns: C = sum of a_r[i] b[i] (added to C where `add`), times T where `times` is given. */
function tile4x8(
  depth: i32, a0: usize, a1: usize, a2: usize, a3: usize, b: usize, c: usize, cs: usize, add: bool, times: usize,
): void {
  let c00 = splat(0), c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00, c30 = c00, c31 = c00;
  const r1 = c + cs, r2 = r1 + cs, r3 = r2 + cs;
  if (add) {
    c00 = v128.load(c); c01 = v128.load(c, 16);
    c10 = v128.load(r1); c11 = v128.load(r1, 16);
    c20 = v128.load(r2); c21 = v128.load(r2, 16);
    c30 = v128.load(r3); c31 = v128.load(r3, 16);
  }
  const end = b + (<usize>depth << 5);
  do {
    const b0 = v128.load(b), b1 = v128.load(b, 16);
    let s = v128.load32_splat(a0);
    c00 = multiplyAdd(s, b0, c00); c01 = multiplyAdd(s, b1, c01);
    s = v128.load32_splat(a1);
    c10 = multiplyAdd(s, b0, c10); c11 = multiplyAdd(s, b1, c11);
    s = v128.load32_splat(a2);
    c20 = multiplyAdd(s, b0, c20); c21 = multiplyAdd(s, b1, c21);
    s = v128.load32_splat(a3);
    c30 = multiplyAdd(s, b0, c30); c31 = multiplyAdd(s, b1, c31);
    a0 += 4; a1 += 4; a2 += 4; a3 += 4; b += 32;
  } while (b < end);
  if (times) {
    c00 = f32x4.mul(c00, v128.load(times)); c01 = f32x4.mul(c01, v128.load(times, 16)); times += cs;
    c10 = f32x4.mul(c10, v128.load(times)); c11 = f32x4.mul(c11, v128.load(times, 16)); times += cs;
    c20 = f32x4.mul(c20, v128.load(times)); c21 = f32x4.mul(c21, v128.load(times, 16)); times += cs;
    c30 = f32x4.mul(c30, v128.load(times)); c31 = f32x4.mul(c31, v128.load(times, 16));
  }
  v128.store(c, c00); v128.store(c, c01, 16);
  v128.store(r1, c10); v128.store(r1, c11, 16);
  v128.store(r2, c20); v128.store(r2, c21, 16);
  v128.store(r3, c30); v128.store(r3, c31, 16);
}

function tile1x8(depth: i32, a: usize, b: usize, c: usize, add: bool, times: usize): void {
  let c0 = splat(0), c1 = c0;
  if (add) {
    c0 = v128.load(c); c1 = v128.load(c, 16);
  }
  const end = b + (<usize>depth << 5);
  do {
    const s = v128.load32_splat(a);
    c0 = multiplyAdd(s, v128.load(b), c0);
    c1 = multiplyAdd(s, v128.load(b, 16), c1);
    a += 4; b += 32;
  } while (b < end);
  if (times) {
    c0 = f32x4.mul(c0, v128.load(times)); c1 = f32x4.mul(c1, v128.load(times, 16));
  }
  v128.store(c, c0); v128.store(c, c1, 16);
}

/**
 * Up to eight columns of C, all rows, from one panel [depth][8]. Where there are fewer than eight, tiles are made in
 * `room` (96 floats) and only their columns copied.
 */
function panelProduct(
  rows: i32, depth: i32, columns: i32, a: usize, stride: usize, table: usize, skip: usize,
  panel: usize, c: usize, cs: usize, add: bool, times: usize, room: usize,
): void {
  let r = 0;
  for (; r < rows; ) {
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
    const a0 = rowAt(a, stride, table, r) + skip;
    if (count == 4) {
      const a1 = rowAt(a, stride, table, r + 1) + skip;
      const a2 = rowAt(a, stride, table, r + 2) + skip;
      const a3 = rowAt(a, stride, table, r + 3) + skip;
      tile4x8(depth, a0, a1, a2, a3, panel, to, step, add, factor);
    } else {
      tile1x8(depth, a0, panel, to, add, factor);
    }
    if (columns < 8) copyRows(count, columns, c, cs, room, 32);
    const done = <usize>count * cs;
    c += done;
    if (times) times += done;
    r += count;
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
 * C (rows x n) = A (rows x k) W (k x n), added to C where `add`. Picked rows are data, of which sparse ones are taken by
 * themselves, dense ones in runs. `room`: 96 floats, and for picked rows half a row more.
 */
export function matmul(
  rows: i32, k: i32, n: i32, a: usize, stride: usize, table: usize, w: usize, c: usize, add: bool, room: usize,
): void {
  if (!table || n == 1) {
    denseMatmul(rows, k, n, a, stride, table, w, c, add, room);
    return;
  }
  const cs = <usize>n << 2;
  const entries = room + 384;
  let from = 0;
  for (let r = 0; r < rows; r++) {
    const row = rowAt(a, stride, table, r);
    const count = isSparse(k, row) ? entriesOf(k, row, entries) : -1;
    if (count < 0) continue;
    if (from < r) {
      denseMatmul(r - from, k, n, a, stride, table + (<usize>from << 2), w, c + <usize>from * cs, add, room);
    }
    sparseRow(k, n, count, entries, w, c + <usize>r * cs, add, room);
    from = r + 1;
  }
  if (from < rows) {
    denseMatmul(rows - from, k, n, a, stride, table + (<usize>from << 2), w, c + <usize>from * cs, add, room);
  }
}

function denseMatmul(
  rows: i32, k: i32, n: i32, a: usize, stride: usize, table: usize, w: usize, c: usize, add: bool, room: usize,
): void {
  if (n == 1) {
    for (let r = 0; r < rows; r++) {
      const to = c + (<usize>r << 2);
      store<f32>(to, dot(k, rowAt(a, stride, table, r), w) + (add ? load<f32>(to) : 0));
    }
    return;
  }
  const cs = <usize>n << 2;
  for (let from = 0; from < k; from += DEPTH) {
    const depth = min(DEPTH, k - from);
    for (let j = 0; j < n; j += 8) {
      const panel = w + ((<usize>j * k + (<usize>from << 3)) << 2);
      panelProduct(
        rows, depth, min(8, n - j), a, stride, table, <usize>from << 2,
        panel, c + (<usize>j << 2), cs, add || from > 0, 0, room,
      );
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
 * element by element. Eight rows of W at a time become a panel of W'. `room`: 96 floats and 8 for each column of A.
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
  const panel = room + 384;
  for (let i = 0; i < k; i += 8) {
    transposePanel(k, n, i, w, panel);
    const to = c + (<usize>i << 2);
    for (let from = 0; from < n; from += DEPTH) {
      const depth = min(DEPTH, n - from);
      const factor = times && from + depth == n ? times + (<usize>i << 2) : 0;
      panelProduct(
        rows, depth, min(8, k - i), a, <usize>n << 2, 0, <usize>from << 2,
        panel + (<usize>from << 5), to, cs, add || from > 0, factor, room,
      );
    }
  }
}

/** Rows i..i+7 of W as columns: `to` [n][8], with n rounded up to the width of W's panels. */
function transposePanel(k: i32, n: i32, i: i32, w: usize, to: usize): void {
  const count = min(8, k - i);
  for (let j = 0; j < n; j += 8) {
    const from = w + ((<usize>j * k + (<usize>i << 3)) << 2);
    if (count == 8) {
      transpose4(from, to);
      transpose4(from + 16, to + 128);
      transpose4(from + 128, to + 16);
      transpose4(from + 144, to + 144);
    } else {
      memory.fill(to, 0, 256);
      for (let p = 0; p < count; p++) {
        for (let q = 0; q < 8; q++) {
          store<f32>(to + (<usize>q << 5) + (<usize>p << 2), load<f32>(from + (<usize>p << 5) + (<usize>q << 2)));
        }
      }
    }
    to += 256;
  }
}

/** A 4 x 4 block with rows of 8 floats, transposed. */
// @ts-ignore: decorator
@inline function transpose4(from: usize, to: usize): void {
  const a = v128.load(from), b = v128.load(from, 32), c = v128.load(from, 64), d = v128.load(from, 96);
  const ab0 = v128.shuffle<f32>(a, b, 0, 4, 1, 5), ab1 = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
  const cd0 = v128.shuffle<f32>(c, d, 0, 4, 1, 5), cd1 = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f32>(ab0, cd0, 0, 1, 4, 5));
  v128.store(to, v128.shuffle<f32>(ab0, cd0, 2, 3, 6, 7), 32);
  v128.store(to, v128.shuffle<f32>(ab1, cd1, 0, 1, 4, 5), 64);
  v128.store(to, v128.shuffle<f32>(ab1, cd1, 2, 3, 6, 7), 96);
}

/** to = s w [times T], added to `to` where `add`. */
function outerRow(count: i32, s: f32, w: usize, times: usize, to: usize, add: bool): void {
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

// ---- G = A' B ------------------------------------------------------------------------------------------------

function tileTransposed4x8(rows: i32, a: usize, stride: usize, b: usize, c: usize): void {
  let c00 = splat(0), c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00, c30 = c00, c31 = c00;
  const end = b + (<usize>rows << 5);
  do {
    const b0 = v128.load(b), b1 = v128.load(b, 16);
    let s = v128.load32_splat(a);
    c00 = multiplyAdd(s, b0, c00); c01 = multiplyAdd(s, b1, c01);
    s = v128.load32_splat(a, 4);
    c10 = multiplyAdd(s, b0, c10); c11 = multiplyAdd(s, b1, c11);
    s = v128.load32_splat(a, 8);
    c20 = multiplyAdd(s, b0, c20); c21 = multiplyAdd(s, b1, c21);
    s = v128.load32_splat(a, 12);
    c30 = multiplyAdd(s, b0, c30); c31 = multiplyAdd(s, b1, c31);
    a += stride; b += 32;
  } while (b < end);
  v128.store(c, c00); v128.store(c, c01, 16);
  v128.store(c, c10, 32); v128.store(c, c11, 48);
  v128.store(c, c20, 64); v128.store(c, c21, 80);
  v128.store(c, c30, 96); v128.store(c, c31, 112);
}

/**
 * G (k x n, a weight) = A' (k x rows) B (rows x n). G is stored at `g`, added to where `add`; or, where `control` is
 * given, goes strip by strip straight into Adam's update of `theta` with moments `m`, `v` and average `target`, and
 * never reaches memory.
 */
export function outer(
  rows: i32, k: i32, n: i32, a: usize, stride: usize, table: usize, b: usize, g: usize, add: bool, room: usize,
  theta: usize, m: usize, v: usize, target: usize, control: usize,
): void {
  const strip = room;
  const block = strip + STRIP * 32;
  const packed = block + <usize>rows * (STRIP * 4);
  if (n == 1) {
    for (let from = 0; from < k; from += STRIP * 8) {
      const count = min(STRIP * 8, k - from);
      const at = <usize>from << 2;
      outerVector(rows, count, a + at, stride, table, b, strip);
      finishStrip(count, strip, at, g, add, theta, m, v, target, control);
    }
    return;
  }
  const panels = (n + 7) >> 3;
  packColumns(rows, n, b, packed);
  const sparse = table != 0 && areSparse(rows, k, a, stride, table);
  const strips = packed + ((<usize>panels * rows) << 5);
  for (let from = 0; from < k; from += STRIP) {
    const count = min(STRIP, k - from);
    if (sparse) {
      memory.fill(strips, 0, <usize>panels * (STRIP * 32));
      for (let r = 0; r < rows; r++) {
        const row = rowAt(a, stride, table, r) + (<usize>from << 2);
        addSparse(count, row, panels, STRIP, strips, rows, packed + (<usize>r << 5));
      }
      for (let p = 0; p < panels; p++) {
        const made = strips + <usize>p * (STRIP * 32);
        finishStrip(count << 3, made, (<usize>p * k + from) << 5, g, add, theta, m, v, target, control);
      }
      continue;
    }
    for (let r = 0; r < rows; r++) {
      const to = block + <usize>r * (STRIP * 4);
      if (count & 3) memory.fill(to + (<usize>count << 2), 0, <usize>(4 - (count & 3)) << 2);
      memory.copy(to, rowAt(a, stride, table, r) + (<usize>from << 2), <usize>count << 2);
    }
    for (let p = 0; p < panels; p++) {
      const bp = packed + ((<usize>p * rows) << 5);
      for (let i = 0; i < count; i += 4) {
        tileTransposed4x8(rows, block + (<usize>i << 2), STRIP * 4, bp, strip + (<usize>i << 5));
      }
      finishStrip(count << 3, strip, (<usize>p * k + from) << 5, g, add, theta, m, v, target, control);
    }
  }
}

/** Whether three of four picked rows are sparse. */
function areSparse(rows: i32, k: i32, a: usize, stride: usize, table: usize): bool {
  let count = 0;
  for (let r = 0; r < rows; r++) count += i32(isSparse(k, rowAt(a, stride, table, r)));
  return 4 * count >= 3 * rows;
}

/** B (rows x n) into panels [n/8][rows][8], zeros behind the last column. */
function packColumns(rows: i32, n: i32, b: usize, to: usize): void {
  for (let j = 0; j < n; j += 8) {
    const columns = min(8, n - j);
    let from = b + (<usize>j << 2);
    for (let r = 0; r < rows; r++) {
      if (columns == 8) {
        v128.store(to, v128.load(from));
        v128.store(to, v128.load(from, 16), 16);
      } else {
        v128.store(to, splat(0));
        v128.store(to, splat(0), 16);
        for (let q = 0; q < columns; q++) store<f32>(to + (<usize>q << 2), load<f32>(from + (<usize>q << 2)));
      }
      from += <usize>n << 2;
      to += 32;
    }
  }
}

/** `to` (count) = sum over rows of b[r] A[r]. */
function outerVector(rows: i32, count: i32, a: usize, stride: usize, table: usize, b: usize, to: usize): void {
  memory.fill(to, 0, <usize>count << 2);
  for (let r = 0; r < rows; r++) outerRow(count, load<f32>(b + (<usize>r << 2)), rowAt(a, stride, table, r), 0, to, true);
}

function finishStrip(
  count: i32, strip: usize, at: usize, g: usize, add: bool,
  theta: usize, m: usize, v: usize, target: usize, control: usize,
): void {
  if (control) {
    updateStrip(count, strip, theta + at, m + at, v + at, target ? target + at : 0, control);
    return;
  }
  const to = g + at;
  if (!add) {
    memory.copy(to, strip, <usize>count << 2);
    return;
  }
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    const q = <usize>i << 2;
    v128.store(to + q, f32x4.add(v128.load(to + q), v128.load(strip + q)));
  }
  if (i < count) {
    const q = <usize>i << 2;
    storeTail(to + q, f32x4.add(loadTail(to + q, count - i), loadTail(strip + q, count - i)), count - i);
  }
}
