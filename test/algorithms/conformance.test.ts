// What every algorithm of the registry promises. A new one is picked up by itself; if its defaults have options that
// the table below does not know, it may need a line there to be fast.
import { deserialize, serialize } from 'node:v8';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Algorithm, AlgorithmState, Setup } from '../../src/algorithm.js';
import { algorithms } from '../../src/algorithms/index.js';
import { type Engine, openEngine, rootKey, Stream } from '../../src/numeric/index.js';
import type { Dataset, Space } from '../../src/problem.js';
import { run, states } from '../../src/run.js';
import { violations } from '../../src/space/index.js';
import { offlineProblem } from './offlineProblem.js';

type Options = Record<string, unknown>;
type Any = Algorithm<Options, AlgorithmState>;
interface Problem {
  readonly data: Dataset;
  readonly space: Space;
}

/** Options that keep a run short, for whichever algorithm has them. */
const short: Options = {
  batchSize: 6,
  hidden: [8],
  minibatch: 16,
  trainSteps: 12,
  pretrainSteps: 12,
  steps: 6,
  bins: 5,
  networks: 3,
  adversarySteps: 3,
};

/** Options that are enough for an easy quadratic. */
const enough: Options = {
  ...short,
  batchSize: 16,
  hidden: [32, 32],
  minibatch: 32,
  trainSteps: 400,
  trainRate: 1e-2,
  pretrainSteps: 400,
  pretrainRate: 1e-2,
  steps: 60,
  bins: 10,
  adversarySteps: 10,
};

/** Of algorithms that draw designs from an autoencoder. */
const drawing: Options = {
  latent: 3,
  vaeHidden: [8],
  vaeSteps: 12,
  samples: 40,
  refitSteps: 4,
  focusSteps: 4,
};
const sampling = {
  short: drawing,
  enough: {
    ...drawing,
    vaeHidden: [32],
    vaeSteps: 300,
    vaeRate: 3e-3,
    samples: 300,
    refitSteps: 60,
    steps: 6,
  },
};

/** What single algorithms need beside these. */
const own: Record<string, { readonly short?: Options; readonly enough?: Options }> = {
  cbas: sampling,
  autofocus: sampling,
  // a generator is trained by every fifth minibatch only
  mins: { enough: { trainSteps: 2000, trainRate: 1e-3 } },
};

function optionsOf(algorithm: Any, kind: 'short' | 'enough'): Options {
  const wanted = { ...(kind === 'short' ? short : enough), ...own[algorithm.id]?.[kind] };
  const known = Object.entries(wanted).filter(([name]) => Object.hasOwn(algorithm.defaults, name));
  return { ...algorithm.defaults, ...Object.fromEntries(known) };
}

const bowl = offlineProblem(3, 80, 0.2, (x) => -x.reduce((sum, v) => sum + (v - 0.5) ** 2, 0), 1);

/** Shares that sum to 1, a class and a whole number. */
const blend: Problem = {
  data: {
    x: Float64Array.from(
      Array.from({ length: 40 }, (_, i) => {
        const [a, b] = [(i % 7) / 14, (i % 5) / 10];
        return [a, b, 1 - a - b, i % 3, i % 11];
      }).flat(),
    ),
    y: Float64Array.from({ length: 40 }, (_, i) => Math.sin(i % 7) + 0.1 * (i % 11)),
  },
  space: {
    columns: [
      ...Array.from({ length: 3 }, () => ({ kind: 'continuous', lower: 0, upper: 1 }) as const),
      { kind: 'categorical', classes: 3 },
      { kind: 'continuous', lower: 0, upper: 10, step: 1 },
    ],
    linear: [
      {
        terms: [0, 1, 2].map((column) => ({ column, weight: 1 })),
        relation: '=',
        bound: 1,
        label: 'sum is 1',
      },
    ],
  },
};

/** Six letters of an alphabet of four. */
const letters: Problem = {
  data: {
    x: Float64Array.from({ length: 40 * 6 }, (_, i) => (i * i + Math.floor(i / 7)) % 4),
    y: Float64Array.from({ length: 40 }, (_, i) => Math.cos(i)),
  },
  space: { columns: Array.from({ length: 6 }, () => ({ kind: 'categorical', classes: 4 }) as const) },
};

const problems: Record<string, Problem> = { bowl, blend, letters };

