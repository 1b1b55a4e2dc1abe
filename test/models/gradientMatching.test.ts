import { describe, expect, it } from 'vitest';
import { drawPath, GradientMatching, riseAlong } from '../../src/models/gradientMatching.js';
import { apply, scale, sumColumns, value } from '../../src/numeric/graph.js';
import { openEngine, rootKey, Stream, standardize } from '../../src/numeric/index.js';
import { fitStandardization } from '../../src/numeric/stats.js';
import { encode, fitEncoding } from '../../src/search/encoding.js';
import type { Space } from '../../src/space/space.js';

describe('the rise along a line', () => {
  it('is the left sum of the slopes, and comes to the difference of the values', async () => {
    await using engine = await openEngine({ kernel: 'reference' });
    const matrix = (name: string, values: number[]) => {
      const variable = engine.variable(name, { rows: 2, columns: 2 });
      variable.write(values);
      return value(variable);
    };
    const from = matrix('from', [0, 1, -1, 0.5]);
    const to = matrix('to', [2, 2, -1, 1.5]);
    // f(x) = sum_j exp(x_j / 2): slopes exp(x_j / 2) / 2
    const rises = async (points: number) => {
      const rise = riseAlong((x) => sumColumns(apply('exp', scale(x, 0.5))), from, to, points);
      const found = engine.variable('found', { rows: 2, columns: 1, models: 1 });
      await engine.compile('rise', [[{ kind: 'store', to: found, from: rise }]]).run();
      return [...found.read()];
    };
    const { exp } = Math;
    expect(await rises(1)).toBeAllClose([2 * 0.5 + 0.5 * exp(0.5), 0.5 * exp(0.25)], {
      rtol: 1e-12,
      atol: 0,
    });
    expect(await rises(2)).toBeAllClose(
      [(1 + 0.5 * exp(0.5) + exp(0.5) + 0.5 * exp(0.75)) / 2, (0.5 * exp(0.25) + 0.5 * exp(0.5)) / 2],
      { rtol: 1e-12, atol: 0 },
    );
    // the error of a left sum is half a step of the change of the integrand
    const whole = [exp(1) + exp(1) - 1 - exp(0.5), exp(0.75) - exp(0.25)];
    const change = [exp(1) + 0.5 * exp(1) - 1 - 0.5 * exp(0.5), 0.5 * (exp(0.75) - exp(0.25))];
    expect(await rises(200)).toBeAllClose(
      whole.map((v, i) => v - change[i]! / 400),
      { rtol: 1e-5, atol: 0 },
    );
  });
});

describe('a path', () => {
  it('has one row of each part of the scores, from worst to best', () => {
    const order = [4, 2, 0, 5, 1, 3, 6];
    const parts = [
      [4, 2],
      [0, 5],
      [1, 3, 6],
    ];
    const seen = new Set<number>();
    for (let seed = 0; seed < 60; seed++) {
      const path = drawPath(order, 3, new Stream(rootKey(seed)));
      expect(path).toHaveLength(3);
      path.forEach((row, q) => {
        expect(parts[q]).toContain(row);
        seen.add(row);
      });
    }
    expect(seen.size).toBe(7);
  });
});

describe('a network that matches gradients', () => {
  const [N, P, H, S] = [12, 2, 3, 4];
  const space: Space = {
    columns: Array.from({ length: P }, () => ({ kind: 'continuous', lower: -9, upper: 9 })),
  };
  const x = new Float64Array(N * P);
  new Stream(rootKey(3)).fillNormal(x, 0, 1);
  const y = Float64Array.from({ length: N }, (_, i) => Math.sin(2 * x[P * i]!) + 0.5 * x[P * i + 1]!);
  const encoding = fitEncoding({ x, y }, space, { box: null });
  const parameters = encode(encoding, x);
  const targets = standardize(y, fitStandardization(y, 1));
  const order = [...y.keys()].sort((a, b) => y[a]! - y[b]!);

  /** The loss, written out for one hidden layer of softplus units with weights in one list. */
  function lossOf(theta: readonly number[], path: ArrayLike<number>): number {
    const [w1, b1] = [theta.slice(0, P * H), theta.slice(P * H, P * H + H)];
    const [w2, b2] = [theta.slice(P * H + H, P * H + 2 * H), theta.at(-1)!];
    const at = (row: number) => [...parameters.subarray(P * row, P * row + P)];
    const z = (point: number[], h: number) => point.reduce((sum, v, j) => sum + v * w1[j * H + h]!, b1[h]!);
    const f = (point: number[]) => w2.reduce((sum, w, h) => sum + w * Math.log1p(Math.exp(z(point, h))), b2);
    const slopes = (point: number[]) =>
      point.map((_, j) =>
        w2.reduce((sum, w, h) => sum + (w * w1[j * H + h]!) / (1 + Math.exp(-z(point, h))), 0),
      );
    let values = 0;
    let rises = 0;
    for (let k = 0; k < path.length; k++) {
      values += (f(at(path[k]!)) - targets[path[k]!]!) ** 2 / path.length;
      if (k + 1 === path.length) break;
      const [u, v] = [at(path[k]!), at(path[k + 1]!)];
      let rise = 0;
      for (let s = 0; s < S; s++) {
        const g = slopes(u.map((c, j) => c + (s / S) * (v[j]! - c)));
        rise += g.reduce((sum, slope, j) => sum + slope * (v[j]! - u[j]!), 0) / S;
      }
      rises += (targets[path[k + 1]!]! - targets[path[k]!]! - rise) ** 2 / (path.length - 1);
    }
    return values + rises;
  }

  it('takes the gradient of its loss in all weights', async () => {
    await using engine = await openEngine({ kernel: 'reference' });
    const network = new GradientMatching(engine, {
      encoding,
      hidden: [H],
      activation: 'softplus',
      parameters,
      y,
      batchSize: 4,
      buckets: 5,
      points: S,
      trainRate: 0.01,
    });
    network.initialize(rootKey(1));
    const before = network.state().network.tensors;
    const names = ['layer0.weight', 'layer0.bias', 'layer1.weight', 'layer1.bias'];
    const theta = names.flatMap((name) => [...before[name]!.data]);
    await network.train(new Stream(rootKey(2)));
    const path = drawPath(order, 5, new Stream(rootKey(2)));
    const after = network.state();
    // Adam's first moment after one step is a tenth of the gradient
    const found = names
      .flatMap((name) => [...after.network.tensors[`${name}.first`]!.data])
      .map((m) => 10 * m);
    const expected = theta.map(
      (v, i) => (lossOf(theta.with(i, v + 1e-5), path) - lossOf(theta.with(i, v - 1e-5), path)) / 2e-5,
    );
    expect(found).toBeAllClose(expected, { rtol: 1e-5, atol: 1e-7 });
    expect(after.mismatch).toBeGreaterThan(0);
  });
});
