import { describe, expect, it } from 'vitest';
import { presetOptions } from '../../src/algorithm.js';
import { type EnsembleOptions, ensemble } from '../../src/algorithms/ensemble.js';
import { type ForwardOptions, forward } from '../../src/algorithms/forward.js';
import type { RegressionState } from '../../src/models/regressionNetworks.js';
import { openEngine, rootKey, Stream, standardDeviation } from '../../src/numeric/index.js';
import { run } from '../../src/run.js';
import { designRatesOf } from '../../src/search/ascent.js';
import { SearchSpace } from '../../src/search/searchSpace.js';
import type { Dataset, Space } from '../../src/space/space.js';

const [N, d] = [60, 3];
const slope = [2, -1, 0.5];
const x = new Float64Array(N * d);
new Stream(rootKey(1)).fillUniform(x, -1, 1);
const data: Dataset = {
  x,
  y: Float64Array.from({ length: N }, (_, i) => slope.reduce((sum, w, j) => sum + w * x[i * d + j]!, 3)),
};
const space: Space = {
  columns: Array.from({ length: d }, () => ({ kind: 'continuous', lower: -50, upper: 50 })),
};

/** Without hidden layers a network is a plane: what designs do is known in closed form. */
const plane: ForwardOptions = {
  ...forward.defaults,
  hidden: [],
  batchSize: 4,
  minibatch: 20,
  trainSteps: 400,
  trainRate: 0.03,
  steps: 7,
  ascent: 'adam',
  box: null,
};

/** Weights of network b, P. */
function weightsOf({ networks }: RegressionState, b: number): number[] {
  return [...networks.tensors['layer0.weight']!.data.subarray(b * d, (b + 1) * d)];
}

describe('forward', () => {
  it.each([
    { ascent: 'plain', designRate: 0.01, move: (w: number) => 7 * 0.01 * Math.sqrt(d) * w },
    { ascent: 'plain', designRate: 'auto', move: (w: number) => 7 * 0.01 * Math.sqrt(d) * w },
    // the same slope at every step: Adam's moments are w and w^2, a step is rate sign(w)
    { ascent: 'adam', designRate: 0.1, move: (w: number) => 7 * 0.1 * Math.sign(w) },
    { ascent: 'adam', designRate: 'auto', move: (w: number) => 7 * 0.02 * Math.sign(w) },
  ] as const)('climbs a plane as it should: $ascent, $designRate', async ({ ascent, designRate, move }) => {
    await using engine = await openEngine({ kernel: 'reference' });
    const setup = { data, space, engine, options: { ...plane, ascent, designRate } };
    const state = await run(forward, setup, rootKey(1));
    const w = weightsOf(state.surrogate, 0);
    const start = new SearchSpace(data, space, { box: null }).start(setup.options, null);
    expect(state.designs).toBeAllClose(
      start.map((v, i) => v + move(w[i % d]!)),
      { rtol: 1e-6, atol: 1e-7 },
    );
    // the plane of the data was found: slopes in standard deviations of columns and scores
    const { scale } = new SearchSpace(data, space, { box: null }).encoding;
    const raw = w.map((v, j) => (v * standardDeviation(data.y)) / scale[j]!);
    expect(raw).toBeAllClose(slope, { rtol: 1e-3, atol: 1e-3 });
  });

  it('gives designs that its network expects more of, in the units of the scores', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = { data, space, engine, options: plane };
    const state = await run(forward, setup, rootKey(1));
    const { predictedBest, predictedMedian, moved } = await forward.watch(state, setup);
    const truth = Array.from({ length: 4 }, (_, m) =>
      slope.reduce((sum, v, j) => sum + v * state.proposals[m * d + j]!, 3),
    );
    expect(predictedBest).toBeCloseTo(Math.max(...truth), 2);
    expect(predictedMedian).toBeGreaterThan(Math.max(...data.y) - 1);
    expect(moved).toBeCloseTo(0.14, 2);
  });

  it('moves logits ten times as fast as numbers in plain ascent, if not told otherwise', () => {
    const columns = [...space.columns, { kind: 'categorical', classes: 2 } as const];
    const mixed = { x: Float64Array.of(0, 1, 2, 1, 3, 4, 5, 0), y: Float64Array.of(1, 2) };
    const { encoding } = new SearchSpace(mixed, { columns }, { box: null });
    const rates = (ascent: 'plain' | 'adam', designRate: number | 'auto') => [
      ...designRatesOf({ ascent, designRate }, encoding),
    ];
    expect(rates('plain', 'auto')).toEqual([0.01, 0.01, 0.01, 0.1, 0.1]);
    expect(rates('plain', 0.3)).toEqual(Array(5).fill(0.3));
    expect(rates('adam', 'auto')).toEqual(Array(5).fill(0.02));
  });

  it('says what to do when training diverges', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = { data, space, engine, options: { ...plane, trainRate: 1e30 } };
    await expect(run(forward, setup, rootKey(1))).rejects.toThrow(
      'the networks diverged in training; lower trainRate',
    );
    const far = {
      data,
      space: { columns: space.columns.map((column) => ({ ...column, lower: -Infinity, upper: Infinity })) },
      engine,
      options: { ...plane, designRate: 1e308 },
    };
    await expect(run(forward, far, rootKey(1))).rejects.toThrow('lower designRate or trainRate');
  });

  it.each(Object.keys(forward.presets))('takes its preset %s', async (name) => {
    const preset = presetOptions(forward, name);
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = { data, space, engine, options: { ...preset, hidden: [8], trainSteps: 3, steps: 2 } };
    expect((await run(forward, setup, rootKey(1))).proposals.every(Number.isFinite)).toBe(true);
  });

  it.each([
    { changes: { ascent: 'down' }, says: `ascent is "down"; expected 'adam' or 'plain'` },
    { changes: { head: 'tail' }, says: `head is "tail"; expected 'mean' or 'gaussian'` },
    { changes: { trainRate: -1 }, says: 'trainRate is -1; expected a number >= 0' },
    { changes: { bootstrap: 1 }, says: 'bootstrap is 1; expected true or false' },
  ])('refuses $changes', async ({ changes, says }) => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const options = { ...plane, ...changes } as ForwardOptions;
    await expect(forward.init({ data, space, engine, options }, rootKey(1))).rejects.toThrow(says);
  });
});

