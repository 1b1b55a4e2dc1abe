// Wrong options are refused before anything is computed. Every option of every algorithm: conformance.test.ts.
import { expect, it } from 'vitest';
import { nemo } from '../../src/algorithms/index.js';
import { bowlOf } from '../../src/conformance/problems.js';
import { ArgumentError, openEngine, rootKey } from '../../src/numeric/index.js';
import { run } from '../../src/run.js';

it.each([
  [{ startFrom: 'Best' }, `nemo: startFrom is "Best"; expected 'best' or 'worst'; did you mean 'best'?`],
  [{ head: 'softmax' }, `nemo: head is "softmax"; expected 'logistic' or 'categorical'`],
  [{ objective: 'NML' }, `nemo: objective is "NML"; expected 'mu' or 'nml'; did you mean 'nml'?`],
  [{ steps: 1.5 }, 'nemo: steps is 1.5; expected a positive integer'],
  [{ headroom: Number.NaN }, 'nemo: headroom is NaN; expected a number >= 0'],
  [{ modelRate: Number.POSITIVE_INFINITY }, 'nemo: modelRate is Infinity; expected a number >= 0'],
  [{ stpes: 3 }, 'nemo has no option "stpes"; did you mean "steps"?'],
  [{ hidden: 64 }, 'nemo: hidden is 64; expected a list of positive integers'],
])('run refuses %j', async (change, message) => {
  await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
  const { data, space } = bowlOf(30);
  const options = { ...nemo.defaults, batchSize: 4, pretrainSteps: 2, ...change } as typeof nemo.defaults;
  const setup = { data, space, engine, options };
  await expect(run(nemo, setup, rootKey(1))).rejects.toThrow(message);
  await expect(nemo.init(setup, rootKey(1))).rejects.toThrow(
    new ArgumentError(Object.keys(change)[0]!, message),
  );
});
