/** The one value that a run is about, in the user's units, and the goals behind it. */

import type { GoalSummary } from '../design/runDocument.js';
import { mean } from '../numeric/stats.js';
import { type ScoreRule, scoreRows, type TableProblem } from '../problem/index.js';
import type { Table } from '../table/index.js';

/** Several goals, or a target, are one desirability. */
const DESIRABILITY = 'desirability';

export function goalSummary(rule: ScoreRule): GoalSummary {
  const goals = rule.kind === 'value' ? [rule.goal] : rule.parts.map(({ goal }) => goal);
  return {
    labels: goals.map(({ label }) => label),
    name: rule.kind === 'value' ? rule.goal.column : DESIRABILITY,
    direction: rule.kind === 'value' && rule.sign === -1 ? 'min' : 'max',
    goals: goals.map(({ column, label, kind }) => ({ column, label, kind })),
  };
}

/** The headline value of a score: minus the score for `min`; a desirability stays between 0 and 1. */
export function headlineOf(rule: ScoreRule, score: number): number {
  if (rule.kind === 'value') return rule.sign === 1 ? score : 0 - score;
  return Math.max(0, Math.min(1, score));
}

/** Values of each goal in the rows of the problem's data, pooled as their scores are; none where the score is the value. */
export function goalValues({ rule, rows }: TableProblem, table: Table): Float64Array[] {
  if (rule.kind === 'value') return [];
  const scored = scoreRows(rule, table);
  const at = new Map(Array.from(scored.rows, (row, i) => [row, i]));
  return scored.values.map((values) =>
    Float64Array.from(rows, (group) => mean(group.map((row) => values[at.get(row)!]!))),
  );
}
