/** What is in a table and what it can support, as plain data: what `nemokit check --json` prints. */
import { decadeOf, powerOfTen } from '../numeric/portable.js';
import { extent } from '../numeric/stats.js';
import { decideFeasibility } from '../space/index.js';
import type { TypedColumn } from '../table/columnTypes.js';
import { selectRows } from '../table/selectRows.js';
import type { Table, TableColumn } from '../table/table.js';
import { placesOf } from './buildSpace.js';
import { type ColumnRole, outlineProblem, type ProblemOutline, type RoledColumn } from './columnRoles.js';
import { examine, type Finding } from './doctor.js';
import { LEAST_ROWS } from './leastRows.js';
import { idleLimits, limitsOf } from './limits.js';
import { deviationFrom, LONGEST_RUN, MANY_COLUMNS, type Mixture, MOST_GROUPS } from './mixtures.js';
import { type ContextHint, contextHints, type GoalCandidate } from './nameHints.js';
import type { ProblemSpec } from './problemSpec.js';
import { type Relation, WIDEST } from './relations.js';
import type { AssumedKind } from './roleEvidence.js';
import { someRows } from './someRows.js';
import { howToChange } from './spokenAssumptions.js';
import { completeProblem, type Problem, type ProblemOptions } from './stateProblem.js';

export const checkVersion = 1;

/** `goal?` where nobody named a goal and this one is assumed. */
export type CheckedRole = ColumnRole | 'goal?';

/** A column of a table as `check` read it. */
export interface CheckedColumn {
  readonly name: string;
  readonly type: TypedColumn['type'];
  readonly role: CheckedRole;
  /** Of columns of numbers. */
  readonly range: { readonly min: number; readonly max: number } | null;
  /** Of columns of text, the most frequent first, at most 20. */
  readonly levels: readonly { readonly text: string; readonly rows: number }[];
  readonly distinct: number;
  readonly missing: number;
  /** Why it was read so. */
  readonly evidence: string;
  /** What to look at; empty where nothing is odd. */
  readonly note: string;
  /** True where nobody gave the column its role: it follows from its name, values or place. */
  readonly assumed?: boolean;
  /** Designs are whole multiples of this from some value of the table; absent where they may lie anywhere. */
  readonly step?: number;
}

/** A part that a column has though nobody said so. */
export interface AssumedColumn {
  readonly column: string;
  /** What it probably is. */
  readonly kind: AssumedKind;
  readonly why: string;
  /** The options that change it, in a sentence. */
  readonly change: string;
  /** A goal that it could be, such as "min cost". */
  readonly goal?: string;
}

/** Whether there are enough rows for what is asked. */
export interface Support {
  readonly level: 'good' | 'thin' | 'none';
  /** Distinct settings with every goal measured. */
  readonly rows: number;
  /** Numbers that describe one design. */
  readonly numbers: number;
  readonly sentence: string;
}

/** What `check` says about a table. */
export interface CheckReport {
  readonly checkVersion: typeof checkVersion;
  readonly file: string;
  readonly rows: number;
  readonly columns: readonly CheckedColumn[];
  /** What the reader assumed. */
  readonly notes: readonly string[];
  /** Found in the table, or given. */
  readonly mixtures: readonly (Mixture & { readonly isGiven: boolean })[];
  /** Columns that are no settings by their names, values or place. */
  readonly assumed: readonly AssumedColumn[];
  /** Columns that follow from others, and are computed for designs. */
  readonly relations: readonly Relation[];
  /** Where values of the goals can lie; null where there is no end. */
  readonly limits: readonly {
    readonly column: string;
    readonly lower: number | null;
    readonly upper: number | null;
    readonly isAssumed: boolean;
    readonly why: string;
  }[];
  /** In the language of goals; what the rest of the report is about. */
  readonly goals: readonly string[];
  /** The measured columns behind the goals, in their order. */
  readonly goalColumns: readonly string[];
  /** Whether several goals, or a target, are joined to one desirability. */
  readonly isDesirability: boolean;
  /** Whether the goal is a guess. */
  readonly isGuess: boolean;
  readonly goalCandidates: readonly GoalCandidate[];
  readonly findings: readonly Finding[];
  /** Rows that repeat the settings of another; `noise` is their spread (standard deviation) in units of the score. */
  readonly replicates: { readonly groups: number; readonly rows: number; readonly noise: number } | null;
  /** Columns that were probably not chosen. */
  readonly contextHints: readonly ContextHint[];
  /** Null where there is nothing to aim at. */
  readonly support: Support | null;
  /** Constraints that exclude each other, as they were written; empty if designs exist. */
  readonly conflict: readonly string[];
}

