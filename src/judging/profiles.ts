/** One column is moved through its range while the rest of a design stays: what the model expects along the way. */

import type { Candidate, Profile } from '../design/runDocument.js';
import { portableExp, portableLog } from '../numeric/portable.js';
import { type DesignColumn, type Problem, placeOf, toCells } from '../problem/index.js';
import type { Advisor } from './advisor.js';
import { movedDesigns } from './alongRecipe.js';

/** Columns that get a profile, at most. */
const PROFILES = 24;

/** Points along a number. */
const POINTS = 25;

/** Part of the seen range that is shown beyond it on either side, so that one sees bands open. */
const BEYOND = 0.15;

/** Columns worth a profile: those that a candidate moves most come first. */
export function movableColumns({ nearest, cells }: Candidate, problem: Problem): string[] {
  const fixed = new Set((problem.space.fixed ?? []).map(({ column }) => problem.space.columns[column]!.name));
  const moved = nearest.differences.map(({ column }) => column);
  const rest = Object.keys(cells).filter((name) => !moved.includes(name));
  return [...moved, ...rest].filter((name) => !fixed.has(name)).slice(0, PROFILES);
}

/** Profiles of these columns around a design (d numbers). Sequences and molecules have none. */
export async function profilesOf(
  advisor: Advisor,
  design: Float64Array,
  names: readonly string[],
): Promise<Profile[]> {
  const profiles: Profile[] = [];
  for (const path of await pathsOf(advisor.problem, design, names))
    profiles.push(profileAlong(advisor.problem, design, path, await advisor.predict(path.x)));
  return profiles;
}

/** Nearly the same, in a small part of the time (`Panel.read`): all columns are read together. */
export async function quickProfilesOf(
  advisor: Advisor,
  design: Float64Array,
  names: readonly string[],
): Promise<Profile[]> {
  const paths = await pathsOf(advisor.problem, design, names);
  const x = new Float64Array(paths.reduce((length, path) => length + path.x.length, 0));
  let to = 0;
  for (const path of paths) {
    x.set(path.x, to);
    to += path.x.length;
  }
  const predictions = await advisor.predict(x, true);
  let from = 0;
  return paths.map((path) => {
    const count = path.x.length / design.length;
    const own = predictions.slice(from, from + count);
    from += count;
    return profileAlong(advisor.problem, design, path, own);
  });
}

/** One column moved through its range. */
interface Path {
  readonly column: DesignColumn;
  /** Designs, n x d. */
  readonly x: Float64Array;
  /** Columns that make room. */
  readonly along: readonly number[];
}

async function pathsOf(
  problem: Problem,
  design: Float64Array,
  names: readonly string[],
): Promise<readonly Path[]> {
  const paths: Path[] = [];
  for (const name of names) {
    const column = problem.columns.find((candidate) => candidate.name === name);
    const at = placeOf(problem.columns, name);
    if (!column || at === undefined) continue;
    const values = valuesOf(problem, column, at);
    if (!values) continue;
    const { designs, along } = await movedDesigns(problem.space, design, at, values);
    if (designs.length < 2) continue;
    const x = new Float64Array(designs.length * design.length);
    designs.forEach((moved, i) => {
      x.set(moved, i * design.length);
    });
    paths.push({ column, x, along });
  }
  return paths;
}

function profileAlong(
  problem: Problem,
  design: Float64Array,
  { column, x, along }: Path,
  predictions: Awaited<ReturnType<Advisor['predict']>>,
): Profile {
  const { name } = column;
  const moved = toCells(problem, x);
  return {
    column: name,
    kind: column.kind === 'category' ? 'category' : 'number',
    at: toCells(problem, design)[0]![name]!,
    seen: column.kind === 'category' || !('min' in column) ? null : { min: column.min, max: column.max },
    ...(along.length > 0 && { along: along.map((j) => problem.space.columns[j]!.name!) }),
    points: predictions.map((prediction, i) => ({ value: moved[i]![name]!, ...prediction })),
  };
}

/** The numbers that column takes in its profile. */
function valuesOf({ space }: Problem, column: DesignColumn, at: number): number[] | null {
  if (column.kind === 'category') return column.levels.map((_, level) => level);
  if (column.kind !== 'number' && column.kind !== 'integer') return null;
  const bounds = space.columns[at]!;
  const isLog = bounds.kind === 'continuous' && bounds.scale === 'log';
  const [to, from] = isLog ? [portableExp, portableLog] : [(v: number) => v, (v: number) => v];
  const [low, high] = [from(column.min), from(column.max)];
  const room = BEYOND * (high - low);
  // What was never negative is a weight, a share or a time, and cannot be.
  const first = !isLog && low >= 0 ? Math.max(0, low - room) : low - room;
  const values = Array.from({ length: POINTS }, (_, i) =>
    to(first + ((high + room - first) * i) / (POINTS - 1)),
  );
  if (column.kind === 'number') return values;
  return [...new Set(values.map(Math.round))].filter((value) => !isLog || value > 0);
}
