/**
 * Which part each column of a table plays. Every command asks here, so that `check` shows what `design` does.
 * Mixtures and a goal can be found on the way, since both depend on the columns and the columns' parts on them.
 */
import { inspect, type TypedColumn } from '../table/columnTypes.js';
import type { Table } from '../table/table.js';
import { type Goal, parseGoals } from './goals.js';
import { LEAST_ROWS } from './leastRows.js';
import { findMixtures, type Mixture } from './mixtures.js';
import { type Fingerprints, type MoleculeReading, readMolecules } from './molecules.js';
import { type GoalCandidate, guessGoals } from './nameHints.js';
import type { ProblemSpec } from './problemSpec.js';

/**
 * goal: measured and wanted. design: a design sets it. context: the model sees it, designs do not change it.
 * fixed: every design has the same value. left out: nobody looks at it.
 */
export type ColumnRole = 'goal' | 'design' | 'context' | 'fixed' | 'left out';

/** A column of the table with its type and its part. */
export interface RoledColumn extends TypedColumn {
  readonly role: ColumnRole;
  /** Why the column is left out; empty where it takes part. */
  readonly reason: string;
}

export interface OutlineOptions {
  /** Designs are chosen among the rows of this table, which has a column for everything a design sets. */
  readonly choices?: Table;
  /** Lets columns of molecules take part: what `openFingerprints` of `nemokit` gives. */
  readonly fingerprints?: Fingerprints;
  /** Look for columns with a constant sum where the spec names none. Default false. */
  readonly findMixtures?: boolean;
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
  /** In the table's order. */
  readonly columns: readonly RoledColumn[];
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
  const types = typesOf(table, spec);
  const given = spec.goals.length > 0 ? parseGoals(spec.goals, names) : [];
  const found =
    options.findMixtures && !spec.mixtures ? findMixtures(table, mixtureCandidates(types, spec, given)) : [];
  const mixtures = found.map(({ columns, sum }) => ({ columns, sum }));
  const goalCandidates =
    options.guessGoal && given.length === 0 ? guessGoals(types, spokenFor(spec, found)) : [];
  const guess = goalCandidates.slice(0, 1).map(({ goal }) => goal);
  const goals = guess.length > 0 ? parseGoals(guess, names) : given;
  const { choices, fingerprints } = options;
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
    },
    goals,
    goalCandidates,
    found,
    columns: types.map((type) => roled(type, spec, goalNames, molecules.get(type.name))),
    molecules: new Map(
      [...molecules].flatMap(([name, reading]) => ('column' in reading ? [[name, reading] as const] : [])),
    ),
  };
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

/** In a table of few rows, a column of numbers that never changed is varied where bounds say how far it may go. */
function typesOf(table: Table, spec: ProblemSpec): TypedColumn[] {
  const overrides = overridesOf(spec);
  const types = inspect(table, overrides);
  const opened = types.filter(
    ({ name, type }) => table.rows < LEAST_ROWS && type === 'constant' && spec.columns?.[name]?.bounds,
  );
  if (opened.length === 0) return types;
  const numbers = opened.map(({ name }) => [name, { ...overrides[name], type: 'number' as const }] as const);
  return inspect(table, { ...overrides, ...Object.fromEntries(numbers) });
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
): string[] {
  return types
    .filter(({ type, name }) => {
      const settings = spec.columns?.[name];
      const isFree = settings?.role === undefined && settings?.fixed === undefined;
      const isGoal = goals.some((goal) => goal.column === name);
      return (type === 'number' || type === 'integer') && isFree && !isGoal;
    })
    .map(({ name }) => name);
}

/** Columns that cannot be a goal: members of mixtures, and those with a role. */
function spokenFor({ columns = {}, mixtures = [] }: ProblemSpec, found: readonly Mixture[]): Set<string> {
  const withRole = Object.keys(columns).filter((name) => columns[name]!.role !== undefined);
  return new Set([...mixtures, ...found].flatMap((mixture) => mixture.columns).concat(withRole));
}
