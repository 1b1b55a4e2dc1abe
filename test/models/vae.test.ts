import { describe, expect, it } from 'vitest';
import { Vae, type VaeSpec, type VaeState } from '../../src/models/vae.js';
import { type Engine, openEngine, rootKey, Stream, type TensorData } from '../../src/numeric/index.js';
import type { Block } from '../../src/search/encoding.js';

const exact = { kernel: 'reference' } as const;

/** A state with the given weights and everything else at zero. */
function stateOf(tensors: Readonly<Record<'encoder' | 'decoder', readonly (readonly number[])[]>>): VaeState {
  const stack = (values: readonly (readonly number[])[]) => {
    const all: Record<string, TensorData> = {};
    values.forEach((data, i) => {
      const name = `layer${i >> 1}.${i % 2 === 0 ? 'weight' : 'bias'}`;
      const tensor = (numbers: readonly number[]) => ({
        shape: [numbers.length],
        data: Float64Array.from(numbers),
      });
      all[name] = tensor(data);
      all[`${name}.target`] = tensor(data);
      all[`${name}.first`] = tensor(data.map(() => 0));
      all[`${name}.second`] = tensor(data.map(() => 0));
    });
    return { step: 0, tensors: all };
  };
  return { encoder: stack(tensors.encoder), decoder: stack(tensors.decoder) };
}

/**
 * Probabilistic PCA (Tipping & Bishop 1999): x = W z + b + noise of deviation s, three columns, two latents. Columns of
 * W are orthogonal, so the posterior N((W'W + s^2)^-1 W'(x - b), s^2 (W'W + s^2)^-1) is diagonal, as the encoder's is.
 */
const ppca = { D: 3, L: 2, s: 0.5, b: [0.2, -0.1, 0.3], W: [1.2, 0.5, 0.6, -0.4, 0.3, -1.2] };
const gram = [0, 1].map((l) => [0, 1, 2].reduce((sum, j) => sum + ppca.W[j * 2 + l]! ** 2, 0));

/** log N(x; b, W W' + s^2 I), by hand: its eigenvalues are the gram's plus s^2, and s^2. */
function logMarginal(x: readonly number[]): number {
  const { W, b, s } = ppca;
  const r = x.map((v, j) => v - b[j]!);
  let form = r.reduce((sum, v) => sum + v * v, 0) / s ** 2;
  let logDet = 3 * Math.log(s ** 2);
  for (const l of [0, 1]) {
    const along = r.reduce((sum, v, j) => sum + v * W[j * 2 + l]!, 0) ** 2 / gram[l]!;
    form -= along / s ** 2 - along / (gram[l]! + s ** 2);
    logDet += Math.log(gram[l]! + s ** 2) - Math.log(s ** 2);
  }
  return -0.5 * (3 * Math.log(2 * Math.PI) + logDet + form);
}

const deviation = [0.1, 1] as const;
const continuous = (count: number): Block[] => [{ from: 0, count, classes: 0 }];

const linear: VaeSpec = {
  blocks: continuous(3),
  places: 5,
  latent: 2,
  hidden: [],
  minibatch: 4,
  beta: 1,
  deviation,
};

/** Raw output of the decoder that means a deviation of s: log s = log lo + (log hi - log lo) sigmoid(raw). */
function rawDeviation(s: number): number {
  const share = Math.log(s / deviation[0]) / Math.log(deviation[1] / deviation[0]);
  return Math.log(share / (1 - share));
}

/** The autoencoder that is probabilistic PCA, with its exact posterior. */
function exactState(): VaeState {
  const { W, b, s } = ppca;
  const V = gram.map((g) => 1 / (g + s ** 2)); // W'W + s^2 is diagonal
  // mu_l = V_l W_l' (x - b); log sigma_l = log(s sqrt(V_l))
  const encoderWeight = [0, 1, 2].flatMap((j) => [W[j * 2]! * V[0]!, W[j * 2 + 1]! * V[1]!, 0, 0]);
  const encoderBias = [
    ...[0, 1].map((l) => -b.reduce((sum, v, j) => sum + v * W[j * 2 + l]! * V[l]!, 0)),
    ...V.map((v) => Math.log(s * Math.sqrt(v))),
  ];
  const decoderWeight = [0, 1].flatMap((l) => [W[l]!, W[2 + l]!, W[4 + l]!, 0, 0, 0]);
  const raw = rawDeviation(s);
  return stateOf({
    encoder: [encoderWeight, encoderBias],
    decoder: [decoderWeight, [...b, raw, raw, raw]],
  });
}

const points = [0.3, -1, 0.4, 2, 0.1, 0.2, 0, 0, 0, -1.5, 1, 0.7, 0.9, -0.2, -3];
const rowsOf = (x: readonly number[]) => [0, 1, 2, 3, 4].map((i) => x.slice(3 * i, 3 * i + 3));

