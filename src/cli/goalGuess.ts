/** Which columns are probably what was measured, by their names and places. */

import { quoteName } from '../problem/tokens.js';
import type { TypedColumn } from '../table/index.js';

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
    const words = column.name
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '');
    const isCost = words.some((word) => costs.test(word));
    const isNamed = isCost || words.some((word) => results.test(word));
    const isSetting = words.some((word) => settings.test(word));
    const isLast = column.name === last;
    const points = (isCost ? 3 : isNamed ? 5 : 0) - (isSetting ? 2 : 0) + (isLast ? 1 : 0);
    const why = isNamed ? 'its name' : isLast ? 'its place at the end' : 'the lack of a better one';
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
