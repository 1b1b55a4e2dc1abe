/** A call that is not answered as asked: a status of HTTP, and what people can do about it. */
import type { Fault } from '../protocol/index.js';

export type RefusedStatus = 400 | 401 | 403 | 404 | 405 | 409 | 411 | 413 | 415 | 421 | 422 | 429 | 500 | 503;

export class RefusedError extends Error {
  override readonly name = 'RefusedError';

  constructor(
    readonly status: RefusedStatus,
    message: string,
    /** What the app is told. */
    readonly fault: Fault = { name: 'RefusedError', message },
  ) {
    super(message);
  }
}

/** Errors about what a person wrote or chose, by name; all others are faults of the server. */
const mistakes = [
  'ArgumentError',
  'CheckpointError',
  'ExpressionError',
  'FileError',
  'InfeasibleError',
  'LockedError',
  'NotFiniteError',
  'OutOfMemoryError',
  'ProblemFileError',
  'ShapeError',
  'TableError',
  'UnsupportedError',
];

/** An error as data, for another process and for the app: never a stack. */
export interface SentError {
  readonly status: RefusedStatus;
  readonly fault: Fault;
}

export function sentError(error: unknown): SentError {
  if (error instanceof RefusedError) return { status: error.status, fault: error.fault };
  if (!(error instanceof Error) || !mistakes.includes(error.name)) {
    const reason = (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
    return { status: 500, fault: { name: 'Error', message: `this is a bug in nemokit: ${reason}` } };
  }
  const { argument } = error as { argument?: unknown };
  const fault = {
    name: error.name,
    message: error.message,
    ...(typeof argument === 'string' && { argument }),
  };
  return { status: error.name === 'LockedError' ? 409 : 422, fault };
}
