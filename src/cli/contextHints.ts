/** Columns that were probably not chosen but happened: who did it, where, on which day. */
import { mean } from '../numeric/stats.js';
import type { NumberColumn, Table, TextColumn } from '../table/index.js';
import type { CheckedColumn } from './checkTable.js';

export interface ContextHint {
  readonly column: string;
  /** Share of the goal's variance that goes with the column, 0 to 1. */
  readonly explains: number;
}

const happened =
  /^(?:operator|analyst|technician|worker|person|user|lab|laboratory|site|plant|machine|instrument|device|shift|day|weekday|month|season|week|batch|lot|supplier|vendor|weather)s?$/;

export function contextHints(table: Table, columns: readonly CheckedColumn[], goal: string): ContextHint[] {
  const measured = table.columns.find(({ name }) => name === goal);
  if (measured?.kind !== 'number') return [];
  return columns.flatMap(({ name, role }) => {
    const words = name.toLowerCase().split(/[^\p{L}]+/u);
    const column = table.columns.find((own) => own.name === name);
    if (role !== 'design' || column?.kind !== 'text' || !words.some((word) => happened.test(word))) return [];
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
  const squares = (own: readonly number[]) => {
    const centre = mean(own);
    return own.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  };
  const total = all.length > 1 ? squares(all) / (all.length - 1) : 0;
  if (!(total > 0) || all.length <= filled.length) return 0;
  const within = filled.reduce((sum, own) => sum + squares(own), 0) / (all.length - filled.length);
  return Math.max(0, 1 - within / total);
}
