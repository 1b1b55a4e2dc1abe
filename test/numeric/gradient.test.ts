import { describe, expect, it } from 'vitest';
import {
  type Activation,
  add,
  apply,
  categorical,
  columns,
  concat,
  gradient,
  matmul,
  multiply,
  rootKey,
  Stream,
  scale,
  softmax,
  subtract,
  sumColumns,
  type Tensor,
  thermometer,
} from '../../src/numeric/index.js';
import { compute, type Input } from './compute.js';

type Inputs = Record<string, Input>;
type Scalars = (inputs: Readonly<Record<string, Tensor>>) => Tensor;

/**
 * The gradient of the sum of all elements of `of` against a central difference along one random direction, in float64
 * (the cost does not grow with the number of inputs).
 */
async function checkGradient(
  inputs: Inputs,
  wrt: readonly string[],
  of: Scalars,
  step = 1e-4,
  tolerance = 1e-5,
): Promise<void> {
  const stream = new Stream(rootKey(11));
  const direction = Object.fromEntries(
    wrt.map((name) => [name, Float64Array.from(inputs[name]!.values, () => stream.normal())]),
  );
  const at = async (t: number): Promise<number> => {
    const moved: Inputs = { ...inputs };
    for (const name of wrt) {
      const values = Float64Array.from(inputs[name]!.values, (v, i) => v + t * direction[name]![i]!);
      moved[name] = { ...inputs[name]!, values };
    }
    const [y] = await compute({ kernel: 'reference', inputs: moved, build: (tensors) => [of(tensors)] });
    return y!.reduce((sum, v) => sum + v, 0);
  };
  const gradients = await compute({
    kernel: 'reference',
    inputs,
    build: (tensors) =>
      gradient(
        of(tensors),
        wrt.map((name) => tensors[name]!),
      ),
  });
  const exact = wrt.reduce(
    (sum, name, i) => sum + gradients[i]!.reduce((s, g, j) => s + g * direction[name]![j]!, 0),
    0,
  );
  // fourth order: (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h
  const estimate =
    (8 * ((await at(step)) - (await at(-step))) - ((await at(2 * step)) - (await at(-2 * step)))) /
    (12 * step);
  expect([exact]).toBeAllClose([estimate], { rtol: tolerance, atol: tolerance });
}

function matrix(rows: number, cols: number, seed: number, spread = 1): Input {
  const stream = new Stream(rootKey(seed));
  return {
    rows,
    columns: cols,
    values: Float64Array.from({ length: rows * cols }, () => spread * stream.normal()),
  };
}

const weight = (rows: number, cols: number, seed: number): Input => ({
  ...matrix(rows, cols, seed, 1 / Math.sqrt(rows)),
  layout: 'weight',
});

/** x, and weights and biases of a network with these widths. */
function network(widths: readonly number[], batch: number, spread = 1): Inputs {
  const inputs: Inputs = { x: matrix(batch, widths[0]!, 1, spread) };
  widths.slice(1).forEach((width, i) => {
    inputs[`w${i}`] = weight(widths[i]!, width, 10 + i);
    inputs[`b${i}`] = matrix(1, width, 20 + i, 0.3);
  });
  return inputs;
}

function output(
  activation: Activation,
  t: Readonly<Record<string, Tensor>>,
  x: Tensor,
  depth: number,
): Tensor {
  let h = x;
  for (let i = 0; i < depth; i++) {
    h = apply(i === depth - 1 ? 'identity' : activation, matmul(h, t[`w${i}`]!), t[`b${i}`]!, 0.2);
  }
  return h;
}

const activations: Activation[] = ['identity', 'relu', 'leakyRelu', 'elu', 'tanh', 'softplus'];

