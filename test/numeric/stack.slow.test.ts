import { describe, expect, it } from 'vitest';
import {
  type Activation,
  categorical,
  decodeTensors,
  type Engine,
  encodeTensors,
  gradient,
  type Kernel,
  NetworkStack,
  openEngine,
  rootKey,
  rows,
  type StackState,
  Stream,
  thermometer,
  value,
} from '../../src/numeric/index.js';
import { compiledKernels } from './compute.js';

const kernels: Kernel[] = ['reference', ...compiledKernels];

/** A network's answers by the textbook, from parameters as `read` gives them. */
function answer(
  stack: NetworkStack,
  model: number,
  x: ArrayLike<number>,
  f: (z: number) => number,
  skip = false,
): number[] {
  const parameters = stack.parameters();
  let h = Array.from(x);
  for (let layer = 0; layer * 2 < parameters.length; layer++) {
    const [weight, bias] = [parameters[2 * layer]!, parameters[2 * layer + 1]!];
    const [w, b] = [weight.read(model), bias.read(model)];
    const isLast = (layer + 1) * 2 === parameters.length;
    const next = Array.from({ length: weight.columns }, (_, j) => {
      const z = h.reduce((sum, v, i) => sum + v * w[i * weight.columns + j]!, b[j]!);
      return isLast ? z : f(z);
    });
    h = skip && !isLast && layer > 0 && next.length === h.length ? next.map((v, j) => v + h[j]!) : next;
  }
  return h;
}

const functions: Record<Activation, (z: number) => number> = {
  identity: (z) => z,
  relu: (z) => Math.max(z, 0),
  leakyRelu: (z) => (z > 0 ? z : 0.3 * z),
  elu: (z) => (z > 0 ? z : 0.3 * Math.expm1(z)),
  tanh: Math.tanh,
  softplus: (z) => Math.log1p(Math.exp(z)),
};

describe.each(kernels)('a stack of networks on %s', (kernel) => {
  const tolerance = kernel === 'reference' ? { rtol: 1e-12, atol: 1e-12 } : { rtol: 1e-5, atol: 1e-5 };

  it.each(Object.keys(functions) as Activation[])(
    'answers as the textbook says, with %s',
    async (activation) => {
      await using engine = await openEngine({ kernel, threads: 2 });
      for (const { hidden, outputs, skip } of [
        { hidden: [], outputs: 1, skip: false },
        { hidden: [3], outputs: 2, skip: false },
        { hidden: [6, 6, 5], outputs: 1, skip: true },
      ]) {
        const stack = new NetworkStack(engine, {
          models: 3,
          inputs: 4,
          hidden,
          outputs,
          activation,
          alpha: 0.3,
          skip,
        });
        stack.initialize(rootKey(8));
        const stream = new Stream(rootKey(9));
        const rows = Array.from({ length: 5 }, () =>
          Array.from({ length: 4 }, () => Math.fround(3 * stream.normal())),
        );
        const expected = [0, 1, 2].flatMap((model) =>
          rows.flatMap((x) => answer(stack, model, x, functions[activation], skip)),
        );
        expect(await stack.evaluate(rows.flat())).toBeAllClose(expected, tolerance);
        stack.dispose();
      }
    },
  );

  it('answers any number of rows, in chunks', async () => {
    await using engine = await openEngine({ kernel, threads: 1 });
    const stack = new NetworkStack(engine, { models: 2, inputs: 1, hidden: [], targets: true });
    stack.parameters()[0]!.write([2, -1]);
    stack.parameters()[1]!.write([0.5, 0.25]);
    const x = Array.from({ length: 300 }, (_, i) => i / 4);
    expect([...(await stack.evaluate(x))]).toEqual([...x.map((v) => 2 * v + 0.5), ...x.map((v) => 0.25 - v)]);
    expect([...(await stack.evaluate([1], 'targets'))]).toEqual([0, 0]);
    stack.copyToTargets();
    expect([...(await stack.evaluate([1], 'targets'))]).toEqual([2.5, -0.75]);
    expect(await stack.evaluate([])).toHaveLength(0);
  });

  it.each([[[]], [[5, 4]]])('sees inputs shifted, with hidden layers %j', async (hidden) => {
    await using engine = await openEngine({ kernel, threads: 1 });
    const shift = [0.5, -2, 0.25];
    const spec = { models: 2, inputs: 3, hidden, targets: true };
    const [plain, shifted] = [new NetworkStack(engine, spec), new NetworkStack(engine, { ...spec, shift })];
    for (const stack of [plain, shifted]) stack.initialize(rootKey(4));
    const x = [1, 2, 3, -0.5, 0.75, 8];
    const moved = x.map((v, i) => v + shift[i % 3]!);
    for (const of of ['models', 'targets'] as const) {
      expect([...(await shifted.evaluate(x, of))]).toEqual([...(await plain.evaluate(moved, of))]);
      const features = [await shifted.evaluateFeatures(x, of), await plain.evaluateFeatures(moved, of)];
      expect([...features[0]!]).toEqual([...features[1]!]);
    }
    const saved = decodeTensors(encodeTensors({ tensors: shifted.weights(), metadata: {} })).tensors;
    const loaded = new NetworkStack(engine, { ...spec, shift: [9, 9, 9] });
    loaded.loadWeights(saved);
    expect([...(await loaded.evaluate(x))]).toEqual([...(await shifted.evaluate(x))]);
    loaded.loadWeights(plain.weights()); // of networks that had no shift
    expect([...(await loaded.evaluate(x))]).toEqual([...(await plain.evaluate(x))]);
    loaded.restore(shifted.state());
    expect([...(await loaded.evaluate(x))]).toEqual([...(await shifted.evaluate(x))]);
    expect(() => loaded.restore(plain.state())).toThrow('the state has no input.shift');
    expect(() => new NetworkStack(engine, { ...spec, shift: [1] })).toThrow(
      'shift has 1 numbers for 3 inputs',
    );
  });

  it('starts from the key alone, another one for every model', async () => {
    await using engine = await openEngine({ kernel, threads: 1 });
    const make = (seed: number, models = 3) => {
      const stack = new NetworkStack(engine, { models, inputs: 5, hidden: [4] });
      stack.initialize(rootKey(seed));
      return stack.parameters().map((parameter) => [...parameter.read(0)]);
    };
    expect(make(1)).toEqual(make(1));
    expect(make(1, 7)).toEqual(make(1));
    expect(make(2)).not.toEqual(make(1));
    const stack = new NetworkStack(engine, { models: 2, inputs: 400, hidden: [50] });
    stack.initialize(rootKey(0));
    const w = stack.parameters()[0]!;
    expect([...w.read(0)]).not.toEqual([...w.read(1)]);
    // uniform within 1 / sqrt(400): the standard deviation is that over sqrt(3)
    const values = [...w.read(0)];
    expect(Math.max(...values)).toBeLessThanOrEqual(0.05);
    expect(Math.sqrt(values.reduce((s, v) => s + v * v, 0) / values.length)).toBeCloseTo(
      0.05 / Math.sqrt(3),
      3,
    );
  });
});

