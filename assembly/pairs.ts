// Covariances of pairs of rows (src/numeric/pairKernel.ts), four pairs side by side. No multiply and add is fused and
// every sum keeps the order that JavaScript adds in, so that all kernels give the same bits.

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
  if (!isSame) return;
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++) store<f64>(to + (<usize>j * n + i) * 8, load<f64>(to + (<usize>i * n + j) * 8));
}
