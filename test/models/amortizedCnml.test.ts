import { describe, expect, it } from 'vitest';
import { AmortizedCnml } from '../../src/models/amortizedCnml.js';
import { type OutputHead, readOutputs, seedsOf } from '../../src/models/amortizedReadout.js';
import { loss } from '../../src/models/discretizedLogistic.js';
import { openEngine, rootKey, Stream, type TensorData } from '../../src/numeric/index.js';
import type { Encoding } from '../../src/search/encoding.js';
import { flat, golden, type StepParameters } from '../numeric/goldenSteps.js';

/** Parameters that are the designs themselves, without bounds. */
function identity(d: number): Encoding {
  const infinite = Number.POSITIVE_INFINITY;
  return {
    space: {
      columns: Array.from({ length: d }, () => ({ kind: 'continuous', lower: -infinite, upper: infinite })),
    },
    parameters: d,
    blocks: [{ from: 0, count: d, classes: 0 }],
    mean: new Float64Array(d),
    scale: new Float64Array(d).fill(1),
    lower: new Float64Array(d).fill(-infinite),
    upper: new Float64Array(d).fill(infinite),
  };
}

const names = [
  'layer0.weight',
  'layer0.bias',
  'layer1.weight',
  'layer1.bias',
  'layer2.weight',
  'layer2.bias',
];
const keys = ['W1', 'b1', 'W2', 'b2', 'W3', 'b3'] as const;

describe.each([
  { kernel: 'reference', tolerance: { rtol: 1e-10, atol: 1e-12 } },
  { kernel: 'wasm', tolerance: { rtol: 1e-4, atol: 1e-7 } },
] as const)("Algorithm 2's inner loop on $kernel", ({ kernel, tolerance }) => {
  it('follows PyTorch step by step', async () => {
    const { K, d, h, s, w, tau, modelRate, designRate, X, bins, init, designs0, steps } = golden;
    await using engine = await openEngine({ kernel, threads: 2 });
    const models = new AmortizedCnml(engine, {
      encoding: identity(d),
      quantizer: { bins: K, low: 0, high: 1 },
      head: { kind: 'logistic', bins: K, scale: s },
      hidden: [h, h],
      objective: 'mu',
      parameters: Float64Array.from(flat(X)),
      labels: bins.flatMap((bin) => [bin, bin]),
      minibatch: steps[0]!.batch.length,
      batchSize: designs0.length,
      queryWeight: w,
    });
    const tensors: Record<string, TensorData> = {};
    names.forEach((name, i) => {
      const data = Float64Array.from(flat(init[keys[i]!]));
      const zeros = { shape: [data.length], data: new Float64Array(data.length) };
      tensors[name] = { shape: [data.length], data };
      tensors[`${name}.target`] = tensors[name]!;
      tensors[`${name}.first`] = zeros;
      tensors[`${name}.second`] = zeros;
    });
    const zeros = new Float64Array(designs0.length * d);
    const designs = Float64Array.from(flat(designs0));
    models.restore({ networks: { step: 0, tensors }, designs, firstMoment: zeros, secondMoment: zeros }, 0);

    const compare = (suffix: string, expected: StepParameters) => {
      const { networks } = models.state();
      names.forEach((name, i) => {
        expect(networks.tensors[name + suffix]!.data).toBeAllClose(flat(expected[keys[i]!]), tolerance);
      });
    };
    for (const step of steps) {
      await models.train(step.batch, step.query, { rate: modelRate, targetRate: tau });
      compare('', step.params);
      compare('.target', step.targets);
      await models.climb(designRate);
      expect(models.designs()).toBeAllClose(flat(step.designs), tolerance);
    }
  });
});

describe('the loss of the data', () => {
  it.each([5, 20, 1300])('is that of the definition over %i rows, 512 of them at most', async (N) => {
    await using engine = await openEngine({ kernel: 'reference' });
    const [K, B, s] = [3, 7, 0.4];
    const x = Float64Array.from({ length: N }, (_, i) => Math.sin(i));
    const bins = Array.from(x, (v) => Math.min(K - 1, Math.floor(((v + 1) / 2) * K)));
    const models = new AmortizedCnml(engine, {
      encoding: identity(1),
      quantizer: { bins: K, low: 0, high: 1 },
      head: { kind: 'logistic', bins: K, scale: s },
      hidden: [],
      objective: 'mu',
      parameters: x,
      labels: bins.flatMap((bin) => [bin, bin]),
      minibatch: B,
      batchSize: 2,
      queryWeight: 1,
    });
    models.initialize(rootKey(8));
    models.startFrom([0, 0]);
    await models.pretrain([0, 1, 2, 3, 4, 0, 1], 0.1); // away from the targets
    const { tensors } = models.state().networks;
    const [w, b] = [tensors['layer0.weight']!.data, tensors['layer0.bias']!.data];
    const n = Math.min(N, 512);
    let sum = 0;
    for (let k = 0; k < K; k++) {
      for (let i = 0; i < n; i++) {
        const row = Math.floor((i * N) / n);
        sum += loss({ bins: K, scale: s }, w[k]! * x[row]! + b[k]!, bins[row]!);
      }
    }
    const before = models.state();
    expect(await models.dataLoss()).toBeCloseTo(sum / (n * K), 10);
    expect(models.state()).toEqual(before);
  });
});

