/** How the numbers of a run are printed: one format per column, one for the headline value and one per goal. */
import type { Prediction, RunDocument } from '../design/runDocument.js';
import { median } from '../numeric/stats.js';
import type { Cell } from '../problem/index.js';
import { shorten } from './markup.js';
import { columnFormat, estimateFormat, type NumberFormat, plainFormat } from './numberFormat.js';

export interface DocumentFormats {
  readonly headline: NumberFormat;
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
  for (const { cells } of [bestKnown, ...candidates]) {
    for (const [name, cell] of Object.entries(cells)) add(name, cell);
  }
  for (const { nearest } of candidates) {
    for (const { column, from, to } of nearest.differences) {
      add(column, from);
      add(column, to);
    }
  }
  const chosen = new Map([...columns].map(([name, values]) => [name, columnFormat(values)]));
  const judged = candidates.length > 0 ? candidates : validation.pairs;
  return {
    headline: predictionFormat(judged, [bestKnown.value]),
    goals: goal.goals.map((_, i) =>
      predictionFormat(
        candidates.flatMap(({ goals }) => goals[i] ?? []),
        [],
      ),
    ),
    column: (name) => chosen.get(name) ?? plainFormat,
  };
}

function predictionFormat(predictions: readonly Prediction[], others: readonly number[]): NumberFormat {
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

/** A column may be called by a sentence, or not at all. */
export function shownName(name: string): string {
  return name.trim() === '' ? '(no name)' : shorten(name, 40);
}

/** Several goals, or one that is not the headline value itself, are shown beside it. */
export function hasOwnGoals({ goal }: RunDocument): boolean {
  return goal.goals.length !== 1 || goal.goals[0]!.column !== goal.name;
}

export const verdictWords = {
  likely: 'Improvement likely',
  unclear: 'Improvement unclear',
  unsupported: 'Not supported by the data',
} as const;
