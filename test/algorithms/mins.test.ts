import { describe, expect, it } from 'vitest';
import type { Setup } from '../../src/algorithm.js';
import { type MinsOptions, type MinsState, mins } from '../../src/algorithms/mins.js';
import { offlineProblem } from '../../src/conformance/problems.js';
import { type Engine, mean, openEngine, rootKey } from '../../src/numeric/index.js';
import { run } from '../../src/run.js';

const { data, space, score } = offlineProblem(
  3,
  400,
  0.2,
  (x) => -x.reduce((sum, v) => sum + (v - 0.5) ** 2, 0),
  1,
);
const options: MinsOptions = {
  ...mins.defaults,
  batchSize: 64,
  hidden: [32, 32],
  latent: 6,
  minibatch: 64,
  trainSteps: 1500,
  trainRate: 1e-3,
};

function setupOf(engine: Engine, changes: Partial<MinsOptions> = {}): Setup<MinsOptions> {
  return { data, space, engine, options: { ...options, ...changes } };
}

describe('mins', () => {
  it('draws designs of the score it asks for, not of the average', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = setupOf(engine);
    const state = await run(mins, setup, rootKey(1));
    const scores = score(mins.propose(state, setup));
    const best = Math.max(...data.y);
    expect((await mins.watch(state, setup)).askedBest).toBeCloseTo(best, 5);
    // the visible mean is -4.6 and the best -1.5: the drawn designs lie past the middle
    expect(mean(data.y)).toBeLessThan(-4);
    expect(mean(scores)).toBeGreaterThan((mean(data.y) + best) / 2);
    expect(Math.max(...scores)).toBeGreaterThan(best);
  });

  it('infers scores and noise that the forward model thinks better, bit for bit however it is cut', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = setupOf(engine, { inferenceSteps: 40, inferenceRate: 0.05 });
    expect(mins.length(setup)).toEqual({ training: 1500, search: 41 });
    const drawn = await run(mins, setup, rootKey(1), { until: 1 });
    const whole = await run(mins, setup, rootKey(1), { from: drawn });
    const half = await mins.step(
      structuredClone(drawn),
      setupOf(engine, { inferenceSteps: 40, inferenceRate: 0.05 }),
      17,
    );
    expect(await run(mins, setup, rootKey(9), { from: half as MinsState })).toEqual(whole);
    const scores = (state: MinsState) => mean(score(mins.propose(state, setup)));
    expect(scores(whole)).toBeGreaterThan(scores(drawn));
    const asked = (await mins.watch(whole, setup)).askedMedian!;
    expect(asked).not.toBe((await mins.watch(drawn, setup)).askedMedian);
  });

  it('says what to do when training diverges', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    await expect(run(mins, setupOf(engine, { trainRate: 1e30 }), rootKey(1))).rejects.toThrow(
      'the networks diverged in training; lower trainRate',
    );
  });
});
