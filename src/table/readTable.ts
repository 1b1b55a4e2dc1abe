import { ArgumentError } from '../numeric/errors.js';
import type { DecimalMark } from './cellText.js';
import { type DelimitedSettings, readDelimited } from './delimited.js';
import { readRecords, type TableRecord } from './records.js';
import { type ByteSource, collect, gunzip, type Input, inputOf, type Peeked, peek } from './source.js';
import { type Table, TableError } from './table.js';
import { tableFault, UndecidedColumns } from './tableBuilder.js';
import { decodeText, type TextEncoding, textEncodings } from './textEncoding.js';

export type { ByteSource } from './source.js';

/** How to read a table. What is absent is found from its first lines. */
export interface ReadOptions {
  /** What to call the table in messages; default: the name of a `File`, else "table". */
  readonly name?: string;
  /** Default: found from the first lines, among comma, semicolon, tab, vertical bar and, last, runs of spaces (" "). */
  readonly delimiter?: string;
  /** Default: `"`, or `'` where cells are quoted so. */
  readonly quote?: string;
  /** Default: found, column by column. */
  readonly decimal?: DecimalMark;
  /** Default: UTF-8 or UTF-16, found; Latin-1 if neither. */
  readonly encoding?: TextEncoding;
  /** Texts that stand for a missing cell, case aside; default `defaultMissing`. The empty cell always does. */
  readonly missing?: readonly string[];
  /** Columns whose cells stay as they are written. */
  readonly text?: readonly string[];
  /** Whether the first line of the table holds the names of the columns. Default: found. */
  readonly header?: boolean;
  /** Names of the columns of a file without a header line. */
  readonly names?: readonly string[];
  /** Lines of the file, or rows of the sheet, above the table. Default: found. */
  readonly skip?: number;
  /** Last line of the table; below it, nothing is read. Default: found. */
  readonly end?: number;
  /** Whether the line below the header holds units. Default: found. */
  readonly unitsRow?: boolean;
  /** Sheet of a workbook, by name or by number from 1; default: the first that holds a table. */
  readonly sheet?: string | number;
  /** Most bytes to unpack from .gz, Parquet and XLSX; default 2e9. */
  readonly maxBytes?: number;
}

/**
 * Reads CSV and its relatives, Parquet, XLSX, `.gz` of these, or an array of objects. What the bytes are is found from
 * the bytes, not from a name. Faults of the input are `TableError`s.
 *
 *     const table = await readTable(new TextEncoder().encode('temp,yield\n20,3.1\n'));
 */
export async function readTable(
  source: ByteSource | readonly TableRecord[],
  options: ReadOptions = {},
): Promise<Table> {
  checkOptions(options);
  if (Array.isArray(source)) {
    const { name = 'table', ...rest } = options;
    return readRecords(source, { ...rest, file: name });
  }
  const bytes = source as ByteSource;
  if (!isByteSource(bytes))
    throw new ArgumentError(
      'source',
      'source is bytes, a File or Blob, chunks of bytes or an array of objects; a path is for readTableFile',
    );
  const given = 'name' in bytes && typeof bytes.name === 'string' && bytes.name !== '' ? bytes.name : 'table';
  return readInput(inputOf(bytes), options.name ?? given, options);
}

function isByteSource(source: unknown): source is ByteSource {
  if (typeof source !== 'object' || source === null) return false;
  return (
    source instanceof Uint8Array ||
    source instanceof ArrayBuffer ||
    source instanceof ReadableStream ||
    Symbol.asyncIterator in source ||
    ('arrayBuffer' in source && typeof source.arrayBuffer === 'function')
  );
}

