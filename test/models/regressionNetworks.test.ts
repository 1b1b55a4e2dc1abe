import { describe, expect, it } from 'vitest';
import { type Aggregate, aggregateMeans, aggregateSlopes } from '../../src/models/aggregate.js';
import {
  RegressionNetworks,
  type RegressionSpec,
  type RegressionState,
} from '../../src/models/regressionNetworks.js';
import {
  type Engine,
  mean,
  normalLogPdf,
  openEngine,
  rootKey,
  Stream,
  standardDeviation,
} from '../../src/numeric/index.js';
import { encode, fitEncoding, modelInputs } from '../../src/search/encoding.js';
import type { Space } from '../../src/space/space.js';

const space: Space = {
  columns: [
    { kind: 'continuous', lower: -3, upper: 3 },
    { kind: 'categorical', classes: 3 },
    { kind: 'continuous', lower: -3, upper: 3 },
  ],
};
const [N, B, minibatch, M] = [20, 3, 8, 5];
const x = Float64Array.from({ length: 3 * N }, (_, i) => (i % 3 === 1 ? (i * 7) % 3 : 2 * Math.sin(i)));
const y = Float64Array.from({ length: N }, (_, i) => 40 + 10 * Math.cos(x[3 * i]! + x[3 * i + 1]!));
const encoding = fitEncoding({ x, y }, space, { box: null });
const P = encoding.parameters;
const parameters = encode(encoding, x);
const inputs = modelInputs(encoding, parameters);
/** Of the data, by hand; columns of numbers have mean 0. */
const inputMeans = Array.from({ length: P }, (_, j) => mean(inputs.filter((_, i) => i % P === j)));

function networksOf(engine: Engine, changes: Partial<RegressionSpec> = {}): RegressionNetworks {
  return new RegressionNetworks(engine, {
    encoding,
    networks: B,
    head: 'gaussian',
    hidden: [6],
    activation: 'tanh',
    parameters,
    y,
    minibatch,
    batchSize: M,
    ...changes,
  });
}

/** A network with one hidden layer of tanh, by hand: outputs of row i. */
function answer({ networks }: RegressionState, b: number, row: number): number[] {
  const tensor = (name: string) => {
    const { shape, data } = networks.tensors[name]!;
    const size = shape[1]! * shape[2]!;
    return { columns: shape[2]!, data: Array.from(data.subarray(b * size, (b + 1) * size)) };
  };
  const layer = (input: readonly number[], at: number, f: (v: number) => number) => {
    const [w, bias] = [tensor(`layer${at}.weight`), tensor(`layer${at}.bias`)];
    return bias.data.map((start, j) =>
      f(input.reduce((sum, v, i) => sum + v * w.data[i * w.columns + j]!, start)),
    );
  };
  const centred = Array.from(inputs.subarray(row * P, (row + 1) * P), (v, j) => v - inputMeans[j]!);
  const hidden = layer(centred, 0, Math.tanh);
  return layer(hidden, 1, (v) => v);
}

const center = mean(y);
const unit = standardDeviation(y);

/** Loss of a row by the definition; low and high of network b stand in `bounds`. */
function lossByHand(state: RegressionState, head: 'mean' | 'gaussian', b: number, row: number): number {
  const [mu, raw] = answer(state, b, row) as [number, number];
  const target = (y[row]! - center) / unit;
  if (head === 'mean') return (mu - target) ** 2;
  const [low, high] = [state.bounds[b]!, state.bounds[B + b]!];
  const soft = (v: number) => Math.log(1 + Math.exp(v));
  const logStd = low + soft(high - soft(high - raw) - low);
  return -normalLogPdf((target - mu) / Math.exp(logStd)) + logStd;
}

/** The state with one number of a tensor, or of the bounds, moved. */
function moved(state: RegressionState, name: string, at: number, by: number): RegressionState {
  const changed = structuredClone(state);
  const data = name === 'bounds' ? changed.bounds : changed.networks.tensors[name]!.data;
  data[at]! += by;
  return changed;
}

