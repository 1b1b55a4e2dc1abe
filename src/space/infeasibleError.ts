import { ArgumentError } from '../numeric/errors.js';

/** Demands that no design can satisfy together. */
export class InfeasibleError extends ArgumentError {
  override readonly name = 'InfeasibleError';

  constructor(
    /** A minimal set of them, in their author's words: without any one, the others can hold. */
    readonly conflict: readonly string[],
  ) {
    super('space', `no design satisfies all of: ${conflict.join('; ')}`);
  }
}
