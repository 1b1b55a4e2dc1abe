/** Questions to a finished run: what it expects of rows of another table, and why it proposes a candidate. */

import { movableColumns } from '../design/describe.js';
import type { Candidate, Nearest, Profile } from '../design/runDocument.js';
import { type Explanation, explain } from '../judging/contributions.js';
import { profilesOf } from '../judging/profiles.js';
import { foldKey, rootKey } from '../numeric/key.js';
import { toCells, toDesigns } from '../problem/index.js';
import { violations } from '../space/index.js';
import { readTable, type Table } from '../table/index.js';
import type { SavedRun } from './savedRun.js';

export interface AssessedRow extends Candidate {
  /** Constraints of the run that the row breaks, in words. */
  readonly breaks: readonly string[];
}

export interface AssessedRows {
  readonly rows: readonly AssessedRow[];
  /** What was assumed, in sentences. */
  readonly notes: readonly string[];
}

/** Rows that are assessed in one call. */
const PIECE = 500;

/** Every row of `table`, in its order. Throws `TableError` with line and column. */
export async function assessRows(
  { problem, advisor }: Pick<SavedRun, 'problem' | 'advisor'>,
  table: Table,
): Promise<AssessedRows> {
  const { x, notes } = toDesigns(problem, table);
  const d = problem.space.columns.length;
  const rows: AssessedRow[] = [];
  for (let first = 0; first < table.rows; first += PIECE) {
    const piece = x.subarray(first * d, (first + PIECE) * d);
    const cells = toCells(problem, piece);
    (await advisor.assess(piece)).forEach((assessed, i) => {
      rows.push({
        row: first + i + 1,
        cells: cells[i]!,
        ...assessed,
        breaks: violations(problem.space, piece.subarray(i * d, (i + 1) * d)),
      });
    });
  }
  return { rows, notes };
}

export interface CandidateExplanation {
  readonly candidate: Candidate;
  /** The nearest first. */
  readonly nearest: readonly Nearest[];
  /** From the nearest experiment to the candidate. */
  readonly explanation: Explanation;
  readonly profiles: readonly Profile[];
}

/** `count`: how many experiments to name. */
export async function explainCandidate(
  { advisor, problem, request }: Pick<SavedRun, 'advisor' | 'problem' | 'request'>,
  candidate: Candidate,
  count: number,
): Promise<CandidateExplanation> {
  const { cells } = candidate;
  const texts = Object.keys(cells).filter((name) => typeof cells[name] === 'string');
  const table = await readTable([cells], { name: `row ${candidate.row}`, text: texts, missing: [] });
  const { x } = toDesigns(problem, table);
  const rows = advisor.past.nearestRows(advisor.past.place(x), Math.max(1, count));
  const key = foldKey(foldKey(rootKey(request.seed), 'explain'), candidate.row);
  return {
    candidate,
    nearest: rows.slice(0, count).map((row) => advisor.nearest(row, cells)),
    explanation: await explain(advisor, rows[0]!, x, key),
    profiles: await profilesOf(advisor, x, movableColumns(candidate, problem)),
  };
}
