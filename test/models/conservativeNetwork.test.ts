import { describe, expect, it } from 'vitest';
import {
  ConservativeNetwork,
  type ConservativeSpec,
  startMultiplier,
  stepMultiplier,
} from '../../src/models/conservativeNetwork.js';
import { type Engine, openEngine, rootKey, Stream, standardize } from '../../src/numeric/index.js';
import { encode, fitEncoding } from '../../src/search/encoding.js';
import type { Space } from '../../src/space/space.js';

const [N, P] = [30, 2];
const space: Space = {
  columns: Array.from({ length: P }, () => ({ kind: 'continuous', lower: -9, upper: 9 })),
};
const x = new Float64Array(N * P);
new Stream(rootKey(3)).fillNormal(x, 0, 1);
const y = Float64Array.from({ length: N }, (_, i) => Math.sin(2 * x[P * i]!) + 0.5 * x[P * i + 1]!);
const encoding = fitEncoding({ x, y }, space, { box: null });
const parameters = encode(encoding, x);

function networkOf(engine: Engine, changes: Partial<ConservativeSpec> = {}): ConservativeNetwork {
  return new ConservativeNetwork(engine, {
    encoding,
    hidden: [16],
    activation: 'softplus',
    parameters,
    y,
    minibatch: 10,
    batchSize: 4,
    trainRate: 1e-2,
    adversarySteps: 4,
    adversaryRate: 0.05,
    alpha: 0.3,
    alphaRate: 0.01,
    tau: 0.5,
    ...changes,
  });
}

describe('the multiplier', () => {
  it('moves by hand as it should', () => {
    const settings = { tau: 0.5, alphaRate: 0.01 };
    const start = startMultiplier(0.1);
    // slope 0.1 (0.5 - 2) = -0.15; the first step of Adam is 0.01 * 0.15 / (0.15 + 1e-8) upwards
    const first = stepMultiplier(start, 2, settings);
    expect(first.logAlpha).toBeCloseTo(Math.log(0.1) + (0.01 * 0.15) / (0.15 + 1e-8), 13);
    expect([first.firstMoment, first.secondMoment, first.step]).toBeAllClose([-0.015, 2.25e-5, 1], {
      rtol: 1e-12,
      atol: 0,
    });
    // alpha is 0.1 e^0.01 = 0.1010050; slope 0.1010050 (0.5 - 0) = 0.0505025
    // m = 0.9 * -0.015 + 0.1 * 0.0505025 = -0.00844975, over 1 - 0.81: -0.0444724
    // v = 0.999 * 2.25e-5 + 0.001 * 0.00255050 = 2.502800e-5, over 1 - 0.998001: 0.0125203, its root 0.1118937
    const second = stepMultiplier(first, 0, settings);
    expect(second.logAlpha).toBeCloseTo(Math.log(0.1) + 0.01 + 0.01 * (0.0444724 / 0.1118937), 6);
    expect(second.secondMoment).toBeCloseTo(2.5028e-5, 9);
  });

  it('settles where the overestimation is what is allowed', () => {
    // a network that gives way: overestimation 2 - alpha, tau 0.5, so alpha has to become 1.5
    let multiplier = startMultiplier(0.1);
    for (let t = 0; t < 3000; t++) {
      multiplier = stepMultiplier(multiplier, 2 - Math.exp(multiplier.logAlpha), {
        tau: 0.5,
        alphaRate: 0.01,
      });
    }
    expect(Math.exp(multiplier.logAlpha)).toBeCloseTo(1.5, 2);
  });

  it('stays finite where nothing can be done', () => {
    let multiplier = startMultiplier(0.1);
    for (let t = 0; t < 9000; t++)
      multiplier = stepMultiplier(multiplier, 1e9, { tau: 0.5, alphaRate: 0.01 });
    expect(multiplier.logAlpha).toBe(20);
  });
});

