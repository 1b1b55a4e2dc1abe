import { describe, expect, it } from 'vitest';
import { kernelShape } from '../../src/models/gpKernel.js';
import { endsOn, variedTheta } from '../../src/models/processEnds.js';
import { ProcessFit } from '../../src/models/processFit.js';
import { openEngine, rootKey, Stream } from '../../src/numeric/index.js';
import { SearchSpace } from '../../src/search/searchSpace.js';
import type { Dataset, Space } from '../../src/space/space.js';

/** Two rows at -1 and 1, standardised as they are, with scores that become -1 and 1. */
const data: Dataset = { x: Float64Array.of(-1, 1), y: Float64Array.of(10, 14) };
const space: Space = { columns: [{ kind: 'continuous', lower: -9, upper: 9 }] };

describe('ends on a process', () => {
  it('are the bottom and the top of its mean', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const search = new SearchSpace(data, space, { box: null });
    await search.prepare();
    const plain = { rows: 9, fitRows: 1, ard: false, trainSteps: 0, trainRate: 0 };
    const fit = new ProcessFit(engine.kernel, search, plain);
    const theta = variedTheta(
      fit.shape,
      { lengthscale: 0.8, noise: 0.04, jitter: 0 },
      new Stream(rootKey(1)),
    );
    expect(theta).toBeAllClose([0, Math.log(0.8), Math.log(0.04)], { rtol: 1e-12, atol: 1e-15 });
    const { gp } = await fit.posterior(theta, rootKey(2));
    const { low, high, lowScores, highScores } = endsOn(gp, search, Float64Array.of(0.9, -0.8), {
      climbSteps: 400,
      climbRate: 0.02,
    });
    // mu(x) = (k(x, 1) - k(x, -1)) / (1.04 - k(1, -1)): odd, so bottom and top lie opposite
    const k = (a: number, b: number) => Math.exp(-0.5 * ((a - b) / 0.8) ** 2);
    const mu = (x: number) => (k(x, 1) - k(x, -1)) / (1.04 - k(1, -1));
    let top = 1;
    for (let x = 0.5; x < 2; x += 1e-4) if (mu(x) > mu(top)) top = x;
    expect([...high, ...low]).toBeAllClose([top, top, -top, -top], { rtol: 0, atol: 1e-3 });
    expect([...highScores, ...lowScores]).toBeAllClose([mu(top), mu(top), -mu(top), -mu(top)], {
      rtol: 0,
      atol: 1e-6,
    });
  });

  it('come from processes that differ', () => {
    const { encoding } = new SearchSpace(data, space, { box: null });
    const shape = kernelShape(encoding, false);
    const drawn = Array.from({ length: 200 }, (_, i) =>
      variedTheta(shape, { lengthscale: 'auto', noise: 0.01, jitter: 0.25 }, new Stream(rootKey(i))),
    );
    for (const place of [0, 1]) {
      const factors = drawn.map((theta) => Math.exp(theta[place]!)); // sqrt(d) is 1
      expect(Math.min(...factors)).toBeGreaterThanOrEqual(0.75);
      expect(Math.min(...factors)).toBeLessThan(0.78);
      expect(Math.max(...factors)).toBeLessThanOrEqual(1.25);
      expect(Math.max(...factors)).toBeGreaterThan(1.22);
    }
  });
});
