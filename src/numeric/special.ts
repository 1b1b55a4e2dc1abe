// Special functions in float64 that neither overflow nor cancel. NaN in, NaN out, throughout.
// Accuracy is checked against mpmath: test/golden/special.py.

const SQRT_2PI = 2.5066282746310007;
const SQRT_2_OVER_PI = 0.7978845608028654;
const TWO_OVER_SQRT_PI = 1.1283791670955126;
const INV_SQRT_PI = 0.5641895835477563;
const INV_SQRT_2PI = 0.3989422804014327;
const LOG_SQRT_2PI = 0.9189385332046728;

/** log(1 + exp(x)). */
export function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
}

/** 1 / (1 + exp(-x)). */
export function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + Math.exp(-x));
  const e = Math.exp(x);
  return e / (1 + e);
}

/** log(sigmoid(x)) = -softplus(-x). */
export function logSigmoid(x: number): number {
  return Math.min(x, 0) - Math.log1p(Math.exp(-Math.abs(x)));
}

/** log(1 - exp(-x)) for x > 0; -Infinity at 0, NaN below. */
export function log1mexp(x: number): number {
  return x <= Math.LN2 ? Math.log(-Math.expm1(-x)) : Math.log1p(-Math.exp(-x));
}

/** log(exp(a) + exp(b)). */
export function logAddExp(a: number, b: number): number {
  if (a === b) return a + Math.LN2; // also two equal infinities, whose difference is NaN
  return Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
}

/** log Σ exp(vᵢ); -Infinity for no values. */
export function logSumExp(values: ArrayLike<number>): number {
  let largest = Number.NEGATIVE_INFINITY;
  let at = -1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (Number.isNaN(value)) return Number.NaN;
    if (value > largest) {
      largest = value;
      at = i;
    }
  }
  if (!Number.isFinite(largest)) return largest;
  let rest = 0;
  for (let i = 0; i < values.length; i++) {
    if (i !== at) rest += Math.exp(values[i] - largest);
  }
  return largest + Math.log1p(rest);
}

/** Maclaurin coefficients of erf(x) √π / (2x) in x²: (-1)ⁿ / (n! (2n + 1)); the next term is below 3e-19 at 1. */
const ERF_SERIES: readonly number[] = erfSeries(19);

function erfSeries(terms: number): number[] {
  const series: number[] = [];
  let factorial = 1; // exact up to 18!
  for (let n = 0; n < terms; n++) {
    if (n > 0) factorial *= -n;
    series.push(1 / (factorial * (2 * n + 1)));
  }
  return series;
}

/** erf(x) for |x| ≤ 1. */
function erfNearZero(x: number): number {
  const z = x * x;
  let sum = 0;
  for (let n = ERF_SERIES.length - 1; n >= 0; n--) sum = sum * z + ERF_SERIES[n];
  return TWO_OVER_SQRT_PI * x * sum;
}

/** exp(-scale x²), `scale` a power of two: x² is split so that its rounding is not magnified by exp. */
function expMinusSquare(x: number, scale: number): number {
  if (!(Math.abs(x) < 40)) return Math.exp(-scale * x * x); // 0 or Infinity
  const head = Math.fround(x); // 24 bits, so its square is exact
  return Math.exp(-scale * head * head) * Math.exp(-scale * (x - head) * (x + head));
}

/**
 * Chebyshev coefficients of (1 + 2x) erfcx(x) on x ≥ 0 in t = (x - 4) / (x + 4), the first halved.
 * Derived by `special.py --coefficients`; the terms left out sum to 1e-17.
 */
const ERFCX_CHEBYSHEV: readonly number[] = [
  1.1774832005374487, -0.007260796620301901, -0.081265123236185, 0.06009212804122225, -0.02875393558027666,
  0.01059566336347286, -0.003136927294554264, 0.0007456494372536184, -0.0001369696503010054,
  1.7183861600300937e-5, -7.158364623450346e-7, -2.4261399442449534e-7, 5.5765709395703566e-8,
  -2.1057869513809494e-9, -1.1717889351884957e-9, 1.9098355172456688e-10, 1.408871764208813e-11,
  -6.901108320480815e-12, 9.167958364111294e-14, 2.1454508286554553e-13, -1.4716575027010623e-14,
  -6.668675118770408e-15, 7.504598509880083e-16, 2.22009300666632e-16, -3.1704898956330886e-17,
];

/** erfcx(x) for x ≥ 0, by Clenshaw's recurrence. */
function erfcxPositive(x: number): number {
  if (x > 1e9) return INV_SQRT_PI / x; // the next term is 1 / (2x²) smaller
  const t = (x - 4) / (x + 4);
  let b1 = 0;
  let b2 = 0;
  for (let n = ERFCX_CHEBYSHEV.length - 1; n > 0; n--) {
    const b0 = 2 * t * b1 - b2 + ERFCX_CHEBYSHEV[n];
    b2 = b1;
    b1 = b0;
  }
  return (t * b1 - b2 + ERFCX_CHEBYSHEV[0]) / (1 + 2 * x);
}

/** exp(x²) erfc(x); Infinity below about -26.6. */
export function erfcx(x: number): number {
  return x < 0 ? 2 * expMinusSquare(x, -1) - erfcxPositive(-x) : erfcxPositive(x);
}

/** erf(x) = 2/√π ∫₀ˣ exp(-t²) dt. */
export function erf(x: number): number {
  if (x > 1) return 1 - erfc(x);
  if (x < -1) return erfc(-x) - 1;
  return erfNearZero(x);
}

/** erfc(x) = 1 - erf(x), without the cancellation; 0 above about 27.2. */
export function erfc(x: number): number {
  if (x > 0.5) return expMinusSquare(x, 1) * erfcxPositive(x);
  if (x < -1) return 2 - erfc(-x);
  return 1 - erfNearZero(x);
}

