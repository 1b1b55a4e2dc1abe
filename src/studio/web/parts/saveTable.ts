/** A whole table as CSV, asked for page by page. */
import type { Host, OpenedTable, TableCell } from '../../protocol/index.js';
import { csvOf, download } from './download.js';

const PAGE = 1000;

/** A line of units below the header, which the reader finds, where a unit was set in the studio. */
function unitsRow({ notes, columns }: OpenedTable): string[][] {
  if (!notes.some((note) => /^the unit of .* was set in the studio: /.test(note))) return [];
  return [columns.map(({ unit }) => (unit === null ? '' : `[${unit}]`))];
}

export async function saveTable(host: Host, table: OpenedTable): Promise<void> {
  const rows: (readonly TableCell[])[] = [];
  for (let from = 0; from < table.rows; from += PAGE)
    for (const row of (await host.rows(table.id, from, PAGE)).rows) rows.push(row);
  const header = table.columns.map(({ name }) => name);
  download(table.name, csvOf(header, [...unitsRow(table), ...rows]), 'text/csv');
}
