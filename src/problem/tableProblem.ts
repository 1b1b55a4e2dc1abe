/**
 * From a table and a few words about what is wanted to a dataset and a space that every algorithm can search, and from
 * designs back to cells in the table's own columns.
 */
import { ArgumentError } from '../numeric/errors.js';
import { extent, mean, median, standardDeviation } from '../numeric/stats.js';
import type { Dataset, Space } from '../space/space.js';
import { inspect, type TypedColumn } from '../table/columnTypes.js';
import { cellAt, type Table, type TableColumn, TableError } from '../table/table.js';
import { buildSpace, type Cell, type DesignColumn, decodeRows, encodeRows } from './buildSpace.js';
import { type ScoreRule, scoreRows, scoreRule } from './desirability.js';
import type { FixedStatement } from './expressions.js';
import { parseGoals } from './goals.js';
import { logNotes, requireLogarithm } from './logColumns.js';
import { type Fingerprints, readMolecules } from './molecules.js';
import type { ProblemSpec } from './problemFile.js';
import { problemStatements } from './problemStatements.js';

export interface TableProblem {
  readonly data: Dataset;
  readonly space: Space;
  /** How values of the goals become scores, and back. */
  readonly rule: ScoreRule;
  /** What a design sets, in the table's order; a column with missing cells is followed by one that says where. */
  readonly columns: readonly DesignColumn[];
  /** For each of `columns`: what stands for an empty cell, null where the table has none. */
  readonly fillers: readonly (Cell | null)[];
  readonly types: readonly TypedColumn[];
  /** Rows of the table behind each row of the data; several where the same settings were measured again. */
  readonly rows: readonly (readonly number[])[];
  /** Standard deviation of repeated measurements, as a score; null where nothing was repeated. */
  readonly noise: number | null;
  /** What was assumed, in sentences. */
  readonly notes: readonly string[];
}

export type ProblemWords = Pick<ProblemSpec, 'goals' | 'columns' | 'mixtures' | 'constraints'>;

export interface ProblemExtras {
  /** Designs are chosen among the rows of this table, which has a column for everything a design sets. */
  readonly choices?: Table;
  /** Lets columns of molecules take part: what `openFingerprints` of `nemokit/problem/rdkit` gives. */
  readonly fingerprints?: Fingerprints;
}

const KNOWN = 'known';
const MISSING = 'missing';

