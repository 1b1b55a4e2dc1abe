// softplus and its slope over a layer: the function that the networks spend their time in. The formulas are those of vector.ts,
// for two vectors at a time, so that each constant is loaded once for both and one can be computed while the other waits.
import { expMinusAbs4, multiplyAdd, sigmoidFrom, softplusFrom, splat, stored } from './vector';

/** value = softplus(z + bias), slope = its slope; `columns` is a multiple of 4. */
export function softplusLayer(rows: i32, columns: i32, z: usize, bias: usize, value: usize, slope: usize): void {
  const pairs = bias + (<usize>(columns & ~7) << 2);
  for (let r = 0; r < rows; r++) {
    for (let b = bias; b < pairs; b += 32) {
      two(f32x4.add(v128.load(z), v128.load(b)), f32x4.add(v128.load(z, 16), v128.load(b, 16)), value, slope);
      z += 32;
      value += 32;
      slope += 32;
    }
    if (columns & 4) {
      const x = f32x4.add(v128.load(z), v128.load(pairs));
      const e = expMinusAbs4(x);
      v128.store(value, softplusFrom(x, e));
      v128.store(slope, sigmoidFrom(x, e));
      z += 16;
      value += 16;
      slope += 16;
    }
  }
}

// @ts-ignore: decorator
@inline function two(x0: v128, x1: v128, value: usize, slope: usize): void {
  // e = exp(-|x|)
  let c = stored(21);
  const y0 = v128.or(x0, c), y1 = v128.or(x1, c);
  c = stored(20);
  const kept0 = f32x4.ge(y0, c), kept1 = f32x4.ge(y1, c);
  let r0 = f32x4.pmax(y0, c), r1 = f32x4.pmax(y1, c);
  let d = stored(1);
  c = stored(0);
  const shifted0 = multiplyAdd(r0, c, d), shifted1 = multiplyAdd(r1, c, d);
  const n0 = f32x4.sub(shifted0, d), n1 = f32x4.sub(shifted1, d);
  c = stored(2);
  r0 = f32x4.sub(r0, f32x4.mul(n0, c)); r1 = f32x4.sub(r1, f32x4.mul(n1, c));
  c = stored(3);
  r0 = f32x4.sub(r0, f32x4.mul(n0, c)); r1 = f32x4.sub(r1, f32x4.mul(n1, c));
  c = stored(4);
  d = stored(5);
  let p0 = multiplyAdd(r0, c, d), p1 = multiplyAdd(r1, c, d);
  c = stored(6);
  p0 = multiplyAdd(p0, r0, c); p1 = multiplyAdd(p1, r1, c);
  c = stored(7);
  p0 = multiplyAdd(p0, r0, c); p1 = multiplyAdd(p1, r1, c);
  c = stored(8);
  p0 = multiplyAdd(p0, r0, c); p1 = multiplyAdd(p1, r1, c);
  c = stored(9);
  p0 = multiplyAdd(p0, r0, c); p1 = multiplyAdd(p1, r1, c);
  const one = stored(18);
  p0 = f32x4.add(multiplyAdd(f32x4.mul(r0, r0), p0, r0), one); p1 = f32x4.add(multiplyAdd(f32x4.mul(r1, r1), p1, r1), one);
  const e0 = v128.and(i32x4.add(p0, i32x4.shl(shifted0, 23)), kept0);
  const e1 = v128.and(i32x4.add(p1, i32x4.shl(shifted1, 23)), kept1);
  // log(1 + e) = 2 atanh(e / (2 + e))
  c = stored(19);
  const u0 = f32x4.div(e0, f32x4.add(e0, c)), u1 = f32x4.div(e1, f32x4.add(e1, c));
  const w0 = f32x4.mul(u0, u0), w1 = f32x4.mul(u1, u1);
  c = stored(12);
  d = stored(13);
  p0 = multiplyAdd(w0, c, d); p1 = multiplyAdd(w1, c, d);
  c = stored(14);
  p0 = multiplyAdd(p0, w0, c); p1 = multiplyAdd(p1, w1, c);
  c = stored(15);
  p0 = multiplyAdd(p0, w0, c); p1 = multiplyAdd(p1, w1, c);
  c = stored(16);
  p0 = multiplyAdd(p0, w0, c); p1 = multiplyAdd(p1, w1, c);
  c = stored(17);
  p0 = multiplyAdd(p0, w0, c); p1 = multiplyAdd(p1, w1, c);
  p0 = multiplyAdd(f32x4.mul(u0, w0), p0, f32x4.add(u0, u0)); p1 = multiplyAdd(f32x4.mul(u1, w1), p1, f32x4.add(u1, u1));
  const zero = splat(0);
  v128.store(value, f32x4.add(f32x4.pmax(x0, zero), p0));
  v128.store(value, f32x4.add(f32x4.pmax(x1, zero), p1), 16);
  v128.store(slope, f32x4.div(v128.bitselect(one, e0, f32x4.ge(x0, zero)), f32x4.add(one, e0)));
  v128.store(slope, f32x4.div(v128.bitselect(one, e1, f32x4.ge(x1, zero)), f32x4.add(one, e1)), 16);
}
