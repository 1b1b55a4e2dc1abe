import { describe, expect, it } from 'vitest';
import { presetOptions } from '../../src/algorithm.js';
import { type NemoOptions, nemo } from '../../src/algorithms/nemo.js';
import { offlineProblem } from '../../src/conformance/problems.js';
import * as models from '../../src/models/index.js';
import * as numeric from '../../src/numeric/index.js';
import { run } from '../../src/run.js';
import { plainAscent } from '../../studies/plainAscent.mjs';

const { median, openEngine, rootKey } = numeric;
// the same ascent runs on the package in studies/ and on the sources here
const api = { numeric, models } as never;

/** Minus the Rosenbrock function over 1000; its greatest value, 0, is at (1, ..., 1). */
function rosenbrock(x: Float64Array): number {
  let sum = 0;
  for (let i = 0; i + 1 < x.length; i++) sum += 100 * (x[i + 1]! - x[i]! ** 2) ** 2 + (1 - x[i]!) ** 2;
  return -sum / 1000;
}

describe('Rosenbrock in 12 dimensions with the best 20 % hidden, 8 paired seeds', () => {
  it("NEMO's median design truly beats plain ascent's and No NML's, and the best visible one", async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 2 });
    // a third of the usual pretraining, for speed: the worse the networks, the more there is to be told
    const options: NemoOptions = {
      ...presetOptions(nemo, 'lockstep'),
      bins: 12,
      batchSize: 64,
      pretrainSteps: 600,
      pretrainRate: 3e-3,
      modelRate: 3e-4,
      steps: 100,
    };
    const scores: Record<'nemo' | 'noNml' | 'plain' | 'visible', number[]> = {
      nemo: [],
      noNml: [],
      plain: [],
      visible: [],
    };
    for (let seed = 0; seed < 8; seed++) {
      const { data, space, score } = offlineProblem(12, 3000, 0.2, rosenbrock, 100 + seed);
      const setup = { data, space, engine, options };
      const key = rootKey(seed);
      const from = await run(nemo, setup, key, { until: 0 });
      // the same pretrained networks go on without being told anything
      const without = { ...setup, options: { ...options, modelRate: 0 } };
      const climbed = await run(nemo, setup, key, { from });
      const misled = await run(nemo, without, key, { from });
      scores.nemo.push(median(score(nemo.propose(climbed, setup))));
      scores.noNml.push(median(score(nemo.propose(misled, without))));
      scores.plain.push(median(score(await plainAscent(api, setup as never, key))));
      scores.visible.push(Math.max(...data.y));
    }
    const wins = (over: number[]) => scores.nemo.filter((v, i) => v > over[i]!).length;
    expect([wins(scores.visible), wins(scores.plain), wins(scores.noNml)]).toEqual([8, 8, 8]);
    // the optimum is 0, the best visible score -3.0
    expect(median(scores.nemo)).toBeGreaterThan(-0.25);
    expect(median(scores.noNml)).toBeLessThan(-0.35);
    expect(median(scores.plain)).toBeLessThan(-0.6);
  });
});
