import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { type ReadOptions, readInput } from '../../table/readTable.js';
import { type Table, TableError } from '../../table/table.js';
import { ProblemFileError, type ProblemSpec, parseProblemFile } from '../problemFile.js';
import { problem, type TableProblem } from '../tableProblem.js';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'the file may not be read; check its permissions',
  EPERM: 'the file may not be read; check its permissions',
};

/** Bytes of a problem file; parseProblemFile refuses what is longer in characters. */
const maximumProblemBytes = 1_000_000;

/** Reads the table at `path`; "-" is standard input. */
export async function readTableFile(path: string, options: ReadOptions = {}): Promise<Table> {
  if (path === '-')
    return readInput(
      { isRepeatable: false, open: () => process.stdin },
      options.name ?? 'standard input',
      options,
    );
  const file = options.name ?? basename(path);
  const reason = await whyUnreadable(path);
  if (reason !== undefined) throw new TableError(`${path}: ${reason}`, { file });
  return readPath(path, file, options);
}

export interface ProblemFromFile {
  readonly spec: ProblemSpec;
  readonly table: Table;
  /** The table that `choices` names. */
  readonly choices?: Table;
  readonly problem: TableProblem;
}

/**
 * Reads a problem file with the tables it names, whose paths are relative to it, and makes the problem. Throws
 * `ProblemFileError` about the file, `TableError` about a table, `ExpressionError` or `ArgumentError` where the two do
 * not fit together.
 */
export async function readProblemFile(path: string): Promise<ProblemFromFile> {
  const file = basename(path);
  const spec = parseProblemFile(await problemText(path, file), file);
  const table = await namedTable(path, 'data', spec.data);
  const choices = spec.choices === undefined ? undefined : await namedTable(path, 'choices', spec.choices);
  return {
    spec,
    table,
    ...(choices && { choices }),
    problem: problem(table, spec, choices ? { choices } : {}),
  };
}

async function problemText(path: string, file: string): Promise<string> {
  const fail = (message: string): never => {
    throw new ProblemFileError(file, [{ path: '', line: 1, column: 1, message }]);
  };
  const reason = await whyUnreadable(path);
  if (reason !== undefined) fail(`${path}: ${reason}`);
  const { size } = await stat(path);
  if (size > maximumProblemBytes)
    fail(`is ${size} bytes long; expected a problem file of at most ${maximumProblemBytes}`);
  const bytes = await readFile(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return fail('is not UTF-8 text; save it as such');
  }
}

async function namedTable(problemPath: string, key: 'data' | 'choices', named: string): Promise<Table> {
  const path = isAbsolute(named) ? named : join(dirname(problemPath), named);
  const reason = await whyUnreadable(path);
  if (reason !== undefined)
    throw new TableError(
      `${path}: ${reason}; "${key}" of ${basename(problemPath)} names it, relative to that file`,
      { file: basename(path) },
    );
  return readPath(path, basename(path), {});
}

function readPath(path: string, file: string, options: ReadOptions): Promise<Table> {
  const open = () => createReadStream(path, { highWaterMark: 1 << 20 });
  return readInput({ isRepeatable: true, open }, file, options);
}

/** Undefined for a file that is there. */
function whyUnreadable(path: string): Promise<string | undefined> {
  return stat(path).then(
    (entry) => (entry.isDirectory() ? 'is a folder; give a file in it' : undefined),
    (error: NodeJS.ErrnoException) => reasons[error.code ?? ''] ?? 'the file cannot be opened',
  );
}
