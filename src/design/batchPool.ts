/**
 * The designs that a batch is chosen from: those that the search met and that are doable; between the goals of past
 * rows, others; cheaper ones where there is a budget; and all of them moved to few values where a batch shares columns.
 */
import { type BatchRules, type Numbers, valuesOf } from '../judging/batchRules.js';
import { dominates, hasFront, measuredPoints } from '../judging/paretoBatch.js';
import { foldKey, rootKey } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import { joinRows, rowOf } from '../numeric/rows.js';
import { argsort } from '../numeric/stats.js';
import { costConstraint, type Problem, type SharedColumn } from '../problem/index.js';
import { InfeasibleError } from '../space/index.js';
import type { Space } from '../space/space.js';
import { doableDesigns } from './doableDesigns.js';

/** Values of a shared column that are tried, and designs that are moved to each. */
const VALUES = 12;
const MOVED = 160;

/** Designs between past rows of the front, and rows that they lie between. */
const BETWEEN = 400;
const PARENTS = 60;

/** Judges designs (n x d): a larger number is better. */
type Judge = (x: Float64Array) => Promise<readonly number[]>;

export interface PoolRequest {
  readonly rules: BatchRules;
  /** Designs that are in the batch already. */
  readonly kept: readonly Float64Array[];
  readonly seed: number;
  /** Whether goals are spread over. */
  readonly isFront: boolean;
  readonly promise: Judge;
}

interface Group {
  readonly space: Space;
  readonly designs: readonly Float64Array[];
}

/** Different designs that are doable and wanted. */
export async function batchPool(
  problem: Problem,
  met: readonly Float64Array[],
  { rules, kept, seed, isFront, promise }: PoolRequest,
): Promise<Float64Array[]> {
  const start = isFront ? [...met, betweenRows(problem, met, seed)] : met;
  const supply = (space: Space, designs: readonly Float64Array[]) =>
    supplied({ ...problem, space }, designs, rules, kept);
  let groups: Group[] = [{ space: problem.space, designs: await supply(problem.space, start) }];
  for (const shared of rules.same) groups = await sharing(problem, groups, shared, kept, rules, promise);
  const found: Float64Array[][] = [];
  for (const { space, designs } of groups)
    found.push(rules.same.length === 0 ? [...designs] : await supply(space, designs));
  return [...new Map(found.flat().map((x) => [x.join(), x])).values()];
}

/** Doable designs of a space, with cheaper ones where a budget asks for them. */
async function supplied(
  problem: Problem,
  designs: readonly Float64Array[],
  rules: BatchRules,
  kept: readonly Numbers[],
): Promise<Float64Array[]> {
  const wanted = (found: readonly Float64Array[]) => found.filter((x) => rules.isWanted(x));
  const doable = wanted(await doableDesigns(problem, designs, rules.batch, rules.same.length > 0));
  const { cost, batch } = rules;
  if (!cost || cost.budget === null || kept.length >= batch) return doable;
  const { space } = problem;
  if (space.choices) return doable;
  // where the budget pays for no full batch, for as many as it does
  for (let count = batch - kept.length; count > 0; count--) {
    const bound = costConstraint(problem, cost, (cost.budget - rules.total(kept)) / count);
    if (!bound) return doable;
    const cheaper: Space = {
      ...space,
      ...(bound.linear && { linear: [...(space.linear ?? []), bound.linear] }),
      ...(bound.formula && { formulas: [...(space.formulas ?? []), bound.formula] }),
    };
    try {
      return [
        ...doable,
        ...wanted(await doableDesigns({ ...problem, space: cheaper }, designs, batch, true)),
      ];
    } catch (error) {
      if (!(error instanceof InfeasibleError)) throw error;
    }
  }
  return doable;
}

