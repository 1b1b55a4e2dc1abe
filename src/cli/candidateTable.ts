/** The candidates of a run as a grid that fits a terminal. */
import type { Candidate, Forecast, RunDocument, Trust } from '../design/runDocument.js';
import { extent } from '../numeric/stats.js';
import type { Cell } from '../problem/index.js';
import {
  catalogueColumns,
  columnFormat,
  formatPercent,
  predictionFormat,
  typedNumber,
} from '../report/index.js';
import type { Palette } from './palette.js';
import { cut, type GridColumn, gridLines, gridWidth, oneLineOf } from './textLayout.js';

export interface CandidateTable {
  /** Columns that are the same in every row, as `name value`; said once, above the table. */
  readonly shared: readonly string[];
  readonly lines: readonly string[];
  /** Columns that found no place there, as more tables. */
  readonly more?: readonly (readonly string[])[];
  /** Columns left out for lack of room. */
  readonly dropped: readonly string[];
}

type Rows = Pick<RunDocument, 'candidates' | 'goal'>;

interface Design extends GridColumn {
  readonly name: string;
  /** How much it changes from row to row, relative; 0 if not at all. */
  readonly change: number;
  /** Columns of larger weight are kept where there is no room for all: those that change, and differ from past rows. */
  readonly weight: number;
}

interface Plan {
  readonly shown: readonly Design[];
  /** How many differences from the closest past run are named; below 0 the run is not. */
  readonly differences: number;
  /** Whether each of several goals has a column with its range, without it, or in a table of its own. */
  readonly goals: 'with ranges' | 'alone' | 'elsewhere';
}

/** Tables with the settings that the first has no room for. */
const mostTables = 3;

/** Wider texts are cut in the table; candidates.csv has them whole. */
const widestCell = 18;
const indent = '  ';

export function candidateTable(document: Rows, width: number, paint: Palette): CandidateTable {
  const { candidates } = document;
  if (candidates.length === 0) return { shared: [], lines: [], dropped: [] };
  const designs = Object.keys(candidates[0]!.cells).map((name) => designColumn(name, candidates));
  const room = width - indent.length;
  const isShared = ({ change }: Design) => candidates.length > 1 && change === 0;
  const varying = designs.filter((column) => !isShared(column));
  const catalogue = listColumns(candidates);
  const layout = ({ shown, differences, goals }: Plan) => [
    numberColumn(document),
    ...catalogue,
    ...shown,
    ...predictions(document, paint),
    ...(goals === 'elsewhere' ? [] : goalColumns(document, goals)),
    ...batchColumns(document),
    ...(differences >= 0 ? [nearestColumn(document, differences)] : []),
  ];
  const byWeight = varying.toSorted((a, b) => b.weight - a.weight);
  const keep = (n: number) => varying.filter((column) => byWeight.indexOf(column) < n);
  // First words about the closest run give way, then the columns that change least, one by one.
  const full = [
    ...[3, 2].map((differences) => ({ shown: designs, differences })),
    ...[3, 2, 1, 0].map((differences) => ({ shown: varying, differences })),
  ];
  const fewer = varying.map((_, i) => ({ shown: keep(varying.length - 1 - i), differences: 0 }));
  const plans = (['with ranges', 'alone', 'elsewhere'] as const).flatMap((goals): Plan[] => [
    ...[...full, ...fewer.slice(0, -2)].map((plan) => ({ ...plan, goals })),
    ...[3, 2, 1, 0].map((n) => ({ shown: keep(n), differences: -1, goals })),
  ]);
  const fitting = plans.find((plan) => gridWidth(layout(plan)) <= room) ?? plans.at(-1)!;
  const lines = gridLines(layout(fitting), paint.dim).map((line) => cut(indent + line, Math.max(width, 20)));
  return {
    shared: designs
      .filter((column) => isShared(column) && !fitting.shown.includes(column))
      .map(({ name, cells }) => `${oneLineOf(name)} ${cells[0]!.trim()}`),
    lines,
    ...continued(
      document,
      [
        ...(fitting.goals === 'elsewhere' ? goalColumns(document, 'with ranges') : []),
        ...varying.filter((column) => !fitting.shown.includes(column)),
      ],
      room,
      paint,
    ),
  };
}

