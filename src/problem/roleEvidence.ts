/**
 * The parts of columns that nobody spoke about, from evidence: names, values and the place beside the goal. The careful
 * reading is taken: what may be an outcome, a note or a counter is no setting until somebody says so.
 */
import { pearson } from '../numeric/stats.js';
import type { TypedColumn } from '../table/columnTypes.js';
import type { NumberColumn, Table, TableColumn, TextColumn } from '../table/table.js';
import {
  isGeneric,
  saysContext,
  saysCost,
  saysCounter,
  saysNote,
  saysOutcome,
  saysSetting,
  stemOf,
} from './columnWords.js';
import type { Goal } from './goals.js';
import type { ProblemSpec } from './problemSpec.js';
import { quoteName } from './tokens.js';

/** What a column probably is, though nobody said so. */
export type AssumedKind = 'outcome' | 'note' | 'context' | 'counter';

export interface AssumedRole {
  readonly kind: AssumedKind;
  readonly role: 'context' | 'left out';
  /** Why, as the end of a sentence: "its name says so". */
  readonly why: string;
  /** A goal that the column could be, such as "min cost". */
  readonly goal?: string;
}

/** Rows from which values count as evidence. */
const FEW = 8;
/** Correlation with the goal from which a column repeats it. */
const SAME = 0.97;

/** By name, for columns that the spec says nothing about and that would be settings. */
export function assumeRoles(
  table: Table,
  types: readonly TypedColumn[],
  spec: ProblemSpec,
  goals: readonly Goal[],
): Map<string, AssumedRole> {
  const goalNames = new Set(goals.map(({ column }) => column));
  const said = saidColumns(spec);
  const open = types.flatMap((type, j) =>
    goalNames.has(type.name) || takesNoPart(type) ? [] : [{ type, j }],
  );
  const roles = new Map<string, AssumedRole>();
  const set = (name: string, role: AssumedRole) => {
    if (!roles.has(name) && !said.has(name)) roles.set(name, role);
  };
  for (const { type, j } of open) {
    const column = table.columns[j]!;
    const counter = counterEvidence(column, j);
    if (counter !== '') set(type.name, { kind: 'counter', role: 'left out', why: counter });
    const note = column.kind === 'text' && type.type !== 'sequence' ? noteEvidence(column) : '';
    if (note !== '') set(type.name, { kind: 'note', role: 'left out', why: note });
    if (saysContext(type.name) && !saysCounterOnly(type.name)) set(type.name, contextRole(type, table.rows));
  }
  const rest = open.filter(({ type }) => !roles.has(type.name));
  const outcomes = outcomeEvidence(table, types, rest, goals, said);
  // where nothing would be left to set, the columns are settings after all
  const isLeft = types.some(
    (type) =>
      !takesNoPart(type) && !goalNames.has(type.name) && !roles.has(type.name) && !outcomes.has(type.name),
  );
  if (isLeft) for (const [name, why] of outcomes) set(name, outcomeRole(name, why, types));
  return roles;
}

