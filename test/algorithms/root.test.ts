import { describe, expect, it } from 'vitest';
import { presetOptions } from '../../src/algorithm.js';
import { type RootOptions, root } from '../../src/algorithms/root.js';
import { bowlOf } from '../../src/conformance/problems.js';
import { openEngine, rootKey } from '../../src/numeric/index.js';
import { run } from '../../src/run.js';

const { data, space, score } = bowlOf(60);
const options: RootOptions = {
  ...root.defaults,
  batchSize: 16,
  functions: 2,
  pairs: 40,
  climbSteps: 30,
  climbRate: 0.05,
  hidden: [32],
  minibatch: 32,
  trainSteps: 300,
  trainRate: 3e-3,
  averageRate: 0.05,
  steps: 20,
};

describe('ROOT', () => {
  it('takes designs to better ones, and ends on the other side', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = { data, space, engine, options };
    const state = await run(root, setup, rootKey(1));
    const best = [...data.y].sort((a, b) => b - a).slice(0, 16);
    const meanOf = (values: ArrayLike<number>) =>
      Array.from(values).reduce((sum, v) => sum + v, 0) / values.length;
    // the true score of the bowl, which was never shown
    expect(meanOf(score(state.proposals))).toBeGreaterThan(meanOf(best));
    const further = await root.step(state, setup, 3);
    expect(further.designs).toEqual(state.designs);
  });

  it.each(Object.keys(root.presets))('takes its preset %s', async (name) => {
    const preset = presetOptions(root, name);
    expect(preset).toMatchObject({ rows: 1024, lengthscale: 1, noise: 0.01, drop: 0.15, guidance: -1.5 });
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const short = { ...preset, pairs: 10, climbSteps: 3, hidden: [8], trainSteps: 3, steps: 2 };
    const state = await run(root, { data, space, engine, options: short }, rootKey(1));
    expect(state.proposals.every(Number.isFinite)).toBe(true);
  });

  it.each([
    { changes: { jitter: 1 }, says: 'jitter is 1; expected a number from 0 to below 1' },
    { changes: { drop: 1.5 }, says: 'drop is 1.5; expected a number from 0 to 1' },
  ])('refuses $changes', async ({ changes, says }) => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const wrong = { ...options, ...changes } as RootOptions;
    await expect(root.init({ data, space, engine, options: wrong }, rootKey(1))).rejects.toThrow(says);
  });
});
