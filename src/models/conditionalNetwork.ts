/**
 * A network conditioned on a score: a linear layer embeds the score, and the embedding is concatenated to the input of
 * every layer. Hidden layers are linear, layer normalisation (Ba et al. 2016), leaky ReLU of slope 0.2. Generator and
 * critic of model inversion networks have this form (Kumar & Levine 2020).
 */
import { type Adam, type AdamOptions, type AdamState, adam } from '../numeric/adam.js';
import type { Engine } from '../numeric/engine.js';
import { ArgumentError } from '../numeric/errors.js';
import {
  apply,
  concat,
  divide,
  matmul,
  multiply,
  scale,
  subtract,
  sumColumns,
  type Tensor,
  value,
} from '../numeric/graph.js';
import type { Effect } from '../numeric/instruction.js';
import type { Key } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import type { StackState } from '../numeric/stack.js';
import type { Variable } from '../numeric/variable.js';

export interface ConditionalNetworkSpec {
  readonly inputs: number;
  /** Widths of the hidden layers. */
  readonly hidden: readonly number[];
  readonly outputs: number;
  readonly adam: AdamOptions;
}

interface Layer {
  readonly weight: Variable;
  readonly bias: Variable;
  /** Of the normalisation; the last layer has none. */
  readonly gain: Variable | null;
  readonly shift: Variable | null;
}

const SLOPE = 0.2;
/** Added to the variance that a layer is normalised by. */
const EPS = 1e-3;

export class ConditionalNetwork {
  private readonly embedding: Layer;
  private readonly layers: readonly Layer[];
  private readonly optimizer: Adam;
  private readonly moments: AdamState;

  constructor(
    private readonly engine: Engine,
    { inputs, hidden, outputs, adam: options }: ConditionalNetworkSpec,
  ) {
    const width = hidden[0] ?? 1;
    this.embedding = this.layer('embedding', 1, width, false);
    let before = inputs;
    this.layers = [...hidden, outputs].map((columns, i) => {
      const layer = this.layer(`layer${i}`, before + width, columns, i < hidden.length);
      before = columns;
      return layer;
    });
    this.optimizer = adam(options);
    this.moments = this.optimizer.init(engine, this.parameters());
  }

  private layer(name: string, rows: number, columns: number, isNormalized: boolean): Layer {
    const row = (what: string) => this.engine.variable(`${name}.${what}`, { rows: 1, columns, models: 1 });
    return {
      weight: this.engine.variable(`${name}.weight`, { rows, columns, models: 1, layout: 'weight' }),
      bias: row('bias'),
      gain: isNormalized ? row('gain') : null,
      shift: isNormalized ? row('shift') : null,
    };
  }

  parameters(): Variable[] {
    return [this.embedding, ...this.layers].flatMap(({ weight, bias, gain, shift }) =>
      gain && shift ? [weight, bias, gain, shift] : [weight, bias],
    );
  }

  /** Answers to the rows of `x` (r x inputs), told the scores `y` (r x 1). */
  output(x: Tensor, y: Tensor): Tensor {
    const linear = (input: Tensor, { weight, bias }: Layer) =>
      apply('identity', matmul(input, value(weight)), value(bias));
    const told = linear(y, this.embedding);
    return this.layers.reduce((input, layer) => {
      const z = linear(concat([input, told]), layer);
      if (!layer.gain || !layer.shift) return z;
      return apply('leakyRelu', multiply(normalized(z), value(layer.gain)), value(layer.shift), SLOPE);
    }, x);
  }

  /** One step of Adam down `gradients`, in the order of `parameters()`. */
  update(gradients: readonly Tensor[]): Effect[] {
    return this.optimizer.update(this.parameters(), gradients, this.moments);
  }

  /** Says how large the next step is; call it before each run of a program that holds `update`'s effects. */
  advance(rate: number): void {
    this.optimizer.advance(this.moments, { rate });
  }

  /** Weights uniform within 1 / sqrt(inputs of the layer), gains 1, the rest 0. */
  initialize(key: Key): void {
    const stream = new Stream(key);
    for (const { weight, bias, gain, shift } of [this.embedding, ...this.layers]) {
      const values = new Float32Array(weight.size);
      const bound = 1 / Math.sqrt(weight.rows);
      stream.fillUniform(values, -bound, bound);
      weight.write(values);
      bias.clear();
      gain?.write(new Float32Array(gain.size).fill(1));
      shift?.clear();
    }
    for (const moment of [...this.moments.first, ...this.moments.second]) moment.clear();
    this.moments.step = 0;
  }

  private everything(): Variable[] {
    return [...this.parameters(), ...this.moments.first, ...this.moments.second];
  }

  /** All that training changes, as a copy. */
  state(): StackState {
    const tensors = this.everything().map((variable) => [
      variable.name,
      { shape: [1, variable.rows, variable.columns], data: variable.read() },
    ]);
    return { step: this.moments.step, tensors: Object.fromEntries(tensors) };
  }

  restore(state: StackState): void {
    for (const variable of this.everything()) {
      const tensor = state.tensors[variable.name];
      if (!tensor)
        throw new ArgumentError('state', `the state has no ${variable.name}: it is of another network`);
      variable.write(tensor.data);
    }
    this.moments.step = state.step;
  }
}

/** (z - mean) / sqrt(variance + eps), over the columns of each row. */
function normalized(z: Tensor): Tensor {
  const centred = subtract(z, scale(sumColumns(z), 1 / z.columns));
  const variance = scale(sumColumns(apply('square', centred)), 1 / z.columns, EPS);
  return divide(centred, apply('sqrt', variance));
}
