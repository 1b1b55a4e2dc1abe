/**
 * Search without slopes over any space: differential evolution (R. Storn & K. Price 1997) with moves for classes and for
 * bounds. A child replaces only its own parent, so that the population stays spread over several hills.
 */
import type { Key } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import { topIndices } from '../numeric/stats.js';
import type { Space } from '../space/space.js';

export interface EvolveOptions {
  readonly population: number;
  readonly generations: number;
  readonly key: Key;
  /** Moves a design into the space. */
  readonly project: (x: Float64Array) => Float64Array;
  /** Per column, its spread in the data: the size of a first step. */
  readonly spread: ArrayLike<number>;
  /** Whether a design may be the result, as one that was measured already may not. Default: every design may. */
  readonly isAllowed?: (x: Float64Array) => boolean;
}

/** Scores of designs, n x d; higher is better. */
export type DesignScorer = (x: Float64Array) => Promise<Float64Array> | Float64Array;

/** Designs of the last generation, n x d, and their scores; the best of `starts` (m x d) are the first. */
export async function evolve(
  space: Space,
  starts: Float64Array,
  scorer: DesignScorer,
  { population, generations, key, project, spread, isAllowed }: EvolveOptions,
): Promise<{ x: Float64Array; scores: Float64Array }> {
  const d = space.columns.length;
  const stream = new Stream(key);
  // what is not allowed may be a parent, and any child of it that is allowed takes its place
  const score = async (designs: Float64Array) => {
    const found = Float64Array.from(await scorer(designs));
    if (isAllowed) {
      for (let i = 0; i < found.length; i++)
        if (!isAllowed(designs.subarray(i * d, (i + 1) * d))) found[i] = Number.NEGATIVE_INFINITY;
    }
    return found;
  };
  const first = await scorer(starts);
  const chosen = topIndices(first, Math.min(population, first.length));
  const n = chosen.length;
  const x = new Float64Array(n * d);
  chosen.forEach((row, i) => {
    x.set(starts.subarray(row * d, (row + 1) * d), i * d);
  });
  const scores = await score(x);
  const isFixed = new Set((space.fixed ?? []).map(({ column }) => column));
  const free = space.columns.map((_, j) => j).filter((j) => !isFixed.has(j));
  if (free.length === 0 || n < 4) return { x, scores };
  const children = new Float64Array(n * d);
  for (let t = 0; t < generations; t++) {
    const width = 0.5 * (1 - t / generations) + 0.02;
    let best = 0;
    for (let i = 1; i < n; i++) if (scores[i]! > scores[best]!) best = i;
    for (let i = 0; i < n; i++) {
      const child = x.slice(i * d, (i + 1) * d);
      const [a, b] = [stream.integer(n), stream.integer(n)];
      const kind = stream.uniform();
      const force = 0.2 + 0.8 * stream.uniform();
      const share =
        kind < 0.5 ? 0.3 + 0.6 * stream.uniform() : Math.max(1 / free.length, 0.3 * stream.uniform());
      const towards = kind < 0.2 ? (stream.uniform() < 0.3 ? best : a) : -1;
      const only = free[stream.integer(free.length)]!;
      for (const j of free) {
        if (j !== only && stream.uniform() > share) continue;
        const column = space.columns[j]!;
        if (column.kind === 'categorical') {
          child[j] = kind < 0.5 ? x[a * d + j]! : stream.integer(column.classes);
        } else if (towards >= 0) child[j]! += force * (x[towards * d + j]! - child[j]!);
        else if (kind < 0.5) child[j]! += force * (x[a * d + j]! - x[b * d + j]!);
        else if (kind < 0.93) child[j]! += width * spread[j]! * stream.normal();
        else {
          const end = stream.uniform() < 0.5 ? column.lower : column.upper;
          if (Number.isFinite(end)) child[j] = end;
        }
      }
      children.set(project(child), i * d);
    }
    const found = await score(children);
    for (let i = 0; i < n; i++) {
      if (!(found[i]! > scores[i]!)) continue;
      scores[i] = found[i]!;
      x.set(children.subarray(i * d, (i + 1) * d), i * d);
    }
  }
  return { x, scores };
}
