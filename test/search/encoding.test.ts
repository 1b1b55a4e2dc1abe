import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  centringShift,
  constraintsOf,
  decode,
  encode,
  fitEncoding,
  hasGrid,
  isBounded,
  modelInputs,
  modelInputsOf,
  project,
  roundToGrid,
} from '../../src/search/encoding.js';
import { violations } from '../../src/space/index.js';
import type { Space, SpaceColumn } from '../../src/space/space.js';
import { compute } from '../numeric/compute.js';
import { logSpace, streamOf } from '../space/randomSpaces.js';

const number = (lower: number, upper: number): SpaceColumn => ({ kind: 'continuous', lower, upper });
const classes = (count: number): SpaceColumn => ({ kind: 'categorical', classes: count });
const mixed: Space = { columns: [classes(3), number(0, 10), number(-5, 5), classes(2), classes(2)] };
const data = {
  x: Float64Array.of(2, 1, -4, 0, 1, 0, 3, 0, 1, 1, 1, 8, 4, 0, 0),
  y: Float64Array.of(1, 2, 3),
};

const rowsOf = (x: Float64Array, d: number) =>
  Array.from({ length: x.length / d }, (_, i) => x.subarray(i * d, (i + 1) * d));

describe('the encoding of designs', () => {
  it('standardises numbers and softens classes', () => {
    const encoding = fitEncoding(data, mixed, { box: null });
    expect(encoding.parameters).toBe(3 + 1 + 1 + 2 + 2);
    const encoded = encode(encoding, data.x);
    const inputs = modelInputs(encoding, encoded);
    const row = inputs.subarray(0, 9);
    // mean 4, population sd of (1, 3, 8) = sqrt(26/3); mean 0, sd of (-4, 0, 4) = sqrt(32/3)
    const rest3 = 0.4 / 3;
    expect(row).toBeAllClose(
      [rest3, rest3, 0.6 + rest3, -3 / Math.sqrt(26 / 3), -4 / Math.sqrt(32 / 3), 0.8, 0.2, 0.2, 0.8],
      { rtol: 1e-12, atol: 1e-15 },
    );
  });

  it('decodes what it encoded, for any mixture of columns', () => {
    const column = fc.oneof(
      fc.record({
        kind: fc.constant('continuous' as const),
        lower: fc.constant(-100),
        upper: fc.constant(100),
      }),
      fc.record({ kind: fc.constant('categorical' as const), classes: fc.integer({ min: 1, max: 5 }) }),
    );
    fc.assert(
      fc.property(
        fc.array(column, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 5 }),
        fc.nat(),
        (columns, n, salt) => {
          const x = Float64Array.from({ length: n * columns.length }, (_, i) => {
            const c = columns[i % columns.length]!;
            const draw = (Math.imul(i + 1, 2654435761) + salt) >>> 0;
            return c.kind === 'continuous' ? (draw % 2000) / 10 - 100 : draw % c.classes;
          });
          const encoding = fitEncoding({ x, y: new Float64Array(n) }, { columns }, { box: null });
          expect(decode(encoding, encode(encoding, x))).toBeAllClose(x, { rtol: 1e-12, atol: 1e-12 });
        },
      ),
      { seed: 7, numRuns: 200 },
    );
  });

  it('says what centres the inputs of classes, and leaves numbers where they are', () => {
    const encoding = fitEncoding(data, mixed, { box: null });
    const inputs = modelInputs(encoding, encode(encoding, data.x));
    const shift = centringShift(encoding, inputs)!;
    // the classes 2, 0, 1 of the first column are even; of 0, 1, 0 in the fourth two thirds are the first class
    const [high, low] = [0.8, 0.2];
    const uneven = [(2 * high + low) / 3, (high + 2 * low) / 3];
    const third = -1 / 3;
    expect(shift).toBeAllClose(
      [third, third, third, 0, 0, -uneven[0]!, -uneven[1]!, -uneven[1]!, -uneven[0]!],
      { rtol: 1e-12, atol: 1e-12 },
    );
    const plain = fitEncoding(
      { x: Float64Array.of(1, 2), y: Float64Array.of(1, 2) },
      { columns: [number(0, 3)] },
      { box: null },
    );
    expect(centringShift(plain, Float64Array.of(-1, 1))).toBeUndefined();
  });

  it('as an expression is the same softmax', async () => {
    const encoding = fitEncoding(data, mixed, { box: null });
    const encoded = encode(encoding, data.x).map((v, i) => v + Math.sin(i));
    const [inputs] = await compute({
      kernel: 'reference',
      inputs: { x: { rows: 3, columns: 9, values: encoded } },
      build: ({ x }) => [modelInputsOf(encoding, x)],
    });
    expect(inputs!).toBeAllClose(modelInputs(encoding, encoded), { rtol: 1e-12, atol: 1e-15 });
  });

  it('keeps designs between percentiles of the data, and inside the space whatever happens', () => {
    const x = Float64Array.from({ length: 101 }, (_, i) => i);
    const wide = { columns: [number(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)] };
    const encoding = fitEncoding({ x, y: x }, wide, { box: 0.05 });
    const far = Float64Array.of(-99, 0, 99);
    project(encoding, far);
    expect(decode(encoding, far)).toBeAllClose([5, 50, 95], { rtol: 1e-12, atol: 0 });
    expect(isBounded(encoding)).toBe(true);
    expect(isBounded(fitEncoding({ x, y: x }, wide, { box: null }))).toBe(false);
    const narrow = fitEncoding({ x, y: x }, { columns: [number(20, 30)] }, { box: 0.01 });
    expect([...decode(narrow, [-99, 99])]).toEqual([20, 30]);
    const apart = fitEncoding({ x, y: x }, { columns: [number(200, 300)] }, { box: 0.01 });
    const moved = Float64Array.of(0);
    project(apart, moved);
    expect(decode(apart, moved)[0]).toBeCloseTo(200, 9);
  });

  it('rounds grid columns to the nearest grid point between the bounds, and no others', () => {
    const grid: SpaceColumn = { kind: 'continuous', lower: -1, upper: 9.5, step: 2 };
    const space: Space = { columns: [classes(2), number(0, 10), grid] };
    const rows = { x: Float64Array.of(0, 1, -1, 1, 4, 3, 0, 9, 7), y: Float64Array.of(1, 2, 3) };
    const encoding = fitEncoding(rows, space, { box: null });
    expect(hasGrid(encoding)).toBe(true);
    expect(hasGrid(fitEncoding(data, mixed, { box: null }))).toBe(false);
    const coarse: Space = { columns: [classes(2), number(0, 10), { ...grid, step: 3 }] };
    expect(hasGrid(fitEncoding(rows, coarse, { box: null }))).toBe(false);
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -30, max: 30, noNaN: true }), { minLength: 4, maxLength: 4 }),
        (z) => {
          const given = Float64Array.from(z);
          const rounded = roundToGrid(encoding, given);
          expect([...given]).toEqual(z);
          expect([...rounded.subarray(0, 3)]).toEqual(z.slice(0, 3));
          const raw = encoding.mean[2]! + encoding.scale[2]! * z[3]!;
          const nearest = [-1, 1, 3, 5, 7, 9].sort((a, b) => Math.abs(a - raw) - Math.abs(b - raw))[0]!;
          expect(decode(encoding, rounded)[2]).toBeCloseTo(nearest, 9);
          expect(roundToGrid(encoding, rounded)).toBeAllClose(rounded, { rtol: 0, atol: 1e-12 });
        },
      ),
      { seed: 3 },
    );
    expect(roundToGrid(encoding, Float32Array.of(0, 0, 0, 0.01))).toBeInstanceOf(Float32Array);
    const decades: Space = {
      columns: [{ kind: 'continuous', lower: 1, upper: 1000, step: 1, scale: 'log' }],
    };
    const spread = Float64Array.of(1, 30, 900);
    const log = fitEncoding({ x: spread, y: spread }, decades, { box: null });
    const near = Float64Array.from([1.2, 29.6, 900.4], (v) => (Math.log(v) - log.mean[0]!) / log.scale[0]!);
    expect(decode(log, roundToGrid(log, near))).toBeAllClose([1, 30, 900], { rtol: 1e-12, atol: 0 });
  });

  it('standardises the logarithm of a logarithmic column', () => {
    const space: Space = { columns: [{ kind: 'continuous', lower: 1e-3, upper: 1e3, scale: 'log' }] };
    const x = Float64Array.of(0.01, 1, 100);
    const encoding = fitEncoding({ x, y: x }, space, { box: null });
    // logarithms -2, 0, 2 times log 10: mean 0, population sd sqrt(8/3) log 10
    const one = 2 / Math.sqrt(8 / 3);
    expect(encode(encoding, x)).toBeAllClose([-one, 0, one], { rtol: 1e-12, atol: 1e-15 });
    expect([...decode(encoding, [-1e4, 1e4])]).toEqual([1e-3, 1e3]);
    const boxed = fitEncoding({ x, y: x }, space, { box: 0.25 });
    // quartiles of -2, 0, 2 decades are -1 and 1
    expect(decode(boxed, [boxed.lower[0]!, boxed.upper[0]!])).toBeAllClose([0.1, 10], {
      rtol: 1e-12,
      atol: 0,
    });
    expect(() => encode(encoding, [0])).toThrow('column 0 has value 0; a logarithmic scale takes positive');
    expect(() => fitEncoding({ x: Float64Array.of(-1), y: x.slice(0, 1) }, space, { box: null })).toThrow(
      'value -1',
    );
    const zero: Space = { columns: [{ kind: 'continuous', lower: 0, upper: 1, scale: 'log' }] };
    expect(() => fitEncoding({ x, y: x }, zero, { box: null })).toThrow('lower bound 0');
  });

  it('decodes what it encoded over 600 decades', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -300, max: 300, noNaN: true }), { minLength: 2, maxLength: 8 }),
        (exponents) => {
          const x = Float64Array.from(exponents, (e) => 10 ** e);
          const [lower, upper] = [Math.min(...x), Math.max(...x)];
          const space: Space = { columns: [{ kind: 'continuous', lower, upper, scale: 'log' }] };
          const encoding = fitEncoding({ x, y: x }, space, { box: null });
          const back = decode(encoding, encode(encoding, x));
          // an error of e in the logarithm is one of e in the ratio; logarithms up to 691 have 1e-13
          expect(back).toBeAllClose(x, { rtol: 1e-12, atol: 0 });
          expect(Math.min(...back)).toBeGreaterThanOrEqual(lower);
          expect(Math.max(...back)).toBeLessThanOrEqual(upper);
        },
      ),
      { seed: 7, numRuns: 300 },
    );
  });

  it('holds constraints on logarithmic columns and lists, and leaves lists open in between', async () => {
    const broken: string[] = [];
    let open = 0;
    for (let index = 0; index < 60; index++) {
      const stream = streamOf('encoded', index);
      const { space, known } = logSpace(stream);
      const { listed, ...rest } = space;
      const d = known.length;
      const lists = listed![0]!;
      const x = Float64Array.from([...known, ...known]);
      lists.columns.forEach((j, i) => (x[d + j] = lists.rows[3 + i]!));
      const encoding = fitEncoding({ x, y: Float64Array.of(0, 1) }, space, { box: null });
      const constraints = await constraintsOf(encoding);
      const moved = encode(encoding, x).map((v) => v + stream.normal());
      for (const row of rowsOf(constraints!.settle(moved), d)) broken.push(...violations(space, row));
      constraints!.hold(moved);
      const columns = space.columns.map((column): SpaceColumn => {
        if (column.kind === 'categorical') return column;
        const { step: _step, ...free } = column;
        return free;
      });
      for (const row of rowsOf(decode(encoding, moved), d)) {
        broken.push(...violations({ ...rest, columns }, row));
        open += violations({ columns, listed: [lists] }, row).length;
      }
    }
    expect(broken).toEqual([]);
    expect(open).toBeGreaterThan(100);
  });

  it('leaves a constant column where it is', () => {
    const x = Float64Array.of(0.1, 0.1, 0.1);
    const encoding = fitEncoding({ x, y: x }, { columns: [number(0, 1)] }, { box: 0.01 });
    const moved = Float64Array.of(5);
    project(encoding, moved);
    expect(decode(encoding, moved)[0]).toBeCloseTo(0.1, 12);
  });

  it('refuses what does not fit, by name', () => {
    expect(() =>
      fitEncoding({ x: Float64Array.of(1), y: Float64Array.of(1) }, { columns: [] }, { box: null }),
    ).toThrow('no columns');
    expect(() =>
      fitEncoding(
        { x: Float64Array.of(1, 2, 3), y: Float64Array.of(1) },
        { columns: [number(0, 1)] },
        { box: null },
      ),
    ).toThrow('x has 3 numbers');
    expect(() =>
      fitEncoding({ x: Float64Array.of(3), y: Float64Array.of(1) }, { columns: [classes(3)] }, { box: null }),
    ).toThrow('column 0 has class 3; expected 0 to 2');
    expect(() =>
      fitEncoding(
        { x: Float64Array.of(3), y: Float64Array.of(1) },
        { columns: [number(1, 0)] },
        { box: null },
      ),
    ).toThrow('bounds 1 to 0');
    expect(() => fitEncoding(data, mixed, { box: 0.7 })).toThrow('box is 0.7');
    expect(() =>
      fitEncoding(
        { x: Float64Array.of(Number.NaN), y: Float64Array.of(1) },
        { columns: [number(0, 1)] },
        { box: null },
      ),
    ).toThrow('x[0] is NaN');
  });
});
