import { describe, expect, it } from 'vitest';
import { presetOptions } from '../../src/algorithm.js';
import { type CmaEsOptions, cmaEs } from '../../src/algorithms/cmaEs.js';
import { openEngine, rootKey, Stream } from '../../src/numeric/index.js';
import { run } from '../../src/run.js';
import type { Dataset, Space } from '../../src/space/space.js';

const [N, d] = [60, 3];
const slope = [2, -1, 0.5];
const x = new Float64Array(N * d);
new Stream(rootKey(1)).fillUniform(x, -1, 1);
const y = Float64Array.from({ length: N }, (_, i) => slope.reduce((sum, w, j) => sum + w * x[i * d + j]!, 3));
const data: Dataset = { x, y };
const space: Space = {
  columns: Array.from({ length: d }, () => ({ kind: 'continuous', lower: -2, upper: 2 })),
};

/** Networks that are planes: the best design of a box is its corner. */
const plane: CmaEsOptions = {
  ...cmaEs.defaults,
  hidden: [],
  networks: 2,
  batchSize: 4,
  minibatch: 20,
  trainSteps: 400,
  trainRate: 0.03,
  steps: 40,
  box: null,
};

describe('CMA-ES on networks', () => {
  it.each([100, 0])(
    'finds the corner of the box that a plane points to (full up to %i)',
    async (fullUpTo) => {
      await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
      const setup = { data, space, engine, options: { ...plane, fullUpTo } };
      const state = await run(cmaEs, setup, rootKey(1));
      expect(state.runs[0]!.covariance).toHaveLength(fullUpTo > 0 ? d * d : d);
      const corner = slope.map((w) => 2 * Math.sign(w));
      for (let m = 0; m < 4; m++)
        expect(state.proposals.subarray(m * d, (m + 1) * d)).toBeAllClose(corner, { rtol: 0, atol: 1e-3 });
      // the strategies themselves came to rest near it: what lies outside is judged worse
      for (const { mean, best, sigma } of state.runs) {
        expect(mean).toBeAllClose(best, { rtol: 0, atol: 0.5 });
        expect(sigma).toBeLessThan(0.5);
      }
      const watched = await cmaEs.watch(state, setup);
      const top = slope.reduce((sum, w) => sum + 2 * Math.abs(w), 3);
      expect(watched.predictedBest).toBeCloseTo(top, 1);
    },
  );

  it('keeps the best design that a run met, whatever comes after', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = { data, space, engine, options: plane };
    let last = new Array<number>(4).fill(Number.NEGATIVE_INFINITY);
    let state = await run(cmaEs, setup, rootKey(2), { until: 0 });
    expect(state.runs.every(({ bestValue }) => bestValue === null)).toBe(true);
    for (let t = 0; t < 12; t++) {
      state = await cmaEs.step(state, setup);
      const now = state.runs.map(({ bestValue }) => bestValue!);
      now.forEach((value, m) => {
        expect(value).toBeGreaterThanOrEqual(last[m]!);
      });
      if (t === 0) expect(new Set(now).size).toBe(4); // four runs, each its own
      last = now;
    }
  });

  it('takes its preset', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const options = {
      ...presetOptions(cmaEs, 'designBench'),
      batchSize: 3,
      hidden: [8],
      trainSteps: 3,
      steps: 2,
    };
    const state = await run(cmaEs, { data, space, engine, options }, rootKey(1));
    expect(state.proposals.every(Number.isFinite)).toBe(true);
  });

  it.each([
    { changes: { population: 3 }, says: "population is 3; expected 'auto' or a whole number >= 4" },
    { changes: { sigma: 0 }, says: 'sigma is 0; expected a number above 0' },
    { changes: { fullUpTo: -1 }, says: 'fullUpTo is -1; expected a whole number >= 0' },
  ])('refuses $changes', async ({ changes, says }) => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const options = { ...plane, ...changes } as CmaEsOptions;
    await expect(cmaEs.init({ data, space, engine, options }, rootKey(1))).rejects.toThrow(says);
  });
});
