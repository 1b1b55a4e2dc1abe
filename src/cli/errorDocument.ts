/** An error for programs: what a command prints with `--json` or `--jsonl` in place of its document. docs/json.md */
import type { ProblemFault } from '../problem/problemFault.js';
import { printJson, printJsonLine } from './printJson.js';

export const errorVersion = 1;

/** Codes stay what they are; docs/json.md says which exit code goes with each. */
export type ErrorCode =
  /** The command line, the environment or a value in them. */
  | 'usage'
  /** A file or folder that cannot be read, written or used. */
  | 'file'
  /** What is in a table. */
  | 'table'
  /** A goal, a constraint or a problem file. */
  | 'problem'
  /** Another process writes to the folder. */
  | 'locked'
  | 'unsupported'
  | 'infeasible'
  /** A limit was reached before there was anything to print. */
  | 'partial'
  | 'interrupted'
  | 'internal';

export interface ErrorDetails {
  readonly code: ErrorCode;
  readonly exitCode: number;
  readonly message: string;
  /** What to do. */
  readonly hint?: string;
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
  /** Character of the line, or of `text`, counted from 1. */
  readonly column?: number;
  /** Column of a table. */
  readonly columnName?: string;
  /** What was not right: an option, a setting, "goal", "constraint". */
  readonly argument?: string;
  /** The goal or constraint that cannot be read. */
  readonly text?: string;
  /** Of a problem file, every fault; the first one is also in `line`, `column` and `message`. */
  readonly faults?: readonly ProblemFault[];
  /** Constraints that exclude each other. */
  readonly conflict?: readonly string[];
  /** Folder of a run that was saved and can be resumed. */
  readonly run?: string;
}

export interface ErrorDocument {
  readonly errorVersion: typeof errorVersion;
  readonly error: ErrorDetails;
}

/** The same as a line of `--jsonl`. */
export interface ErrorEvent extends ErrorDocument {
  readonly event: 'error';
}

export type Output = 'text' | 'json' | 'jsonl';

/** What a command line asks for. It may be one that cannot be parsed. */
export function outputAsked(args: readonly string[]): Output {
  const end = args.indexOf('--');
  const words = end < 0 ? args : args.slice(0, end);
  return words.includes('--jsonl') ? 'jsonl' : words.includes('--json') ? 'json' : 'text';
}

export function printError(error: ErrorDetails, output: Output): void {
  if (output === 'json') printJson({ errorVersion, error } satisfies ErrorDocument);
  if (output === 'jsonl') printJsonLine({ event: 'error', errorVersion, error } satisfies ErrorEvent);
}
