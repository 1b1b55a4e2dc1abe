/** What is said when networks diverge: they take their loss and the designs with them. */
import { NotFiniteError } from '../numeric/errors.js';

/** What to change, in training and while designs move. */
export interface DivergenceAdvice {
  readonly training: string;
  readonly search: string;
}

/** Throws `NotFiniteError` if a value is not finite. `iteration`: of the algorithm, at most 0 in training. */
export function requireSettled(values: ArrayLike<number>, iteration: number, advice: DivergenceAdvice): void {
  for (let i = 0; i < values.length; i++) {
    if (Number.isFinite(values[i])) continue;
    throw new NotFiniteError(
      'designs',
      iteration > 0
        ? `the networks diverged by iteration ${iteration}; ${advice.search}`
        : `the networks diverged in training; ${advice.training}`,
    );
  }
}
