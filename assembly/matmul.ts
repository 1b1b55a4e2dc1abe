// Matrix products of one model. A weight of k rows and n columns lies in panels of 8 columns, [n/8][k][8], the last
// panel filled up with zeros, so that forward, backward and update all read it in order; a weight of one column is
// a plain vector. Everything else is row-major. Rows of the left operand may be picked by a table of row numbers.
// Tiles are 4 x 8 and not unrolled along the sum: V8 11 spills registers otherwise.
import { updateStrip } from './adam';
import { laneSum, loadTail, multiplyAdd, splat, storeTail } from './vector';

/** How much of the sum a tile takes at a time: 512 x 8 floats of a panel stay in the first cache. */
const DEPTH = 512;
/** Rows of a weight gradient made together, and columns of a strip. */
const STRIP = 64;

// @ts-ignore: decorator
@inline function rowAt(a: usize, stride: usize, table: usize, r: i32): usize {
  return a + (table ? <usize>load<i32>(table + (<usize>r << 2)) : <usize>r) * stride;
}

// ---- C = A W -------------------------------------------------------------------------------------------------

function tile4x8(depth: i32, a0: usize, a1: usize, a2: usize, a3: usize, b: usize, c: usize, cs: usize, add: bool): void {
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
  v128.store(c, c00); v128.store(c, c01, 16);
  v128.store(r1, c10); v128.store(r1, c11, 16);
  v128.store(r2, c20); v128.store(r2, c21, 16);
  v128.store(r3, c30); v128.store(r3, c31, 16);
}

function tile1x8(depth: i32, a: usize, b: usize, c: usize, add: bool): void {
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
  v128.store(c, c0); v128.store(c, c1, 16);
}

// @ts-ignore: decorator
@inline function copyFloats(to: usize, from: usize, count: i32): void {
  for (let i = 0; i < count; i++) store<f32>(to + (<usize>i << 2), load<f32>(from + (<usize>i << 2)));
}

