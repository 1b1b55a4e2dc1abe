// The tile that all products are made of. Its two operands lie in the order in which they are read, [depth][4] and
// [depth][8], so that a step of the sum has two addresses to advance, eight multiply-adds and six loads: with an address for
// each of four rows it takes a quarter longer. It is 4 x 8, because V8 11 puts all loads of a block before its multiply-adds,
// and 8 sums and 6 loads are what its 15 registers hold. Four steps follow each other, each with its test: a step is then a
// block of its own, nothing is spilled, and V8 looks for interrupts once in four steps.
import { multiplyAdd, splat } from './vector';

/** Four rows, eight columns: C = sum of a[i][r] b[i] (added to C where `add`), times T where `times` is given. */
export function tile4x8(depth: i32, a: usize, b: usize, c: usize, cs: usize, add: bool, times: usize): void {
  let c00 = splat(0), c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00, c30 = c00, c31 = c00;
  if (add) {
    let from = c;
    c00 = v128.load(from); c01 = v128.load(from, 16); from += cs;
    c10 = v128.load(from); c11 = v128.load(from, 16); from += cs;
    c20 = v128.load(from); c21 = v128.load(from, 16); from += cs;
    c30 = v128.load(from); c31 = v128.load(from, 16);
  }
  const end = b + (<usize>depth << 5);
  let b0: v128, b1: v128, s: v128;
  do {
    b0 = v128.load(b); b1 = v128.load(b, 16);
    s = v128.load32_splat(a); c00 = multiplyAdd(s, b0, c00); c01 = multiplyAdd(s, b1, c01);
    s = v128.load32_splat(a, 4); c10 = multiplyAdd(s, b0, c10); c11 = multiplyAdd(s, b1, c11);
    s = v128.load32_splat(a, 8); c20 = multiplyAdd(s, b0, c20); c21 = multiplyAdd(s, b1, c21);
    s = v128.load32_splat(a, 12); c30 = multiplyAdd(s, b0, c30); c31 = multiplyAdd(s, b1, c31);
    a += 16; b += 32;
    if (b == end) break;
    b0 = v128.load(b); b1 = v128.load(b, 16);
    s = v128.load32_splat(a); c00 = multiplyAdd(s, b0, c00); c01 = multiplyAdd(s, b1, c01);
    s = v128.load32_splat(a, 4); c10 = multiplyAdd(s, b0, c10); c11 = multiplyAdd(s, b1, c11);
    s = v128.load32_splat(a, 8); c20 = multiplyAdd(s, b0, c20); c21 = multiplyAdd(s, b1, c21);
    s = v128.load32_splat(a, 12); c30 = multiplyAdd(s, b0, c30); c31 = multiplyAdd(s, b1, c31);
    a += 16; b += 32;
    if (b == end) break;
    b0 = v128.load(b); b1 = v128.load(b, 16);
    s = v128.load32_splat(a); c00 = multiplyAdd(s, b0, c00); c01 = multiplyAdd(s, b1, c01);
    s = v128.load32_splat(a, 4); c10 = multiplyAdd(s, b0, c10); c11 = multiplyAdd(s, b1, c11);
    s = v128.load32_splat(a, 8); c20 = multiplyAdd(s, b0, c20); c21 = multiplyAdd(s, b1, c21);
    s = v128.load32_splat(a, 12); c30 = multiplyAdd(s, b0, c30); c31 = multiplyAdd(s, b1, c31);
    a += 16; b += 32;
    if (b == end) break;
    b0 = v128.load(b); b1 = v128.load(b, 16);
    s = v128.load32_splat(a); c00 = multiplyAdd(s, b0, c00); c01 = multiplyAdd(s, b1, c01);
    s = v128.load32_splat(a, 4); c10 = multiplyAdd(s, b0, c10); c11 = multiplyAdd(s, b1, c11);
    s = v128.load32_splat(a, 8); c20 = multiplyAdd(s, b0, c20); c21 = multiplyAdd(s, b1, c21);
    s = v128.load32_splat(a, 12); c30 = multiplyAdd(s, b0, c30); c31 = multiplyAdd(s, b1, c31);
    a += 16; b += 32;
  } while (b != end);
  // each factor is used before the next is loaded: more of them at once would push a sum out of its register, in the loop too
  if (times) {
    v128.store(c, f32x4.mul(c00, v128.load(times))); v128.store(c, f32x4.mul(c01, v128.load(times, 16)), 16);
    c += cs; times += cs;
    v128.store(c, f32x4.mul(c10, v128.load(times))); v128.store(c, f32x4.mul(c11, v128.load(times, 16)), 16);
    c += cs; times += cs;
    v128.store(c, f32x4.mul(c20, v128.load(times))); v128.store(c, f32x4.mul(c21, v128.load(times, 16)), 16);
    c += cs; times += cs;
    v128.store(c, f32x4.mul(c30, v128.load(times))); v128.store(c, f32x4.mul(c31, v128.load(times, 16)), 16);
    return;
  }
  v128.store(c, c00); v128.store(c, c01, 16); c += cs;
  v128.store(c, c10); v128.store(c, c11, 16); c += cs;
  v128.store(c, c20); v128.store(c, c21, 16); c += cs;
  v128.store(c, c30); v128.store(c, c31, 16);
}

/** One row, which is read where it lies, and eight columns. */
export function tile1x8(depth: i32, a: usize, b: usize, c: usize, add: bool, times: usize): void {
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

/** Where row r of A lies: its rows may be picked by a table of row numbers. */
// @ts-ignore: decorator
@inline export function rowAt(a: usize, stride: usize, table: usize, r: i32): usize {
  return a + (table ? <usize>load<i32>(table + (<usize>r << 2)) : <usize>r) * stride;
}

/** `depth` elements of four rows as [depth][4]. */
export function packFourRows(depth: i32, a0: usize, a1: usize, a2: usize, a3: usize, to: usize): void {
  let i = 0;
  for (; i + 4 <= depth; i += 4) {
    transpose4(v128.load(a0), v128.load(a1), v128.load(a2), v128.load(a3), to, 16);
    a0 += 16; a1 += 16; a2 += 16; a3 += 16; to += 64;
  }
  for (; i < depth; i++) {
    store<f32>(to, load<f32>(a0));
    store<f32>(to, load<f32>(a1), 4);
    store<f32>(to, load<f32>(a2), 8);
    store<f32>(to, load<f32>(a3), 12);
    a0 += 4; a1 += 4; a2 += 4; a3 += 4; to += 16;
  }
}

/** A block of four rows, its columns stored as rows that are `step` bytes apart. */
// @ts-ignore: decorator
@inline export function transpose4(a: v128, b: v128, c: v128, d: v128, to: usize, step: usize): void {
  const ab0 = v128.shuffle<f32>(a, b, 0, 4, 1, 5), ab1 = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
  const cd0 = v128.shuffle<f32>(c, d, 0, 4, 1, 5), cd1 = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f32>(ab0, cd0, 0, 1, 4, 5));
  v128.store(to + step, v128.shuffle<f32>(ab0, cd0, 2, 3, 6, 7));
  v128.store(to + 2 * step, v128.shuffle<f32>(ab1, cd1, 0, 1, 4, 5));
  v128.store(to + 3 * step, v128.shuffle<f32>(ab1, cd1, 2, 3, 6, 7));
}