/** Designs moved to the values of a column that together promise most. */
async function sharing(
  problem: Problem,
  groups: readonly Group[],
  { places, most, column }: SharedColumn,
  kept: readonly Numbers[],
  rules: BatchRules,
  promise: Judge,
): Promise<Group[]> {
  const all = groups.flatMap(({ designs }) => designs);
  const given = valuesOf(kept, places);
  if (all.length === 0 || valuesOf(all, places).size <= 1) return [...groups];
  const judged = await promise(joinRows(all));
  const order = Array.from(argsort(judged, 'descending'));
  const best = new Set(order.slice(0, MOVED).map((i) => all[i]!));
  const values = [...given.values()];
  for (const i of order) {
    if (values.length >= Math.max(VALUES, given.size)) break;
    const next = places.map((j) => all[i]![j]!);
    // values that the table does not tell apart are one
    const isKnown = values.some((one) => !rules.areApart(at(all[i]!, places, one), all[i]!));
    if (!isKnown) values.push(next);
  }
  const moved: { readonly made: Group[]; readonly promised: readonly number[] }[] = [];
  for (const value of values) {
    const made: Group[] = [];
    for (const { space, designs } of groups) {
      const held = holding(space, places, value, column);
      const movers = joinRows(designs.filter((x) => best.has(x)));
      const found = await doableDesigns({ ...problem, space: held }, [movers], 0, true);
      made.push({ space: held, designs: found.filter((x) => rules.isWanted(x)) });
    }
    const found = made.flatMap(({ designs }) => designs);
    moved.push({ made, promised: found.length === 0 ? [] : await promise(joinRows(found)) });
  }
  const chosen = values.flatMap((_, v) => (v < given.size ? [v] : []));
  const worth = (some: readonly number[]) => {
    const promised = some.flatMap((v) => moved[v]!.promised).sort((a, b) => b - a);
    return promised.slice(0, rules.batch).reduce((total, value) => total + value, 0);
  };
  const count = (some: readonly number[]) =>
    Math.min(
      rules.batch,
      some.reduce((total, v) => total + moved[v]!.promised.length, 0),
    );
  // the value that makes the largest, then the best batch with those chosen so far, one after the other
  while (chosen.length < most) {
    const [next] = values
      .flatMap((_, v) => (chosen.includes(v) ? [] : [[...chosen, v]]))
      .sort((a, b) => count(b) - count(a) || worth(b) - worth(a));
    if (!next || (count(next) <= count(chosen) && worth(next) <= worth(chosen))) break;
    chosen.push(next.at(-1)!);
  }
  return chosen.flatMap((v) => moved[v]!.made).filter(({ designs }) => designs.length > 0);
}

function at(x: Numbers, places: readonly number[], values: readonly number[]): number[] {
  const changed = Array.from(x);
  places.forEach((j, i) => {
    changed[j] = values[i]!;
  });
  return changed;
}

/** The space with some columns held at one value. */
function holding(space: Space, places: readonly number[], values: readonly number[], column: string): Space {
  const d = space.columns.length;
  const list = space.listed?.find(({ columns }) => columns[0] === places[0]);
  const others = (space.fixed ?? []).filter(({ column: j }) => !places.includes(j));
  const label = `${column} the same in the batch`;
  const { choices } = space;
  return {
    ...space,
    ...(choices && {
      choices: Float64Array.from(
        Array.from({ length: choices.length / d }, (_, row) => rowOf(choices, d, row))
          .filter((row) => places.every((j, i) => row[j] === values[i]))
          .flatMap((row) => [...row]),
      ),
    }),
    ...(list
      ? {
          listed: space.listed!.map((one) =>
            one === list ? { ...one, rows: Float64Array.from(values) } : one,
          ),
        }
      : { fixed: [...others, ...places.map((j, i) => ({ column: j, value: values[i]!, label }))] }),
  };
}

/**
 * Designs between, and a little beyond, rows that no other row beats in every goal, and designs that were met: the
 * search climbs one compromise of the goals, and the ends of the front lie elsewhere.
 */
function betweenRows(problem: Problem, met: readonly Float64Array[], seed: number): Float64Array {
  const { rule, data, space } = problem;
  const d = space.columns.length;
  if (!hasFront(rule) || space.choices) return new Float64Array();
  const points = measuredPoints(problem);
  const front = points.flatMap((point, i) =>
    points.some((other) => dominates(other, point)) ? [] : [rowOf(data.x, d, i)],
  );
  const last = met.at(-1) ?? new Float64Array();
  const found = Array.from({ length: Math.min(PARENTS, last.length / d) }, (_, i) => rowOf(last, d, i));
  const parents = [...front.slice(0, PARENTS), ...found];
  if (parents.length < 2) return new Float64Array();
  const stream = new Stream(foldKey(rootKey(seed), 'front'));
  const inList = new Map((space.listed ?? []).flatMap(({ columns }) => columns.map((j) => [j, columns[0]!])));
  const made = new Float64Array(BETWEEN * d);
  for (let i = 0; i < BETWEEN; i++) {
    const a = front[stream.integer(Math.min(front.length, PARENTS))]!;
    const b = parents[stream.integer(parents.length)]!;
    const way = 1.5 * stream.uniform() - 0.25;
    const isSecond = space.columns.map(() => stream.uniform() < way);
    space.columns.forEach((column, j) => {
      const taken = isSecond[inList.get(j) ?? j] ? b[j]! : a[j]!;
      const isNumber = column.kind === 'continuous' && !inList.has(j);
      made[i * d + j] = isNumber ? a[j]! + way * (b[j]! - a[j]!) : taken;
    });
  }
  return made;
}