function numberColumn({ candidates }: Rows): GridColumn {
  return { head: '#', align: 'right', cells: candidates.map(({ row }) => String(row)) };
}

/** Columns without a place in the first table: further tables, then names. */
function continued(document: Rows, columns: readonly Design[], room: number, paint: Palette) {
  const number = numberColumn(document);
  const tables: Design[][] = [];
  const byWeight = columns.toSorted((a, b) => b.weight - a.weight);
  const dropped: string[] = [];
  for (const column of byWeight) {
    const last = tables.find((table) => gridWidth([number, ...table, column]) <= room);
    if (last) last.push(column);
    else if (tables.length < mostTables) tables.push([column]);
    else dropped.push(column.name);
  }
  const inOrder = (table: readonly Design[]) => columns.filter((column) => table.includes(column));
  return {
    ...(tables.length > 0 && {
      more: tables.map((table) =>
        gridLines([number, ...inOrder(table)], paint.dim).map((line) => indent + line),
      ),
    }),
    dropped,
  };
}

function designColumn(name: string, candidates: readonly Candidate[]): Design {
  const values = candidates.map(({ cells }) => cells[name]!);
  const numbers = values.filter((value) => typeof value === 'number');
  const isNumber = numbers.length === values.length;
  // Beside 0: candidates may be very alike, and nobody sets a machine to seven digits.
  const format = columnFormat([0, ...numbers]);
  const change = changeOf(values, isNumber ? numbers : null);
  return {
    name,
    head: cut(oneLineOf(name), widestCell),
    align: isNumber ? 'right' : 'left',
    cells: values.map((value) =>
      typeof value === 'number' ? typedNumber(value, format) : cut(oneLineOf(value), widestCell),
    ),
    change,
    weight: change + mentions(name, candidates),
  };
}

/** Columns of a list that come back with its rows, up to this many: names, prices, numbers of a catalogue. */
const mostListed = 3;

export function listColumns(rows: readonly Pick<Candidate, 'cells' | 'listed'>[]): GridColumn[] {
  const settings = Object.keys(rows[0]?.cells ?? {});
  return catalogueColumns(rows, settings)
    .slice(0, mostListed)
    .map((name) => {
      const cells = rows.map(({ listed }) => listed?.cells[name] ?? '');
      const isNumber = cells.every((cell) => typeof cell === 'number');
      return {
        head: cut(oneLineOf(name), widestCell),
        ...(isNumber && { align: 'right' as const }),
        cells: cells.map((cell) => cut(oneLineOf(String(cell)), widestCell)),
      };
    });
}

/** How often and how early a column stands among the differences from past rows: 1 if it is always the first. */
function mentions(name: string, candidates: readonly Candidate[]): number {
  const places = candidates.map(({ nearest }) =>
    nearest.differences.findIndex(({ column }) => column === name),
  );
  return places.reduce((sum, place) => sum + (place < 0 ? 0 : 1 / (1 + place)), 0) / candidates.length;
}

function changeOf(values: readonly Cell[], numbers: readonly number[] | null): number {
  if (new Set(values).size <= 1) return 0;
  // Another class is another experiment: it counts for more than a number that moves a little.
  if (!numbers) return 0.5 + (new Set(values).size - 1) / (values.length - 1);
  const { min: low, max: high } = extent(numbers);
  return (high - low) / Math.max(Math.abs(low), Math.abs(high));
}

export function trustColor(trust: Trust, paint: Palette): (text: string) => string {
  return { Trusted: paint.green, Stretch: paint.yellow, Guess: paint.red }[trust];
}