/** Mean ELBO over eps = (+-1, +-1): exact where log p(x|z) is quadratic in z. */
async function quadratureElbo(vae: Vae, n: number): Promise<Float64Array> {
  const designs = Array.from({ length: n }, (_, i) => i);
  const sum = new Float64Array(n);
  for (const eps of [
    [1, 1],
    [1, -1],
    [-1, 1],
    [-1, -1],
  ]) {
    const { logDensity, divergence } = await vae.elbo(
      designs,
      designs.flatMap(() => eps),
    );
    for (let i = 0; i < n; i++) sum[i]! += (logDensity[i]! - divergence[i]!) / 4;
  }
  return sum;
}

describe('a linear autoencoder is probabilistic PCA', () => {
  it('whose ELBO with the exact posterior is the marginal likelihood', async () => {
    await using engine = await openEngine(exact);
    const vae = new Vae(engine, linear);
    vae.place(0, points);
    vae.restore(exactState());
    const expected = rowsOf(points).map(logMarginal);
    expect(await quadratureElbo(vae, 5)).toBeAllClose(expected, { rtol: 1e-12, atol: 1e-12 });
    // p(x|z) p(z) / e(z|x) = p(x) whatever z is
    const evidence = await vae.logEvidence([0, 1, 2, 3, 4], 2, new Stream(rootKey(3)));
    expect(evidence).toBeAllClose(expected, { rtol: 1e-12, atol: 1e-12 });
  });

  it('and the bound with another posterior is below it, and rises with the draws', async () => {
    await using engine = await openEngine(exact);
    const vae = new Vae(engine, linear);
    vae.place(0, points);
    const state = exactState();
    state.encoder.tensors['layer0.bias']!.data[0]! += 0.8;
    state.encoder.tensors['layer0.bias']!.data[2]! += 0.4;
    vae.restore(state);
    const marginal = logMarginal(rowsOf(points)[0]!);
    const elbo = (await quadratureElbo(vae, 1))[0]!;
    const few = await vae.logEvidence(Array(400).fill(0), 2, new Stream(rootKey(4)));
    const many = await vae.logEvidence(Array(400).fill(0), 64, new Stream(rootKey(5)));
    const mean = (values: Float64Array) => values.reduce((a, b) => a + b) / values.length;
    expect(elbo).toBeLessThan(mean(few));
    expect(mean(few)).toBeLessThan(mean(many));
    expect(mean(many)).toBeLessThan(marginal);
    expect(marginal - mean(many)).toBeLessThan(0.1); // measured 0.013; the ELBO is 2.95 below
    expect(marginal - elbo).toBeGreaterThan(1);
  });

  it('which training finds: the greatest likelihood a Gaussian can have', async () => {
    await using engine = await openEngine(exact);
    const N = 60;
    const stream = new Stream(rootKey(1));
    const x = new Float64Array(N * 3);
    stream.fillNormal(x, 0, 1);
    whiten(x, 3);
    // x <- covariance W W' + s^2 I exactly, as A x with A A' = it: A = U sqrt(eigenvalues) U'
    const { W, s, b } = ppca;
    for (let i = 0; i < N; i++) {
      const r = [...x.subarray(3 * i, 3 * i + 3)];
      const moved = r.map((v) => s * v);
      for (const l of [0, 1]) {
        const along = r.reduce((sum, v, j) => sum + v * W[j * 2 + l]!, 0) / gram[l]!;
        for (let j = 0; j < 3; j++) moved[j]! += (Math.sqrt(gram[l]! + s * s) - s) * along * W[j * 2 + l]!;
      }
      moved.forEach((v, j) => {
        x[3 * i + j] = v + b[j]!;
      });
    }
    // the sample covariance is the model's, so its likelihood is the greatest of all Gaussians
    const best = rowsMean(x, logMarginal);
    const logDet = gram.reduce((sum, g) => sum + Math.log(g + s * s), Math.log(s * s));
    expect(best).toBeCloseTo(-0.5 * (3 * Math.log(2 * Math.PI) + logDet + 3), 10);

    const vae = new Vae(engine, { ...linear, places: N, minibatch: N });
    vae.place(0, x);
    vae.initialize(rootKey(2), x);
    const all = Array.from({ length: N }, (_, i) => i);
    for (let t = 0; t < 3000; t++) await vae.train(all, null, stream, t < 2000 ? 1e-2 : 1e-3);
    const elbo = await quadratureElbo(vae, N);
    const reached = elbo.reduce((sum, v) => sum + v) / N;
    expect(reached).toBeLessThan(best + 1e-9);
    expect(reached).toBeGreaterThan(best - 0.01);
  });
});

