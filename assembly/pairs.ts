// Covariances of pairs of rows (src/numeric/pairKernel.ts), four pairs side by side. No multiply and add is fused and
// every sum keeps the order that JavaScript adds in, so that all kernels give the same bits.
//
// A table of pairs lies here as [pair][group][2], what is apart beside what is alike, so that both are summed side by side.

import { mirror } from './linalg';

/** Rows of b whose columns are packed together. */
const PAIRS: i32 = 64;

/** Bytes that `pairCovariances` needs at `room`. */
export function pairRoom(columns: i32): i32 {
  return columns * PAIRS * 8;
}

// @ts-ignore: decorator
@inline function splat2(value: f64): v128 {
  return f64x2.splat(value);
}

// @ts-ignore: decorator
@inline function radial2(r: v128): v128 {
  const near = f64x2.div(splat2(1), f64x2.add(splat2(1), f64x2.mul(r, splat2(0.0625))));
  const fourth = f64x2.mul(f64x2.mul(f64x2.mul(near, near), near), near);
  return f64x2.mul(fourth, fourth);
}

// @ts-ignore: decorator
@inline function term(u: v128, e: v128, next: f64): v128 {
  return f64x2.add(f64x2.mul(u, e), splat2(next));
}

function matern2(r: v128): v128 {
  const t = f64x2.sqrt(f64x2.mul(splat2(5), r)), u = f64x2.mul(t, splat2(-0.00390625));
  let e = term(u, splat2(1.0 / 362880), 1.0 / 40320);
  e = term(u, e, 1.0 / 5040);
  e = term(u, e, 1.0 / 720);
  e = term(u, e, 1.0 / 120);
  e = term(u, e, 1.0 / 24);
  e = term(u, e, 1.0 / 6);
  e = term(u, e, 0.5);
  e = term(u, e, 1);
  e = term(u, e, 1);
  e = f64x2.mul(e, e);
  e = f64x2.mul(e, e);
  e = f64x2.mul(e, e);
  e = f64x2.mul(e, e);
  e = f64x2.mul(e, e);
  e = f64x2.mul(e, e);
  e = f64x2.mul(e, e);
  e = f64x2.mul(e, e);
  const part = f64x2.add(f64x2.add(splat2(1), t), f64x2.mul(f64x2.mul(t, t), splat2(1.0 / 3)));
  return v128.andnot(f64x2.mul(part, e), f64x2.gt(t, splat2(40)));
}

/** Rows `from` to `from + width` of b (m x columns) as [column][PAIRS], zeros where there are fewer. */
function packPairs(columns: i32, b: usize, from: i32, width: i32, to: usize): void {
  for (let u = 0; u < columns; u++) {
    let at = b + (<usize>from * columns + u) * 8;
    for (let j = 0; j < PAIRS; j++, to += 8, at += <usize>columns * 8) store<f64>(to, j < width ? load<f64>(at) : 0);
  }
}

/**
 * to (n x m): covariances of all pairs. Rows of a and b are `numbers` numbers and then `classes` classes. `weights`: 1 / l^2 and
 * a of all columns, v, w. With `isSame`, a and b are the same rows: the lower triangle is computed, and mirrored.
 */