function drawn(rows: number, d: number, y: (i: number) => number): Problem {
  const x = new Float64Array(rows * d);
  new Stream(rootKey(1)).fillUniform(x, -1, 1);
  return {
    data: { x, y: Float64Array.from({ length: rows }, (_, i) => y(i)) },
    space: { columns: Array.from({ length: d }, () => ({ kind: 'continuous', lower: -2, upper: 2 })) },
  };
}

const duplicated = drawn(1, 3, () => 1);
const odd: Record<string, Problem> = {
  'constant scores': drawn(30, 3, () => 7),
  'three rows': drawn(3, 2, (i) => i),
  'one column': drawn(25, 1, (i) => Math.sin(i)),
  'one row thirty times': {
    data: {
      x: Float64Array.from({ length: 90 }, (_, i) => duplicated.data.x[i % 3]!),
      y: Float64Array.from({ length: 30 }, (_, i) => i % 2),
    },
    space: duplicated.space,
  },
  '2,000 columns': drawn(12, 2000, (i) => i % 5),
};

const infinite = Number.POSITIVE_INFINITY;
const sumOfTen = {
  terms: [{ column: 0, weight: 1 }],
  relation: '>=',
  bound: 10,
  label: 'x >= 10',
} as const;

/** Bad input, and part of what is said about it. */
const bad: Record<string, { readonly problem?: Problem; readonly options?: Options; readonly says: string }> =
  {
    'a score that is no number': {
      problem: { ...bowl, data: { ...bowl.data, y: bowl.data.y.with(3, Number.NaN) } },
      says: 'y[3] is NaN',
    },
    'a design that is infinite': {
      problem: { ...bowl, data: { ...bowl.data, x: bowl.data.x.with(4, infinite) } },
      says: 'x[4] is Infinity',
    },
    'too few numbers': {
      problem: { ...bowl, data: { ...bowl.data, x: bowl.data.x.slice(1) } },
      says: '64 scores and 3 columns make 192',
    },
    'no rows': {
      problem: { ...bowl, data: { x: new Float64Array(0), y: new Float64Array(0) } },
      says: 'y has no scores',
    },
    'no columns': { problem: { ...bowl, space: { columns: [] } }, says: 'the space has no columns' },
    'an unknown class': {
      problem: { ...letters, data: { ...letters.data, x: letters.data.x.with(0, 4) } },
      says: 'column 0 has class 4; expected 0 to 3',
    },
    'marks of other rows': {
      problem: { ...bowl, data: { ...bowl.data, censored: new Int8Array(2) } },
      says: 'censored has length 2; expected 64',
    },
    'a space without designs': {
      problem: { ...bowl, space: { ...bowl.space, linear: [sumOfTen] } },
      says: 'x >= 10',
    },
    'no designs asked for': {
      options: { batchSize: 0 },
      says: 'batchSize is 0; expected a positive integer',
    },
    'half a step': { options: { steps: 2.5 }, says: 'steps is 2.5; expected a positive integer' },
    'no width': { options: { hidden: [0] }, says: 'hidden is 0; expected a positive integer' },
    'no box': { options: { box: 0.7 }, says: 'box is 0.7; expected null or a share from 0 to below 0.5' },
  };

