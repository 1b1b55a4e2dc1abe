// What every algorithm of the registry promises: the suite of `nemokit bench conform`, of which ours keep every "should"
// as well. A new one is picked up by itself; options that make its runs short may need a line in suiteOptions.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { algorithms } from '../../src/algorithms/index.js';
import type { AnyAlgorithm } from '../../src/bench/registry.js';
import { algorithmChecks } from '../../src/conformance/algorithmChecks.js';
import type { AlgorithmContext } from '../../src/conformance/algorithmContext.js';
import { NotAsked } from '../../src/conformance/check.js';
import { openEngine } from '../../src/numeric/index.js';

/** Options that not every algorithm has. */
const optional = ['refuses two steps and a half', 'refuses a layer of no width', 'refuses a box of 0.7'];

describe.each(Object.entries(algorithms))('%s', (id, typed) => {
  const algorithm = typed as unknown as AnyAlgorithm;
  let context: AlgorithmContext;
  beforeAll(async () => {
    context = {
      algorithm,
      taken: Object.keys(algorithms).filter((other) => other !== id),
      engines: [
        await openEngine({ kernel: 'wasm', threads: 1 }),
        await openEngine({ kernel: 'wasm', threads: 2 }),
      ],
    };
  });
  afterAll(async () => {
    for (const engine of context.engines) await engine.close();
  });

  it('is asked for by its id', () => {
    expect(algorithm.id).toBe(id);
  });

  it.each(algorithmChecks.map(({ name, check }) => [name, check] as const))('%s', async (name, check) => {
    await check(context).catch((error: unknown) => {
      const isOption = error instanceof NotAsked && error.message === 'it has no such option';
      if (!isOption || !optional.includes(name)) throw error;
    });
  });
});
