import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compile } from '../../src/numeric/compile.js';
import {
  ArgumentError,
  capabilities,
  EngineError,
  gradient,
  type Kernel,
  matmul,
  multiply,
  NetworkStack,
  NotFiniteError,
  OutOfMemoryError,
  openEngine,
  rootKey,
  rows,
  ShapeError,
  Stream,
  thermometer,
  value,
} from '../../src/numeric/index.js';
import { plain } from '../../src/numeric/kernels/binary.js';
import { platform } from '../../src/numeric/platform/node.js';
import { ThreadedBackend } from '../../src/numeric/threadedBackend.js';
import { GENERATION, LEFT, SERVING } from '../../src/numeric/threads/share.js';
import { Variable } from '../../src/numeric/variable.js';
import { compiledKernels } from './compute.js';

const kernels: readonly Kernel[] = ['reference', ...compiledKernels];

/** Five steps of K networks and the summed input gradient: everything that threads could disturb. */
async function train(kernel: Kernel, threads: number, K: number, d = 7): Promise<Float64Array> {
  await using engine = await openEngine({ kernel, threads });
  const [N, B, h] = [40, 13, 10];
  const stack = new NetworkStack(engine, { models: K, inputs: d, hidden: [h, h], targets: true });
  stack.initialize(rootKey(K));
  const stream = new Stream(rootKey(99));
  const pool = engine.variable('pool', { rows: N, columns: d });
  const values = new Float32Array(N * d);
  stream.fillNormal(values, 0, 1);
  pool.write(values);
  const table = engine.variable('table', { rows: B, columns: 1, models: K, index: true });
  const labels = engine.variable('labels', { rows: B, columns: 2, models: K });
  const total = engine.variable('total', { rows: N, columns: d });
  const mu = stack.output(rows(pool, table));
  const gradients = gradient(thermometer(mu, value(labels), 8, 0.125), stack.parameters().map(value));
  const [dx] = gradient(stack.output(value(pool), 'targets'), [value(pool)]);
  const program = engine.compile('train', [stack.update(gradients), [{ kind: 'sum', to: total, from: dx! }]]);
  for (let step = 0; step < 5; step++) {
    table.write(Array.from({ length: K * B }, () => stream.integer(N)));
    labels.write(Array.from({ length: K * B }, () => stream.integer(8)).flatMap((bin) => [bin, bin]));
    stack.advance({ rate: 0.01, targetRate: 0.1 });
    await program.run();
  }
  return Float64Array.from([...stack.parameters('targets').flatMap((p) => [...p.read()]), ...total.read()]);
}

describe('threads', () => {
  it.each(compiledKernels)('any number of them gives the same bits on %s', async (kernel) => {
    for (const K of [1, 3, 8, 13]) {
      const one = await train(kernel, 1, K);
      for (const threads of [2, 3, 8]) expect(await train(kernel, threads, K)).toEqual(one);
    }
  });

  it('kernels agree with each other to float32 accuracy', async () => {
    const reference = await train('reference', 1, 5);
    for (const kernel of compiledKernels) {
      const actual = await train(kernel, 2, 5);
      // Adam divides by near-zero gradients, so a few parameters move differently: compare the typical one
      const errors = actual.map((v, i) => Math.abs(v - reference[i]!)).sort();
      expect(errors[Math.floor(errors.length * 0.99)]!).toBeLessThan(1e-5);
    }
  });

  it('none is left when the engine is closed', async () => {
    const before = process
      .getActiveResourcesInfo()
      .filter((name) => name === 'Worker' || name === 'MessagePort').length;
    const engine = await openEngine({ kernel: 'wasm', threads: 4 });
    expect(engine.threads).toBe(4);
    await engine.close();
    await engine.close();
    const after = process
      .getActiveResourcesInfo()
      .filter((name) => name === 'Worker' || name === 'MessagePort').length;
    expect(after).toBe(before);
  });

  it('a program that forgets to close still ends', () => {
    const built = new URL('../../dist/numeric/index.js', import.meta.url);
    expect(existsSync(built), 'dist is missing: run npm run build').toBe(true);
    const script = `
      const { openEngine, value, matmul } = await import(${JSON.stringify(built.href)});
      const engine = await openEngine({ threads: 3 });
      const x = engine.variable('x', { rows: 2, columns: 2, models: 16 });
      const w = engine.variable('w', { rows: 2, columns: 2, models: 16, layout: 'weight' });
      const y = engine.variable('y', { rows: 2, columns: 2, models: 16 });
      x.write(new Float32Array(64).fill(1)); w.write(new Float32Array(64).fill(0.5));
      const program = engine.compile('p', [[{ kind: 'store', to: y, from: matmul(value(x), value(w)) }]]);
      for (let i = 0; i < 50; i++) await program.run();
      console.log(y.read().reduce((a, b) => a + b, 0));`;
    const result = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 300_000,
    });
    expect(result.stderr).toBe('');
    expect(result.stdout).toBe('64\n');
    expect(result.status).toBe(0);
  });
});

