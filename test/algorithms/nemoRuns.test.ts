// A run of NEMO as a sequence of states: however it is cut, saved and resumed, and what it says of itself on the way.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presetOptions, type Setup } from '../../src/algorithm.js';
import { assessDesigns, type NemoOptions, type NemoState, nemo } from '../../src/algorithms/nemo.js';
import { blendOf, bowlOf } from '../../src/conformance/problems.js';
import { decodeTensors, type Engine, encodeTensors, openEngine, rootKey } from '../../src/numeric/index.js';
import { run, states } from '../../src/run.js';
import { violations } from '../../src/space/index.js';

const options = {
  ...presetOptions(nemo, 'lockstep'),
  bins: 5,
  batchSize: 6,
  hidden: [8],
  minibatch: 16,
  pretrainSteps: 24,
  modelRate: 1e-3,
  designRate: 0.1,
  steps: 8,
} satisfies NemoOptions;

const bowl = bowlOf(60);
const problems = { bowl, blend: blendOf(50) };

function setupOf(
  engine: Engine,
  problem: keyof typeof problems = 'bowl',
  changes: Partial<NemoOptions> = {},
) {
  const { data, space } = problems[problem];
  return { data, space, engine, options: { ...options, ...changes } } satisfies Setup<NemoOptions>;
}

function throughBytes(state: NemoState): NemoState {
  const { networks, stream, iteration, proposals, designs, firstMoment, secondMoment } = state;
  const own = { designs, firstMoment, secondMoment, ...(proposals && { proposals }) };
  const tensors = Object.entries(own).map(([name, data]) => [name, { shape: [data.length], data }] as const);
  const bytes = encodeTensors({
    tensors: { ...networks.tensors, ...Object.fromEntries(tensors) },
    metadata: { rest: JSON.stringify({ stream, iteration, step: networks.step }) },
  });
  const read = decodeTensors(bytes);
  const rest = JSON.parse(read.metadata.rest!);
  const data = (name: string) => read.tensors[name]!.data as Float32Array | Float64Array;
  const names = Object.keys(networks.tensors);
  return {
    networks: {
      step: rest.step,
      tensors: Object.fromEntries(names.map((name) => [name, read.tensors[name]!])),
    },
    designs: data('designs'),
    firstMoment: data('firstMoment'),
    secondMoment: data('secondMoment'),
    stream: rest.stream,
    iteration: rest.iteration,
    ...(proposals && { proposals: data('proposals') as Float64Array }),
  };
}

describe('a run of NEMO', () => {
  it.each(['bowl', 'blend'] as const)(
    'is the same however it is cut, saved and resumed: %s',
    async (problem) => {
      await using one = await openEngine({ kernel: 'wasm', threads: 1 });
      await using two = await openEngine({ kernel: 'wasm', threads: 2 });
      const setups = [setupOf(one, problem), setupOf(two, problem)];
      const total = options.pretrainSteps + options.steps;
      const start = await nemo.init(setups[0]!, rootKey(3));
      const whole = await nemo.step(start, setups[0]!, total); // all at once, over the end of training
      const carries = [(s: NemoState) => s, (s: NemoState) => structuredClone(s), throughBytes];
      const cut = fc.record({ at: fc.nat(total), carry: fc.nat(2), on: fc.nat(1) });
      await fc.assert(
        fc.asyncProperty(fc.array(cut, { maxLength: 6 }), fc.nat(1), async (cuts, last) => {
          let state = await nemo.init(setups[last]!, rootKey(3));
          let done = 0;
          for (const { at, carry, on } of cuts.sort((a, b) => a.at - b.at)) {
            state = carries[carry]!(await nemo.step(state, setups[on]!, at - done));
            done = at;
            expect(state.iteration).toBe(at - options.pretrainSteps);
          }
          expect(await nemo.step(state, setups[last]!, total - done)).toEqual(whole);
        }),
        { seed: 1, numRuns: 25 },
      );
    },
  );

  it('gives the designs it gave when all training was one call', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = setupOf(engine);
    const x = nemo.propose(await run(nemo, setup, rootKey(7)), setup);
    expect([...x.subarray(0, 3)]).toEqual([1.985499119335813, -1.487986273527632, -0.037913162004281936]);
  });

  it('trains from -pretrainSteps to 0 with designs at their start, inside the space', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = setupOf(engine, 'blend', { pretrainSteps: 400, pretrainRate: 1e-2 });
    expect(nemo.length(setup)).toEqual({ training: 400, search: 8 });
    const seen: number[] = [];
    const losses: number[] = [];
    let start: Float64Array | undefined;
    for await (const state of states(nemo, setup, rootKey(1), { every: 150 })) {
      const x = nemo.propose(state, setup);
      start ??= x;
      if (state.iteration <= 0) expect(x).toEqual(start);
      else expect(x).not.toEqual(start);
      for (let m = 0; m < 6; m++) expect(violations(setup.space, x.subarray(5 * m, 5 * m + 5))).toEqual([]);
      const watched = await nemo.watch(state, setup);
      expect(Object.values(watched).every(Number.isFinite)).toBe(true);
      expect(Object.keys(watched)).toEqual(
        state.iteration < 0
          ? ['iteration', 'trainingLoss']
          : ['iteration', 'trainingLoss', 'predictedBest', 'predictedMedian', 'spread', 'moved', 'gamma'],
      );
      seen.push(watched.iteration!);
      losses.push(watched.trainingLoss!);
    }
    expect(seen).toEqual([-400, -300, -150, 0, 8]);
    expect(losses[1]).toBeLessThan(losses[0]!);
    expect(losses[3]).toBeLessThan(losses[0]! / 2);
  });

  it('can be watched at any moment without a trace', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = setupOf(engine);
    const alone = await run(nemo, setup, rootKey(1));
    let last: NemoState | undefined;
    for await (const state of states(nemo, setup, rootKey(1), { every: 3 })) {
      await nemo.watch(state, setup);
      nemo.propose(state, setup);
      last = state;
    }
    expect(last).toEqual(alone);
  });

  it('needs no training at all if none is asked for', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = setupOf(engine, 'bowl', { pretrainSteps: 0 });
    const start = await nemo.init(setup, rootKey(1));
    expect(start.iteration).toBe(0);
    const { tensors } = start.networks;
    expect(tensors['layer0.weight.target']!.data).toEqual(tensors['layer0.weight']!.data);
    expect((await nemo.step(start, setup)).iteration).toBe(1);
  });

  it('says what is wrong: half a step, training that diverges, designs assessed too early', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = setupOf(engine);
    const start = await nemo.init(setup, rootKey(1));
    await expect(nemo.step(start, setup, 0.5)).rejects.toThrow('iterations is 0.5; expected a whole number');
    await expect(nemo.step(start, setup, -1)).rejects.toThrow('iterations is -1');
    await expect(nemo.init(setupOf(engine, 'bowl', { pretrainSteps: 2.5 }), rootKey(1))).rejects.toThrow(
      "pretrainSteps is 2.5; expected 'auto' or a whole number >= 0",
    );
    await expect(assessDesigns(start, setup, bowl.data.x)).rejects.toThrow(
      'designs are assessed once the networks are trained; this state has 24 steps of training ahead',
    );
    const wild = setupOf(engine, 'bowl', { pretrainRate: 1e30 });
    await expect(run(nemo, wild, rootKey(1))).rejects.toThrow(
      'the networks diverged in training; lower pretrainRate',
    );
  });
});