describe('gradients against central differences', () => {
  it.each(activations)('networks of every depth with %s', async (activation) => {
    for (const widths of [
      [3, 1],
      [1, 3, 1],
      [5, 4, 7, 2],
      [2, 3, 9, 3, 1],
    ]) {
      const depth = widths.length - 1;
      const inputs = network(widths, 6);
      await checkGradient(inputs, Object.keys(inputs), (t) => output(activation, t, t.x!, depth));
    }
  });

  it.each([0, 40, -40, 1e4, -1e4])(
    'a softplus network with the discretised logistic loss at inputs of %d',
    async (place) => {
      const inputs: Inputs = network([2, 4, 1], 5);
      const shifted = Float64Array.from(inputs.x!.values, (v) => v + place);
      inputs.x = { ...inputs.x!, values: shifted };
      inputs.labels = { rows: 5, columns: 2, values: [0, 0, 3, 3, 7, 7, 2, 5, 0, 7] };
      // at 1e4 the loss itself is about 1e4 / s: its difference loses that many digits
      const tolerance = Math.abs(place) > 100 ? 1e-4 : 1e-5;
      await checkGradient(
        inputs,
        ['x', 'w0', 'b0', 'w1', 'b1'],
        (t) => thermometer(output('softplus', t, t.x!, 2), t.labels!, 8, 0.125),
        1e-5,
        tolerance,
      );
    },
  );

  it('softmax cross entropy, with classes that cannot be told apart', async () => {
    const inputs: Inputs = {
      ...network([3, 5, 6], 4),
      labels: { rows: 4, columns: 2, values: [0, 0, 5, 5, 2, 4, 0, 5] },
    };
    await checkGradient(inputs, ['x', 'w0', 'w1', 'b1'], (t) =>
      categorical(output('tanh', t, t.x!, 2), t.labels!),
    );
  });

  it('weights of rows, given as the seed, multiply the loss', async () => {
    const inputs: Inputs = {
      ...network([2, 3, 1], 3),
      labels: { rows: 3, columns: 2, values: [0, 0, 1, 1, 3, 3] },
      weights: matrix(3, 1, 5),
    };
    const gradients = await compute({
      kernel: 'reference',
      inputs,
      build: (t) => {
        const loss = thermometer(output('softplus', t, t.x!, 2), t.labels!, 4, 0.25);
        return [gradient(loss, [t.w0!], t.weights!)[0]!, gradient(multiply(loss, t.weights!), [t.w0!])[0]!];
      },
    });
    expect(gradients[0]!).toBeAllClose(gradients[1]!, { rtol: 1e-13, atol: 1e-15 });
    expect(Math.abs(gradients[0]![0]!)).toBeGreaterThan(1e-3);
  });

  it('softmax of logits per position, then a network', async () => {
    await checkGradient(network([6, 4, 1], 5), ['x', 'w0'], (t) => output('elu', t, softmax(t.x!, 3), 2));
  });

  it('Gaussian negative log-likelihood with the log-sd squashed between two trained bounds', async () => {
    const inputs: Inputs = {
      ...network([3, 5, 2], 6),
      y: matrix(6, 1, 30),
      low: matrix(1, 1, 31),
      high: matrix(1, 1, 32),
    };
    await checkGradient(inputs, ['x', 'w0', 'b0', 'w1', 'b1', 'low', 'high'], (t) => {
      const out = output('leakyRelu', t, t.x!, 2);
      const mean = columns(out, 0, 1);
      const raw = columns(out, 1, 1);
      const zero = scale(raw, 0);
      // high - softplus(high - raw), then low + softplus(that - low)
      const capped = subtract(add(zero, t.high!), apply('softplus', add(scale(raw, -1), t.high!)));
      const logSd = add(apply('softplus', subtract(capped, t.low!)), t.low!);
      const z = multiply(subtract(t.y!, mean), apply('exp', scale(logSd, -1)));
      return add(scale(apply('square', z), 0.5), logSd);
    });
  });

  it('evidence bound of a variational autoencoder', async () => {
    const inputs: Inputs = {
      ...network([4, 6, 4], 5),
      noise: matrix(5, 2, 40),
      d0: weight(2, 6, 41),
      c0: matrix(1, 6, 42, 0.2),
      d1: weight(6, 4, 43),
      c1: matrix(1, 4, 44, 0.2),
    };
    await checkGradient(inputs, ['x', 'w0', 'b0', 'w1', 'b1', 'd0', 'c0', 'd1', 'c1'], (t) => {
      const code = output('elu', t, t.x!, 2);
      const [mean, logVariance] = [columns(code, 0, 2), columns(code, 2, 2)];
      const z = add(mean, multiply(apply('exp', scale(logVariance, 0.5)), t.noise!));
      const decoded = apply('identity', matmul(apply('elu', matmul(z, t.d0!), t.c0!), t.d1!), t.c1!);
      const error = sumColumns(apply('square', subtract(decoded, t.x!)));
      const divergence = sumColumns(
        subtract(add(apply('square', mean), apply('exp', logVariance)), scale(logVariance, 1, 1)),
      );
      return add(scale(error, 0.5), scale(divergence, 0.5));
    });
  });
});

describe('second derivatives', () => {
  it.each(['softplus', 'tanh', 'elu', 'leakyRelu'] as const)(
    'a critic with gradient penalty, %s',
    async (activation) => {
      const inputs: Inputs = { ...network([3, 6, 5, 1], 4), y: matrix(4, 2, 50) };
      inputs.w0 = weight(5, 6, 51);
      await checkGradient(inputs, ['x', 'w0', 'b0', 'w1', 'b1', 'w2'], (t) => {
        const d = output(activation, t, concat([t.x!, t.y!]), 3);
        const [slopes] = gradient(d, [t.x!]);
        const norm = apply('sqrt', scale(sumColumns(apply('square', slopes!)), 1, 1e-12));
        return apply('square', scale(norm, 1, -1));
      });
    },
  );

  it('of a one-neuron network are those on paper', async () => {
    // D(x) = v softplus(w x + b): d/dw of dD/dx = v s + v w s' x, with s the sigmoid
    const [x, w, b, v] = [0.7, -1.3, 0.4, 2.1];
    const one = (number: number, layout: 'dense' | 'weight' = 'dense'): Input => ({
      rows: 1,
      columns: 1,
      layout,
      values: [number],
    });
    const [second] = await compute({
      kernel: 'reference',
      inputs: { x: one(x), w: one(w, 'weight'), b: one(b), v: one(v, 'weight') },
      build: (t) => {
        const d = matmul(apply('softplus', matmul(t.x, t.w), t.b), t.v);
        return gradient(gradient(d, [t.x])[0]!, [t.w]);
      },
    });
    const s = 1 / (1 + Math.exp(-(w * x + b)));
    expect(second!).toBeAllClose([v * s + v * w * s * (1 - s) * x], { rtol: 1e-12, atol: 0 });
  });
});

describe('what cannot be differentiated says so', () => {
  it('names the operation or the missing input', async () => {
    const job = (build: (t: Record<'x' | 'y', Tensor>) => Tensor[]) =>
      compute({ kernel: 'reference', inputs: { x: matrix(2, 4, 1), y: matrix(2, 4, 2) }, build });
    await expect(job((t) => gradient(t.x, [t.y]))).rejects.toThrow('does not enter what is differentiated');
    await expect(job((t) => gradient(gradient(softmax(t.x, 4), [t.x])[0]!, [t.x]))).rejects.toThrow(
      'softmaxBackward cannot be differentiated',
    );
  });
});
