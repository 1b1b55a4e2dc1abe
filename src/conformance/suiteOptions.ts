/** Options with which the suite runs an algorithm: its defaults, made short where it has options of these names. */
import type { AnyAlgorithm, Options } from '../bench/registry.js';

/** Enough to see what is computed. */
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
  listLength: 16,
  buckets: 8,
};

/** Enough for an easy quadratic. */
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
  listLength: 64,
  buckets: 32,
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
const byAlgorithm: Readonly<Record<string, { readonly short?: Options; readonly enough?: Options }>> = {
  cbas: sampling,
  autofocus: sampling,
  // Adam moves its distribution by at most the rate a step
  reinforce: { short: { samples: 40 }, enough: { samples: 200, designRate: 0.03 } },
  // a step of a Gaussian process is one of all its rows
  'gp-bo': { enough: { trainSteps: 40, trainRate: 0.1 } },
  'gp-ascent': { enough: { trainSteps: 40, trainRate: 0.1 } },
  root: {
    short: { functions: 3, pairs: 20, climbSteps: 4 },
    enough: { functions: 2, pairs: 64, climbSteps: 30, trainRate: 3e-3 },
  },
  // a generator is trained by every fifth minibatch only
  mins: { enough: { trainSteps: 2000, trainRate: 1e-3 } },
};

export function suiteOptions({ id, defaults }: AnyAlgorithm, kind: 'short' | 'enough'): Options {
  const wanted = { ...(kind === 'short' ? short : enough), ...byAlgorithm[id]?.[kind] };
  // An option of the same name that is of another kind is another option; `auto` stands for a number.
  const known = Object.entries(wanted).filter(
    ([name, value]) =>
      Object.hasOwn(defaults, name) &&
      (typeof defaults[name] === typeof value || (defaults[name] === 'auto' && typeof value === 'number')) &&
      Array.isArray(defaults[name]) === Array.isArray(value),
  );
  return { ...defaults, ...Object.fromEntries(known) };
}