/** The least loss that any mu can have for a label, by trying. */
function leastLoss(bin: number, bins: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let mu = -1; mu < 2; mu += 1e-3) {
    let loss = 0;
    for (let j = 0; j < bins; j++) {
      const t = (mu - j / bins) * bins;
      loss += Math.log1p(Math.exp(j <= bin ? -t : t)) / bins;
    }
    least = Math.min(least, loss);
  }
  return least;
}

/** A stack that learns y = sin(1.5 x) in bins; `floor` is the loss of perfect answers. */
function training(engine: Engine, K: number) {
  const [N, bins] = [32, 10];
  const stack = new NetworkStack(engine, { models: K, inputs: 1, hidden: [16, 16], targets: true });
  const x = engine.variable('x', { rows: N, columns: 1 });
  const labels = engine.variable('labels', { rows: N, columns: 2 });
  const loss = engine.variable('loss', { rows: N, columns: 1, models: K });
  const xs = Array.from({ length: N }, (_, i) => (2 * i) / (N - 1) - 1);
  x.write(xs);
  const ys = xs.map((v) => Math.min(bins - 1, Math.floor(((Math.sin(1.5 * v) + 1) / 2) * bins)));
  labels.write(ys.flatMap((bin) => [bin, bin]));
  const floor = ys.reduce((sum, bin) => sum + leastLoss(bin, bins), 0) / N;
  const losses = thermometer(stack.output(value(x)), value(labels), bins, 1 / bins);
  const gradients = gradient(losses, stack.parameters().map(value));
  const program = engine.compile('train', [
    [{ kind: 'store', to: loss, from: losses }, ...stack.update(gradients)],
  ]);
  const run = async (steps: number) => {
    for (let i = 0; i < steps; i++) {
      stack.advance({ rate: 0.02, targetRate: 0.05 });
      await program.run();
    }
    return [...loss.read()].reduce((sum, v) => sum + v, 0) / (N * K);
  };
  return { stack, run, floor };
}

describe.each(kernels)('training on %s', (kernel) => {
  it('learns a sine, to a loss near that of perfect answers', async () => {
    await using engine = await openEngine({ kernel, threads: 2 });
    const { stack, run, floor } = training(engine, 4);
    stack.initialize(rootKey(3));
    const first = await run(1);
    const last = await run(400);
    expect(first).toBeGreaterThan(0.6);
    expect(last).toBeGreaterThan(floor);
    expect(last).toBeLessThan(floor + 0.02);
    expect(stack.step).toBe(401);
  });

  it('starts afresh after training, as if nothing had been', async () => {
    await using engine = await openEngine({ kernel, threads: 2 });
    const { stack, run } = training(engine, 2);
    stack.initialize(rootKey(6));
    await run(3);
    const once = stack.state();
    stack.initialize(rootKey(6));
    await run(3);
    expect(stack.state()).toEqual(once);
  });

  it('goes on bit for bit from a state that went through bytes', async () => {
    await using engine = await openEngine({ kernel, threads: 2 });
    const whole = training(engine, 3);
    whole.stack.initialize(rootKey(4));
    await whole.run(7);
    const { step, tensors } = whole.stack.state();
    const bytes = encodeTensors({ tensors, metadata: { step: String(step) } });
    await whole.run(5);

    await using other = await openEngine({ kernel, threads: 1 });
    const resumed = training(other, 3);
    const file = decodeTensors(bytes);
    const state: StackState = { step: Number(file.metadata.step), tensors: file.tensors };
    resumed.stack.restore(structuredClone(state));
    await resumed.run(5);
    expect(resumed.stack.state()).toEqual(whole.stack.state());
  });
});

