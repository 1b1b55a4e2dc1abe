import { describe, expect, it } from 'vitest';
import { presetOptions } from '../../src/algorithm.js';
import { nemo } from '../../src/algorithms/nemo.js';
import { median, openEngine, rootKey, Stream } from '../../src/numeric/index.js';
import { run } from '../../src/run.js';
import type { Space } from '../../src/space/space.js';

/** Best, 0, at 0.03 and 0.5: a dose that acts by its order of magnitude, and a share. */
const score = (x: ArrayLike<number>) => -((Math.log10(x[0]!) - Math.log10(0.03)) ** 2) - (x[1]! - 0.5) ** 2;

describe('a column over six decades', () => {
  it('is optimised on a logarithmic scale, and lost as it is', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const options = {
      ...presetOptions(nemo, 'lockstep'),
      bins: 10,
      batchSize: 32,
      pretrainSteps: 400,
      steps: 60,
    };
    const medians: Record<'log' | 'plain', number[]> = { log: [], plain: [] };
    for (const seed of [0, 1, 2]) {
      const stream = new Stream(rootKey(20 + seed));
      const rows = Array.from({ length: 200 }, () => [10 ** (6 * stream.uniform() - 3), stream.uniform()]);
      const data = { x: Float64Array.from(rows.flat()), y: Float64Array.from(rows, score) };
      for (const scale of ['log', 'plain'] as const) {
        const dose = { kind: 'continuous', lower: 1e-3, upper: 1e3 } as const;
        const space: Space = {
          columns: [scale === 'log' ? { ...dose, scale } : dose, { kind: 'continuous', lower: 0, upper: 1 }],
        };
        const setup = { data, space, engine, options };
        const state = await run(nemo, setup, rootKey(seed));
        const x = nemo.propose(state, setup);
        const truth = Array.from({ length: x.length / 2 }, (_, i) => score(x.subarray(2 * i, 2 * i + 2)));
        medians[scale].push(median(truth));
      }
    }
    // within half a decade of the best dose, and beyond a whole one: 0.5^2 and 1^2 (seen: -0.14, -1.99)
    expect(Math.min(...medians.log)).toBeGreaterThan(-0.25);
    expect(Math.max(...medians.plain)).toBeLessThan(-1);
  });
});