/** Columns of which the spec says a role, a range, a value or a type, or that a mixture or a constraint names. */
export function saidColumns({ columns = {}, mixtures = [], constraints = [] }: ProblemSpec): Set<string> {
  const said = new Set(mixtures.flatMap((mixture) => mixture.columns));
  for (const [name, { role, fixed, bounds, step, levels, type }] of Object.entries(columns))
    if ([role, fixed, bounds, step, levels, type].some((setting) => setting !== undefined)) said.add(name);
  const text = constraints.join('\n');
  for (const name of text.match(/"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_.]*/gu) ?? [])
    said.add(name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name);
  return said;
}

function takesNoPart({ type }: TypedColumn): boolean {
  return type === 'constant' || type === 'date' || type === 'identifier';
}

/** "Run" and "sample" are counters; "batch" and "plate" happen. */
function saysCounterOnly(name: string): boolean {
  return saysCounter(name) && !saysContext(name);
}

/** Why a column counts or names rows; empty if it does not. */
function counterEvidence(column: TableColumn, place: number): string {
  const isNamed = saysCounter(column.name) && !saysContext(column.name);
  if (column.kind === 'text') {
    const filled = column.codes.filter((code) => code >= 0).length;
    const many = column.levels.length >= FEW && column.levels.length > filled / 4;
    return isNamed && many ? 'its name says so, and nearly every row has its own' : '';
  }
  const values = column.values.filter((value) => !Number.isNaN(value));
  if (values.length < FEW || !values.every(Number.isInteger)) return '';
  const distinct = new Set(values).size;
  let rising = 0;
  let level = 0;
  let ones = 0;
  for (let i = 1; i < values.length; i++) {
    const gap = values[i]! - values[i - 1]!;
    if (gap > 0) rising++;
    if (gap >= 0) level++;
    if (gap === 1) ones++;
  }
  const pairs = values.length - 1;
  if (isNamed && distinct >= 0.95 * values.length)
    return 'its name says so, and every row has its own number';
  if (isNamed && level === pairs && distinct >= FEW) return 'its name says so, and it rises along the table';
  const isSet = saysSetting(column.name) || saysOutcome(column.name);
  if (place === 0 && rising === pairs && 2 * ones >= pairs && !isSet)
    return 'it is the first column and rises row by row';
  return '';
}

/** Why a text is a remark; empty if it is none. */
function noteEvidence({ name, levels, codes }: TextColumn): string {
  if (saysNote(name)) return 'its name says so';
  if (saysSetting(name) || saysContext(name)) return '';
  const filled = codes.filter((code) => code >= 0).length;
  const words = levels.map((text) => text.trim().split(/\s+/).length).sort((a, b) => a - b);
  const median = words[words.length >> 1] ?? 0;
  if (levels.length >= Math.max(5, 0.2 * filled) && median >= 4) return 'it holds free text';
  const isSparse = filled <= 0.4 * codes.length && codes.length >= FEW;
  return isSparse && levels.length > 0.5 * filled && median >= 2 ? 'it holds a few remarks' : '';
}

/** A number of a batch that nearly every row has its own is no condition that a model could learn. */
function contextRole({ type, distinct }: TypedColumn, rows: number): AssumedRole {
  const why = 'its name says that it happened and was not chosen';
  const isMany = distinct > Math.max(FEW, rows / 3) && (type === 'integer' || type === 'category');
  return { kind: 'context', role: isMany ? 'left out' : 'context', why };
}

/** Why columns are outcomes, by name. */
function outcomeEvidence(
  table: Table,
  types: readonly TypedColumn[],
  open: readonly { readonly type: TypedColumn; readonly j: number }[],
  goals: readonly Goal[],
  said: ReadonlySet<string>,
): Map<string, string> {
  const found = new Map<string, string>();
  const places = goals.map(({ column }) => types.findIndex(({ name }) => name === column));
  for (const { type } of open) {
    const { name } = type;
    if (type.type === 'sequence' || type.type === 'smiles' || said.has(name)) continue;
    const sibling = goals.find(({ column }) => column !== name && isSibling(column, name, types));
    if (saysOutcome(name)) found.set(name, 'its name says so');
    else if (sibling) found.set(name, `it is called like ${quoteName(sibling.column)}`);
  }
  if (goals.length === 0) return found;
  // Outcomes stand together at the end: what follows the first of them was measured as well.
  const known = [...places, ...open.flatMap(({ type, j }) => (found.has(type.name) ? [j] : []))];
  const taking = types.map((type) => !takesNoPart(type));
  const count = (from: number, to: number) => taking.slice(from, to).filter(Boolean).length;
  const first = known
    .toSorted((a, b) => a - b)
    .find((place) => count(0, place) >= 2 && count(place + 1, types.length) <= count(0, place));
  const before = (place: number) => types.slice(0, place).map(({ name }) => stemOf(name));
  for (const { type, j } of open) {
    const { name } = type;
    if (first === undefined || j < first || found.has(name) || said.has(name)) continue;
    if (type.type === 'sequence' || type.type === 'smiles') continue;
    const isAlike = before(first).includes(stemOf(name)) && stemOf(name) !== name.toLowerCase();
    if (isGeneric(name) || isAlike || saysSetting(name)) continue;
    found.set(name, `it stands after ${quoteName(types[first]!.name)}, and its name says no setting`);
  }
  const [goal] = goals;
  const measured = table.columns.find((column) => column.name === goal!.column);
  const numbers = open.filter(({ j }) => table.columns[j]!.kind === 'number');
  if (measured?.kind !== 'number' || numbers.length < 3) return found;
  for (const { type, j } of numbers) {
    if (found.has(type.name) || said.has(type.name)) continue;
    if (isGeneric(type.name) || saysSetting(type.name)) continue;
    // a setting may well decide the goal alone; an outcome that repeats it stands beside it
    if (!places.some((place) => Math.abs(place - j) === 1)) continue;
    const r = correlation(table.columns[j] as NumberColumn, measured);
    if (Math.abs(r) > SAME)
      found.set(type.name, `it goes with ${quoteName(goal!.column)} (correlation ${r.toFixed(3)})`);
  }
  return found;
}

/** y1 and y2, where no setting has such a name as well. */
function isSibling(goal: string, name: string, types: readonly TypedColumn[]): boolean {
  const stem = stemOf(goal);
  if (stem === goal.toLowerCase() || stem !== stemOf(name) || stem === '') return false;
  const alike = types.filter((type) => stemOf(type.name) === stem).length;
  return 2 * alike < types.length;
}

function correlation(a: NumberColumn, b: NumberColumn): number {
  const rows = Array.from(a.values.keys()).filter(
    (row) => !Number.isNaN(a.values[row]!) && !Number.isNaN(b.values[row]!),
  );
  if (rows.length < 10) return 0;
  const [x, y] = [rows.map((row) => a.values[row]!), rows.map((row) => b.values[row]!)];
  if (new Set(x).size < 5 || new Set(y).size < 2) return 0;
  return pearson(x, y);
}

function outcomeRole(name: string, why: string, types: readonly TypedColumn[]): AssumedRole {
  const type = types.find((candidate) => candidate.name === name)?.type;
  const isNumber = type === 'number' || type === 'integer';
  const goal = `${saysCost(name) ? 'min' : 'max'} ${quoteName(name)}`;
  return { kind: 'outcome', role: 'left out', why, ...(isNumber && { goal }) };
}
