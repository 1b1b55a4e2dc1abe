import { describe, expect, it } from 'vitest';
import { presetOptions } from '../../src/algorithm.js';
import { type PropEnOptions, propEn } from '../../src/algorithms/propEn.js';
import { bowlOf } from '../../src/conformance/problems.js';
import { openEngine, rootKey } from '../../src/numeric/index.js';
import { run } from '../../src/run.js';
import { SearchSpace } from '../../src/search/searchSpace.js';
import type { Dataset, Space } from '../../src/space/space.js';

/** One column; the score is the column. */
const N = 30;
const x = Float64Array.from({ length: N }, (_, i) => 0.4 * i + 0.01 * i * i);
const data: Dataset = { x, y: x };
const space: Space = { columns: [{ kind: 'continuous', lower: -99, upper: 99 }] };
/** Without hidden layers the network is a straight line. */
const options: PropEnOptions = {
  ...propEn.defaults,
  hidden: [],
  batchSize: 3,
  reach: 0.5,
  minibatch: 128,
  trainSteps: 1500,
  trainRate: 0.01,
  steps: 4,
  box: null,
};

/** Least squares of x' on x over the pairs; with mix-up, of the middle of both. */
function line(mixUp: boolean) {
  const { encoding } = new SearchSpace(data, space, { box: null });
  const z = Array.from(x, (v) => (v - encoding.mean[0]!) / encoding.scale[0]!);
  const pairs = z.flatMap((a) => z.flatMap((b) => (b - a > 0.1 && b - a <= 0.5 ? [[a, b] as const] : [])));
  const targets = pairs.map(([a, b]) => (mixUp ? (a + b) / 2 : b));
  const mean = (values: number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;
  const [ma, mb] = [mean(pairs.map(([a]) => a)), mean(targets)];
  const slope =
    mean(pairs.map(([a], i) => (a - ma) * (targets[i]! - mb))) / mean(pairs.map(([a]) => (a - ma) ** 2));
  return { slope, offset: mb - slope * ma, count: pairs.length };
}

describe('PropEn', () => {
  it.each([false, true])('learns the step to a better row and repeats it; mix-up: %s', async (mixUp) => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = { data, space, engine, options: { ...options, mixUp } };
    const { slope, offset, count } = line(mixUp);
    const start = new SearchSpace(data, space, { box: null }).start(options, null);
    let state = await propEn.init(setup, rootKey(1));
    state = await propEn.step(state, setup, options.trainSteps);
    expect((await propEn.watch(state, setup)).pairs).toBe(count);
    state = await propEn.step(state, setup, 4);
    const expected = start.map((v) => {
      let at = v;
      for (let t = 0; t < 4; t++) at = slope * at + offset;
      return at;
    });
    // Adam on drawn pairs stays within a few thousandths of the least squares line, four times
    expect(state.designs).toBeAllClose(expected, { rtol: 0, atol: 0.04 });
    expect(state.designs[0]! - start[0]!).toBeGreaterThan(mixUp ? 0.3 : 0.7);
  });

  it('leaves designs where they are if no row is better', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const flat = { x, y: new Float64Array(N).fill(1) };
    const setup = { data: flat, space, engine, options };
    const state = await run(propEn, setup, rootKey(1));
    const start = new SearchSpace(flat, space, { box: null }).start(options, null);
    expect((await propEn.watch(state, setup)).pairs).toBe(0);
    // the identity, as near as 1500 steps of Adam come to it, four times
    expect(state.designs).toBeAllClose(start, { rtol: 0, atol: 0.02 });
  });

  it.each(Object.keys(propEn.presets))('takes its preset %s', async (name) => {
    const preset = presetOptions(propEn, name);
    expect(preset).toMatchObject({ reach: 1, rise: 0.1, steps: 10, trainRate: 1e-3 });
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const short = { ...preset, hidden: [8], trainSteps: 3, steps: 2 };
    const { data: bowl, space: inside } = bowlOf(40);
    const state = await run(propEn, { data: bowl, space: inside, engine, options: short }, rootKey(1));
    expect(state.proposals.every(Number.isFinite)).toBe(true);
  });

  it.each([
    { changes: { reach: -1 }, says: `reach is -1; expected 'auto' or a number >= 0` },
    { changes: { rows: 30_000 }, says: 'rows is 30000; expected a whole number from 1 to 20000' },
    { changes: { mixUp: 1 }, says: 'mixUp is 1; expected true or false' },
  ])('refuses $changes', async ({ changes, says }) => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const wrong = { ...options, ...changes } as PropEnOptions;
    await expect(propEn.init({ data, space, engine, options: wrong }, rootKey(1))).rejects.toThrow(says);
  });
});
