/** Results as tables of texts: rows are algorithms, columns are tasks. tableFormats.ts writes them as Markdown, LaTeX, ... */

import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { compareVersions } from './algorithmVersions.js';
import { isNull } from './nulls/index.js';
import { builtIn } from './registry.js';
import { type Cell, type Percentile, percentileNames, rowName, type Spread } from './summary.js';

export interface TextTable {
  readonly title: string;
  /** Printed below the title. */
  readonly notes: readonly string[];
  readonly head: readonly string[];
  readonly rows: readonly TextRow[];
}

export interface TextRow {
  readonly cells: readonly TextCell[];
  /** Separated from the rows above it. */
  readonly isApart?: boolean;
}

export interface TextCell {
  readonly text: string;
  /** Best of its column, or within one deviation of it. */
  readonly isBest?: boolean;
}

export interface TableOptions {
  readonly scale: 'raw' | 'normalized';
  /** Rows that are shown though nothing of them was run. */
  readonly planned?: readonly Pick<Cell, 'algorithm' | 'variant'>[];
}

const titles: Readonly<Record<Percentile, string>> = {
  100: '100th percentile of the batch',
  50: '50th percentile of the batch',
};

/** One table per percentile. */
export function resultTables(cells: readonly Cell[], { scale, planned = [] }: TableOptions): TextTable[] {
  const tasks = unique(cells.map(({ task }) => task));
  const rows = rowsOf([...planned, ...cells]);
  const find = (row: string, task: string) =>
    cells.find((cell) => cell.task === task && rowName(cell) === row);
  return percentileNames.map((percentile) => {
    const leads = tasks.map((task) =>
      leadOf(
        cells.filter((cell) => cell.task === task),
        percentile,
      ),
    );
    return {
      title: `${titles[percentile]}${scale === 'normalized' ? ', normalised' : ''}`,
      notes: [
        `mean ± standard deviation over seeds; ${seedsText(cells)}`,
        ...changedNote(cells),
        ...nullNote(cells),
        ...versionNote(cells),
        ...(scale === 'normalized'
          ? ['(score - worst) / (best - worst), over the whole dataset with its hidden part']
          : []),
      ],
      head: ['', ...tasks],
      rows: [
        ...rows.map(({ row, isApart }) => ({
          ...(isApart && { isApart }),
          cells: [
            { text: row },
            ...tasks.map((task, i) => {
              const cell = find(row, task);
              if (!cell) return { text: 'not run' };
              const isBest = cell.raw[percentile].mean >= (leads[i] ?? Number.POSITIVE_INFINITY);
              return { text: cellText(cell, scale, percentile), isBest };
            }),
          ],
        })),
      ],
    };
  });
}

/** Rows with a model, then, apart, those without: what nothing, noise and chance reach. There is always one of nothing. */
function rowsOf(
  cells: readonly Pick<Cell, 'algorithm' | 'variant'>[],
): { readonly row: string; readonly isApart: boolean }[] {
  const named = (areNull: boolean) =>
    unique(cells.filter(({ algorithm }) => isNull(algorithm) === areNull).map(rowName));
  const nulls = named(true);
  const hasStart = cells.some(({ algorithm }) => algorithm === 'start');
  const without = hasStart ? nulls : ['start', ...nulls];
  return [
    ...named(false).map((row) => ({ row, isApart: false })),
    ...without.map((row, i) => ({ row, isApart: i === 0 })),
  ];
}

/** The smallest mean that counts as best: one deviation below the best mean. */
function leadOf(cells: readonly Cell[], percentile: Percentile): number {
  const best = cells.toSorted((a, b) => b.raw[percentile].mean - a.raw[percentile].mean)[0];
  return best ? best.raw[percentile].mean - best.raw[percentile].deviation : Number.POSITIVE_INFINITY;
}

function nullNote(cells: readonly Cell[]): string[] {
  if (!cells.some(({ algorithm }) => isNull(algorithm)))
    return ['no row without a model was run: nemokit bench run --algorithm nulls'];
  const isNoisy = cells.some(({ algorithm }) => algorithm === 'noise');
  return [
    'start: the best visible rows as they are, by the same scorer',
    ...(isNoisy ? ['noise: the same with noise, at this median distance from the data'] : []),
  ];
}

/** Which code the rows are of. */
function versionNote(cells: readonly Cell[]): string[] {
  const versions = unique(cells.map(({ version }) => version)).toSorted(compareVersions);
  if (versions.length < 2) return [];
  const rowsAt = (version: string) =>
    unique(cells.filter((cell) => cell.version === version).map(({ algorithm }) => algorithm)).join(', ');
  return [
    `versions of the algorithms: ${versions.map((version) => `${version} ${rowsAt(version)}`).join('; ')}`,
  ];
}

