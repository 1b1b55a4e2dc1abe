import { describe, expect, it } from 'vitest';
import { BrownianBridge, bridgeBack, type Ends } from '../../src/models/brownianBridge.js';
import { mean, openEngine, rootKey, Stream, variance } from '../../src/numeric/index.js';

describe('a step back over a bridge', () => {
  it('has the mean and the variance of a Brownian bridge at every time', () => {
    const n = 20_000;
    const stream = new Stream(rootKey(1));
    const ends = new Float64Array(n).fill(3); // x_0 = 3, x_1 = -1
    let x: Float64Array = new Float64Array(n).fill(-1);
    let t = 1;
    for (const s of [0.8, 0.5, 0.2]) {
      x = bridgeBack(x, ends, t, s, stream);
      t = s;
      const spread = 2 * s * (1 - s);
      // five standard errors
      expect(Math.abs(mean(x) - (3 - 4 * s))).toBeLessThan(5 * Math.sqrt(spread / n));
      expect(Math.abs(variance(x) - spread)).toBeLessThan(5 * spread * Math.sqrt(2 / n));
    }
    expect(bridgeBack(x, ends, t, 0, stream)).toEqual(ends);
  });
});

describe('a network of bridges', () => {
  const P = 2;
  const goal = [0.7, -1.2];
  const n = 50;
  const low = new Float64Array(n * P);
  new Stream(rootKey(4)).fillNormal(low, 0, 1);
  /** All bridges lead to one point: x_t - x_0 is linear in x_t. */
  const ends: Ends = {
    low,
    high: Float64Array.from({ length: n * P }, (_, i) => goal[i % P]!),
    lowScores: new Float64Array(n).fill(-1),
    highScores: new Float64Array(n).fill(1),
  };

  it('knows where they lead', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const bridge = new BrownianBridge(engine, {
      columns: P,
      hidden: [],
      activation: 'softplus',
      minibatch: 64,
      trainRate: 0.01,
      averageRate: 0.05,
      drop: 0.2,
    });
    bridge.initialize(rootKey(5));
    const stream = new Stream(rootKey(6));
    for (let step = 0; step < 600; step++) await bridge.train(ends, stream);
    const scores = { lowScores: Float64Array.of(-1, -1), highScores: Float64Array.of(1, 1) };
    const at = Float64Array.of(0, 0, 2, -1);
    const found = await bridge.endsOf(at, 0.6, scores, 0);
    // absolute error at Adam's rate of 0.01: it goes to and fro by about that
    expect(found).toBeAllClose([...goal, ...goal], { rtol: 0, atol: 0.05 });
    expect(await bridge.dataLoss(ends)).toBeLessThan(0.05);

    // (1 + w) told - w untold; w = -1 is untold alone
    const untold = await bridge.endsOf(at, 0.6, scores, -1);
    const guided = await bridge.endsOf(at, 0.6, scores, -1.5);
    expect(guided).toBeAllClose(
      found.map((v, i) => -0.5 * v + 1.5 * untold[i]!),
      { rtol: 0, atol: 1e-6 },
    );
    expect(untold).not.toEqual(found);
  });
});