/**
 * Looks at a table as a run would: the same columns in the same parts, the same rows, the same space. Mixtures are
 * looked for and a goal is assumed where the spec has none. Throws what `stateProblem` throws.
 */
export async function checkTable(
  whole: Table,
  spec: ProblemSpec,
  options: Omit<ProblemOptions, 'findMixtures'> = {},
): Promise<CheckReport> {
  const some = someRows(whole);
  const table = some ? selectRows(whole, some) : whole;
  const inWhole = (rows: readonly number[]) => (some ? rows.map((row) => some[row]!) : rows);
  const outline = outlineProblem(table, spec, { ...options, whole, findMixtures: true, guessGoal: true });
  const isGuess = outline.goalCandidates.length > 0;
  const mixtures = mixturesOf(outline);
  const inputs = outline.columns.filter(isInput).map(({ name }) => name);
  const findings =
    inputs.length === 0
      ? []
      : outline.goals.flatMap(({ column }) =>
          examine(table, { goal: column, inputs, ...(some && { part: { whole, rows: some } }) }).filter(
            (finding) => !isRecipe(finding, mixtures),
          ),
        );
  const isUnmeasured = findings.some(({ kind, severity }) => kind === 'missingGoal' && severity === 'error');
  const problem =
    outline.goals.length === 0 || inputs.length === 0 || isUnmeasured ? undefined : completeProblem(outline);
  const columns = problem?.tableColumns ?? outline.columns;
  const places = placesOf(problem?.columns ?? []);
  const report = {
    checkVersion,
    file: table.name,
    rows: whole.rows,
    columns: columns.map((column, j) =>
      describeColumn(
        whole.columns[j]!,
        column,
        isGuess,
        mixtures,
        whyLeftOut(column, spec, options),
        column.role === 'design' && problem ? stepAt(problem, places.get(column.name)) : undefined,
      ),
    ),
    notes: [
      ...table.notes,
      ...notSought(outline, whole.rows),
      ...(problem ? idleLimits(problem.limits, outline.spec) : []),
    ],
    mixtures: mixtures.map((one) => (one.off ? { ...one, off: inWhole(one.off) } : one)),
    assumed: columns.flatMap((column): AssumedColumn[] => {
      const role = column.assumed ? outline.assumed.get(column.name) : undefined;
      if (!role) return [];
      const { kind, why, goal } = role;
      const change = howToChange(outline, column);
      return [{ column: column.name, kind, why, change, ...(goal !== undefined && { goal }) }];
    }),
    relations: outline.relations.map((one) => ({ ...one, off: inWhole(one.off) })),
    limits: limitsOf(whole, outline.goals, outline.spec)
      .filter(({ lower, upper }) => Number.isFinite(lower) || Number.isFinite(upper))
      .map((limits) => ({
        ...limits,
        lower: Number.isFinite(limits.lower) ? limits.lower : null,
        upper: Number.isFinite(limits.upper) ? limits.upper : null,
      })),
    goals: outline.spec.goals,
    goalColumns: outline.goals.map(({ column }) => column),
    isDesirability: problem?.rule.kind === 'desirability',
    isGuess,
    goalCandidates: outline.goalCandidates,
    findings: unique(findings).filter(({ kind }) => !some || kind !== 'conflictingRows'),
  } as const;
  if (!problem) {
    const isFixed = inputs.length === 0 && !isGuess && outline.goals.length > 0;
    const support = isFixed ? nothingToSet(whole.rows) : null;
    return { ...report, contextHints: [], replicates: null, support, conflict: [] };
  }
  const answer = await decideFeasibility(problem.space);
  return {
    ...report,
    contextHints: contextHints(table, columns, outline.goals[0]!.column),
    replicates: some ? null : replicatesIn(problem),
    support: supportOf(problem.data.y, numbersOf(table, columns), findings, some !== undefined),
    conflict: answer.feasible ? [] : answer.conflict,
  };
}

