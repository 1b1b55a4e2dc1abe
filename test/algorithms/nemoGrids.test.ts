// Whole numbers and other grids while designs move: the networks see grid points, the designs move between them.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { presetOptions, type Setup } from '../../src/algorithm.js';
import { type NemoOptions, nemo } from '../../src/algorithms/nemo.js';
import { AmortizedCnml } from '../../src/models/amortizedCnml.js';
import { openEngine, rootKey, Stream } from '../../src/numeric/index.js';
import { run, states } from '../../src/run.js';
import { decode, fitEncoding, roundToGrid } from '../../src/search/encoding.js';
import { violations } from '../../src/space/index.js';
import type { Dataset, Space } from '../../src/space/space.js';

const options: NemoOptions = {
  ...presetOptions(nemo, 'lockstep'),
  bins: 8,
  batchSize: 8,
  hidden: [16, 16],
  minibatch: 32,
  pretrainSteps: 600,
  pretrainRate: 1e-2,
  steps: 120,
};

/** 0 to 10 in whole numbers, measured six times each, best between 6 and 7. */
const whole: { data: Dataset; space: Space } = {
  data: {
    x: Float64Array.from({ length: 66 }, (_, i) => i % 11),
    y: Float64Array.from({ length: 66 }, (_, i) => -(((i % 11) - 6.4) ** 2)),
  },
  space: { columns: [{ kind: 'continuous', lower: 0, upper: 10, step: 1 }] },
};

/** A class, a number, a whole number and a coarse grid, the last two tied by a sum. */
function mixed(): { data: Dataset; space: Space } {
  const stream = new Stream(rootKey(5));
  const x = Array.from({ length: 80 }, () => [
    stream.integer(3),
    stream.normal(),
    stream.integer(13),
    0.5 + 0.25 * stream.integer(7),
  ]);
  const y = x.map(([c, u, n, g]) => -((n! - 8) ** 2) / 10 - (u! - 0.4) ** 2 + 2 * g! + Number(c === 1));
  return {
    data: { x: Float64Array.from(x.flat()), y: Float64Array.from(y) },
    space: {
      columns: [
        { kind: 'categorical', classes: 3 },
        { kind: 'continuous', lower: -4, upper: 4 },
        { kind: 'continuous', lower: 0, upper: 12, step: 1 },
        { kind: 'continuous', lower: 0.5, upper: 2.1, step: 0.25 },
      ],
      linear: [
        {
          terms: [
            { column: 2, weight: 1 },
            { column: 3, weight: 4 },
          ],
          relation: '<=',
          bound: 15,
          label: 'not too much of both',
        },
      ],
    },
  };
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** What the networks see of the designs whenever they are told, climbed or read. */
function watchInputs(): Float64Array[] {
  const seen: Float64Array[] = [];
  for (const name of ['train', 'climb', 'read'] as const) {
    const original = AmortizedCnml.prototype[name] as (this: AmortizedCnml, ...given: never[]) => unknown;
    vi.spyOn(AmortizedCnml.prototype, name).mockImplementation(function (
      this: AmortizedCnml,
      ...given: unknown[]
    ) {
      const inputs = name === 'read' ? (given[0] as ArrayLike<number>) : this.seenDesigns();
      seen.push(Float64Array.from(inputs));
      return original.apply(this, given as never[]) as never;
    });
  }
  return seen;
}

describe('whole numbers with the best between two of them', () => {
  it.each(['best', 'worst'] as const)('end at one of the two, from the %s rows', async (startFrom) => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const seen = watchInputs();
    const setup: Setup<NemoOptions> = {
      ...whole,
      engine,
      options: { ...options, startFrom, designRate: 0.05 },
    };
    const x = nemo.propose(await run(nemo, setup, rootKey(1)), setup);
    expect(x.every((v) => v === 6 || v === 7)).toBe(true);
    const encoding = fitEncoding(whole.data, whole.space, options);
    for (const inputs of seen) {
      for (const value of decode(encoding, inputs))
        expect(Math.abs(value - Math.round(value))).toBeLessThan(1e-5);
    }
    expect(seen.length).toBe(2 * options.steps);
  });

  it('are crossed in steps far smaller than the grid', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    // 0.02 standard deviations are 0.06 units: eight steps or more to the next whole number
    const setup: Setup<NemoOptions> = {
      ...whole,
      engine,
      options: { ...options, startFrom: 'worst', designRate: 0.02 },
    };
    const encoding = fitEncoding(whole.data, whole.space, options);
    const places: number[] = [];
    const between: number[] = [];
    for await (const state of states(nemo, setup, rootKey(1), { every: 4 })) {
      if (state.iteration < 0) continue;
      places.push(nemo.propose(state, setup)[0]!);
      between.push(decode(encoding, state.designs)[0]!);
    }
    // one whole number after the other, none left out, and most of the time on the way to the next
    expect([...new Set(places)].slice(0, 4)).toEqual([0, 1, 2, 3]);
    expect(between.filter((v) => Math.abs(v - Math.round(v)) > 0.1).length).toBeGreaterThan(
      between.length / 2,
    );
  });
});

describe('a class, a number and two grids under a sum', () => {
  it('networks see grid points alone, proposals satisfy everything, and designs improve', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 2 });
    const seen = watchInputs();
    const { data, space } = mixed();
    const setup = { data, space, engine, options: { ...options, designRate: 0.05 } };
    const encoding = fitEncoding(data, space, options);
    let start: Readonly<Record<string, number>> | undefined;
    let end: Readonly<Record<string, number>> | undefined;
    for await (const state of states(nemo, setup, rootKey(2), { every: 20 })) {
      const x = nemo.propose(state, setup);
      for (let m = 0; m < 8; m++) expect(violations(space, x.subarray(4 * m, 4 * m + 4))).toEqual([]);
      if (state.iteration < 0) continue;
      end = await nemo.watch(state, setup);
      start ??= end;
    }
    expect(end!.predictedMedian).toBeGreaterThan(start!.predictedMedian!);
    expect(seen.length).toBe(2 * options.steps + 7);
    for (const inputs of seen) {
      const x = decode(encoding, inputs);
      for (let m = 0; m < 8; m++) {
        const [n, g] = [x[4 * m + 2]!, (x[4 * m + 3]! - 0.5) / 0.25];
        expect(Math.abs(n - Math.round(n))).toBeLessThan(1e-5);
        expect(Math.abs(g - Math.round(g))).toBeLessThan(1e-5);
        expect(x[4 * m + 3]).toBeLessThan(2.01); // the last grid point, not the bound
      }
    }
  });

  it('the same designs rounded are what the state says the networks see', async () => {
    await using engine = await openEngine({ kernel: 'reference' });
    const seen = watchInputs();
    const setup = { ...whole, engine, options: { ...options, pretrainSteps: 5, steps: 3, hidden: [4] } };
    const state = await run(nemo, setup, rootKey(2));
    await nemo.watch(state, setup);
    const encoding = fitEncoding(whole.data, whole.space, options);
    expect(seen.at(-1)).toEqual(roundToGrid(encoding, state.designs));
    expect(seen.at(-1)).not.toEqual(state.designs);
  });
});
