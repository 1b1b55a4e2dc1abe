/** How the promises of earlier runs turned out: rows that were proposed, measured and added to the table. */
import type { Forecast, History, Outcome } from '../design/runDocument.js';
import { mean } from '../numeric/stats.js';
import { type Problem, type ScoreRule, scoreOf } from '../problem/index.js';
import type { NumberColumn, Round, WrittenPromise } from '../table/index.js';
import { goalSummary, objectiveValue } from './objective.js';

/** Null where no row of the table was proposed by a run. */
export function historyOf(problem: Pick<Problem, 'table' | 'rule' | 'rows' | 'rowScores'>): History | null {
  const { table, rule } = problem;
  if (!table.rounds) return null;
  const { labels, direction } = goalSummary(rule);
  const about = labels.join('; ');
  const rounds = table.rounds.map((round) => {
    const comparable = round.promises.filter(({ goal }) => goal === undefined || goal === about);
    const rows = comparable.flatMap((promise) => outcomeOf(problem, promise));
    const best = bestBefore(problem, round);
    const isBetter = (value: number) => best !== null && (direction === 'max' ? value > best : value < best);
    return {
      file: round.file,
      promised: round.promises.length,
      aboutOthers: round.promises.length - comparable.length,
      bestBefore: best,
      beaten: rows.filter(({ measured }) => isBetter(measured)).length,
      rows,
    };
  });
  const all = rounds.flatMap(({ rows }) => rows);
  const sign = direction === 'max' ? 1 : -1;
  return {
    rounds,
    measured: all.length,
    inside: all.filter(({ isInside }) => isInside).length,
    overPromise:
      all.length === 0 ? null : mean(all.map(({ expected, measured }) => sign * (expected - measured))),
  };
}

/** A row that has not been measured, or not in all goals, has no outcome. */
function outcomeOf(
  { table, rule }: Pick<Problem, 'table' | 'rule'>,
  { row, expected, lo80, hi80, trust, goals = {} }: WrittenPromise,
): Outcome[] {
  const columns = goalColumns(rule).map(
    (name) => table.columns.find((column) => column.name === name) as NumberColumn,
  );
  const values = columns.map((column) => column.values[row]!);
  if (!values.every(Number.isFinite)) return [];
  const measured = objectiveValue(rule, scoreOf(rule, values));
  const forecast = { expected, lo80, hi80 };
  const side = rule.kind === 'value' ? (columns[0]!.censored?.[row] ?? 0) : 0;
  const single = columns.flatMap(({ name, values: own }) => {
    const one = Object.hasOwn(goals, name) ? goals[name] : undefined;
    return one ? [{ column: name, ...one, measured: own[row]!, isInside: isInside(one, own[row]!, 0) }] : [];
  });
  return [
    {
      row: row + 1,
      ...forecast,
      ...(trust !== undefined && { trust }),
      measured,
      isInside: isInside(forecast, measured, side),
      goals: single,
    },
  ];
}

/** Of "<0.5" is known that it is below 0.5: it lies outside where all of that does. */
function isInside({ lo80, hi80 }: Forecast, measured: number, side: number): boolean {
  return (side < 0 || measured <= hi80) && (side > 0 || measured >= lo80);
}

function goalColumns(rule: ScoreRule): string[] {
  return rule.kind === 'value' ? [rule.goal.column] : rule.parts.map(({ goal }) => goal.column);
}

/** The best of what was known before a round, means where settings were repeated. */
function bestBefore(
  { rule, rows, rowScores }: Pick<Problem, 'rule' | 'rows' | 'rowScores'>,
  { from }: Round,
): number | null {
  let best: number | null = null;
  rows.forEach((group, i) => {
    const scores = rowScores[i]!.filter((_, k) => group[k]! < from);
    if (scores.length > 0) best = Math.max(best ?? Number.NEGATIVE_INFINITY, mean(scores));
  });
  return best === null ? null : objectiveValue(rule, best);
}
