// NEMO's estimators that are not trained in lockstep, and the choice from all designs met.
import { describe, expect, it } from 'vitest';
import { presetOptions, type Setup } from '../../src/algorithm.js';
import { type NemoOptions, nemo } from '../../src/algorithms/nemo.js';
import { bowlOf } from '../../src/conformance/problems.js';
import { argsort, type Engine, median, openEngine, rootKey, Stream } from '../../src/numeric/index.js';
import { takeRows } from '../../src/numeric/rows.js';
import { run } from '../../src/run.js';

const short: NemoOptions = {
  ...nemo.defaults,
  bins: 8,
  batchSize: 16,
  hidden: [16],
  minibatch: 32,
  pretrainSteps: 200,
  pretrainRate: 1e-2,
  steps: 60,
};

const bowl = bowlOf(120);
/** Minus the squared distance from (0.5, 0.5, 0.5). */
const bowlAt = (x: Float64Array) => -x.reduce((sum, v) => sum + (v - 0.5) ** 2, 0);

const setupOf = (engine: Engine, changes: Partial<NemoOptions> = {}): Setup<NemoOptions> => ({
  ...bowl,
  options: { ...short, ...changes },
  engine,
});

describe.each(['amortised+gp', 'last-layer', 'gp', 'both'] as const)('estimator %s', (estimator) => {
  it('is the same however its steps are cut, and goes on from a copy', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = setupOf(engine, { estimator });
    const start = await run(nemo, setup, rootKey(1), { until: 0 });
    const atOnce = await nemo.step(start, setup, 30);
    let state = structuredClone(start);
    for (const steps of [1, 23, 3, 3]) state = await nemo.step(state, setup, steps);
    expect(state).toEqual(atOnce);
    const copy = structuredClone(await nemo.step(start, setup, 13));
    expect(await nemo.step(copy, setupOf(engine, { estimator }), 17)).toEqual(atOnce);
  });

  it('finds designs of a bowl that are better than all rows', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = setupOf(engine, { estimator });
    const state = await run(nemo, setup, rootKey(2));
    const x = nemo.propose(state, setup);
    const d = bowl.space.columns.length;
    const scores = Array.from({ length: 16 }, (_, i) => bowlAt(x.subarray(i * d, (i + 1) * d)));
    const best = [...bowl.data.y].sort((a, b) => b - a);
    expect(median(scores)).toBeGreaterThan(median(best.slice(0, 16)));
    const watched = await nemo.watch(state, setup);
    expect(Object.values(watched).every(Number.isFinite)).toBe(true);
    expect(watched.phantomRows).toBeGreaterThan(0);
  });
});

it('stops where what judges expect no longer rises, and later steps change nothing', async () => {
  await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
  const setup = setupOf(engine, { estimator: 'gp', steps: 2000 });
  let state = await run(nemo, setup, rootKey(1), { until: 200 });
  while (!state.settling!.isOver && state.iteration < 2000) state = await nemo.step(state, setup, 100);
  expect(state.iteration).toBeLessThan(2000);
  const later = await nemo.step(state, setup, 10 * state.iteration);
  expect({ ...later, iteration: 0 }).toEqual({ ...state, iteration: 0 });
});

it('proposes best rows, and means of several of them, where scores are noise, which no judge can rank', async () => {
  await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
  const stream = new Stream(rootKey(9));
  const N = 80;
  const x = Float64Array.from({ length: 3 * N }, () => stream.uniform());
  const y = Float64Array.from({ length: N }, () => stream.normal());
  const column = { kind: 'continuous', lower: 0, upper: 1 } as const;
  const setup = {
    data: { x, y },
    space: { columns: [column, column, column] },
    options: { ...short, estimator: 'gp' as const },
    engine,
  };
  const state = await run(nemo, setup, rootKey(3));
  const proposed = nemo.propose(state, setup);
  const best = argsort(y, 'descending').slice(0, short.batchSize);
  const rows = takeRows(x, 3, best);
  // an eighth, and half of the others where rows near the middle are no better
  const asTheyAre = Math.round(short.batchSize / 8);
  const kept = 3 * (asTheyAre + Math.round((short.batchSize - asTheyAre) / 2));
  rows.slice(0, kept).forEach((value, i) => {
    expect(proposed[i]).toBeCloseTo(value, 12);
  });
  proposed.slice(kept).forEach((value, i) => {
    const column = rows.filter((_, at) => at % 3 === i % 3);
    expect(value).toBeGreaterThan(Math.min(...column));
    expect(value).toBeLessThan(Math.max(...column));
  });
  const { expectedBest } = await nemo.watch(state, setup);
  expect(expectedBest!).toBeLessThan(Math.max(...y)); // nothing is expected to beat what chance once gave
});

it('trains in lockstep alone in the presets lockstep, paper and tuned', () => {
  for (const preset of ['lockstep', 'paper', 'tuned']) {
    const { estimator, proposal, settle } = presetOptions(nemo, preset, 'GFP');
    expect({ estimator, proposal, settle }).toEqual({
      estimator: 'amortised',
      proposal: 'last',
      settle: null,
    });
  }
  const { queryWeight, pretrainSteps, steps } = presetOptions(nemo, 'lockstep');
  expect([queryWeight, pretrainSteps, steps]).toEqual([0.1, 2000, 150]);
  const paper = presetOptions(nemo, 'paper', 'GFP');
  expect([paper.pretrainSteps, paper.steps]).toEqual([2000, 150]);
});

it('is judged, settles and needs no hand by default', () => {
  const { estimator, proposal, settle, pretrainSteps, steps } = nemo.defaults;
  expect([estimator, proposal, settle, pretrainSteps, steps]).toEqual([
    'amortised+gp',
    'judged',
    0.01,
    'auto',
    1000,
  ]);
});
