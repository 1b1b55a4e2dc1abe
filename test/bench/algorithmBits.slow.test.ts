// The version of an algorithm changes when its bits can: a small run of each has to give the designs that are on record for
// its version. If this fails and the change is meant, raise `version` of the algorithm to the next version of nemokit, run
// UPDATE_BITS=1 npx vitest run test/bench/algorithmBits.slow.test.ts, and say so in the changelog.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtIn } from '../../src/bench/registry.js';
import { suiteOptions } from '../../src/conformance/suiteOptions.js';
import { type Engine, openEngine, rootKey } from '../../src/numeric/index.js';
import { run } from '../../src/run.js';
import { taskOf } from '../../src/tasks/index.js';
import { memorySource } from '../tasks/sources.js';

const file = new URL('algorithmBits.json', import.meta.url);
type Bits = Record<string, { readonly version: string; readonly designs: string }>;
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Bits;
const found: Bits = {};

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine({ kernel: 'wasm', threads: 1 });
});
afterAll(async () => {
  await engine.close();
  if (process.env.UPDATE_BITS === '1') writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`);
});

it.each([...builtIn.algorithms.keys()])('%s has the bits of its version', async (id) => {
  const algorithm = builtIn.algorithmOf(id);
  const hash = createHash('sha256');
  for (const task of ['hartmann6-v1', 'ehrlich-like-v1']) {
    const { data, space } = await taskOf(task).open(memorySource({}));
    const d = space.columns.length;
    // every tenth row is enough
    const rows = Array.from(data.y.keys()).filter((i) => i % 10 === 0);
    const small = {
      x: Float64Array.from(rows.flatMap((i) => [...data.x.subarray(i * d, (i + 1) * d)])),
      y: Float64Array.from(rows, (i) => data.y[i]!),
    };
    const setup = { data: small, space, options: suiteOptions(algorithm, 'short'), engine };
    const state = await run(algorithm, setup, rootKey(0));
    hash.update(new Uint8Array(algorithm.propose(state, setup).buffer));
  }
  const { version } = algorithm;
  found[id] = { version, designs: hash.digest('hex').slice(0, 16) };
  if (process.env.UPDATE_BITS === '1') return;
  // a new algorithm has a first version, without a record yet
  if (recorded[id] === undefined)
    throw new Error(`${id} is new: UPDATE_BITS=1 npx vitest run test/bench/algorithmBits.slow.test.ts`);
  expect(found[id]).toEqual(recorded[id]);
});