/** Tables 1 and 2 in the paper's layout: our number, and below it the published one. */
export function paperLayout(cells: readonly Cell[], paper: PaperTables): TextTable[] {
  const ours = (row: string, name: string) =>
    cells.find((cell) => rowName(cell) === row && builtIn.paperNameOf(cell.task) === name);
  // below each algorithm of the paper, our other variants of it: they have no published number
  const rows = Object.keys(paper.tables[100].rows).flatMap((algorithm) => [
    { row: algorithm, published: algorithm },
    ...unique(cells.filter((cell) => cell.algorithm === algorithm).map(rowName))
      .filter((row) => row !== algorithm)
      .map((row) => ({ row, published: null })),
  ]);
  const nulls = rowsOf(cells.filter(({ algorithm }) => isNull(algorithm)));
  const standIns = unique(
    cells
      .filter(({ task }) => builtIn.tasks.get(task)?.paper === null && builtIn.paperNameOf(task) !== null)
      .map(({ task }) => `${builtIn.paperNameOf(task)} is ${task}, a stand-in`),
  );
  return percentileNames.flatMap((percentile) =>
    [paper.tasks.slice(0, 3), paper.tasks.slice(3)].map((names, half) => ({
      title: half === 0 ? paper.tables[percentile].title : `${paper.tables[percentile].title}, robots`,
      notes:
        half === 0
          ? [
              `ours: ${seedsText(cells)}; paper: ${paper.trials} trials. ${paper.source}`,
              ...changedNote(cells),
              ...nullNote(cells),
              ...versionNote(cells),
              ...standIns,
              'Scores of robots compare with the paper in shape, not in value: controllers and recorded designs are ours.',
            ]
          : [],
      head: ['', ...names.flatMap((name) => [`${name}, ours`, 'paper'])],
      rows: [
        ...rows.map(({ row, published }) => ({
          cells: [
            { text: row },
            ...names.flatMap((name) => {
              const cell = ours(row, name);
              return [
                { text: cell ? cellText(cell, 'raw', percentile) : 'not run' },
                { text: published ? (publishedCell(paper, percentile, published, name) ?? '-') : '' },
              ];
            }),
          ],
        })),
        ...nulls.map(({ row, isApart }) => ({
          ...(isApart && { isApart }),
          cells: [
            { text: row },
            ...names.flatMap((name) => {
              const cell = ours(row, name);
              return [{ text: cell ? cellText(cell, 'raw', percentile) : 'not run' }, { text: '' }];
            }),
          ],
        })),
        // measured or recorded, not scored: the paper's line
        ...(percentile === '100'
          ? [
              {
                isApart: true,
                cells: [
                  { text: 'Dataset Max' },
                  ...names.flatMap((name) => {
                    const cell = cells.find(({ task }) => builtIn.paperNameOf(task) === name);
                    return [
                      { text: cell ? numberText(cell.visibleMax, cell.visibleMax) : '' },
                      { text: paper.datasetMax[name] ?? '-' },
                    ];
                  }),
                ],
              },
            ]
          : []),
      ],
    })),
  );
}

/** With a star where options differ from the row's preset. One seed has no deviation. */
function cellText(cell: Cell, scale: TableOptions['scale'], percentile: Percentile): string {
  const spread = cell[scale][percentile];
  const text = cell.seeds.length > 1 ? spreadText(spread) : numberText(spread.mean, spread.mean);
  return `${text}${cell.changed.length > 0 ? ' *' : ''}`;
}

function changedNote(cells: readonly Cell[]): string[] {
  return cells.some(({ changed }) => changed.length > 0)
    ? ["with a star: some options differ from the row's preset (see the records)"]
    : [];
}

function seedsText(cells: readonly Cell[]): string {
  const counts = unique(cells.map(({ seeds }) => seeds.length)).sort((a, b) => a - b);
  const [least = 0] = counts;
  const most = counts.at(-1) ?? 0;
  return least === most ? `${most} seed${most === 1 ? '' : 's'}` : `${least} to ${most} seeds`;
}

/** Four significant digits of the mean, as in the paper. */
export function spreadText({ mean, deviation }: Spread): string {
  return `${numberText(mean, mean)} ± ${numberText(deviation, mean)}`;
}

/** `like`: the number whose size decides the decimals, so that it has so many digits. */
export function numberText(value: number, like: number, digits = 4): string {
  const [, size] = Math.max(Math.abs(like), 1e-3).toExponential().split('e');
  return value.toFixed(Math.max(0, Math.min(4, digits - 1 - Number(size))));
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

/** Tables 1 and 2 of the paper: mean and standard deviation, as printed. */
const printedNumber = z.string().regex(/^\d+(\.\d+)?$/);
const printedCell = z.tuple([printedNumber, printedNumber]).nullable();
const printedTable = z.object({
  title: z.string(),
  rows: z.record(z.string(), z.record(z.string(), printedCell)),
});
const paperSchema = z.object({
  source: z.string(),
  trials: z.number(),
  designs: z.number(),
  tasks: z.array(z.string()),
  datasetMax: z.record(z.string(), printedNumber),
  tables: z.object({ 100: printedTable, 50: printedTable }),
});

export type PaperTables = z.output<typeof paperSchema>;

export async function readPaperTables(): Promise<PaperTables> {
  const file = new URL('../../data/paper-tables.json', import.meta.url);
  return paperSchema.parse(JSON.parse(await readFile(file, 'utf8')));
}

/** "127.0 ± 7.292"; null where the paper prints a dash or has no such cell. */
export function publishedCell(
  { tables }: PaperTables,
  percentile: Percentile,
  algorithm: string,
  task: string,
): string | null {
  return tables[percentile].rows[algorithm]?.[task]?.join(' ± ') ?? null;
}
