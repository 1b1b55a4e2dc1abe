/** Settings that were measured more than once: the model sees their mean, and people are told so. */
import type { Replicates } from '../design/runDocument.js';
import type { Problem } from '../problem/index.js';
import { objectiveValue } from './objective.js';

/** The rows whose mean a row of the data is; undefined where it is one row. */
export function replicatesAt(
  { rule, rows, rowScores }: Pick<Problem, 'rule' | 'rows' | 'rowScores'>,
  row: number,
): Replicates | undefined {
  if (rows[row]!.length === 1) return undefined;
  return {
    rows: rows[row]!.map((number) => number + 1),
    values: rowScores[row]!.map((score) => objectiveValue(rule, score)),
  };
}

/** The best single row, where it is better than row `best` of the data, the best mean; undefined where it is not. */
export function bestSingle(
  problem: Pick<Problem, 'rule' | 'rows' | 'rowScores' | 'data'>,
  best: number,
): { row: number; value: number; mean: number; rows: readonly number[] } | undefined {
  const { rule, rows, rowScores, data } = problem;
  let [group, place] = [-1, -1];
  let most = data.y[best]!;
  rowScores.forEach((scores, i) => {
    if (data.censored?.[i]) return;
    scores.forEach((score, k) => {
      if (score > most) [most, group, place] = [score, i, k];
    });
  });
  if (group < 0) return undefined;
  return {
    row: rows[group]![place]! + 1,
    value: objectiveValue(rule, most),
    mean: objectiveValue(rule, data.y[group]!),
    rows: rows[group]!.map((number) => number + 1),
  };
}
