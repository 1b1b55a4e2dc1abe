/** What a program asks of a table, and the problem that follows: the one way into `check`, `design` and `rehearse`. */
import { ArgumentError } from '../numeric/errors.js';
import type { Table } from '../table/table.js';
import { type CheckReport, checkTable } from './checkTable.js';
import { outlineProblem } from './columnRoles.js';
import type { Fingerprints } from './molecules.js';
import { fingerprintsFor } from './platform/rdkit.js';
import { type ProblemSpec, specOf } from './problemSpec.js';
import { type Problem, requireFeasible, stateProblem } from './stateProblem.js';

/** What is asked of a table, in the words of a problem file (docs/problem-file.md). Plain data, `fingerprints` aside. */
export interface Question extends Omit<ProblemSpec, 'goals'> {
  /** What is wanted, such as "max yield"; several for several goals. `check` assumes one where it is left out. */
  readonly goal?: string | readonly string[];
  /** Designs are rows of this table only. */
  readonly choices?: Table;
  /** Bits of molecules. Default: by RDKit where the table has molecules and `@rdkit/rdkit` is installed. */
  readonly fingerprints?: Fingerprints;
}

export function specFrom({ goal = [], ...rest }: Question): ProblemSpec {
  return specOf({ goals: typeof goal === 'string' ? [goal] : goal, ...rest });
}

/**
 * The problem of a run: mixtures are found, molecules are read, and some design satisfies all constraints. Throws
 * `TableError`, `ExpressionError`, `ArgumentError` or `InfeasibleError`.
 */
export async function stateFor(
  table: Table,
  spec: ProblemSpec,
  { choices, fingerprints }: Pick<Question, 'choices' | 'fingerprints'> = {},
): Promise<Problem> {
  if (spec.goals.length === 0) {
    const { goalCandidates } = outlineProblem(table, spec, { findMixtures: true, guessGoal: true });
    const guess = goalCandidates[0]?.goal ?? 'max yield';
    throw new ArgumentError('goal', `no goal is given; say what you want, such as "${guess}"`);
  }
  const problem = stateProblem(table, spec, {
    ...(choices && { choices }),
    ...(fingerprints ? { fingerprints } : await fingerprintsFor(table)),
    findMixtures: true,
  });
  await requireFeasible(problem);
  return problem;
}

/**
 * Says what is in a table, what is odd about it and what it can support. Without a goal, the likeliest one is assumed.
 *
 * @example
 * const { columns, findings, support } = await check(table, { goal: 'max yield' });
 */
export async function check(table: Table, question: Question = {}): Promise<CheckReport> {
  const { choices, fingerprints } = question;
  return checkTable(table, specFrom(question), {
    ...(choices && { choices }),
    ...(fingerprints ? { fingerprints } : await fingerprintsFor(table)),
  });
}