function predictions({ candidates, goal }: Rows, paint: Palette): GridColumn[] {
  const format = printerOf(candidates);
  const dash = dashOf(candidates);
  return [
    {
      head: goal.name === 'desirability' ? 'desirability' : 'expected',
      align: 'right',
      cells: candidates.map(({ expected }) => paint.bold(format(expected))),
    },
    {
      head: '80 % range',
      align: 'right',
      cells: candidates.map(({ lo80, hi80 }) => `${format(lo80)}${dash}${format(hi80)}`),
    },
    {
      head: 'chance',
      align: 'right',
      cells: candidates.map(({ better }) => formatPercent(better).replace('\u202f', ' ')),
    },
    { head: 'trust', cells: candidates.map(({ trust }) => trustColor(trust, paint)(trust)) },
  ];
}

function dashOf(predictions: readonly Forecast[]): string {
  return predictions.some(({ expected, lo80, hi80 }) => expected < 0 || lo80 < 0 || hi80 < 0) ? ' to ' : '–';
}

function printerOf(predictions: readonly Forecast[]): (value: number) => string {
  const format = predictionFormat(predictions);
  return (value) => typedNumber(value, format);
}

/** How designs came into the batch, and what they cost, where somebody asked. */
function batchColumns({ candidates }: Rows): GridColumn[] {
  const costs = candidates.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  const format = columnFormat(costs);
  return [
    ...(candidates.some(({ pick }) => pick !== undefined)
      ? [{ head: 'pick', cells: candidates.map(({ pick }) => pick ?? '') }]
      : []),
    ...(costs.length > 0
      ? [
          {
            head: 'cost',
            align: 'right' as const,
            cells: candidates.map(({ cost }) => (cost === undefined ? '' : typedNumber(cost, format))),
          },
        ]
      : []),
  ];
}

/** Several goals: the prediction of each. */
function goalColumns({ candidates, goal }: Rows, shown: 'with ranges' | 'alone'): Design[] {
  if (goal.goals.length < 2) return [];
  return goal.goals.map(({ column }, g) => {
    const predicted = candidates.map(({ goals }) => goals[g]!);
    const format = printerOf(predicted);
    const dash = dashOf(predicted);
    const cells = predicted.map(({ expected, lo80, hi80 }) =>
      shown === 'with ranges'
        ? `${format(expected)} (${format(lo80)}${dash}${format(hi80)})`
        : format(expected),
    );
    return {
      name: column,
      head: cut(oneLineOf(column), widestCell),
      align: 'right',
      cells,
      change: 1,
      // before any setting
      weight: Number.POSITIVE_INFINITY,
    };
  });
}

function nearestColumn({ candidates }: Rows, most: number): GridColumn {
  return {
    head: most > 0 ? 'closest past run, and what differs' : 'closest run',
    cells: candidates.map(({ nearest }) => {
      const { meanOf } = nearest;
      const mean = meanOf ? `mean of ${meanOf.rows.length}: ` : '';
      const run = `row ${nearest.row} (${mean}${typedNumber(nearest.value)})`;
      if (nearest.differences.length === 0) return `${run}, the same`;
      const shown = nearest.differences.slice(0, most).map(differenceText);
      const rest = nearest.differences.length - shown.length;
      if (shown.length === 0) return run;
      return `${run}: ${shown.join(', ')}${rest > 0 ? ', …' : ''}`;
    }),
  };
}

/** `temp +3.5`, `catalyst A → B` */
export function differenceText({ column, from, to }: Candidate['nearest']['differences'][number]): string {
  const name = cut(oneLineOf(column), widestCell);
  if (typeof from === 'number' && typeof to === 'number') {
    const step = Number((to - from).toPrecision(3));
    return `${name} ${step < 0 ? '−' : '+'}${typedNumber(Math.abs(step))}`;
  }
  const text = (cell: Cell) => (typeof cell === 'number' ? typedNumber(cell) : cut(oneLineOf(cell), 12));
  return `${name} ${text(from)} → ${text(to)}`;
}
