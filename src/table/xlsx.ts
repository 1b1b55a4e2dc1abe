/** Sheets of XLSX workbooks, read by read-excel-file after a look at how far their cells reach. */
import { readSheet, SheetNotFoundError } from 'read-excel-file/universal';
import { findLayout, type LayoutOptions, Sample } from './layout.js';
import { addValue } from './records.js';
import { RowSifter } from './rowSifter.js';
import { type Table, TableError } from './table.js';
import { type ReadSettings, TableBuilder, tableFault, type UndecidedColumns } from './tableBuilder.js';
import {
  cellPlace,
  errorCells,
  type MergedCells,
  mergedCells,
  sheetExtent,
  sheetNames,
} from './workbookParts.js';

export interface SheetSettings extends ReadSettings, LayoutOptions {
  /** Name, or number counted from 1. */
  readonly sheet?: string | number;
  /** Last row of the table. */
  readonly end?: number;
}

type Sheet = readonly (readonly unknown[])[];

/** The library holds every cell up to the last one in memory. */
const maximumCells = 50_000_000;
/** And the text of a sheet as one string, of which an engine has 2^29 characters at most. */
const mostUnpacked = 500_000_000;

/** One sheet of a workbook: the one asked for, or the first that holds a table. Lines are rows of the sheet. */
export async function readXlsx(
  bytes: Uint8Array<ArrayBuffer>,
  settings: SheetSettings,
  maximum: number,
): Promise<Table | UndecidedColumns> {
  const { file } = settings;
  const most = Math.min(maximum, mostUnpacked);
  const extent = await sheetExtent(bytes, most).catch(() => undefined);
  if (!extent) throw damaged(file);
  if (extent.bytes > most)
    throw tableFault(
      file,
      most < maximum
        ? `holds more than ${most} bytes when decompressed, too much for a workbook; save the sheet as CSV`
        : `holds more than ${most} bytes when decompressed; raise \`maxBytes\` if that is meant`,
    );
  if (extent.rows > 1_048_576 || extent.columns > 16_384) throw damaged(file);
  if (extent.rows * extent.columns > maximumCells)
    throw tableFault(
      file,
      `its cells reach to row ${extent.rows} and column ${extent.columns}; delete what stands far out, or save it as CSV`,
    );
  const names = sheetNames(extent);
  const open = async (choice: string | number): Promise<Sheet> => {
    try {
      return unmerged(await readSheet(bytes.slice().buffer, choice), mergedCells(extent, choice));
    } catch (error) {
      if (!(error instanceof SheetNotFoundError)) throw damaged(file);
      const others =
        names.length > 0 ? `; it has ${names.map((name) => JSON.stringify(name)).join(', ')}` : '';
      throw tableFault(file, `the workbook has no sheet ${JSON.stringify(choice)}${others}`);
    }
  };
  let choice = settings.sheet ?? 1;
  let sheet = await open(choice);
  let isTable = false;
  if (settings.sheet === undefined)
    for (let number = 1; number <= names.length; number++) {
      const candidate = number === 1 ? sheet : await open(number);
      if (!holdsTable(candidate, settings)) continue;
      [choice, sheet, isTable] = [number, candidate, true];
      break;
    }
  try {
    const notes =
      settings.sheet === undefined && names.length > 1 ? [sheetNote(names, choice as number, isTable)] : [];
    return tableOf(sheet, settings, errorCells(extent, choice), mergedCells(extent, choice), notes);
  } catch (error) {
    if (error instanceof TableError) throw error;
    throw damaged(file);
  }
}

/**
 * A workbook keeps the value of merged cells in the first of them. Merged downwards, it is that of every row; merged to
 * the right beside other cells, the name of a group of columns. Alone in its row it is a title, and stays one.
 */
function unmerged(sheet: Sheet, merges: readonly MergedCells[]): Sheet {
  if (merges.length === 0) return sheet;
  const rows = sheet.map((row) => [...row]);
  // ranges of a sound file do not overlap
  let room = maximumCells;
  for (const { left, right, top, bottom } of merges) {
    const value = rows[top - 1]?.[left];
    const isTitle =
      right > left && !rows[top - 1]?.some((cell, j) => (j < left || j > right) && isFilled(cell));
    if (!isFilled(value) || isTitle) continue;
    for (const row of rows.slice(top - 1, bottom)) {
      const last = Math.min(right, row.length - 1);
      room -= last - left + 1;
      for (let column = left; column <= last; column++) row[column] ??= value;
    }
    if (room < 0) break;
  }
  return rows;
}

/** Which columns have cells that are merged downwards, among the rows of the table. */
function mergeNotes(
  names: readonly string[],
  firstRow: number,
  offset: number,
  merges: readonly MergedCells[],
): string[] {
  const below = merges.filter(({ top, bottom }) => top >= firstRow && bottom > top);
  const columns = [...new Set(below.map(({ left }) => left - offset))].sort((a, b) => a - b);
  return columns.flatMap((column) =>
    names[column] === undefined
      ? []
      : [`Merged cells of column "${names[column]}" count for each of their rows.`],
  );
}

