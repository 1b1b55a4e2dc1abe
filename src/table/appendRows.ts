/** Puts the rows of other tables below those of a first one: new measurements below the old ones. */
import { columnCalled, knownPlace } from './cellText.js';
import { roundOf } from './rounds.js';
import { type NumberColumn, type Table, type TableColumn, TableError, type TextColumn } from './table.js';

/**
 * Columns are found by name; those that the first table does not have are left out, and cells of those that the other
 * does not have are empty. A name or text that `neutralise` put an apostrophe before is the one it came from. What a run
 * promised of the rows stays with the table, in `rounds`.
 */
export function appendRows(table: Table, added: Table): Table {
  const columns = table.columns.map((column): TableColumn => {
    const other = columnCalled(added.columns, column.name);
    if (!other || isEmpty(other)) return withMissing(column, added.rows);
    if (column.kind === 'number' && other.kind === 'number') return joinNumbers(column, other);
    if (column.kind === 'text' && other.kind === 'text') return joinTexts(column, other);
    const kind = column.kind === 'number' ? 'numbers' : 'text';
    throw new TableError(
      `${added.name}: "${column.name}" holds ${other.kind === 'number' ? 'numbers' : 'text'}, and in ${table.name} it holds ${kind}; correct one of them`,
      { file: added.name, column: column.name },
    );
  });
  const isShared = table.columns.some(({ name }) => columnCalled(added.columns, name));
  if (!isShared) {
    throw new TableError(`${added.name} has no column of ${table.name}; its rows cannot be added`, {
      file: added.name,
    });
  }
  const { lines: _lines, ...rest } = table;
  const round = roundOf(table, added);
  return {
    ...rest,
    ...(round && { rounds: [...(table.rounds ?? []), round] }),
    rows: table.rows + added.rows,
    columns,
    notes: [
      ...table.notes,
      `${added.rows} ${added.rows === 1 ? 'row of' : 'rows of'} ${added.name} ${added.rows === 1 ? 'is' : 'are'} added below those of ${table.name}`,
    ],
  };
}

function isEmpty(column: TableColumn): boolean {
  return column.kind === 'number'
    ? column.values.every(Number.isNaN)
    : column.codes.every((code) => code < 0);
}

function withMissing(column: TableColumn, count: number): TableColumn {
  if (column.kind === 'number') {
    const values = joined(column.values, new Float64Array(count).fill(Number.NaN));
    return {
      ...column,
      values,
      ...(column.censored && { censored: joined(column.censored, new Int8Array(count)) }),
    };
  }
  return { ...column, codes: joined(column.codes, new Int32Array(count).fill(-1)) };
}

function joinNumbers(a: NumberColumn, b: NumberColumn): NumberColumn {
  const hasCensored = a.censored !== undefined || b.censored !== undefined;
  const censored = joined(
    a.censored ?? new Int8Array(a.values.length),
    b.censored ?? new Int8Array(b.values.length),
  );
  const { decimals: _decimals, ...rest } = a;
  // A column without any number has no digits to lose.
  const known = a.values.every(Number.isNaN) ? [b] : [a, b];
  const decimals = known.map((column) => column.decimals ?? Number.NaN).reduce((x, y) => Math.max(x, y));
  return {
    ...rest,
    ...(!Number.isNaN(decimals) && { decimals }),
    values: joined(a.values, b.values),
    ...(hasCensored && { censored }),
  };
}

function joinTexts(a: TextColumn, b: TextColumn): TextColumn {
  const levels = [...a.levels];
  const numbers = b.levels.map((level) => {
    const known = knownPlace(levels, level);
    return known >= 0 ? known : levels.push(level) - 1;
  });
  return {
    ...a,
    levels,
    codes: joined(
      a.codes,
      b.codes.map((code) => (code < 0 ? -1 : numbers[code]!)),
    ),
  };
}

function joined<Numbers extends Float64Array | Int32Array | Int8Array>(a: Numbers, b: Numbers): Numbers {
  const both = new (a.constructor as new (length: number) => Numbers)(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
