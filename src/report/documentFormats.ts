/** How the numbers of a run are printed: one format per column, one for the objective (the goal, or the desirability of several) and one per goal. */
import type { Forecast, RunDocument } from '../design/runDocument.js';
import { median } from '../numeric/stats.js';
import type { Cell } from '../problem/index.js';
import { columnFormat, estimateFormat, type NumberFormat, plainFormat } from './formats.js';
import { shorten } from './markup.js';

export interface DocumentFormats {
  /** Of `goal.name`: the goal itself, or the desirability of several. */
  readonly objective: NumberFormat;
  /** In the order of `goal.goals`. */
  readonly goals: readonly NumberFormat[];
  column(name: string): NumberFormat;
}

export function documentFormats(document: RunDocument): DocumentFormats {
  const { candidates, bestKnown, validation, goal } = document;
  const columns = new Map<string, number[]>();
  const add = (name: string, cell: Cell) => {
    const values = columns.get(name) ?? [];
    if (typeof cell === 'number') values.push(cell);
    columns.set(name, values);
  };
  for (const { cells } of [bestKnown, ...candidates, ...(document.plan ?? [])]) {
    for (const [name, cell] of Object.entries(cells)) add(name, cell);
  }
  for (const { nearest } of candidates) {
    for (const { column, from, to } of nearest.differences) {
      add(column, from);
      add(column, to);
    }
  }
  const chosen = new Map([...columns].map(([name, values]) => [name, columnFormat(values)]));
  const predictions = candidates.length > 0 ? candidates : validation.pairs;
  return {
    objective: predictionFormat(predictions, [bestKnown.value]),
    goals: goal.goals.map((_, i) => predictionFormat(candidates.flatMap(({ goals }) => goals[i] ?? []))),
    column: (name) => chosen.get(name) ?? plainFormat,
  };
}

/** Digits that the widths of the intervals support; `others` are values printed beside them. */
export function predictionFormat(
  predictions: readonly Forecast[],
  others: readonly number[] = [],
): NumberFormat {
  const widths = predictions.map(({ lo80, hi80 }) => hi80 - lo80).filter(Number.isFinite);
  const values = predictions.flatMap(({ expected, lo80, hi80 }) => [expected, lo80, hi80]);
  return estimateFormat(widths.length > 0 ? median(widths) : 0, [...values, ...others]);
}

/**
 * The columns of a design, in the table's order. Keys of objects do not keep it: JavaScript puts whole numbers first.
 */
export function designColumns(document: RunDocument): string[] {
  const cells = document.candidates[0]?.cells ?? document.bestKnown.cells;
  const names = document.data.columns.map(({ name }) => name).filter((name) => Object.hasOwn(cells, name));
  return [...new Set([...names, ...Object.keys(cells)])];
}

export function cellOf(cells: Readonly<Record<string, Cell>>, name: string): Cell | undefined {
  return Object.hasOwn(cells, name) ? cells[name] : undefined;
}

/** The name of a column may be long, or empty. */
export function shownName(name: string): string {
  return name.trim() === '' ? '(no name)' : shorten(name, 40);
}

/** Whether goals have columns beside the objective: several goals, or one that is not the objective itself. */
export function showsEachGoal({ goal }: RunDocument): boolean {
  return goal.goals.length !== 1 || goal.goals[0]!.column !== goal.name;
}

/** Where a plan stands in place of candidates. */
export const planTitle = 'Too few rows to model';

export const verdictTitles = {
  likely: 'Improvement likely',
  unclear: 'Improvement unclear',
  unsupported: 'Not supported by the data',
} as const;
