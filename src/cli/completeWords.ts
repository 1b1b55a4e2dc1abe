import type { ProblemWords } from '../problem/index.js';
import { InfeasibleError } from '../space/index.js';
import { checkTable } from './checkTable.js';
import { type ReadProblem, requireGoals } from './problemOptions.js';

/** With the mixtures that were found. Refuses a missing goal and constraints that exclude each other. */
export async function completeWords({ words, table, choices }: ReadProblem): Promise<ProblemWords> {
  const report = await checkTable(table, words, choices);
  requireGoals(words, report.goals[0]);
  if (report.conflict.length > 0) throw new InfeasibleError(report.conflict);
  const mixtures = report.mixtures.map(({ columns, sum }) => ({ columns: [...columns], sum }));
  return mixtures.length > 0 ? { ...words, mixtures } : words;
}