/** C (rows x n) = A (rows x k) W (k x n), added to C where `add`. `room`: 32 floats for the tiles of a part panel. */
export function matmul(
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
    const more = add || from > 0;
    const skip = <usize>from << 2;
    for (let j = 0; j < n; j += 8) {
      const panel = w + ((<usize>j * k + (<usize>from << 3)) << 2);
      const columns = min(8, n - j);
      let r = 0;
      for (; r + 4 <= rows; r += 4) {
        const a0 = rowAt(a, stride, table, r) + skip, a1 = rowAt(a, stride, table, r + 1) + skip;
        const a2 = rowAt(a, stride, table, r + 2) + skip, a3 = rowAt(a, stride, table, r + 3) + skip;
        const to = c + <usize>r * cs + (<usize>j << 2);
        if (columns == 8) {
          tile4x8(depth, a0, a1, a2, a3, panel, to, cs, more);
        } else {
          if (more) for (let q = 0; q < 4; q++) copyFloats(room + (<usize>q << 5), to + <usize>q * cs, columns);
          tile4x8(depth, a0, a1, a2, a3, panel, room, 32, more);
          for (let q = 0; q < 4; q++) copyFloats(to + <usize>q * cs, room + (<usize>q << 5), columns);
        }
      }
      for (; r < rows; r++) {
        const a0 = rowAt(a, stride, table, r) + skip;
        const to = c + <usize>r * cs + (<usize>j << 2);
        if (columns == 8) {
          tile1x8(depth, a0, panel, to, more);
        } else {
          if (more) copyFloats(room, to, columns);
          tile1x8(depth, a0, panel, room, more);
          copyFloats(to, room, columns);
        }
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

// ---- C = A W' ------------------------------------------------------------------------------------------------

/** Two columns of four rows, sums of products along the panels: [row][2] at `to`. */
function tile4x2(
  panels: i32, a0: usize, a1: usize, a2: usize, a3: usize, w0: usize, w1: usize, step: usize, to: usize,
): void {
  let c00 = splat(0), c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00, c30 = c00, c31 = c00;
  for (let p = 0; p < panels; p++) {
    let u = v128.load(w0), v = v128.load(w1);
    let s = v128.load(a0);
    c00 = multiplyAdd(s, u, c00); c01 = multiplyAdd(s, v, c01);
    s = v128.load(a1);
    c10 = multiplyAdd(s, u, c10); c11 = multiplyAdd(s, v, c11);
    s = v128.load(a2);
    c20 = multiplyAdd(s, u, c20); c21 = multiplyAdd(s, v, c21);
    s = v128.load(a3);
    c30 = multiplyAdd(s, u, c30); c31 = multiplyAdd(s, v, c31);
    u = v128.load(w0, 16); v = v128.load(w1, 16);
    s = v128.load(a0, 16);
    c00 = multiplyAdd(s, u, c00); c01 = multiplyAdd(s, v, c01);
    s = v128.load(a1, 16);
    c10 = multiplyAdd(s, u, c10); c11 = multiplyAdd(s, v, c11);
    s = v128.load(a2, 16);
    c20 = multiplyAdd(s, u, c20); c21 = multiplyAdd(s, v, c21);
    s = v128.load(a3, 16);
    c30 = multiplyAdd(s, u, c30); c31 = multiplyAdd(s, v, c31);
    a0 += 32; a1 += 32; a2 += 32; a3 += 32; w0 += step; w1 += step;
  }
  v128.store(to, fourSums(c00, c01, c10, c11));
  v128.store(to, fourSums(c20, c21, c30, c31), 16);
}

/** The lane sums of four vectors. */
// @ts-ignore: decorator
@inline function fourSums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.add(v128.shuffle<f32>(a, b, 0, 4, 1, 5), v128.shuffle<f32>(a, b, 2, 6, 3, 7));
  const cd = f32x4.add(v128.shuffle<f32>(c, d, 0, 4, 1, 5), v128.shuffle<f32>(c, d, 2, 6, 3, 7));
  return f32x4.add(v128.shuffle<f32>(ab, cd, 0, 1, 4, 5), v128.shuffle<f32>(ab, cd, 2, 3, 6, 7));
}

// @ts-ignore: decorator
@inline function put(to: usize, times: usize, add: bool, value: f32): void {
  let v = value;
  if (times) v *= load<f32>(times);
  if (add) v += load<f32>(to);
  store<f32>(to, v);
}

/** C (rows x k) = A (rows x n) W' (n x k) [times T (rows x k), element by element], added to C where `add`. */
export function matmulTransposed(
  rows: i32, k: i32, n: i32, a: usize, w: usize, times: usize, c: usize, add: bool, room: usize,
): void {
  const cs = <usize>k << 2;
  if (n == 1) {
    for (let r = 0; r < rows; r++) outerRow(k, load<f32>(a + (<usize>r << 2)), w, times ? times + <usize>r * cs : 0, c + <usize>r * cs, add);
    return;
  }
  const panels = (n + 7) >> 3;
  const step = <usize>k << 5;
  const pair = room;
  let stride = <usize>n << 2;
  if (n & 7) {
    const wide = <usize>panels << 5;
    const packed = room + 32;
    for (let r = 0; r < rows; r++) {
      const to = packed + <usize>r * wide;
      memory.fill(to, 0, wide);
      memory.copy(to, a + <usize>r * stride, stride);
    }
    a = packed;
    stride = wide;
  }
  for (let from = 0; from < k; from += 32) {
    const end = min(from + 32, k);
    for (let r = 0; r < rows; r += 4) {
      const count = min(4, rows - r);
      const a0 = a + <usize>r * stride;
      const a1 = count > 1 ? a0 + stride : a0;
      const a2 = count > 2 ? a1 + stride : a0;
      const a3 = count > 3 ? a2 + stride : a0;
      for (let i = from; i < end; i += 2) {
        const w0 = w + (<usize>i << 5);
        const both = i + 1 < end;
        tile4x2(panels, a0, a1, a2, a3, w0, both ? w0 + 32 : w0, step, pair);
        let to = c + <usize>r * cs + (<usize>i << 2);
        let factor = times ? times + <usize>r * cs + (<usize>i << 2) : 0;
        for (let q = 0; q < count; q++) {
          const value = pair + (<usize>q << 3);
          put(to, factor, add, load<f32>(value));
          if (both) put(to + 4, factor ? factor + 4 : 0, add, load<f32>(value, 4));
          to += cs;
          if (factor) factor += cs;
        }
      }
    }
  }
}

function outerRow(count: i32, s: f32, w: usize, times: usize, to: usize, add: bool): void {
  const factor = splat(s);
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    const at = <usize>i << 2;
    let v = f32x4.mul(factor, v128.load(w + at));
    if (times) v = f32x4.mul(v, v128.load(times + at));
    if (add) v = f32x4.add(v, v128.load(to + at));
    v128.store(to + at, v);
  }
  for (; i < count; i++) {
    const at = <usize>i << 2;
    put(to + at, times ? times + at : 0, add, s * load<f32>(w + at));
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
  for (let from = 0; from < k; from += STRIP) {
    const count = min(STRIP, k - from);
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
        copyFloats(to, from, columns);
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