function sheetNote(names: readonly string[], number: number, isTable: boolean): string {
  const others = names.filter((_, i) => i !== number - 1).map((name) => JSON.stringify(name));
  const shown = others.length > 6 ? [...others.slice(0, 5), `${others.length - 5} more`] : others;
  const why = isTable ? ', the first that holds a table' : '';
  return `Read from sheet ${JSON.stringify(names[number - 1])}${why}; --sheet takes another: ${shown.join(', ')}.`;
}

/** Cells as texts, from the first column that has any up to the last. */
function textRows(sheet: Sheet): {
  readonly rows: { cells: string[]; line: number }[];
  readonly offset: number;
} {
  let width = 0;
  let offset = Number.POSITIVE_INFINITY;
  for (const row of sheet) {
    const first = row.findIndex(isFilled);
    if (first >= 0) offset = Math.min(offset, first);
    width = Math.max(width, row.findLastIndex(isFilled) + 1);
  }
  const rows = sheet.map((row, i) => ({
    cells: Array.from({ length: Math.max(0, width - offset) }, (_, j) => cellText(row[offset + j])),
    line: i + 1,
  }));
  return { rows, offset };
}

function cellText(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, 10);
  return value === null || value === undefined ? '' : String(value).trim();
}

/** Names above two rows or more, half full, with a column of numbers: what a cover sheet does not have. */
function holdsTable(sheet: Sheet, settings: SheetSettings): boolean {
  const rows = textRows(sheet.slice(0, 300)).rows.slice(settings.skip ?? 0);
  const layout = findLayout(rows, settings);
  if (!layout || layout.names.length < 2) return false;
  const body = rows.slice(layout.from).filter(({ cells }) => cells.some((cell) => cell !== ''));
  const filled = body.reduce((sum, { cells }) => sum + cells.filter((cell) => cell !== '').length, 0);
  const isFull = filled >= 0.5 * body.length * layout.names.length;
  const hasNames =
    layout.headers.length > 0 ||
    settings.names !== undefined ||
    settings.header === false ||
    layout.names.length > 2;
  return (
    body.length >= 2 &&
    isFull &&
    hasNames &&
    new Sample(rows).numeric(layout.from, layout.names.length).length > 0
  );
}

function tableOf(
  sheet: Sheet,
  settings: SheetSettings,
  errors: ReadonlySet<string>,
  merges: readonly MergedCells[],
  notes: readonly string[],
): Table | UndecidedColumns {
  const { file } = settings;
  const { rows: texts, offset } = textRows(sheet);
  const rows = texts.slice(settings.skip ?? 0);
  const layout = findLayout(rows, { ...settings, ...(merges.length > 0 && { hasMerges: true }) });
  if (!layout) throw tableFault(file, 'the sheet is empty; choose another with `sheet`');
  const { names, units, line, from, headers } = layout;
  const table = new TableBuilder(settings, names, line);
  table.columns.forEach((column, j) => {
    column.unit = units[j];
  });
  const sifter = new RowSifter<readonly unknown[]>(
    headers,
    names.length,
    settings.end,
    layout.isFirstNumeric,
    ({ line, payload }) => {
      table.startRow(line);
      table.columns.forEach((column, j) => {
        if (!addValue(column, payload[offset + j]))
          throw tableFault(file, 'holds no number or text', line, column.name);
      });
    },
  );
  let emptyRows = 0;
  for (const { cells, line } of rows.slice(from)) {
    if (cells.some((cell) => cell !== '')) sifter.add({ cells, line, payload: sheet[line - 1]! });
    else {
      emptyRows++;
      sifter.blank();
    }
  }
  for (const note of [...notes, ...layout.notes]) table.notes.push(note);
  if (emptyRows > 0)
    table.notes.push(`${emptyRows} row${emptyRows > 1 ? 's' : ''} without any value left out.`);
  for (const note of sifter.finish()) table.notes.push(note);
  for (const note of mergeNotes(names, rows[from]?.line ?? 0, offset, merges)) table.notes.push(note);
  for (const note of errorNotes(names, rows[from - 1]?.line ?? 0, offset, errors)) table.notes.push(note);
  return table.finish();
}

/** How many cells of each column held an error, and which was the first. */
function errorNotes(
  names: readonly string[],
  headerRow: number,
  offset: number,
  errors: ReadonlySet<string>,
): string[] {
  const counts = new Map<number, { count: number; first: string; row: number }>();
  for (const name of errors) {
    const { column: absolute, row } = cellPlace(name);
    const column = absolute - offset;
    if (row <= headerRow || column < 0 || column >= names.length) continue;
    const found = counts.get(column) ?? { count: 0, first: name, row };
    found.count++;
    if (row < found.row) Object.assign(found, { first: name, row });
    counts.set(column, found);
  }
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([column, { count, first }]) => {
      const what =
        count === 1
          ? `an error (${first}), which counts as`
          : `${count} errors (first ${first}), which count as`;
      return `Column "${names[column]}" has ${what} missing.`;
    });
}

function isFilled(value: unknown): boolean {
  return value !== null && value !== undefined && !(typeof value === 'string' && value.trim() === '');
}

function damaged(file: string): TableError {
  return tableFault(
    file,
    'cannot be read as an XLSX workbook; copy or download it again, or save it as .xlsx or CSV',
  );
}
