import { describe, expect, it } from 'vitest';
import { presetOptions, type Setup } from '../../src/algorithm.js';
import { assessDesigns, type NemoOptions, type NemoState, nemo } from '../../src/algorithms/nemo.js';
import { bowlOf, offlineProblem } from '../../src/conformance/problems.js';
import {
  decodeTensors,
  type Engine,
  encodeTensors,
  type Kernel,
  median,
  openEngine,
  rootKey,
  Stream,
  spearman,
} from '../../src/numeric/index.js';
import { run as runOf } from '../../src/run.js';
import { violations } from '../../src/space/index.js';
import type { Dataset, Space } from '../../src/space/space.js';

const small: NemoOptions = {
  ...presetOptions(nemo, 'lockstep'),
  bins: 6,
  batchSize: 9,
  hidden: [8, 8],
  minibatch: 16,
  pretrainSteps: 30,
  modelRate: 1e-3,
};

const bowl = bowlOf(60);

const mixed: { data: Dataset; space: Space } = {
  data: {
    x: Float64Array.from({ length: 40 * 3 }, (_, i) => [i % 4, (i % 7) - 3, Math.floor(i / 5) % 2][i % 3]!),
    y: Float64Array.from({ length: 40 }, (_, i) => Math.sin(i)),
  },
  space: {
    columns: [
      { kind: 'categorical', classes: 4 },
      { kind: 'continuous', lower: -2, upper: 2 },
      { kind: 'categorical', classes: 2 },
    ],
  },
};

function setupOf(
  engine: Engine,
  changes: Partial<NemoOptions> = {},
  problem: { data: Dataset; space: Space } = bowl,
): Setup<NemoOptions> {
  return { data: problem.data, space: problem.space, options: { ...small, ...changes }, engine };
}

/** Trains, takes `steps` of the search, and gives the last state. */
function run(setup: Setup<NemoOptions>, seed: number, steps: number): Promise<NemoState> {
  return runOf(nemo, setup, rootKey(seed), { until: steps });
}

/** All is trained, no design has moved. */
const trained = (setup: Setup<NemoOptions>, seed: number) => run(setup, seed, 0);

describe.each<Kernel>(['reference', 'wasm', 'wasm-relaxed'])('NEMO on %s', (kernel) => {
  it('is a function of its setup and seed, bit for bit, on any number of threads', async () => {
    await using one = await openEngine({ kernel, threads: 1 });
    await using two = await openEngine({ kernel, threads: 2 });
    const first = await run(setupOf(one), 5, 7);
    expect(await run(setupOf(two), 5, 7)).toEqual(first);
    expect((await run(setupOf(one), 6, 7)).designs).not.toEqual(first.designs);
  });

  it('takes seven steps at once or one by one, with others in between, and leaves states as they are', async () => {
    await using engine = await openEngine({ kernel, threads: 1 });
    const setup = setupOf(engine);
    const start = await trained(setup, 5);
    const copy = structuredClone(start);
    const atOnce = await nemo.step(start, setup, 7);
    let state = start;
    for (let i = 0; i < 7; i++) {
      state = await nemo.step(state, setup);
      await nemo.step(start, setup, 2);
      await nemo.watch(state, setup);
    }
    expect(state).toEqual(atOnce);
    expect(start).toEqual(copy);
  });

  it('goes on from bytes in another engine, bit for bit', async () => {
    await using engine = await openEngine({ kernel, threads: 2 });
    const setup = setupOf(engine, {}, mixed);
    const middle = await run(setup, 1, 4);
    const bytes = encodeTensors({ tensors: middle.networks.tensors, metadata: {} });
    await using other = await openEngine({ kernel, threads: 1 });
    const resumed = {
      ...structuredClone(middle),
      networks: { step: middle.networks.step, tensors: decodeTensors(bytes).tensors },
    };
    expect(await nemo.step(resumed, setupOf(other, {}, mixed), 3)).toEqual(await nemo.step(middle, setup, 3));
  });

  it('goes on from a saved state bit for bit where all columns are classes', async () => {
    await using engine = await openEngine({ kernel, threads: 1 });
    const letters = {
      data: {
        x: Float64Array.from({ length: 40 * 3 }, (_, i) => (i * i + Math.floor(i / 3)) % 4),
        y: Float64Array.from({ length: 40 }, (_, i) => Math.sin(i)),
      },
      space: { columns: Array.from({ length: 3 }, () => ({ kind: 'categorical' as const, classes: 4 })) },
    };
    const setup = setupOf(engine, {}, letters);
    const middle = await run(setup, 1, 2);
    const whole = await nemo.step(middle, setup, 4);
    expect(await nemo.step(structuredClone(middle), setupOf(engine, {}, letters), 4)).toEqual(whole);
  });

  it('never touches the data and proposes designs inside the space', async () => {
    await using engine = await openEngine({ kernel, threads: 1 });
    for (const [problem, options] of [
      [bowl, {}],
      [mixed, {}],
      [mixed, { head: 'categorical' }],
      [bowl, { objective: 'nml' }],
      [mixed, { head: 'categorical', objective: 'nml', designRate: 3 }],
      [bowl, { designRate: 10, box: null }],
    ] as const) {
      const before = structuredClone(problem.data);
      const setup = setupOf(engine, options, problem);
      const state = await run(setup, 2, 5);
      const x = nemo.propose(state, setup);
      const d = problem.space.columns.length;
      expect(x).toHaveLength(small.batchSize * d);
      x.forEach((value, i) => {
        const column = problem.space.columns[i % d]!;
        if (column.kind === 'categorical')
          expect(Number.isInteger(value) && value >= 0 && value < column.classes).toBe(true);
        else expect(value >= column.lower && value <= column.upper).toBe(true);
      });
      expect(problem.data).toEqual(before);
      const metrics = await nemo.watch(state, setup);
      expect(Object.values(metrics).every(Number.isFinite)).toBe(true);
      expect(metrics.gamma).toBeGreaterThanOrEqual(0);
      expect(metrics.iteration).toBe(5);
    }
  });
});

