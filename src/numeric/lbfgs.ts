/**
 * Limited-memory BFGS with a backtracking line search and box bounds by projection: J. Nocedal & S. Wright, Numerical
 * Optimization (2006), Alg. 7.4 and 7.5. For smooth functions of up to some hundred numbers.
 */
import { dot } from './rows.js';

/** The value to be made small, and its gradient. */
export interface Slope {
  readonly value: number;
  readonly gradient: Float64Array;
}

export interface LbfgsOptions {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Evaluations at most. */
  readonly evaluations: number;
  /** Ends where a step gains less than this. */
  readonly tolerance: number;
}

/** Pairs of steps and changes of the gradient that are kept. */
const MEMORY = 8;
const SUFFICIENT = 1e-4;
const FIRST_STEP = 0.3;

/** The best point that was met. `evaluate` may give an infinite value where the function is not defined. */
export function minimize(
  evaluate: (x: Float64Array) => Slope,
  start: Float64Array,
  { lower, upper, evaluations, tolerance }: LbfgsOptions,
): { x: Float64Array; value: number } {
  const clip = (x: Float64Array): Float64Array =>
    x.map((v, i) => Math.max(lower[i]!, Math.min(upper[i]!, v)));
  let x: Float64Array = clip(start);
  let at = evaluate(x);
  let left = evaluations - 1;
  const pairs: { s: Float64Array; y: Float64Array; rho: number }[] = [];
  while (left > 0) {
    // at a bound that the gradient pushes against, a coordinate stands still, whatever the steps so far say of it
    const isFree = at.gradient.map((g, i) => ((g > 0 ? x[i]! > lower[i]! : x[i]! < upper[i]!) ? 1 : 0));
    const free = at.gradient.map((g, i) => (isFree[i] ? g : 0));
    const length = Math.sqrt(dot(free, free));
    if (!(length > 0)) break;
    let direction = twoLoop(free, pairs).map((v, i) => (isFree[i] ? v : 0));
    let slope = dot(direction, free);
    if (!(slope < 0)) {
      pairs.length = 0;
      direction = free.map((g) => -g);
      slope = dot(direction, free);
    }
    let step = pairs.length === 0 ? Math.min(1, FIRST_STEP / length) : 1;
    let next: Float64Array | null = null;
    let found = at;
    while (left > 0) {
      const tried = clip(x.map((v, i) => v + step * direction[i]!));
      found = evaluate(tried);
      left -= 1;
      if (found.value <= at.value + SUFFICIENT * step * slope) {
        next = tried;
        break;
      }
      step *= Number.isFinite(found.value) ? 0.4 : 0.1;
      if (step < 1e-6) break;
    }
    if (!next) {
      if (pairs.length === 0) break;
      pairs.length = 0;
      continue;
    }
    const s = next.map((v, i) => v - x[i]!);
    const y = found.gradient.map((g, i) => g - at.gradient[i]!);
    const curvature = dot(s, y);
    if (curvature > 1e-10) {
      pairs.push({ s, y, rho: 1 / curvature });
      if (pairs.length > MEMORY) pairs.shift();
    }
    const gained = at.value - found.value;
    [x, at] = [next, found];
    if (gained < tolerance) break;
  }
  return { x, value: at.value };
}

/** Minus the inverse Hessian's estimate times the gradient. */
function twoLoop(
  gradient: Float64Array,
  pairs: readonly { s: Float64Array; y: Float64Array; rho: number }[],
): Float64Array {
  const q = gradient.map((g) => -g);
  const alphas: number[] = [];
  for (const { s, y, rho } of pairs.toReversed()) {
    const alpha = rho * dot(s, q);
    alphas.push(alpha);
    for (let i = 0; i < q.length; i++) q[i]! -= alpha * y[i]!;
  }
  const last = pairs.at(-1);
  if (last) {
    const scale = 1 / (last.rho * dot(last.y, last.y));
    for (let i = 0; i < q.length; i++) q[i]! *= scale;
  }
  for (const { s, y, rho } of pairs) {
    const beta = rho * dot(y, q);
    const alpha = alphas.pop()!;
    for (let i = 0; i < q.length; i++) q[i]! += (alpha - beta) * s[i]!;
  }
  return q;
}
