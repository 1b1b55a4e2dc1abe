import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArgumentError } from '../../src/numeric/errors.js';
import * as portable from '../../src/numeric/portable.js';

interface Golden {
  readonly functions: Record<string, { readonly x: number[]; readonly y: number[] }>;
  readonly powers: readonly (readonly [x: number, n: number, y: number])[];
}

const golden: Golden = JSON.parse(readFileSync(new URL('../golden/special.json', import.meta.url), 'utf8'));
const { POSITIVE_INFINITY: INF, NEGATIVE_INFINITY: NEG_INF, NaN: NAN, MIN_VALUE: TINY } = Number;

/** [function, how many floats it may be from the one nearest to the exact value] */
const functions = {
  portableLog: [portable.portableLog, 1],
  portableExp: [portable.portableExp, 1],
  portableLog1p: [portable.portableLog1p, 1],
  portableExpm1: [portable.portableExpm1, 1],
  portableTanh: [portable.portableTanh, 2],
  portableSinPi: [portable.portableSinPi, 3],
} as const;

const float = new DataView(new ArrayBuffer(8));

/** Place of x among all floats, in order; -0 and 0 share one. */
function placeOf(x: number): bigint {
  float.setFloat64(0, Math.abs(x));
  const place = float.getBigInt64(0);
  return x < 0 ? -place : place;
}

/** How many floats from a to b. */
function steps(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b) ? 0 : INF;
  return Math.abs(Number(placeOf(a) - placeOf(b)));
}

describe('against mpmath', () => {
  it('covers every function of one number', () => {
    const names = Object.keys(golden.functions).filter((name) => name.startsWith('portable'));
    expect(names.sort()).toEqual(Object.keys(functions).sort());
  });

  it.each(Object.entries(functions))('%s', (name, [f, most]) => {
    const { x, y } = golden.functions[name]!;
    expect(x.length).toBeGreaterThan(15);
    const far = x.filter((v, i) => steps(f(v), y[i]!) > most);
    expect(far).toEqual([]);
  });

  it('portablePower is the nearest float', () => {
    expect(golden.powers.length).toBeGreaterThan(20);
    for (const [x, n, y] of golden.powers) expect(portable.portablePower(x, n), `${x}^${n}`).toBe(y);
  });
});

