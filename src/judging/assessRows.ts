/** What the model of a run says about rows of another table. */

import type { AssessedRow, AssessedRows } from '../design/runDocument.js';
import { rowOf } from '../numeric/rows.js';
import { toCells, toDesigns } from '../problem/index.js';
import { violations } from '../space/index.js';
import type { Table } from '../table/index.js';
import type { Advisor } from './advisor.js';

/** Rows that are assessed together. */
const PIECE = 500;

/** Every row of `table`, in its order. Throws `TableError` with line and column. */
export async function assessRows(advisor: Advisor, table: Table): Promise<AssessedRows> {
  const { problem } = advisor;
  const { x, notes } = toDesigns(problem, table);
  const d = problem.space.columns.length;
  const rows: AssessedRow[] = [];
  for (let first = 0; first < table.rows; first += PIECE) {
    const piece = x.subarray(first * d, (first + PIECE) * d);
    const cells = toCells(problem, piece);
    (await advisor.assess(piece)).forEach((assessed, i) => {
      const design = rowOf(piece, d, i);
      rows.push({
        row: first + i + 1,
        cells: cells[i]!,
        ...assessed,
        breaks: violations(problem.space, design),
      });
    });
  }
  return { rows, notes };
}
