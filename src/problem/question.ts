/** What a program asks of a table, and the problem that follows: the one way into `check`, `design` and `rehearse`. */
import { ArgumentError } from '../numeric/errors.js';
import type { Table } from '../table/table.js';
import { type CheckReport, checkTable } from './checkTable.js';
import { outlineProblem } from './columnRoles.js';
import type { Fingerprints } from './molecules.js';
import { fingerprintsFor } from './platform/rdkit.js';
import { type ColumnSpec, type ProblemSpec, specOf } from './problemSpec.js';
import { type Problem, requireFeasible, stateProblem } from './stateProblem.js';

/** What is asked of a table, in the words of a problem file (docs/problem-file.md). Plain data, `fingerprints` aside. */
export interface Question {
  /** What is wanted, such as "max yield"; several for several goals. `check` assumes one where it is left out. */
  readonly goal?: string | readonly string[];
  /** Type, bounds, step, role or fixed value of columns by name. What is absent is found from the table. */
  readonly columns?: Readonly<Record<string, ColumnSpec>>;
  /** Columns with a constant sum. Default: found. */
  readonly mixtures?: readonly { readonly columns: readonly string[]; readonly sum: number }[];
  /** What every design satisfies, such as "2*a + b <= 30" or "at most 3 of a, b, c, d". */
  readonly constraints?: readonly string[];
  /** Where values of goals can lie: `{ yield: [0, 100] }`; null where there is no end. Default: by name, unit and data. */
  readonly limits?: Readonly<Record<string, readonly [lower: number | null, upper: number | null]>>;
  /** Designs may equal past rows. Default false. */
  readonly allowRepeats?: boolean;
  /** False: take no role, relation, step or limit from the names and values of columns. Default true. */
  readonly assume?: boolean;
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