describe.each(['mean', 'gaussian'] as const)('regression networks with the %s head', (head) => {
  it('step along the gradient of the weighted loss of their resamples', async () => {
    await using engine = await openEngine({ kernel: 'reference' });
    const models = networksOf(engine, { head });
    models.initialize(rootKey(3), { bootstrap: true });
    const weights = Float64Array.from({ length: B * N }, (_, i) => 0.5 + (i % 4));
    models.setWeights(weights);
    const before = models.state();
    // every place of the resample once: the weights of rows are then their counts
    const spec = { head, minibatch: N };
    const whole = networksOf(engine, spec);
    whole.restore(before);
    await whole.train(
      Array.from({ length: N }, (_, i) => i),
      1e-3,
    );
    const counts = whole.counts();
    const total = (state: RegressionState, b: number) => {
      let sum = 0;
      for (let i = 0; i < N; i++)
        sum += (counts[b * N + i]! * weights[b * N + i]! * lossByHand(state, head, b, i)) / N;
      return sum;
    };
    const after = whole.state();
    const h = 1e-5;
    for (const name of ['layer0.weight', 'layer0.bias', 'layer1.weight', 'layer1.bias']) {
      const { data } = after.networks.tensors[`${name}.first`]!;
      const size = data.length / B;
      for (let at = 0; at < data.length; at++) {
        const b = Math.floor(at / size);
        const slope =
          (total(moved(before, name, at, h), b) - total(moved(before, name, at, -h), b)) / (2 * h);
        // Adam's first moment after one step is (1 - 0.9) times the gradient
        expect(Math.abs(data[at]! / 0.1 - slope)).toBeLessThan(1e-7 * (1 + Math.abs(slope)));
      }
    }
    for (let at = 0; head === 'gaussian' && at < 2 * B; at++) {
      const b = at % B;
      const slope =
        (total(moved(before, 'bounds', at, h), b) - total(moved(before, 'bounds', at, -h), b)) / (2 * h);
      const first = after.bounds[2 * B + at]!;
      expect(Math.abs(first / 0.1 - slope)).toBeLessThan(1e-7 * (1 + Math.abs(slope)));
      expect(after.bounds[at]! - before.bounds[at]!).toBeCloseTo(-1e-3 * Math.sign(slope), 6);
    }
  });

  it('say what their outputs mean, in the units of the scores', async () => {
    await using engine = await openEngine({ kernel: 'reference' });
    const models = networksOf(engine, { head });
    models.initialize(rootKey(4), { bootstrap: false });
    const state = models.state();
    const { mean: means, std } = await models.predict(inputs);
    let sum = 0;
    for (let b = 0; b < B; b++) {
      for (let i = 0; i < N; i++) {
        const mu = means[b * N + i]!;
        expect(mu).toBeCloseTo(center + unit * answer(state, b, i)[0]!, 9);
        const loss = lossByHand(state, head, b, i);
        sum += loss / (N * B);
        const sd = std?.[b * N + i];
        if (sd === undefined) continue;
        // the density of y itself is that of standardised scores over their unit
        expect(-normalLogPdf((y[i]! - mu) / sd) + Math.log(sd)).toBeCloseTo(loss + Math.log(unit), 8);
        expect(sd / unit).toBeGreaterThan(0.1);
      }
    }
    expect(std === null).toBe(head === 'mean');
    expect(await models.dataLoss()).toBeCloseTo(sum, 10);
  });

  it.each<Aggregate>([{ kind: 'mean' }, { kind: 'min' }, { kind: 'ucb', kappa: 1.5 }])(
    'have the gradient of their $kind at designs, logits included',
    async (aggregate) => {
      await using engine = await openEngine({ kernel: 'reference' });
      const models = networksOf(engine, { head });
      models.initialize(rootKey(5), { bootstrap: false });
      const designs = parameters.slice(0, M * P);
      const value = async (at: Float64Array) =>
        aggregateMeans(aggregate, (await models.predictDesigns(at)).mean, B);
      const slopes = await models.gradientAt(designs, aggregate);
      const h = 1e-5;
      for (let i = 0; i < designs.length; i++) {
        const [up, down] = [designs.slice(), designs.slice()];
        up[i]! += h;
        down[i]! -= h;
        const row = Math.floor(i / P);
        const slope = ((await value(up))[row]! - (await value(down))[row]!) / (2 * h * unit);
        expect(Math.abs(slopes[i]! - slope)).toBeLessThan(1e-8);
      }
    },
  );

  it('are on wasm what they are in float64, and learn', async () => {
    const seen: Float64Array[] = [];
    for (const kernel of ['reference', 'wasm'] as const) {
      await using engine = await openEngine({ kernel, threads: 2 });
      const models = networksOf(engine, { head });
      models.initialize(rootKey(6), { bootstrap: true });
      const untrained = await models.dataLoss();
      const stream = new Stream(rootKey(7));
      for (let t = 0; t < 25; t++) await models.train(models.draw(stream), 1e-2);
      const { mean: means, std } = await models.predict(inputs);
      const slopes = await models.gradientAt(parameters.slice(0, M * P), { kind: 'mean' });
      seen.push(Float64Array.from([...means, ...(std ?? []), ...slopes]));
      expect(await models.dataLoss()).toBeLessThan(untrained / 2);
    }
    expect(seen[1]).toBeAllClose(seen[0]!, { rtol: 1e-3, atol: 1e-3 });
  });

  it('go on from a state bit for bit, weights and resamples included', async () => {
    await using one = await openEngine({ kernel: 'wasm', threads: 1 });
    await using two = await openEngine({ kernel: 'wasm', threads: 2 });
    const [first, second] = [networksOf(one, { head }), networksOf(two, { head })];
    first.initialize(rootKey(8), { bootstrap: true });
    second.initialize(rootKey(9), { bootstrap: false });
    const batch = first.draw(new Stream(rootKey(1)));
    await first.train(batch, 1e-2);
    first.setWeights(Float64Array.from({ length: N }, (_, i) => i / N));
    const middle = structuredClone(first.state());
    await first.train(batch, 1e-2);
    second.restore(middle);
    await second.train(batch, 1e-2);
    expect(second.state()).toEqual(first.state());
    expect(middle).not.toEqual(first.state());
  });
});

