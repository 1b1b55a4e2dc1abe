import { describe, expect, it } from 'vitest';
import { type Algorithm, type AlgorithmState, defineAlgorithm, type Setup } from '../src/algorithm.js';
import { rootKey } from '../src/numeric/index.js';
import { run, states } from '../src/run.js';

type Options = Readonly<Record<string, unknown>>;

/** Counts: 7 steps of training, 5 of search. Notes the size of every call. */
function counter(): { algorithm: Algorithm<Options, AlgorithmState>; calls: number[] } {
  const calls: number[] = [];
  const algorithm = defineAlgorithm<Options, AlgorithmState>({
    id: 'counter',
    defaults: {},
    length: () => ({ training: 7, search: 5 }),
    init: async () => ({ iteration: -7 }),
    step: async ({ iteration }, _, iterations = 1) => {
      calls.push(iterations);
      return { iteration: iteration + iterations };
    },
    propose: () => new Float64Array(),
    watch: async ({ iteration }) => ({ iteration }),
  });
  return { algorithm, calls };
}

const setup = { options: {} } as Setup<Options>;
const key = rootKey(0);

async function iterations(given: AsyncIterable<AlgorithmState>): Promise<number[]> {
  const seen: number[] = [];
  for await (const { iteration } of given) seen.push(iteration);
  return seen;
}

describe('the states of a run', () => {
  it('are at multiples of `every`, at the end of training, and at both ends', async () => {
    const { algorithm, calls } = counter();
    expect(await iterations(states(algorithm, setup, key, { every: 3 }))).toEqual([-7, -6, -3, 0, 3, 5]);
    expect(calls).toEqual([1, 3, 3, 3, 2]);
    expect(await iterations(states(algorithm, setup, key))).toEqual([-7, 0, 5]);
    expect(await run(algorithm, setup, key)).toEqual({ iteration: 5 });
  });

  it('go on from a state, and end where they are asked to', async () => {
    const { algorithm } = counter();
    const from = { iteration: -4 };
    expect(await iterations(states(algorithm, setup, key, { every: 3, from }))).toEqual([-4, -3, 0, 3, 5]);
    expect(await iterations(states(algorithm, setup, key, { every: 3, from, until: -1 }))).toEqual([
      -4, -3, -1,
    ]);
    expect(await iterations(states(algorithm, setup, key, { until: 9, from: { iteration: 5 } }))).toEqual([
      5, 9,
    ]);
    expect(await run(algorithm, setup, key, { from: { iteration: 5 } })).toEqual({ iteration: 5 });
    expect(await run(algorithm, setup, key, { until: 0 })).toEqual({ iteration: 0 });
  });

  it('stop between two calls when aborted, with the reason given', async () => {
    const { algorithm, calls } = counter();
    const controller = new AbortController();
    const seen: number[] = [];
    const running = (async () => {
      for await (const { iteration } of states(algorithm, setup, key, {
        every: 3,
        signal: controller.signal,
      })) {
        seen.push(iteration);
        if (iteration === -3) controller.abort(new Error('enough'));
      }
    })();
    await expect(running).rejects.toThrow('enough');
    expect(seen).toEqual([-7, -6, -3]);
    expect(calls).toEqual([1, 3]);
    const { signal } = controller;
    await expect(run(algorithm, setup, key, { signal })).rejects.toThrow('enough');
  });

  it('let a timer abort them', async () => {
    const { algorithm, calls } = counter();
    const endless = { ...algorithm, length: () => ({ training: 7, search: Number.POSITIVE_INFINITY }) };
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 5);
    await expect(run(endless, setup, key, { every: 1, signal: controller.signal })).rejects.toThrow(
      controller.signal.reason,
    );
    expect(calls.length).toBeGreaterThan(0);
  });

  it('are not asked for every 0 steps', async () => {
    const { algorithm } = counter();
    await expect(run(algorithm, setup, key, { every: 0 })).rejects.toThrow('every is 0; expected a positive');
  });
});
