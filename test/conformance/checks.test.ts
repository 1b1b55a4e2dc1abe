// The suite has teeth: algorithms and tasks that break one promise each are told so by the check of that promise.

import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AlgorithmState } from '../../src/algorithm.js';
import { openPlugin } from '../../src/bench/plugins.js';
import { type AnyAlgorithm, withOptions } from '../../src/bench/registry.js';
import { algorithmChecks } from '../../src/conformance/algorithmChecks.js';
import { type Check, firstDifference, NotAsked } from '../../src/conformance/check.js';
import { taskChecks } from '../../src/conformance/taskChecks.js';
import { type Engine, openEngine } from '../../src/numeric/index.js';
import type { Option } from '../../src/options/option.js';
import type { Task, TaskDefinition } from '../../src/tasks/index.js';
import { memorySource } from '../tasks/sources.js';

interface JitterState extends AlgorithmState {
  readonly designs: Float64Array;
  readonly proposals: Float64Array;
}
type Changes = (good: AnyAlgorithm) => Partial<AnyAlgorithm>;
const stateOf = (state: AlgorithmState) => state as JitterState;

let jitter: AnyAlgorithm;
let sphere: TaskDefinition;
let engines: [Engine, Engine];
beforeAll(async () => {
  const example = fileURLToPath(new URL('../../examples/plugin.mjs', import.meta.url));
  const { algorithms, tasks } = await openPlugin(example);
  [jitter, sphere] = [withOptions(algorithms![0]!), tasks![0]!];
  engines = [
    await openEngine({ kernel: 'wasm', threads: 1 }),
    await openEngine({ kernel: 'wasm', threads: 2 }),
  ];
});
afterAll(async () => {
  for (const engine of engines) await engine.close();
});

/** What the check of that name, or the first whose name begins so, says; null where it holds. */
async function verdict<Context>(checks: readonly Check<Context>[], name: string, context: Context) {
  const found = checks.find((own) => own.name.startsWith(name));
  if (!found) throw new Error(`no check is called ${name}`);
  return found.check(context).then(
    () => null,
    (error: Error) => ({ name: error.name, message: error.message }),
  );
}

const bits = 'is the same bits for a seed';
const states = 'shows states from -training';