const serving = new URL('../../src/numeric/threads/worker.node.js', import.meta.url);

/** A backend whose threads belong to the test. `script`: what they run instead of serving. `warnings`: what it said. */
async function breakable(threads: number, script?: string) {
  const module = await WebAssembly.compile(Uint8Array.from(atob(plain), (letter) => letter.charCodeAt(0)));
  const workers: Worker[] = [];
  const warnings: string[] = [];
  const backend = new ThreadedBackend(
    'wasm',
    threads,
    { module },
    {
      ...platform,
      warn: (message) => void warnings.push(message),
      startThread(setup, onMessage, onFailure) {
        const worker = new Worker(script ?? serving, { workerData: setup, eval: script !== undefined });
        worker.on('message', onMessage);
        worker.on('error', onFailure);
        worker.on('exit', (code) => onFailure(new Error(`exit ${code}`)));
        workers.push(worker);
        return { hold() {}, stop: async () => void (await worker.terminate()) };
      },
    },
  );
  return { backend, workers, warnings };
}

describe('failures', () => {
  it('a worker killed in the middle of its work is an error, not a hang', async () => {
    // takes one group of models and never finishes it
    const { backend, workers } = await breakable(
      2,
      `const { control } = require('node:worker_threads').workerData;
       Atomics.or(control, ${SERVING}, 2);
       Atomics.wait(control, ${GENERATION}, 0);
       Atomics.sub(control, ${LEFT}, 1);
       Atomics.wait(control, ${GENERATION}, 1);`,
    );
    await new Promise((resolve) => workers[0]!.once('online', resolve));
    const [K, n] = [8, 700];
    const x = new Variable(backend, 'x', { rows: n, columns: n });
    const w = new Variable(backend, 'w', { rows: n, columns: n, models: K, layout: 'weight' });
    const y = new Variable(backend, 'y', { rows: n, columns: n, models: K });
    const program = backend.load(
      compile('long', [[{ kind: 'store', to: y, from: matmul(value(x), value(w)) }]], backend, 2),
    );
    const running = backend.run(program);
    await expect(backend.run(program)).rejects.toThrow('a program is running');
    void workers[0]!.terminate();
    const failure = await running.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EngineError);
    expect(failure).toMatchObject({ reason: 'crashed', message: 'a worker thread was lost: exit 1' });
    await expect(backend.run(program)).rejects.toBe(failure);
    await backend.close();
  });

  it.each([1, 2])(
    'a kernel that traps with %i threads is an error, and so is every run after it',
    async (threads) => {
      const { backend } = await breakable(threads);
      const program = backend.load({
        instructions: [{ op: 99, integers: [], floats: [], operands: [] }],
        models: 8,
        groups: 8,
        sums: [],
        tables: [],
        blocks: [],
      });
      await expect(backend.run(program)).rejects.toMatchObject({ name: 'EngineError', reason: 'crashed' });
      await expect(backend.run(program)).rejects.toMatchObject({ name: 'EngineError', reason: 'crashed' });
      await backend.close();
      await expect(backend.run(program)).rejects.toMatchObject({ reason: 'closed' });
    },
  );

  it('workers that cannot be started are not missed', async () => {
    const { backend, workers, warnings } = await breakable(3, `throw new Error('no room')`);
    const x = new Variable(backend, 'x', { rows: 1, columns: 1, models: 8 });
    const y = new Variable(backend, 'y', { rows: 1, columns: 1, models: 8 });
    x.write([0, 1, 2, 3, 4, 5, 6, 7]);
    const program = backend.load(
      compile('square', [[{ kind: 'store', to: y, from: multiply(value(x), value(x)) }]], backend, 3),
    );
    expect(backend.threads).toBe(3);
    await backend.run(program);
    await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve))));
    await backend.run(program);
    expect([...y.read()]).toEqual([0, 1, 4, 9, 16, 25, 36, 49]);
    expect(backend.threads).toBe(1);
    expect(warnings[0]).toBe(
      'threads could not be started (no room); fewer threads compute, results are the same',
    );
    await backend.close();
  });

  it('a worker that cannot start is reported', async () => {
    const failure = new Promise<Error>((resolve) => {
      platform.startThread(undefined as never, () => {}, resolve);
    });
    expect((await failure).message).toMatch(/undefined|null/);
  });

  it.each(kernels)('a closed engine refuses to run on %s', async (kernel) => {
    const engine = await openEngine({ kernel, threads: 2 });
    const x = engine.variable('x', { rows: 1, columns: 1 });
    const program = engine.compile('p', [[{ kind: 'store', to: x, from: value(x) }]]);
    await engine.close();
    await expect(program.run()).rejects.toMatchObject({ name: 'EngineError', reason: 'closed' });
  });

  it('an aborted signal stops the next run with its reason', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const x = engine.variable('x', { rows: 1, columns: 1 });
    const program = engine.compile('p', [[{ kind: 'store', to: x, from: value(x) }]]);
    const controller = new AbortController();
    await program.run({ signal: controller.signal });
    controller.abort('enough');
    await expect(program.run({ signal: controller.signal })).rejects.toMatchObject({
      reason: 'aborted',
      cause: 'enough',
    });
  });
});

