/** What every algorithm guarantees, one check each. docs/plugins.md describes them for authors of plug-ins. */
import { deserialize, serialize } from 'node:v8';
import type { AlgorithmState } from '../algorithm.js';
import { rootKey } from '../numeric/key.js';
import { extent } from '../numeric/stats.js';
import { run, states } from '../run.js';
import {
  type AlgorithmCheck,
  type AlgorithmContext,
  copyOf,
  designsOf,
  notOfPrograms,
  paced,
  plainData,
  setupOf,
  watchedOf,
  wholeRun,
} from './algorithmContext.js';
import { demand, firstDifference, Nonconformity, NotAsked } from './check.js';
import { optionChecks } from './optionChecks.js';
import { oddProblems, plainProblems, quadratic } from './problems.js';
import { refusalChecks } from './refusalChecks.js';
import { suiteOptions } from './suiteOptions.js';

type PlainName = keyof typeof plainProblems;
const { bowl, blend } = plainProblems;

const firstSeed = 5;

interface FirstRun {
  readonly state: AlgorithmState;
  readonly setup: ReturnType<typeof setupOf>;
}

/** Whole runs of the first seed on one thread, shared by several checks. */
const firstRuns = new WeakMap<AlgorithmContext, Map<PlainName, Promise<FirstRun>>>();

function firstRun(context: AlgorithmContext, name: PlainName): Promise<FirstRun> {
  const ofContext = firstRuns.get(context) ?? new Map<PlainName, Promise<FirstRun>>();
  firstRuns.set(context, ofContext);
  const setup = setupOf(context, plainProblems[name]);
  const made = ofContext.get(name) ?? wholeRun(context, setup, firstSeed).then((state) => ({ state, setup }));
  ofContext.set(name, made);
  return made;
}

const identity: AlgorithmCheck[] = [
  {
    name: 'has an id of its own and plain defaults',
    level: 'must',
    async check({ algorithm: { id, defaults }, taken }) {
      demand(
        /^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/i.test(id),
        () =>
          `its id is "${id}"; expected letters, digits and single hyphens, such as "my-search": commands put commas and @ around it.`,
      );
      demand(!taken.includes(id), () => `there is an algorithm "${id}" already; give yours another id.`);
      const kept = JSON.parse(JSON.stringify(defaults));
      const difference = firstDifference(defaults, kept);
      demand(
        difference === null,
        () =>
          `defaults do not survive JSON: ${difference}. Records keep options as JSON; use numbers, texts, booleans, null and lists.`,
      );
      const { batchSize } = defaults;
      demand(
        Number.isSafeInteger(batchSize) && (batchSize as number) > 0,
        () => `defaults.batchSize is ${batchSize}; expected how many designs it proposes, usually 128.`,
      );
    },
  },
  {
    name: 'proposes 128 designs by default',
    level: 'should',
    async check({ algorithm: { defaults } }) {
      demand(
        defaults.batchSize === 128,
        () =>
          `defaults.batchSize is ${defaults.batchSize}; the protocol scores 128 designs, and a best of fewer or more is not comparable.`,
      );
    },
  },
];

const repeatable: AlgorithmCheck[] = (Object.keys(plainProblems) as PlainName[]).map((name) => ({
  name: `is the same bits for a seed on 1 and 2 threads, and designs of the space: ${name}`,
  level: 'must',
  async check(context) {
    const { data, space } = plainProblems[name];
    const spaceBefore = structuredClone(space);
    const { state: first, setup } = await firstRun(context, name);
    const again = setupOf(context, plainProblems[name], { threads: 2 });
    const second = await wholeRun(context, again, firstSeed);
    const difference = firstDifference(first, second);
    if (difference !== null) {
      const third = await wholeRun(context, setupOf(context, plainProblems[name]), firstSeed);
      const isThreads = firstDifference(first, third) === null;
      throw new Nonconformity(
        isThreads
          ? `one and two threads of the engine give different states: ${difference}. Threads may never change a result.`
          : `two runs with the same seed differ: ${difference}. All randomness has to come from the key (new Stream(key)), none from Math.random, the clock or what an earlier run left behind.`,
      );
    }
    const other = firstDifference(designsOf(context, first, setup), designsOf(context, second, again));
    demand(other === null, () => `propose() gives different designs for the same state: ${other}.`);
    const changed =
      firstDifference({ data, space: spaceBefore }, { data: setup.data, space }) ??
      firstDifference({ data }, { data: again.data });
    demand(
      changed === null,
      () => `the data or the space it was given were changed: ${changed}. Work on a copy (data.x.slice()).`,
    );
  },
}));

const seeded: AlgorithmCheck = {
  name: 'is another run for another seed',
  level: 'should',
  async check(context) {
    for (const name of Object.keys(plainProblems) as PlainName[]) {
      const known = await firstRun(context, name).catch((error: unknown) => {
        if (error instanceof NotAsked) return null;
        throw error;
      });
      if (!known) continue;
      const { state: first, setup } = known;
      const other = await wholeRun(context, setup, firstSeed + 1);
      const isSame =
        firstDifference(first, other) === null ||
        (name === 'bowl' &&
          firstDifference(designsOf(context, first, setup), designsOf(context, other, setup)) === null);
      demand(
        !isSame,
        () =>
          `seeds ${firstSeed} and ${firstSeed + 1} give the same on ${name}; expected other designs. If it draws nothing at random, one seed is enough for it in a benchmark.`,
      );
    }
  },
};