/** Shares that sum to 1, two of the first three at most, one on a grid; a class and a whole number beside them. */
function blend(rows: number): { data: Dataset; space: Space } {
  const share = { kind: 'continuous', lower: 0, upper: 1 } as const;
  const space: Space = {
    columns: [
      share,
      share,
      share,
      { ...share, step: 0.05 },
      { kind: 'categorical', classes: 3 },
      { kind: 'categorical', classes: 2 },
      { kind: 'continuous', lower: 10, upper: 40, step: 5 },
    ],
    linear: [
      {
        terms: [0, 1, 2, 3].map((column) => ({ column, weight: 1 })),
        relation: '=',
        bound: 1,
        label: 'sum is 1',
      },
      {
        terms: [
          { column: 0, weight: 2 },
          { column: 6, weight: -0.01 },
        ],
        relation: '<=',
        bound: 0.8,
        label: 'little of the first',
      },
    ],
    cardinality: [{ columns: [0, 1, 2], atLeast: 1, atMost: 2, label: 'two of three' }],
    forbidden: [
      {
        terms: [
          { column: 4, classes: [0] },
          { column: 5, classes: [1] },
        ],
        label: 'not these two',
      },
    ],
  };
  const stream = new Stream(rootKey(11));
  const x = Array.from({ length: rows }, () => {
    const shares = Array.from({ length: 4 }, () => stream.exponential());
    const total = shares.reduce((a, b) => a + b);
    const classes = [stream.integer(3), stream.integer(2)];
    return [...shares.map((v) => v / total), ...classes, 10 + 5 * stream.integer(7)];
  });
  const y = x.map((v) => v[0]! - (v[3]! - 0.4) ** 2 + 0.2 * Number(v[4] === 0) + 0.1 * v[5]! + 0.01 * v[6]!);
  return { data: { x: Float64Array.from(x.flat()), y: Float64Array.from(y) }, space };
}

describe('constraints beyond bounds', () => {
  const problem = blend(60);
  const { columns } = problem.space;
  const withoutStep = columns.map((column) => {
    if (column.kind === 'categorical') return column;
    const { kind, lower, upper } = column;
    return { kind, lower, upper };
  });
  const spaces: readonly (readonly [string, Space])[] = [
    ['all together', problem.space],
    ['a fixed column', { ...problem.space, fixed: [{ column: 3, value: 0, label: 'none of it' }] }],
    ['a list of rows', { columns: withoutStep, choices: problem.data.x.slice(0, 20 * 7) }],
  ];

  it.each(spaces)('hold for all proposals at every step: %s', async (_, space) => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = setupOf(engine, { designRate: 0.1 }, { data: problem.data, space });
    let state = await trained(setup, 3);
    for (let step = 0; step < 4; step++) {
      const x = nemo.propose(state, setup);
      for (let m = 0; m < small.batchSize; m++) {
        expect(violations(space, x.subarray(m * 7, (m + 1) * 7))).toEqual([]);
      }
      state = await nemo.step(state, setup, 5);
    }
    expect(Object.values(await nemo.watch(state, setup)).every(Number.isFinite)).toBe(true);
    const resumed = setupOf(engine, { designRate: 0.1 }, { data: problem.data, space });
    expect(await nemo.step(structuredClone(state), resumed)).toEqual(await nemo.step(state, setup));
  });

  it('are climbed along: the mean prediction rises, and designs move', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = setupOf(engine, { pretrainSteps: 400 }, problem);
    const start = await trained(setup, 3);
    const end = await nemo.step(start, setup, 60);
    const before = await nemo.watch(start, setup);
    const after = await nemo.watch(end, setup);
    expect(after.moved).toBeGreaterThan(0.1);
    expect(after.predictedMedian).toBeGreaterThan(before.predictedMedian!);
  });

  it('that contradict each other are refused before training', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const space: Space = { ...problem.space, fixed: [{ column: 0, value: 0.9, label: 'first at 0.9' }] };
    const setup = setupOf(engine, {}, { data: problem.data, space });
    await expect(nemo.init(setup, rootKey(1))).rejects.toThrow(
      'no design satisfies all of: column 6 in 10..40; first at 0.9; little of the first',
    );
  });
});

