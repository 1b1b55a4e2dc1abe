/** Tables as the app sees them: cards of columns, pages of rows, what a question means for them. Plain data, fit for JSON. */
import type { CheckReport } from '../../problem/checkTable.js';

/** Where a table comes from. */
export type TableSource =
  /** A file that was dropped: CSV, XLSX, Parquet, also .gz of these. */
  | { readonly kind: 'bytes'; readonly name: string; readonly bytes: Uint8Array; readonly sheet?: string }
  /** A path inside the folder of the server; the page without a server has none. */
  | { readonly kind: 'path'; readonly path: string; readonly sheet?: string }
  /** Cells pasted from a spreadsheet. */
  | { readonly kind: 'pasted'; readonly text: string };

/** What stands in a cell; null where it is empty. Cells beyond a limit are texts such as "<5". */
export type TableCell = number | string | null;

/** A cell that is written over; rows and columns are counted from 0, and null empties it. */
export interface CellChange {
  readonly row: number;
  readonly column: number;
  readonly value: TableCell;
}

/** The unit of a column, counted from 0; null where it has none. */
export interface UnitChange {
  readonly column: number;
  readonly unit: string | null;
}

export type TableChange = CellChange | UnitChange;

/** How the values of a column are spread. */
export type Spread =
  | {
      readonly kind: 'number';
      readonly min: number;
      readonly max: number;
      readonly mean: number;
      /** Rows in equal parts from `min` to `max`. */
      readonly counts: readonly number[];
    }
  | {
      readonly kind: 'text';
      /** The most frequent first, at most 20. */
      readonly levels: readonly { readonly text: string; readonly rows: number }[];
      /** Different texts in all. */
      readonly distinct: number;
    }
  /** No cell of the column is filled. */
  | { readonly kind: 'empty' };

export interface ColumnCard {
  readonly name: string;
  readonly unit: string | null;
  readonly missing: number;
  readonly spread: Spread;
}

export interface OpenedTable {
  /** What other calls name it by. The same bytes and sheet have the same id. */
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the file; null where there is none. */
  readonly sha256: string | null;
  readonly bytes: number;
  readonly rows: number;
  readonly columns: readonly ColumnCard[];
  /** Sheets of a workbook, and the one that was read; empty otherwise. */
  readonly sheets: readonly string[];
  readonly sheet: string | null;
  /** What the reader assumed, in sentences. */
  readonly notes: readonly string[];
  /** How many rounds of measured candidates were put below the rows of the file. */
  readonly rounds: number;
}

/** Rows `from` to `from + rows.length` of a table, each with all its cells in the order of the columns. */
export interface TableRows {
  readonly from: number;
  readonly rows: readonly (readonly TableCell[])[];
}

/** What a question means for a table, also where something is wrong with it. */
export interface Stated {
  /** Null where the words could not be read: see `fault`. */
  readonly check: CheckReport | null;
  readonly fault: Fault | null;
  /** Share of the space inside all bounds that satisfies every constraint, 0 to 1; null where it is not known. */
  readonly feasible: {
    readonly share: number;
    /** How many designs were drawn to find it. */
    readonly drawn: number;
  } | null;
  /** Constraints that exclude each other, as they were written; empty where designs exist. */
  readonly conflict: readonly string[];
  /** Rows that are left out, counted from 1, and why; at most 200. */
  readonly leftOut: readonly { readonly row: number; readonly why: string }[];
  /** The same question in other words. */
  readonly words: {
    readonly command: string;
    readonly yaml: string;
    readonly typescript: string;
  };
}

/** What went wrong, as people can mend it. */
export interface Fault {
  /** Name of the error: TableError, ExpressionError, ArgumentError, InfeasibleError, ... */
  readonly name: string;
  readonly message: string;
  /** The argument that is wrong, such as "goal", where the error names one. */
  readonly argument?: string;
}
