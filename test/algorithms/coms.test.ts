import { describe, expect, it } from 'vitest';
import { presetOptions } from '../../src/algorithm.js';
import { type ComsOptions, coms } from '../../src/algorithms/coms.js';
import { forward } from '../../src/algorithms/forward.js';
import { offlineProblem } from '../../src/conformance/problems.js';
import { openEngine, rootKey } from '../../src/numeric/index.js';
import { run } from '../../src/run.js';

const { data, space } = offlineProblem(3, 120, 0.2, (x) => Math.sin(3 * x[0]!) - x[1]! ** 2 + x[2]!, 1);
const options: ComsOptions = {
  ...coms.defaults,
  batchSize: 8,
  hidden: [16],
  minibatch: 32,
  trainSteps: 300,
  adversarySteps: 20,
  steps: 20,
  box: null,
};

describe('COMs', () => {
  it('promises less at the end of a climb than a network that was not told to', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const ends: number[] = [];
    for (const tau of [0.05, 50]) {
      const setup = { data, space, engine, options: { ...options, tau } };
      const seen = await coms.watch(await run(coms, setup, rootKey(1)), setup);
      ends.push(seen.predictedMedian!);
      expect(seen.alpha! > 0.1).toBe(tau < 1);
    }
    const { batchSize, hidden, activation, trainSteps, trainRate, minibatch, steps, box } = options;
    const shared = { batchSize, hidden, activation, trainSteps, trainRate, minibatch, steps, box };
    const plain = { ...forward.defaults, ...shared, ascent: 'plain', designRate: 0.05 } as const;
    const setup = { data, space, engine, options: plain };
    const free = (await forward.watch(await run(forward, setup, rootKey(1)), setup)).predictedMedian!;
    expect(ends[0]).toBeLessThan(free - 0.3);
    expect(ends[0]).toBeLessThan(ends[1]! - 0.3);
  });

  it('watches alpha and the overestimation', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = {
      data,
      space,
      engine,
      options: { ...presetOptions(coms, 'paper'), hidden: [8], trainSteps: 3, steps: 2 },
    };
    const start = await coms.init(setup, rootKey(1));
    const first = await coms.watch(start, setup);
    expect(first).toMatchObject({ iteration: -3, overestimation: 0 });
    expect(first.alpha).toBeCloseTo(0.1, 14);
    const trained = await coms.step(start, setup, 4);
    const seen = await coms.watch(trained, setup);
    expect(Object.keys(seen)).toEqual([
      'iteration',
      'trainingLoss',
      'predictedBest',
      'predictedMedian',
      'moved',
      'alpha',
      'overestimation',
    ]);
    expect(seen.overestimation).toBeGreaterThan(0);
  });

  it.each([
    { changes: { tau: 'none' }, says: `tau is "none"; expected 'auto' or a finite number` },
    { changes: { alpha: 0 }, says: 'alpha is 0; expected a number above 0' },
    { changes: { adversarySteps: -1 }, says: 'adversarySteps is -1; expected a whole number >= 0' },
    { changes: { activation: 'elu' }, says: `activation is "elu"; expected 'softplus' or 'relu'` },
  ])('refuses $changes', async ({ changes, says }) => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const wrong = { ...options, ...changes } as ComsOptions;
    await expect(coms.init({ data, space, engine, options: wrong }, rootKey(1))).rejects.toThrow(says);
  });
});
