/** The rows of a plan as a grid that fits a terminal: settings, and the past run that is closest. */
import type { RunDocument } from '../design/runDocument.js';
import type { Cell } from '../problem/index.js';
import { columnFormat, typedNumber } from '../report/index.js';
import { type CandidateTable, listColumns } from './candidateTable.js';
import { cut, type GridColumn, gridLines, gridWidth, oneLineOf } from './textLayout.js';

const widestCell = 18;
const indent = '  ';

export function planTable(plan: NonNullable<RunDocument['plan']>, width: number): CandidateTable {
  if (plan.length === 0) return { shared: [], lines: [], dropped: [] };
  const names = Object.keys(plan[0]!.cells);
  const textsOf = (name: string): string[] => {
    const cells = plan.map((row) => row.cells[name] as Cell);
    const format = columnFormat(cells.filter((cell) => typeof cell === 'number'));
    return cells.map((cell) =>
      cut(typeof cell === 'number' ? typedNumber(cell, format) : oneLineOf(cell), widestCell),
    );
  };
  const columns = names.map((name) => ({
    name,
    cells: textsOf(name),
    isText: typeof plan[0]!.cells[name] === 'string',
  }));
  const isShared = ({ cells }: { cells: string[] }) =>
    plan.length > 1 && cells.every((text) => text === cells[0]);
  const shared = columns.filter(isShared);
  const varying = columns.filter((column) => !isShared(column));
  const grid = (count: number): GridColumn[] => [
    { head: '#', align: 'right', cells: plan.map(({ row }) => String(row)) },
    ...listColumns(plan),
    ...varying.slice(0, count).map(({ name, cells, isText }) => ({
      head: cut(oneLineOf(name), widestCell),
      ...(!isText && { align: 'right' as const }),
      cells,
    })),
    { head: 'closest past run', cells: plan.map(({ nearest }) => `row ${nearest.row}`) },
  ];
  let shown = varying.length;
  while (shown > 1 && gridWidth(grid(shown)) > width - indent.length) shown -= 1;
  return {
    shared: shared.map(({ name, cells }) => `${oneLineOf(name)} ${cells[0]}`),
    lines: gridLines(grid(shown)).map((line) => indent + line),
    dropped: varying.slice(shown).map(({ name }) => name),
  };
}