/** What is looked for in tables of fewer columns only, in sentences. */
function notSought({ table, columns, spec, isCrowded }: ProblemOutline, all: number): string[] {
  const isOpen = ({ role }: RoledColumn) => role === 'design' || role === 'context';
  const numbers = columns.flatMap((column, j) => {
    const source = table.columns[j]!;
    return isOpen(column) && source.kind === 'number' ? [source] : [];
  });
  const many = `there are ${numbers.length} columns of numbers`;
  const notes: string[] = [];
  if (table.rows < all)
    notes.push(
      `What is said beside types, ranges and levels is about ${table.rows} of the ${all} rows, spread over the table; repeated settings were not counted.`,
    );
  if (spec.assume !== false && numbers.length > WIDEST)
    notes.push(`Columns that follow from several others were not looked for: ${many}, more than ${WIDEST}.`);
  if (numbers.length > MANY_COLUMNS && !spec.mixtures)
    notes.push(
      `Recipes were looked for among at most ${LONGEST_RUN} neighbouring columns: ${many}; --mixture names others.`,
    );
  if (isCrowded)
    notes.push(
      `No recipe was taken for one: more than ${MOST_GROUPS} groups of columns have a constant sum, as small numbers that repeat have by chance; --mixture names one.`,
    );
  return notes;
}

/** Whether a model sees the column. */
function isInput({ role }: RoledColumn): boolean {
  return role === 'design' || role === 'context' || role === 'fixed';
}

function replicatesIn({ rows, noise }: Problem): CheckReport['replicates'] {
  const repeated = rows.filter((group) => group.length > 1);
  return noise === null ? null : { groups: repeated.length, rows: repeated.flat().length, noise };
}

function unique(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ message }) => !seen.has(message) && seen.add(message));
}

function mixturesOf({ table, spec, found }: ProblemOutline): CheckReport['mixtures'] {
  if (found.length > 0) return found.map((mixture) => ({ ...mixture, isGiven: false }));
  return (spec.mixtures ?? []).map(({ columns, sum }) => ({
    columns,
    sum,
    ...deviationFrom(sum, table, columns),
    isGiven: true,
  }));
}

/** Of two columns that add up to a constant each follows from the other: that is no fault. */
function isRecipe({ kind, columns }: Finding, mixtures: CheckReport['mixtures']): boolean {
  return (
    kind === 'derivedColumn' &&
    columns.length > 0 &&
    mixtures.some((mixture) => columns.every((name) => mixture.columns.includes(name)))
  );
}

function describeColumn(
  column: TableColumn,
  { name, type, distinct, missing, evidence, logScale, role, assumed }: RoledColumn,
  isGuess: boolean,
  mixtures: CheckReport['mixtures'],
  reason: string,
  step: number | undefined,
): CheckedColumn {
  const known = column.kind === 'number' ? column.values.filter((value) => !Number.isNaN(value)) : [];
  const levels = column.kind === 'text' ? levelCounts(column) : [];
  const censored = column.kind === 'number' ? (column.censored?.filter((side) => side !== 0).length ?? 0) : 0;
  const rare = levels.filter(({ rows }) => rows < 5 && rows < 0.1 * rowsOf(column));
  const at = mixtures.findIndex((mixture) => mixture.columns.includes(name));
  const notes: string[] = [];
  if (at >= 0) notes.push(mixtures.length > 1 ? `recipe ${at + 1}` : 'recipe');
  if (role === 'left out' || assumed) notes.push(reason);
  // whole numbers and last digits need no words
  if (step !== undefined && (step > 1 || !isPowerOfTen(step))) notes.push(`steps of ${step}`);
  if (censored > 0) notes.push(`${censored} beyond a limit ("<" or ">")`);
  if (logScale && role !== 'left out') notes.push('spans decades');
  if (role === 'design' && ['category', 'ordered'].includes(type) && rare.length > 0) {
    const some = rare.slice(0, 3).map(({ text }) => text);
    notes.push(
      rare.length === 1
        ? `${some[0]} seen only ${rare[0]!.rows === 1 ? 'once' : `${rare[0]!.rows} times`}`
        : `${rare.length > 3 ? `${rare.length} levels` : some.join(', ')} seen fewer than 5 times`,
    );
  }
  return {
    name,
    type,
    role: role === 'goal' && isGuess ? 'goal?' : role,
    range: known.length > 0 ? extent(known) : null,
    levels: levels.slice(0, 20),
    distinct,
    missing,
    evidence,
    note: notes.join('; '),
    ...(assumed && { assumed }),
    ...(step !== undefined && { step }),
  };
}

