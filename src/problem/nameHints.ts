/** What the names of columns suggest: which one was measured, and which were not chosen but happened. */

import { mean } from '../numeric/stats.js';
import type { TypedColumn } from '../table/columnTypes.js';
import type { NumberColumn, Table, TextColumn } from '../table/table.js';
import type { RoledColumn } from './columnRoles.js';
import { saysContext, saysCost, saysOutcome } from './columnWords.js';
import { quoteName } from './tokens.js';

export interface GoalCandidate {
  readonly column: string;
  /** A goal to type, such as `max yield`. */
  readonly goal: string;
  readonly why: string;
}

const results =
  /^(?:y|target|yield|score|fitness|objective|response|result|output|outcome|activity|strength|efficiency|conversion|selectivity|purity|titer|titre|quality|performance|accuracy|reward|potency|affinity|productivity|throughput|rating|label|value)$/;
/** Less of these is better. */
const costs =
  /^(?:cost|costs|price|loss|error|err|rmse|mae|defects?|waste|impurity|impurities|scrap|shrinkage|emissions?|roughness|toxicity|consumption|duration|latency|failures?|rejects?)$/;
/** Settings that are sometimes last: "temp" is no result. */
const settings =
  /^(?:temp|temperature|time|pressure|speed|rate|flow|ph|dose|age|water|batch|run|day|date|id|operator|x\d*)$/;

/** The likeliest first; none where no column of numbers is left. `left` are columns that are spoken for. */
export function guessGoals(types: readonly TypedColumn[], left: ReadonlySet<string>): GoalCandidate[] {
  const usable = types.filter(
    ({ name, type }) => (type === 'number' || type === 'integer') && !left.has(name),
  );
  const last = types.at(-1)?.name;
  const ranked = usable.map((column, place) => {
    const parts = column.name
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '');
    const isCost = parts.some((word) => costs.test(word)) || saysCost(column.name);
    const isNamed = isCost || parts.some((word) => results.test(word)) || saysOutcome(column.name);
    const isSetting = parts.some((word) => settings.test(word));
    const isLast = column.name === last;
    const points = (isCost ? 3 : isNamed ? 5 : 0) - (isSetting ? 2 : 0) + (isLast ? 1 : 0);
    const why = isNamed ? 'by its name' : isLast ? 'the last column' : 'nothing says otherwise';
    return { name: column.name, points, place, isCost, why };
  });
  const best = ranked.toSorted((a, b) => b.points - a.points || b.place - a.place);
  const named = best.filter(({ points }) => points >= 3);
  return (named.length > 0 ? named : best.slice(0, 1)).slice(0, 3).map(({ name, isCost, why }) => ({
    column: name,
    goal: `${isCost ? 'min' : 'max'} ${quoteName(name)}`,
    why,
  }));
}

export interface ContextHint {
  readonly column: string;
  /** Share of the goal's variance that goes with the column, 0 to 1. */
  readonly explains: number;
}

const happened =
  /^(?:operator|analyst|technician|worker|person|user|lab|laboratory|site|plant|machine|instrument|device|shift|day|weekday|month|season|week|batch|lot|supplier|vendor|weather)s?$/;

/** Columns that were probably not chosen but happened: who did it, where, on which day. */
export function contextHints(table: Table, columns: readonly RoledColumn[], goal: string): ContextHint[] {
  const measured = table.columns.find(({ name }) => name === goal);
  if (measured?.kind !== 'number') return [];
  const byName = new Map(table.columns.map((column) => [column.name, column]));
  return columns.flatMap(({ name, role, assumed = false }) => {
    const column = byName.get(name);
    if (column?.kind !== 'text') return [];
    const parts = name.toLowerCase().split(/[^\p{L}]+/u);
    const isOpen = role === 'design' || (role === 'context' && assumed);
    const isNamed = saysContext(name) || parts.some((word) => happened.test(word));
    if (!isOpen || !isNamed) return [];
    return [{ column: name, explains: explainedShare(column, measured) }];
  });
}

/** ε² = 1 - (within / (n - k)) / (total / (n - 1)): chance alone gives 0 on average (T. L. Kelley, PNAS 21, 1935). */
export function explainedShare({ codes, levels }: TextColumn, { values }: NumberColumn): number {
  const groups = levels.map((): number[] => []);
  for (const [row, code] of codes.entries())
    if (code >= 0 && !Number.isNaN(values[row]!)) groups[code]!.push(values[row]!);
  const filled = groups.filter(({ length }) => length > 0);
  const all = filled.flat();
  const squares = (numbers: readonly number[]) => {
    const centre = mean(numbers);
    return numbers.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  };
  const total = all.length > 1 ? squares(all) / (all.length - 1) : 0;
  if (!(total > 0) || all.length <= filled.length) return 0;
  const within = filled.reduce((sum, group) => sum + squares(group), 0) / (all.length - filled.length);
  return Math.max(0, 1 - within / total);
}
