/** Why a candidate is what it is: experiments near it, what each change brings, and one column at a time. */

import { movableColumns } from '../design/describe.js';
import type { Candidate, Nearest, Profile } from '../design/runDocument.js';
import { type Explanation, explain } from '../judging/contributions.js';
import { profilesOf } from '../judging/profiles.js';
import { foldKey, rootKey } from '../numeric/key.js';
import { toDesigns } from '../problem/index.js';
import { readTable } from '../table/index.js';
import type { OpenedRun } from './keptRun.js';

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
  { advisor, problem, request }: Pick<OpenedRun, 'advisor' | 'problem' | 'request'>,
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