const badAlgorithms: readonly (readonly [what: string, Changes, check: string, words: RegExp])[] = [
  [
    'proposes outside the space',
    (good) => ({ propose: (state, setup) => good.propose(state, setup).fill(3) }),
    bits,
    /^design 0 is outside the space: column 0 in -2\.\.2: it is 3\. SearchSpace/,
  ],
  [
    'proposes too few',
    (good) => ({ propose: (state, setup) => good.propose(state, setup).slice(3) }),
    bits,
    /^propose\(\) gave 15 numbers; expected a Float64Array of 6 designs \(options\.batchSize\) x 3 columns/,
  ],
  [
    'draws by Math.random',
    (good) => ({
      step: async (state, setup, n) => ({ ...(await good.step(state, setup, n)), luck: Math.random() }),
    }),
    bits,
    /^two runs with the same seed differ: luck is .* and .*\. All randomness has to come from the key/,
  ],
  [
    'looks at threads',
    (good) => ({
      step: async (state, setup, n) => ({
        ...(await good.step(state, setup, n)),
        threads: setup.engine.threads,
      }),
    }),
    bits,
    /^one and two threads of the engine give different states: threads is 1 and 2/,
  ],
  [
    'changes the data',
    (good) => ({
      init: async (setup, key) => {
        setup.data.y[2] = 0;
        return good.init(setup, key);
      },
    }),
    bits,
    /^the data or the space it was given were changed: data\.y\[2\] is -\S+ and 0\./,
  ],
  [
    'ignores the seed',
    (good) => ({ init: (setup) => good.init(setup, [1, 2]) }),
    'is another run for another seed',
    /^seeds 5 and 6 give the same on bowl/,
  ],
  [
    'changes the state it is given',
    (good) => ({
      step: async (state, setup, n) => {
        stateOf(state).designs[0]! += 1;
        return good.step(state, setup, n);
      },
    }),
    'leaves the state it is given as it is',
    /^step\(\) changed the state it was given: designs\[0\] is .*\. Make a new one/,
  ],
  [
    'stands still',
    () => ({ step: async (state) => state }),
    states,
    /^step\(state, setup, 6\) went from iteration 0 to 0; expected 6/,
  ],
  [
    'begins late',
    (good) => ({ init: async (setup, key) => ({ ...(await good.init(setup, key)), iteration: 1 }) }),
    states,
    /^init\(\) gave a state at iteration 1; expected 0/,
  ],
  [
    'has a function in its state',
    (good) => ({ init: async (setup, key) => ({ ...(await good.init(setup, key)), next: () => 1 }) }),
    'leaves the state',
    /^a state cannot be copied: .* Keep plain data in it/,
  ],
  [
    'watches what is no number',
    () => ({ watch: async ({ iteration }) => ({ iteration, loss: Number.NaN }) }),
    states,
    /^watch\(\) gave loss = NaN; expected finite numbers only/,
  ],
  [
    'keeps its stream outside of the state',
    (good) => {
      let calls = 0;
      return {
        init: (setup, key) => {
          calls = 0;
          return good.init(setup, key);
        },
        step: async (state, setup, n) => ({ ...(await good.step(state, setup, n)), calls: calls++ }),
      };
    },
    states,
    /^a run that goes on from its state at iteration \d ends otherwise than one that was never cut: calls is/,
  ],
  [
    'gives its own designs',
    () => ({ propose: (state) => stateOf(state).proposals }),
    'gives designs away',
    /^writing into the designs that propose\(\) gave changed what it gives next/,
  ],
  [
    'takes what is no number',
    (good) => ({
      init: (setup, key) =>
        good.init(
          { ...setup, data: { ...setup.data, y: setup.data.y.map((y) => (Number.isNaN(y) ? 0 : y)) } },
          key,
        ),
    }),
    'refuses a score that is no number',
    /^init\(\) took it; expected an error such as "y\[3\] is NaN"/,
  ],
  [
    'has defaults that are no JSON',
    (good) => ({ defaults: { ...good.defaults, size: Number.POSITIVE_INFINITY } }),
    'has an id of its own',
    /^defaults do not survive JSON: size is Infinity and null/,
  ],
  ['has an id with a comma', () => ({ id: 'a,b' }), 'has an id of its own', /^its id is "a,b"; expected/],
  ['has an id of ours', () => ({ id: 'nemo' }), 'has an id of its own', /^there is an algorithm "nemo"/],
  [
    'does not search',
    () => ({ length: () => ({ training: 0, search: 0.5 }) }),
    bits,
    /^length\(\) gave training 0 and search 0\.5; expected two whole numbers/,
  ],
  [
    'has a default that its declaration does not allow',
    (good) => ({ options: { ...good.options, size: { ...good.options.size!, default: -1 } as Option } }),
    'declares options',
    /^the default of size is -1, which its declaration does not allow/,
  ],
  [
    'has a preset with an option that it does not have',
    () => ({ presets: { odd: { help: 'odd', options: { sise: 1 } } } }),
    'declares options',
    /^preset "odd": jitter has no option "sise"; did you mean "size"\?/,
  ],
  [
    'takes values that it does not allow',
    (good) => ({ init: (setup, key) => good.init({ ...setup, options: good.defaults }, key) }),
    'refuses values',
    /^init\(\) with batchSize = NaN was taken; expected an error that names batchSize/,
  ],
  [
    'refuses a word that it allows',
    (good) => ({
      init: (setup, key) => {
        if (setup.options.startFrom === 'worst') throw new Error('not yet');
        return good.init(setup, key);
      },
    }),
    'accepts every word',
    /^init\(\) with startFrom = "worst" says "not yet"; its declaration allows it/,
  ],
];

describe('an algorithm that', () => {
  it.each(badAlgorithms)('%s is told so', async (_, changes, check, words) => {
    const context = { taken: ['nemo'], engines };
    expect(await verdict(algorithmChecks, check, { ...context, algorithm: jitter })).toBeNull();
    const bad = await verdict(algorithmChecks, check, {
      ...context,
      algorithm: { ...jitter, ...changes(jitter) },
    });
    expect(bad?.name).toBe('Nonconformity');
    expect(bad?.message).toMatch(words);
  });
});

type TaskChanges = (good: Task) => Partial<Task>;
const pure = 'scores the same designs the same';

