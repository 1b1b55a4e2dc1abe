// What the tests of the reader share: text to bytes, columns to plain arrays, a workbook written by hand.
import { crc32, deflateRawSync } from 'node:zlib';
import { type ReadOptions, readTable } from '../../src/table/readTable.js';
import { type Table, TableError } from '../../src/table/table.js';

export const utf8 = (text: string) => new TextEncoder().encode(text);

export const read = (text: string, options: ReadOptions = {}) =>
  readTable(utf8(text), { name: 'a.csv', ...options });

/** Numbers, or texts with null for missing. */
export function cells(table: Table, name: string): (number | string | null)[] {
  const column = table.columns.find((candidate) => candidate.name === name);
  if (!column) throw new Error(`no column ${name}`);
  if (column.kind === 'number')
    return Array.from(column.values, (value) => (Number.isNaN(value) ? null : value));
  return Array.from(column.codes, (code) => (code < 0 ? null : column.levels[code]!));
}

export async function faultOf(reading: Promise<unknown>): Promise<TableError> {
  try {
    await reading;
  } catch (error) {
    if (error instanceof TableError) return error;
    throw error;
  }
  throw new Error('nothing was wrong');
}

/** A ZIP of stored or deflated entries (APPNOTE.TXT 4.3.7, 4.3.12, 4.3.16). */
export function zip(files: Readonly<Record<string, string>>, isDeflated = false): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const plain = Buffer.from(text);
    const data = isDeflated ? deflateRawSync(plain) : plain;
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(isDeflated ? 8 : 0, 4);
    shared.writeUInt32LE(crc32(plain), 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(plain.length, 18);
    shared.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), shared, Buffer.from(name), data);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, tail, Buffer.from(name));
    offset += 30 + name.length + data.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Uint8Array.from(Buffer.concat([...parts, central, end]));
}

export type SheetCell = number | string | boolean | null;

type Sheets = Readonly<Record<string, readonly (readonly SheetCell[])[]>>;

/** Ranges of merged cells such as A1:C1, by sheet. */
type Merges = Readonly<Record<string, readonly string[]>>;

export const workbook = (sheets: Sheets, merges: Merges = {}) => zip(workbookParts(sheets, merges));

/** The smallest workbook that spreadsheets open: inline texts, no styles. */
export function workbookParts(sheets: Sheets, merges: Merges = {}): Record<string, string> {
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
  const content = 'http://schemas.openxmlformats.org/package/2006/content-types';
  const names = Object.keys(sheets);
  const cell = (value: SheetCell, row: number, column: number) => {
    const at = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
    if (value === null) return '';
    if (typeof value === 'number') return `<c ${at}><v>${value}</v></c>`;
    if (typeof value === 'boolean') return `<c ${at} t="b"><v>${value ? 1 : 0}</v></c>`;
    return `<c ${at} t="inlineStr"><is><t>${value.replaceAll('<', '&lt;')}</t></is></c>`;
  };
  const files: Record<string, string> = {
    '[Content_Types].xml': `${head}<Types xmlns="${content}"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names
      .map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${relations}">${names
      .map(
        (_, i) =>
          `<Relationship Id="rId${i + 1}" Type="${office}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
      )
      .join('')}</Relationships>`,
  };
  Object.entries(sheets).forEach(([name, rows], i) => {
    const body = rows.map(
      (row, r) => `<row r="${r + 1}">${row.map((value, c) => cell(value, r, c)).join('')}</row>`,
    );
    const ranges = (merges[name] ?? []).map((range) => `<mergeCell ref="${range}"/>`).join('');
    const merged = ranges === '' ? '' : `<mergeCells>${ranges}</mergeCells>`;
    files[`xl/worksheets/sheet${i + 1}.xml`] =
      `${head}<worksheet xmlns="${main}"><sheetData>${body.join('')}</sheetData>${merged}</worksheet>`;
  });
  return files;
}
