/** What data can support at all, before anything is trained. */
import { extent } from '../numeric/stats.js';
import type { Problem } from '../problem/index.js';
import { LEAST_ROWS } from '../problem/leastRows.js';

/** The data cannot answer the question, whatever is computed. */
export class UnsupportedError extends Error {
  override readonly name = 'UnsupportedError';
}

export { LEAST_ROWS };

export function requireSupport({ data }: Problem): void {
  const rows = data.y.length;
  if (rows < LEAST_ROWS) {
    throw new UnsupportedError(
      `there are ${rows} different settings with a measured goal, and at least ${LEAST_ROWS} are needed: measure more, or leave out columns with --ignore so that fewer cells are missing`,
    );
  }
  const { min, max } = extent(data.y);
  if (min === max) {
    throw new UnsupportedError(
      'every row has the same score, so nothing says which settings are better: choose another goal',
    );
  }
}
