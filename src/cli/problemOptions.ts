/** What a problem is, as options of a command: the same words as in a problem file, which they override. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Command } from 'commander';
import { ArgumentError } from '../numeric/errors.js';
import {
  type ColumnSpec,
  findMixtures,
  type ProblemSpec,
  type ProblemWords,
  parseConstraint,
  parseGoals,
  parseProblemFile,
} from '../problem/index.js';
import { readTableFile } from '../problem/platform/node.js';
import { quoteName, shown, suggestion } from '../problem/tokens.js';
import { appendRows, type ColumnType, columnTypes, type ReadOptions, type Table } from '../table/index.js';
import { splitAssignment, splitNames } from './columnNames.js';
import { collect } from './optionValues.js';

/** As commander hands them over. */
export interface ProblemOptions {
  readonly goal?: readonly string[];
  readonly bounds?: readonly string[];
  readonly fix?: readonly string[];
  readonly constraint?: readonly string[];
  readonly atMost?: readonly string[];
  readonly atLeast?: readonly string[];
  readonly mixture?: readonly string[];
  readonly from?: string;
  readonly add?: readonly string[];
  readonly ignore?: readonly string[];
  readonly context?: readonly string[];
  readonly type?: readonly string[];
  /** `--log` and `--no-log`, in the order they were typed. */
  readonly log?: readonly { readonly names: string; readonly on: boolean }[];
  readonly delimiter?: string;
  readonly decimal?: string;
  readonly encoding?: string;
  readonly sheet?: string;
  readonly missing?: string;
}

export interface ReadProblem {
  /** Goals may be absent. */
  readonly words: ProblemWords;
  readonly table: Table;
  /** Designs are rows of it and nothing else. */
  readonly choices?: Table;
  /** What else a problem file says. */
  readonly settings: Pick<ProblemSpec, 'batch' | 'seed' | 'effort' | 'method' | 'options'>;
  readonly source: {
    /** Path of the table; "-" is standard input. */
    readonly data: string;
    /** Path of the problem file, where there is one. */
    readonly problemFile?: string;
    readonly choices?: string;
  };
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
    .option('--type <column=type>', `how to read a column: ${columnTypes.join(', ')}`, collect)
    .option(
      '--log <columns>',
      'columns on a logarithmic scale',
      (names: string, before: ProblemOptions['log'] = []) => [...before, { names, on: true }],
    )
    .option(
      '--no-log <columns>',
      'columns that are not, whatever their values suggest',
      (names: string, before: ProblemOptions['log'] = []) => [...before, { names, on: false }],
    );
}

/** Gives a command the options that say how a table is read. */
export function addReadOptions(command: Command): Command {
  return command
    .option('--delimiter <character>', 'what separates cells; default: found')
    .option('--decimal <mark>', 'decimal mark, "." or ","; default: found')
    .option('--encoding <name>', 'utf-8, utf-16le, utf-16be or latin1; default: found')
    .option('--sheet <sheet>', 'sheet of a workbook, by name or number; default: the first')
    .option('--missing <texts>', 'texts that stand for an empty cell, with commas between them');
}

export function readOptionsOf(options: ProblemOptions): ReadOptions {
  const { delimiter, decimal, encoding, sheet, missing } = options;
  const named: Readonly<Record<string, string>> = { tab: '\t', '\\t': '\t', comma: ',', semicolon: ';' };
  // readTable checks the values.
  return {
    ...(delimiter !== undefined && { delimiter: named[delimiter] ?? delimiter }),
    ...(decimal !== undefined && { decimal: decimal as NonNullable<ReadOptions['decimal']> }),
    ...(encoding !== undefined && { encoding: encoding as NonNullable<ReadOptions['encoding']> }),
    ...(sheet !== undefined && { sheet: /^\d+$/.test(sheet) ? Number(sheet) : sheet }),
    ...(missing !== undefined && { missing: missing.split(',').map((text) => text.trim()) }),
  };
}

export function isProblemFile(path: string): boolean {
  return ['.yaml', '.yml'].includes(extname(path).toLowerCase());
}

/**
 * Reads a table or a problem file and puts what the options say on top. Throws `TableError`, `ProblemFileError`,
 * `ExpressionError` or `ArgumentError`.
 */
export async function readProblemWords(path: string, options: ProblemOptions = {}): Promise<ReadProblem> {
  const reading = readOptionsOf(options);
  const file = isProblemFile(path)
    ? parseProblemFile(await readFile(path, 'utf8'), basename(path))
    : undefined;
  const data = file ? join(dirname(path), file.data) : path;
  const listed =
    options.from ?? (file?.choices === undefined ? undefined : join(dirname(path), file.choices));
  if (data === '-' && listed === '-')
    throw new ArgumentError('--from', '--from: standard input is the table already; give a file');
  let table = await readTableFile(data, reading);
  for (const more of options.add ?? []) {
    if (more === '-' && [data, listed].includes('-'))
      throw new ArgumentError(
        '--add',
        '--add: standard input is read for something else already; give a file',
      );
    table = appendRows(table, await readTableFile(more, { text: textColumns(table) }));
  }
  const choices = listed === undefined ? undefined : await readTableFile(listed);
  return {
    words: applyOptions(table, file ?? { goals: [] }, options),
    table,
    ...(choices && { choices }),
    settings: {
      ...(file?.batch !== undefined && { batch: file.batch }),
      ...(file?.seed !== undefined && { seed: file.seed }),
      ...(file?.effort !== undefined && { effort: file.effort }),
      ...(file?.method !== undefined && { method: file.method }),
      ...(file?.options !== undefined && { options: file.options }),
    },
    source: {
      data,
      ...(file && { problemFile: path }),
      ...(listed !== undefined && { choices: listed }),
    },
  };
}