/** Density of the standard normal, exp(-x²/2) / √(2π). */
export function normalPdf(x: number): number {
  return INV_SQRT_2PI * expMinusSquare(x, 0.5);
}

/** log of `normalPdf`, -x²/2 - log √(2π). */
export function normalLogPdf(x: number): number {
  return -0.5 * x * x - LOG_SQRT_2PI;
}

/** Distribution function Φ of the standard normal, erfc(-x/√2) / 2. */
export function normalCdf(x: number): number {
  if (x > 0) return 1 - normalCdf(-x);
  return 0.5 * expMinusSquare(x, 0.5) * erfcxPositive(-x * Math.SQRT1_2);
}

/** log Φ(x). */
export function normalLogCdf(x: number): number {
  if (x > 0) return Math.log1p(-normalCdf(-x));
  return -0.5 * x * x + Math.log(0.5 * erfcxPositive(-x * Math.SQRT1_2));
}

/** Φ⁻¹(p); ∓Infinity at 0 and 1, NaN outside [0, 1]. */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p < 0.25) return lowerQuantile(p);
  if (p > 0.75) return -lowerQuantile(1 - p);
  return centralQuantile(p - 0.5);
}

/** Solves erf(x/√2) / 2 = y for |y| ≤ 1/4: four terms of the inverse series, then Halley's method. */
function centralQuantile(y: number): number {
  const w = SQRT_2PI * y;
  const z = w * w;
  let x = w * (1 + z * (1 / 6 + z * (7 / 120 + z * (127 / 5040))));
  for (let i = 0; i < 2; i++) {
    const newton = (0.5 * erf(x * Math.SQRT1_2) - y) / normalPdf(x);
    x -= newton / (1 + 0.5 * newton * x);
  }
  return x;
}

/** Solves log Φ(x) = log q for 0 ≤ q < 1/4: a rational start, fitted here to 1.3e-3, then Halley's method. */
function lowerQuantile(q: number): number {
  if (q === 0) return Number.NEGATIVE_INFINITY;
  const logQ = Math.log(q);
  const t = Math.sqrt(-2 * logQ);
  let x = (2.2203 + 0.271821 * t) / (1 + t * (0.941576 + 0.0476363 * t)) - t;
  for (let i = 0; i < 2; i++) {
    const tail = erfcxPositive(-x * Math.SQRT1_2);
    const slope = SQRT_2_OVER_PI / tail; // (log Φ)' = φ/Φ, and (log Φ)'' = -slope (x + slope)
    const newton = (-0.5 * x * x + Math.log(0.5 * tail) - logQ) / slope;
    x -= newton / (1 + 0.5 * newton * (x + slope));
  }
  return x;
}

const LN2_HIGH = 0.6931471803691238; // 32 bits after the point, so its product with an exponent is exact
const LN2_LOW = 1.9082149292705877e-10;
const bits = new DataView(new ArrayBuffer(8));

/**
 * log(x) from +, -, *, / alone, so that every engine returns the same bits; `Math.log` leaves the last bit open.
 *
 * x = 2ᵉ m with m in [√½, √2], s = (m - 1) / (m + 1), log m = 2 (s + s³/3 + s⁵/5 + …).
 */
export function portableLog(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;
  if (x < 2.2250738585072014e-308) return portableLog(x * 2 ** 54) - 54 * Math.LN2; // subnormal
  bits.setFloat64(0, x);
  const head = bits.getUint32(0);
  let e = (head >>> 20) - 1023;
  bits.setUint32(0, (head & 0xfffff) | 0x3ff00000);
  let m = bits.getFloat64(0);
  if (m > Math.SQRT2) {
    m /= 2;
    e += 1;
  }
  const f = m - 1;
  const s = f / (2 + f);
  const z = s * s;
  let series = 0; // Σ 2 zⁿ / (2n + 1) for n ≥ 1; the next term is below 1e-18
  for (let n = 10; n > 0; n--) series = (series + 2 / (2 * n + 1)) * z;
  // 2s = f - sf keeps the leading term exact.
  return e * LN2_HIGH + (f - (s * (f - series) - e * LN2_LOW));
}

/**
 * exp(x) from +, -, *, / alone, for the reason of `portableLog`.
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
  let series = 0; // Σ rⁿ / n! for n ≥ 2; the next term is below 1e-17
  for (let n = 13; n > 1; n--) series = (1 + series) * (r / n);
  const m = 1 + (high + (r * series - low));
  // two factors: 2ᵏ itself may lie outside the normal numbers
  const half = k >> 1;
  return m * powerOfTwo(half) * powerOfTwo(k - half);
}

function powerOfTwo(k: number): number {
  bits.setUint32(4, 0);
  bits.setUint32(0, (k + 1023) << 20);
  return bits.getFloat64(0);
}

/** 1, -1/3!, 1/5!, ... -1/23!: for |t| <= pi/2 the next term of the series of sin t is below 1e-19. */
const sineCoefficients = Float64Array.from({ length: 12 }, (_, n) => {
  let factorial = 1;
  for (let k = 2; k <= 2 * n + 1; k++) factorial *= k;
  return (n % 2 === 0 ? 1 : -1) / factorial;
});

/**
 * sin(pi x) from +, -, *, / alone, so that every engine returns the same bits; `Math.sin` leaves the last bits open.
 * Exactly 0 at whole numbers. cos(pi x) is sinPi(x + 1/2).
 */
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
 * tanh(x) from +, -, *, / alone, so that every engine returns the same bits; `Math.tanh` leaves the last bits open.
 * Near 0 Lambert's continued fraction, x / (1 + x² / (3 + x² / (5 + …))); the next term is below 1e-17.
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