describe.each(Object.entries(algorithms))('%s', (id, typed) => {
  const algorithm = typed as unknown as Any;
  let one: Engine;
  let two: Engine;
  beforeAll(async () => {
    one = await openEngine({ kernel: 'wasm', threads: 1 });
    two = await openEngine({ kernel: 'wasm', threads: 2 });
  });
  afterAll(async () => {
    await one.close();
    await two.close();
  });

  const setupOf = (engine: Engine, { data, space }: Problem, changes: Options = {}): Setup<Options> => ({
    data,
    space,
    engine,
    options: { ...optionsOf(algorithm, 'short'), ...changes },
  });

  function expectDesigns(x: Float64Array, { space }: Problem, batchSize: unknown): void {
    const d = space.columns.length;
    expect(x).toHaveLength((batchSize as number) * d);
    expect(x.every(Number.isFinite)).toBe(true);
    for (let at = 0; at < x.length; at += d) expect(violations(space, x.subarray(at, at + d))).toEqual([]);
  }

  it('has its own name and plain defaults', () => {
    expect(algorithm.id).toBe(id);
    expect(JSON.parse(JSON.stringify(algorithm.defaults))).toEqual(algorithm.defaults);
    expect(algorithm.defaults).toMatchObject({ batchSize: 128 });
  });

  it.each(Object.entries(problems))(
    'is the same bits for a seed on 1 and 2 threads, and designs of the space: %s',
    async (_, problem) => {
      const before = structuredClone(problem.data);
      const setups = [setupOf(one, problem), setupOf(two, problem)] as const;
      const first = await run(algorithm, setups[0], rootKey(5));
      expect(await run(algorithm, setups[1], rootKey(5))).toEqual(first);
      const x = algorithm.propose(first, setups[0]);
      expectDesigns(x, problem, setups[0].options.batchSize);
      const other = await run(algorithm, setups[0], rootKey(6));
      expect(other).not.toEqual(first);
      if (problem === bowl) expect(algorithm.propose(other, setups[0])).not.toEqual(x);
      expect(problem.data).toEqual(before);
    },
  );

  it('shows states from -training to the end, numbers worth plotting, and goes on from any of them', async () => {
    const setup = setupOf(one, blend);
    const again = setupOf(two, blend);
    const { training, search } = algorithm.length(setup);
    const alone = await run(algorithm, setup, rootKey(3));
    expect(alone.iteration).toBe(search);
    const seen: number[] = [];
    for await (const state of states(algorithm, setup, rootKey(3), { every: 5 })) {
      const copy = structuredClone(state);
      const watched = await algorithm.watch(state, setup);
      expect(Object.values(watched).every(Number.isFinite)).toBe(true);
      expect(watched.iteration).toBe(state.iteration);
      expectDesigns(algorithm.propose(state, setup), blend, setup.options.batchSize);
      expect(state).toEqual(copy);
      seen.push(state.iteration);
      const read = deserialize(serialize(state)) as AlgorithmState;
      expect(read).toEqual(state);
      expect(await run(algorithm, again, rootKey(99), { from: read })).toEqual(alone);
    }
    expect(seen[0]).toBe(0 - training);
    expect(seen).toContain(0);
    expect(seen.at(-1)).toBe(search);
  });

  it('gives designs away, not its own', async () => {
    const setup = setupOf(one, bowl);
    const state = await run(algorithm, setup, rootKey(1));
    const x = algorithm.propose(state, setup);
    const kept = x.slice();
    x.fill(Number.NaN);
    expect(algorithm.propose(state, setup)).toEqual(kept);
  });

  it('can be aborted between two states', async () => {
    const setup = setupOf(one, bowl);
    const controller = new AbortController();
    const seen: number[] = [];
    const walk = async () => {
      for await (const state of states(algorithm, setup, rootKey(1), {
        every: 1,
        signal: controller.signal,
      })) {
        seen.push(state.iteration);
        if (seen.length === 3) controller.abort(new Error('enough'));
      }
    };
    await expect(walk()).rejects.toThrow('enough');
    expect(seen).toHaveLength(3);
  });

  it('beats the best visible design on a quadratic', async () => {
    const options = optionsOf(algorithm, 'enough');
    const { data, space, score } = offlineProblem(
      4,
      300,
      0.3,
      (x) => 5 - x.reduce((sum, v) => sum + (v - 0.3) ** 2, 0),
      11,
    );
    const setup = { data, space, engine: two, options };
    const x = algorithm.propose(await run(algorithm, setup, rootKey(2)), setup);
    expect(Math.max(...score(x))).toBeGreaterThan(Math.max(...data.y));
  });

  it.each(Object.entries(odd))('stays sane on %s', async (_, problem) => {
    const setup = setupOf(one, problem);
    const state = await run(algorithm, setup, rootKey(4));
    expectDesigns(algorithm.propose(state, setup), problem, setup.options.batchSize);
    const watched = await algorithm.watch(state, setup);
    expect(Object.values(watched).every(Number.isFinite)).toBe(true);
  });

  it.each(Object.entries(bad))(
    'refuses %s in the same words as all',
    async (_, { problem, options, says }) => {
      if (options && !Object.keys(options).every((name) => Object.hasOwn(algorithm.defaults, name))) return;
      const refused = (own: Any) =>
        own
          .init(
            { ...setupOf(one, problem ?? bowl), options: { ...optionsOf(own, 'short'), ...options } },
            rootKey(1),
          )
          .then(
            () => null,
            (error: Error) => ({ name: error.name, message: error.message }),
          );
      const words = await refused(algorithm);
      expect(words?.message).toContain(says);
      expect(words).toEqual(await refused(algorithms.nemo as unknown as Any));
    },
  );

  it('refuses half an iteration', async () => {
    const setup = setupOf(one, bowl);
    const start = await algorithm.init(setup, rootKey(1));
    await expect(algorithm.step(start, setup, 0.5)).rejects.toThrow(
      'iterations is 0.5; expected a whole number >= 0',
    );
  });
});
