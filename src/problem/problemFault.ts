/** What is wrong with a problem file. Apart from its reader, so that a message needs no parser of YAML. */
import { oneLine } from './tokens.js';

export interface ProblemFault {
  /** Such as `columns.temp.bounds[0]`; empty for the file itself. */
  readonly path: string;
  /** Counted from 1; 0 where the file cannot be read at all. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A problem file that cannot be used. The message is about the first fault. */
export class ProblemFileError extends Error {
  override readonly name = 'ProblemFileError';
  readonly faults: readonly ProblemFault[];

  constructor(
    /** Name of the file. */
    readonly argument: string,
    found: readonly ProblemFault[],
  ) {
    const said = found.map((fault) => printFault(argument, fault));
    // several rules may find the same fault
    const faults = found.filter((_, i) => said.indexOf(said[i]!) === i);
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
    super(oneLine(`${said[0]!}${more}`));
    this.faults = faults;
  }
}

/** A fault with its place, as in `nemokit.yaml:4:1: unknown key "batsh"`. */
export function printFault(file: string, { path, line, column, message }: ProblemFault): string {
  const place = line === 0 ? '' : `${file}:${line}:${column}: `;
  return `${place}${path === '' ? '' : `${path}: `}${message}`;
}
