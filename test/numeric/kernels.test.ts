import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { curvature, divide, functionCodes, slope } from '../../src/numeric/graph.js';
import {
  add,
  apply,
  broadcast,
  categorical,
  columns,
  concat,
  type FunctionName,
  gradient,
  type Kernel,
  matmul,
  matmulTransposed,
  multiply,
  openEngine,
  outer,
  rootKey,
  rows,
  Stream,
  scale,
  softmax,
  subtract,
  sumColumns,
  sumRows,
  thermometer,
  value,
} from '../../src/numeric/index.js';
import { compiledKernels, compute, floats } from './compute.js';

const kernels: readonly Kernel[] = ['reference', ...compiledKernels];

function normals(count: number, seed: number): Float64Array {
  const values = new Float32Array(count);
  new Stream(rootKey(seed)).fillNormal(values, 0, 1);
  return Float64Array.from(values);
}

/** a (rows x depth) times b (depth x columns), both given by element. */
function product(
  rows: number,
  depth: number,
  columns: number,
  a: (r: number, i: number) => number,
  b: (i: number, j: number) => number,
): number[] {
  const c: number[] = [];
  for (let r = 0; r < rows; r++) {
    for (let j = 0; j < columns; j++) {
      let sum = 0;
      for (let i = 0; i < depth; i++) sum += a(r, i) * b(i, j);
      c.push(sum);
    }
  }
  return c;
}

const tolerances = {
  reference: { rtol: 1e-12, atol: 1e-12 },
  // sums of up to a few thousand products of standard normal numbers in float32
  wasm: { rtol: 2e-5, atol: 2e-4 },
  'wasm-relaxed': { rtol: 2e-5, atol: 2e-4 },
  native: { rtol: 2e-5, atol: 2e-4 },
};

describe.each(kernels)('matrix products on %s', (kernel) => {
  const check = async (r: number, k: number, n: number, seed: number) => {
    const a = normals(r * k, seed);
    const w = normals(k * n, seed + 1);
    const y = normals(r * n, seed + 2);
    const t = normals(r * k, seed + 3);
    const [aw, ywt, timed, aty] = await compute({
      kernel,
      inputs: {
        a: { rows: r, columns: k, values: a },
        w: { rows: k, columns: n, layout: 'weight', values: w },
        y: { rows: r, columns: n, values: y },
        t: { rows: r, columns: k, values: t },
      },
      build: ({ a, w, y, t }) => [
        matmul(a, w),
        matmulTransposed(y, w),
        multiply(matmulTransposed(y, w), t),
        outer(a, y),
      ],
    });
    const back = product(
      r,
      n,
      k,
      (q, j) => y[q * n + j]!,
      (j, i) => w[i * n + j]!,
    );
    expect(aw!).toBeAllClose(
      product(
        r,
        k,
        n,
        (q, i) => a[q * k + i]!,
        (i, j) => w[i * n + j]!,
      ),
      tolerances[kernel],
    );
    expect(ywt!).toBeAllClose(back, tolerances[kernel]);
    expect(timed!).toBeAllClose(
      back.map((v, i) => v * t[i]!),
      tolerances[kernel],
    );
    expect(aty!).toBeAllClose(
      product(
        k,
        r,
        n,
        (i, q) => a[q * k + i]!,
        (q, j) => y[q * n + j]!,
      ),
      tolerances[kernel],
    );
  };

  it('agree with the definition at every small size', async () => {
    const size = fc.integer({ min: 1, max: 19 });
    await fc.assert(
      fc.asyncProperty(size, size, size, fc.nat(1000), (r, k, n, seed) => check(r, k, n, seed)),
      { seed: 1, numRuns: 60 },
    );
  });

  it.each([
    [1, 1, 1],
    [129, 60, 64],
    [5, 1100, 9], // deeper than one block of the sum
    [3, 65, 7], // one row more than a strip of the weight gradient
    [4, 1030, 1],
    [2, 3, 600], // wider than one block of the transposed sum
  ])('agree with the definition at %i x %i x %i', (r, k, n) => check(r, k, n, 7));

  it('read picked rows in place, repeated and per model', async () => {
    const [N, d, h, K, B] = [11, 5, 9, 3, 6];
    await using engine = await openEngine({ kernel, threads: 1 });
    const pool = engine.variable('pool', { rows: N, columns: d });
    const table = engine.variable('table', { rows: B, columns: 1, models: K, index: true });
    const w = engine.variable('w', { rows: d, columns: h, models: K, layout: 'weight' });
    const z = engine.variable('z', { rows: B, columns: h, models: K });
    const dw = engine.variable('dw', { rows: d, columns: h, models: K, layout: 'weight' });
    const sums = engine.variable('sums', { rows: B, columns: 1, models: K });
    const x = normals(N * d, 3);
    const weights = normals(K * d * h, 4);
    pool.write(x);
    w.write(weights);
    const picked = [
      [0, 10, 3, 3, 7, 1],
      [5, 5, 5, 5, 5, 5],
      [10, 9, 8, 7, 6, 0],
    ];
    table.write(picked.flat());
    const batch = rows(pool, table);
    const product_ = matmul(batch, value(w));
    const program = engine.compile('picked', [
      [
        { kind: 'store', to: z, from: product_ },
        { kind: 'store', to: dw, from: outer(batch, product_) },
        { kind: 'store', to: sums, from: sumColumns(batch) },
      ],
    ]);
    await program.run();
    const expectedZ: number[] = [];
    const expectedW: number[] = [];
    picked.forEach((list, k) => {
      const at = (q: number, i: number) => x[list[q]! * d + i]!;
      const zk = product(B, d, h, at, (i, j) => weights[k * d * h + i * h + j]!);
      expectedZ.push(...zk);
      expectedW.push(
        ...product(
          d,
          B,
          h,
          (i, q) => at(q, i),
          (q, j) => zk[q * h + j]!,
        ),
      );
    });
    expect(z.read()).toBeAllClose(expectedZ, tolerances[kernel]);
    expect(dw.read()).toBeAllClose(expectedW, tolerances[kernel]);
    const rowSums = picked.flat().map((i) => x.subarray(i * d, (i + 1) * d).reduce((s, v) => s + v, 0));
    expect(sums.read()).toBeAllClose(rowSums, tolerances[kernel]);
  });
});

