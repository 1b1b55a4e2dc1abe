/** The columns of a table and the part each plays, for people. */

import type { DesignRequest } from '../design/designRequest.js';
import type { RunDocument } from '../design/runDocument.js';
import { type TableProblem, toCells } from '../problem/index.js';

type ColumnSummary = RunDocument['data']['columns'][number];

/** Columns that designs set, in the table's order. */
export function designNames({ columns, data, space }: TableProblem): string[] {
  const [first] = toCells({ columns }, data.x.subarray(0, space.columns.length));
  return Object.keys(first!);
}

export function columnSummaries({ words }: DesignRequest, problem: TableProblem): ColumnSummary[] {
  const { rule, types, columns } = problem;
  const goals = new Set(
    rule.kind === 'value' ? [rule.goal.column] : rule.parts.map(({ goal }) => goal.column),
  );
  const fixed = new Set((problem.space.fixed ?? []).map(({ column }) => problem.space.columns[column]!.name));
  return types.map(({ name, type }): ColumnSummary => {
    const column = columns.find((own) => own.name === name);
    const settings = words.columns?.[name];
    const role = goals.has(name)
      ? 'goal'
      : !column
        ? 'left out'
        : settings?.role === 'context'
          ? 'context'
          : fixed.has(name)
            ? 'fixed'
            : 'design';
    return { name, type, role, summary: column ? summaryOf(column) : '' };
  });
}

/** Levels that are named; more are counted. */
const NAMED = 8;

function summaryOf(column: TableProblem['columns'][number]): string {
  if (column.kind === 'number' || column.kind === 'integer') return `${column.min} to ${column.max}`;
  if (column.kind === 'sequence') return `${column.length} letters of ${column.letters.join('')}`;
  if (column.kind !== 'category') return '';
  const { levels } = column;
  const named = levels.slice(0, NAMED).join(', ');
  return levels.length > NAMED ? `${named} and ${levels.length - NAMED} more` : named;
}
