import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { curvature, divide, functionCodes, slope } from '../../src/numeric/graph.js';
import {
  add,
  apply,
  capabilities,
  categorical,
  type FunctionName,
  gradient,
  type Kernel,
  matmul,
  matmulTransposed,
  multiply,
  NetworkStack,
  openEngine,
  openLinearAlgebra,
  outer,
  rootKey,
  rows,
  Stream,
  scale,
  softmax,
  sumColumns,
  sumRows,
  type Tensor,
  thermometer,
  value,
} from '../../src/numeric/index.js';
import { platform } from '../../src/numeric/platform/node.js';
import { compute } from './compute.js';

const { native, nativeMissing } = capabilities();
const reason = native ? '' : ` (not here: ${nativeMissing})`;

function normals(count: number, seed: number): Float64Array {
  const values = new Float32Array(count);
  new Stream(rootKey(seed)).fillNormal(values, 0, 1);
  return Float64Array.from(values);
}

/** `toEqual` takes seconds for arrays of this length. */
function expectBits(actual: Float64Array, expected: Float64Array): void {
  expect(Buffer.from(actual.buffer).equals(Buffer.from(expected.buffer))).toBe(true);
}

/** Whether relaxed SIMD fuses multiply and add here: 1 + 2^-12 squared, less what a float32 of it is. */
async function isFused(): Promise<boolean> {
  const a = 1 + 2 ** -12;
  const [y] = await compute({
    kernel: 'wasm-relaxed',
    inputs: {
      x: { rows: 1, columns: 2, values: [1, a] },
      w: { rows: 2, columns: 2, layout: 'weight', values: [-Math.fround(a * a), 0, a, 0] },
    },
    build: ({ x, w }) => [matmul(x, w)],
  });
  return y![0] !== 0;
}

const fused = capabilities().relaxedSimd && (await isFused());