describe('a window on rows', () => {
  it.each(kernels)('shares memory with the whole, and nothing beyond it, on %s', async (kernel) => {
    await using engine = await openEngine({ kernel, threads: 1 });
    const pool = engine.variable('pool', { rows: 5, columns: 3 });
    const middle = pool.window('middle', 1, 2);
    const w = engine.variable('w', { rows: 3, columns: 3, models: 9, layout: 'weight' });
    pool.write(Array.from({ length: 15 }, (_, i) => i));
    w.write(Array.from({ length: 9 }, () => [1, 0, 0, 0, 2, 0, 0, 0, 3]).flat());
    expect([...middle.read()]).toEqual([3, 4, 5, 6, 7, 8]);
    const program = engine.compile('sum', [
      [{ kind: 'sum', to: middle, from: matmul(value(middle), value(w)) }],
    ]);
    await program.run();
    expect([...pool.read()]).toEqual([0, 1, 2, 27, 72, 135, 54, 126, 216, 9, 10, 11, 12, 13, 14]);
    middle.clear();
    expect([...pool.read()]).toEqual([0, 1, 2, 0, 0, 0, 0, 0, 0, 9, 10, 11, 12, 13, 14]);
    expect(() => pool.window('late', 4, 2)).toThrow('late: rows 4 to 5 are not in pool, which has 5');
    expect(() => w.window('part', 0, 1)).toThrow(ArgumentError);
  });
});

