/** What a command ends with. docs/cli.md says the same. */
export const exitCodes = {
  ok: 0,
  /** A fault of nemokit, or of the machine as `doctor` finds it. */
  internal: 1,
  /** Wrong usage or bad input. */
  usage: 2,
  /** The data do not support what was asked. */
  unsupported: 3,
  /** No design satisfies the constraints. */
  infeasible: 4,
  /** Not all was done, because of a limit or because trials failed; what there is was saved. */
  partial: 5,
  /** Ctrl-C; what there is was saved. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An end that a command chose itself: a message for people, and the code that goes with it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    readonly exitCode: ExitCode,
    message: string,
  ) {
    super(message);
  }
}
