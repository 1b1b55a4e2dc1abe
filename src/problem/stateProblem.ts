/**
 * A problem: what was asked, stated once against a table. From here on nobody looks at texts again: goals are parsed,
 * every column has its part, rows are a dataset and constraints a space that every algorithm can search.
 */
import { ArgumentError } from '../numeric/errors.js';
import { rowOf } from '../numeric/rows.js';
import { extent, mean, median, standardDeviation } from '../numeric/stats.js';
import { decideFeasibility, InfeasibleError } from '../space/index.js';
import type { Dataset, Space } from '../space/space.js';
import type { TypedColumn } from '../table/columnTypes.js';
import { cellAt, type Table, type TableColumn, TableError } from '../table/table.js';
import { tableFault } from '../table/tableBuilder.js';
import { buildSpace, type Cell, type DesignColumn, decodeRows, encodeRows, placesOf } from './buildSpace.js';
import { type OutlineOptions, outlineProblem, type ProblemOutline, type RoledColumn } from './columnRoles.js';
import { type ScoredRows, type ScoreRule, scaleNotes, scoreRows, scoreRule } from './desirability.js';
import type { ConstraintStatement, FixedStatement } from './expressions.js';
import { BLINDING, farText, farValues } from './farValues.js';
import type { Goal } from './goals.js';
import { type GoalLimits, idleLimits, limitNotes, limitsOf, requireLimits } from './limits.js';
import { nearSpace, requireConstraintNumbers, whyUnreachable } from './magnitudes.js';
import type { ProblemSpec } from './problemSpec.js';
import { problemStatements } from './problemStatements.js';
import type { Relation } from './relations.js';
import { type Resolution, resolutionOf } from './resolution.js';
import { followingBounds, howToChange, relationNotes } from './spokenAssumptions.js';
import { shown } from './tokens.js';

/** A problem as stated for one table: data, space, goals and the way back to cells. */
export interface Problem {
  readonly table: Table;
  /** Designs are rows of this table only. */
  readonly choices?: Table;
  /** What was asked, with the mixtures that were found. Stated again, it gives the same problem. */
  readonly spec: ProblemSpec;
  readonly goals: readonly Goal[];
  /** Every column of the table, with its type and its part. */
  readonly tableColumns: readonly RoledColumn[];
  /** What a design sets, in the table's order; a column with missing cells is followed by one that says where. */
  readonly columns: readonly DesignColumn[];
  /** For each of `columns`: what stands for an empty cell, null where the table has none. */
  readonly fillers: readonly (Cell | null)[];
  readonly space: Space;
  /** How values of the goals become scores, and back. */
  readonly rule: ScoreRule;
  /** One row per setting; `y` is the mean score where the same settings were measured again. */
  readonly data: Dataset;
  /** Rows of the table behind each row of the data; several where the same settings were measured again. */
  readonly rows: readonly (readonly number[])[];
  /** Score of each of these rows by itself. */
  readonly rowScores: readonly (readonly number[])[];
  /** Values of each goal in the rows of the data, as means of their rows; empty where the score is the value itself. */
  readonly goalValues: readonly Float64Array[];
  /** Standard deviation of repeated measurements, as a score; null where nothing was repeated. */
  readonly noise: number | null;
  /** Where values of each goal can lie. */
  readonly limits: readonly GoalLimits[];
  /** Per column of the space: how finely it was set; null where that says nothing, or somebody gave a step. */
  readonly resolution: readonly (Resolution | null)[];
  /** Columns that follow from what designs set. */
  readonly relations: readonly Relation[];
  /** Columns with a number so far from all others that its row is not used. */
  readonly farColumns: readonly string[];
  /** What was assumed, in sentences. */
  readonly notes: readonly string[];
}

export type ProblemOptions = Omit<OutlineOptions, 'guessGoal' | 'whole'>;

const KNOWN = 'known';
const MISSING = 'missing';

/**
 * States a problem: `spec` against `table`. Throws `TableError`, `ExpressionError` or `ArgumentError`, each with what to
 * do.
 *
 *     const problem = stateProblem(table, { goals: ['max yield'] });
 */
export function stateProblem(table: Table, spec: ProblemSpec, options: ProblemOptions = {}): Problem {
  return completeProblem(outlineProblem(table, spec, options));
}

