import Papa from 'papaparse';
import { quickNumber } from './cellText.js';
import {
  delimiterNames,
  detectDelimiter,
  detectQuote,
  readPreamble,
  SpacedParser,
  splitSpaced,
} from './dialect.js';
import { findLayout, type LayoutOptions } from './layout.js';
import { RowSifter, type SiftedRow } from './rowSifter.js';
import type { Table } from './table.js';
import { type ReadSettings, TableBuilder, tableFault, type UndecidedColumns } from './tableBuilder.js';

export interface DelimitedSettings extends ReadSettings, LayoutOptions {
  readonly delimiter?: string;
  readonly quote?: string;
  /** Last line of the table. */
  readonly end?: number;
}

/** Characters of one row; a longer one is a missing line end or a quote that nobody closed. */
const maximumRow = 4_000_000;

/** Rows from which the header is found. */
const layoutRows = 200;

/** Characters from which the delimiter is found. */
const sampleCharacters = 100_000;

interface Parsed {
  readonly data: string[][];
  readonly errors: readonly { readonly code: string; readonly row: number }[];
  readonly meta: { readonly cursor: number };
}

/** A table from text in pieces, each row parsed once and let go. */
export async function readDelimited(
  texts: AsyncIterable<string>,
  settings: DelimitedSettings,
  notes: string[],
): Promise<Table | UndecidedColumns> {
  const { file } = settings;
  let rows: RowReader | undefined;
  let pending = '';
  for await (const text of texts) {
    pending += text;
    if (!rows && pending.length < sampleCharacters) continue;
    rows ??= openRows(pending, false, settings, notes);
    if (!rows) {
      if (pending.length > maximumRow) throw longLine(file, 1);
      continue;
    }
    rows.add(rows.isStarted ? text : pending);
    pending = '';
  }
  rows ??= openRows(pending, true, settings, notes);
  if (!rows) throw tableFault(file, 'is empty; is this the right file?');
  if (!rows.isStarted) rows.add(pending);
  return rows.finish();
}

function openRows(
  text: string,
  isEnd: boolean,
  settings: DelimitedSettings,
  notes: string[],
): RowReader | undefined {
  const preamble = readPreamble(text, isEnd, settings.skip);
  if (!preamble) return undefined;
  const { file } = settings;
  const body = text.slice(preamble.characters);
  if (body.trim() === '')
    throw tableFault(
      file,
      preamble.comments > 0 ? 'holds nothing but comments' : 'is empty; is this the right file?',
    );
  const lastLine = body.lastIndexOf('\n', sampleCharacters);
  const sample =
    isEnd && body.length <= sampleCharacters
      ? body
      : body.slice(0, lastLine < 0 ? sampleCharacters : lastLine);
  const quote = settings.quote ?? detectQuote(sample);
  const delimiter = settings.delimiter ?? preamble.delimiter ?? detectDelimiter(sample, quote);
  if (preamble.comments > 0)
    notes.push(
      `${preamble.comments} comment line${preamble.comments > 1 ? 's' : ''} before the header skipped.`,
    );
  notes.push(`Cells are separated by ${delimiterNames[delimiter] ?? `"${delimiter}"`}.`);
  if (quote !== '"') notes.push(`Texts are quoted with ${quote}.`);
  const { comment } = preamble;
  const names = delimiter === ' ' ? splitSpaced(comment ?? '', quote) : comment?.split(delimiter);
  const told = comment === undefined || !names ? {} : { comment: names.map((name) => name.trim()) };
  return new RowReader({ ...settings, ...told }, { delimiter, quote }, preamble, notes);
}

function longLine(file: string, line: number) {
  return tableFault(
    file,
    `a row of more than ${maximumRow} characters begins here; is a line end or a closing quote missing?`,
    line,
  );
}

class RowReader {
  isStarted = false;
  readonly #parser: { parse(input: string, baseIndex: number, ignoreLastRow: boolean): Parsed };
  #table: TableBuilder | undefined;
  #sifter: RowSifter<readonly string[]> | undefined;
  /** The first rows, until the layout is found from them. */
  #head: { readonly row: readonly string[]; readonly line: number }[] = [];
  /** Cells of a row, those behind the last column included. */
  #width = 0;
  #pending = '';
  #line: number;
  #skip: number;
  /** Do not parse again before so much is there: a row longer than its piece would be parsed once per piece. */
  #enough = 0;
  #emptyRows = 0;

  constructor(
    private readonly settings: DelimitedSettings,
    private readonly dialect: { readonly delimiter: string; readonly quote: string },
    preamble: { readonly lines: number; readonly characters: number },
    private readonly notes: string[],
  ) {
    this.#parser =
      dialect.delimiter === ' '
        ? new SpacedParser(dialect.quote)
        : new Papa.Parser({ delimiter: dialect.delimiter, quoteChar: dialect.quote, newline: '\n' });
    this.#line = preamble.lines + 1;
    this.#skip = preamble.characters;
  }

