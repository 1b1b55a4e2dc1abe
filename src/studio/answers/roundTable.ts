/** Measured candidates below the rows they were proposed from: the table of the next round. */

import type { RunDocument } from '../../design/runDocument.js';
import { ArgumentError } from '../../numeric/errors.js';
import { toCandidatesCsv } from '../../report/index.js';
import { appendRows } from '../../table/appendRows.js';
import { readTable } from '../../table/readTable.js';
import type { Table, TableColumn } from '../../table/table.js';
import type { Measured } from '../protocol/index.js';

/** As `nemokit design past.csv --add candidates.csv` reads it; rows without any measured value are left out. */
export async function roundTable(
  table: Table,
  document: RunDocument,
  measured: readonly Measured[],
): Promise<Table> {
  const byRow = new Map(measured.map(({ row, values }) => [row, values]));
  const rows = document.candidates.filter(({ row }) => Object.keys(byRow.get(row) ?? {}).length > 0);
  if (rows.length === 0) throw new ArgumentError('measured', 'no value is measured yet; type one at least');
  const csv = toCandidatesCsv({ ...document, candidates: rows }, table);
  const name = document.run.id ? `${document.run.id}/candidates.csv` : 'candidates.csv';
  const added = await readTable(new TextEncoder().encode(csv), { name });
  const goals = new Set(document.goal.goals.map(({ column }) => column));
  const columns = added.columns.map((column): TableColumn => {
    if (!goals.has(column.name)) return column;
    const values = Float64Array.from(rows, ({ row }) => byRow.get(row)?.[column.name] ?? Number.NaN);
    return { kind: 'number', name: column.name, values };
  });
  return appendRows(table, { ...added, columns });
}
