// Which columns are modelled as their logarithm: what is refused, and what is said about it.

import { ArgumentError } from '../numeric/errors.js';
import type { Space } from '../space/space.js';
import type { TypedColumn } from '../table/columnTypes.js';
import { cellAt, type Table } from '../table/table.js';
import { tableFault } from '../table/tableBuilder.js';
import type { DesignColumn } from './buildSpace.js';
import { shown } from './tokens.js';

/** Throws where a logarithm was asked for by name and cannot be taken. */
export function requireLogarithm(table: Table, { name, type }: TypedColumn, rows: readonly number[]): void {
  if (type !== 'number' && type !== 'integer')
    throw new ArgumentError('columns', `${shown(name)} is of type ${type}; "log: true" is for numbers`);
  const column = table.columns.find((own) => own.name === name)!;
  for (const row of rows) {
    const cell = cellAt(column, row);
    if (cell === null || Number(cell) > 0) continue;
    const message = `${cell} has no logarithm, which "log: true" asks for; leave that out, or correct the cell`;
    throw tableFault(table.name, message, table.lines?.[row], name);
  }
}

/** What became of each column over decades. */
export function logNotes(columns: readonly DesignColumn[], space: Space): string[] {
  return columns.flatMap((column) => {
    if ((column.kind !== 'number' && column.kind !== 'integer') || !column.log) return [];
    const own = space.columns.find(({ name, kind }) => name === column.name && kind === 'continuous');
    if (own?.kind !== 'continuous') return [];
    if (own.scale === 'log')
      return [`${shown(column.name)} is modelled as its logarithm; "log: false" switches that off`];
    return [
      `${shown(column.name)} is modelled as it is, not as its logarithm: designs may go down to ${own.lower}, and only numbers above 0 have one`,
    ];
  });
}
