/** A run whose networks diverge ends with an error that says which option to change. */
import { NotFiniteError } from '../numeric/errors.js';

/** Which options to lower if numbers stop being finite. */
export interface DivergenceAdvice {
  readonly training: string;
  readonly search: string;
}

/** Throws unless all values are finite. `iteration`: of the search, from 1; 0 or less in training. */
export function requireConverging(
  values: ArrayLike<number>,
  iteration: number,
  advice: DivergenceAdvice,
): void {
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