describe('against the engine', () => {
  // The engine itself is allowed a wrong last bit: one more float than in the table.
  const normal = { noNaN: true, noDefaultInfinity: true } as const;
  const cases: [keyof typeof functions, (x: number) => number, fc.Arbitrary<number>][] = [
    ['portableLog', Math.log, fc.double({ ...normal, min: TINY, max: 1.7e308 })],
    ['portableLog', Math.log, fc.double({ ...normal, min: 0.25, max: 4 })],
    ['portableExp', Math.exp, fc.double({ ...normal, min: -745, max: 709 })],
    ['portableLog1p', Math.log1p, fc.double({ ...normal, min: -0.9999999, max: 1.7e308 })],
    ['portableLog1p', Math.log1p, fc.double({ ...normal, min: -0.75, max: 3 })],
    ['portableExpm1', Math.expm1, fc.double({ ...normal, min: -50, max: 709 })],
    ['portableExpm1', Math.expm1, fc.double({ ...normal, min: -3, max: 3 })],
    ['portableTanh', Math.tanh, fc.double({ ...normal, min: -25, max: 25 })],
  ];

  it.each(cases)('%s (%#)', (name, engine, numbers) => {
    const [f, most] = functions[name];
    fc.assert(
      fc.property(numbers, (x) => {
        expect(steps(f(x), engine(x))).toBeLessThanOrEqual(most + 1);
      }),
      { seed: 4, numRuns: 500 },
    );
  });

  it('portablePower', () => {
    fc.assert(
      fc.property(fc.double({ ...normal, min: 0.5, max: 2 }), fc.nat(1000), (x, n) => {
        // the engine's error of x^n grows with n log x
        expect([portable.portablePower(x, n)]).toBeAllClose([x ** n], { rtol: 1e-13, atol: 0 });
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});

describe('at the edges', () => {
  const table: Record<keyof typeof functions, [x: number, y: number][]> = {
    portableLog: [
      [0, NEG_INF],
      [-0, NEG_INF],
      [1, 0],
      [INF, INF],
      [-TINY, NAN],
      [-1, NAN],
      [NEG_INF, NAN],
    ],
    portableExp: [
      [NEG_INF, 0],
      [-746, 0],
      [-745.13, TINY],
      [0, 1],
      [-0, 1],
      [TINY, 1],
      [710, INF],
      [INF, INF],
    ],
    portableLog1p: [
      [-1, NEG_INF],
      [-0, -0],
      [0, 0],
      [TINY, TINY],
      [-TINY, -TINY],
      [INF, INF],
      [-1.0000000000000002, NAN],
      [NEG_INF, NAN],
    ],
    portableExpm1: [
      [NEG_INF, -1],
      [-800, -1],
      [-0, -0],
      [0, 0],
      [TINY, TINY],
      [-TINY, -TINY],
      [710, INF],
      [INF, INF],
    ],
    portableTanh: [
      [NEG_INF, -1],
      [-0, -0],
      [0, 0],
      [TINY, TINY],
      [1e-9, 1e-9],
      [400, 1],
      [INF, 1],
    ],
    portableSinPi: [
      [0, 0],
      [12, 0],
      [0.5, 1],
      [1.5, -1],
      [-0.5, -1],
      [6.5, 1],
      [INF, NAN],
      [NEG_INF, NAN],
    ],
  };

  it.each(Object.entries(table))('%s', (name, rows) => {
    const [f] = functions[name as keyof typeof table];
    expect(rows.map(([x]) => f(x))).toEqual(rows.map(([, y]) => y));
    expect(f(NAN)).toBeNaN();
  });

  it('portablePower', () => {
    const bases = [0, -0, INF, NEG_INF, 1, -1];
    const powers = (n: number) => bases.map((x) => portable.portablePower(x, n));
    expect(powers(0)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(powers(2)).toEqual([0, 0, INF, INF, 1, 1]);
    expect(powers(3)).toEqual([0, -0, INF, NEG_INF, 1, -1]);
    expect([portable.portablePower(NAN, 0), portable.portablePower(NAN, 3)]).toEqual([1, NAN]);
    expect([portable.portablePower(-10, 309), portable.portablePower(-10, 310)]).toEqual([NEG_INF, INF]);
    expect([portable.portablePower(-0.1, 325), portable.portablePower(0.5, 1e9)]).toEqual([-0, 0]);
    for (const n of [-1, 0.5, NAN, INF])
      expect(() => portable.portablePower(2, n)).toThrow(
        new ArgumentError('n', `n is ${n}; expected a whole number >= 0`),
      );
  });

  it('powerOfTwo', () => {
    const powers = [-1074, -1073, -1, 0, 1, 10, 1023].map(portable.powerOfTwo);
    expect(powers).toEqual([TINY, 2 * TINY, 0.5, 1, 2, 1024, 8.98846567431158e307]);
  });
});

describe('portableSinPi', () => {
  it('is 0 at whole numbers', () => {
    for (const n of [-7, -2, 0, 1, 12, 1e9]) expect(Math.abs(portable.portableSinPi(n))).toBe(0);
  });

  it('agrees with the engine, as far as pi x itself is exact', () => {
    fc.assert(
      fc.property(fc.double({ min: -20, max: 20, noNaN: true }), (x) => {
        expect(Math.abs(portable.portableSinPi(x) - Math.sin(Math.PI * x))).toBeLessThan(4e-14);
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: -0.5, max: 0.5, noNaN: true }), (x) => {
        expect(Math.abs(portable.portableSinPi(x) - Math.sin(Math.PI * x))).toBeLessThan(4e-16);
      }),
    );
  });
});

describe('portableTanh', () => {
  it('is tanh', () => {
    const x = Array.from({ length: 4001 }, (_, i) => (i - 2000) / 100);
    expect(x.map(portable.portableTanh)).toBeAllClose(x.map(Math.tanh), { rtol: 4e-16, atol: 0 });
  });

  it('is odd and between -1 and 1', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (x) => {
        expect(portable.portableTanh(-x)).toBe(-portable.portableTanh(x));
        expect(Math.abs(portable.portableTanh(x))).toBeLessThanOrEqual(Math.min(1, Math.abs(x)));
      }),
    );
  });
});