const kept: AlgorithmCheck = {
  name: 'leaves the state it is given as it is',
  level: 'must',
  async check(context) {
    notOfPrograms(context, 'nemokit keeps their states');
    const algorithm = paced(context.algorithm);
    const setup = setupOf(context, bowl);
    const { training, search } = algorithm.length(setup);
    let state = await algorithm.init(setup, rootKey(1));
    for (const steps of [Math.min(1, training + search), Math.max(0, training + search - 1)]) {
      const copy = copyOf(state);
      const next = await algorithm.step(state, setup, steps);
      const changed = firstDifference(copy, state);
      demand(
        changed === null,
        () => `step() changed the state it was given: ${changed}. Make a new one, with copies of its arrays.`,
      );
      state = next;
    }
  },
};

const stepwise: AlgorithmCheck = {
  name: 'shows states from -training to the end, numbers worth plotting, and goes on from any of them',
  level: 'must',
  async check(context) {
    notOfPrograms(context, 'nemokit keeps their states');
    const algorithm = paced(context.algorithm);
    const setup = setupOf(context, blend);
    const again = setupOf(context, blend, { threads: 2 });
    const { training, search } = algorithm.length(setup);
    const alone = await run(algorithm, setup, rootKey(3));
    const seen: number[] = [];
    for await (const state of states(algorithm, setup, rootKey(3), { every: 5 })) {
      const copy = copyOf(state);
      await watchedOf(context, state, setup);
      designsOf(context, state, setup);
      const changed = firstDifference(copy, state);
      demand(
        changed === null,
        () => `watch() or propose() changed the state at iteration ${copy.iteration}: ${changed}.`,
      );
      seen.push(state.iteration);
      const read = deserialize(serialize(state)) as AlgorithmState;
      const lost = firstDifference(state, read);
      demand(lost === null, () => `a state does not survive being saved: ${lost}. ${plainData}`);
      const resumed = firstDifference(alone, await run(algorithm, again, rootKey(99), { from: read }));
      demand(
        resumed === null,
        () =>
          `a run that goes on from its state at iteration ${state.iteration} ends otherwise than one that was never cut: ${resumed}. Everything it needs has to be in the state, the stream of random numbers included.`,
      );
    }
    demand(
      alone.iteration === search && seen[0] === 0 - training && seen.includes(0) && seen.at(-1) === search,
      () =>
        `its states were at ${seen.join(', ')}; expected the first at ${0 - training}, one at 0 and the last at ${search}.`,
    );
  },
};

const givenAway: AlgorithmCheck = {
  name: 'gives designs away, not its own',
  level: 'must',
  async check(context) {
    notOfPrograms(context, 'nemokit keeps their designs');
    const setup = setupOf(context, bowl);
    const state = await wholeRun(context, setup, 1);
    const x = designsOf(context, state, setup);
    const copy = x.slice();
    x.fill(Number.NaN);
    const changed = firstDifference(copy, context.algorithm.propose(state, setup));
    demand(
      changed === null,
      () =>
        `writing into the designs that propose() gave changed what it gives next: ${changed}. Give a copy (slice()).`,
    );
  },
};

const abortable: AlgorithmCheck = {
  name: 'can be aborted between two states',
  level: 'must',
  async check(context) {
    notOfPrograms(context, 'they take one step');
    const algorithm = paced(context.algorithm);
    const setup = setupOf(context, bowl);
    const { training, search } = algorithm.length(setup);
    const most = Math.min(3, training + search);
    if (most === 0) throw new NotAsked('its run has no steps');
    const controller = new AbortController();
    const enough = new Error('enough');
    const seen: number[] = [];
    try {
      for await (const state of states(algorithm, setup, rootKey(1), {
        every: 1,
        signal: controller.signal,
      })) {
        seen.push(state.iteration);
        if (seen.length === most) controller.abort(enough);
      }
    } catch (error) {
      if (error !== enough) throw error;
    }
    demand(
      controller.signal.aborted && seen.length === most,
      () => `it was stopped after ${most} states and showed ${seen.length}.`,
    );
  },
};

const learning: AlgorithmCheck = {
  name: 'beats the best visible design on a quadratic',
  level: 'should',
  async check(context) {
    const { data, space, score } = quadratic();
    const options = suiteOptions(context.algorithm, 'enough');
    const setup = { data, space, engine: context.engines[1], options };
    const state = await wholeRun(context, setup, 2);
    const { max: best } = extent(score(designsOf(context, state, setup)));
    const { max: visible } = extent(data.y);
    demand(
      best > visible,
      () =>
        `its best of ${options.batchSize} designs truly scores ${best.toPrecision(4)}, the best visible one ${visible.toPrecision(4)}; expected more on 5 - |x - 0.3|^2 in four columns, which is easy to learn.`,
    );
  },
};

const sane: AlgorithmCheck[] = Object.entries(oddProblems).map(([name, problem]) => ({
  name: `stays sane on ${name}`,
  level: 'must',
  async check(context) {
    const setup = setupOf(context, problem);
    const state = await wholeRun(context, setup, 4);
    designsOf(context, state, setup);
    await watchedOf(context, state, setup);
  },
}));

export const algorithmChecks: readonly AlgorithmCheck[] = [
  ...identity,
  ...repeatable,
  seeded,
  kept,
  stepwise,
  givenAway,
  abortable,
  ...sane,
  ...refusalChecks,
  ...optionChecks,
  learning,
];
