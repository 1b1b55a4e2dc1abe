import { describe, expect, it } from 'vitest';
import { presetOptions } from '../../src/algorithm.js';
import { type ReinforceOptions, reinforce } from '../../src/algorithms/reinforce.js';
import { offlineProblem } from '../../src/conformance/problems.js';
import { openEngine, rootKey, standardDeviation } from '../../src/numeric/index.js';
import { run } from '../../src/run.js';
import { SearchSpace } from '../../src/search/searchSpace.js';

const slope = [2, -1, 1];
const plane = (x: ArrayLike<number>) => slope.reduce((sum, w, j) => sum + w * x[j]!, 3);
const { data, space } = offlineProblem(3, 80, 0.2, plane, 1);
/** Without hidden layers the networks are planes. */
const options: ReinforceOptions = {
  ...reinforce.defaults,
  networks: 2,
  hidden: [],
  batchSize: 64,
  minibatch: 32,
  trainSteps: 200,
  trainRate: 0.03,
  samples: 1000,
  steps: 5,
  box: null,
};

describe('REINFORCE', () => {
  it('moves the mean of the best designs by Adam, and draws around it', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = { data, space, engine, options };
    const state = await run(reinforce, setup, rootKey(1));
    const { encoding } = new SearchSpace(data, space, { box: null });
    const order = [...data.y.keys()].sort((a, b) => data.y[b]! - data.y[a]!).slice(0, 64);
    const start = [0, 1, 2].map((j) => {
      const mean = order.reduce((sum, i) => sum + data.x[3 * i + j]!, 0) / 64;
      return (mean - encoding.mean[j]!) / encoding.scale[j]!;
    });
    // slopes that hardly change: five steps of Adam are 5 rate sign(slope), but for the noise of 1000 draws
    const moves = start.map((v, j) => state.policy.designs[j]! - v);
    expect(moves).toBeAllClose(
      slope.map((w) => 0.05 * Math.sign(w)),
      { rtol: 0, atol: 0.005 },
    );
    const drawn = (j: number) =>
      Array.from(
        { length: 64 },
        (_, m) => (state.proposals[3 * m + j]! - encoding.mean[j]!) / encoding.scale[j]!,
      );
    for (const j of [0, 1, 2]) {
      const column = drawn(j);
      const mean = column.reduce((a, b) => a + b) / 64;
      // five standard errors of a mean and of a deviation
      expect(Math.abs(mean - state.policy.designs[j]!)).toBeLessThan((5 * 0.1) / 8);
      expect(Math.abs(standardDeviation(column) - 0.1)).toBeLessThan((5 * 0.1) / Math.sqrt(128));
    }
    const { predictedBest, moved } = await reinforce.watch(state, setup);
    const truth = Array.from({ length: 64 }, (_, m) => plane(state.proposals.subarray(3 * m, 3 * m + 3)));
    // a plane, as near as 200 steps of Adam come to it; the move with the noise of the draws
    expect(predictedBest).toBeCloseTo(Math.max(...truth), 1);
    expect(moved).toBeCloseTo(0.05, 2);
  });

  it.each(Object.keys(reinforce.presets))('takes its preset %s', async (name) => {
    const preset = presetOptions(reinforce, name);
    expect(preset).toMatchObject({ networks: 5, steps: 200, deviation: 0.1, designRate: 0.01 });
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const short = { ...preset, hidden: [8], trainSteps: 3, steps: 2 };
    const state = await run(reinforce, { data, space, engine, options: short }, rootKey(1));
    expect(state.proposals.every(Number.isFinite)).toBe(true);
  });

  it.each([
    { changes: { deviation: 0 }, says: 'deviation is 0; expected a number above 0' },
    { changes: { samples: 1 }, says: 'samples is 1; expected a whole number >= 2' },
  ])('refuses $changes', async ({ changes, says }) => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const wrong = { ...options, ...changes } as ReinforceOptions;
    await expect(reinforce.init({ data, space, engine, options: wrong }, rootKey(1))).rejects.toThrow(says);
  });
});