describe('bad arguments are named', () => {
  it('shapes, models and rows', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    expect(() => engine.variable('x', { rows: 0, columns: 2 })).toThrow('x.rows is 0');
    const x = engine.variable('x', { rows: 2, columns: 3 });
    const w = engine.variable('w', { rows: 4, columns: 1, models: 2, layout: 'weight' });
    expect(() => x.write([1, 2])).toThrow(ShapeError);
    expect(() => x.write([1, 2])).toThrow('x holds 1 x 2 x 3 numbers, but 2 were given');
    expect(() => x.write([1, 2, 3, 4, Number.NaN, 6])).toThrow(NotFiniteError);
    expect(() => x.write([1, 2, 3, 4, Number.NaN, 6])).toThrow('x[4] is NaN');
    expect(() => x.writeRows(2, [1, 2, 3])).toThrow(ShapeError);
    expect(() => w.writeRows(0, [1])).toThrow(ArgumentError);
    expect(() => w.read(2)).toThrow('there is no number 2');
    expect(() => matmul(value(x), value(w))).toThrow('2 x 3 times 4 x 1 (weight) does not fit');
    expect(() => engine.compile('p', [[{ kind: 'store', to: x, from: value(w) }]])).toThrow(ArgumentError);
    const three = engine.variable('three', { rows: 4, columns: 1, models: 3, layout: 'weight' });
    expect(() =>
      engine.compile('p', [
        [
          { kind: 'store', to: w, from: value(w) },
          { kind: 'store', to: three, from: value(three) },
        ],
      ]),
    ).toThrow('three has 3 models, but the program p has 2');
  });

  it('a row number that is not in the pool, before anything is computed', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const pool = engine.variable('pool', { rows: 3, columns: 2 });
    const table = engine.variable('table', { rows: 2, columns: 1, index: true });
    const y = engine.variable('y', { rows: 2, columns: 2 });
    const program = engine.compile('p', [[{ kind: 'store', to: y, from: rows(pool, table) }]]);
    for (const bad of [3, -1, 1e9]) {
      table.write([0, bad]);
      await expect(program.run()).rejects.toThrow(`table asks for row ${bad}, but pool has 3 rows`);
    }
  });

  it('more memory than there is', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    expect(() => engine.variable('huge', { rows: 2 ** 20, columns: 2 ** 11 })).toThrow(OutOfMemoryError);
    expect(() => engine.variable('huge', { rows: 2 ** 20, columns: 2 ** 11 })).toThrow(/^huge needs/);
    const small = engine.variable('small', { rows: 1, columns: 1 });
    small.write([3]);
    expect([...small.read()]).toEqual([3]);
    await using slow = await openEngine({ kernel: 'reference' });
    expect(() => slow.variable('huge', { rows: 2 ** 20, columns: 2 ** 11 })).toThrow(OutOfMemoryError);
  });
});

describe('the choice of kernel', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('auto takes native kernels where they are, else relaxed SIMD', async () => {
    vi.stubEnv('NEMOKIT_KERNEL', undefined);
    await using engine = await openEngine();
    const able = capabilities();
    expect(engine.kernel).toBe(able.native ? 'native' : able.relaxedSimd ? 'wasm-relaxed' : 'wasm');
  });

  it('follows NEMOKIT_KERNEL and NEMOKIT_THREADS unless the program says otherwise', async () => {
    vi.stubEnv('NEMOKIT_KERNEL', 'reference');
    vi.stubEnv('NEMOKIT_THREADS', '3');
    await using slow = await openEngine();
    expect(slow.kernel).toBe('reference');
    await using fast = await openEngine({ kernel: 'wasm' });
    expect([fast.kernel, fast.threads]).toEqual(['wasm', 3]);
    await using single = await openEngine({ kernel: 'wasm', threads: 1 });
    expect(single.threads).toBe(1);
  });

  it('names the setting that is wrong', async () => {
    vi.stubEnv('NEMOKIT_KERNEL', 'gpu');
    await expect(openEngine()).rejects.toThrow('NEMOKIT_KERNEL is "gpu"; expected one of auto, native, wasm');
    vi.stubEnv('NEMOKIT_KERNEL', 'wasm');
    vi.stubEnv('NEMOKIT_THREADS', 'many');
    await expect(openEngine()).rejects.toThrow('NEMOKIT_THREADS is NaN');
    await expect(openEngine({ threads: 0 })).rejects.toThrow('threads is 0');
  });
});