/** Throws `TableError`, `ExpressionError` or `ArgumentError`, each with what to do. */
export function problem(
  table: Table,
  words: ProblemWords,
  { choices, fingerprints }: ProblemExtras = {},
): TableProblem {
  const types = inspect(table, overridesOf(words));
  const goals = parseGoals(
    words.goals,
    table.columns.map(({ name }) => name),
  );
  const rule = scoreRule(goals, table);
  const scored = scoreRows(rule, table);
  const used = [...scored.rows];
  const notes = [...table.notes, ...scored.notes];
  const goalNames = new Set(goals.map(({ column }) => column));
  const columns: DesignColumn[] = [];
  const fillers: (Cell | null)[] = [];
  const cells: Cell[][] = used.map(() => []);
  const held: FixedStatement[] = [];
  const hold = (column: string, value: Cell, label: string) =>
    held.push({ kind: 'fixed', column, value, label });

  const moleculesOf = (name: string) => {
    const sources = [{ table, rows: used }];
    if (choices)
      sources.push({ table: choices, rows: Array.from({ length: choices.rows }, (_, row) => row) });
    return readMolecules(name, sources, fingerprints!);
  };
  for (const [j, type] of types.entries()) {
    const { name } = type;
    const settings = words.columns?.[name];
    if (goalNames.has(name) || settings?.role === 'ignore') continue;
    const molecules = type.type === 'smiles' && fingerprints ? moleculesOf(name) : undefined;
    const reason = molecules ? 'reason' in molecules && molecules.reason : leftOut(type);
    if (reason) {
      notes.push(`"${name}" is left out: ${reason}`);
      continue;
    }
    if (settings?.log) requireLogarithm(table, type, used);
    const known = used.map((row) => cellOf(table.columns[j]!, type, row));
    const isMolecule = molecules && 'column' in molecules;
    const design = isMolecule ? molecules.column : designColumn(type, known, settings?.levels);
    if (isMolecule) notes.push(...molecules.notes);
    const filler = fillerOf(design, known);
    columns.push(design);
    known.forEach((cell, i) => cells[i]!.push(cell ?? filler));
    const missing = known.filter((cell) => cell === null).length;
    fillers.push(...(missing > 0 ? [filler, null] : [null]));
    if (missing > 0) {
      const flag = flagName(name);
      columns.push({ name: flag, kind: 'category', levels: [KNOWN, MISSING] });
      known.forEach((cell, i) => cells[i]!.push(cell === null ? MISSING : KNOWN));
      hold(flag, KNOWN, `${flag} = ${KNOWN}`);
      notes.push(
        `"${name}" has no value in ${missing} rows: ${filler} is put there, and the model is told where`,
      );
    }
    if (settings?.role === 'context') hold(name, filler, `${name} is context`);
  }
  if (columns.length === 0)
    throw new ArgumentError('columns', `${table.name} has no column that a design could set`);

  const others = table.columns.map(({ name }) => name);
  const said = problemStatements(words, columns, others);
  const isSaid = (name: string) => said.some((own) => own.kind === 'fixed' && own.column === name);
  const usual = held.filter((own) => !isSaid(own.column));
  for (const { column, value } of usual.filter((own) => words.columns?.[own.column]?.role === 'context'))
    notes.push(`"${column}" is context: designs are made for its usual value, ${value}; fix it for another`);
  const statements = [...said, ...usual];
  const space = buildSpace(columns, {
    constraints: statements,
    ...(words.mixtures && { mixtures: words.mixtures }),
    ...(choices && { choices: choiceCells(choices, columns) }),
  });
  notes.push(...logNotes(columns, space));
  const x = encodeRows(columns, cells);
  return { ...pool(x, scored.y, scored.censored, used), space, rule, columns, fillers, types, notes };
}

/** Whether column j only says where the column before it has no value: people are not asked about it, nor shown it. */
function isFlag(columns: readonly DesignColumn[], j: number): boolean {
  const column = columns[j]!;
  return (
    column.kind === 'category' &&
    column.name === flagName(columns[j - 1]?.name) &&
    column.levels[0] === KNOWN &&
    column.levels[1] === MISSING
  );
}

function flagName(name: string | undefined): string {
  return `${name} (missing)`;
}

/** Cells of a list of designs, for every column that a design sets. */
function choiceCells(list: Table, columns: readonly DesignColumn[]): Cell[][] {
  const sources = columns.map(({ name }, j) => {
    if (isFlag(columns, j)) return null;
    const source = list.columns.find((own) => own.name === name);
    if (source) return source;
    throw new TableError(`${list.name} has no column "${name}", which every design sets`, {
      file: list.name,
    });
  });
  return Array.from({ length: list.rows }, (_, row) =>
    sources.map((source, j) => {
      if (!source) return KNOWN;
      const { name, kind } = columns[j]!;
      const isNumber = kind === 'number' || kind === 'integer';
      const cell = cellAt(source, row);
      if (cell === null || (isNumber && typeof cell === 'string')) {
        const line = list.lines?.[row];
        const where = line === undefined ? list.name : `${list.name}, line ${line}`;
        const what = cell === null ? 'is empty' : `is "${cell}", not a number`;
        const place = { file: list.name, column: name, ...(line !== undefined && { line }) };
        throw new TableError(`${where}: "${name}" ${what}`, place);
      }
      return isNumber ? cell : String(cell);
    }),
  );
}

