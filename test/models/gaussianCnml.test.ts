import { describe, expect, it } from 'vitest';
import { GaussianCnml, nmlDeviation, nmlRegret } from '../../src/models/gaussianCnml.js';
import { openLinearAlgebra, rootKey, Stream } from '../../src/numeric/index.js';
import { encode, fitEncoding } from '../../src/search/encoding.js';

describe('CNML of a normal score with m phantom rows', () => {
  it('is the normalised likelihood of each score under its own fit', () => {
    const [mu, v, noise, m] = [0.3, 0.5, 0.04, 3];
    // the definition: likelihood of y after m rows (x, y), on a fine grid of y
    const g = v / (v + noise / m);
    const ys = Array.from({ length: 80_001 }, (_, i) => mu + (i - 40_000) / 1000);
    const likelihoods = ys.map((y) => {
      const fitted = mu + g * (y - mu);
      return Math.exp((-0.5 * (y - fitted) ** 2) / noise) / Math.sqrt(2 * Math.PI * noise);
    });
    const total = likelihoods.reduce((sum, p) => sum + p, 0) / 1000;
    expect(nmlRegret(v, noise, m)).toBeCloseTo(Math.log(total), 6);
    const variance = likelihoods.reduce((sum, p, i) => sum + p * (ys[i]! - mu) ** 2, 0) / 1000 / total;
    expect(nmlDeviation(v, noise, m)).toBeCloseTo(Math.sqrt(variance), 4);
    expect(nmlRegret(v, noise, 1)).toBeCloseTo(Math.log1p(v / noise), 12);
  });

  it('climbs the slope of its estimate, and knows less far from the data', async () => {
    const linalg = await openLinearAlgebra({ kernel: 'reference' });
    const stream = new Stream(rootKey(1));
    const N = 60;
    const x = Float64Array.from({ length: 2 * N }, () => 2 * stream.uniform() - 1);
    const y = Float64Array.from({ length: N }, (_, i) => -(x[2 * i]! ** 2) - 0.5 * x[2 * i + 1]! ** 2);
    const column = { kind: 'continuous', lower: -3, upper: 3 } as const;
    const encoding = fitEncoding({ x, y }, { columns: [column, column] }, { box: null });
    const parameters = encode(encoding, x);
    const order = Array.from(y.keys()).sort((a, b) => y[b]! - y[a]!);
    const hiddenRows = Int32Array.from(order.slice(0, 12));
    const cnml = new GaussianCnml(linalg, { encoding, parameters, scores: y, hiddenRows }, rootKey(2));
    const at = Float64Array.of(0.5, 0.3);
    const m = [2];
    const { slopes } = cnml.estimate(at, m);
    for (const j of [0, 1]) {
      const moved = (h: number) =>
        cnml.estimate(
          at.map((v, i) => (i === j ? v + h : v)),
          m,
        ).mean[0]!;
      // estimates are of 0 to 1, slopes of standardised scores: their ratio is the range
      const slope = (moved(1e-4) - moved(-1e-4)) / 2e-4;
      const { min, max } = { min: Math.min(...y), max: Math.max(...y) };
      const mean = y.reduce((sum, v) => sum + v, 0) / N;
      const deviation = Math.sqrt(y.reduce((sum, v) => sum + (v - mean) ** 2, 0) / N);
      expect(slopes[j]!).toBeCloseTo((slope * (max - min)) / deviation, 3);
    }
    const near = cnml.estimate(Float64Array.of(0, 0), [1]).mean[0]!;
    const far = cnml.estimate(Float64Array.of(9, 9), [1]).mean[0]!;
    expect(near).toBeGreaterThan(0.9);
    expect(far).toBeGreaterThan(0.4); // the middle of the range
    expect(far).toBeLessThan(0.6);
    expect(cnml.calibrated).toBeGreaterThanOrEqual(0);
  });
});