describe('what is said of designs', () => {
  it('follows the scores of visible rows, knows less far away, and leaves the state alone', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 2 });
    const wide = offlineProblem(2, 400, 0, (x) => -((x[0]! - 0.5) ** 2) - (x[1]! + 0.3) ** 2, 3);
    const space: Space = {
      columns: wide.space.columns.map((c) => ({ ...c, kind: 'continuous', lower: -20, upper: 20 })),
    };
    const setup = setupOf(
      engine,
      { bins: 12, hidden: [16, 16], pretrainSteps: 800, pretrainRate: 5e-3 },
      { data: wide.data, space },
    );
    const state = await run(setup, 0, 20);
    const copy = structuredClone(state);
    const known = await assessDesigns(state, setup, wide.data.x);
    expect(spearman(known.mean, wide.data.y)).toBeGreaterThan(0.95);
    const inside =
      wide.data.y.filter((y, i) => y >= known.low80[i]! && y <= known.high80[i]!).length / wide.data.y.length;
    expect(inside).toBeGreaterThan(0.75);
    const far = await assessDesigns(state, setup, [12, 12, -12, 12, 12, -12, -12, -12]);
    expect(Math.min(...far.gamma)).toBeGreaterThan(median(known.gamma));
    expect(Math.min(...known.gamma)).toBeGreaterThanOrEqual(0);
    expect(state).toEqual(copy);
    expect(await nemo.step(state, setup, 2)).toEqual(await nemo.step(copy, setup, 2));
  });

  it('is not offered with a head that has no mu', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = setupOf(engine, { head: 'categorical' });
    const state = await trained(setup, 0);
    await expect(assessDesigns(state, setup, bowl.data.x)).rejects.toThrow('not the categorical one');
  });
});

