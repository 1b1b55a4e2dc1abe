import { describe, expect, it } from 'vitest';
import { presetOptions, type Setup } from '../../src/algorithm.js';
import { autofocus } from '../../src/algorithms/autofocus.js';
import { type CbasOptions, cbas } from '../../src/algorithms/cbas.js';
import { offlineProblem } from '../../src/conformance/problems.js';
import { median, openEngine, quantiles, rootKey } from '../../src/numeric/index.js';
import { run, states } from '../../src/run.js';

const small: CbasOptions = {
  ...cbas.defaults,
  networks: 3,
  hidden: [64],
  trainSteps: 500,
  trainRate: 3e-3,
  latent: 4,
  vaeHidden: [32],
  vaeSteps: 400,
  vaeRate: 3e-3,
  samples: 300,
  steps: 8,
  refitSteps: 60,
  batchSize: 32,
};

const bowl = offlineProblem(3, 600, 0.3, (x) => -x.reduce((sum, v) => sum + (v - 0.5) ** 2, 0), 1);

describe('CbAS', () => {
  it('draws better designs the longer it searches, with a threshold that never falls', async () => {
    await using engine = await openEngine({ threads: 1 });
    const setup: Setup<CbasOptions> = { data: bowl.data, space: bowl.space, options: small, engine };
    const medians: number[] = [];
    const thresholds: number[] = [];
    for await (const state of states(cbas, setup, rootKey(0), { every: 1 })) {
      if (state.iteration < 1) continue;
      medians.push(median(bowl.score(cbas.propose(state, setup))));
      const seen = await cbas.watch(state, setup);
      thresholds.push(seen.threshold!);
      expect(seen.effective).toBeGreaterThanOrEqual(small.leastEffective);
      expect(Object.values(seen).every(Number.isFinite)).toBe(true);
    }
    expect(medians.length).toBe(8);
    // the median of the data is -5.6, its best -2.8
    expect(medians.at(-1)).toBeGreaterThan(medians[0]! + 0.5);
    thresholds.reduce((before, now) => {
      expect(now).toBeGreaterThanOrEqual(before);
      return now;
    });
  });

  it('follows each iteration where the threshold is free', async () => {
    await using engine = await openEngine({ threads: 1 });
    // a refit that does not move: draws of the prior, whose quantile goes up and down
    const options = { ...small, threshold: 'free', vaeRate: 0, steps: 6 } as const;
    const thresholds: number[] = [];
    const setup = { data: bowl.data, space: bowl.space, options, engine };
    for await (const state of states(cbas, setup, rootKey(0), { every: 1 })) {
      if (state.iteration > 0) thresholds.push(state.threshold!);
    }
    expect(thresholds.some((now, i) => i > 0 && now < thresholds[i - 1]!)).toBe(true);
  });

  it('keeps the prior in the weights: a search model that has not moved weighs by the oracle alone', async () => {
    await using engine = await openEngine({ threads: 1 });
    const options = { ...small, steps: 1, quantile: 0 };
    const setup = { data: bowl.data, space: bowl.space, options, engine };
    const state = await run(cbas, setup, rootKey(0));
    // p0 = q at the first iteration, and nearly every draw is above the worst: weights are nearly equal
    expect(state.effective).toBeGreaterThan(0.9);
  });

  it('refuses options that make no sense, in words', async () => {
    await using engine = await openEngine({ threads: 1 });
    const init = (options: Partial<CbasOptions>) =>
      cbas.init(
        { data: bowl.data, space: bowl.space, options: { ...small, ...options }, engine },
        rootKey(0),
      );
    await expect(init({ quantile: 1.2 })).rejects.toThrow('quantile is 1.2; expected a number from 0 to 1');
    await expect(init({ leastEffective: 1 })).rejects.toThrow('a number from 0 to below 1');
    await expect(init({ beta: -1 })).rejects.toThrow('beta is -1; expected a number >= 0');
    await expect(init({ deviation: [0, 1] })).rejects.toThrow('deviation is [0,1]; expected two numbers');
    await expect(init({ samples: 0 })).rejects.toThrow('samples is 0; expected a positive integer');
    await expect(init({ threshold: 'falling' as 'free' })).rejects.toThrow("expected 'rising' or 'free'");
  });

  it.each([
    [{ vaeRate: 1e30 }, 'the networks diverged in training; lower trainRate or vaeRate'],
    [{ trainRate: 1e30, vaeSteps: 0 }, 'the networks diverged in training; lower trainRate or vaeRate'],
  ])('says what to do where the networks diverge: %o', async (rates, words) => {
    await using engine = await openEngine({ threads: 1 });
    const options = { ...small, ...rates };
    const run0 = run(cbas, { data: bowl.data, space: bowl.space, options, engine }, rootKey(0));
    await expect(run0).rejects.toThrow(words);
  });

  it('has the published settings as presets', () => {
    expect(presetOptions(cbas, 'paper', 'Superconductor')).toMatchObject({
      beta: 20,
      steps: 200,
      threshold: 'free',
      vaeRate: 1e-3,
    });
    expect(presetOptions(cbas, 'designBench')).toMatchObject({
      steps: 20,
      samples: 1000,
      quantile: 0.8,
      trainRate: 3e-4,
    });
  });
});

