/** Problems from files, for Node: a table, or a problem file with the tables it names. */
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join } from 'node:path';
import { ArgumentError } from '../../numeric/errors.js';
import { appendRows } from '../../table/appendRows.js';
import { openTableFile, type TableSource, whyUnreadable } from '../../table/platform/node.js';
import { quoted } from '../../table/quoted.js';
import type { ReadOptions } from '../../table/readTable.js';
import { selectRows } from '../../table/selectRows.js';
import type { Table } from '../../table/table.js';
import { ProblemFileError } from '../problemFault.js';
import type { MethodOptions, ProblemFile } from '../problemFile.js';
import { type ProblemSpec, type RunSettings, settingsOf, specOf } from '../problemSpec.js';

/** Bytes of a problem file; parseProblemFile refuses what is longer in characters. */
const maximumProblemBytes = 1_000_000;

/** How `readProblem` reads, and what it puts beside the table. */
export interface ReadProblemOptions {
  /** How to read the table of past experiments. */
  readonly reading?: ReadOptions;
  /** Designs are rows of the table at this path, whatever a problem file says. */
  readonly choices?: string;
  /** Paths of tables whose rows are put below those of the table, and below those that a problem file adds. */
  readonly add?: readonly string[];
  /** Where the designs to keep and to avoid are, whatever a problem file says: a table, some of its rows, a run folder. */
  readonly keep?: string;
  readonly avoid?: string;
  /** With them, the method of a problem file and its options are checked. */
  readonly methods?: MethodOptions;
}

/** What was asked and the tables it is about, as they were read: what `stateProblem` needs. */
export interface ProblemInput {
  /** Without goals where a bare table was read. */
  readonly spec: ProblemSpec;
  /** What a problem file says about the run. */
  readonly settings: RunSettings;
  readonly table: Table;
  /** Designs are rows of this table only. */
  readonly choices?: Table;
  /** Designs of this table are in the batch. */
  readonly keep?: Table;
  /** Designs like those of this table are not proposed. */
  readonly avoid?: Table;
  /** The file of the table; absent for standard input. */
  readonly source?: TableSource;
}

/**
 * Reads a table, or a problem file (.yaml, .yml) with the tables it names, whose paths are relative to it. "-" is
 * standard input. Every file is read once. Throws `ProblemFileError` about a problem file, `TableError` about a table.
 *
 *     const { table, spec, choices } = await readProblem('nemokit.yaml');
 *     const problem = stateProblem(table, spec, { choices });
 */
export async function readProblem(path: string, options: ReadProblemOptions = {}): Promise<ProblemInput> {
  const file = isProblemFile(path) ? await parsedFile(path, options.methods) : undefined;
  const data = file ? named(path, 'data', file.data) : { path, advice: '' };
  const besides = (key: 'choices' | 'keep' | 'avoid') => {
    const [given, written] = [options[key], file?.[key]];
    if (given !== undefined) return { path: given, advice: '' };
    return written === undefined ? undefined : named(path, key, written);
  };
  const choices = besides('choices');
  const opened = await openTableFile(data.path, { ...file?.read, ...options.reading }, data.advice);
  let { table } = opened;
  const added = [
    ...(file?.add ?? []).map((more) => named(path, 'add', more)),
    ...(options.add ?? []).map((more) => ({ path: more, advice: '' })),
  ];
  for (const more of added) {
    const { table: rows } = await openTableFile(more.path, { text: textColumns(table) }, more.advice);
    table = appendRows(table, rows);
  }
  const [keep, avoid] = [
    await designRows(besides('keep'), table, 'keep'),
    await designRows(besides('avoid'), table, 'avoid'),
  ];
  return {
    spec: file ? specOf(file) : { goals: [] },
    settings: file ? settingsOf(file) : {},
    table,
    ...(choices && { choices: (await openTableFile(choices.path, {}, choices.advice)).table }),
    ...(keep && { keep }),
    ...(avoid && { avoid }),
    ...(opened.source && { source: opened.source }),
  };
}

/** Rows of designs: `plan.csv`, `plan.csv:2,5-7`, or a run folder, which stands for its candidates. */
async function designRows(
  given: { readonly path: string; readonly advice: string } | undefined,
  past: Table,
  key: string,
): Promise<Table | undefined> {
  if (!given) return undefined;
  const isThere = await kindOf(given.path);
  const numbered = isThere ? null : /^(.+):([\d\s,-]+)$/.exec(given.path);
  const path = numbered ? numbered[1]! : given.path;
  const file = (await kindOf(path)) === 'folder' ? join(path, 'candidates.csv') : path;
  const { table } = await openTableFile(file, { text: textColumns(past) }, given.advice);
  if (!numbered) return table;
  const rows = numbered[2]!.split(',').flatMap((part) => {
    const range = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part);
    const [first, last] = [Number(range?.[1]), Number(range?.[2] ?? range?.[1])];
    if (!range || first < 1 || last < first || last > table.rows)
      throw new ArgumentError(
        key,
        `${key}: ${quoted(part.trim())} is no row of ${basename(file)}, which has ${table.rows}; expected numbers such as 1,3 or 2-5`,
      );
    return Array.from({ length: last - first + 1 }, (_, i) => first - 1 + i);
  });
  return selectRows(table, [...new Set(rows)]);
}

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  return stat(path).then(
    (entry) => (entry.isDirectory() ? 'folder' : 'file'),
    () => undefined,
  );
}

export function isProblemFile(path: string): boolean {
  return ['.yaml', '.yml'].includes(extname(path).toLowerCase());
}

/** Names of columns whose cells stay as they are written, also where another table has only digits there. */
export function textColumns({ columns }: Table): string[] {
  return columns.filter(({ kind }) => kind === 'text').map(({ name }) => name);
}

/** A path in a problem file, and what to say where nothing is there. */
function named(problemPath: string, key: 'data' | 'choices' | 'add' | 'keep' | 'avoid', path: string) {
  const inFolder = isAbsolute(path) ? path : join(dirname(problemPath), path);
  return {
    // a file called "-"; by itself that would be standard input
    path: inFolder === '-' ? './-' : inFolder,
    advice: `; "${key}" of ${basename(problemPath)} names it${isAbsolute(path) ? '' : ', relative to that file'}`,
  };
}

async function parsedFile(path: string, methods?: MethodOptions): Promise<ProblemFile> {
  const file = basename(path);
  const fail = (message: string, line = 1): never => {
    throw new ProblemFileError(file, [{ path: '', line, column: line, message }]);
  };
  const reason = await whyUnreadable(path);
  if (reason !== undefined) fail(`${path}: ${reason}`, 0);
  const { size } = await stat(path);
  if (size > maximumProblemBytes)
    fail(`is ${size} bytes long; expected a problem file of at most ${maximumProblemBytes}`);
  const bytes = await readFile(path);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return fail('is not UTF-8 text; save it as such');
  }
  // most calls read a bare table and need no parser of YAML
  const { parseProblemFile } = await import('../problemFile.js');
  return parseProblemFile(text, file, methods);
}