const extremes = [0, 1e-6, -1e-6, 0.3, -0.3, 0.7, -0.7, 1, -1, 5, -5, 40, -40, 1e4, -1e4];
const domains: Partial<Record<FunctionName, (z: number) => boolean>> = {
  exp: (z) => z <= 40,
  log: (z) => z > 0,
  sqrt: (z) => z > 0,
  reciprocal: (z) => z !== 0,
};

describe.each(Object.keys(functionCodes) as FunctionName[])('%s', (name) => {
  const stream = new Stream(rootKey(5));
  const z = floats([...extremes, ...Array.from({ length: 60 }, () => 4 * stream.normal())]).filter(
    domains[name] ?? (() => true),
  );

  it.each(compiledKernels)(
    'on %s agrees with the reference in value, slope and curvature',
    async (kernel) => {
      for (const width of [1, 3, z.length]) {
        const count = Math.floor(z.length / width);
        const input = { rows: count, columns: width, values: z.subarray(0, count * width) };
        const bias = { rows: 1, columns: width, values: new Float64Array(width) };
        const job = (kernel: Kernel) =>
          compute({
            kernel,
            inputs: { z: input, bias },
            build: ({ z, bias }) => {
              const applied = apply(name, z, bias, 0.2);
              return [applied, slope(applied), curvature(applied), apply(name, z, undefined, 0.2)];
            },
          });
        const expected = await job('reference');
        const actual = await job(kernel);
        // slopes and curvatures far out vanish below float32's resolution of 1
        const loose = { rtol: 3e-6, atol: 3e-7 };
        expect(actual[0]!).toBeAllClose(expected[0]!, { rtol: 1e-6, atol: name === 'log' ? 2e-7 : 1e-9 });
        expect(actual[1]!).toBeAllClose(expected[1]!, loose);
        expect(actual[2]!).toBeAllClose(expected[2]!, loose);
        expect(actual[3]!).toBeAllClose(expected[0]!, { rtol: 1e-6, atol: name === 'log' ? 2e-7 : 1e-9 });
      }
    },
  );

  if (name === 'softplus' || name === 'sigmoid') {
    it.each(compiledKernels)(
      'on %s leaves a saturated unit no slope, and no subnormal number',
      async (kernel) => {
        const values = Float64Array.from({ length: 120 }, (_, i) => -i);
        const results = await compute({
          kernel,
          inputs: { z: { rows: 10, columns: 12, values } },
          build: ({ z }) => {
            const applied = apply(name, z, undefined, 0.2);
            return [applied, slope(applied)];
          },
        });
        for (const result of results) {
          expect(Math.min(...result.subarray(0, 41))).toBeGreaterThan(4e-18);
          expect(result.subarray(41).every((v) => v === 0)).toBe(true);
        }
      },
    );
  }

  it('has slope and curvature of a central difference', async () => {
    const smooth = z.filter((v) => Math.abs(v) < 30 && Math.abs(v) > 1e-3);
    const step = 1e-5;
    const at = (shift: number) =>
      compute({
        kernel: 'reference',
        inputs: { z: { rows: 1, columns: smooth.length, values: smooth.map((v) => v + shift) } },
        build: ({ z }) => {
          const applied = apply(name, z, undefined, 0.2);
          return [applied, slope(applied), curvature(applied)];
        },
      });
    const [low, middle, high] = [await at(-step), await at(0), await at(step)];
    const difference = (i: number) => low[i]!.map((v, q) => (high[i]![q]! - v) / (2 * step));
    expect(middle[1]!).toBeAllClose(difference(0), { rtol: 1e-6, atol: 1e-7 });
    expect(middle[2]!).toBeAllClose(difference(1), { rtol: 1e-5, atol: 1e-6 });
  });
});

