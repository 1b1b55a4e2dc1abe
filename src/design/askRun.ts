/** Questions to a finished run: what it expects of other rows, and why it proposed one of its own. */
import { assessRows } from '../judging/assessRows.js';
import { type CandidateExplanation, explainCandidate } from '../judging/explainCandidate.js';
import { ArgumentError, requireCount } from '../numeric/errors.js';
import type { Table } from '../table/table.js';
import { type EngineChoice, withKernel } from './engineChoice.js';
import { advisorOf, type Run } from './run.js';
import type { AssessedRows, Candidate } from './runDocument.js';

/** Which row `explain` speaks of. */
export interface ExplainOptions extends EngineChoice {
  /** Row of the candidates, from 1. Default 1. */
  readonly row?: number;
  /** How many past experiments near it to name. Default 3. */
  readonly nearest?: number;
}

/**
 * What a run expects of rows of another table, which has the columns that designs set: value, interval, trust, and the
 * constraints that each row breaks. Throws `TableError` with line and column where a row is no design.
 *
 * @example
 * const { rows } = await score(run, await readTable([{ temp: 70, time: 3 }]));
 */
export async function score(run: Run, rows: Table, choice: EngineChoice = {}): Promise<AssessedRows> {
  return withKernel(run.run.kernel, choice, async (engine, note) => {
    const { notes, ...assessed } = await assessRows(await advisorOf(run, engine), rows);
    return { ...assessed, notes: note === null ? notes : [...notes, note] };
  });
}

/**
 * Why a run proposed a row: past experiments near it, what each change contributes, and one column at a time.
 *
 * @example
 * const { explanation } = await explain(run, { row: 2 });
 */
export async function explain(run: Run, options: ExplainOptions = {}): Promise<CandidateExplanation> {
  const { row = 1, nearest = 3 } = options;
  requireCount('nearest', nearest);
  const candidate = candidateOf(run, row);
  return withKernel(run.run.kernel, options, async (engine) =>
    explainCandidate(await advisorOf(run, engine), candidate, { count: nearest, seed: run.asked.seed }),
  );
}

function candidateOf({ candidates }: Run, row: number): Candidate {
  const found = candidates.find((candidate) => candidate.row === row);
  if (found) return found;
  throw new ArgumentError(
    'row',
    candidates.length === 0
      ? 'the run proposed no rows, so there is nothing to explain'
      : `there is no row ${row}: the run proposed ${candidates.length} ${candidates.length === 1 ? 'row' : 'rows'}`,
  );
}
