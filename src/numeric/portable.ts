// Elementary functions from + - * /, comparisons and bit operations alone, so that every engine returns the same bits:
// ECMAScript leaves the last bits of Math.exp, Math.log, Math.sin and of ** to the engine.
// NaN in, NaN out. Errors are the worst of 60000 random arguments per range against mpmath, in units in the last place
// (ulp) of the exact value; test/golden/special.py makes the golden values.

import { ArgumentError } from './errors.js';

const LN2_HIGH = 0.6931471803691238; // 32 bits after the point, so its product with an exponent is exact
const LN2_LOW = 1.9082149292705877e-10;
const SMALLEST_NORMAL = 2.2250738585072014e-308;
const float = new DataView(new ArrayBuffer(8));

/** 2ᵏ for k from -1074 to 1023, at k + 1074. */
const POWERS_OF_TWO = powersOfTwo();

function powersOfTwo(): Float64Array {
  const powers = new Float64Array(2098);
  powers[0] = Number.MIN_VALUE;
  for (let k = 1; k < powers.length; k++) powers[k] = 2 * powers[k - 1]!;
  return powers;
}

/** 2ᵏ, exactly, for whole k from -1074 to 1023. */
export function powerOfTwo(k: number): number {
  return POWERS_OF_TWO[k + 1074]!;
}

/** Whole e with 2ᵉ ≤ |x| < 2ᵉ⁺¹, for a normal number x. */
function exponentOf(x: number): number {
  float.setFloat64(0, x, true);
  return ((float.getUint32(4, true) >>> 20) & 0x7ff) - 1023;
}

/** m 2ᵏ rounded once, for m in [½, 4) and k from -1080 to 1024: 2ᵏ itself may lie outside the normal numbers. */
function scaleByPowerOfTwo(m: number, k: number): number {
  const half = k >> 1;
  return m * powerOfTwo(half) * powerOfTwo(k - half);
}

/** f - log(1 + f) for 1 + f in [√½, √2]: s = f / (2 + f), log(1 + f) = 2 (s + s³/3 + s⁵/5 + …), and 2s = f - sf. */
function belowIdentity(f: number): number {
  const s = f / (2 + f);
  const z = s * s;
  // Σ 2 zⁿ / (2n + 1) for n ≥ 1; the next term is below 1e-18
  let series = (2 / 21) * z;
  series = (series + 2 / 19) * z;
  series = (series + 2 / 17) * z;
  series = (series + 2 / 15) * z;
  series = (series + 2 / 13) * z;
  series = (series + 2 / 11) * z;
  series = (series + 2 / 9) * z;
  series = (series + 2 / 7) * z;
  series = (series + 2 / 5) * z;
  series = (series + 2 / 3) * z;
  return s * (f - series);
}

/** log(x) + rest for a normal number x > 0 and a rest that is tiny beside it: x = 2ᵉ m with m in [√½, √2]. */
function logOfNormal(x: number, rest: number): number {
  let e = exponentOf(x);
  let m = x * powerOfTwo(-e);
  if (m > Math.SQRT2) {
    m /= 2;
    e += 1;
  }
  const f = m - 1;
  return e * LN2_HIGH + (f - (belowIdentity(f) - (e * LN2_LOW + rest)));
}

/** log(x), by the series of artanh. Error at most 0.81 ulp. */
export function portableLog(x: number): number {
  if (x >= SMALLEST_NORMAL && x <= Number.MAX_VALUE) return logOfNormal(x, 0);
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  return x === Number.POSITIVE_INFINITY ? x : logOfNormal(x * powerOfTwo(54), 0) - 54 * Math.LN2; // subnormal
}

/** log(1 + x): 1 + x = u + c with u rounded and c exact (Dekker 1971), log(u + c) = log u + c/u - … Error at most 0.93 ulp. */
export function portableLog1p(x: number): number {
  if (x > -0.29 && x < 0.41) return x - belowIdentity(x);
  const u = 1 + x;
  if (!(u > 0 && u < Number.POSITIVE_INFINITY)) return portableLog(u);
  const c = x > 1 ? 1 - (u - x) : x - (u - 1);
  return logOfNormal(u, c / u);
}

/** (exp(r) - 1) / r - 1 for |r| ≤ log(2) / 2: Σ rⁿ⁻¹ / n! for n ≥ 2; the next term is below 1e-17. */
function expSeries(r: number): number {
  let series = r / 13;
  series = (1 + series) * (r / 12);
  series = (1 + series) * (r / 11);
  series = (1 + series) * (r / 10);
  series = (1 + series) * (r / 9);
  series = (1 + series) * (r / 8);
  series = (1 + series) * (r / 7);
  series = (1 + series) * (r / 6);
  series = (1 + series) * (r / 5);
  series = (1 + series) * (r / 4);
  series = (1 + series) * (r / 3);
  return (1 + series) * (r / 2);
}

/**
 * exp(x). Error at most 0.85 ulp.
 *
 * x = k log 2 + r with |r| ≤ log(2) / 2, exp x = 2ᵏ (1 + r + r²/2 + r³/6 + …).
 */
export function portableExp(x: number): number {
  if (x > 709.782712893384) return Number.POSITIVE_INFINITY;
  if (x < -745.1332191019412) return 0;
  if (Number.isNaN(x)) return x;
  const k = Math.round(x / Math.LN2);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  return scaleByPowerOfTwo(1 + (high + (r * expSeries(r) - low)), k);
}

