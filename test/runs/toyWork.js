// A piece of work whose state is random numbers: any step lost, repeated or changed by a bit shows in its result.

import { rootKey } from '../../dist/numeric/key.js';
import { Stream } from '../../dist/numeric/random.js';

/** @typedef {{ n: number, stream: import('../../dist/numeric/random.js').StreamState, sums: Float64Array }} ToyState */

/** @param {number} pieces */
export function toyWork(pieces) {
  return {
    /** @returns {Promise<ToyState>} */
    start: async () => ({ n: 0, stream: new Stream(rootKey(5)).state(), sums: new Float64Array(64) }),
    /** @param {ToyState} state @returns {Promise<ToyState>} */
    advance: async ({ n, stream: before, sums }) => {
      const stream = new Stream(before);
      const next = sums.map((sum) => sum * 0.99 + stream.normal());
      return { n: n + 1, stream: stream.state(), sums: next };
    },
    /** @param {ToyState} state */
    isDone: ({ n }) => n >= pieces,
    /** @param {ToyState} state */
    progress: ({ n }) => ({ stage: 'toy', fraction: n / pieces, detail: `piece ${n} of ${pieces}` }),
    /** @param {ToyState} state */
    watch: ({ sums }) => ({ first: sums[0] ?? 0 }),
    /** @param {ToyState} state */
    finish: async ({ sums }) => `${Buffer.from(sums.buffer).toString('hex')}\n`,
    canFinish: () => true,
  };
}
