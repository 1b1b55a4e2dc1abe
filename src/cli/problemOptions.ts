/** What a problem is, as options of a command: the same settings as in a problem file, which they override. */
import { basename } from 'node:path';
import type { Command } from 'commander';
import { ArgumentError } from '../numeric/errors.js';
import { outlineProblem } from '../problem/columnRoles.js';
import { parseConstraint } from '../problem/expressions.js';
import { findMixtures } from '../problem/mixtures.js';
import { isProblemFile, type ProblemInput, readProblem } from '../problem/platform/node.js';
import type { MethodOptions } from '../problem/problemFile.js';
import type { ColumnSpec, ProblemSpec } from '../problem/problemSpec.js';
import { type Question, stateFor } from '../problem/question.js';
import type { Problem } from '../problem/stateProblem.js';
import { quoteName, shown, suggestion } from '../problem/tokens.js';
import { type ColumnType, columnTypes, type ReadOptions, type Table } from '../table/index.js';
import { splitAssignment, splitNames } from './columnNames.js';
import { sayStage } from './heartbeat.js';
import { collect } from './optionValues.js';

/** As commander hands them over. */
export interface ProblemFlags {
  readonly goal?: readonly string[];
  readonly bounds?: readonly string[];
  readonly fix?: readonly string[];
  readonly constraint?: readonly string[];
  readonly atMost?: readonly string[];
  readonly atLeast?: readonly string[];
  readonly mixture?: readonly string[];
  readonly from?: string;
  readonly add?: readonly string[];
  readonly keep?: string;
  readonly avoid?: string;
  readonly ignore?: readonly string[];
  readonly context?: readonly string[];
  readonly design?: readonly string[];
  readonly limits?: readonly string[];
  readonly allowRepeats?: boolean;
  /** False after `--no-assume`. */
  readonly assume?: boolean;
  readonly type?: readonly string[];
  /** `--log` and `--no-log`, in the order they were typed. */
  readonly log?: readonly { readonly names: string; readonly on: boolean }[];
  readonly delimiter?: string;
  readonly decimal?: string;
  readonly encoding?: string;
  readonly sheet?: string;
  readonly missing?: string;
  readonly text?: readonly string[];
  readonly header?: boolean;
  readonly names?: string;
  readonly skip?: string;
  readonly end?: string;
  readonly unitsRow?: boolean;
}

/** Gives a command the options that say what the problem is. */
export function addProblemOptions(command: Command): Command {
  return addReadOptions(command)
    .option('--goal <goal>', 'what is wanted, such as "max yield"; may be repeated', collect)
    .option('--bounds <range>', 'where a column may lie: "temp=20..90" or "temp=20..90 step 5"', collect)
    .option('--fix <value>', 'a column that every design has the same: "line=B"', collect)
    .option('--constraint <formula>', 'what every design satisfies: "2*a + b <= 30"', collect)
    .option('--at-most <group>', 'how many may be other than 0: "3 of a,b,c,d"', collect)
    .option('--at-least <group>', 'how many have to be other than 0: "1 of a,b"', collect)
    .option('--mixture <columns>', 'columns with a constant sum: "a,b,c" or "a,b,c=100"', collect)
    .option('--from <list>', 'take designs from the rows of this table only')
    .option('--add <table>', 'rows to put below those of the table, such as new measurements', collect)
    .option('--ignore <columns>', 'columns that nobody looks at: "id,operator"', collect)
    .option('--context <columns>', 'columns the model sees and designs do not change', collect)
    .option('--design <columns>', 'columns that are settings, whatever their names suggest', collect)
    .option('--limits <range>', 'where a goal can lie: "yield=0..100", "cost=0.." or "yield=none"', collect)
    .option('--allow-repeats', 'designs may equal past rows')
    .option('--no-assume', 'take no role, relation, step or limit from names and values')
    .option('--type <column=type>', `how to read a column: ${columnTypes.join(', ')}`, collect)
    .option(
      '--log <columns>',
      'columns on a logarithmic scale',
      (names: string, before: ProblemFlags['log'] = []) => [...before, { names, on: true }],
    )
    .option(
      '--no-log <columns>',
      'columns that are not, whatever their values suggest',
      (names: string, before: ProblemFlags['log'] = []) => [...before, { names, on: false }],
    );
}

