import { describe, expect, it } from 'vitest';
import { type RankingLoss, RankingNetwork, rankingLosses } from '../../src/models/rankingNetwork.js';
import { gradient } from '../../src/numeric/gradient.js';
import { value } from '../../src/numeric/graph.js';
import { openEngine, rootKey, Stream } from '../../src/numeric/index.js';
import { encode, fitEncoding } from '../../src/search/encoding.js';
import type { Space } from '../../src/space/space.js';

/** Loss of every row and slopes in s, of two lists of three rows. */
async function lossAndSlopes(kind: RankingLoss, s: readonly number[], goals: readonly number[]) {
  await using engine = await openEngine({ kernel: 'reference' });
  const column = (name: string, values: readonly number[], columns = 1) => {
    const variable = engine.variable(name, { rows: 6, columns });
    variable.write(values);
    return variable;
  };
  const outputs = column('s', s);
  const membership = column('membership', [1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1], 2);
  const loss = rankingLosses[kind](value(outputs), value(column('goals', goals)), value(membership));
  const [slopes] = gradient(loss, [value(outputs)]);
  const shape = { rows: 6, columns: 1, models: 1 };
  const [losses, found] = [engine.variable('losses', shape), engine.variable('slopes', shape)];
  const program = engine.compile('test', [
    [
      { kind: 'store', to: losses, from: loss },
      { kind: 'store', to: found, from: slopes! },
    ],
  ]);
  await program.run();
  return { losses: [...losses.read()], slopes: [...found.read()] };
}

const s = [0, Math.log(2), Math.log(5), 101, 101 + Math.log(3), 101];

describe('ListNet', () => {
  it('has the loss and the slopes softmax(s) - softmax(y), by hand', async () => {
    // softmax(s) is (1, 2, 5) / 8 and (1, 3, 1) / 5; y of the lists is log (1, 1, 2) and log (6, 1, 3)
    const goals = [0.25, 0.25, 0.5, 0.6, 0.1, 0.3];
    const { losses, slopes } = await lossAndSlopes('listNet', s, goals);
    expect(slopes).toBeAllClose([-0.125, 0, 0.125, -0.4, 0.5, -0.1], { rtol: 1e-12, atol: 1e-13 });
    const by = (p: number[], q: number[]) => p.map((share, i) => -share * Math.log(q[i]!));
    expect(losses).toBeAllClose(
      [...by([0.25, 0.25, 0.5], [1 / 8, 2 / 8, 5 / 8]), ...by([0.6, 0.1, 0.3], [0.2, 0.6, 0.2])],
      { rtol: 1e-12, atol: 1e-13 },
    );
  });
});

describe('RankCosine', () => {
  // (1, 2, 3) and (3, 1, 2), centred and of length 1
  const r = Math.SQRT1_2;
  const goals = [-r, 0, r, r, -r, 0];

  it('is 1 for s without correlation, 0 for s in line and 2 for s against it', async () => {
    const sums = async (outputs: readonly number[]) => {
      const { losses } = await lossAndSlopes('rankCosine', outputs, goals);
      return [losses.slice(0, 3), losses.slice(3)].map((list) => list.reduce((a, b) => a + b));
    };
    expect(await sums([5, 7, 9, 0.2, 0, 0.1])).toBeAllClose([0, 0], { rtol: 0, atol: 1e-9 });
    expect(await sums([9, 7, 5, 1, 1, 4])).toBeAllClose([2, 1], { rtol: 0, atol: 1e-9 });
  });

  it('has the slopes of finite differences', async () => {
    const total = async (outputs: readonly number[]) =>
      (await lossAndSlopes('rankCosine', outputs, goals)).losses.reduce((a, b) => a + b);
    const { slopes } = await lossAndSlopes('rankCosine', s, goals);
    for (let i = 0; i < 6; i++) {
      const rise = (await total(s.with(i, s[i]! + 1e-5))) - (await total(s.with(i, s[i]! - 1e-5)));
      expect(slopes[i]).toBeCloseTo(rise / 2e-5, 7);
    }
  });
});

describe('a ranking network', () => {
  const [N, P] = [40, 2];
  const space: Space = {
    columns: Array.from({ length: P }, () => ({ kind: 'continuous', lower: -9, upper: 9 })),
  };
  const x = new Float64Array(N * P);
  new Stream(rootKey(3)).fillNormal(x, 0, 1);
  const y = Float64Array.from({ length: N }, (_, i) => 7 + 3 * x[P * i]! - 2 * x[P * i + 1]!);
  const encoding = fitEncoding({ x, y }, space, { box: null });
  const parameters = encode(encoding, x);

  it('finds a plane, and the level and deviation of the scores', async () => {
    await using engine = await openEngine({ kernel: 'reference' });
    const network = new RankingNetwork(engine, {
      encoding,
      hidden: [],
      activation: 'softplus',
      parameters,
      y,
      batchSize: 4,
      loss: 'listNet',
      lists: 3,
      listLength: 20,
      trainRate: 0.02,
      weightDecay: 0,
    });
    network.initialize(rootKey(5));
    const stream = new Stream(rootKey(6));
    for (let t = 0; t < 600; t++) await network.train(stream);
    await network.settleLevel();
    // the cross entropy is least where softmax(s) = softmax(y), that is s = y + anything
    expect(await network.valuesAt(parameters)).toBeAllClose(y, { rtol: 0, atol: 1e-3 });
    const { mean, scale } = fitScores(y);
    const slope = [3, -2].map((w, j) => (w * encoding.scale[j]!) / scale);
    expect(Array.from(await network.gradientAt(parameters.slice(0, 4 * P)))).toBeAllClose(
      [...slope, ...slope, ...slope, ...slope],
      { rtol: 1e-3, atol: 1e-4 },
    );
    expect(mean).toBeGreaterThan(5);
    // the entropy of softmax(y) is what remains
    const e = y.map((v) => Math.exp((v - mean) / scale));
    const sum = e.reduce((a, b) => a + b);
    const entropy = e.reduce((total, v) => total - (v / sum) * Math.log(v / sum), 0);
    expect(await network.dataLoss()).toBeCloseTo(entropy, 6);
  });

  it('shrinks weights that no list needs', async () => {
    const norms: number[] = [];
    for (const weightDecay of [0, 1]) {
      await using engine = await openEngine({ kernel: 'reference' });
      const network = new RankingNetwork(engine, {
        encoding,
        hidden: [],
        activation: 'softplus',
        parameters,
        y: new Float64Array(N).fill(4),
        batchSize: 4,
        loss: 'listNet',
        lists: 1,
        listLength: 2,
        trainRate: 0.01,
        weightDecay,
      });
      network.initialize(rootKey(5));
      const stream = new Stream(rootKey(6));
      for (let t = 0; t < 200; t++) await network.train(stream);
      // the bias changes no order: only decay moves it
      norms.push(Math.abs(network.state().network.tensors['layer0.bias']!.data[0]!));
    }
    expect(norms[0]).toBeGreaterThan(0.1);
    expect(norms[1]).toBeLessThan(0.02);
  });
});

function fitScores(y: Float64Array) {
  const mean = y.reduce((a, b) => a + b) / y.length;
  return { mean, scale: Math.sqrt(y.reduce((sum, v) => sum + (v - mean) ** 2, 0) / y.length) };
}