/** For the platform files, which bring their own sources. */
export async function readInput(input: Input, file: string, options: ReadOptions): Promise<Table> {
  checkOptions(options);
  try {
    let result = await readOnce(input, { ...options, file }, options);
    if (result instanceof UndecidedColumns && input.isRepeatable)
      result = await readOnce(input, { ...options, file, undecided: result.names }, options);
    if (result instanceof UndecidedColumns) throw result.fault;
    return result;
  } catch (error) {
    if (error instanceof TableError) throw error;
    if (error instanceof RangeError) throw tableFault(file, 'is too large for the memory of this machine');
    throw tableFault(file, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function readOnce(
  input: Input,
  settings: DelimitedSettings,
  options: ReadOptions,
): Promise<Table | UndecidedColumns> {
  const { file } = settings;
  const maximum = options.maxBytes ?? 2e9;
  const opened = await peek(input.open(), 4096);
  try {
    if (!startsWith(opened.head, gzipSignature)) return await readPeeked(opened, settings, options, maximum);
    const inner = await peek(gunzip(opened.chunks, file, maximum), 4096);
    try {
      if (startsWith(inner.head, gzipSignature))
        throw tableFault(file, 'is compressed twice; unpack it once');
      return await readPeeked(inner, settings, options, maximum);
    } finally {
      inner.close();
    }
  } finally {
    opened.close();
  }
}

async function readPeeked(
  { head, chunks }: Peeked,
  settings: DelimitedSettings,
  options: ReadOptions,
  maximum: number,
): Promise<Table | UndecidedColumns> {
  const { file } = settings;
  const notes: string[] = [];
  if (head.length === 0) throw tableFault(file, 'is empty; is this the right file?');
  // readers of packed formats are loaded for the files that need them
  if (startsWith(head, ascii('PAR1'))) {
    const { readParquet } = await import('./parquet.js');
    return readParquet(await collect(chunks, file, maximum), settings, maximum);
  }
  if (startsWith(head, ascii('PK\x03\x04'))) {
    const { readXlsx } = await import('./xlsx.js');
    return readXlsx(await collect(chunks, file, maximum), { ...settings, ...sheetOf(options) }, maximum);
  }
  for (const [kind, signature] of foreign)
    if (startsWith(head, signature))
      throw tableFault(file, `is ${kind}; save the table as CSV, XLSX or Parquet`);
  return readDelimited(decodeText(chunks, head, file, notes, options.encoding), settings, notes);
}

const gzipSignature = [0x1f, 0x8b];

/** First bytes of files that people mistake for tables. */
const foreign: readonly (readonly [kind: string, signature: readonly number[]])[] = [
  ['an old Excel or Word file', [0xd0, 0xcf, 0x11, 0xe0]],
  ['a PDF', ascii('%PDF-')],
  ['a picture', [0x89, 0x50, 0x4e, 0x47]],
  ['a web page', ascii('<!DOCTYPE html')],
  ['a web page', ascii('<!doctype html')],
  ['a web page', ascii('<html')],
  ['XML', ascii('<?xml')],
  ['formatted text (RTF)', ascii('{\\rtf')],
  ['a database', ascii('SQLite format 3')],
  ['JSON', ascii('[{"')],
  ['JSON', ascii('{"')],
  ['an XZ archive', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['a Zstandard archive', [0x28, 0xb5, 0x2f, 0xfd]],
  ['a bzip2 archive', ascii('BZh')],
  ['an Arrow or Feather file', ascii('ARROW1')],
  ['UTF-32 text', [0xff, 0xfe, 0, 0]],
];

function ascii(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0));
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, i) => bytes[i] === byte);
}

function sheetOf({ sheet }: ReadOptions): { readonly sheet?: string | number } {
  return sheet === undefined ? {} : { sheet };
}

function checkOptions(options: ReadOptions): void {
  const { delimiter, quote, decimal, encoding, sheet, maxBytes, header, names, skip, end } = options;
  if (skip !== undefined && !(Number.isInteger(skip) && skip >= 0))
    throw new ArgumentError('skip', `skip is a whole number of lines, not ${skip}`);
  if (end !== undefined && !(Number.isInteger(end) && end >= 1))
    throw new ArgumentError('end', `end is the number of a line, not ${end}`);
  if (names !== undefined && header === true)
    throw new ArgumentError(
      'names',
      'names are for a table without a header; skip the header line to replace it',
    );

  if (delimiter !== undefined && (delimiter.length !== 1 || /["\r\n\ufeff]/.test(delimiter)))
    throw new ArgumentError(
      'delimiter',
      `delimiter is one character such as "," or ";", not ${JSON.stringify(delimiter.slice(0, 40))}`,
    );
  if (quote !== undefined && (quote.length !== 1 || quote === delimiter))
    throw new ArgumentError(
      'quote',
      `quote is one character other than the delimiter, not ${JSON.stringify(quote)}`,
    );
  if (decimal !== undefined && decimal !== '.' && decimal !== ',')
    throw new ArgumentError('decimal', `decimal is "." or ",", not ${JSON.stringify(decimal)}`);
  if (encoding !== undefined && !textEncodings.includes(encoding))
    throw new ArgumentError(
      'encoding',
      `encoding is one of ${textEncodings.join(', ')}, not ${JSON.stringify(encoding)}`,
    );
  if (typeof sheet === 'number' && !(Number.isInteger(sheet) && sheet >= 1))
    throw new ArgumentError('sheet', `sheet is a name or a whole number from 1, not ${sheet}`);
  if (maxBytes !== undefined && !(maxBytes > 0))
    throw new ArgumentError('maxBytes', `maxBytes is a positive number of bytes, not ${maxBytes}`);
}