describe.each(compiledKernels)('other operations on %s', (kernel) => {
  it('agree with the reference at odd sizes', async () => {
    const size = fc.integer({ min: 1, max: 9 });
    await fc.assert(
      fc.asyncProperty(size, size, fc.nat(1000), async (r, c, seed) => {
        const job = (kernel: Kernel) =>
          compute({
            kernel,
            models: 2,
            inputs: {
              a: { rows: r, columns: c, values: normals(2 * r * c, seed) },
              b: { rows: r, columns: c, values: normals(2 * r * c, seed + 1).map((v) => v + Math.sign(v)) },
              row: { rows: 1, columns: c, values: normals(2 * c, seed + 2) },
              column: { rows: r, columns: 1, values: normals(2 * r, seed + 3) },
              one: { rows: 1, columns: 1, shared: true, values: normals(1, seed + 4) },
            },
            build: ({ a, b, row, column, one }) => [
              add(a, b),
              subtract(a, row),
              multiply(a, column),
              multiply(a, one),
              divide(a, b),
              scale(a, 2.5, -1),
              sumRows(a),
              sumColumns(a),
              broadcast(row, r, c),
              broadcast(column, r, c),
              broadcast(one, r, c),
              concat([a, column, b]),
              columns(concat([a, column, b]), c, c + 1),
              softmax(concat([a, b]), 2 * c),
              gradient(softmax(concat([a, b]), c), [a], concat([b, a]))[0]!,
            ],
          });
        const expected = await job('reference');
        const actual = await job(kernel);
        actual.forEach((values, i) => expect(values).toBeAllClose(expected[i]!, { rtol: 2e-6, atol: 2e-6 }));
      }),
      { seed: 2, numRuns: 25 },
    );
  });

  it.each([1, 3, 20, 41])(
    'losses with %i bins agree with the reference, censored labels and far-off scores included',
    async (bins) => {
      const mu = floats([...extremes, 0.5, 0.25, 0.9]);
      const r = mu.length;
      const stream = new Stream(rootKey(bins));
      const pairs = Array.from({ length: r }, () => {
        const low = stream.integer(bins);
        return [low, low + stream.integer(bins - low)];
      });
      const logits = normals(r * bins, 9).map((v, i) => (i % 7 === 0 ? v * 40 : v));
      const job = (kernel: Kernel) =>
        compute({
          kernel,
          inputs: {
            mu: { rows: r, columns: 1, values: mu },
            logits: { rows: r, columns: bins, values: logits },
            labels: { rows: r, columns: 2, values: pairs.flat() },
          },
          build: ({ mu, logits, labels }) => {
            const ordinal = thermometer(mu, labels, bins, 0.125);
            const nominal = categorical(logits, labels);
            return [ordinal, gradient(ordinal, [mu])[0]!, nominal, gradient(nominal, [logits])[0]!];
          },
        });
      const expected = await job('reference');
      const actual = await job(kernel);
      actual.forEach((values, i) => expect(values).toBeAllClose(expected[i]!, { rtol: 3e-6, atol: 3e-6 }));
    },
  );
});

describe.each(compiledKernels)('rows that are mostly zeros on %s', (kernel) => {
  it.each([
    [20, 300, 9],
    [20, 513, 64],
    [7, 256, 33],
    [200, 260, 16], // more rows than are listed at a time
    [9, 2500, 72], // several parts of the weights
    [40, 300, 5], // a panel of the weights that is cut off and the only one
    [40, 300, 24], // an odd number of panels
    [200, 1000, 9, 7], // more set than there is room to list at a time
    [60, 300, 17, 3], // a third is set: some rows are listed, then seen not to be sparse
    [3, 257, 8, 257], // hardly any
  ])('are multiplied as if they were not: %i x %i x %i', async (r, k, n, oneIn = 20) => {
    const stream = new Stream(rootKey(r + k));
    // one in twenty is set, but the last row, which is dense
    const x = normals(r * k, 1).map((v, i) => (i < (r - 1) * k && stream.integer(oneIn) > 0 ? 0 : v));
    const products = async (isPicked: boolean) => {
      await using engine = await openEngine({ kernel, threads: 1 });
      const pool = engine.variable('pool', { rows: r, columns: k });
      const table = engine.variable('table', { rows: r, columns: 1, index: true });
      const w = engine.variable('w', { rows: k, columns: n, layout: 'weight' });
      const y = engine.variable('y', { rows: r, columns: n });
      const z = engine.variable('z', { rows: r, columns: n });
      const dw = engine.variable('dw', { rows: k, columns: n, layout: 'weight' });
      pool.write(x);
      table.write(Array.from({ length: r }, (_, i) => i));
      w.write(normals(k * n, 2));
      y.write(normals(r * n, 3));
      const a = isPicked ? rows(pool, table) : value(pool);
      const program = engine.compile('products', [
        [
          { kind: 'store', to: z, from: matmul(a, value(w)) },
          { kind: 'store', to: dw, from: outer(a, value(y)) },
        ],
      ]);
      await program.run();
      return [z.read(), dw.read()].map((values) => Buffer.from(values.buffer).toString('base64'));
    };
    // rows that no table picks are never looked at
    expect(await products(true)).toEqual(await products(false));
  });
});
