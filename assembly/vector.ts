// Four-lane float32 arithmetic: multiply-add, exponential, logarithm, and the stable forms built on them.

/** a * b + c. One rounding in the relaxed build where the machine has FMA, two in the plain build. */
// @ts-ignore: decorator
@inline export function multiplyAdd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, c);
  return f32x4.add(f32x4.mul(a, b), c);
}

// @ts-ignore: decorator
@inline export function splat(value: f32): v128 {
  return f32x4.splat(value);
}

/** The first `count` (1 to 3) floats at `from`, zeros behind them. */
export function loadTail(from: usize, count: i32): v128 {
  let v = v128.load32_zero(from);
  if (count > 1) v = f32x4.replace_lane(v, 1, load<f32>(from, 4));
  if (count > 2) v = f32x4.replace_lane(v, 2, load<f32>(from, 8));
  return v;
}

export function storeTail(to: usize, v: v128, count: i32): void {
  store<f32>(to, f32x4.extract_lane(v, 0));
  if (count > 1) store<f32>(to, f32x4.extract_lane(v, 1), 4);
  if (count > 2) store<f32>(to, f32x4.extract_lane(v, 2), 8);
}

// Constants are read from memory: V8 would build each one anew from immediate operands, every time round a loop.
const constants = memory.data<f32>([
  1.44269504, 12582912, 0.693359375, -2.1219444e-4, // 0: 1 / ln 2, 1.5 * 2^23, ln 2 in two parts
  1.9875691e-4, 1.3981999e-3, 8.3334519e-3, 4.1665796e-2, // 4: exp
  1.6666665e-1, 0.5, -87, 88.37, // 8
  0.15384615, 0.18181818, 0.22222222, 0.28571429, // 12: 2 / 13, 2 / 11, ...
  0.4, 0.66666667, 1, 2, // 16
  -40, -0.0, 1e-30, // 20: the sign bit alone in 21
]);

// @ts-ignore: decorator
@inline export function stored(i: usize): v128 {
  return v128.load32_splat(constants + (i << 2));
}

/** 1 in all lanes. */
// @ts-ignore: decorator
@inline export function one4(): v128 {
  return stored(18);
}

/**
 * exp(x) for -87 <= x <= 88.37, within 2 units in the last place: x = n ln 2 + r, |r| <= ln 2 / 2, a polynomial of
 * degree 7 in r, then n added to the exponent. Adding 1.5 * 2^23 rounds to whole numbers and leaves n in the low bits.
 */
// @ts-ignore: decorator
@inline function expWithin(x: v128): v128 {
  const shifted = multiplyAdd(x, stored(0), stored(1));
  const n = f32x4.sub(shifted, stored(1));
  let r = f32x4.sub(x, f32x4.mul(n, stored(2)));
  r = f32x4.sub(r, f32x4.mul(n, stored(3)));
  let p = multiplyAdd(r, stored(4), stored(5));
  p = multiplyAdd(p, r, stored(6));
  p = multiplyAdd(p, r, stored(7));
  p = multiplyAdd(p, r, stored(8));
  p = multiplyAdd(p, r, stored(9));
  p = f32x4.add(multiplyAdd(f32x4.mul(r, r), p, r), one4());
  return i32x4.add(p, i32x4.shl(shifted, 23));
}

/** exp(x). Below -87 it is 0, so that no subnormal number is made; above 88.37 it stays at exp(88.37). */
// @ts-ignore: decorator
@inline export function exp4(x: v128): v128 {
  const within = f32x4.max(f32x4.min(x, stored(11)), stored(10));
  return v128.and(expWithin(within), f32x4.ge(x, stored(10)));
}

/**
 * exp(-|x|), and 0 where |x| > 40. A saturated unit then has slope 0 exactly; slopes of 1e-38 times a weight are subnormal,
 * and made a step of networks that a large rate has driven there five times as slow.
 */
// @ts-ignore: decorator
@inline export function expMinusAbs4(x: v128): v128 {
  const y = v128.or(x, stored(21));
  return v128.and(expWithin(f32x4.pmax(y, stored(20))), f32x4.ge(y, stored(20)));
}

/** log(1 + t) for t in [0, 1]: 2 atanh(u), u = t / (2 + t) <= 1/3. */
// @ts-ignore: decorator
@inline export function log1p4(t: v128): v128 {
  return atanhTwice(f32x4.div(t, f32x4.add(t, stored(19))));
}