export function pairCovariances(
  isMatern: bool, isSame: bool, numbers: i32, classes: i32, weights: usize,
  n: i32, a: usize, m: i32, b: usize, to: usize, room: usize,
): void {
  const columns = numbers + classes, effects = weights + <usize>columns * 8;
  const v = v128.load64_splat(effects + <usize>columns * 8), line = v128.load64_splat(effects + <usize>columns * 8, 8);
  let allInverse: f64 = 0;
  for (let g = numbers; g < columns; g++) allInverse += load<f64>(weights + (<usize>g << 3));
  for (let from = 0; from < m; from += PAIRS) {
    const width = min(PAIRS, m - from);
    packPairs(columns, b, from, width, room);
    for (let i = isSame ? from : 0; i < n; i++) {
      const end = isSame ? min(width, i - from + 1) : width;
      for (let j = 0; j < end; j += 4) {
        let x = a + <usize>i * columns * 8, packed = room + <usize>j * 8, weight = weights;
        let r0 = splat2(0), r1 = r0, sum0 = splat2(1), sum1 = sum0, product0 = r0, product1 = r0;
        for (let u = 0; u < numbers; u++, x += 8, weight += 8, packed += PAIRS * 8) {
          const own = v128.load64_splat(x), to0 = v128.load(packed), to1 = v128.load(packed, 16);
          const apart0 = f64x2.sub(own, to0), apart1 = f64x2.sub(own, to1);
          const d0 = f64x2.mul(apart0, apart0), d1 = f64x2.mul(apart1, apart1), inverse = v128.load64_splat(weight);
          r0 = f64x2.add(r0, f64x2.mul(d0, inverse));
          r1 = f64x2.add(r1, f64x2.mul(d1, inverse));
          const effect = load<f64>(weight + <usize>columns * 8);
          if (effect > 0) {
            sum0 = f64x2.add(sum0, f64x2.mul(splat2(effect), radial2(f64x2.mul(d0, splat2(0.25)))));
            sum1 = f64x2.add(sum1, f64x2.mul(splat2(effect), radial2(f64x2.mul(d1, splat2(0.25)))));
          }
          product0 = f64x2.add(product0, f64x2.mul(own, to0));
          product1 = f64x2.add(product1, f64x2.mul(own, to1));
        }
        if (classes > 0) {
          let same0 = splat2(0), same1 = same0, apart0 = splat2(allInverse), apart1 = apart0;
          for (let g = 0; g < classes; g++, x += 8, weight += 8, packed += PAIRS * 8) {
            const own = v128.load64_splat(x), inverse = v128.load64_splat(weight);
            const effect = v128.load64_splat(weight + <usize>columns * 8);
            const is0 = f64x2.eq(own, v128.load(packed)), is1 = f64x2.eq(own, v128.load(packed, 16));
            same0 = f64x2.add(same0, v128.and(effect, is0));
            same1 = f64x2.add(same1, v128.and(effect, is1));
            apart0 = f64x2.sub(apart0, v128.and(inverse, is0));
            apart1 = f64x2.sub(apart1, v128.and(inverse, is1));
          }
          sum0 = f64x2.add(sum0, same0);
          sum1 = f64x2.add(sum1, same1);
          r0 = f64x2.add(r0, v128.andnot(apart0, f64x2.lt(apart0, splat2(0))));
          r1 = f64x2.add(r1, v128.andnot(apart1, f64x2.lt(apart1, splat2(0))));
        }
        const q0 = isMatern ? matern2(r0) : radial2(r0), q1 = isMatern ? matern2(r1) : radial2(r1);
        const k0 = f64x2.add(f64x2.add(sum0, f64x2.mul(v, q0)), f64x2.mul(line, product0));
        const k1 = f64x2.add(f64x2.add(sum1, f64x2.mul(v, q1)), f64x2.mul(line, product1));
        const at = to + (<usize>i * m + from + j) * 8, left = end - j;
        if (left >= 2) v128.store(at, k0);
        else v128.store64_lane(at, k0, 0);
        if (left >= 4) v128.store(at, k1, 16);
        else if (left == 3) v128.store64_lane(at, k1, 0, 16);
      }
    }
  }
  if (isSame) mirror(n, to);
}

/** apart and alike of one group of a table that begins at `to`. */
export function packGroup(size: i32, groups: i32, apart: usize, alike: usize, to: usize): void {
  const row = <usize>groups << 4;
  for (let i = 0; i < size; i++, apart += 8, alike += 8, to += row) {
    store<f64>(to, load<f64>(apart));
    store<f64>(to, load<f64>(alike), 8);
  }
}

/**
 * r and q of all pairs i >= j of n rows, and the covariances as the lower triangle of k (n x n), whose other half stays as it
 * is. `weights`: 1 / l^2 and a of each group side by side, then v, w and the noise.
 */
export function pairValues(
  isMatern: bool, n: i32, groups: i32, table: usize, product: usize, weights: usize, r: usize, q: usize, k: usize, room: usize,
): void {
  const size = (n * (n + 1)) >> 1, row = <usize>groups << 4, last = weights + row;
  const v = v128.load64_splat(last), line = v128.load64_splat(last, 8), noise = load<f64>(last, 16);
  for (let at = 0; at < size; at += 4) {
    const p0 = table + <usize>at * row, p1 = p0 + row, p2 = p1 + row, p3 = p2 + row;
    let s0 = splat2(0), s1 = s0, s2 = s0, s3 = s0;
    for (let g: usize = 0; g < row; g += 16) {
      const weight = v128.load(weights + g);
      s0 = f64x2.add(s0, f64x2.mul(weight, v128.load(p0 + g)));
      s1 = f64x2.add(s1, f64x2.mul(weight, v128.load(p1 + g)));
      s2 = f64x2.add(s2, f64x2.mul(weight, v128.load(p2 + g)));
      s3 = f64x2.add(s3, f64x2.mul(weight, v128.load(p3 + g)));
    }
    const to = <usize>at << 3;
    valuesOf(isMatern, s0, s1, v, line, product + to, r + to, q + to, room + to);
    valuesOf(isMatern, s2, s3, v, line, product + to + 16, r + to + 16, q + to + 16, room + to + 16);
  }
  for (let i = 0; i < n; i++, k += <usize>n << 3) {
    memory.copy(k, room, <usize>(i + 1) << 3);
    room += <usize>(i + 1) << 3;
    store<f64>(k + (<usize>i << 3), load<f64>(k + (<usize>i << 3)) + noise);
  }
}

