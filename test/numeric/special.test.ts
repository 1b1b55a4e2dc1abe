import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as special from '../../src/numeric/special.js';

interface Golden {
  readonly mpmath: string;
  readonly functions: Record<string, { readonly x: number[]; readonly y: number[] }>;
}

const golden: Golden = JSON.parse(readFileSync(new URL('../golden/special.json', import.meta.url), 'utf8'));
const { POSITIVE_INFINITY: INF, NEGATIVE_INFINITY: NEG_INF, NaN: NAN } = Number;

const scalar = {
  softplus: special.softplus,
  sigmoid: special.sigmoid,
  logSigmoid: special.logSigmoid,
  log1mexp: special.log1mexp,
  erf: special.erf,
  erfc: special.erfc,
  erfcx: special.erfcx,
  normalPdf: special.normalPdf,
  normalLogPdf: special.normalLogPdf,
  normalCdf: special.normalCdf,
  normalLogCdf: special.normalLogCdf,
  normalQuantile: special.normalQuantile,
};

describe('against mpmath', () => {
  it('covers every scalar function', () => {
    expect(golden.mpmath).toMatch(/^\d+\.\d+/);
    const names = Object.keys(golden.functions).filter((name) => !name.startsWith('portable'));
    expect(names.sort()).toEqual(Object.keys(scalar).sort());
  });

  it.each(Object.entries(scalar))('%s', (name, f) => {
    const { x, y } = golden.functions[name];
    expect(x.length).toBeGreaterThan(15);
    // About twice the worst error seen on a dense grid; atol is one subnormal step.
    expect(x.map(f)).toBeAllClose(y, { rtol: 2e-15, atol: 5e-324 });
  });
});

describe('at the edges', () => {
  // Columns: -Infinity, -1e4, -40, 0, 40, 1e4, Infinity. The finite ones are float64 of the exact value.
  const points = [NEG_INF, -1e4, -40, 0, 40, 1e4, INF];
  const table: Record<Exclude<keyof typeof scalar, 'normalQuantile'>, number[]> = {
    softplus: [0, 0, 4.248354255291589e-18, Math.LN2, 40, 1e4, INF],
    sigmoid: [0, 0, 4.248354255291589e-18, 0.5, 1, 1, 1],
    logSigmoid: [NEG_INF, -1e4, -40, -Math.LN2, -4.248354255291589e-18, 0, 0],
    log1mexp: [NAN, NAN, NAN, NEG_INF, -4.248354255291589e-18, 0, 0],
    erf: [-1, -1, -1, 0, 1, 1, 1],
    erfc: [2, 2, 2, 1, 0, 0, 0],
    erfcx: [INF, INF, INF, 1, 0.014100335983377814, 5.641895807268084e-5, 0],
    normalPdf: [0, 0, 0, 0.3989422804014327, 0, 0, 0],
    normalLogPdf: [
      NEG_INF,
      -50000000.91893853,
      -800.9189385332047,
      -0.9189385332046728,
      -800.9189385332047,
      -50000000.91893853,
      NEG_INF,
    ],
    normalCdf: [0, 0, 0, 0.5, 1, 1, 1],
    normalLogCdf: [NEG_INF, -50000010.12927891, -804.6084420137538, -Math.LN2, 0, 0, 0],
  };

  it.each(Object.entries(table))('%s', (name, expected) => {
    const f = scalar[name as keyof typeof table];
    const actual = points.map(f);
    expect(actual.map(Number.isNaN)).toEqual(expected.map(Number.isNaN));
    const defined = (v: number) => !Number.isNaN(v);
    expect(actual.filter(defined)).toBeAllClose(expected.filter(defined), { rtol: 1e-15, atol: 5e-324 });
    expect(f(NAN)).toBeNaN();
  });

  it('normalQuantile', () => {
    expect([0, 0.5, 1].map(special.normalQuantile)).toEqual([NEG_INF, 0, INF]);
    for (const p of [-1e-300, 1.0000000000000002, INF, NEG_INF, NAN])
      expect(special.normalQuantile(p)).toBeNaN();
  });
});

describe('logAddExp and logSumExp', () => {
  const cases: [number, number, number][] = [
    [0, 0, Math.LN2],
    [1e4, 1e4, 1e4 + Math.LN2],
    [-1e4, -1e4 - 40, -1e4],
    [0, -40, 4.248354255291589e-18],
    [3, 1, 3.1269280110429727],
    [INF, INF, INF],
    [INF, NEG_INF, INF],
    [NEG_INF, NEG_INF, NEG_INF],
    [NEG_INF, -7, -7],
  ];

  it.each(cases)('of %d and %d', (a, b, expected) => {
    const actual = [
      special.logAddExp(a, b),
      special.logAddExp(b, a),
      special.logSumExp([a, b]),
      special.logSumExp([b, a]),
    ];
    expect(actual).toBeAllClose(Array(4).fill(expected), { rtol: 1e-15, atol: 0 });
  });

  it('of none, one, many and NaN', () => {
    expect(special.logSumExp([])).toBe(NEG_INF);
    expect(special.logSumExp([-1e4])).toBe(-1e4);
    expect(special.logSumExp(new Float32Array(1000).fill(-500))).toBeCloseTo(-500 + Math.log(1000), 11);
    expect(special.logSumExp([1, NAN, INF])).toBeNaN();
    expect(special.logAddExp(NAN, INF)).toBeNaN();
  });

  it('shifts with its arguments', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -20, max: 20, noNaN: true }), { minLength: 1, maxLength: 8 }),
        fc.double({ min: -1000, max: 1000, noNaN: true }),
        (values, shift) => {
          const moved = special.logSumExp(values.map((v) => v + shift));
          expect([moved]).toBeAllClose([special.logSumExp(values) + shift], { rtol: 1e-15, atol: 1e-12 });
        },
      ),
      { seed: 1 },
    );
  });
});

describe('identities', () => {
  it('the quantile inverts the distribution function', () => {
    fc.assert(
      fc.property(fc.double({ min: -37, max: 5, noNaN: true }), (x) => {
        // Rounding p moves x by ulp(p) / φ(x), which is what limits x > 0.
        const limit = x > 0 ? 2 ** -53 / special.normalPdf(x) : 0;
        const p = special.normalCdf(x);
        expect([special.normalQuantile(p)]).toBeAllClose([x], { rtol: 2e-15, atol: 2e-15 + 4 * limit });
      }),
      { seed: 2 },
    );
  });

  it('complements add up and signs mirror', () => {
    fc.assert(
      fc.property(fc.double({ min: -30, max: 30, noNaN: true }), (x) => {
        expect(special.erf(-x)).toBe(-special.erf(x));
        expect([
          special.erf(x) + special.erfc(x),
          special.sigmoid(x) + special.sigmoid(-x),
          special.normalCdf(x) + special.normalCdf(-x),
        ]).toBeAllClose([1, 1, 1], { rtol: 1e-15, atol: 0 });
        expect([special.softplus(x) - special.softplus(-x)]).toBeAllClose([x], { rtol: 1e-15, atol: 1e-14 });
      }),
      { seed: 3 },
    );
  });
});
