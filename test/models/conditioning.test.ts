import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  focusWeights,
  logExceedance,
  meanOfNetworks,
  normalizedWeights,
} from '../../src/models/conditioning.js';
import { SearchModel } from '../../src/models/searchModel.js';
import { openEngine, rootKey, Stream } from '../../src/numeric/index.js';
import { normalCdf, normalPdf, normalQuantile } from '../../src/numeric/special.js';
import { SearchSpace } from '../../src/search/searchSpace.js';

describe('the probability of a score above the threshold', () => {
  it('is that of a mixture of Gaussians, by hand', () => {
    // two networks, two designs: [network][design]
    const prediction = { mean: Float64Array.of(1, 0, 3, -1), std: Float64Array.of(0.5, 1, 2, 0.25) };
    const by = logExceedance(prediction, 2, 1);
    const p = (mean: number, std: number) => 1 - normalCdf((1 - mean) / std);
    expect(by[0]).toBeCloseTo(Math.log((0.5 + p(3, 2)) / 2), 12);
    expect(by[1]).toBeCloseTo(Math.log((p(0, 1) + p(-1, 0.25)) / 2), 12);
    expect([...meanOfNetworks(prediction, 2)]).toEqual([2, -0.5]);
  });

  it('stays finite where it underflows', () => {
    const by = logExceedance({ mean: Float64Array.of(-100), std: Float64Array.of(1) }, 1, 0);
    // log(1 - Phi(t)) ~ -t^2/2 - log(t sqrt(2 pi)) - 1/t^2
    expect(by[0]).toBeCloseTo(-5000 - Math.log(100 * Math.sqrt(2 * Math.PI)) - 1e-4, 6);
  });
});

describe('weights of CbAS on one Gaussian column', () => {
  /** Prior N(0, 1), search N(m, s), oracle y = x with noise of deviation t; equally likely points of the search. */
  const [m, s, t, gamma] = [0.7, 1.3, 0.6, 1];
  const n = 20_000;
  const x = Float64Array.from({ length: n }, (_, i) => m + s * normalQuantile((i + 0.5) / n));
  const logRatio = (v: number) => -0.5 * v ** 2 + 0.5 * ((v - m) / s) ** 2 + Math.log(s);
  const tail = logExceedance({ mean: x, std: new Float64Array(n).fill(t) }, n, gamma);
  const logWeights = x.map((v, i) => logRatio(v) + tail[i]!);

  it('are p0(x) / q(x) P(y > gamma | x), by hand', () => {
    const at = 12_345;
    const v = x[at]!;
    const byHand = (normalPdf(v) / (normalPdf((v - m) / s) / s)) * normalCdf((v - gamma) / t);
    expect(Math.exp(logWeights[at]!)).toBeCloseTo(byHand, 12);
  });

  it('make draws of the search a sample of the prior, given a score above the threshold', () => {
    const { weights, effective, exponent } = normalizedWeights(logWeights, 0)!;
    const mean = x.reduce((sum, v, i) => sum + v * weights[i]!, 0);
    const square = x.reduce((sum, v, i) => sum + v * v * weights[i]!, 0);
    // y = x + t e is N(0, 1 + t^2); given y > gamma, E x = rho lambda and E x^2 = 1 + rho^2 a lambda, with
    // rho = 1 / sqrt(1 + t^2), a = gamma rho, lambda = phi(a) / (1 - Phi(a))
    const rho = 1 / Math.sqrt(1 + t * t);
    const a = gamma * rho;
    const lambda = normalPdf(a) / (1 - normalCdf(a));
    expect(mean).toBeCloseTo(rho * lambda, 4);
    expect(square).toBeCloseTo(1 + rho * rho * a * lambda, 3);
    expect(exponent).toBe(1);
    // (E_q w)^2 / E_q w^2
    const [sum, squares] = logWeights.reduce(
      ([one, two], v) => [one + Math.exp(v), two + Math.exp(2 * v)],
      [0, 0],
    );
    expect(effective).toBeCloseTo(sum ** 2 / squares / n, 10);
  });
});