  add(text: string): void {
    this.isStarted = true;
    this.#pending += this.#skip > 0 ? text.slice(this.#skip) : text;
    this.#skip = 0;
    if (this.#pending.length < this.#enough) return;
    this.#parse(false);
    if (this.#pending.length > maximumRow) throw longLine(this.settings.file, this.#line);
    this.#enough = 2 * this.#pending.length;
  }

  finish(): Table | UndecidedColumns {
    // Ctrl-Z ended files once.
    if (this.#pending.endsWith('\u001a')) this.#pending = this.#pending.slice(0, -1);
    if (this.#pending.length > maximumRow && this.#pending.indexOf('\n') < 0)
      throw longLine(this.settings.file, this.#line);
    if (this.#pending !== '') this.#parse(true);
    if (!this.#table) this.#begin();
    const table = this.#table;
    if (!table) throw tableFault(this.settings.file, 'is empty; is this the right file?');
    const empty = this.#emptyRows;
    const left = this.#sifter!.finish();
    for (const note of this.notes) table.notes.push(note);
    for (const note of left) table.notes.push(note);
    if (empty > 0) table.notes.push(`${empty} row${empty > 1 ? 's' : ''} without any value left out.`);
    return table.finish();
  }

  /** Finds the header among the first rows, and takes those below it. */
  #begin(): void {
    const head = this.#head;
    this.#head = [];
    const rows = head.map(({ row, line }) => ({ cells: row.map((cell) => cell.trim()), line }));
    const layout = findLayout(rows, this.settings);
    if (!layout) return;
    const { names, units, line, from, headers, extra } = layout;
    const table = new TableBuilder(this.settings, names, line);
    // Semicolons are what spreadsheets write where the comma is the decimal mark.
    table.ambiguousDecimal = this.dialect.delimiter === ';' ? ',' : '.';
    const { delimiter, quote } = this.dialect;
    table.dialect = { delimiter, ...(quote !== '"' && { quote }) };
    table.columns.forEach((column, j) => {
      column.unit = units[j];
    });
    for (const note of layout.notes) this.notes.push(note);
    this.#table = table;
    this.#width = names.length + extra;
    const { end } = this.settings;
    this.#sifter = new RowSifter(headers, this.#width, end, layout.isFirstNumeric, (row) => this.#take(row));
    for (const { row, line } of head.slice(from)) this.#addRow(row, line);
  }

  #parse(isEnd: boolean): void {
    const { data, errors, meta } = this.#parser.parse(this.#pending, 0, !isEnd);
    const hasQuotes = this.#pending.includes(this.dialect.quote);
    const broken = errors.find(({ row }) => row < data.length);
    for (let i = 0; i < data.length; i++) {
      const row = data[i]!;
      if (broken?.row === i) throw this.#quoteFault(broken.code);
      if (this.#table) this.#addRow(row, this.#line);
      else {
        this.#head.push({ row, line: this.#line });
        if (this.#head.length === layoutRows) this.#begin();
      }
      this.#line++;
      if (hasQuotes) for (const cell of row) this.#line += linesWithin(cell);
    }
    this.#pending = isEnd ? '' : this.#pending.slice(meta.cursor);
  }

  #addRow(row: readonly string[], line: number): void {
    const sifter = this.#sifter!;
    if (row.length === this.#width && sifter.isQuiet && !Number.isNaN(quickNumber(row[0]!))) {
      this.#take({ cells: row, line, payload: row });
      return;
    }
    const cells = row.map((cell) => cell.trim());
    if (cells.every((cell) => cell === '')) {
      // Blank lines are no rows; `,,,` is one that says nothing.
      if (row.length > 1) this.#emptyRows++;
      sifter.blank();
      return;
    }
    sifter.add({ cells, line, payload: row });
  }

  #take({ payload: row, line }: SiftedRow<readonly string[]>): void {
    const table = this.#table!;
    const { columns } = table;
    if (row.length !== columns.length && !this.#hasOnlyExtra(row, columns.length))
      throw this.#raggedFault(row, line, table);
    table.startRow(line);
    for (let j = 0; j < columns.length; j++) columns[j]!.addText(row[j]!);
  }

  /** Nothing stands behind the delimiter with which every row ends. */
  #hasOnlyExtra(row: readonly string[], columns: number): boolean {
    return row.length === this.#width && row.slice(columns).every((cell) => cell.trim() === '');
  }

  #raggedFault(row: readonly string[], line: number, { columns }: TableBuilder) {
    const message = `${row.length} cell${row.length > 1 ? 's' : ''} where the header has ${columns.length}; `;
    const few = 'is a delimiter missing, or the line cut short?';
    const many = 'is there a delimiter too many, or a text that needs quotes?';
    return row.length < columns.length
      ? tableFault(this.settings.file, message + few, line, columns[row.length]!.name || undefined)
      : tableFault(this.settings.file, message + many, line, columns.at(-1)!.name || undefined);
  }

  #quoteFault(code: string) {
    const message =
      code === 'MissingQuotes'
        ? 'a quote is opened here and never closed'
        : 'a quoted text goes on after its closing quote; write quotes inside a text twice';
    return tableFault(this.settings.file, message, this.#line);
  }
}

function linesWithin(cell: string): number {
  let lines = 0;
  for (let at = cell.indexOf('\n'); at >= 0; at = cell.indexOf('\n', at + 1)) lines++;
  return lines;
}