/** The problem whose columns' parts are known already. */
export function completeProblem(outline: ProblemOutline): Problem {
  const { table, choices, spec, goals } = outline;
  const rule = scoreRule(goals, table);
  const all = scoreRows(rule, table);
  const blinding = blindingRows(outline, all.rows);
  const scored = blinding.rows.size === 0 ? all : withoutRows(all, blinding.rows);
  const made = designColumns(outline, [...scored.rows]);
  const { columns, fillers, cells, held } = made;
  const notes = [
    ...table.notes,
    ...scored.notes,
    ...blinding.notes,
    ...scaleNotes(rule, table),
    ...made.notes,
    ...relationNotes(outline),
  ];
  if (columns.length === 0)
    throw new ArgumentError('columns', `${table.name} has no column that a design could set`);

  const others = notSet(outline, columns);
  for (const { columns: members } of spec.mixtures ?? [])
    for (const name of members)
      if (others.has(name))
        throw new ArgumentError('mixtures', `mixture ${members.join(' + ')}: "${name}" ${others.get(name)}`);
  const said = problemStatements(spec, columns, others);
  const fixed = new Set(said.flatMap((statement) => (statement.kind === 'fixed' ? [statement.column] : [])));
  const usual = held.filter(({ column }) => !fixed.has(column));
  const inContext = new Map(
    outline.columns.flatMap((column) => (column.role === 'context' ? [[column.name, column] as const] : [])),
  );
  for (const { column, value } of usual) {
    const roled = inContext.get(column);
    if (!roled) continue;
    const why = roled.assumed ? ` (${roled.reason}; ${howToChange(outline, roled)})` : '';
    notes.push(
      `"${column}" is context${why}: designs are made for its usual value, ${value}; fix it for another`,
    );
  }
  // a list says nothing about what happens on the day
  const contexts = new Map(
    usual.flatMap(({ column, value }) => (inContext.has(column) ? [[column, value] as const] : [])),
  );
  requireConstraintNumbers(said);
  const stated = buildSpace(columns, {
    constraints: [...said, ...usual, ...followingBounds(outline, columns)],
    ...(spec.mixtures && { mixtures: spec.mixtures }),
    ...(choices && { choices: choiceCells(choices, columns, contexts) }),
  });
  const space = nearSpace(columns, stated, said, notes);
  const limits = limitsOf(table, goals, spec);
  requireLimits(limits, table, spec);
  for (const note of [...logNotes(columns, space), ...limitNotes(limits), ...idleLimits(limits, spec)])
    notes.push(note);
  return {
    table,
    ...(choices && { choices }),
    spec,
    goals,
    tableColumns: outline.columns.map((column) =>
      column.role === 'design' && fixed.has(column.name) ? { ...column, role: 'fixed' as const } : column,
    ),
    columns,
    fillers,
    space,
    rule,
    limits,
    resolution: resolutions(outline, columns, space, said),
    relations: outline.relations,
    ...pool(encodeRows(columns, cells), scored),
    farColumns: blinding.columns,
    notes,
  };
}

/** Why designs do not set a column of the table: "is a goal, which designs do not set". */
function notSet(
  { columns: roled }: ProblemOutline,
  columns: readonly DesignColumn[],
): ReadonlyMap<string, string> {
  const set = new Set(columns.map(({ name }) => name));
  const why = ({ role, reason }: RoledColumn) => {
    if (role === 'goal') return 'is a goal, which designs do not set; say what is wanted of it as a goal';
    return reason === '' ? 'is no setting of a design' : `is no setting of a design: ${reason}`;
  };
  return new Map(roled.filter(({ name }) => !set.has(name)).map((column) => [column.name, why(column)]));
}

/** Rows with a number next to which no other would be seen, and what is said about them. */
function blindingRows(
  { table, columns }: ProblemOutline,
  used: Uint32Array,
): {
  readonly rows: ReadonlySet<number>;
  readonly columns: readonly string[];
  readonly notes: readonly string[];
} {
  const rows = new Set<number>();
  const names: string[] = [];
  const notes: string[] = [];
  const among = Array.from(used);
  for (const [j, { role, logScale }] of columns.entries()) {
    const column = table.columns[j]!;
    const isSeen = role === 'goal' || role === 'design' || role === 'context' || role === 'fixed';
    if (column.kind !== 'number' || !isSeen || (logScale && role !== 'goal')) continue;
    const far = farValues(column, among, BLINDING);
    if (!far) continue;
    for (const row of far.rows) rows.add(row);
    names.push(column.name);
    notes.push(
      `${farText(table, column, far)}: ${far.rows.length === 1 ? 'the row is' : 'these rows are'} not used, because next to it no difference between the others would be seen; correct the cell`,
    );
  }
  return { rows, columns: names, notes };
}

