/** The objective: the one value that a run improves, in the units of the table, and the goals behind it. */

import type { GoalSummary } from '../design/runDocument.js';
import type { ScoreRule } from '../problem/index.js';

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

/** The objective value of a score: minus the score for `min`; a desirability stays between 0 and 1. */
export function objectiveValue(rule: ScoreRule, score: number): number {
  if (rule.kind === 'value') return rule.sign === 1 ? score : 0 - score;
  return Math.max(0, Math.min(1, score));
}
