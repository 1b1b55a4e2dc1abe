import type { DecimalMark } from './cellText.js';
import { MissingTexts } from './cellText.js';
import { ColumnBuilder } from './columnBuilder.js';
import { Growing } from './growing.js';
import { quoted } from './quoted.js';
import { type Table, TableError } from './table.js';

/** What every format asks of the reader. */
export interface ReadSettings {
  /** What to call the source in messages. */
  readonly file: string;
  readonly decimal?: DecimalMark;
  readonly missing?: readonly string[];
  /** Columns whose cells stay as they are written. */
  readonly text?: readonly string[];
  /** Columns whose kind is decided only when every row has been seen. */
  readonly undecided?: ReadonlySet<string>;
  /** Parquet says nothing about the digits that somebody wrote. */
  readonly hasDecimals?: boolean;
}

/** Rows kept as text before the kind of each column is decided. */
const sampleRows = 2000;

/** A column that was taken for numbers after the sample, and is not. */
export class UndecidedColumns {
  constructor(
    readonly names: ReadonlySet<string>,
    /** What to say where the source cannot be read a second time. */
    readonly fault: TableError,
  ) {}
}

export class TableBuilder {
  readonly columns: readonly ColumnBuilder[];
  readonly notes: string[] = [];
  /** The decimal mark where cells like "1,234" allow both and no column tells. */
  ambiguousDecimal: DecimalMark = '.';
  /** Of a text file. */
  dialect: Omit<NonNullable<Table['dialect']>, 'decimal'> | undefined;
  readonly #lines: Growing<Uint32Array> | undefined;
  #rows = 0;
  #hasNamedFirst = false;

