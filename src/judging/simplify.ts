/**
 * A design with fewer changes: columns go back to their values in a past run, one after the other, as long as next to
 * nothing is lost. Greedy reversion to the status quo, with the nearest past run in its place (BONSAI, in Ax). Where
 * columns have to keep a sum, another one that was changed takes up the difference.
 */
import { joinRows } from '../numeric/rows.js';
import type { Space } from '../space/space.js';

export interface Simplification {
  /** Judges designs (n x d): a larger number is better. */
  readonly promise: (x: Float64Array) => Promise<ArrayLike<number>>;
  /** What may be lost of the promise, in all. */
  readonly tolerance: number;
  /** Whether a design keeps every constraint and every rule of its batch. */
  readonly isAllowed: (x: Float64Array) => boolean;
  /** Digits after the point of each column, to which sums are rounded; null where they say nothing. */
  readonly decimals: readonly (number | null)[];
  /** Columns that stay as they are. */
  readonly held: ReadonlySet<number>;
}

/** Columns that go back: all of them together; `taker`, if any, takes up the difference of the first. */
interface Move {
  readonly columns: readonly number[];
  readonly taker?: { readonly column: number; readonly weight: number };
}

/** Rounds of going back; each tries all moves and then as many as possible of them together. */
const ROUNDS = 4;

export async function simplify(
  space: Space,
  design: Float64Array,
  past: ArrayLike<number>,
  { promise, tolerance, isAllowed, decimals, held }: Simplification,
): Promise<Float64Array> {
  const least = (await promise(design))[0]! - tolerance;
  let reached = design;
  for (let round = 0; round < ROUNDS; round++) {
    const moves = movesOf(space, reached, past, held)
      .map((move) => ({ move, x: moved(reached, past, move, decimals) }))
      .filter(({ x }) => isAllowed(x));
    if (moves.length === 0) break;
    const found = await promise(joinRows(moves.map(({ x }) => x)));
    const good = moves
      .map(({ move, x }, i) => ({ move, x, promise: found[i]! }))
      .filter((one) => one.promise >= least)
      .sort((a, b) => b.promise - a.promise);
    if (good.length === 0) break;
    // the best one alone, the two best together, and so on
    const prefixes: Float64Array[] = [];
    let together = reached;
    for (const { move } of good) {
      if (move.columns.every((j) => together[j] === past[j])) continue;
      const next = moved(together, past, move, decimals);
      if (changes(next, past) >= changes(together, past) || !isAllowed(next)) continue;
      together = next;
      prefixes.push(next);
    }
    const judged = await promise(joinRows(prefixes));
    const last = prefixes.findLastIndex((_, i) => judged[i]! >= least);
    if (last < 0) break;
    reached = prefixes[last]!;
  }
  return reached;
}

/** How many numbers differ from the past run. */
function changes(x: ArrayLike<number>, past: ArrayLike<number>): number {
  let count = 0;
  for (let j = 0; j < x.length; j++) if (x[j] !== past[j]) count++;
  return count;
}

function movesOf(
  { columns, listed = [], linear = [] }: Space,
  x: ArrayLike<number>,
  past: ArrayLike<number>,
  held: ReadonlySet<number>,
): Move[] {
  const differs = (j: number) => !held.has(j) && x[j] !== past[j];
  const inList = new Set(listed.flatMap((list) => list.columns));
  const singles = columns.flatMap((_, j) => (differs(j) && !inList.has(j) ? [{ columns: [j] }] : []));
  const whole = listed.flatMap((list) =>
    list.columns.some(differs) && !list.columns.some((j) => held.has(j)) ? [{ columns: list.columns }] : [],
  );
  const tied = linear
    .filter(({ relation }) => relation === '=')
    .flatMap(({ terms }): Move[] => {
      const changed = terms.filter(({ column }) => differs(column));
      return [
        { columns: changed.map(({ column }) => column) },
        ...changed.flatMap(({ column, weight }) =>
          changed
            .filter((other) => other.column !== column)
            .map((other) => ({
              columns: [column],
              taker: { column: other.column, weight: weight / other.weight },
            })),
        ),
      ];
    })
    .filter((move) => move.columns.length > 0);
  return [...singles, ...whole, ...tied];
}

function moved(
  x: Float64Array,
  past: ArrayLike<number>,
  { columns, taker }: Move,
  decimals: readonly (number | null)[],
): Float64Array {
  const next = x.slice();
  for (const j of columns) next[j] = past[j]!;
  if (taker) {
    const [from] = columns;
    const value = x[taker.column]! + taker.weight * (x[from!]! - past[from!]!);
    const digits = decimals[taker.column] ?? null;
    next[taker.column] = digits === null ? value : Number(value.toFixed(digits));
  }
  return next;
}