/** Names of columns whose cells stay as they are written, also where another table has only digits there. */
export function textColumns({ columns }: Table): string[] {
  return columns.filter(({ kind }) => kind === 'text').map(({ name }) => name);
}

type Settings = { -readonly [K in keyof ColumnSpec]: ColumnSpec[K] };

/** The words of a file with what the options say about the same things put in their place. */
export function applyOptions(table: Table, words: ProblemWords, options: ProblemOptions): ProblemWords {
  const names = table.columns.map(({ name }) => name);
  const columns: Record<string, Settings> = Object.fromEntries(
    Object.entries(words.columns ?? {}).map(([name, settings]) => [name, { ...settings }]),
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

  for (const text of options.type ?? []) {
    const { column, value } = splitAssignment(text, names, '--type', '"batch=category"');
    if (!(columnTypes as readonly string[]).includes(value))
      throw new ArgumentError(
        '--type',
        `--type: there is no column type ${shown(value)}${suggestion(value, columnTypes)}; types are ${columnTypes.join(', ')}`,
      );
    set(column, '--type', 'type', (own) => {
      own.type = value as ColumnType;
    });
  }
  for (const { names: text, on } of options.log ?? [])
    for (const name of splitNames(text, names, on ? '--log' : '--no-log'))
      set(name, on ? '--log' : '--no-log', 'log', (own) => {
        own.log = on;
      });
  for (const role of ['ignore', 'context'] as const)
    for (const text of options[role] ?? [])
      for (const name of splitNames(text, names, `--${role}`))
        set(name, `--${role}`, 'role', (own) => {
          own.role = role;
          if (role === 'ignore') delete own.fixed;
        });
  const replaced = new Set<string>();
  for (const text of options.bounds ?? []) {
    const assignment = splitAssignment(text, names, '--bounds', '"temp=20..90"');
    const name = quoteName(assignment.column);
    const statement = parseConstraint(name === assignment.column ? text : `${name} = ${assignment.value}`);
    if (statement.kind !== 'bounds')
      throw new ArgumentError('--bounds', `--bounds ${shown(text)}: expected a range, such as "temp=20..90"`);
    const { column, lower, upper, step } = statement;
    replaced.add(column);
    set(column, '--bounds', 'value', (own) => {
      delete own.fixed;
      own.bounds = [lower, upper];
      if (step === undefined) delete own.step;
      else own.step = step;
    });
  }
  for (const text of options.fix ?? []) {
    const { column, value } = fixedValue(text, names);
    replaced.add(column);
    set(column, '--fix', 'value', (own) => {
      delete own.bounds;
      delete own.step;
      own.fixed = value;
    });
  }
  for (const [name, { role, fixed, bounds }] of Object.entries(columns))
    if (role === 'ignore' && (fixed !== undefined || bounds) && saidBy.has(`value ${name}`))
      throw new ArgumentError(
        saidBy.get(`value ${name}`)!,
        `${shown(name)} is ignored, so ${saidBy.get(`value ${name}`)} says nothing about designs; leave one out`,
      );

  const constraints = [
    ...(words.constraints ?? []).filter((text) => !isAbout(text, replaced)),
    ...(options.constraint ?? []),
    ...(options.atMost ?? []).map((text) => grouped('at most', text)),
    ...(options.atLeast ?? []).map((text) => grouped('at least', text)),
  ];
  const mixtures = options.mixture?.map((text) => readMixture(table, text)) ?? words.mixtures;
  const goals = options.goal ?? words.goals;
  parseGoals(goals, names);
  return {
    goals,
    ...(Object.keys(columns).length > 0 && { columns }),
    ...(mixtures && mixtures.length > 0 && { mixtures }),
    ...(constraints.length > 0 && { constraints }),
  };
}

/** Whether a constraint of a file only bounds or fixes one of the columns. */
function isAbout(text: string, columns: ReadonlySet<string>): boolean {
  const statement = parseConstraint(text);
  return (statement.kind === 'bounds' || statement.kind === 'fixed') && columns.has(statement.column);
}

function grouped(words: 'at most' | 'at least', text: string): string {
  const constraint = new RegExp(`^\\s*${words}\\b`, 'i').test(text) ? text : `${words} ${text}`;
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
  const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(value);
  return { column, value: isNumber ? Number(value) : value };
}

/** `a,b,c` adds up to what it adds up to in the table, else to 1; `a,b,c=100` to what is said. */
function readMixture(table: Table, text: string): { columns: string[]; sum: number } {
  const names = table.columns.map(({ name }) => name);
  const given = /^(.*)=\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*$/is.exec(text);
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

/** Throws unless there is a goal; `guess` is what to propose. */
export function requireGoals(words: ProblemWords, guess: string | undefined): void {
  if (words.goals.length > 0) return;
  throw new ArgumentError(
    '--goal',
    `no goal is given; say what you want, such as --goal '${guess ?? 'max yield'}'`,
  );
}
