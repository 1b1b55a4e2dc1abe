import { describe, expect, it } from 'vitest';
import { presetOptions } from '../../src/algorithm.js';
import { type MatchOptOptions, matchOpt } from '../../src/algorithms/matchOpt.js';
import { offlineProblem } from '../../src/conformance/problems.js';
import { openEngine, rootKey } from '../../src/numeric/index.js';
import { run } from '../../src/run.js';
import { SearchSpace } from '../../src/search/searchSpace.js';

const slope = [2, -1, 0.5];
const plane = (x: ArrayLike<number>) => slope.reduce((sum, w, j) => sum + w * x[j]!, 3);
const { data, space } = offlineProblem(3, 80, 0.2, plane, 1);
/** Without hidden layers the network is a plane. */
const options: MatchOptOptions = {
  ...matchOpt.defaults,
  hidden: [],
  batchSize: 4,
  buckets: 20,
  trainSteps: 300,
  trainRate: 0.03,
  steps: 7,
  box: null,
};

describe('MATCH-OPT', () => {
  it('climbs a plane by Adam, 0.001 standard deviations a step', async () => {
    await using engine = await openEngine({ kernel: 'reference' });
    const setup = { data, space, engine, options };
    const state = await run(matchOpt, setup, rootKey(1));
    const start = new SearchSpace(data, space, { box: null }).start(options, null);
    // the same slope at every step: a step of Adam is rate sign(slope)
    expect(state.designs).toBeAllClose(
      start.map((v, i) => v + 7 * 0.001 * Math.sign(slope[i % 3]!)),
      { rtol: 0, atol: 1e-8 },
    );
    const truth = Array.from({ length: 4 }, (_, m) => plane(state.proposals.subarray(3 * m, 3 * m + 3)));
    const seen = await matchOpt.watch(state, setup);
    expect(seen.predictedBest).toBeCloseTo(Math.max(...truth), 2); // as near as 300 steps come to it
    expect(seen.moved).toBeCloseTo(0.007, 8);
    expect(seen.mismatch).toBeLessThan(1e-4); // a plane explains all differences
  });

  it.each(Object.keys(matchOpt.presets))('takes its preset %s', async (name) => {
    const preset = presetOptions(matchOpt, name);
    expect(preset).toMatchObject({ hidden: [512, 128, 32], buckets: 128, points: 5, steps: 150 });
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const short = { ...preset, hidden: [8], trainSteps: 3, steps: 2 };
    const state = await run(matchOpt, { data, space, engine, options: short }, rootKey(1));
    expect(state.proposals.every(Number.isFinite)).toBe(true);
  });

  it('takes a single row', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const one = { x: Float64Array.of(1, 0, -1), y: Float64Array.of(2) };
    const setup = { data: one, space, engine, options: { ...options, trainSteps: 3 } };
    expect((await run(matchOpt, setup, rootKey(1))).proposals.every(Number.isFinite)).toBe(true);
  });

  it.each([
    { changes: { buckets: 1 }, says: 'buckets is 1; expected a whole number >= 2' },
    { changes: { points: 0 }, says: 'points is 0; expected a positive integer' },
    { changes: { activation: 'relu' }, says: `activation is "relu"; expected 'softplus' or 'leakyRelu'` },
  ])('refuses $changes', async ({ changes, says }) => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const wrong = { ...options, ...changes } as MatchOptOptions;
    await expect(matchOpt.init({ data, space, engine, options: wrong }, rootKey(1))).rejects.toThrow(says);
  });
});
