/** Sheets of XLSX workbooks, read by read-excel-file after a look at how far their cells reach. */
import { readSheet, SheetNotFoundError } from 'read-excel-file/universal';
import { findLayout, type LayoutOptions, Sample } from './layout.js';
import { addValue } from './records.js';
import { RowSifter } from './rowSifter.js';
import { streamChunks } from './source.js';
import { type Table, TableError } from './table.js';
import { type ReadSettings, TableBuilder, tableFault, type UndecidedColumns } from './tableBuilder.js';

export interface SheetSettings extends ReadSettings, LayoutOptions {
  /** Name, or number counted from 1. */
  readonly sheet?: string | number;
  /** Last row of the table. */
  readonly end?: number;
}

type Sheet = readonly (readonly unknown[])[];

/** The library holds every cell up to the last one in memory. */
const maximumCells = 50_000_000;

/** One sheet of a workbook: the one asked for, or the first that holds a table. Lines are rows of the sheet. */
export async function readXlsx(
  bytes: Uint8Array<ArrayBuffer>,
  settings: SheetSettings,
  maximum: number,
): Promise<Table | UndecidedColumns> {
  const { file } = settings;
  const extent = await sheetExtent(bytes, maximum).catch(() => undefined);
  if (!extent) throw damaged(file);
  if (extent.bytes > maximum)
    throw tableFault(
      file,
      `holds more than ${maximum} bytes when decompressed; raise \`maxBytes\` if that is meant`,
    );
  if (extent.rows > 1_048_576 || extent.columns > 16_384) throw damaged(file);
  if (extent.rows * extent.columns > maximumCells)
    throw tableFault(
      file,
      `its cells reach to row ${extent.rows} and column ${extent.columns}; delete what stands far out, or save it as CSV`,
    );
  const names = sheetsOf(extent.index).map((attributes) => attribute(attributes, 'name') ?? '');
  const open = async (choice: string | number): Promise<Sheet> => {
    try {
      return await readSheet(bytes.slice().buffer, choice);
    } catch (error) {
      if (!(error instanceof SheetNotFoundError)) throw damaged(file);
      const others =
        names.length > 0 ? `; it has ${names.map((name) => JSON.stringify(name)).join(', ')}` : '';
      throw tableFault(file, `the workbook has no sheet ${JSON.stringify(choice)}${others}`);
    }
  };
  let choice = settings.sheet ?? 1;
  let sheet = await open(choice);
  if (settings.sheet === undefined)
    for (let number = 1; number <= names.length; number++) {
      const candidate = number === 1 ? sheet : await open(number);
      if (!holdsTable(candidate, settings)) continue;
      [choice, sheet] = [number, candidate];
      break;
    }
  try {
    const notes =
      settings.sheet === undefined && names.length > 1 ? [sheetNote(names, choice as number)] : [];
    return tableOf(sheet, settings, errorCells(extent, choice), notes);
  } catch (error) {
    if (error instanceof TableError) throw error;
    throw damaged(file);
  }
}

function sheetNote(names: readonly string[], number: number): string {
  const others = names.filter((_, i) => i !== number - 1).map((name) => JSON.stringify(name));
  const shown = others.length > 6 ? [...others.slice(0, 5), `${others.length - 5} more`] : others;
  return `Read from sheet ${JSON.stringify(names[number - 1])}, the first that holds a table; --sheet takes another: ${shown.join(', ')}.`;
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
  notes: readonly string[],
): Table | UndecidedColumns {
  const { file } = settings;
  const { rows: texts, offset } = textRows(sheet);
  const rows = texts.slice(settings.skip ?? 0);
  const layout = findLayout(rows, settings);
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
  return tableFault(file, 'cannot be read as an XLSX workbook; save it again as .xlsx or CSV');
}

const none: ReadonlySet<string> = new Set();

/** Cells of one sheet, by name or number from 1, that hold an error. None if the workbook does not tell its part. */
function errorCells({ errors, index }: SheetExtent, sheet: string | number): ReadonlySet<string> {
  if (errors.size === 0) return none;
  const [path] = [...index].find(([name]) => name.endsWith('workbook.xml')) ?? ['', ''];
  const relations = [...index].find(([name]) => name.endsWith('.rels'))?.[1] ?? '';
  const sheets = sheetsOf(index);
  const found =
    typeof sheet === 'number'
      ? sheets[sheet - 1]
      : sheets.find((attributes) => attribute(attributes, 'name') === sheet);
  const id = attribute(found ?? '', '\\w+:id');
  const relation = [...relations.matchAll(/<(?:\w+:)?Relationship\s([^<>]*)>/g)].find(
    ([, attributes]) => id !== undefined && attribute(attributes!, 'Id') === id,
  );
  const target = attribute(relation?.[1] ?? '', 'Target');
  if (target === undefined) return none;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return errors.get(target.startsWith('/') ? target.slice(1) : folder + target) ?? none;
}

