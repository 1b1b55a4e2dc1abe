/** The parts of an XLSX workbook, looked at before its cells are read: names, extent, errors, merged cells. */
import { crc32 } from './crc32.js';
import { streamChunks } from './source.js';

const none: ReadonlySet<string> = new Set();

/** Cells of one sheet, by name or number from 1, that hold an error. None if the workbook does not tell its part. */
export function errorCells(extent: SheetExtent, sheet: string | number): ReadonlySet<string> {
  return extent.errors.size === 0 ? none : (extent.errors.get(partOf(extent, sheet)) ?? none);
}

/** Cells that are merged into one, from the first to the last. Columns count from 0, rows from 1. */
export interface MergedCells {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export function mergedCells(extent: SheetExtent, sheet: string | number): MergedCells[] {
  const ranges = extent.merges.size === 0 ? none : (extent.merges.get(partOf(extent, sheet)) ?? none);
  return Array.from(ranges, (range) => {
    const [first, last] = range.split(':').map(cellPlace);
    return { left: first!.column, right: last!.column, top: first!.row, bottom: last!.row };
  });
}

/** The part of the ZIP file that holds a sheet; empty if the workbook does not tell. */
function partOf({ index }: SheetExtent, sheet: string | number): string {
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
  if (target === undefined) return '';
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return target.startsWith('/') ? target.slice(1) : folder + target;
}

/** Attributes of the sheets of a workbook, in its order. */
function sheetsOf(index: SheetExtent['index']): string[] {
  const book = [...index].find(([name]) => name.endsWith('workbook.xml'))?.[1] ?? '';
  return [...book.matchAll(/<(?:\w+:)?sheet\s([^<>]*)>/g)].map(([, attributes]) => attributes!);
}

/** Names of the sheets of a workbook, in its order. */
export function sheetNames({ index }: Pick<SheetExtent, 'index'>): string[] {
  return sheetsOf(index).map((attributes) => attribute(attributes, 'name') ?? '');
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
export function cellPlace(name: string): { readonly column: number; readonly row: number } {
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
  /** Ranges of merged cells such as A1:C1, by part. */
  readonly merges: ReadonlyMap<string, ReadonlySet<string>>;
  /** The parts that say which sheet is in which part. */
  readonly index: ReadonlyMap<string, string>;
}

/** Cell names such as r="AB12" in a part of a workbook; a longer run of letters than XFD counts as far out. */
const cellName = /\br\s*=\s*["']([A-Za-z]+)(\d+)["']/g;

const cellTag = /<(?:\w+:)?c\s([^<>]*)>/g;
const mergeTag = /<(?:\w+:)?mergeCell\s[^<>]*?\bref\s*=\s*["']([A-Z]{1,3}\d{1,7}:[A-Z]{1,3}\d{1,7})["']/g;
const errorType = /\bt\s*=\s*["']e["']/;

/** Characters kept from one chunk to the next, so that no name is cut. */
const longestName = 96;

/**
 * How far a workbook reaches, before it is given to a reader that makes room for every cell up to the last one.
 * Undefined if the ZIP file has no readable directory (APPNOTE.TXT 4.3.7, 4.3.12, 4.3.16), or a part differs from its
 * checksum. Stops at `maximum` bytes.
 */
export async function sheetExtent(
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
  const merges = new Map<string, Set<string>>();
  const index = new Map<string, string>();
  const extent = { bytes: 0, rows: 0, columns: 0, errors, merges, index };
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
    const partMerges = new Set<string>();
    const isIndex = /workbook\.xml(?:\.rels)?$/.test(name);
    let tail = '';
    let checksum = 0;
    for await (const chunk of unpacked(part, method)) {
      extent.bytes += chunk.length;
      if (extent.bytes > maximum) return extent;
      checksum = crc32(chunk, checksum);
      const text = tail + latin1.decode(chunk);
      noteCells(text, extent);
      noteErrors(text, partErrors);
      if (text.includes('mergeCell')) for (const [, range] of text.matchAll(mergeTag)) partMerges.add(range!);
      if (isIndex) index.set(name, (index.get(name) ?? '') + new TextDecoder().decode(chunk));
      tail = text.slice(-longestName);
    }
    // readers of workbooks do not compare it
    if (checksum !== view.getUint32(at + 16, true)) return undefined;
    if (partErrors.size > 0) errors.set(name, partErrors);
    if (partMerges.size > 0) merges.set(name, partMerges);
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
