/** Real molecules near a made-up fingerprint, by the Tanimoto similarity of their bits. */
import { requireCount, ShapeError } from '../numeric/errors.js';
import { topIndices } from '../numeric/stats.js';

export interface Neighbour {
  /** Number of the molecule. */
  readonly row: number;
  /** Bits both have, as a share of those that either has: 0 to 1; 1 if neither has any. */
  readonly similarity: number;
}

/**
 * The `k` molecules most similar to `bits`, most similar first, of equals the lower number; all of them if there are
 * fewer. `prints` are N x d, 0 or 1; `bits` d.
 */
export function nearestMolecules(prints: Uint8Array, bits: ArrayLike<number>, k: number): Neighbour[] {
  requireCount('k', k);
  const d = bits.length;
  if (d === 0 || prints.length === 0 || prints.length % d !== 0) {
    throw new ShapeError('prints', `prints has ${prints.length} bits, which are not molecules of ${d}`);
  }
  const ones: number[] = [];
  for (let b = 0; b < d; b++) if (bits[b] === 1) ones.push(b);
  const N = prints.length / d;
  const similarities = new Float64Array(N);
  for (let i = 0; i < N; i++) {
    let both = 0;
    for (const b of ones) both += prints[i * d + b]!;
    let own = 0;
    for (let b = 0; b < d; b++) own += prints[i * d + b]!;
    const either = own + ones.length - both;
    similarities[i] = either === 0 ? 1 : both / either;
  }
  return Array.from(topIndices(similarities, Math.min(k, N)), (row) => ({
    row,
    similarity: similarities[row]!,
  }));
}
