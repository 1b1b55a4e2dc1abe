/** What is in a table and what it can support, as plain data: what `nemokit check --json` prints. */
import { extent } from '../numeric/stats.js';
import {
  deviationFrom,
  examine,
  type Finding,
  findMixtures,
  type Mixture,
  type ProblemWords,
  parseGoals,
  problem,
} from '../problem/index.js';
import { overridesOf } from '../problem/tableProblem.js';
import { decideFeasibility } from '../space/index.js';
import { inspect, type Table, type TableColumn, type TypedColumn } from '../table/index.js';
import { type ContextHint, contextHints } from './contextHints.js';
import { type GoalCandidate, guessGoals } from './goalGuess.js';

export const checkVersion = 1;

export type Role = 'goal' | 'goal?' | 'design' | 'context' | 'left out';

export interface CheckedColumn {
  readonly name: string;
  readonly type: TypedColumn['type'];
  readonly role: Role;
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
}

export interface Support {
  readonly level: 'good' | 'thin' | 'none';
  /** Distinct settings with every goal measured. */
  readonly rows: number;
  /** Numbers that describe one design. */
  readonly numbers: number;
  readonly sentence: string;
}

export interface CheckReport {
  readonly checkVersion: typeof checkVersion;
  readonly file: string;
  readonly rows: number;
  readonly columns: readonly CheckedColumn[];
  /** What the reader assumed. */
  readonly notes: readonly string[];
  /** Found in the table, or given. */
  readonly mixtures: readonly (Mixture & { readonly isGiven: boolean })[];
  /** In the language of goals; what the rest of the report is about. */
  readonly goals: readonly string[];
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
  /** Demands that exclude each other, in the user's words; empty if designs exist. */
  readonly conflict: readonly string[];
}

export async function checkTable(table: Table, words: ProblemWords, choices?: Table): Promise<CheckReport> {
  const names = table.columns.map(({ name }) => name);
  const types = inspect(table, overridesOf(words));
  const asked = parseGoals(words.goals, names);
  const asGoals = new Set(asked.map(({ column }) => column));
  const isIgnored = (name: string) => words.columns?.[name]?.role === 'ignore';
  const isContext = (name: string) => words.columns?.[name]?.role === 'context';
  const mixtures = mixturesOf(table, types, words, asGoals);
  const mixed = new Set(mixtures.flatMap(({ columns }) => columns));
  const spoken = new Set([...mixed, ...names.filter((name) => isIgnored(name) || isContext(name))]);
  const goalCandidates = asked.length > 0 ? [] : guessGoals(types, spoken);
  const goals = asked.length > 0 ? words.goals : goalCandidates.slice(0, 1).map(({ goal }) => goal);
  const aims = new Set(parseGoals(goals, names).map(({ column }) => column));
  const isGuess = asked.length === 0 && goals.length > 0;

  const columns = types.map((type, j): CheckedColumn => {
    const isOut = isIgnored(type.name) || type.isIgnored || ['constant', 'smiles'].includes(type.type);
    const role = aims.has(type.name)
      ? isGuess
        ? 'goal?'
        : 'goal'
      : isOut
        ? 'left out'
        : isContext(type.name)
          ? 'context'
          : 'design';
    return describeColumn(table.columns[j]!, type, role, isIgnored(type.name), mixtures);
  });
  const base = {
    checkVersion,
    file: table.name,
    rows: table.rows,
    columns,
    notes: table.notes,
    mixtures,
    goals,
    isGuess,
    goalCandidates,
  } as const;
  const inputs = columns
    .filter(({ role }) => role === 'design' || role === 'context')
    .map(({ name }) => name);
  if (goals.length === 0 || inputs.length === 0)
    return { ...base, findings: [], contextHints: [], replicates: null, support: null, conflict: [] };

  const findings = parseGoals(goals, names).flatMap(({ column }) =>
    examine(table, { goal: column, inputs }).filter((finding) => !isRecipe(finding, mixtures)),
  );
  const isHopeless = findings.some(({ kind, severity }) => kind === 'missingGoal' && severity === 'error');
  if (isHopeless)
    return { ...base, findings, contextHints: [], replicates: null, support: null, conflict: [] };
  const made = problem(
    table,
    { ...words, goals, mixtures: mixtures.map(({ columns: own, sum }) => ({ columns: own, sum })) },
    choices ? { choices } : {},
  );
  const repeated = made.rows.filter((rows) => rows.length > 1);
  const answer = await decideFeasibility(made.space);
  return {
    ...base,
    findings: unique(findings),
    contextHints: contextHints(table, columns, [...aims][0]!),
    replicates:
      made.noise === null
        ? null
        : { groups: repeated.length, rows: repeated.flat().length, noise: made.noise },
    support: supportOf(made.data.y.length, numbersOf(columns), findings),
    conflict: answer.feasible ? [] : answer.conflict,
  };
}

