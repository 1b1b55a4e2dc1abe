/** Everything that was tried already, as designs. */
import { type Problem, toDesigns } from '../problem/index.js';
import { selectRows } from '../table/selectRows.js';

/**
 * The rows of the data; and rows of the table without a result, which were planned or failed, unless designs are taken
 * from a list, which may hold just these.
 */
export function pastDesigns(problem: Problem): Float64Array {
  const { data, table, rows, choices } = problem;
  if (choices) return data.x;
  const used = new Set(rows.flat());
  const others = Array.from({ length: table.rows }, (_, row) => row).filter((row) => !used.has(row));
  if (others.length === 0) return data.x;
  const designs = others.flatMap((row) => {
    try {
      return [toDesigns(problem, selectRows(table, [row])).x];
    } catch {
      // a row with cells that no design has is equal to none
      return [];
    }
  });
  const all = new Float64Array(data.x.length + designs.reduce((sum, { length }) => sum + length, 0));
  all.set(data.x);
  let at = data.x.length;
  for (const design of designs) {
    all.set(design, at);
    at += design.length;
  }
  return all;
}