/**
 * exp(x) - 1, without the cancellation near 0. Error at most 1.06 ulp.
 *
 * As `portableExp`, 2ᵏ (1 - 2⁻ᵏ + r + r²/2 + …): the first sum is exact with its rounding error beside it.
 */
export function portableExpm1(x: number): number {
  if (x > 39) return portableExp(x); // 1 is below half an ulp
  if (x < -37.5) return -1;
  if (Math.abs(x) <= 0.34) return x === 0 ? x : x + x * expSeries(x); // k = 0
  if (Number.isNaN(x)) return x;
  const k = Math.round(x / Math.LN2);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const offset = 1 - powerOfTwo(-k);
  const sum = offset + high;
  // |offset| ≥ ½ > |high|, or offset is 0 (Dekker 1971)
  const lost = high - (sum - offset);
  return (sum + (lost + (r * expSeries(r) - low))) * powerOfTwo(k);
}

/**
 * xⁿ for a whole n ≥ 0, by repeated squaring in pairs of floats (Dekker 1971), the powers of two kept apart. The pairs lose at
 * most about n 2⁻¹⁰² of their value: error at most 0.5001 ulp while n is below 2³⁰ and the result is normal.
 */
export function portablePower(x: number, n: number): number {
  if (!(Number.isSafeInteger(n) && n >= 0)) {
    throw new ArgumentError('n', `n is ${n}; expected a whole number >= 0`);
  }
  if (n === 0) return 1;
  if (x === 0 || !Number.isFinite(x)) return n % 2 === 1 ? x : x * x;
  const size = Math.abs(x);
  const lift = size < SMALLEST_NORMAL ? 54 : 0;
  let exponent = exponentOf(size * powerOfTwo(lift));
  const base: Pair = [size * powerOfTwo(lift) * powerOfTwo(-exponent), 0];
  exponent -= lift;
  const power: Pair = [1, 0];
  let powerExponent = 0;
  for (let rest = n; ; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) powerExponent += exponent + multiply(power, base);
    if (rest < 2) break;
    exponent = 2 * exponent + multiply(base, base);
  }
  const sign = x < 0 && n % 2 === 1 ? -1 : 1;
  if (powerExponent > 1023) return sign * Number.POSITIVE_INFINITY;
  return powerExponent < -1075 ? sign * 0 : sign * scaleByPowerOfTwo(power[0], powerExponent);
}

/** A number as an unrounded sum, the second float below half an ulp of the first. */
type Pair = [high: number, low: number];

/** a = a b, for a and b in [1, 2), divided by 2 where it is not below 2. Returns 1 where it was divided, else 0. */
function multiply(a: Pair, b: Pair): 0 | 1 {
  const product = a[0] * b[0];
  // Veltkamp's splitting: 26 bits each, so that the four products are exact
  const [shiftedA, shiftedB] = [134217729 * a[0], 134217729 * b[0]];
  const [headA, headB] = [shiftedA - (shiftedA - a[0]), shiftedB - (shiftedB - b[0])];
  const [tailA, tailB] = [a[0] - headA, b[0] - headB];
  const lost = headA * headB - product + headA * tailB + tailA * headB + tailA * tailB;
  const rest = lost + (a[0] * b[1] + a[1] * b[0]);
  const high = product + rest;
  const low = rest - (high - product);
  const isHalved = high >= 2;
  a[0] = isHalved ? high / 2 : high;
  a[1] = isHalved ? low / 2 : low;
  return isHalved ? 1 : 0;
}

/** 1, -1/3!, 1/5!, ... -1/23!: for |t| <= pi/2 the next term of the series of sin t is below 1e-19. */
const sineCoefficients = Float64Array.from({ length: 12 }, (_, n) => {
  let factorial = 1;
  for (let k = 2; k <= 2 * n + 1; k++) factorial *= k;
  return (n % 2 === 0 ? 1 : -1) / factorial;
});

/** sin(pi x), exactly 0 at whole numbers. cos(pi x) is sinPi(x + 1/2). Error at most 2.5 ulp, as pi x is rounded. */
export function portableSinPi(x: number): number {
  if (!Number.isFinite(x)) return Number.NaN;
  const whole = Math.round(x);
  const t = Math.PI * (x - whole);
  const z = t * t;
  let sum = 0;
  for (let n = sineCoefficients.length - 1; n >= 0; n--) sum = sum * z + sineCoefficients[n]!;
  return whole % 2 === 0 ? t * sum : -t * sum;
}

/**
 * tanh(x). Error at most 1.8 ulp. Near 0 Lambert's continued fraction, x / (1 + x² / (3 + x² / (5 + …))); the next term is
 * below 1e-17.
 */
export function portableTanh(x: number): number {
  const size = Math.abs(x);
  if (size >= 0.5) {
    const tail = 2 / (portableExp(2 * size) + 1);
    return x < 0 ? tail - 1 : 1 - tail;
  }
  const square = x * x;
  let fraction = 15;
  for (let n = 13; n > 0; n -= 2) fraction = n + square / fraction;
  return x / fraction;
}

/** 10^n, the nearest float: ECMAScript lays down how decimal texts are read, not what a power of ten is. */
export function powerOfTen(n: number): number {
  return Number(`1e${n}`);
}

/** The whole n with 10^n <= x < 10^(n + 1), for x > 0. */
export function decadeOf(x: number): number {
  return Number(x.toExponential().split('e')[1]);
}