/** Gives a command the options that say how a table is read. */
export function addReadOptions(command: Command): Command {
  return command
    .option('--delimiter <character>', 'what separates cells; default: found')
    .option('--decimal <mark>', 'decimal mark, "." or ","; default: found')
    .option('--encoding <name>', 'utf-8, latin1, shift_jis, gb18030 and others; default: found')
    .option('--sheet <sheet>', 'sheet of a workbook, by name or number; default: the first with a table')
    .option('--missing <texts>', 'texts that stand for an empty cell, with commas between them')
    .option('--text <columns>', 'columns whose cells stay as they are written', collect)
    .option('--header', 'the first line of the table holds the names of the columns')
    .option('--no-header', 'it does not: columns are called c1, c2, ...')
    .option('--names <names>', 'names of the columns of a table without a header: "a,b,c"')
    .option('--skip <lines>', 'how many lines stand above the table')
    .option('--end <line>', 'last line of the table; what is below it is left out')
    .option('--units-row', 'the line below the header holds units')
    .option('--no-units-row', 'it holds data');
}

export function readOptionsOf(options: ProblemFlags): ReadOptions {
  const { delimiter, decimal, encoding, sheet, missing, text, header, names, skip, end, unitsRow } = options;
  const named: Readonly<Record<string, string>> = { tab: '\t', '\\t': '\t', comma: ',', semicolon: ';' };
  // readTable checks the values.
  return {
    ...(delimiter !== undefined && { delimiter: named[delimiter] ?? delimiter }),
    ...(decimal !== undefined && { decimal: decimal as NonNullable<ReadOptions['decimal']> }),
    ...(encoding !== undefined && { encoding: encoding as NonNullable<ReadOptions['encoding']> }),
    ...(sheet !== undefined && { sheet: /^\d+$/.test(sheet) ? Number(sheet) : sheet }),
    ...(missing !== undefined && { missing: listed(missing) }),
    ...(text && { text: text.flatMap(listed) }),
    ...(header !== undefined && { header }),
    ...(names !== undefined && { names: listed(names) }),
    ...(skip !== undefined && { skip: lineNumber(skip, '--skip', 0) }),
    ...(end !== undefined && { end: lineNumber(end, '--end', 1) }),
    ...(unitsRow !== undefined && { unitsRow }),
  };
}

/** Texts with commas between them; one that holds a comma is quoted. */
function listed(text: string): string[] {
  const parts = text.match(/\s*"(?:[^"]|"")*"\s*(?=,|$)|[^,]*(?=,|$)/g) ?? [];
  return parts
    .filter((part, i) => part !== '' || i === 0)
    .map((part) => part.trim())
    .map((part) => (/^".*"$/.test(part) ? part.slice(1, -1).replaceAll('""', '"') : part));
}

function lineNumber(text: string, flag: string, least: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least) return value;
  throw new ArgumentError(flag, `${flag}: expected a whole number, ${least} or more, not ${shown(text)}`);
}

/**
 * Reads a table or a problem file and puts what the options say on top. Throws `TableError`, `ProblemFileError`,
 * `ExpressionError` or `ArgumentError`.
 */
export async function readAsked(
  path: string,
  flags: ProblemFlags = {},
  methods?: MethodOptions,
): Promise<ProblemInput> {
  requireOneStandardInput(path, flags);
  sayStage(`reading ${path === '-' ? 'standard input' : basename(path)}`);
  const input = await readProblem(path, {
    reading: readOptionsOf(flags),
    ...(flags.from !== undefined && { choices: flags.from }),
    ...(flags.add && { add: flags.add }),
    ...(flags.keep !== undefined && { keep: flags.keep }),
    ...(flags.avoid !== undefined && { avoid: flags.avoid }),
    ...(methods && { methods }),
  });
  return { ...input, spec: applyFlags(input.table, input.spec, flags) };
}

function requireOneStandardInput(path: string, { from, add = [], keep, avoid }: ProblemFlags): void {
  const data = isProblemFile(path) ? undefined : path;
  if (data === '-' && from === '-')
    throw new ArgumentError('--from', '--from: standard input is the table already; give a file');
  const taken = [data, from, ...add, keep, avoid].filter((file) => file === '-').length;
  const last = avoid === '-' ? '--avoid' : keep === '-' ? '--keep' : '--add';
  if (taken > 1)
    throw new ArgumentError(last, `${last}: standard input is read for something else already; give a file`);
}