describe('a stack refuses', () => {
  it('bad sizes, rows, states and targets by name', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    expect(() => new NetworkStack(engine, { models: 0, inputs: 1, hidden: [] })).toThrow('models is 0');
    expect(() => new NetworkStack(engine, { models: 1, inputs: 1, hidden: [2.5] })).toThrow('hidden is 2.5');
    const stack = new NetworkStack(engine, { models: 1, inputs: 2, hidden: [3] });
    await expect(stack.evaluate([1, 2, 3])).rejects.toThrow('x has 3 numbers, not a multiple of 2');
    await expect(stack.evaluate([1, Number.NaN])).rejects.toThrow('x[1] is NaN');
    expect(() => stack.parameters('targets')).toThrow('this stack keeps no targets');
    const other = new NetworkStack(engine, { models: 1, inputs: 2, hidden: [3, 3] });
    expect(() => other.restore(stack.state())).toThrow('the state has no layer2.weight');
    expect(() =>
      stack.restore({
        step: 0,
        tensors: { ...stack.state().tensors, 'layer0.bias': { shape: [1], data: new Float32Array(1) } },
      }),
    ).toThrow('layer0.bias holds 1 x 1 x 3 numbers, but 1 were given');
    expect(() => stack.advance({ rate: -1 })).toThrow('rate is -1');
    expect(() => stack.advance({ rate: Number.NaN })).toThrow('rate is NaN');
    expect(() => stack.advance({ rate: 1, targetRate: 2 })).toThrow('targetRate is 2');
    const x = engine.variable('x', { rows: 1, columns: 2 });
    const labels = engine.variable('labels', { rows: 1, columns: 1 });
    expect(() => thermometer(stack.output(value(x)), value(labels), 4, 0.25)).toThrow(
      'labels for 1 rows are 1 x 2, not 1 x 1',
    );
    expect(() => categorical(stack.output(value(x)), value(labels))).toThrow('labels for 1 rows are 1 x 2');
  });

  it('nothing when memory is given back and taken again', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    for (let i = 0; i < 60; i++) {
      // 60 x 80 MB would not fit
      const stack = new NetworkStack(engine, { models: 10, inputs: 500, hidden: [1000] });
      await stack.evaluate(new Float32Array(500));
      stack.dispose();
    }
  });
});

describe.each(compiledKernels)('a shift of picked rows on %s', (kernel) => {
  it('is added to products of rows that are mostly zeros, with the same answers and gradients', async () => {
    const [K, d, N] = [3, 260, 24];
    const stream = new Stream(rootKey(2));
    const hot = new Float64Array(N * d);
    for (let at = 0; at < hot.length; at += 20) hot[at + stream.integer(20)] = 1;
    const shift = Float64Array.from({ length: d }, (_, j) => -0.05 - j / 10_000);
    const found = async (isPicked: boolean) => {
      await using engine = await openEngine({ kernel, threads: 1 });
      const stack = new NetworkStack(engine, { models: K, inputs: d, hidden: [9, 9], shift });
      stack.initialize(rootKey(1));
      const pool = engine.variable('pool', { rows: N, columns: d });
      pool.write(hot);
      const table = engine.variable('table', { rows: N, columns: 1, index: true });
      table.write(Array.from({ length: N }, (_, i) => i));
      const y = stack.output(isPicked ? rows(pool, table) : value(pool));
      const parameters = stack.parameters();
      const gradients = gradient(y, parameters.map(value));
      const kept = [
        ...parameters,
        { name: 'y', rows: N, columns: 1, models: K, layout: 'dense' as const },
      ].map(({ name, rows: r, columns, models, layout }) =>
        engine.variable(`kept ${name}`, { rows: r, columns, models, layout }),
      );
      const program = engine.compile('p', [
        [...gradients, y].map((from, i) => ({ kind: 'store', to: kept[i]!, from })),
      ]);
      await program.run();
      return kept.map((variable) => Float64Array.from(variable.read()));
    };
    const [picked, whole] = [await found(true), await found(false)];
    picked.forEach((values, i) => expect(values).toBeAllClose(whole[i]!, { rtol: 1e-4, atol: 2e-5 }));
  });
});