/** Designs (n x d) as cells, row by row, in the order of `columns`, without those that say where a cell is missing. */
export function toCells(
  { columns }: Pick<TableProblem, 'columns'>,
  x: ArrayLike<number>,
): Record<string, Cell>[] {
  return decodeRows(columns, x).map((row) =>
    Object.fromEntries(columns.flatMap(({ name }, j) => (isFlag(columns, j) ? [] : [[name, row[j]!]]))),
  );
}

/** What the words say about the types of columns, for `inspect`. */
export function overridesOf({ columns = {} }: ProblemWords) {
  const entries = Object.entries(columns).flatMap(([name, { type, log, levels }]) => {
    const order = type === 'ordered' && levels ? { order: levels } : {};
    const override = { ...(type && { type }), ...(log !== undefined && { logScale: log }), ...order };
    return Object.keys(override).length > 0 ? [[name, override] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** Why a column takes no part, or undefined if it does. */
function leftOut({ type, evidence }: TypedColumn): string | undefined {
  switch (type) {
    case 'date':
    case 'identifier':
      return evidence;
    case 'constant':
      return 'it is the same in every row';
    case 'smiles':
      return 'molecules need fingerprints; run npm install @rdkit/rdkit, and give what openFingerprints() of nemokit/problem/rdkit returns as "fingerprints"';
    default:
      return undefined;
  }
}

function cellOf(column: TableColumn, { type }: TypedColumn, row: number): Cell | null {
  const cell = cellAt(column, row);
  return cell === null || type === 'number' || type === 'integer' ? cell : String(cell);
}

function designColumn(
  type: TypedColumn,
  known: readonly (Cell | null)[],
  levels?: readonly string[],
): DesignColumn {
  const { name } = type;
  const values = known.filter((cell) => cell !== null);
  if (values.length === 0)
    throw new ArgumentError('columns', `"${name}" has no value in any row that has a goal`);
  if (type.type === 'number' || type.type === 'integer')
    return { name, kind: type.type, ...extent(values.map(Number)), ...(type.logScale && { log: true }) };
  if (type.type === 'sequence' && type.sequence) {
    return { name, kind: 'sequence', length: type.sequence.length, letters: [...type.sequence.alphabet] };
  }
  return { name, kind: 'category', levels: levels ?? type.order ?? [...new Set(values.map(String))] };
}

/** What stands for an empty cell: the median, or the most frequent value. */
function fillerOf(column: DesignColumn, known: readonly (Cell | null)[]): Cell {
  const values = known.filter((cell) => cell !== null);
  if (column.kind === 'number') return median(values.map(Number));
  if (column.kind === 'integer') return Math.round(median(values.map(Number)));
  const counts = new Map<Cell, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
}

/** Rows with the same settings become one with their mean score; censored rows stay as they are. */
function pool(
  x: Float64Array,
  y: Float64Array,
  censored: Int8Array | undefined,
  used: readonly number[],
): Pick<TableProblem, 'data' | 'rows' | 'noise'> {
  const d = x.length / y.length;
  const groups = new Map<string, number[]>();
  for (let i = 0; i < y.length; i++) {
    const key = censored?.[i] ? `censored ${i}` : x.subarray(i * d, (i + 1) * d).join('|');
    groups.set(key, [...(groups.get(key) ?? []), i]);
  }
  const members = [...groups.values()];
  const repeated = members.filter((group) => group.length > 1);
  const variances = repeated.map(
    (group) =>
      standardDeviation(
        group.map((i) => y[i]!),
        { unbiased: true },
      ) ** 2,
  );
  const kept = members.map(([first]) => first!);
  return {
    data: {
      x: Float64Array.from(kept.flatMap((i) => [...x.subarray(i * d, (i + 1) * d)])),
      y: Float64Array.from(members, (group) => mean(group.map((i) => y[i]!))),
      ...(censored && { censored: Int8Array.from(kept, (i) => censored[i]!) }),
    },
    rows: members.map((group) => group.map((i) => used[i]!)),
    noise: repeated.length > 0 ? Math.sqrt(mean(variances)) : null,
  };
}
