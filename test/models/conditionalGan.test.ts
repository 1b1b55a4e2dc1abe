import { describe, expect, it } from 'vitest';
import { ConditionalGan, criticLoss } from '../../src/models/conditionalGan.js';
import { ConditionalNetwork } from '../../src/models/conditionalNetwork.js';
import {
  type Engine,
  gradient,
  openEngine,
  rootKey,
  Stream,
  type Tensor,
  type Variable,
  value,
} from '../../src/numeric/index.js';
import { fitEncoding } from '../../src/search/encoding.js';

const B = 4;
const P = 3;
const h = 1e-5;

function normals(count: number, seed: number): Float64Array {
  const stream = new Stream(rootKey(seed));
  return Float64Array.from({ length: count }, () => stream.normal());
}

function given(engine: Engine, name: string, columns: number, values: ArrayLike<number>): Variable {
  const variable = engine.variable(name, { rows: values.length / columns, columns });
  variable.write(values);
  return variable;
}

/** Computes `from` anew at every call. */
function reader(engine: Engine, from: Tensor): () => Promise<Float32Array | Float64Array> {
  const { rows, columns, layout } = from;
  const to = engine.variable('result', { rows, columns, models: 1, layout });
  const program = engine.compile('read', [[{ kind: 'store', to, from }]]);
  return async () => {
    await program.run();
    return to.read();
  };
}

async function differences(variable: Variable, of: () => Promise<number>): Promise<number[]> {
  const values = variable.read();
  const slopes: number[] = [];
  for (let i = 0; i < values.length; i++) {
    variable.write(values.with(i, values[i]! + h));
    const up = await of();
    variable.write(values.with(i, values[i]! - h));
    slopes.push((up - (await of())) / (2 * h));
  }
  variable.write(values);
  return slopes;
}

describe("the critic's loss", () => {
  it('has the gradient penalty of its definition, by finite differences of the critic', async () => {
    await using engine = await openEngine({ kernel: 'reference' });
    const critic = new ConditionalNetwork(engine, { inputs: P, hidden: [6, 5], outputs: 1, adam: {} });
    critic.initialize(rootKey(1));
    const [real, fake, y, mix] = [normals(B * P, 2), normals(B * P, 3), normals(B, 4), [0, 0.3, 0.7, 1]];
    const x = given(engine, 'x', P, real);
    const [vReal, vFake] = [given(engine, 'real', P, real), given(engine, 'fake', P, fake)];
    const [vY, vMix] = [given(engine, 'y', 1, y), given(engine, 'mix', 1, mix)];
    const loss = await reader(
      engine,
      criticLoss(critic, value(vReal), value(vFake), value(vY), value(vMix)),
    )();
    const answer = reader(engine, critic.output(value(x), value(vY)));
    const at = async (values: Float64Array) => {
      x.write(values);
      return answer();
    };
    const between = real.map((v, i) => fake[i]! + mix[Math.floor(i / P)]! * (v - fake[i]!));
    const squares = new Float64Array(B);
    for (let i = 0; i < B * P; i++) {
      const row = Math.floor(i / P);
      const up = (await at(between.with(i, between[i]! + h)))[row]!;
      const down = (await at(between.with(i, between[i]! - h)))[row]!;
      squares[row]! += ((up - down) / (2 * h)) ** 2;
    }
    const [onReal, onFake] = [await at(real), await at(fake)];
    const expected = Array.from(squares, (s, i) => onFake[i]! - onReal[i]! + 10 * (1 - Math.sqrt(s)) ** 2);
    expect(loss).toBeAllClose(expected, { rtol: 1e-7, atol: 1e-7 });
  });

  it('has the slopes of its weights, through the penalty, by finite differences', async () => {
    await using engine = await openEngine({ kernel: 'reference' });
    const critic = new ConditionalNetwork(engine, { inputs: P, hidden: [6, 5], outputs: 1, adam: {} });
    critic.initialize(rootKey(1));
    const [real, fake] = [
      given(engine, 'real', P, normals(B * P, 2)),
      given(engine, 'fake', P, normals(B * P, 3)),
    ];
    const [y, mix] = [given(engine, 'y', 1, normals(B, 4)), given(engine, 'mix', 1, [0.1, 0.3, 0.7, 0.9])];
    const seed = given(engine, 'weights', 1, [0.5, 1, 0, 2]);
    const loss = criticLoss(critic, value(real), value(fake), value(y), value(mix));
    const losses = reader(engine, loss);
    const total = async () => {
      const values = Array.from(await losses());
      return values.reduce((sum, v, i) => sum + v * [0.5, 1, 0, 2][i]!, 0);
    };
    const parameters = critic.parameters();
    const slopes = gradient(loss, parameters.map(value), value(seed));
    for (const [i, parameter] of parameters.entries()) {
      const found = await reader(engine, slopes[i]!)();
      expect(found, parameter.name).toBeAllClose(await differences(parameter, total), {
        rtol: 1e-5,
        atol: 1e-6,
      });
    }
  });
});

