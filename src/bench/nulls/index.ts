/** Rows of every table that use no model, in the order of tables. */
import { noise, noiseDistances } from './noise.js';
import { random } from './random.js';
import { sobol } from './sobol.js';
import { start } from './start.js';

export const nulls = { start, noise, random, sobol } as const;

/** What `--algorithm nulls` stands for. */
export const nullRows: readonly string[] = [
  'start',
  ...noiseDistances.map((distance) => `noise@${distance}`),
  'random',
  'sobol',
];

/** Noise as far from the data as the median design of some row: in no table, beside the cells of that row. */
export const matchedVariant = 'matched';

export function isNull(algorithm: string): boolean {
  return Object.hasOwn(nulls, algorithm);
}
