/**
 * Which part each column of a table plays. Every command asks here, so that `check` shows what `design` does.
 * Mixtures and a goal can be found on the way, since both depend on the columns and the columns' parts on them.
 */
import { inspect, type TypedColumn } from '../table/columnTypes.js';
import type { Table } from '../table/table.js';
import { saysCounter, saysNote, saysOutcome } from './columnWords.js';
import { type Goal, parseGoals } from './goals.js';
import { LEAST_ROWS } from './leastRows.js';
import { requireMagnitudes } from './magnitudes.js';
import { type Mixture, searchMixtures } from './mixtures.js';
import { type Fingerprints, type MoleculeReading, readMolecules } from './molecules.js';
import { type GoalCandidate, guessGoals } from './nameHints.js';
import type { ProblemSpec } from './problemSpec.js';
import { findRelations, type Relation } from './relations.js';
import { type AssumedRole, assumeRoles, saidColumns } from './roleEvidence.js';

/**
 * goal: measured and wanted. design: a design sets it. context: the model sees it, designs do not change it.
 * fixed: every design has the same value. left out: nobody looks at it.
 */
export type ColumnRole = 'goal' | 'design' | 'context' | 'fixed' | 'left out';

/** A column of the table with its type and its part. */
export interface RoledColumn extends TypedColumn {
  readonly role: ColumnRole;
  /** Why the column is left out; empty where it takes part and somebody said so. */
  readonly reason: string;
  /** Nobody said so: the role follows from its name, its values or its place. */
  readonly assumed?: boolean;
}

export interface OutlineOptions {
  /** Designs are chosen among the rows of this table, which has a column for everything a design sets. */
  readonly choices?: Table;
  /** Lets columns of molecules take part: what `openFingerprints` of `nemokit` gives. */
  readonly fingerprints?: Fingerprints;
  /**
   * The table is met for the first time: look for columns with a constant sum where the spec names none, and for roles,
   * relations, steps and limits unless `spec.assume` is false. Default false.
   */
  readonly findMixtures?: boolean;
  /** The table whose rows the given ones are taken from: types and magnitudes are those of all its rows. */
  readonly whole?: Table;
  /** Take the likeliest goal where the spec has none. Default false. */
  readonly guessGoal?: boolean;
}

/** A problem up to the parts of its columns, which exists even where there is no goal, or nothing to learn from. */
export interface ProblemOutline {
  readonly table: Table;
  readonly choices?: Table;
  /** As given, with the goal that was guessed and the mixtures that were found. */
  readonly spec: ProblemSpec;
  readonly goals: readonly Goal[];
  /** Goals to choose from, the likeliest first; empty where one was given. */
  readonly goalCandidates: readonly GoalCandidate[];
  /** Mixtures that were found, not given. */
  readonly found: readonly Mixture[];
  /** Constant sums are everywhere, so that none was taken for a mixture. */
  readonly isCrowded: boolean;
  /** In the table's order. */
  readonly columns: readonly RoledColumn[];
  /** Why columns have the parts that nobody gave them. */
  readonly assumed: ReadonlyMap<string, AssumedRole>;
  /** Columns that follow from others: designs do not set them, they are computed. */
  readonly relations: readonly Relation[];
  /** Columns of molecules that take part. */
  readonly molecules: ReadonlyMap<string, Extract<MoleculeReading, { column: unknown }>>;
}