/** How finely designs set a column. */
function stepAt({ resolution, space }: Problem, at: number | undefined): number | undefined {
  const column = at === undefined ? undefined : space.columns[at];
  if (column?.kind !== 'continuous') return undefined;
  return resolution[at!]?.step ?? column.step;
}

function isPowerOfTen(step: number): boolean {
  return step === powerOfTen(decadeOf(step));
}

/** In a few words, for a cell of a table. */
function whyLeftOut(
  { name, type, reason, assumed }: RoledColumn,
  { columns = {} }: ProblemSpec,
  { fingerprints }: ProblemOptions,
): string {
  if (columns[name]?.role === 'ignore') return 'ignored, as you said';
  if (assumed) return /^it follows/.test(reason) ? 'follows from others' : reason.split(':')[0]!;
  if (type === 'constant') return 'never changes';
  if (type === 'date') return 'dates are left out';
  if (type === 'identifier') return 'names rows, not conditions';
  return type === 'smiles' && !fingerprints ? 'molecules need npm install @rdkit/rdkit' : reason;
}

function rowsOf(column: TableColumn): number {
  return column.kind === 'number' ? column.values.length : column.codes.length;
}

function levelCounts({ levels, codes }: Extract<TableColumn, { kind: 'text' }>) {
  const rows = new Array<number>(levels.length).fill(0);
  for (const code of codes) if (code >= 0) rows[code]!++;
  return levels.map((text, i) => ({ text, rows: rows[i]! })).sort((a, b) => b.rows - a.rows);
}

/** As the doctor counts: a category of k levels takes k - 1 numbers, a sequence or a molecule one. */
function numbersOf(table: Table, columns: readonly RoledColumn[]): number {
  const isOne = (type: RoledColumn['type'], j: number) =>
    table.columns[j]!.kind === 'number' || type === 'sequence' || type === 'smiles';
  const numbers = columns.map((column, j) => {
    if (!isInput(column)) return 0;
    return isOne(column.type, j) ? 1 : Math.max(1, column.distinct - 1);
  });
  return numbers.reduce((sum, count) => sum + count, 0);
}

function nothingToSet(rows: number): Support {
  return {
    level: 'none',
    rows,
    numbers: 0,
    sentence:
      'There is no column that a design could set: each is a goal, names rows, never changes or is ignored.',
  };
}

/** The doctor's limits: five rows for each number of a design, and no fewer than two, or eight in all. */
function supportOf(
  scores: Float64Array,
  numbers: number,
  findings: readonly Finding[],
  isLeast: boolean,
): Support {
  const rows = scores.length;
  const few = findings.find(({ kind }) => kind === 'tooFewRows');
  const each = rows / numbers;
  const per = `${rows}${isLeast ? ' or more' : ''} different settings for ${numbers} ${numbers === 1 ? 'number' : 'numbers'} per design`;
  const ratio = each >= 10 ? Math.round(each) : Number(each.toFixed(1));
  if (rows < LEAST_ROWS)
    return {
      level: 'none',
      rows,
      numbers,
      sentence: `${per}: too few to model. A design is then a plan that spreads over the space, for you to measure.`,
    };
  const { min, max } = extent(scores);
  if (min === max)
    return {
      level: 'none',
      rows,
      numbers,
      sentence: `${per}, and all have the same score: nothing says which are better. Choose another goal.`,
    };
  if (few?.severity === 'error')
    return {
      level: 'none',
      rows,
      numbers,
      sentence: `${per}: too few to learn from. Leave columns out, fix some, or measure more first.`,
    };
  if (few)
    return {
      level: 'thin',
      rows,
      numbers,
      sentence: `${per}, ${ratio} each: thin. Expect wide ranges, and trust only designs close to past rows.`,
    };
  return {
    level: 'good',
    rows,
    numbers,
    sentence: `${per}, ${ratio} each: enough to propose designs. How good they are, the run checks on unseen rows.`,
  };
}
