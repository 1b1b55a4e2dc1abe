/**
 * Why a candidate is what it is: experiments near it, what each change contributes, and one column at a time. Shapley values over the
 * columns that differ: the mean, over orders in which columns could have been changed one by one, of the change that a
 * column brings when its turn comes. L. Shapley, A value for n-person games, 1953.
 */

import type { Candidate, Nearest, Profile } from '../design/runDocument.js';
import { foldKey, type Key, rootKey } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import { type Cell, type DesignColumn, type Problem, placeOf, toCells, toDesigns } from '../problem/index.js';
import { readTable } from '../table/index.js';
import type { Advisor } from './advisor.js';
import { movableColumns, profilesOf } from './profiles.js';

/** What the change of one column contributes. */
export interface Contribution {
  readonly column: string;
  readonly from: Cell;
  readonly to: Cell;
  /** In units of the objective; all together they make the whole difference. */
  readonly change: number;
}

/** The way from a past row to a design, column by column. */
export interface Explanation {
  /** What the model expects of the past row and of the design. */
  readonly before: number;
  readonly after: number;
  readonly contributions: readonly Contribution[];
}

/** What `explain` says about a candidate. */
export interface CandidateExplanation {
  readonly candidate: Candidate;
  /** The nearest first. */
  readonly nearest: readonly Nearest[];
  /** From the nearest experiment to the candidate. */
  readonly explanation: Explanation;
  readonly profiles: readonly Profile[];
}

/** `count`: how many experiments to name; `seed`: that of the run. */
export async function explainCandidate(
  advisor: Advisor,
  candidate: Candidate,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<CandidateExplanation> {
  const { problem } = advisor;
  const { cells } = candidate;
  const texts = Object.keys(cells).filter((name) => typeof cells[name] === 'string');
  const table = await readTable([cells], { name: `row ${candidate.row}`, text: texts, missing: [] });
  const { x } = toDesigns(problem, table);
  const rows = advisor.past.nearestRows(advisor.past.place(x), Math.max(1, count));
  const key = foldKey(foldKey(rootKey(seed), 'explain'), candidate.row);
  return {
    candidate,
    nearest: rows.slice(0, count).map((row) => advisor.nearest(row, cells)),
    explanation: await explain(advisor, rows[0]!, x, key),
    profiles: await profilesOf(advisor, x, movableColumns(candidate, problem)),
  };
}

/** Orders that are tried, and as many backwards. */
const ORDERS = 12;

/** `row`: of the problem's data; `design` d numbers. */
export async function explain(
  advisor: Advisor,
  row: number,
  design: Float64Array,
  key: Key,
): Promise<Explanation> {
  const { problem } = advisor;
  const d = design.length;
  const start = problem.data.x.slice(row * d, (row + 1) * d);
  const { differences } = advisor.nearest(row, toCells(problem, design)[0]!);
  const places = differences.map(({ column }) => rangeOf(problem, column));
  const orders = ordersOf(places.length, key);
  // every point on every path, each computed once
  const points = new Map<string, { at: number; x: Float64Array }>();
  const pointOf = (changed: ReadonlySet<number>): number => {
    const name = [...changed].sort((a, b) => a - b).join();
    const known = points.get(name);
    if (known) return known.at;
    const x = start.slice();
    for (const i of changed) for (let j = places[i]!.from; j < places[i]!.to; j++) x[j] = design[j]!;
    points.set(name, { at: points.size, x });
    return points.size - 1;
  };
  const steps = orders.flatMap((order) => {
    const changed = new Set<number>();
    return order.map((i) => {
      const before = pointOf(changed);
      changed.add(i);
      return { i, before, after: pointOf(changed) };
    });
  });
  const first = pointOf(new Set());
  const last = pointOf(new Set(places.keys()));
  const x = new Float64Array(points.size * d);
  for (const { at, x: point } of points.values()) x.set(point, at * d);
  const expected = (await advisor.predict(x)).map((prediction) => prediction.expected);
  const changes = new Float64Array(places.length);
  for (const { i, before, after } of steps) {
    changes[i]! += (expected[after]! - expected[before]!) / orders.length;
  }
  return {
    before: expected[first]!,
    after: expected[last]!,
    contributions: differences
      .map((difference, i) => ({ ...difference, change: changes[i]! }))
      .sort((a, b) => Math.abs(b.change) - Math.abs(a.change)),
  };
}

/** Orders of n things; each is followed by its reverse, which evens out who comes first. */
function ordersOf(n: number, key: Key): number[][] {
  if (n <= 1) return [Array.from({ length: n }, (_, i) => i)];
  const stream = new Stream(key);
  return Array.from({ length: ORDERS }, () => Array.from(stream.permutation(n))).flatMap((order) => [
    order,
    order.toReversed(),
  ]);
}

function rangeOf({ columns, space }: Problem, name: string): { from: number; to: number } {
  const from = placeOf(columns, name)!;
  const next = columns[columns.findIndex((column: DesignColumn) => column.name === name) + 1];
  return { from, to: next ? placeOf(columns, next.name)! : space.columns.length };
}