function withoutRows(scored: ScoredRows, left: ReadonlySet<number>): ScoredRows {
  const kept = Array.from(scored.rows.keys()).filter((i) => !left.has(scored.rows[i]!));
  const pick = (values: Float64Array) => Float64Array.from(kept, (i) => values[i]!);
  return {
    ...scored,
    rows: Uint32Array.from(kept, (i) => scored.rows[i]!),
    y: pick(scored.y),
    values: scored.values.map(pick),
    desirabilities: scored.desirabilities.map(pick),
    ...(scored.censored && { censored: Int8Array.from(kept, (i) => scored.censored![i]!) }),
  };
}

/** Throws `InfeasibleError` with the constraints to blame where no design satisfies all of them. */
export async function requireFeasible({ space }: Problem): Promise<void> {
  const answer = await decideFeasibility(space);
  if (!answer.feasible) throw new InfeasibleError(answer.conflict, answer.tries);
}

/** What designs set, the cells of past rows in these columns, and what is held at one value unless something is said. */
function designColumns(outline: ProblemOutline, used: readonly number[]) {
  const { table, spec, columns: roled, molecules } = outline;
  const columns: DesignColumn[] = [];
  const fillers: (Cell | null)[] = [];
  const cells: Cell[][] = used.map(() => []);
  const held: FixedStatement[] = [];
  const notes: string[] = [];
  const hold = (column: string, value: Cell, label: string) =>
    held.push({ kind: 'fixed', column, value, label });
  for (const [j, type] of roled.entries()) {
    const { name, role } = type;
    const settings = spec.columns?.[name];
    if (role === 'left out' && settings?.role !== 'ignore')
      notes.push(
        `"${name}" is left out: ${type.reason}${type.assumed ? `; ${howToChange(outline, type)}` : ''}`,
      );
    if (role === 'goal' || role === 'left out') continue;
    if (settings?.log) requireLogarithm(table, type, used);
    const known = used.map((row) => cellOf(table.columns[j]!, type, row));
    const reading = molecules.get(name);
    const design = reading ? reading.column : designColumn(type, known, settings?.levels);
    for (const note of reading?.notes ?? []) notes.push(note);
    const filler = fillerOf(design, known);
    columns.push(design);
    known.forEach((cell, i) => cells[i]!.push(cell ?? filler));
    const missing = known.filter((cell) => cell === null).length;
    fillers.push(missing > 0 ? filler : null);
    if (missing > 0) {
      fillers.push(null);
      const flag = flagName(name);
      columns.push({ name: flag, kind: 'category', levels: [KNOWN, MISSING] });
      known.forEach((cell, i) => cells[i]!.push(cell === null ? MISSING : KNOWN));
      hold(flag, KNOWN, `${flag} = ${KNOWN}`);
      notes.push(
        `"${name}" has no value in ${missing} rows: ${filler} is put there, and the model is told where`,
      );
    }
    if (role === 'context') hold(name, filler, `${name} is context`);
  }
  return { columns, fillers, cells, held, notes };
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
function choiceCells(
  list: Table,
  columns: readonly DesignColumn[],
  contexts: ReadonlyMap<string, Cell>,
): Cell[][] {
  const sources = columns.map(({ name }, j) => {
    if (isFlag(columns, j) || contexts.has(name)) return null;
    const source = list.columns.find((column) => column.name === name);
    if (source) return source;
    throw new TableError(`${list.name} has no column "${name}", which every design sets`, {
      file: list.name,
    });
  });
  return Array.from({ length: list.rows }, (_, row) =>
    sources.map((source, j) => {
      if (!source) return contexts.get(columns[j]!.name) ?? KNOWN;
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
      const far = typeof cell === 'number' ? whyUnreachable(columns[j]!, cell) : '';
      if (far !== '') throw tableFault(list.name, far, list.lines?.[row] ?? row + 1, name);
      return isNumber ? cell : String(cell);
    }),
  );
}

/** Designs (n x d) as cells, row by row, in the order of `columns`, without those that say where a cell is missing. */
export function toCells({ columns }: Pick<Problem, 'columns'>, x: ArrayLike<number>): Record<string, Cell>[] {
  return decodeRows(columns, x).map((row) =>
    Object.fromEntries(columns.flatMap(({ name }, j) => (isFlag(columns, j) ? [] : [[name, row[j]!]]))),
  );
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

/** Throws where a logarithm was asked for by name and cannot be taken. */
function requireLogarithm(table: Table, { name, type }: TypedColumn, rows: readonly number[]): void {
  if (type !== 'number' && type !== 'integer')
    throw new ArgumentError('columns', `${shown(name)} is of type ${type}; "log: true" is for numbers`);
  const column = table.columns.find((candidate) => candidate.name === name)!;
  for (const row of rows) {
    const cell = cellAt(column, row);
    if (cell === null || Number(cell) > 0) continue;
    const message = `${cell} has no logarithm, which "log: true" asks for; leave that out, or correct the cell`;
    throw tableFault(table.name, message, table.lines?.[row], name);
  }
}

/** What became of each column over decades. */
function logNotes(columns: readonly DesignColumn[], space: Space): string[] {
  return columns.flatMap((column) => {
    if ((column.kind !== 'number' && column.kind !== 'integer') || !column.log) return [];
    const inSpace = space.columns.find(({ name, kind }) => name === column.name && kind === 'continuous');
    if (inSpace?.kind !== 'continuous') return [];
    if (inSpace.scale === 'log')
      return [`${shown(column.name)} is modelled as its logarithm; "log: false" switches that off`];
    return [
      `${shown(column.name)} is modelled as it is, not as its logarithm: designs may go down to ${inSpace.lower}, and only numbers above 0 have one`,
    ];
  });
}

/** How finely each number of the space was set, where nobody gave a step and nothing is listed. */
function resolutions(
  { table, spec, choices }: ProblemOutline,
  columns: readonly DesignColumn[],
  space: Space,
  said: readonly ConstraintStatement[],
): (Resolution | null)[] {
  const resolution: (Resolution | null)[] = space.columns.map(() => null);
  if (!spec.assume || choices) return resolution;
  const fixed = new Set((space.fixed ?? []).map(({ column }) => column));
  const places = placesOf(columns);
  const sources = new Map(table.columns.map((column) => [column.name, column]));
  const stepped = new Set(
    said.flatMap((one) => (one.kind === 'bounds' && one.step !== undefined ? [one.column] : [])),
  );
  for (const column of columns) {
    if (column.kind !== 'number' && column.kind !== 'integer') continue;
    const at = places.get(column.name)!;
    const source = sources.get(column.name);
    if (source?.kind !== 'number' || stepped.has(column.name) || fixed.has(at)) continue;
    resolution[at] = resolutionOf(source, column.log);
  }
  return resolution;
}

/** Rows with the same settings become one with their mean score; censored rows stay as they are. */
function pool(
  x: Float64Array,
  { y, censored, rows, values, desirabilities }: ScoredRows,
): Pick<Problem, 'data' | 'rows' | 'rowScores' | 'goalValues' | 'noise'> {
  const d = x.length / y.length;
  const groups = new Map<string, number[]>();
  for (let i = 0; i < y.length; i++) {
    const key = censored?.[i] ? `censored ${i}` : rowOf(x, d, i).join('|');
    const group = groups.get(key);
    if (group) group.push(i);
    else groups.set(key, [i]);
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
  const meansOf = (numbers: Float64Array) =>
    Float64Array.from(members, (group) => mean(group.map((i) => numbers[i]!)));
  return {
    data: {
      x: Float64Array.from(kept.flatMap((i) => [...rowOf(x, d, i)])),
      y: meansOf(y),
      ...(censored && { censored: Int8Array.from(kept, (i) => censored[i]!) }),
    },
    rows: members.map((group) => group.map((i) => rows[i]!)),
    rowScores: members.map((group) => group.map((i) => y[i]!)),
    goalValues: desirabilities.length === 0 ? [] : values.map(meansOf),
    noise: repeated.length > 0 ? spreadOf(variances, y) : null,
  };
}

/** Standard deviation behind some variances; 0 where it is no more than rounding of the scores. */
function spreadOf(variances: readonly number[], y: Float64Array): number {
  const spread = Math.sqrt(mean(variances));
  const largest = y.reduce((most, score) => Math.max(most, Math.abs(score)), 0);
  return spread <= 1e-12 * largest ? 0 : spread;
}
