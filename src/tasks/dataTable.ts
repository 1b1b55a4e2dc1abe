import { readTable } from '../table/readTable.js';
import { cellAt, type Table, TableError } from '../table/table.js';
import type { DataSource } from './task.js';

/** A file of a dataset whose columns are known beforehand: anything else is a fault of the file. */
export class DataTable {
  private constructor(
    private readonly table: Table,
    private readonly dataset: string,
  ) {}

  /** CSV or TSV, compressed or not. `text`: columns that stay as they are written. */
  static async read(
    source: DataSource,
    dataset: string,
    file: string,
    text: readonly string[] = [],
  ): Promise<DataTable> {
    const bytes = await source.read(dataset, file);
    return new DataTable(await readTable(bytes, { name: `${dataset}/${file}`, text }), dataset);
  }

  get rows(): number {
    return this.table.rows;
  }

  /** All of them there and finite. */
  numbers(name: string): Float64Array {
    const column = this.column(name);
    if (column.kind !== 'number') throw this.fault(`"${name}" is not a column of numbers`);
    const bad = column.values.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) throw this.fault(`"${name}" has a cell that is no number`, bad);
    return column.values;
  }

  /** Empty cells as ''. */
  texts(name: string): string[] {
    const column = this.column(name);
    return Array.from({ length: this.rows }, (_, row) => String(cellAt(column, row) ?? ''));
  }

  fault(what: string, row?: number): TableError {
    const line = row === undefined ? undefined : this.table.lines?.[row];
    const file = this.table.name;
    const place = line === undefined ? file : `${file}, line ${line}`;
    return new TableError(`${place}: ${what}; the file is damaged, get the dataset "${this.dataset}" again`, {
      file,
      ...(line === undefined ? {} : { line }),
    });
  }

  private column(name: string) {
    const column = this.table.columns.find((column) => column.name === name);
    if (!column) throw this.fault(`there is no column "${name}"`);
    return column;
  }
}
