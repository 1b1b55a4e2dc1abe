/** Checks of declared options: what a declaration does not allow is refused before anything is computed. */
import type { AnyAlgorithm } from '../bench/registry.js';
import { rootKey } from '../numeric/key.js';
import type { Option } from '../options/option.js';
import { isAllowed, optionFaults, wordsOf } from '../options/requireOptions.js';
import { type AlgorithmCheck, type AlgorithmContext, notOfPrograms, setupOf } from './algorithmContext.js';
import { demand, messageOf, NotAsked } from './check.js';
import { plainProblems } from './problems.js';

/** The declared options; an algorithm that only has defaults is not asked for more than their kinds. */
function declaredBy({ options }: AnyAlgorithm): [name: string, option: Option][] {
  const declared = Object.entries(options).filter(([, { kind }]) => kind !== 'loose');
  if (declared.length === 0) throw new NotAsked('it declares no options, only defaults');
  return declared;
}

/** Values that the declaration does not allow: wrong kinds, beyond the range, fractions, unknown words, wrong case. */
export function wrongValues(option: Option): unknown[] {
  const words = wordsOf(option);
  const candidates = [
    ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, 0, 0.5, 1.5, 1e300],
    ...[null, true, 1, 'no such word', '', '5', [], [0], [1.5], [2, 1], [Number.NaN, 1], {}],
    ...words.flatMap((word) => [word.toUpperCase(), word[0]!.toUpperCase() + word.slice(1), `${word} `]),
    ...(option.kind === 'number' ? beyondRange(option) : []),
  ];
  return candidates.filter((value) => !isAllowed(option, value));
}

function beyondRange({ least, above, most, below }: Extract<Option, { kind: 'number' }>): number[] {
  return [
    ...(least === undefined ? [] : [least - 1, least - 1e-9]),
    ...(above === undefined ? [] : [above, above - 1]),
    ...(most === undefined ? [] : [most + 1, most + 1e-9]),
    ...(below === undefined ? [] : [below, below + 1]),
  ];
}

/** Every word, null where it means something, both values of a flag, and the ends of a range. */
export function goodValues(option: Option): unknown[] {
  const ends = option.kind === 'number' ? [option.least, option.most].filter((end) => end !== undefined) : [];
  const candidates = [option.default, ...wordsOf(option), ...ends, null, true, false];
  return candidates.filter((value) => isAllowed(option, value));
}

async function initWith(context: AlgorithmContext, name: string, value: unknown): Promise<Error | null> {
  const setup = setupOf(context, plainProblems.bowl, { options: { [name]: value } });
  try {
    await context.algorithm.init(setup, rootKey(1));
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const shown = (value: unknown) =>
  typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));

export const optionChecks: readonly AlgorithmCheck[] = [
  {
    name: 'declares options that allow their own defaults, and presets of these options',
    level: 'must',
    async check({ algorithm }) {
      for (const [name, option] of declaredBy(algorithm)) {
        demand(option.help.trim() !== '', () => `${name} has no help; say in one line what it is.`);
        demand(
          isAllowed(option, option.default),
          () => `the default of ${name} is ${shown(option.default)}, which its declaration does not allow.`,
        );
      }
      for (const [preset, { options = {}, byTask = {} }] of Object.entries(algorithm.presets))
        for (const given of [options, ...Object.values(byTask)]) {
          const [fault] = optionFaults(algorithm.id, algorithm.options, given);
          demand(fault === undefined, () => `preset "${preset}": ${fault?.message}.`);
        }
    },
  },
  {
    name: 'refuses values that an option does not allow, and names that it does not have',
    level: 'must',
    async check(context) {
      notOfPrograms(context, 'nemokit checks their options');
      for (const [name, option] of declaredBy(context.algorithm))
        for (const value of wrongValues(option)) {
          const refusal = await initWith(context, name, value);
          demand(
            refusal?.message.includes(name) === true,
            () =>
              `init() with ${name} = ${shown(value)} ${refusal ? `says "${refusal.message}"` : 'was taken'}; expected an error that names ${name}.`,
          );
        }
      const refusal = await initWith(context, 'noSuchOption', 1);
      demand(
        refusal?.message.includes('noSuchOption') === true,
        () => `init() with an option "noSuchOption" was taken; expected an error that names it.`,
      );
    },
  },
  {
    name: 'accepts every word of its options and the ends of their ranges',
    level: 'must',
    async check(context) {
      notOfPrograms(context, 'nemokit checks their options');
      for (const [name, option] of declaredBy(context.algorithm))
        for (const value of goodValues(option)) {
          const refusal = await initWith(context, name, value);
          demand(
            refusal === null,
            () =>
              `init() with ${name} = ${shown(value)} says "${messageOf(refusal)}"; its declaration allows it.`,
          );
        }
    },
  },
];