describe('the options of NEMO', () => {
  it('modelRate 0 is No NML: the networks stay as pretrained, the designs climb', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = setupOf(engine, { modelRate: 0 });
    const start = await trained(setup, 0);
    const end = await nemo.step(start, setup, 20);
    expect(end.networks).toEqual(start.networks);
    expect(end.designs).not.toEqual(start.designs);
  });

  it('startFrom takes the best or the worst visible designs', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const scores = async (startFrom: 'best' | 'worst') => {
      const setup = setupOf(engine, { startFrom, box: null, pretrainSteps: 1 });
      return [...bowl.score(nemo.propose(await trained(setup, 0), setup))].sort((a, b) => b - a);
    };
    const sorted = [...bowl.data.y].sort((a, b) => b - a);
    expect(await scores('best')).toBeAllClose(sorted.slice(0, 9), { rtol: 1e-5, atol: 1e-5 });
    expect(await scores('worst')).toBeAllClose(sorted.slice(-9), { rtol: 1e-5, atol: 1e-5 });
  });

  it('modelSteps takes that many steps of the models, the targets move once', async () => {
    await using engine = await openEngine({ kernel: 'reference' });
    const state = await run(setupOf(engine, { modelSteps: 3, pretrainSteps: 10 }), 0, 4);
    expect(state.networks.step).toBe(10 + 3 * 4);
  });

  it('ascent mahalanobis climbs, leaves Adam alone, and is no Adam', async () => {
    await using engine = await openEngine({ kernel: 'reference' });
    const setup = setupOf(engine, { ascent: 'mahalanobis', modelRate: 0 });
    const [start, moved] = [await trained(setup, 1), await run(setup, 1, 8)];
    const [before, after] = [await nemo.watch(start, setup), await nemo.watch(moved, setup)];
    expect(after.predictedMedian!).toBeGreaterThan(before.predictedMedian!);
    expect(moved.firstMoment.every((value) => value === 0)).toBe(true);
    const byAdam = await run(setupOf(engine, { modelRate: 0 }), 1, 8);
    expect(moved.designs).not.toEqual(byAdam.designs);
  });

  it("the paper's presets are those of its table", () => {
    const tasks = Object.keys(nemo.presets.paper!.byTask!);
    const rows = tasks.map((task) => {
      const p = presetOptions(nemo, 'paper', task);
      return [task, p.bins, p.hidden[0], p.modelRate, p.designRate, p.targetRate];
    });
    expect(rows).toEqual([
      ['Superconductor', 40, 256, 0.05, 0.1, 0.05],
      ['MoleculeActivity', 40, 256, 0.05, 0.1, 0.05],
      ['GFP', 40, 64, 0.005, 0.01, 0.05],
      ['HopperController', 20, 64, 0.005, 0.001, 0.05],
      ['AntMorphology', 20, 64, 0.005, 0.001, 0.05],
      ['DKittyMorphology', 20, 64, 0.005, 0.001, 0.05],
    ]);
  });

  it('that make the networks diverge end in an error that says so', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = setupOf(engine, { modelRate: 1e30, box: null });
    const start = await trained(setup, 0);
    await expect(nemo.step(start, setup, 30)).rejects.toThrow(
      /the networks diverged by iteration \d+; lower modelRate/,
    );
    // the state before is as good as it was
    const calm = setupOf(engine);
    expect((await nemo.step(start, calm, 1)).iteration).toBe(1);
  });

  it('wrong ones are named', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const trying = (changes: Partial<NemoOptions>, problem: { data: Dataset; space: Space } = bowl) =>
      nemo.init(setupOf(engine, changes, problem), rootKey(0));
    await expect(trying({ bins: 0 })).rejects.toThrow('bins is 0');
    await expect(trying({ modelRate: Number.NaN })).rejects.toThrow('modelRate is NaN');
    await expect(trying({ targetRate: 0 })).rejects.toThrow('targetRate is 0');
    await expect(trying({ queryWeight: -1 })).rejects.toThrow('queryWeight is -1');
    await expect(trying({ scale: 0 })).rejects.toThrow('scale is 0');
    await expect(trying({ headroom: -1 })).rejects.toThrow('headroom is -1');
    await expect(
      trying({}, { ...bowl, data: { x: bowl.data.x, y: bowl.data.y.with(3, Number.NaN) } }),
    ).rejects.toThrow('y[3] is NaN');
  });
});

describe('censored scores', () => {
  it('say only what they know: "at least" pulls up, "at most" pulls down', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    // at x = 0 scores are 0, at x = 2 they are 1; at x = 1 all that is known is one side of 0.5
    const x = Float64Array.from({ length: 60 }, (_, i) => i % 3);
    const y = x.map((v) => v / 2);
    const at = async (side: -1 | 0 | 1) => {
      const censored = Int8Array.from(x, (v) => (v === 1 ? side : 0));
      const problem = {
        data: { x, y, censored },
        space: { columns: [{ kind: 'continuous' as const, lower: 0, upper: 2 }] },
      };
      const setup = setupOf(
        engine,
        { bins: 10, hidden: [16, 16], pretrainSteps: 1500, pretrainRate: 1e-2 },
        problem,
      );
      const { mean } = await assessDesigns(await trained(setup, 0), setup, [1]);
      return mean[0]!;
    };
    const [below, known, above] = [await at(-1), await at(0), await at(1)];
    expect(known).toBeCloseTo(0.5, 1);
    expect(below).toBeLessThan(known - 0.05);
    expect(above).toBeGreaterThan(known + 0.05);
  });
});

describe('odd data', () => {
  it.each<[string, number, (i: number) => number, (i: number) => number]>([
    ['constant scores', 20, (i) => i, () => 3],
    ['three rows', 3, (i) => i, (i) => i],
    ['one row', 1, () => 4, () => 2],
    ['all rows alike', 12, () => 1, () => 1],
    ['duplicated rows with different scores', 12, (i) => i % 3, (i) => i],
  ])('%s give finite designs inside the space', async (_, rows, x, y) => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const problem = {
      data: {
        x: Float64Array.from({ length: rows }, (_, i) => x(i)),
        y: Float64Array.from({ length: rows }, (_, i) => y(i)),
      },
      space: { columns: [{ kind: 'continuous' as const, lower: -10, upper: 30 }] },
    };
    const setup = setupOf(engine, {}, problem);
    const designs = nemo.propose(await run(setup, 0, 10), setup);
    expect(designs).toHaveLength(9);
    expect(designs.every((v) => v >= -10 && v <= 30)).toBe(true);
  });
});
