/** Errors as messages with an exit code, never with a stack. */

import { CommanderError } from 'commander';
import type { UnsupportedError } from '../judging/support.js';
import { type ProblemFileError, printFault } from '../problem/problemFault.js';
import type { ExpressionError } from '../problem/tokens.js';
import type { CheckpointError } from '../runs/checkpoint.js';
import type { FileError } from '../runs/fileError.js';
import type { LockedError } from '../runs/lock.js';
import type { InfeasibleError } from '../space/feasibility.js';
import type { TableError } from '../table/table.js';
import type { ErrorCode, ErrorDetails } from './errorDocument.js';
import { type CommandError, type ExitCode, exitCodes } from './exitCodes.js';

export interface Failure {
  /** For people; empty where it was printed already. */
  readonly message: string;
  readonly code: ExitCode;
  /** For programs. */
  readonly error: ErrorDetails;
}

/** Work that was stopped by Ctrl-C, after it saved what it had. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';

  constructor(message = 'stopped', options?: ErrorOptions) {
    super(message, options);
  }
}

const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of this path is a file, not a folder',
  EISDIR: 'is a folder; give a file',
  EACCES: 'you have no access to it; change its permissions, or choose another place',
  EPERM: 'you may not change it; change its permissions, or choose another place',
  EROFS: 'cannot be written: the disk is read-only',
  EEXIST: 'exists already',
  ENOSPC: 'the disk is full; nothing half-written was left behind',
  EDQUOT: 'your quota of disk space is used up',
  ELOOP: 'symbolic links lead in a circle; check the path',
  EMFILE: 'too many files are open; close some programs',
  ENAMETOOLONG: 'the name is too long for this file system',
};

/** More faults of a problem file are counted, not listed. */
const mostFaults = 10;

/**
 * Errors are known by their names. Their classes would load, at every start, what throws them; and a command is bundled
 * apart from the start, with classes of its own.
 */
function isNamed<E extends Error>(error: unknown, ...names: readonly E['name'][]): error is E {
  return error instanceof Error && names.includes(error.name);
}

const codesByExit: Readonly<Record<Exclude<ExitCode, 0>, ErrorCode>> = {
  [exitCodes.internal]: 'internal',
  [exitCodes.usage]: 'usage',
  [exitCodes.unsupported]: 'unsupported',
  [exitCodes.infeasible]: 'infeasible',
  [exitCodes.partial]: 'partial',
  [exitCodes.interrupted]: 'interrupted',
};

export function describeFailure(error: unknown): Failure {
  if (error instanceof CommanderError) return usageFailure(error);
  if (!(error instanceof Error)) return bug(String(error));
  const { message } = error;
  const bad = (code: ErrorCode, details: Details = {}) => failure(exitCodes.usage, code, message, details);
  if (isNamed<CommandError>(error, 'CommandError'))
    return failure(error.exitCode, codesByExit[error.exitCode as keyof typeof codesByExit], message);
  if (isNamed<UnsupportedError>(error, 'UnsupportedError'))
    return failure(exitCodes.unsupported, 'unsupported', message);
  if (isNamed<FileError>(error, 'FileError')) return bad('file', { file: error.path });
  if (isNamed<CheckpointError>(error, 'CheckpointError')) return bad('file');
  if (isNamed<LockedError>(error, 'LockedError')) return bad('locked', { file: error.path });
  if (isNamed<InterruptedError>(error, 'InterruptedError'))
    return failure(exitCodes.interrupted, 'interrupted', message);
  if (isNamed<InfeasibleError>(error, 'InfeasibleError')) return conflictFailure(error);
  if (isNamed<ExpressionError>(error, 'ExpressionError')) {
    const { argument, text, position } = error;
    return { ...bad('problem', { argument, text, column: position + 1 }), message: caretText(error) };
  }
  if (isNamed<ProblemFileError>(error, 'ProblemFileError')) return faultsFailure(error);
  if (isNamed<TableError>(error, 'TableError')) {
    const { file, line, column } = error.place;
    const place = {
      file,
      ...(line !== undefined && { line }),
      ...(column !== undefined && { columnName: column }),
    };
    return bad(error.isUnreadable ? 'file' : 'table', place);
  }
  if (error.name === 'AbortError') return failure(exitCodes.interrupted, 'interrupted', 'stopped');
  const { code, path } = error as NodeJS.ErrnoException;
  const fault = code === undefined ? undefined : fileFaults[code];
  if (fault !== undefined)
    return failure(exitCodes.usage, 'file', path === undefined ? fault : `${path}: ${fault}`, {
      ...(path !== undefined && { file: path }),
    });
  // ArgumentError, ShapeError, NotFiniteError, OutOfMemoryError name the argument that was not right.
  if ('argument' in error) return bad('usage', { argument: String(error.argument) });
  return bug(message);
}

type Details = Omit<ErrorDetails, 'code' | 'exitCode' | 'message'>;

/** The same words for people and programs. */
function failure(exitCode: ExitCode, code: ErrorCode, message: string, details: Details = {}): Failure {
  return { message, code: exitCode, error: { code, exitCode, message, ...details } };
}

/** Commander has printed it: "error: unknown option '--gaol'", and perhaps "(Did you mean --goal?)" below. */
function usageFailure({ exitCode, message: text }: CommanderError): Failure {
  const [first = '', ...rest] = text.replace(/^error: /, '').split('\n');
  const isHelp = text === '(outputHelp)';
  const message = isHelp ? 'a command is missing' : first;
  const hint = isHelp ? '"nemokit --help" lists the commands' : rest.join(' ').replace(/^\((.*)\)$/, '$1');
  const code = exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  return { ...failure(code, 'usage', message, hint === '' ? {} : { hint }), message: '' };
}

function conflictFailure({ conflict }: InfeasibleError): Failure {
  const listed = conflict.map((label) => `  - ${label}`).join('\n');
  const [what, hint] =
    conflict.length === 1
      ? ['no design satisfies', 'Loosen it or leave it out.']
      : [
          'no design satisfies all of these together:',
          'Loosen one of them or leave one out; then the others can hold.',
        ];
  const { error, code } = failure(exitCodes.infeasible, 'infeasible', `${what} ${conflict.join('; ')}`, {
    hint,
    conflict,
  });
  return { message: `${what}\n${listed}\n${hint}`, code, error };
}

/** With a caret below the first wrong character. */
function caretText(error: ExpressionError): string {
  const excerpt = error.excerpt.replaceAll(/^/gm, '    ');
  return `${error.argument}: ${error.reason}\n\n${excerpt}`;
}

function faultsFailure({ argument, faults, message }: ProblemFileError): Failure {
  const lines = faults.slice(0, mostFaults).map((fault) => printFault(argument, fault));
  const rest = faults.length - lines.length;
  const [{ line, column } = { line: 0, column: 0 }] = faults;
  // line 0: the file cannot be read at all
  const { error, code } =
    line === 0
      ? failure(exitCodes.usage, 'file', message, { file: argument })
      : failure(exitCodes.usage, 'problem', message, { file: argument, line, column, faults });
  return { message: [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n'), code, error };
}

function bug(reason: string): Failure {
  const message = `this is a bug in nemokit: ${reason || 'an error without a message'}`;
  const hint =
    'Please report it with what `nemokit doctor` prints and what the same command prints with NEMOKIT_DEBUG=1.';
  return { ...failure(exitCodes.internal, 'internal', message, { hint }), message: `${message}\n${hint}` };
}
