/** Errors as messages with an exit code, never with a stack. */

import { CommanderError } from 'commander';
import { type ProblemFileError, printFault } from '../problem/problemFault.js';
import type { ExpressionError } from '../problem/tokens.js';
import type { InfeasibleError } from '../space/feasibility.js';
import { type CommandError, type ExitCode, exitCodes } from './exitCodes.js';

export interface Failure {
  /** Empty where it was printed already. */
  readonly message: string;
  readonly code: ExitCode;
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
  EACCES: 'may not be opened; check its permissions',
  EPERM: 'may not be changed; check its permissions',
  EROFS: 'cannot be written: the disk is read-only',
  EEXIST: 'exists already',
  ENOSPC: 'the disk is full; nothing half-written was left behind',
  EDQUOT: 'your quota of disk space is used up',
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

export function describeFailure(error: unknown): Failure {
  if (error instanceof CommanderError)
    return { message: '', code: error.exitCode === 0 ? exitCodes.ok : exitCodes.usage };
  if (isNamed<CommandError>(error, 'CommandError')) return { message: error.message, code: error.exitCode };
  if (isNamed<InterruptedError>(error, 'InterruptedError'))
    return { message: error.message, code: exitCodes.interrupted };
  if (isNamed<Error>(error, 'UnsupportedError'))
    return { message: error.message, code: exitCodes.unsupported };
  if (isNamed<Error>(error, 'FileError', 'CheckpointError', 'LockedError', 'TableError'))
    return { message: error.message, code: exitCodes.usage };
  if (isNamed<InfeasibleError>(error, 'InfeasibleError'))
    return { message: conflictText(error), code: exitCodes.infeasible };
  if (isNamed<ExpressionError>(error, 'ExpressionError'))
    return { message: caretText(error), code: exitCodes.usage };
  if (isNamed<ProblemFileError>(error, 'ProblemFileError'))
    return { message: faultsText(error), code: exitCodes.usage };
  if (!(error instanceof Error)) return { message: bug(String(error)), code: exitCodes.internal };
  if (error.name === 'AbortError') return { message: 'stopped', code: exitCodes.interrupted };
  const { code, path } = error as NodeJS.ErrnoException;
  const fault = code === undefined ? undefined : fileFaults[code];
  if (fault !== undefined)
    return { message: path === undefined ? fault : `${path}: ${fault}`, code: exitCodes.usage };
  // ArgumentError, ShapeError, NotFiniteError, OutOfMemoryError name the argument that was not right.
  if ('argument' in error) return { message: error.message, code: exitCodes.usage };
  return { message: bug(error.message), code: exitCodes.internal };
}

function conflictText({ conflict }: InfeasibleError): string {
  const listed = conflict.map((label) => `  - ${label}`).join('\n');
  return conflict.length === 1
    ? `no design satisfies\n${listed}\nLoosen it or leave it out.`
    : `no design satisfies all of these together:\n${listed}\nLoosen one of them or leave one out; then the others can hold.`;
}

/** With a caret below the first wrong character. */
function caretText(error: ExpressionError): string {
  const excerpt = error.excerpt.replaceAll(/^/gm, '    ');
  return `${error.argument}: ${error.reason}\n\n${excerpt}`;
}

function faultsText({ argument, faults }: ProblemFileError): string {
  const lines = faults.slice(0, mostFaults).map((fault) => printFault(argument, fault));
  const rest = faults.length - lines.length;
  return [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}

function bug(message: string): string {
  return (
    `this is a bug in nemokit: ${message || 'an error without a message'}\n` +
    'Please report it with what `nemokit doctor` prints and what the same command prints with NEMOKIT_DEBUG=1.'
  );
}