describe('the loss of a mixed table', () => {
  // two numbers, two columns of three classes, one number
  const blocks: Block[] = [
    { from: 0, count: 2, classes: 0 },
    { from: 2, count: 6, classes: 3 },
    { from: 8, count: 1, classes: 0 },
  ];
  const spec: VaeSpec = { ...linear, blocks, places: 3, hidden: [4], minibatch: 3, beta: 0.7 };
  const x = [
    ...[0.5, -1, 1, 0, 0, 0, 1, 0, 2],
    ...[-0.3, 0.2, 0, 0, 1, 1, 0, 0, -1],
    ...[1.1, 0.4, 0, 1, 0, 0, 0, 1, 0.3],
  ];
  const weights = [0.2, 1.5, 0];

  async function open(engine: Engine): Promise<Vae> {
    const vae = new Vae(engine, spec);
    vae.place(0, x);
    vae.initialize(rootKey(6), x);
    return vae;
  }

  it('has the gradient that finite differences have, row weights and sampling included', async () => {
    await using engine = await openEngine(exact);
    const vae = await open(engine);
    const before = vae.state();
    const noise = new Float64Array(6);
    new Stream(rootKey(7)).fillNormal(noise, 0, 1);
    await vae.train([0, 1, 2], weights, new Stream(rootKey(7)), 1e-3);
    const { encoder, decoder } = vae.state();
    const lossAt = async (state: VaeState) => {
      vae.restore(state);
      const { logDensity, divergence } = await vae.elbo([0, 1, 2], noise);
      return weights.reduce((sum, w, i) => sum + w * (0.7 * divergence[i]! - logDensity[i]!), 0);
    };
    const h = 1e-5;
    for (const [part, after] of Object.entries({ encoder, decoder }) as [
      'encoder' | 'decoder',
      VaeState['encoder'],
    ][]) {
      for (const name of ['layer0.weight', 'layer0.bias', 'layer1.weight', 'layer1.bias']) {
        const size = before[part].tensors[name]!.data.length;
        for (const at of [0, size >> 1, size - 1]) {
          const moved = async (by: number) => {
            const state = structuredClone(before);
            state[part].tensors[name]!.data[at]! += by;
            return lossAt(state);
          };
          const estimate = ((await moved(h)) - (await moved(-h))) / (2 * h);
          // Adam's first moment after one step is (1 - beta1) times the gradient
          const slope = after.tensors[`${name}.first`]!.data[at]! / 0.1;
          expect([slope]).toBeAllClose([estimate], { rtol: 1e-6, atol: 1e-8 });
        }
      }
    }
  });

  it('is log N + log p - KL, by hand', async () => {
    await using engine = await openEngine(exact);
    const vae = new Vae(engine, { ...spec, hidden: [], latent: 1 });
    vae.place(0, x);
    const logits = [0.5, 0, -0.5, 0, 1, 0];
    vae.restore(
      stateOf({
        encoder: [Array(18).fill(0), [0.6, -0.3]],
        decoder: [Array(12).fill(0), [0.1, 0.2, 0, 0, ...logits, -0.5, 0]],
      }),
    );
    const { logDensity, divergence } = await vae.elbo([0], [0.4]);
    const s = Math.sqrt(deviation[0] * deviation[1]); // raw 0: half way between the logarithms
    const normal = (e: number) => -0.5 * (e / s) ** 2 - Math.log(s) - 0.5 * Math.log(2 * Math.PI);
    const p = (l: readonly number[], c: number) => {
      const total = l.reduce((sum, v) => sum + Math.exp(v), 0);
      return (1 - 1e-6) * (Math.exp(l[c]!) / total) + 1e-6 / 3;
    };
    const expected =
      normal(0.5 - 0.1) +
      normal(-1 - 0.2) +
      Math.log(p(logits.slice(0, 3), 0)) +
      Math.log(p(logits.slice(3), 1)) +
      normal(2 + 0.5);
    expect(logDensity[0]).toBeCloseTo(expected, 12);
    // KL(N(0.6, e^-0.3) || N(0, 1)); with softplus in place of exp it would be another
    expect(divergence[0]).toBeCloseTo(0.5 * (0.36 + Math.exp(-0.6) - 1 + 0.6), 12);
    expect(await vae.logDensity([0], [1.7])).toBeAllClose(logDensity, { rtol: 1e-12, atol: 0 });
  });

  it('begins with the shares of the classes', async () => {
    await using engine = await openEngine(exact);
    const vae = await open(engine);
    const bias = vae.state().decoder.tensors['layer1.bias']!.data;
    // outputs 4 to 9: each class of both columns is in one design of three, (1 + 0.5) / (3 + 1.5)
    expect(bias.slice(4, 10)).toBeAllClose(Array(6).fill(Math.log(1 / 3)), { rtol: 1e-12, atol: 0 });
    vae.initialize(rootKey(6), [...x.slice(0, 9), ...x.slice(0, 9)]);
    const again = vae.state().decoder.tensors['layer1.bias']!.data;
    expect(again.slice(4, 7)).toBeAllClose([Math.log(2.5 / 3.5), Math.log(1 / 7), Math.log(1 / 7)], {
      rtol: 1e-12,
      atol: 0,
    });
    expect(again.slice(0, 4)).toEqual(bias.slice(0, 4));
    expect(vae.state().decoder.tensors['layer1.bias.target']!.data).toEqual(again);
  });

  it('samples as often as its density says', async () => {
    await using engine = await openEngine(exact);
    const vae = new Vae(engine, { ...spec, hidden: [], latent: 1 });
    const logits = [0.5, 0, -0.5, 0, 1, 0];
    vae.restore(
      stateOf({
        encoder: [Array(18).fill(0), [0, 0]],
        decoder: [Array(12).fill(0), [0.1, 0.2, 0, 0, ...logits, -0.5, 0]],
      }),
    );
    const n = 4000;
    const drawn = await vae.sample(new Float64Array(n), new Stream(rootKey(9)));
    const mean = (j: number) => {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += drawn[i * 9 + j]! / n;
      return sum;
    };
    const total = Math.exp(0.5) + 1 + Math.exp(-0.5);
    // five standard errors of 4000 draws
    expect(Math.abs(mean(0) - 0.1)).toBeLessThan((5 * Math.sqrt(0.1)) / Math.sqrt(n));
    expect(Math.abs(mean(8) + 0.5)).toBeLessThan((5 * Math.sqrt(0.1)) / Math.sqrt(n));
    expect(Math.abs(mean(2) - Math.exp(0.5) / total)).toBeLessThan(2.5 / Math.sqrt(n));
    expect(mean(2) + mean(3) + mean(4)).toBeCloseTo(1, 12);
    const square = [...drawn.filter((_, i) => i % 9 === 0)].reduce((sum, v) => sum + (v - 0.1) ** 2 / n, 0);
    expect(Math.abs(square - 0.1)).toBeLessThan((5 * 0.1 * Math.SQRT2) / Math.sqrt(n));
  });

  it('keeps a prior that training does not move, in a state that goes on bit for bit', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const vae = await open(engine);
    const stream = new Stream(rootKey(10));
    const z = [0.3, -0.2, 1, 0.5, 0, -1];
    await vae.train([0, 1, 2], null, stream, 1e-2);
    vae.keepPrior();
    const prior = await vae.logDensity([0, 1, 2], z, 'targets');
    expect(prior).toEqual(await vae.logDensity([0, 1, 2], z));
    const [kept, at] = [structuredClone(vae.state()), stream.state()];
    for (let i = 0; i < 3; i++) await vae.train([0, 1, 2], weights, stream, 1e-2);
    expect(await vae.logDensity([0, 1, 2], z, 'targets')).toEqual(prior);
    expect(await vae.logDensity([0, 1, 2], z)).not.toEqual(prior);
    const end = vae.state();
    vae.restore(kept);
    const again = new Stream(at);
    for (let i = 0; i < 3; i++) await vae.train([0, 1, 2], weights, again, 1e-2);
    expect(vae.state()).toEqual(end);
  });
});

function rowsMean(x: Float64Array, f: (row: readonly number[]) => number): number {
  const n = x.length / 3;
  let sum = 0;
  for (let i = 0; i < n; i++) sum += f([...x.subarray(3 * i, 3 * i + 3)]) / n;
  return sum;
}

/** Gram-Schmidt over columns: mean 0, covariance I. */
function whiten(x: Float64Array, d: number): void {
  const n = x.length / d;
  for (let j = 0; j < d; j++) {
    const subtract = (of: (i: number) => number) => {
      for (let i = 0; i < n; i++) x[i * d + j]! -= of(i);
    };
    let mean = 0;
    for (let i = 0; i < n; i++) mean += x[i * d + j]! / n;
    subtract(() => mean);
    for (let k = 0; k < j; k++) {
      let dot = 0;
      for (let i = 0; i < n; i++) dot += (x[i * d + j]! * x[i * d + k]!) / n;
      subtract((i) => dot * x[i * d + k]!);
    }
    let square = 0;
    for (let i = 0; i < n; i++) square += x[i * d + j]! ** 2 / n;
    for (let i = 0; i < n; i++) x[i * d + j]! /= Math.sqrt(square);
  }
}