/** Throws `ExpressionError` where a goal cannot be read and `TableError` where a type does not fit its column. */
export function outlineProblem(
  table: Table,
  spec: ProblemSpec,
  options: OutlineOptions = {},
): ProblemOutline {
  const names = table.columns.map(({ name }) => name);
  const whole = options.whole ?? table;
  const types = typesOf(whole, spec);
  const given = spec.goals.length > 0 ? parseGoals(spec.goals, names) : [];
  requireMagnitudes(whole, types, given, (type) => isUsed(type, spec));
  const assume = spec.assume ?? options.findMixtures ?? false;
  const isSought = options.findMixtures && !spec.mixtures;
  const recipes = (goals: readonly Goal[], roles?: ReadonlyMap<string, AssumedRole>) =>
    isSought ? searchMixtures(table, mixtureCandidates(types, spec, goals, roles)) : [];
  const goalCandidates =
    options.guessGoal && given.length === 0
      ? guessGoals(types, spokenFor(table, spec, recipes([]) ?? []))
      : [];
  const guess = goalCandidates.slice(0, 1).map(({ goal }) => goal);
  const goals = guess.length > 0 ? parseGoals(guess, names) : given;
  if (guess.length > 0) requireMagnitudes(whole, types, goals, () => false);
  const assumed = assume ? assumeRoles(table, types, spec, goals) : new Map<string, AssumedRole>();
  const sought = recipes(goals, assumed);
  const found = sought ?? [];
  const mixtures = found.map(({ columns, sum }) => ({ columns, sum }));
  const { choices, fingerprints } = options;
  const relations =
    assume && !choices
      ? relationsAmong(table, mixtureCandidates(types, spec, goals, assumed), spec, mixtures)
      : [];
  const goalNames = new Set(goals.map(({ column }) => column));
  const isSeen = ({ name }: TypedColumn) => !goalNames.has(name) && spec.columns?.[name]?.role !== 'ignore';
  const past = { table, rows: measuredRows(table, goals) };
  const molecules = fingerprints
    ? readAllMolecules(types.filter(isSeen), past, choices, fingerprints)
    : new Map<string, MoleculeReading>();
  return {
    table,
    ...(choices && { choices }),
    spec: {
      ...spec,
      ...(guess.length > 0 && { goals: guess }),
      ...(mixtures.length > 0 && { mixtures }),
      ...(assume && { assume }),
    },
    goals,
    goalCandidates,
    found,
    isCrowded: sought === null,
    columns: types.map((type) => {
      const column = roled(type, spec, goalNames, molecules.get(type.name));
      return column.role === 'design'
        ? asAssumed(
            column,
            assumed.get(type.name),
            relations.find((one) => one.column === type.name),
          )
        : column;
    }),
    assumed,
    relations,
    molecules: new Map(
      [...molecules].flatMap(([name, reading]) => ('column' in reading ? [[name, reading] as const] : [])),
    ),
  };
}

/** The column in the part that its evidence gives it. */
function asAssumed(
  column: RoledColumn,
  assumed: AssumedRole | undefined,
  relation: Relation | undefined,
): RoledColumn {
  if (relation)
    return {
      ...column,
      role: 'left out',
      reason: `it follows from others: ${relation.label}`,
      assumed: true,
    };
  if (!assumed) return column;
  return {
    ...column,
    role: assumed.role,
    reason: `${probably[assumed.kind]}: ${assumed.why}`,
    assumed: true,
  };
}

export const probably: Readonly<Record<AssumedRole['kind'], string>> = {
  outcome: 'probably an outcome',
  note: 'probably a note',
  context: 'probably a context',
  counter: 'it counts or names rows',
};

/** Relations among settings. One member of each recipe is set aside, because it follows from the others already. */
function relationsAmong(
  table: Table,
  candidates: readonly string[],
  spec: ProblemSpec,
  found: readonly { readonly columns: readonly string[] }[],
): Relation[] {
  const mixtures = [...found, ...(spec.mixtures ?? [])];
  const lasts = new Set(mixtures.map(({ columns }) => columns.at(-1)!));
  const members = new Set(mixtures.flatMap(({ columns }) => columns));
  const said = saidColumns(spec);
  const names = candidates.filter((name) => !lasts.has(name));
  return findRelations(table, names, new Set(names.filter((name) => !said.has(name) && !members.has(name))));
}

function roled(
  type: TypedColumn,
  spec: ProblemSpec,
  goals: ReadonlySet<string>,
  molecules: MoleculeReading | undefined,
): RoledColumn {
  const settings = spec.columns?.[type.name];
  if (goals.has(type.name)) return { ...type, role: 'goal', reason: '' };
  if (settings?.role === 'ignore') return { ...type, role: 'left out', reason: 'it is ignored, as asked' };
  const reason = molecules ? ('reason' in molecules ? molecules.reason : '') : whyLeftOut(type);
  if (reason !== '') return { ...type, role: 'left out', reason };
  if (settings?.role === 'context') return { ...type, role: 'context', reason: '' };
  return { ...type, role: settings?.fixed === undefined ? 'design' : 'fixed', reason: '' };
}

/** Whether somebody may look at the numbers of a column, goals aside. */
function isUsed(type: TypedColumn, spec: ProblemSpec): boolean {
  return spec.columns?.[type.name]?.role !== 'ignore' && whyLeftOut(type) === '';
}