function unique(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ message }) => !seen.has(message) && seen.add(message));
}

function mixturesOf(
  table: Table,
  types: readonly TypedColumn[],
  words: ProblemWords,
  goals: ReadonlySet<string>,
): CheckReport['mixtures'] {
  if (words.mixtures)
    return words.mixtures.map(({ columns, sum }) => ({
      columns,
      sum,
      ...deviationFrom(sum, table, columns),
      isGiven: true,
    }));
  return findMixtures(table, mixtureCandidates(types, words, goals)).map((found) => ({
    ...found,
    isGiven: false,
  }));
}

/** Columns of numbers that a design sets. */
export function mixtureCandidates(
  types: readonly TypedColumn[],
  words: ProblemWords,
  goals: ReadonlySet<string>,
): string[] {
  return types
    .filter(({ type, name }) => {
      const settings = words.columns?.[name];
      const isFree = settings?.role === undefined && settings?.fixed === undefined;
      return (type === 'number' || type === 'integer') && isFree && !goals.has(name);
    })
    .map(({ name }) => name);
}

/** Of two columns that add up to a constant each follows from the other: that is no fault. */
function isRecipe({ kind, columns }: Finding, mixtures: CheckReport['mixtures']): boolean {
  return (
    kind === 'derivedColumn' &&
    mixtures.some((mixture) => columns.every((name) => mixture.columns.includes(name)))
  );
}

function describeColumn(
  column: TableColumn,
  { name, type, distinct, missing, evidence, logScale }: TypedColumn,
  role: Role,
  isIgnored: boolean,
  mixtures: CheckReport['mixtures'],
): CheckedColumn {
  const known = column.kind === 'number' ? column.values.filter((value) => !Number.isNaN(value)) : [];
  const levels = column.kind === 'text' ? levelCounts(column) : [];
  const censored = column.kind === 'number' ? (column.censored?.filter((side) => side !== 0).length ?? 0) : 0;
  const rare = levels.filter(({ rows }) => rows < 5 && rows < 0.1 * rowsOf(column));
  const at = mixtures.findIndex((mixture) => mixture.columns.includes(name));
  const notes: string[] = [];
  if (at >= 0) notes.push(mixtures.length > 1 ? `recipe ${at + 1}` : 'recipe');
  if (role === 'left out')
    notes.push(
      isIgnored
        ? 'ignored, as you said'
        : type === 'constant'
          ? 'never changes'
          : type === 'smiles'
            ? 'molecules cannot be varied yet'
            : type === 'date'
              ? 'dates are left out'
              : 'names rows, not conditions',
    );
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
    role,
    range: known.length > 0 ? extent(known) : null,
    levels: levels.slice(0, 20),
    distinct,
    missing,
    evidence,
    note: notes.join('; '),
  };
}

function rowsOf(column: TableColumn): number {
  return column.kind === 'number' ? column.values.length : column.codes.length;
}

function levelCounts({ levels, codes }: Extract<TableColumn, { kind: 'text' }>) {
  const rows = new Array<number>(levels.length).fill(0);
  for (const code of codes) if (code >= 0) rows[code]!++;
  return levels.map((text, i) => ({ text, rows: rows[i]! })).sort((a, b) => b.rows - a.rows);
}

/** A category of k levels takes k - 1 numbers, as the doctor counts. */
function numbersOf(columns: readonly CheckedColumn[]): number {
  return columns
    .filter(({ role }) => role === 'design' || role === 'context')
    .reduce((sum, { range, distinct }) => sum + (range ? 1 : Math.max(1, distinct - 1)), 0);
}

/** The doctor's own lines: five rows for each number of a design, and no fewer than two, or eight in all. */
function supportOf(rows: number, numbers: number, findings: readonly Finding[]): Support {
  const few = findings.find(({ kind }) => kind === 'tooFewRows');
  const each = rows / numbers;
  const per = `${rows} different settings for ${numbers} ${numbers === 1 ? 'number' : 'numbers'} per design`;
  const ratio = each >= 10 ? Math.round(each) : Number(each.toFixed(1));
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
