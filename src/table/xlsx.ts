import { readSheet, SheetNotFoundError } from 'read-excel-file/universal';
import { addValue } from './records.js';
import { cellPlace, errorCells } from './sheetErrors.js';
import { sheetExtent } from './sheetExtent.js';
import { type Table, TableError } from './table.js';
import { type ReadSettings, TableBuilder, tableFault, type UnsettledColumns } from './tableBuilder.js';

export interface SheetSettings extends ReadSettings {
  /** Name, or number counted from 1. */
  readonly sheet?: string | number;
}

/** The library holds every cell up to the last one in memory. */
const maximumCells = 50_000_000;

/** One sheet of a workbook, its first filled row the header. Lines are rows of the sheet. */
export async function readXlsx(
  bytes: Uint8Array<ArrayBuffer>,
  settings: SheetSettings,
  maximum: number,
): Promise<Table | UnsettledColumns> {
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
  let sheet: readonly (readonly unknown[])[];
  try {
    sheet = await readSheet(bytes.slice().buffer, settings.sheet ?? 1);
  } catch (error) {
    if (error instanceof SheetNotFoundError)
      throw tableFault(file, `the workbook has no sheet ${JSON.stringify(settings.sheet ?? 1)}`);
    throw damaged(file);
  }
  try {
    return tableOf(sheet, settings, errorCells(extent, settings.sheet ?? 1));
  } catch (error) {
    if (error instanceof TableError) throw error;
    throw damaged(file);
  }
}

function tableOf(
  sheet: readonly (readonly unknown[])[],
  settings: SheetSettings,
  errors: ReadonlySet<string>,
): Table | UnsettledColumns {
  const { file } = settings;
  const headerRow = sheet.findIndex((row) => row.some(isFilled));
  const header = sheet[headerRow];
  if (!header) throw tableFault(file, 'the sheet is empty; choose another with `sheet`');
  let width = 0;
  for (const row of sheet) width = Math.max(width, row.findLastIndex(isFilled) + 1);
  const names = Array.from({ length: width }, (_, j) => String(header[j] ?? '').trim());
  const table = new TableBuilder(settings, names, headerRow + 1);
  let emptyRows = 0;
  for (let i = headerRow + 1; i < sheet.length; i++) {
    const row = sheet[i]!;
    if (!row.some(isFilled)) {
      emptyRows++;
      continue;
    }
    table.startRow(i + 1);
    table.columns.forEach((column, j) => {
      if (!addValue(column, row[j])) throw tableFault(file, 'holds no number or text', i + 1, column.name);
    });
  }
  if (emptyRows > 0)
    table.notes.push(`${emptyRows} row${emptyRows > 1 ? 's' : ''} without any value left out.`);
  table.notes.push(...errorNotes(names, headerRow + 1, errors));
  return table.finish();
}

/** How many cells of each column held an error, and which was the first. */
function errorNotes(names: readonly string[], headerRow: number, errors: ReadonlySet<string>): string[] {
  const counts = new Map<number, { count: number; first: string; row: number }>();
  for (const name of errors) {
    const { column, row } = cellPlace(name);
    if (row <= headerRow || column >= names.length) continue;
    const own = counts.get(column) ?? { count: 0, first: name, row };
    own.count++;
    if (row < own.row) Object.assign(own, { first: name, row });
    counts.set(column, own);
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
