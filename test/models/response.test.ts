import { describe, expect, it } from 'vitest';
import { fromScale, logSlope, type Response, responsesFor, toScale } from '../../src/models/response.js';
import { rootKey, Stream } from '../../src/numeric/index.js';

const stream = new Stream(rootKey(8));
const positive = Float64Array.from({ length: 60 }, () => 1 + 40 * stream.uniform());
const negative = positive.map((y) => -y);
const limits = { lower: 0, upper: 50 };
const kindsOf = (responses: readonly Response[]) => responses.map(({ kind }) => kind);

describe('scales of a score', () => {
  it('are those that the scores allow', () => {
    expect(kindsOf(responsesFor(positive, limits))).toEqual(['plain', 'log', 'root', 'exp', 'logit']);
    expect(kindsOf(responsesFor(negative))).toEqual(['plain', 'log', 'root', 'exp']);
    // no zero to start from, and hardly a ratio
    expect(kindsOf(responsesFor(Float64Array.of(-1, 2, 3)))).toEqual(['plain', 'exp']);
    expect(kindsOf(responsesFor(Float64Array.of(10, 11, 12)))).toEqual(['plain', 'exp']);
  });

  const cases = [
    ...responsesFor(positive, limits).map((response) => ({ name: response.kind, response, y: positive })),
    ...responsesFor(negative).map((response) => ({
      name: `${response.kind} of losses`,
      response,
      y: negative,
    })),
  ];

  it.each(cases)('$name: standardised, rising, and back again', ({ response, y }) => {
    const z = Array.from(y, (score) => toScale(response, score));
    const mean = z.reduce((sum, value) => sum + value, 0) / z.length;
    expect(mean).toBeCloseTo(0, 9);
    expect(z.reduce((sum, value) => sum + (value - mean) ** 2, 0) / z.length).toBeCloseTo(1, 9);
    expect(z.map((value) => fromScale(response, value))).toBeAllClose(y, { rtol: 1e-9, atol: 1e-9 });
    const sorted = Array.from(y).sort((a, b) => a - b);
    for (let i = 1; i < sorted.length; i++)
      expect(toScale(response, sorted[i]!)).toBeGreaterThan(toScale(response, sorted[i - 1]!));
  });

  it.each(cases)('$name: the slope is that of small differences', ({ response, y }) => {
    const step = 1e-5;
    const slopes = Array.from(y, (score) =>
      Math.log((toScale(response, score + step) - toScale(response, score - step)) / (2 * step)),
    );
    expect(Array.from(y, (score) => logSlope(response, score))).toBeAllClose(slopes, { rtol: 0, atol: 1e-6 });
  });

  it('roots go on beyond their origin, rising', () => {
    for (const y of [positive, negative]) {
      const root = responsesFor(y).find(({ kind }) => kind === 'root')!;
      const scores = [-9, -4, -0.01, 0, 0.01, 4, 9];
      const z = scores.map((score) => toScale(root, score));
      expect(z.map((value) => fromScale(root, value))).toBeAllClose(scores, { rtol: 1e-9, atol: 1e-9 });
      for (let i = 1; i < z.length; i++) expect(z[i]!).toBeGreaterThan(z[i - 1]!);
    }
  });

  it.each(cases)('$name: far outside, numbers stay numbers', ({ response }) => {
    for (const z of [-1e6, -50, 50, 1e6]) expect(Number.isNaN(fromScale(response, z))).toBe(false);
    for (const score of [-1e3, 0, 1e3]) expect(Number.isFinite(toScale(response, score))).toBe(true);
  });
});