describe.skipIf(!native || !fused)(`native kernels and relaxed SIMD that fuses${reason}`, () => {
  /** Bits of all results on both. */
  async function same<Names extends string>(job: Omit<Parameters<typeof compute<Names>>[0], 'kernel'>) {
    const bits = async (kernel: Kernel) =>
      (await compute({ ...job, kernel })).map((values) => [
        ...new Int32Array(Float32Array.from(values).buffer),
      ]);
    expect(await bits('native')).toEqual(await bits('wasm-relaxed'));
  }

  it('give the same bits: products', async () => {
    const size = fc.integer({ min: 1, max: 40 });
    const check = (r: number, k: number, n: number, seed: number) =>
      same({
        models: 2,
        inputs: {
          a: { rows: r, columns: k, values: normals(2 * r * k, seed) },
          w: { rows: k, columns: n, layout: 'weight', values: normals(2 * k * n, seed + 1) },
          y: { rows: r, columns: n, values: normals(2 * r * n, seed + 2) },
          t: { rows: r, columns: k, values: normals(2 * r * k, seed + 3) },
        },
        build: ({ a, w, y, t }): Tensor[] => [
          matmul(a, w),
          matmulTransposed(y, w),
          multiply(matmulTransposed(y, w), t),
          outer(a, y),
        ],
      });
    await fc.assert(fc.asyncProperty(size, size, size, fc.nat(1000), check), { seed: 1, numRuns: 60 });
    for (const [r, k, n] of [
      [129, 60, 64],
      [5, 1100, 9],
      [3, 65, 7],
      [4, 1030, 1],
      [2, 3, 600],
      [7, 97, 24],
    ] as const)
      await check(r, k, n, 7);
  });

  it.each(Object.keys(functionCodes) as FunctionName[])('give the same bits: %s', async (name) => {
    const values = normals(150, 3).map((v, i) => (i % 11 === 0 ? v * 60 : v));
    const input = ['log', 'sqrt'].includes(name) ? values.map(Math.abs) : values;
    for (const columns of [1, 3, 16, 50]) {
      const size = Math.floor(150 / columns) * columns;
      await same({
        inputs: {
          z: { rows: size / columns, columns, values: input.subarray(0, size) },
          bias: { rows: 1, columns, values: new Float64Array(columns).fill(0.25) },
        },
        build: ({ z, bias }) => {
          const applied = apply(name, z, bias, 0.2);
          return [applied, slope(applied), curvature(applied), apply(name, z, undefined, 0.2)];
        },
      });
    }
  });

  it.each([1, 3, 4, 20, 41])('give the same bits: losses and softmax of %i', async (bins) => {
    const stream = new Stream(rootKey(bins));
    const r = 23;
    const pairs = Array.from({ length: r }, () => {
      const low = stream.integer(bins);
      return [low, low + stream.integer(bins - low)];
    });
    await same({
      inputs: {
        mu: { rows: r, columns: 1, values: normals(r, 4) },
        logits: {
          rows: r,
          columns: bins,
          values: normals(r * bins, 9).map((v, i) => (i % 7 === 0 ? v * 40 : v)),
        },
        labels: { rows: r, columns: 2, values: pairs.flat() },
        other: { rows: r, columns: bins, values: normals(r * bins, 10) },
      },
      build: ({ mu, logits, labels, other }) => {
        const ordinal = thermometer(mu, labels, bins, 0.125);
        const nominal = categorical(logits, labels);
        return [
          ordinal,
          gradient(ordinal, [mu])[0]!,
          nominal,
          gradient(nominal, [logits])[0]!,
          softmax(logits, bins),
          gradient(softmax(logits, bins), [logits], other)[0]!,
          add(scale(logits, 0.3, -0.7), other),
          divide(logits, other),
          sumRows(logits),
          sumColumns(logits),
        ];
      },
    });
  });

  it('give the same bits: training on picked rows, with Adam and running averages, on any threads', async () => {
    const train = async (kernel: Kernel, threads: number) => {
      const [K, d, h, B, N] = [5, 37, 27, 21, 60];
      await using engine = await openEngine({ kernel, threads });
      const stack = new NetworkStack(engine, { models: K, inputs: d, hidden: [h, h], targets: true });
      stack.initialize(rootKey(3));
      const pool = engine.variable('pool', { rows: N, columns: d });
      pool.write(normals(N * d, 5));
      const table = engine.variable('table', { rows: B, columns: 1, models: K, index: true });
      const labels = engine.variable('labels', { rows: B, columns: 2, models: K });
      const x = engine.variable('x', { rows: 9, columns: d });
      x.write(normals(9 * d, 6));
      const dx = engine.variable('dx', { rows: 9, columns: d });
      const loss = thermometer(stack.output(rows(pool, table)), value(labels), 20, 0.05);
      const gradients = gradient(loss, stack.parameters().map(value));
      const [from] = gradient(stack.output(value(x), 'targets'), [value(x)]);
      const program = engine.compile('train', [
        stack.update(gradients),
        [{ kind: 'sum', to: dx, from: from! }],
      ]);
      const stream = new Stream(rootKey(8));
      for (let step = 0; step < 20; step++) {
        table.write(Array.from({ length: K * B }, () => stream.integer(N)));
        labels.write(Array.from({ length: K * B }, () => stream.integer(20)).flatMap((bin) => [bin, bin]));
        stack.advance({ rate: 3e-3, targetRate: 0.05 });
        await program.run();
      }
      const tensors = Object.values(stack.state().tensors).map(({ data }) => [...data]);
      return [...tensors, [...dx.read()]];
    };
    const expected = await train('wasm-relaxed', 1);
    expect(await train('native', 1)).toEqual(expected);
    expect(await train('native', 3)).toEqual(expected);
  });

  it('give the same bits: linear algebra in float64', async () => {
    const [here, there] = await Promise.all([
      openLinearAlgebra({ kernel: 'native' }),
      openLinearAlgebra({ kernel: 'wasm-relaxed' }),
    ]);
    for (const [n, m] of [
      [1, 1],
      [5, 3],
      [64, 9],
      [67, 1],
      [130, 17],
      [333, 40],
      [600, 2],
    ] as const) {
      const g = normals(n * n, n);
      const product = here.multiplyTransposed(g, g, n, n, n);
      expectBits(product, there.multiplyTransposed(g, g, n, n, n));
      const a = product.map((s, i) => s / n + (i % (n + 1) === 0 ? 0.1 : 0));
      const l = here.cholesky(a, n);
      expectBits(l, there.cholesky(a, n));
      const b = normals(n * m, n + 1);
      expectBits(here.solveLower(l, n, b, m), there.solveLower(l, n, b, m));
      expectBits(here.solveLowerTransposed(l, n, b, m), there.solveLowerTransposed(l, n, b, m));
    }
  });
});

const found = platform.native();
const variants = 'addon' in found ? found.addon.variants : [];