describe('normalised weights', () => {
  it('sum to 1, keep their order and have the effective size that was asked for', () => {
    const logs = fc.array(fc.double({ min: -2000, max: 2000, noNaN: true }), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(logs, fc.double({ min: 0, max: 0.9, noNaN: true }), (values, least) => {
        const found = normalizedWeights(Float64Array.from(values), least)!;
        expect(found.weights.reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 10);
        expect(found.effective).toBeGreaterThanOrEqual(least);
        for (let i = 1; i < values.length; i++) {
          if (values[i]! > values[i - 1]!)
            expect(found.weights[i]!).toBeGreaterThanOrEqual(found.weights[i - 1]!);
        }
      }),
    );
  });

  it('are those of the definition where they are even enough', () => {
    const { weights, effective, exponent } = normalizedWeights(
      Float64Array.of(Math.log(3), Math.log(1), Number.NaN, Number.NEGATIVE_INFINITY),
      0.3,
    )!;
    expect(weights).toBeAllClose([0.75, 0.25, 0, 0], { rtol: 1e-12, atol: 0 });
    expect(effective).toBeCloseTo(1 / (0.75 ** 2 + 0.25 ** 2) / 4, 12);
    expect(exponent).toBe(1);
  });

  it('are flattened no more than needed', () => {
    const logs = Float64Array.of(0, -10, -20, -30);
    const { effective, exponent } = normalizedWeights(logs, 0.5)!;
    expect(effective).toBeCloseTo(0.5, 4);
    expect(exponent).toBeLessThan(1);
    expect(normalizedWeights(logs, 0)!.exponent).toBe(1);
  });

  it('are none where no log-weight is finite', () => {
    expect(normalizedWeights(Float64Array.of(Number.NaN, Number.NEGATIVE_INFINITY), 0)).toBeNull();
  });
});

describe('weights of data rows where the search is', () => {
  it('are ratios to the power 0.2 with mean 1', () => {
    const found = focusWeights(Float64Array.of(0, Math.log(32), Number.NaN, Number.POSITIVE_INFINITY), 0.2)!;
    expect(found).toBeAllClose([4 / 3, 8 / 3, 0, 0], { rtol: 1e-12, atol: 0 });
  });

  it('are none where all ratios vanish', () => {
    // sum v^2 = 2 exp(0.4 r) < 1e-8 from r = -47.8 down
    expect(focusWeights(Float64Array.of(-47, -47), 0.2)).not.toBeNull();
    expect(focusWeights(Float64Array.of(-48, -48), 0.2)).toBeNull();
    expect(focusWeights(Float64Array.of(Number.NaN), 0.2)).toBeNull();
  });
});

describe('the search model', () => {
  it('knows how much likelier a draw was under its prior', async () => {
    await using engine = await openEngine({ kernel: 'reference' });
    const infinite = Number.POSITIVE_INFINITY;
    const space = { columns: [{ kind: 'continuous', lower: -infinite, upper: infinite }] } as const;
    const data = { x: Float64Array.of(-1, 1), y: Float64Array.of(0, 1) }; // mean 0, deviation 1
    const search = new SearchSpace(data, space, { box: null });
    await search.prepare();
    const model = new SearchModel(engine, search, {
      latent: 1,
      hidden: [],
      beta: 1,
      deviation: [0.5, 0.5],
      minibatch: 2,
      samples: 6,
      advice: { training: 'lower the rate', search: 'lower the rate' },
    });
    model.initialize(rootKey(1));
    const state = structuredClone(model.state());
    const { tensors } = state.decoder;
    // x ~ N(0.8, 0.5) now, N(0.2, 0.5) in the prior, whatever z is
    for (const [suffix, mean] of [
      ['', 0.8],
      ['.target', 0.2],
    ] as const) {
      tensors[`layer0.weight${suffix}`]!.data.fill(0);
      tensors[`layer0.bias${suffix}`]!.data.set([mean, 0]);
    }
    model.restore(state);
    const { designs, logRatios } = await model.draw(new Stream(rootKey(2)), 1);
    const expected = designs.map((x) => (((x - 0.8) / 0.5) ** 2 - ((x - 0.2) / 0.5) ** 2) / 2);
    expect(designs.length).toBe(6);
    expect(logRatios).toBeAllClose(expected, { rtol: 1e-12, atol: 1e-12 });
  });
});
