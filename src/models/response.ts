/**
 * Monotone changes of the scale of a score. Many results are products of effects: on their own scale a model needs many
 * rows for what is a straight line in logarithms. Which scale fits is decided by the likelihood (ardProcess.ts); what
 * is said to people is always in the score's own units.
 */
import { portableExp, portableLog } from '../numeric/portable.js';
import { extent, fitStandardization } from '../numeric/stats.js';

export const responseKinds = ['plain', 'log', 'root', 'exp', 'logit'] as const;
export type ResponseKind = (typeof responseKinds)[number];

/** z = (t(y) - mean) / deviation. Plain data. */
export interface Response {
  readonly kind: ResponseKind;
  /** Where `log`, `root` and `logit` begin, in units of the score; the width of the range of `exp` and `logit`. */
  readonly origin: number;
  /** -1 where the origin is above all scores: large values are good ones near it. */
  readonly side: 1 | -1;
  readonly width: number;
  readonly mean: number;
  readonly deviation: number;
}

/**
 * Scales that the scores allow. A logarithm needs a zero, which is that of the score itself: for `min` goals scores are
 * minus the values, and the zero lies above them.
 */
export function responsesFor(y: Float64Array, limits?: { lower: number; upper: number }): Response[] {
  const { min, max } = extent(y);
  const width = max - min;
  const shapes: Pick<Response, 'kind' | 'origin' | 'side' | 'width'>[] = [
    { kind: 'plain', origin: 0, side: 1, width },
  ];
  const side = min > 0 ? 1 : max < 0 ? -1 : 0;
  if (side !== 0 && Math.max(max / min, min / max) > RATIO) {
    shapes.push({ kind: 'log', origin: 0, side, width });
    shapes.push({ kind: 'root', origin: 0, side, width });
  }
  shapes.push({ kind: 'exp', origin: min, side: 1, width });
  if (
    limits &&
    Number.isFinite(limits.lower) &&
    Number.isFinite(limits.upper) &&
    limits.upper > limits.lower
  ) {
    shapes.push({ kind: 'logit', origin: limits.lower, side: 1, width: limits.upper - limits.lower });
  }
  return shapes.map((shape) => fitScale(shape, y));
}

/** Ratio of the largest to the smallest score from which a logarithm differs from a straight line. */
const RATIO = 2;
/** Share of the width by which `logit` stays away from its ends. */
const EDGE = 0.02;

function fitScale(shape: Pick<Response, 'kind' | 'origin' | 'side' | 'width'>, y: Float64Array): Response {
  const raw = { ...shape, mean: 0, deviation: 1 };
  const { mean, scale } = fitStandardization(
    y.map((score) => toScale(raw, score)),
    1,
  );
  return { ...shape, mean: mean[0]!, deviation: scale[0]! };
}

/** z of a score. */
export function toScale({ kind, origin, side, width, mean, deviation }: Response, score: number): number {
  const t = side * (score - origin);
  const least = 1e-9 * width;
  let z = score;
  if (kind === 'log') z = side * portableLog(Math.max(t, least));
  else if (kind === 'root')
    z = side * Math.sign(t) * Math.sqrt(Math.abs(t)); // goes on beyond its origin
  else if (kind === 'exp') z = portableExp((score - origin) / width);
  else if (kind === 'logit') {
    const p = EDGE + (1 - 2 * EDGE) * Math.max(0, Math.min(1, t / width));
    z = portableLog(p / (1 - p));
  }
  return (z - mean) / deviation;
}

/** The score of z. */
export function fromScale({ kind, origin, side, width, mean, deviation }: Response, z: number): number {
  const t = mean + deviation * z;
  if (kind === 'log') return origin + side * portableExp(Math.min(700, side * t));
  if (kind === 'root') return origin + t * Math.abs(t);
  if (kind === 'exp') return origin + width * portableLog(Math.max(t, 1e-9));
  if (kind === 'logit') {
    const p = 1 / (1 + portableExp(-Math.max(-700, Math.min(700, t))));
    return origin + (width * (p - EDGE)) / (1 - 2 * EDGE);
  }
  return t;
}

/** log dz/dy at a score, for likelihoods of scores on different scales. */
export function logSlope({ kind, origin, side, width, deviation }: Response, score: number): number {
  const t = side * (score - origin);
  const rest = -portableLog(deviation);
  if (kind === 'log') return rest - portableLog(Math.max(t, 1e-9 * width));
  if (kind === 'root') return rest - portableLog(2 * Math.sqrt(Math.max(t, 1e-9 * width)));
  if (kind === 'exp') return rest + (score - origin) / width - portableLog(width);
  if (kind === 'logit') {
    const p = EDGE + (1 - 2 * EDGE) * Math.max(0, Math.min(1, t / width));
    return rest + portableLog((1 - 2 * EDGE) / (width * p * (1 - p)));
  }
  return rest;
}