describe('autofocus', () => {
  const options = { ...small, focus: 0.2, ratioDraws: 4, focusSteps: 30 };

  it('is CbAS where its oracle takes no steps', async () => {
    await using engine = await openEngine({ threads: 1 });
    const { data, space } = bowl;
    const plain = await run(cbas, { data, space, options: { ...small, steps: 3 }, engine }, rootKey(2));
    const still = { ...options, steps: 3, focusSteps: 0 };
    const focused = await run(autofocus, { data, space, options: still, engine }, rootKey(2));
    expect(focused.proposals).toEqual(plain.proposals);
    const moving = await run(
      autofocus,
      { data, space, options: { ...options, steps: 3 }, engine },
      rootKey(2),
    );
    expect(moving.proposals).not.toEqual(plain.proposals);
  });

  it('weighs rows near the search more than rows far from it', async () => {
    await using engine = await openEngine({ threads: 1 });
    const { data, space } = bowl;
    const state = await run(autofocus, { data, space, options, engine }, rootKey(3));
    const weights = state.oracle.weights!;
    expect(weights.reduce((sum, w) => sum + w, 0) / weights.length).toBeCloseTo(1, 10);
    const [low, high] = quantiles(data.y, [0.2, 0.8]);
    const near = [...weights].filter((_, i) => data.y[i]! > high!);
    const far = [...weights].filter((_, i) => data.y[i]! < low!);
    expect(median(near)).toBeGreaterThan(1.2 * median(far));
    expect(state.skipped).toBe(0);
  });

  it('goes on bit for bit from a state inside the search', async () => {
    await using engine = await openEngine({ threads: 1 });
    const { data, space } = bowl;
    const short = { ...options, steps: 3, trainSteps: 20, vaeSteps: 20 };
    const whole = await run(autofocus, { data, space, options: short, engine }, rootKey(4));
    const setup = { data, space, options: { ...short }, engine };
    const part = await run(autofocus, setup, rootKey(4), { until: 1 });
    const again = { data, space, options: { ...short }, engine };
    const resumed = await run(autofocus, again, rootKey(99), { from: structuredClone(part) });
    expect(resumed).toEqual(whole);
  });

  it('refuses an exponent that is none', async () => {
    await using engine = await openEngine({ threads: 1 });
    const setup = { data: bowl.data, space: bowl.space, options: { ...options, focus: 2 }, engine };
    await expect(autofocus.init(setup, rootKey(0))).rejects.toThrow(
      'focus is 2; expected a number from 0 to 1',
    );
  });
});