describe.skipIf(variants.length < 2)('sets of instructions', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Runs `work` on each of them. */
  async function onEach<T>(work: () => Promise<T>): Promise<T[]> {
    const results: T[] = [];
    for (const variant of variants.keys()) {
      vi.spyOn(platform, 'native').mockReturnValue({ ...found, variant } as typeof found);
      expect(capabilities().native).toBe(variants[variant]);
      results.push(await work());
    }
    return results;
  }

  it(`give the same bits (${variants.join(', ')}): products, activations and losses at odd sizes`, async () => {
    const size = fc.integer({ min: 1, max: 70 });
    const check = async (r: number, k: number, n: number, seed: number) => {
      const job = {
        kernel: 'native',
        models: 2,
        inputs: {
          a: { rows: r, columns: k, values: normals(2 * r * k, seed).map((v, i) => (i % 3 ? v : 0)) },
          w: { rows: k, columns: n, layout: 'weight', values: normals(2 * k * n, seed + 1) },
          y: { rows: r, columns: n, values: normals(2 * r * n, seed + 2) },
        },
        build: ({ a, w, y }: Record<'a' | 'w' | 'y', Tensor>): Tensor[] => {
          const product = matmul(a, w);
          const applied = apply('softplus', product, undefined, 0.2);
          return [
            product,
            applied,
            slope(applied),
            matmulTransposed(y, w),
            outer(a, y),
            softmax(y, n),
            sumRows(product),
            sumColumns(product),
          ];
        },
      } as const;
      const [first, ...others] = await onEach(() => compute(job));
      for (const other of others) first!.forEach((values, i) => expectBits(other[i]!, values));
    };
    await fc.assert(fc.asyncProperty(size, size, size, fc.nat(1000), check), { seed: 2, numRuns: 40 });
    for (const [r, k, n] of [
      [129, 60, 64],
      [5, 1100, 9],
      [7, 97, 257],
    ] as const)
      await check(r, k, n, 7);
  });

  it('give the same bits: factors, solutions and inverses in float64', async () => {
    for (const [n, m] of [
      [1, 1],
      [7, 3],
      [65, 17],
      [333, 9],
    ] as const) {
      const g = normals(n * n, n);
      const b = normals(n * m, n + 1);
      const [first, ...others] = await onEach(async () => {
        const linalg = await openLinearAlgebra({ kernel: 'native' });
        const a = linalg.multiplyTransposed(g, g, n, n, n).map((s, i) => s / n + (i % (n + 1) ? 0 : 0.1));
        const l = linalg.cholesky(a, n);
        return [
          a,
          l,
          linalg.solveCholesky(l, n, b, m),
          linalg.invertLower(l, n),
          linalg.invertCholesky(l, n),
        ];
      });
      for (const other of others) first!.forEach((values, i) => expectBits(other[i]!, values));
    }
  });
});

describe.skipIf(!native)(`the native addon${reason}`, () => {
  const addon = 'addon' in found ? found.addon : null;
  const memory = () => new Uint8Array(new SharedArrayBuffer(4096));

  it('refuses arguments that are missing, of another kind or out of range', () => {
    const { run, addGroups, choleskyFactor, solve, multiplyTransposed } = addon as unknown as Record<
      string,
      (...args: unknown[]) => unknown
    >;
    const eight = new Float64Array(8);
    const wrong: (() => unknown)[] = [
      () => run!(),
      () => run!(0, memory(), 0, 1, 0, 1, 0),
      () => run!(7, memory(), 0, 1, 0, 1, 0, 0),
      () => run!(0, new Float32Array(64), 0, 1, 0, 1, 0, 0),
      () => run!(0, memory().subarray(4), 0, 1, 0, 1, 0, 0),
      () => run!(0, null, 0, 1, 0, 1, 0, 0),
      () => run!(0, memory(), 2, 1, 0, 1, 0, 0),
      () => run!(0, memory(), -4, 1, 0, 1, 0, 0),
      () => run!(0, memory(), Number.NaN, 1, 0, 1, 0, 0),
      () => run!(0, memory(), 0, 1.5, 0, 1, 0, 0),
      () => run!(0, memory(), 0, 2 ** 40, 0, 1, 0, 0),
      () => addGroups!(0, memory(), 1, 1, 0),
      () => choleskyFactor!(0, 3, eight),
      () => choleskyFactor!(0, 2 ** 32 - 1, eight),
      () => choleskyFactor!(0, 2, new Float32Array(4)),
      () => solve!(0, 2, 2, 1, eight, eight),
      () => solve!(0, 0, 2, 5, eight, eight),
      () => solve!(0, 0, 0, 1, eight, eight),
      () => multiplyTransposed!(0, 3, 3, 1, eight, eight, eight),
      () => multiplyTransposed!(0, 1, 1, 9, eight, eight, eight),
    ];
    for (const call of wrong)
      expect(call, String(call)).toThrow('the kernel was called with wrong arguments');
  });

  it('refuses programs that reach outside of the memory, and changes nothing beyond', () => {
    const bytes = memory();
    expect(() => addon!.run(0, bytes, 4096, 1, 0, 1, 0, 0)).toThrow('outside of the memory');
    expect(() => addon!.run(0, bytes, 0, 24, 0, 1, 0, 0)).toThrow('outside of the memory');
    expect(() => addon!.addGroups(0, bytes, 300, 4, 0, 0)).toThrow('outside of the memory');
    expect(() => addon!.addGroups(0, bytes, 2 ** 31, 2 ** 31, 0, 0)).toThrow('outside of the memory');
    expect(() => addon!.run(0, bytes, 0, 1, 0, 1, 0, 0)).toThrow('an instruction is not known');
    expect(bytes.every((byte) => byte === 0)).toBe(true);
  });
});