describe('a conditional GAN', () => {
  /** Numbers near 2 y, and a class that says whether y is above 0. */
  const N = 400;
  const y = normals(N, 7);
  const noise = normals(N, 8);
  const x = Float64Array.from({ length: 2 * N }, (_, i) => {
    const row = i >> 1;
    return i % 2 === 0 ? 2 * y[row]! + 0.3 * noise[row]! : Number(y[row]! > 0);
  });
  const space = {
    columns: [
      { kind: 'continuous', lower: -10, upper: 10 },
      { kind: 'categorical', classes: 2 },
    ],
  } as const;

  it('learns which numbers and which classes go with a score', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const encoding = fitEncoding({ x, y }, space, { box: null });
    const gan = new ConditionalGan(engine, {
      encoding,
      hidden: [32, 32],
      latent: 4,
      minibatch: 64,
      batchSize: 200,
    });
    gan.initialize(rootKey(3));
    const stream = new Stream(rootKey(4));
    const parameters = Float64Array.from({ length: 3 * N }, (_, i) => {
      const row = Math.floor(i / 3);
      if (i % 3 === 0) return (x[2 * row]! - encoding.mean[0]!) / encoding.scale[0]!;
      return x[2 * row + 1] === (i % 3) - 1 ? 1 : 0;
    });
    for (let t = 1; t <= 1500; t++) {
      const rows = stream.sampleWithReplacement(N, 64);
      const batch = {
        parameters: Float64Array.from(
          { length: 64 * 3 },
          (_, i) => parameters[rows[Math.floor(i / 3)]! * 3 + (i % 3)]!,
        ),
        y: Float64Array.from(rows, (row) => y[row]!),
        weights: new Float64Array(64).fill(1),
      };
      await gan.train(batch, stream, { rate: 1e-3, temperature: 1, isGeneratorTrained: t % 5 === 0 });
    }
    for (const told of [-1, 1]) {
      const z = new Float64Array(200 * 4);
      stream.fillNormal(z, 0, 1);
      const drawn = await gan.draw(z, new Float64Array(200).fill(told), gan.classNoise(stream));
      let mean = 0;
      let ones = 0;
      for (let m = 0; m < 200; m++) {
        mean += (encoding.mean[0]! + encoding.scale[0]! * drawn[3 * m]!) / 200;
        if (drawn[3 * m + 2]! > drawn[3 * m + 1]!) ones += 1 / 200;
      }
      // a small GAN after 300 steps: a quarter of the spread of the data, and most classes
      expect(Math.abs(mean - 2 * told)).toBeLessThan(0.5);
      expect(told > 0 ? ones : 1 - ones).toBeGreaterThan(0.85);
    }
  });

  it('goes on from a state bit for bit', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const encoding = fitEncoding({ x, y }, space, { box: null });
    const make = () =>
      new ConditionalGan(engine, { encoding, hidden: [8], latent: 2, minibatch: 4, batchSize: 3 });
    const [one, two] = [make(), make()];
    one.initialize(rootKey(3));
    const batch = { parameters: normals(12, 1), y: normals(4, 2), weights: Float64Array.of(1, 2, 0, 1) };
    const settings = { rate: 1e-3, temperature: 2, isGeneratorTrained: true };
    const stream = new Stream(rootKey(9));
    await one.train(batch, stream, settings);
    two.restore(structuredClone(one.state()));
    const other = new Stream(stream.state());
    expect(await two.train(batch, other, settings)).toBe(await one.train(batch, stream, settings));
    expect(two.state()).toEqual(one.state());
  });
});