describe('a bootstrap', () => {
  it('draws N rows for each network, its own ones, and none without it', async () => {
    await using engine = await openEngine({ kernel: 'reference' });
    const models = networksOf(engine);
    models.initialize(rootKey(1), { bootstrap: true });
    const counts = models.counts();
    const own = Array.from({ length: B }, (_, b) => [...counts.subarray(b * N, (b + 1) * N)]);
    for (const one of own) expect(one.reduce((sum, v) => sum + v, 0)).toBe(N);
    expect(own[0]).not.toEqual(own[1]);
    expect(new Set(counts).size).toBeGreaterThan(2);
    models.initialize(rootKey(1), { bootstrap: false });
    expect([...models.counts()]).toEqual(Array(B * N).fill(1));
  });

  it('says what is wrong with weights and scores', async () => {
    await using engine = await openEngine({ kernel: 'reference' });
    const models = networksOf(engine);
    expect(() => models.setWeights([1, 2])).toThrow('weights has length 2; expected 60');
    expect(() => models.setWeights(Array(N).fill(Number.NaN))).toThrow('weights[0] is NaN');
    const broken = y.with(3, Number.POSITIVE_INFINITY);
    expect(() => networksOf(engine, { y: broken })).toThrow('y[3] is Infinity');
  });
});

describe('an aggregate', () => {
  // two networks, rows (1, 3) and (5, 5)
  const means = [1, 5, 3, 5];
  it.each([
    { aggregate: { kind: 'mean' }, values: [2, 5], slopes: [0.5, 0.5, 0.5, 0.5] },
    { aggregate: { kind: 'min' }, values: [1, 5], slopes: [1, 1, 0, 0] },
    { aggregate: { kind: 'ucb', kappa: 2 }, values: [4, 5], slopes: [-0.5, 0.5, 1.5, 0.5] },
  ] as const)('is by hand what it is: $aggregate.kind', ({ aggregate, values, slopes }) => {
    expect([...aggregateMeans(aggregate, means, 2)]).toEqual(values);
    expect([...aggregateSlopes(aggregate, means, 2)]).toEqual(slopes);
  });
});