/** Why a column of this type takes no part; empty if it does. */
function whyLeftOut({ type, evidence }: TypedColumn): string {
  switch (type) {
    case 'date':
    case 'identifier':
      return evidence;
    case 'constant':
      return 'it is the same in every row';
    case 'smiles':
      return 'molecules need RDKit; run npm install @rdkit/rdkit';
    default:
      return '';
  }
}

/**
 * Types of all columns. Dates and names of rows that somebody calls settings are read as numbers or categories. In a
 * table of few rows, a column of numbers that never changed is varied where bounds say how far it may go.
 */
function typesOf(table: Table, spec: ProblemSpec): TypedColumn[] {
  const said = overridesOf(spec);
  const types = inspect(table, said);
  const kindOf = (name: string) => table.columns.find((column) => column.name === name)!.kind;
  const settings = types.flatMap(({ name, type, isIgnored }) => {
    const { role, bounds } = spec.columns?.[name] ?? {};
    const isOpened = table.rows < LEAST_ROWS && type === 'constant' && bounds !== undefined;
    if (isOpened) return [[name, { ...said[name], type: 'number' as const }] as const];
    if (!isIgnored || role !== 'design') return [];
    return [
      [name, { type: kindOf(name) === 'number' ? ('number' as const) : ('category' as const) }] as const,
    ];
  });
  return settings.length === 0 ? types : inspect(table, { ...said, ...Object.fromEntries(settings) });
}

/** What the spec says about the types of columns, for `inspect`. */
function overridesOf({ columns = {} }: ProblemSpec) {
  const entries = Object.entries(columns).flatMap(([name, { type, log, levels }]) => {
    const order = type === 'ordered' && levels ? { order: levels } : {};
    const override = { ...(type && { type }), ...(log !== undefined && { logScale: log }), ...order };
    return Object.keys(override).length > 0 ? [[name, override] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** Rows in which every goal has a number. */
function measuredRows(table: Table, goals: readonly Goal[]): number[] {
  const columns = goals.map((goal) => table.columns.find(({ name }) => name === goal.column));
  return Array.from({ length: table.rows }, (_, row) => row).filter((row) =>
    columns.every((column) => column?.kind === 'number' && Number.isFinite(column.values[row])),
  );
}

function readAllMolecules(
  types: readonly TypedColumn[],
  past: { readonly table: Table; readonly rows: readonly number[] },
  choices: Table | undefined,
  fingerprints: Fingerprints,
): Map<string, MoleculeReading> {
  const listed = choices && {
    table: choices,
    rows: Array.from({ length: choices.rows }, (_, row) => row),
  };
  const sources = listed ? [past, listed] : [past];
  const names = types.filter(({ type }) => type === 'smiles').map(({ name }) => name);
  return new Map(names.map((name) => [name, readMolecules(name, sources, fingerprints)]));
}

/** Columns of numbers that a design sets. */
function mixtureCandidates(
  types: readonly TypedColumn[],
  spec: ProblemSpec,
  goals: readonly Goal[],
  roles: ReadonlyMap<string, AssumedRole> = new Map(),
): string[] {
  return types
    .filter(({ type, name }) => {
      const settings = spec.columns?.[name];
      const isSet = settings?.role === undefined || settings.role === 'design';
      const isFree = isSet && settings?.fixed === undefined && !roles.has(name);
      const isGoal = goals.some((goal) => goal.column === name);
      return (type === 'number' || type === 'integer') && isFree && !isGoal;
    })
    .map(({ name }) => name);
}

/** Columns that cannot be a goal: members of mixtures, and those with a role. */
function spokenFor(
  { columns: all }: Table,
  { columns = {}, mixtures = [] }: ProblemSpec,
  found: readonly Mixture[],
): Set<string> {
  const withRole = Object.keys(columns).filter((name) => columns[name]!.role !== undefined);
  // shares of products add up as well as shares of ingredients do
  const recipes = [...mixtures, ...found.filter((mixture) => !mixture.columns.some(saysOutcome))];
  const counters = all.flatMap(({ name }) => (saysCounter(name) || saysNote(name) ? [name] : []));
  return new Set([...recipes.flatMap((mixture) => mixture.columns), ...withRole, ...counters]);
}
