/** A table as it was read: columns of numbers or of text, with what the reader noticed. */
import type { Round } from './rounds.js';

/** What any column may be known to have. */
interface WrittenColumn {
  readonly name: string;
  /** Unit of the values as written in the header, in a line below it or in every cell, such as "°C"; absent if none is. */
  readonly unit?: string;
}

/** A column of numbers. */
export interface NumberColumn extends WrittenColumn {
  readonly kind: 'number';
  /** Most digits after the decimal mark of a cell, 3 for "0.150"; absent where numbers have exponents or no text. */
  readonly decimals?: number;
  /** NaN where the cell is empty. */
  readonly values: Float64Array;
  /** -1 where the cell said "<value", 1 where it said ">value"; absent if no cell did. */
  readonly censored?: Int8Array;
}

/** A column of text: different texts, and which of them stands in each row. */
export interface TextColumn extends WrittenColumn {
  readonly kind: 'text';
  /** Different texts, in order of appearance. */
  readonly levels: readonly string[];
  /** Number of each row's text in `levels`, -1 where the cell is empty. */
  readonly codes: Int32Array;
}

/** A column of numbers or of text. */
export type TableColumn = NumberColumn | TextColumn;

/** What stands in a cell; null where it is empty. */
export function cellAt(column: TableColumn, row: number): number | string | null {
  if (column.kind === 'text') return column.codes[row]! < 0 ? null : column.levels[column.codes[row]!]!;
  return Number.isNaN(column.values[row]!) ? null : column.values[row]!;
}

/** How a text file writes its cells. */
interface Dialect {
  readonly delimiter: string;
  readonly decimal: '.' | ',';
  /** Absent where it is `"`. */
  readonly quote?: string;
  /** What stands between thousands; absent where nothing does. */
  readonly grouping?: string;
}

/** A table as it was read. Plain data. */
export interface Table {
  /** What to call it in messages: a file's name, or "standard input". */
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly TableColumn[];
  /** Line of the source on which each row begins, counted from 1; absent where there are no lines. */
  readonly lines?: Uint32Array;
  /** What the reader assumed: delimiter, encoding, decimal comma, skipped comments, ... in sentences. */
  readonly notes: readonly string[];
  /** How the text file was written; absent for other sources. */
  readonly dialect?: Dialect;
  /** Rows that runs proposed, with what they promised, in the order they were added; absent where there are none. */
  readonly rounds?: readonly Round[];
}

/** A fault of the input, as people can find it. */
export class TableError extends Error {
  override readonly name = 'TableError';

  constructor(
    message: string,
    /** Where: file, line and column of the source, as far as known. */
    readonly place: { readonly file: string; readonly line?: number; readonly column?: string },
    /** Whether nothing could be opened at the path at all. */
    readonly isUnreadable = false,
  ) {
    super(message);
  }
}