/** Two pairs, each with its sums of what is apart and what is alike. */
// @ts-ignore: decorator
@inline function valuesOf(
  isMatern: bool, first: v128, second: v128, v: v128, line: v128, product: usize, r: usize, q: usize, k: usize,
): void {
  const far = v128.shuffle<f64>(first, second, 0, 2), near = v128.shuffle<f64>(first, second, 1, 3);
  const value = isMatern ? matern2(far) : radial2(far);
  v128.store(r, far);
  v128.store(q, value);
  const sum = f64x2.add(f64x2.add(splat2(1), near), f64x2.mul(v, value));
  v128.store(k, f64x2.add(sum, f64x2.mul(line, v128.load(product))));
}

/**
 * sums: of A dq/dr^2 d and of A m side by side for each group; then of A q, of A x_a.x_b and of the diagonal of A, where
 * A = alpha alpha' - K^-1, halved on the diagonal. `inverted`: K^-1, n x n, of which the lower triangle is read.
 */
export function pairSlopes(
  isMatern: bool, n: i32, groups: i32, table: usize, product: usize, alpha: usize, inverted: usize, r: usize, q: usize,
  sums: usize, room: usize,
): void {
  const row = <usize>groups << 4;
  memory.fill(sums, 0, row + 24);
  let both = splat2(0), byNoise: f64 = 0;
  for (let i = 0; i < n; i++) {
    const own = load<f64>(alpha + (<usize>i << 3)), end = i + 1;
    for (let j = 0; j <= i; j += 2) {
      const at = <usize>j << 3, to = room + (at << 1);
      let a = f64x2.sub(f64x2.mul(splat2(own), v128.load(alpha + at)), v128.load(inverted + at));
      if (j == i) a = f64x2.mul(a, splat2(0.5));
      else if (j + 1 == i) a = f64x2.replace_lane(a, 1, f64x2.extract_lane(a, 1) * 0.5);
      const value = v128.load(q + at), far = v128.load(r + at);
      let slope: v128;
      if (isMatern) {
        const t = f64x2.sqrt(f64x2.mul(splat2(5), far)), more = f64x2.add(splat2(1), t);
        const top = f64x2.mul(f64x2.mul(f64x2.mul(splat2(-5.0 / 6), a), more), value);
        slope = f64x2.div(top, f64x2.add(more, f64x2.div(f64x2.mul(t, t), splat2(3))));
      } else {
        const top = f64x2.mul(f64x2.mul(splat2(-0.5), a), value);
        slope = f64x2.div(top, f64x2.add(splat2(1), f64x2.div(far, splat2(16))));
      }
      v128.store(to, v128.shuffle<f64>(slope, a, 0, 2));
      v128.store(to, v128.shuffle<f64>(slope, a, 1, 3), 16);
      const line = v128.load(product + at);
      both = f64x2.add(both, f64x2.mul(v128.shuffle<f64>(a, a, 0, 0), v128.shuffle<f64>(value, line, 0, 2)));
      if (j < i) both = f64x2.add(both, f64x2.mul(v128.shuffle<f64>(a, a, 1, 1), v128.shuffle<f64>(value, line, 1, 3)));
    }
    byNoise += load<f64>(room + (<usize>i << 4), 8);
    let g: usize = 0;
    for (; g + 64 <= row; g += 64) addFour(end, table + g, row, room, sums + g);
    for (; g < row; g += 16) addOne(end, table + g, row, room, sums + g);
    table += <usize>end * row;
    product += <usize>end << 3;
    r += <usize>end << 3;
    q += <usize>end << 3;
    inverted += <usize>n << 3;
  }
  v128.store(sums + row, both);
  store<f64>(sums + row, byNoise, 16);
}

/** Sums of four groups over the pairs of a row. */
function addFour(count: i32, at: usize, row: usize, factors: usize, sums: usize): void {
  let s0 = v128.load(sums), s1 = v128.load(sums, 16), s2 = v128.load(sums, 32), s3 = v128.load(sums, 48);
  const end = factors + (<usize>count << 4);
  do {
    const factor = v128.load(factors);
    s0 = f64x2.add(s0, f64x2.mul(factor, v128.load(at)));
    s1 = f64x2.add(s1, f64x2.mul(factor, v128.load(at, 16)));
    s2 = f64x2.add(s2, f64x2.mul(factor, v128.load(at, 32)));
    s3 = f64x2.add(s3, f64x2.mul(factor, v128.load(at, 48)));
    at += row;
    factors += 16;
  } while (factors < end);
  v128.store(sums, s0); v128.store(sums, s1, 16); v128.store(sums, s2, 32); v128.store(sums, s3, 48);
}

function addOne(count: i32, at: usize, row: usize, factors: usize, sums: usize): void {
  let s = v128.load(sums);
  const end = factors + (<usize>count << 4);
  do {
    s = f64x2.add(s, f64x2.mul(v128.load(factors), v128.load(at)));
    at += row;
    factors += 16;
  } while (factors < end);
  v128.store(sums, s);
}
