import { describe, expect, it } from 'vitest';
import { presetOptions } from '../../src/algorithm.js';
import { type RamOptions, ram } from '../../src/algorithms/ram.js';
import { offlineProblem } from '../../src/conformance/problems.js';
import { openEngine, rootKey } from '../../src/numeric/index.js';
import { run } from '../../src/run.js';
import { SearchSpace } from '../../src/search/searchSpace.js';

const slope = [2, -1, 0.5];
const { data, space } = offlineProblem(3, 80, 0.2, (x) => slope.reduce((sum, w, j) => sum + w * x[j]!, 3), 1);
/** Without hidden layers the network is a plane. */
const plane: RamOptions = {
  ...ram.defaults,
  hidden: [],
  batchSize: 4,
  listLength: 20,
  trainSteps: 300,
  trainRate: 0.03,
  steps: 7,
  box: null,
};

describe('RaM', () => {
  it('climbs a plane by Adam, 0.001 standard deviations a step', async () => {
    await using engine = await openEngine({ kernel: 'reference' });
    const setup = { data, space, engine, options: plane };
    const state = await run(ram, setup, rootKey(1));
    const start = new SearchSpace(data, space, { box: null }).start(plane, null);
    // the same slope at every step: a step of Adam is rate sign(slope)
    expect(state.designs).toBeAllClose(
      start.map((v, i) => v + 7 * 0.001 * Math.sign(slope[i % 3]!)),
      { rtol: 0, atol: 1e-8 },
    );
    const truth = Array.from({ length: 4 }, (_, m) =>
      slope.reduce((sum, w, j) => sum + w * state.proposals[3 * m + j]!, 3),
    );
    const { predictedBest, moved } = await ram.watch(state, setup);
    expect(predictedBest).toBeCloseTo(Math.max(...truth), 2); // a plane, as near as 300 steps come to it
    expect(moved).toBeCloseTo(0.007, 8);
  });

  it.each(Object.keys(ram.presets))('takes its preset %s', async (name) => {
    const preset = presetOptions(ram, name);
    expect(preset).toMatchObject({ listLength: 1000, lists: 128, trainRate: 3e-4, weightDecay: 1e-5 });
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const options = { ...preset, hidden: [8], trainSteps: 3, lists: 2, steps: 2 };
    const state = await run(ram, { data, space, engine, options }, rootKey(1));
    expect(state.proposals.every(Number.isFinite)).toBe(true);
  });

  it.each([
    { changes: { loss: 'pairs' }, says: `loss is "pairs"; expected 'listNet' or 'rankCosine'` },
    { changes: { listLength: 1 }, says: 'listLength is 1; expected a whole number >= 2' },
    { changes: { weightDecay: -1 }, says: 'weightDecay is -1; expected a number >= 0' },
  ])('refuses $changes', async ({ changes, says }) => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const options = { ...plane, ...changes } as RamOptions;
    await expect(ram.init({ data, space, engine, options }, rootKey(1))).rejects.toThrow(says);
  });
});