const badTasks: readonly (readonly [what: string, TaskChanges, check: string, words: RegExp])[] = [
  [
    'scores by Math.random',
    (good) => ({ score: async (x) => (await good.score(x)).map((y) => y + Math.random()) }),
    pure,
    /^two calls of score\(\) with the same designs differ: \[0\] is /,
  ],
  [
    'scores by place',
    (good) => ({ score: async (x) => (await good.score(x)).map((y, i) => y + i) }),
    pure,
    /^the order of designs changes their scores: \[0\] is /,
  ],
  [
    'scores by company',
    (good) => ({ score: async (x) => (await good.score(x)).map((y) => y + x.length) }),
    pure,
    /^a design alone and among others differ in score/,
  ],
  [
    'writes into designs',
    (good) => ({ score: async (x) => good.score(x.fill(0.5)) }),
    pure,
    /^score\(\) changed the designs it was given/,
  ],
  [
    'has a row outside of the space',
    ({ data }) => ({ data: { ...data, x: data.x.with(7, 1.5) } }),
    'has visible rows that are feasible',
    /^visible row 1 is outside the space: column 2 in 0\.\.1: it is 1\.5/,
  ],
  [
    'has a row too many',
    ({ data }) => ({ data: { ...data, y: Float64Array.from([...data.y, 0]) } }),
    'has data of the shape',
    /^data\.x has 1000 numbers; expected 201 rows \(scores\) x 5 columns = 1005/,
  ],
  [
    'has a range upside down',
    () => ({ range: { worst: 1, best: 0 } }),
    'has data of the shape',
    /^range is worst 1, best 0; expected two finite numbers, worst below best/,
  ],
  [
    'shows more than its range',
    () => ({ range: { worst: -0.5, best: 0 } }),
    'has data of the shape',
    /^the visible score -\S+ of row \d+ is outside the range -0\.5 to 0/,
  ],
  [
    'shows other scores than the scorer gives',
    ({ data }) => ({ data: { ...data, y: data.y.with(0, -0.6) } }),
    'scores visible rows as they are',
    /^a visible row has -0\.6 in the data and /,
  ],
  [
    'forgets its range',
    () => ({ range: undefined as never }),
    'has data of the shape',
    /^open\(\) gave no range; expected \{ data, space, range, score \}/,
  ],
  [
    'scores what is no number',
    (good) => ({ score: async (x) => good.score(x.map((v) => (Number.isFinite(v) ? v : 0))) }),
    'refuses what is no design',
    /^score\(\) of designs with NaN gave scores; expected an error/,
  ],
  [
    'opens otherwise each time',
    ({ data }) => ({ data: { ...data, y: data.y.with(0, Math.random()) } }),
    'is the same bits when it is opened again',
    /^open\(\) gave something else the second time: data\.y\[0\] is /,
  ],
];

describe('a task that', () => {
  const contextOf = (definition: TaskDefinition) => ({
    definition,
    taken: ['tfbind8-exact-v1'],
    source: memorySource({}),
  });

  it.each(badTasks)('%s is told so', async (_, changes, check, words) => {
    expect(await verdict(taskChecks, check, contextOf(sphere))).toBeNull();
    const open: TaskDefinition['open'] = async (source) => {
      const good = await sphere.open(source);
      return { ...good, ...changes(good) };
    };
    const bad = await verdict(taskChecks, check, contextOf({ ...sphere, open }));
    expect(bad?.name).toBe('Nonconformity');
    expect(bad?.message).toMatch(words);
  });

  it.each([
    [{ id: 'sphere5' }, 'has an id', /^its id is "sphere5"; expected .* such as "my-task-v1"/],
    [{ id: 'tfbind8-exact-v1' }, 'has an id', /^there is a task "tfbind8-exact-v1" already/],
    [{ summary: ' ' }, 'says what it is', /^"summary" is " "; expected a text/],
    [{ datasets: ['mine'] }, 'needs datasets', /^"datasets" has mine; expected a list of some of /],
  ])('is described by %j is told so', async (changes, check, words) => {
    const bad = await verdict(taskChecks, check, contextOf({ ...sphere, ...changes }));
    expect(bad?.message).toMatch(words);
  });

  it('has labels of one kind is asked about that kind alone', async () => {
    const provenance = { ...sphere.provenance, labels: 'measured' as const };
    const measured = contextOf({ ...sphere, provenance });
    const [explains, asIs] = ['explains visible rows', 'scores visible rows as they are'];
    expect((await verdict(taskChecks, asIs!, measured))?.name).toBe(NotAsked.name);
    expect(await verdict(taskChecks, explains!, measured)).toBeNull();
    expect((await verdict(taskChecks, explains!, contextOf(sphere)))?.name).toBe(NotAsked.name);
  });
});

describe('the first difference', () => {
  const leaf = fc.oneof(fc.double(), fc.string({ maxLength: 3 }), fc.boolean(), fc.constant(null));
  const typed = fc.oneof(
    fc.array(fc.double(), { maxLength: 4 }).map((v) => Float64Array.from(v)),
    fc.array(fc.nat(9), { maxLength: 4 }).map((v) => Int8Array.from(v)),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      leaf,
      typed,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { noNullPrototype: true }),
    ),
  }));

  it('is none exactly where Node finds two values deeply equal', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(firstDifference(a, structuredClone(a))).toBeNull();
        expect(firstDifference(a, b) === null).toBe(isDeepStrictEqual(a, b));
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it.each([
    [{ a: [1, 2] }, { a: [1, 3] }, 'a[1] is 2 and 3'],
    [new Float64Array([0]), new Float64Array([-0]), '[0] is 0 and -0'],
    [new Float64Array(2), new Float32Array(2), 'it is Float64Array and Float32Array'],
    [{ a: { b: 'x' } }, { a: {} }, 'a.b is "x" and nothing'],
    [new Map([['k', 1]]), new Map([['k', 2]]), '[0][1] is 1 and 2'],
    [new ArrayBuffer(2), new ArrayBuffer(3), 'it has length 2 and 3'],
  ])('of %o and %o is named', (a, b, words) => {
    expect(firstDifference(a, b)).toBe(words);
  });
});