/** The problem of a run: mixtures are found, molecules are read, and some design satisfies all constraints. */
export async function stateAsked(input: ProblemInput): Promise<Problem> {
  requireGoal(input);
  sayStage('stating the problem');
  return stateFor(input.table, input.spec, input.choices && { choices: input.choices });
}

/** What was read, as the functions of the library are asked it. */
export function questionOf({ spec: { goals, ...rest }, choices }: ProblemInput): Question {
  return { goal: goals, ...rest, ...(choices && { choices }) };
}

export function requireGoal({ table, spec }: ProblemInput): void {
  if (spec.goals.length > 0) return;
  const { goalCandidates } = outlineProblem(table, spec, { findMixtures: true, guessGoal: true });
  throw missingGoal(goalCandidates[0]?.goal);
}

/** `guess` is what to propose. */
export function missingGoal(guess = 'max yield'): ArgumentError {
  return new ArgumentError('--goal', `no goal is given; say what you want, such as --goal '${guess}'`);
}

type Settings = { -readonly [K in keyof ColumnSpec]: ColumnSpec[K] };

/** The spec of a file with what the options say about the same things put in its place. */
export function applyFlags(table: Table, spec: ProblemSpec, flags: ProblemFlags): ProblemSpec {
  const names = table.columns.map(({ name }) => name);
  const columns: Record<string, Settings> = Object.fromEntries(
    Object.entries(spec.columns ?? {}).map(([name, settings]) => [name, { ...settings }]),
  );
  const saidBy = new Map<string, string>();
  const set = (name: string, flag: string, key: string, change: (settings: Settings) => void) => {
    const earlier = saidBy.get(`${key} ${name}`);
    if (earlier !== undefined)
      throw new ArgumentError(
        flag,
        earlier === flag
          ? `${flag} speaks of ${shown(name)} twice; give it once`
          : `${earlier} and ${flag} contradict each other about ${shown(name)}; give one of them`,
      );
    saidBy.set(`${key} ${name}`, flag);
    columns[name] ??= {};
    change(columns[name]);
  };

  for (const text of flags.type ?? []) {
    const { column, value } = splitAssignment(text, names, '--type', '"batch=category"');
    if (!(columnTypes as readonly string[]).includes(value))
      throw new ArgumentError(
        '--type',
        `--type: there is no column type ${shown(value)}${suggestion(value, columnTypes)}; types are ${columnTypes.join(', ')}`,
      );
    set(column, '--type', 'type', (settings) => {
      settings.type = value as ColumnType;
    });
  }
  for (const { names: text, on } of flags.log ?? [])
    for (const name of splitNames(text, names, on ? '--log' : '--no-log'))
      set(name, on ? '--log' : '--no-log', 'log', (settings) => {
        settings.log = on;
      });
  for (const role of ['ignore', 'context', 'design'] as const)
    for (const text of flags[role] ?? [])
      for (const name of splitNames(text, names, `--${role}`))
        set(name, `--${role}`, 'role', (settings) => {
          settings.role = role;
          if (role === 'ignore') delete settings.fixed;
        });
  const replaced = new Set<string>();
  for (const text of flags.bounds ?? []) {
    const assignment = splitAssignment(text, names, '--bounds', '"temp=20..90"');
    const name = quoteName(assignment.column);
    const statement = parseConstraint(name === assignment.column ? text : `${name} = ${assignment.value}`);
    if (statement.kind !== 'bounds')
      throw new ArgumentError('--bounds', `--bounds ${shown(text)}: expected a range, such as "temp=20..90"`);
    const { column, lower, upper, step } = statement;
    replaced.add(column);
    set(column, '--bounds', 'value', (settings) => {
      delete settings.fixed;
      settings.bounds = [lower, upper];
      if (step === undefined) delete settings.step;
      else settings.step = step;
    });
  }
  for (const text of flags.fix ?? []) {
    const { column, value } = fixedValue(text, names);
    replaced.add(column);
    set(column, '--fix', 'value', (settings) => {
      delete settings.bounds;
      delete settings.step;
      settings.fixed = value;
    });
  }
  for (const [name, { role, fixed, bounds }] of Object.entries(columns))
    if (role === 'ignore' && (fixed !== undefined || bounds) && saidBy.has(`value ${name}`))
      throw new ArgumentError(
        saidBy.get(`value ${name}`)!,
        `${shown(name)} is ignored, so ${saidBy.get(`value ${name}`)} says nothing about designs; leave one out`,
      );

  const constraints = [
    ...(spec.constraints ?? []).filter((text) => !isAbout(text, replaced)),
    ...(flags.constraint ?? []),
    ...(flags.atMost ?? []).map((text) => grouped('at most', text)),
    ...(flags.atLeast ?? []).map((text) => grouped('at least', text)),
  ];
  const mixtures = flags.mixture?.map((text) => readMixture(table, text)) ?? spec.mixtures;
  const goals = flags.goal ?? spec.goals;
  return {
    goals,
    ...(Object.keys(columns).length > 0 && { columns }),
    ...(mixtures && mixtures.length > 0 && { mixtures }),
    ...(constraints.length > 0 && { constraints }),
    ...limitsSaid(names, spec, flags),
    ...((flags.allowRepeats ?? spec.allowRepeats) !== undefined && {
      allowRepeats: flags.allowRepeats ?? spec.allowRepeats!,
    }),
    ...(flags.assume === false ? { assume: false } : spec.assume !== undefined && { assume: spec.assume }),
  };
}

