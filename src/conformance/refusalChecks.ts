/** Checks of what an algorithm says of input that is none. */
import { nemo } from '../algorithms/nemo.js';
import type { AnyAlgorithm, Options } from '../bench/registry.js';
import { rootKey } from '../numeric/key.js';
import { type AlgorithmCheck, type AlgorithmContext, notOfPrograms, setupOf } from './algorithmContext.js';
import { demand, firstDifference, NotAsked } from './check.js';
import { badInputs, plainProblems } from './problems.js';

/** Options that others may call the same and mean otherwise. */
const asksOptions = (options: Options = {}) => Object.keys(options).some((name) => name !== 'batchSize');

interface Refusal {
  readonly name: string;
  readonly message: string;
}

/** What `init` says of bad input; null if it takes it, or has no such option. */
async function refusalOf(context: AlgorithmContext, bad: string): Promise<Refusal | null | 'no such option'> {
  const { algorithm } = context;
  const { problem, options = {} } = badInputs[bad]!;
  if (!Object.keys(options).every((name) => Object.hasOwn(algorithm.defaults, name))) return 'no such option';
  return refusalBy(algorithm, () => algorithm.init(setupOf(context, problem, { options }), rootKey(1)));
}

/** Without the name of the algorithm, so that refusals of several can be compared. */
async function refusalBy({ id }: AnyAlgorithm, call: () => Promise<unknown>): Promise<Refusal | null> {
  try {
    await call();
    return null;
  } catch (error) {
    if (error instanceof Error) return { name: error.name, message: error.message.replace(`${id}: `, '') };
    return { name: typeof error, message: String(error) };
  }
}

const refusing: AlgorithmCheck[] = Object.entries(badInputs).map(([bad, { options, says }]) => ({
  name: `refuses ${bad}`,
  level: asksOptions(options) ? 'should' : 'must',
  async check(context) {
    notOfPrograms(context, 'nemokit reads their input');
    const refusal = await refusalOf(context, bad);
    if (refusal === 'no such option') throw new NotAsked('it has no such option');
    demand(
      refusal !== null,
      () =>
        `init() took it; expected an error such as "${says}". ${options ? 'Look at options first.' : 'SearchSpace of nemokit/research and its prepare() refuse it.'}`,
    );
    demand(
      refusal.message !== '',
      () => `init() threw ${refusal.name} without a message; expected words such as "${says}".`,
    );
  },
}));

/** What `step` says of half a step; null if it takes it. */
async function halfStepOf(context: AlgorithmContext): Promise<Refusal | null> {
  const { algorithm } = context;
  const setup = setupOf(context, plainProblems.bowl);
  const start = await algorithm.init(setup, rootKey(1));
  return refusalBy(algorithm, () => algorithm.step(start, setup, 0.5));
}

const halfStepWords = 'iterations is 0.5; expected a whole number >= 0';

const halfStep: AlgorithmCheck = {
  name: 'refuses half an iteration',
  level: 'must',
  async check(context) {
    notOfPrograms(context, 'nemokit counts their steps');
    const refusal = await halfStepOf(context);
    demand(
      refusal !== null && refusal.message !== '',
      () => `step(state, setup, 0.5) was taken; expected an error such as "${halfStepWords}".`,
    );
  },
};

const sameWords: AlgorithmCheck = {
  name: 'refuses bad input in the same words as all',
  level: 'should',
  async check(context) {
    notOfPrograms(context, 'nemokit reads their input');
    const standard = { ...context, algorithm: nemo as unknown as AnyAlgorithm };
    const compare = (what: string, given: Refusal | null, usual: Refusal | null, says: string) =>
      demand(
        (given?.message.includes(says) ?? false) && firstDifference(given, usual) === null,
        () => `of ${what} it says ${quoted(given)}; nemokit's own say ${quoted(usual)}.`,
      );
    for (const [bad, { says }] of Object.entries(badInputs)) {
      const refusal = await refusalOf(context, bad);
      if (refusal !== 'no such option')
        compare(bad, refusal, (await refusalOf(standard, bad)) as Refusal | null, says);
    }
    compare('half an iteration', await halfStepOf(context), await halfStepOf(standard), halfStepWords);
  },
};

function quoted(refusal: Refusal | null): string {
  return refusal ? `"${refusal.message}" (${refusal.name})` : 'nothing';
}

export const refusalChecks: readonly AlgorithmCheck[] = [...refusing, halfStep, sameWords];