describe('ensemble', () => {
  const options: EnsembleOptions = {
    ...ensemble.defaults,
    ...plane,
    networks: 3,
    bootstrap: true,
    trainSteps: 5,
    ascent: 'plain',
    designRate: 0.1,
    steps: 1,
  };

  it.each([{ aggregate: 'mean' }, { aggregate: 'min' }, { aggregate: 'ucb', kappa: 2 }] as const)(
    'climbs the $aggregate of its networks',
    async (changes) => {
      await using engine = await openEngine({ kernel: 'reference' });
      const setup = { data, space, engine, options: { ...options, ...changes } };
      const state = await run(ensemble, setup, rootKey(1));
      const start = new SearchSpace(data, space, { box: null }).start(options, null);
      const networks = [0, 1, 2].map((b) => ({
        w: weightsOf(state.surrogate, b),
        bias: state.surrogate.networks.tensors['layer0.bias']!.data[b]!,
      }));
      expect(networks[0]!.w).not.toEqual(networks[1]!.w);
      const value = (at: readonly number[]) => {
        const all = networks.map(({ w, bias }) => w.reduce((sum, v, j) => sum + v * at[j]!, bias));
        const mean = all.reduce((sum, v) => sum + v, 0) / 3;
        if (changes.aggregate === 'mean') return mean;
        if (changes.aggregate === 'min') return Math.min(...all);
        return mean + 2 * Math.sqrt(all.reduce((sum, v) => sum + (v - mean) ** 2, 0) / 3);
      };
      for (let m = 0; m < options.batchSize; m++) {
        const from = [...start.subarray(m * d, (m + 1) * d)];
        for (let j = 0; j < d; j++) {
          const rise = (value(from.with(j, from[j]! + 1e-6)) - value(from.with(j, from[j]! - 1e-6))) / 2e-6;
          const step = state.designs[m * d + j]! - from[j]!;
          expect(step).toBeCloseTo(0.1 * Math.sqrt(d) * rise, 6);
        }
      }
    },
  );

  it.each(Object.keys(ensemble.presets))('takes its preset %s', async (name) => {
    const preset = presetOptions(ensemble, name);
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = { data, space, engine, options: { ...preset, hidden: [8], trainSteps: 3, steps: 2 } };
    expect((await run(ensemble, setup, rootKey(1))).proposals.every(Number.isFinite)).toBe(true);
  });

  it.each([
    { changes: { aggregate: 'max' }, says: `aggregate is "max"; expected 'mean', 'min' or 'ucb'` },
    { changes: { networks: 0 }, says: 'networks is 0; expected a positive integer' },
    { changes: { kappa: Number.NaN }, says: 'kappa is NaN; expected a finite number' },
  ])('refuses $changes', async ({ changes, says }) => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const wrong = { ...options, ...changes } as EnsembleOptions;
    await expect(ensemble.init({ data, space, engine, options: wrong }, rootKey(1))).rejects.toThrow(says);
  });
});