describe('a conservative network', () => {
  it('that is a plane has the adversaries and the gradient of the definition', async () => {
    await using engine = await openEngine({ kernel: 'reference' });
    // every row of the batch is drawn by the same stream here and there
    const network = networkOf(engine, { hidden: [] });
    network.initialize(rootKey(1));
    const before = network.state();
    const w = [...before.networks.tensors['layer0.weight']!.data];
    const b = before.networks.tensors['layer0.bias']!.data[0]!;
    const batch = [...new Stream(rootKey(2)).sampleWithReplacement(N, 10)];
    await network.train(new Stream(rootKey(2)));
    const after = network.state();
    // x- = x + 4 step w, so f(x-) - f(x) = 4 step |w|^2
    const step = 0.05 * Math.sqrt(P);
    const length = w.reduce((sum, v) => sum + v * v, 0);
    expect(after.overestimation).toBeCloseTo(4 * step * length, 12);
    const target = standardize(y, network.scores);
    const slopes = w.map((v, j) => {
      let sum = 0;
      for (const i of batch) {
        const f = w.reduce((all, u, k) => all + u * parameters[i * P + k]!, b);
        sum += (2 * (f - target[i]!) * parameters[i * P + j]!) / 10;
      }
      return sum + 0.3 * 4 * step * v; // alpha d/dw (w . (x- - x)), nothing flows through how x- was found
    });
    const first = after.networks.tensors['layer0.weight.first']!.data;
    expect([...first].map((m) => m / 0.1)).toBeAllClose(slopes, { rtol: 1e-9, atol: 1e-12 });
    expect(after.multiplier).toEqual(
      stepMultiplier(startMultiplier(0.3), after.overestimation, { tau: 0.5, alphaRate: 0.01 }),
    );
  });

  it('keeps its adversaries in the box', async () => {
    await using engine = await openEngine({ kernel: 'reference' });
    const tight = fitEncoding({ x, y }, space, { box: 0.4 });
    const network = networkOf(engine, { encoding: tight, hidden: [], adversaryRate: 1e6 });
    network.initialize(rootKey(1));
    const w = [...network.state().networks.tensors['layer0.weight']!.data];
    const batch = new Stream(rootKey(2)).sampleWithReplacement(N, 10);
    await network.train(new Stream(rootKey(2)));
    let gap = 0;
    for (const i of batch) {
      w.forEach((v, j) => {
        const corner = v > 0 ? tight.upper[j]! : tight.lower[j]!;
        gap += (v * (corner - parameters[i * P + j]!)) / 10;
      });
    }
    expect(network.state().overestimation).toBeCloseTo(gap, 10);
  });

  it.each([0.1, 0.6])('lets its overestimation settle at tau %d', async (tau) => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const network = networkOf(engine, { tau, adversarySteps: 20, adversaryRate: 0.2, minibatch: 30 });
    network.initialize(rootKey(1));
    const stream = new Stream(rootKey(2));
    let sum = 0;
    for (let t = 0; t < 1500; t++) {
      await network.train(stream);
      if (t >= 1000) sum += network.state().overestimation / 500;
    }
    // an average over minibatches while alpha still swings: a tenth of a standard deviation
    expect(Math.abs(sum - tau)).toBeLessThan(0.1);
  });

  it('has the gradient of its own values at designs', async () => {
    await using engine = await openEngine({ kernel: 'reference' });
    const network = networkOf(engine);
    network.initialize(rootKey(4));
    const designs = parameters.slice(0, 4 * P);
    const slopes = await network.gradientAt(designs);
    for (let i = 0; i < designs.length; i++) {
      const h = 1e-5;
      const up = (await network.valueAt(designs.with(i, designs[i]! + h)))[Math.floor(i / P)]!;
      const down = (await network.valueAt(designs.with(i, designs[i]! - h)))[Math.floor(i / P)]!;
      const unit = network.scores.scale[0]!;
      expect(slopes[i]).toBeCloseTo((up - down) / (2 * h * unit), 8);
    }
  });
});