  constructor(
    private readonly settings: ReadSettings,
    given: readonly string[],
    private readonly headerLine: number | undefined,
  ) {
    const names = headerLine === undefined ? given : this.#nameFirst(given);
    this.#checkNames(names);
    if (headerLine !== undefined) this.#lines = new Growing((n) => new Uint32Array(n));
    const missing = new MissingTexts(settings.missing);
    const context = {
      missing,
      hasDecimals: settings.hasDecimals ?? true,
      fault: (message: string, column: string, row: number) =>
        tableFault(settings.file, message, this.#lines?.at(row) ?? row + 1, column),
      place: (row: number) => (this.#lines ? `line ${this.#lines.at(row)}` : `row ${row + 1}`),
    };
    this.columns = names.map(
      (name) => new ColumnBuilder(name, context, settings.text?.includes(name) ?? false),
    );
  }

  get rows(): number {
    return this.#rows;
  }

  /** Call before the cells of a row are added to the columns. */
  startRow(line: number): void {
    if (this.#rows === sampleRows) {
      this.#requireNames();
      this.#decideKinds(false);
    }
    this.#lines?.push(line);
    this.#rows++;
  }

  /** For sources that come column by column. */
  setRows(rows: number): void {
    this.#rows = rows;
  }

  finish(): Table | UndecidedColumns {
    const { file } = this.settings;
    if (this.#rows === 0)
      throw tableFault(file, 'there is a header but no row of data below it; is this the right file?');
    this.#requireNames();
    this.#decideKinds(true);
    const undecided = this.columns.filter(({ isUndecided }) => isUndecided);
    const first = undecided[0];
    if (first) {
      const line = this.#lines?.at(first.odd.row) ?? first.odd.row + 1;
      const message =
        `${quoted(first.odd.text)} stands in a column of numbers; correct it, add it to \`missing\`, or name the ` +
        'column under `text`';
      return new UndecidedColumns(
        new Set(undecided.map(({ name }) => name)),
        tableFault(file, message, line, first.name),
      );
    }
    if (this.columns.some(({ writtenDecimal }) => writtenDecimal === ','))
      this.notes.push('Numbers have a decimal comma: 1,5 is one and a half.');
    const isLeftOut = ({ name, isEmpty }: ColumnBuilder, j: number) =>
      name === '' || (j === 0 && this.#hasNamedFirst && isEmpty);
    const kept = this.columns.filter((column, j) => !isLeftOut(column, j));
    this.columns.forEach((column, j) => {
      const { name } = column;
      if (isLeftOut(column, j))
        this.notes.push(`Column ${j + 1} has neither a name nor a value, and is left out.`);
      else if (j === 0 && this.#hasNamedFirst)
        this.notes.push(
          `The first column has no name, as where programs write the number of the row; it is called "${name}".`,
        );
    });
    if (kept.length === 0) throw this.#nameless(0);
    return {
      name: file,
      rows: this.#rows,
      columns: kept.map((column) => column.finish()),
      ...(this.#lines && { lines: this.#lines.take() }),
      notes: [...this.notes, ...this.columns.flatMap(({ notes }) => notes)],
      ...(this.dialect && { dialect: this.#wholeDialect(this.dialect) }),
    };
  }

  #wholeDialect(dialect: Omit<NonNullable<Table['dialect']>, 'decimal'>): NonNullable<Table['dialect']> {
    const grouping = this.columns.find((column) => column.grouping !== undefined)?.grouping;
    return { ...dialect, decimal: this.#commonDecimal(), ...(grouping !== undefined && { grouping }) };
  }

  /** The mark of most columns of numbers that show one. */
  #commonDecimal(): DecimalMark {
    const marks = this.columns.map(({ writtenDecimal }) => writtenDecimal);
    const commas = marks.filter((mark) => mark === ',').length;
    const points = marks.filter((mark) => mark === '.').length;
    return commas === points ? (this.settings.decimal ?? this.ambiguousDecimal) : commas > points ? ',' : '.';
  }

  #decideKinds(isEnd: boolean): void {
    const open = this.columns.filter(({ name }) => isEnd || !this.settings.undecided?.has(name));
    const evidence = new Set(open.map((column) => column.decimalEvidence()));
    const { decimal } = this.settings;
    const common =
      evidence.has(',') && !evidence.has('.')
        ? ','
        : evidence.has('.') && !evidence.has(',')
          ? '.'
          : this.ambiguousDecimal;
    for (const column of open) column.decideKind(decimal ?? common, decimal !== undefined);
  }

  /** R and pandas write the number or name of the row into a first column without a name. */
  #nameFirst(given: readonly string[]): readonly string[] {
    if (given[0] !== '' || given.length < 2) return given;
    this.#hasNamedFirst = true;
    let name = 'row';
    for (let k = 1; given.includes(name); k++) name = `row_${k}`;
    return [name, ...given.slice(1)];
  }

  /** A column without a name is let pass only if it has no value either, as after a delimiter too many. */
  #requireNames(): void {
    const index = this.columns.findIndex(({ name, isEmpty }) => name === '' && !isEmpty);
    if (index >= 0) throw this.#nameless(index);
  }

  #nameless(index: number, count = this.columns.length): TableError {
    return tableFault(
      this.settings.file,
      `column ${index + 1} of ${count} has no name; write one into the header, or delete the column`,
      this.headerLine,
    );
  }

  #checkNames(names: readonly string[]): void {
    const { file } = this.settings;
    const line = this.headerLine;
    const seen = new Map<string, number>();
    names.forEach((name, index) => {
      if (name === '') {
        if (line !== undefined) return;
        throw this.#nameless(index, names.length);
      }
      const earlier = seen.get(name);
      if (earlier !== undefined)
        throw tableFault(
          file,
          `columns ${earlier + 1} and ${index + 1} have the same name ${quoted(name)}; rename one of them`,
          line,
          name,
        );
      seen.set(name, index);
    });
  }
}

/** `file:line, column "name": message`, in one line. */
export function tableFault(file: string, message: string, line?: number, column?: string): TableError {
  const where = `${file}${line === undefined ? '' : `:${line}`}`;
  const cell = column === undefined ? '' : `, column ${quoted(column)}`;
  return new TableError(`${where}${cell}: ${message}`.replace(/\s+/g, ' '), {
    file,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  });
}