/** `yield=0..100`, `cost=0..`, `loss=..5`, `yield=none`. */
function limitsSaid(
  names: readonly string[],
  { limits = {} }: ProblemSpec,
  flags: ProblemFlags,
): Pick<ProblemSpec, 'limits'> {
  const all: Record<string, readonly [number | null, number | null]> = { ...limits };
  for (const text of flags.limits ?? []) {
    const { column, value } = splitAssignment(text, names, '--limits', '"yield=0..100"');
    const number = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?`;
    const range = new RegExp(`^(${number})?\\s*\\.\\.\\s*(${number})?$`, 'i').exec(value);
    const [lower, upper] = [range?.[1], range?.[2]].map((end) => (end === undefined ? null : Number(end)));
    const isRange = range !== null && (lower === null || upper === null || lower! < upper!);
    if (value.toLowerCase() !== 'none' && !isRange)
      throw new ArgumentError(
        '--limits',
        `--limits ${shown(text)}: expected a range such as "yield=0..100" or "cost=0..", or "yield=none"`,
      );
    all[column] = [lower ?? null, upper ?? null];
  }
  return Object.keys(all).length > 0 ? { limits: all } : {};
}

/** Whether a constraint of a file only bounds or fixes one of the columns. */
function isAbout(text: string, columns: ReadonlySet<string>): boolean {
  const statement = parseConstraint(text);
  return (statement.kind === 'bounds' || statement.kind === 'fixed') && columns.has(statement.column);
}

function grouped(quantifier: 'at most' | 'at least', text: string): string {
  const isWhole = new RegExp(`^\\s*${quantifier}\\b`, 'i').test(text);
  const constraint = isWhole ? text : `${quantifier} ${text}`;
  parseConstraint(constraint);
  return constraint;
}

/** `line=B`; the value is a number if it looks like one. Values are checked against the column later. */
function fixedValue(text: string, names: readonly string[]): { column: string; value: string | number } {
  const { column, value } = splitAssignment(text, names, '--fix', '"line=B"');
  if (/\.\./.test(value))
    throw new ArgumentError('--fix', `--fix ${shown(text)}: expected one value; a range is for --bounds`);
  const bare = /^".*"$/.test(value) ? value.slice(1, -1).replaceAll('""', '"') : undefined;
  if (bare !== undefined) return { column, value: bare };
  const isNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(value);
  return { column, value: isNumber ? Number(value) : value };
}

/** `a,b,c` adds up to what it adds up to in the table, else to 1; `a,b,c=100` to what is said. */
function readMixture(table: Table, text: string): { columns: string[]; sum: number } {
  const names = table.columns.map(({ name }) => name);
  const given = /^(.*)=\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*$/is.exec(text);
  const columns = splitNames(given ? given[1]! : text, names, '--mixture');
  if (columns.length < 2)
    throw new ArgumentError('--mixture', `--mixture ${shown(text)}: expected two columns at least`);
  if (given) {
    const sum = Number(given[2]);
    if (!(sum > 0)) throw new ArgumentError('--mixture', `--mixture ${shown(text)}: expected a positive sum`);
    return { columns, sum };
  }
  const found = findMixtures(table, columns).find((group) => group.columns.length === columns.length);
  return { columns, sum: found?.sum ?? 1 };
}
