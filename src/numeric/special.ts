// Special functions in float64 that neither overflow nor cancel. NaN in, NaN out, throughout.
// Accuracy is checked against mpmath: test/golden/special.py.

import { portableExp, portableExpm1, portableLog, portableLog1p } from './portable.js';

const SQRT_2PI = 2.5066282746310007;
const SQRT_2_OVER_PI = 0.7978845608028654;
const TWO_OVER_SQRT_PI = 1.1283791670955126;
const INV_SQRT_PI = 0.5641895835477563;
const INV_SQRT_2PI = 0.3989422804014327;
const LOG_SQRT_2PI = 0.9189385332046728;

/** log(1 + exp(x)). */
export function softplus(x: number): number {
  return Math.max(x, 0) + portableLog1p(portableExp(-Math.abs(x)));
}

/** 1 / (1 + exp(-x)). */
export function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + portableExp(-x));
  const e = portableExp(x);
  return e / (1 + e);
}

/** log(sigmoid(x)) = -softplus(-x). */
export function logSigmoid(x: number): number {
  return Math.min(x, 0) - portableLog1p(portableExp(-Math.abs(x)));
}

/** log(1 - exp(-x)) for x > 0; -Infinity at 0, NaN below. */
export function log1mexp(x: number): number {
  return x <= Math.LN2 ? portableLog(-portableExpm1(-x)) : portableLog1p(-portableExp(-x));
}

/** log(exp(a) + exp(b)). */
export function logAddExp(a: number, b: number): number {
  if (a === b) return a + Math.LN2; // also two equal infinities, whose difference is NaN
  return Math.max(a, b) + portableLog1p(portableExp(-Math.abs(a - b)));
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
    if (i !== at) rest += portableExp(values[i] - largest);
  }
  return largest + portableLog1p(rest);
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
  if (!(Math.abs(x) < 40)) return portableExp(-scale * x * x); // 0 or Infinity
  const head = Math.fround(x); // 24 bits, so its square is exact
  return portableExp(-scale * head * head) * portableExp(-scale * (x - head) * (x + head));
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
  if (x > 0) return portableLog1p(-normalCdf(-x));
  return -0.5 * x * x + portableLog(0.5 * erfcxPositive(-x * Math.SQRT1_2));
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
  const logQ = portableLog(q);
  const t = Math.sqrt(-2 * logQ);
  let x = (2.2203 + 0.271821 * t) / (1 + t * (0.941576 + 0.0476363 * t)) - t;
  for (let i = 0; i < 2; i++) {
    const tail = erfcxPositive(-x * Math.SQRT1_2);
    const slope = SQRT_2_OVER_PI / tail; // (log Φ)' = φ/Φ, and (log Φ)'' = -slope (x + slope)
    const newton = (-0.5 * x * x + portableLog(0.5 * tail) - logQ) / slope;
    x -= newton / (1 + 0.5 * newton * (x + slope));
  }
  return x;
}