describe('slopes of the objectives', () => {
  const heads: OutputHead[] = [
    { kind: 'logistic', bins: 5, scale: 0.2 },
    { kind: 'categorical', bins: 5 },
  ];
  const logistic = (t: number) => 1 / (1 + Math.exp(-t));

  /** Probabilities of all bins under one model, by the definitions. */
  function bins(head: OutputHead, out: readonly number[]): number[] {
    const K = head.bins;
    if (head.kind === 'categorical') {
      const total = out.reduce((sum, v) => sum + Math.exp(v), 0);
      return out.map((v) => Math.exp(v) / total);
    }
    const o = Array.from({ length: K + 1 }, (_, k) =>
      k === 0 ? 1 : k === K ? 0 : logistic((out[0]! - k / K) / head.scale),
    );
    return Array.from({ length: K }, (_, k) => o[k]! - o[k + 1]!);
  }

  it.each(
    heads
      .flatMap((head) => (['nml', 'mu'] as const).map((objective) => ({ head, objective })))
      .filter(({ head, objective }) => head.kind !== 'logistic' || objective === 'nml'),
  )('$objective of the $head.kind head agrees with central differences', ({ head, objective }) => {
    const K = head.bins;
    const width = head.kind === 'logistic' ? 1 : K;
    const n = 3;
    const stream = new Stream(rootKey(3));
    const outputs = Float64Array.from({ length: K * n * width }, () => 0.5 + 0.4 * stream.normal());
    const g = Array.from({ length: K }, (_, k) => (k + 0.5) / K);
    // Alg. 1: E[g] under p(k | x, theta_k) / Z; or the mean over models of each one's own expectation
    const value = (values: Float64Array, row: number): number => {
      const each = Array.from({ length: K }, (_, k) => {
        const from = (k * n + row) * width;
        return bins(head, [...values.subarray(from, from + width)]);
      });
      if (objective === 'mu')
        return each.reduce((sum, p) => sum + p.reduce((s, v, j) => s + v * g[j]!, 0), 0) / K;
      const own = each.map((p, k) => p[k]!);
      return own.reduce((sum, p, k) => sum + p * g[k]!, 0) / own.reduce((sum, p) => sum + p, 0);
    };
    const step = 1e-5;
    const expected = outputs.map((v, i) => {
      const row = Math.floor(i / width) % n;
      const at = (shift: number) => value(outputs.with(i, v + shift), row);
      return (at(step) - at(-step)) / (2 * step);
    });
    expect(seedsOf(head, objective, outputs, n)).toBeAllClose(expected, { rtol: 1e-6, atol: 1e-9 });
  });
});

describe('the amortised read-out', () => {
  const quantizer = { bins: 4, low: 0, high: 8 };
  const head: OutputHead = { kind: 'logistic', bins: 4, scale: 0.02 };

  it('is settled where all networks agree', () => {
    // the head's mean of bin 1 is 2/4: between the thresholds 1/4 and 2/4
    const { gamma, mean, spread, low80, high80, probabilities } = readOutputs(
      head,
      quantizer,
      [0.375, 0.375, 0.375, 0.375],
      1,
    );
    expect(gamma[0]).toBeLessThan(1e-2);
    expect(probabilities[1]).toBeGreaterThan(0.99);
    expect(mean[0]).toBeCloseTo(3, 1);
    expect(spread[0]).toBe(0);
    expect([low80[0]!, high80[0]!]).toBeAllClose([2.2, 3.8], { rtol: 0.01, atol: 0 });
  });

  it('says anything goes where each network believes its own bin', () => {
    const { gamma, probabilities, low80, high80 } = readOutputs(
      head,
      quantizer,
      [0.125, 0.375, 0.625, 0.875],
      1,
    );
    expect(gamma[0]).toBeCloseTo(Math.log(4), 2);
    expect(probabilities).toBeAllClose([0.25, 0.25, 0.25, 0.25], { rtol: 0.01, atol: 0 });
    expect([low80[0]!, high80[0]!]).toBeAllClose([0.8, 7.2], { rtol: 0.01, atol: 0 });
  });

  it('sums to 1 and has no negative regret, whatever the outputs', () => {
    const stream = new Stream(rootKey(4));
    for (const scale of [1, 0.25, 0.01]) {
      const outputs = Float64Array.from({ length: 4 * 50 }, () => 2 * stream.normal());
      const { gamma, probabilities } = readOutputs({ ...head, scale }, quantizer, outputs, 50);
      for (let i = 0; i < 50; i++) {
        expect(gamma[i]).toBeGreaterThanOrEqual(0);
        expect(gamma[i]).toBeLessThanOrEqual(Math.log(4) + 1e-12);
        expect(probabilities.subarray(4 * i, 4 * i + 4).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
      }
    }
  });
});