/** Attributes of the sheets of a workbook, in its order. */
function sheetsOf(index: SheetExtent['index']): string[] {
  const book = [...index].find(([name]) => name.endsWith('workbook.xml'))?.[1] ?? '';
  return [...book.matchAll(/<(?:\w+:)?sheet\s([^<>]*)>/g)].map(([, attributes]) => attributes!);
}

function attribute(text: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(text);
  const raw = value?.[1] ?? value?.[2];
  return raw
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}

/** Number of the column, from 0, and of the row, from 1, of a cell such as B7. */
function cellPlace(name: string): { readonly column: number; readonly row: number } {
  const letters = /^[A-Z]+/.exec(name)![0];
  let column = 0;
  for (const letter of letters) column = 26 * column + letter.charCodeAt(0) - 64;
  return { column: column - 1, row: Number(name.slice(letters.length)) };
}

interface SheetExtent {
  /** Bytes of all parts when unpacked. */
  readonly bytes: number;
  /** Largest row and column that a cell of any sheet names. */
  readonly rows: number;
  readonly columns: number;
  /** Names of the cells that hold an error such as #DIV/0!, by part of the ZIP file. */
  readonly errors: ReadonlyMap<string, ReadonlySet<string>>;
  /** The parts that say which sheet is in which part. */
  readonly index: ReadonlyMap<string, string>;
}

/** Cell names such as r="AB12" in a part of a workbook; a longer run of letters than XFD counts as far out. */
const cellName = /\br\s*=\s*["']([A-Za-z]+)(\d+)["']/g;

const cellTag = /<(?:\w+:)?c\s([^<>]*)>/g;
const errorType = /\bt\s*=\s*["']e["']/;

/** Characters kept from one chunk to the next, so that no name is cut. */
const longestName = 64;

/**
 * How far a workbook reaches, before it is given to a reader that makes room for every cell up to the last one.
 * Undefined if the ZIP file has no readable directory (APPNOTE.TXT 4.3.7, 4.3.12, 4.3.16). Stops at `maximum` bytes.
 */
async function sheetExtent(
  bytes: Uint8Array<ArrayBuffer>,
  maximum: number,
): Promise<SheetExtent | undefined> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  const earliest = Math.max(0, end - 65_535);
  while (end >= earliest && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < earliest) return undefined;
  const latin1 = new TextDecoder('latin1');
  const errors = new Map<string, Set<string>>();
  const index = new Map<string, string>();
  const extent = { bytes: 0, rows: 0, columns: 0, errors, index };
  let at = view.getUint32(end + 16, true);
  for (let entry = view.getUint16(end + 10, true); entry > 0; entry--) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) return undefined;
    const method = view.getUint16(at + 10, true);
    const packed = view.getUint32(at + 20, true);
    const local = view.getUint32(at + 42, true);
    if (local + 30 > bytes.length) return undefined;
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const part = bytes.subarray(start, start + packed);
    if (method !== 0 && method !== 8) return undefined;
    // Declared sizes count too: a reader may trust them.
    const declared = view.getUint32(at + 24, true);
    const before = extent.bytes;
    const name = latin1.decode(bytes.subarray(at + 46, at + 46 + view.getUint16(at + 28, true)));
    const partErrors = new Set<string>();
    const isIndex = /workbook\.xml(?:\.rels)?$/.test(name);
    let tail = '';
    for await (const chunk of unpacked(part, method)) {
      extent.bytes += chunk.length;
      if (extent.bytes > maximum) return extent;
      const text = tail + latin1.decode(chunk);
      noteCells(text, extent);
      noteErrors(text, partErrors);
      if (isIndex) index.set(name, (index.get(name) ?? '') + new TextDecoder().decode(chunk));
      tail = text.slice(-longestName);
    }
    if (partErrors.size > 0) errors.set(name, partErrors);
    extent.bytes = Math.max(extent.bytes, before + declared);
    if (extent.bytes > maximum) return extent;
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return extent;
}

async function* unpacked(part: Uint8Array<ArrayBuffer>, method: number): AsyncGenerator<Uint8Array> {
  if (method === 0) {
    yield part;
    return;
  }
  yield* streamChunks(new Blob([part]).stream().pipeThrough(new DecompressionStream('deflate-raw')));
}

function noteCells(text: string, extent: { rows: number; columns: number }): void {
  for (const [, letters, digits] of text.matchAll(cellName)) {
    let column = 0;
    for (const letter of letters!.toUpperCase()) column = 26 * column + letter.charCodeAt(0) - 64;
    extent.columns = Math.max(extent.columns, column);
    extent.rows = Math.max(extent.rows, Number(digits));
  }
}

/** Cells whose type is "e", by name; a tag seen twice counts once. */
function noteErrors(text: string, errors: Set<string>): void {
  if (!errorType.test(text)) return;
  for (const [, attributes] of text.matchAll(cellTag)) {
    if (!errorType.test(attributes!)) continue;
    const name = /\br\s*=\s*["']([A-Za-z]+\d+)["']/.exec(attributes!)?.[1];
    if (name !== undefined) errors.add(name.toUpperCase());
  }
}