/** 2 atanh(u) for |u| <= 1/3, seven terms: truncation below 2e-8 relative. */
// @ts-ignore: decorator
@inline function atanhTwice(u: v128): v128 {
  const w = f32x4.mul(u, u);
  let p = multiplyAdd(w, stored(12), stored(13));
  p = multiplyAdd(p, w, stored(14));
  p = multiplyAdd(p, w, stored(15));
  p = multiplyAdd(p, w, stored(16));
  p = multiplyAdd(p, w, stored(17));
  return multiplyAdd(f32x4.mul(u, w), p, f32x4.add(u, u));
}

/** log(x) for x > 0 and normal: exponent plus 2 atanh((m - 1) / (m + 1)), m in [sqrt(1/2), sqrt(2)). */
// @ts-ignore: decorator
@inline export function log4(x: v128): v128 {
  const biased = i32x4.sub(x, i32x4.splat(0x3f3504f3)); // bits of sqrt(1/2)
  const e = f32x4.convert_i32x4_s(i32x4.shr_s(biased, 23));
  const m = i32x4.add(v128.and(biased, i32x4.splat(0x007fffff)), i32x4.splat(0x3f3504f3));
  const series = atanhTwice(f32x4.div(f32x4.sub(m, one4()), f32x4.add(m, one4())));
  return multiplyAdd(e, splat(0.6931472), series);
}

/** exp(x) - 1 for x <= 0, without cancellation near 0. */
// @ts-ignore: decorator
@inline export function expm1Negative4(x: v128): v128 {
  const one = splat(1);
  let p = multiplyAdd(x, splat(0.125), one);
  p = multiplyAdd(f32x4.mul(x, splat(0.14285714)), p, one);
  p = multiplyAdd(f32x4.mul(x, splat(0.16666667)), p, one);
  p = multiplyAdd(f32x4.mul(x, splat(0.2)), p, one);
  p = multiplyAdd(f32x4.mul(x, splat(0.25)), p, one);
  p = multiplyAdd(f32x4.mul(x, splat(0.33333333)), p, one);
  p = multiplyAdd(f32x4.mul(x, splat(0.5)), p, one);
  const near = f32x4.mul(x, p);
  return v128.bitselect(near, f32x4.sub(exp4(x), one), f32x4.gt(x, splat(-0.5)));
}

/** tanh(x): odd polynomial below 0.625, (1 - e) / (1 + e) with e = exp(-2|x|) above. */
// @ts-ignore: decorator
@inline export function tanh4(x: v128): v128 {
  const w = f32x4.mul(x, x);
  let p = multiplyAdd(w, splat(-5.7049887e-3), splat(2.0639088e-2));
  p = multiplyAdd(p, w, splat(-5.3739715e-2));
  p = multiplyAdd(p, w, splat(1.3331442e-1));
  p = multiplyAdd(p, w, splat(-3.3333282e-1));
  const near = multiplyAdd(f32x4.mul(p, w), x, x);
  const one = splat(1);
  const e = exp4(f32x4.mul(f32x4.abs(x), splat(-2)));
  const magnitude = f32x4.div(f32x4.sub(one, e), f32x4.add(one, e));
  const sign = v128.and(x, i32x4.splat(0x80000000));
  const far = v128.or(magnitude, sign);
  return v128.bitselect(near, far, f32x4.lt(f32x4.abs(x), splat(0.625)));
}

/** softplus(x), given e = exp(-|x|). */
// @ts-ignore: decorator
@inline export function softplusFrom(x: v128, e: v128): v128 {
  return f32x4.add(f32x4.pmax(x, splat(0)), log1p4(e));
}

/** 1 / (1 + exp(-x)), given e = exp(-|x|). */
// @ts-ignore: decorator
@inline export function sigmoidFrom(x: v128, e: v128): v128 {
  const numerator = v128.bitselect(one4(), e, f32x4.ge(x, splat(0)));
  return f32x4.div(numerator, f32x4.add(one4(), e));
}

/** x with magnitudes below 1e-30 set to 0: Adam's moments decay without end, and subnormals are slow. NaN stays NaN. */
// @ts-ignore: decorator
@inline export function flushTiny(x: v128): v128 {
  return flushBelow(x, stored(21), stored(22));
}

/** `flushTiny` with its constants: the sign bit, and the bound. */
// @ts-ignore: decorator
@inline export function flushBelow(x: v128, sign: v128, bound: v128): v128 {
  return v128.andnot(x, f32x4.lt(v128.andnot(x, sign), bound));
}

/** The four lanes added. */
// @ts-ignore: decorator
@inline export function laneSum(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3));
}
