/**
 * A table as Parquet bytes and back, bit for bit. Other readers see a plain table: numbers as DOUBLE, texts as UTF8,
 * missing cells as nulls. What Parquet cannot hold (notes, line numbers, marks of censored cells, units) is JSON
 * in the file's metadata, under "nemokit".
 */
import { type FileMetaData, parquetMetadata, parquetScan } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { type Table, type TableColumn, TableError, type TextColumn } from '../table/index.js';

const format = 1;
const metadataKey = 'nemokit';

/** [row, value]: from this row on, up to the next pair. */
type Runs = readonly (readonly [row: number, value: number])[];

interface ColumnExtra {
  /** As in the table; the name in the Parquet file differs where UTF-8 cannot hold it. */
  readonly name: string;
  readonly kind: 'number' | 'text';
  readonly unit?: string;
  readonly decimals?: number;
  readonly censored?: Runs;
  /** Levels and codes, where the cells do not determine them. */
  readonly exact?: { readonly levels: readonly string[]; readonly codes: Runs };
}

interface Extra {
  readonly format: number;
  readonly name: string;
  readonly rows: number;
  readonly notes: readonly string[];
  readonly columns: readonly ColumnExtra[];
  /** Difference of each row's line and its number. */
  readonly lines?: Runs;
  readonly dialect?: NonNullable<Table['dialect']>;
  readonly rounds?: NonNullable<Table['rounds']>;
}

export function encodeTable(table: Table): Uint8Array<ArrayBuffer> {
  const names = parquetNames(table.columns);
  const extra: Extra = {
    format,
    name: table.name,
    rows: table.rows,
    notes: table.notes,
    columns: table.columns.map(columnExtra),
    ...(table.lines && { lines: runsOf(table.lines.map((line, row) => line - row)) }),
    ...(table.dialect && { dialect: table.dialect }),
    ...(table.rounds && { rounds: table.rounds }),
  };
  const columnData = table.columns.map((column, j): ColumnSource => {
    const name = names[j]!;
    if (column.kind === 'text')
      return {
        name,
        type: 'STRING',
        data: Array.from(column.codes, (code) => (code < 0 ? null : column.levels[code]!)),
      };
    const data = Array.from(column.values, (value) => (Number.isNaN(value) ? null : value));
    // A dictionary would turn -0 into 0.
    return { name, type: 'DOUBLE', encoding: 'PLAIN', data };
  });
  const kvMetadata = [{ key: metadataKey, value: JSON.stringify(extra) }];
  return new Uint8Array(parquetWriteBuffer({ columnData, kvMetadata }));
}

/** Valid UTF-8 names: lone surrogates are replaced, and a number is added where two names would become equal. */
function parquetNames(columns: readonly TableColumn[]): string[] {
  const taken = new Set(columns.map(({ name }) => name).filter((name) => wellFormed(name) === name));
  return columns.map(({ name }) => {
    const plain = wellFormed(name);
    if (plain === name) return name;
    let free = plain;
    for (let n = 2; taken.has(free); n++) free = `${plain} ${n}`;
    taken.add(free);
    return free;
  });
}

function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
}

function columnExtra(column: TableColumn): ColumnExtra {
  const { kind, unit } = column;
  const shared = { name: column.name, kind, ...(unit !== undefined && { unit }) };
  if (column.kind === 'number') {
    const { censored, decimals } = column;
    return {
      ...shared,
      ...(decimals !== undefined && { decimals }),
      ...(censored && { censored: runsOf(censored) }),
    };
  }
  return followsFromCells(column)
    ? shared
    : { ...shared, exact: { levels: column.levels, codes: runsOf(column.codes) } };
}

function followsFromCells({ levels, codes }: TextColumn): boolean {
  let next = 0;
  for (const code of codes) {
    if (code > next) return false;
    if (code === next) next++;
  }
  return (
    next === levels.length &&
    new Set(levels).size === next &&
    levels.every((level) => wellFormed(level) === level)
  );
}

function runsOf(values: ArrayLike<number>): Runs {
  const runs: [number, number][] = [];
  for (let row = 0; row < values.length; row++)
    if (row === 0 || values[row] !== values[row - 1]) runs.push([row, values[row]!]);
  return runs;
}

function spread<T extends Int8Array | Int32Array | Uint32Array>(runs: Runs, target: T): T {
  runs.forEach(([row, value], i) => target.fill(value, row, runs[i + 1]?.[0] ?? target.length));
  return target;
}

/** Throws `TableError` if `bytes` are not what `encodeTable` makes. */
export async function decodeTable(bytes: Uint8Array, file = 'data.parquet'): Promise<Table> {
  try {
    return await decodeColumns(bytes, file);
  } catch (error) {
    if (error instanceof TableError) throw error;
    throw new TableError(`${file} is damaged; put it back from a backup, or start a new run`, { file });
  }
}

async function decodeColumns(bytes: Uint8Array, file: string): Promise<Table> {
  const buffer = new Uint8Array(bytes).buffer;
  const metadata = parquetMetadata(buffer);
  const { name, rows, notes, columns, lines, dialect, rounds } = extraOf(metadata, file);
  const names = metadata.schema.slice(1).map((element) => element.name);
  const scan = await parquetScan({ file: buffer, metadata, compressors, useOffsetIndex: false });
  const read = async (j: number) => {
    const cells: unknown[] = [];
    for (const range of scan.ranges)
      for (const cell of await scan.readColumn({ column: names[j]!, ...range })) cells.push(cell);
    if (cells.length !== rows) throw new RangeError('wrong number of rows');
    return cells;
  };
  const decoded: TableColumn[] = [];
  for (const [j, extra] of columns.entries()) decoded.push(decodeColumn(extra, await read(j)));
  return {
    name,
    rows,
    columns: decoded,
    ...(lines && { lines: spread(lines, new Uint32Array(rows)).map((line, row) => line + row) }),
    notes,
    ...(dialect && { dialect }),
    ...(rounds && { rounds }),
  };
}

function extraOf(metadata: FileMetaData, file: string): Extra {
  const text = metadata.key_value_metadata?.find(({ key }) => key === metadataKey)?.value;
  if (text === undefined)
    throw new TableError(`${file} was not written by nemokit; read it as a table instead`, { file });
  const extra: Extra = JSON.parse(text);
  if (extra.format === format) return extra;
  throw new TableError(`${file} was made by a newer nemokit; update nemokit`, { file });
}

function decodeColumn(extra: ColumnExtra, cells: readonly unknown[]): TableColumn {
  const { kind, unit, decimals, censored, exact } = extra;
  const shared = { name: extra.name, ...(unit !== undefined && { unit }) };
  if (kind === 'number')
    return {
      kind,
      ...shared,
      ...(decimals !== undefined && { decimals }),
      values: Float64Array.from(cells, (cell) => (cell === null ? Number.NaN : (cell as number))),
      ...(censored && { censored: spread(censored, new Int8Array(cells.length)) }),
    };
  if (exact)
    return {
      kind,
      ...shared,
      levels: exact.levels,
      codes: spread(exact.codes, new Int32Array(cells.length)),
    };
  const codeOf = new Map<unknown, number>();
  const codes = Int32Array.from(cells, (cell) => {
    if (cell === null) return -1;
    const code = codeOf.get(cell) ?? codeOf.size;
    codeOf.set(cell, code);
    return code;
  });
  return { kind, ...shared, levels: [...codeOf.keys()] as string[], codes };
}
