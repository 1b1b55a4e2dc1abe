/**
 * K multilayer perceptrons side by side: their weights, Adam's moments, and, if wanted, their running averages
 * ("targets"). What is done with them is said with expressions: `output` is the networks' answer to a matrix of rows,
 * `gradient` derives from it, `update` takes a step.
 */
import { type Adam, type AdamOptions, type AdamState, adam, type StepSettings } from './adam.js';
import type { Engine, Program } from './engine.js';
import { ArgumentError, requireCount, requireFinite, ShapeError } from './errors.js';
import { type Activation, add, apply, matmul, type Tensor, value } from './graph.js';
import type { Effect } from './instruction.js';
import { type Key, splitKey } from './key.js';
import { Stream } from './random.js';
import { extent } from './stats.js';
import type { TensorData } from './tensorFile.js';
import type { Variable } from './variable.js';

/** The shape of a stack of networks. */
export interface StackSpec {
  /** K, networks. */
  readonly models: number;
  /** d, columns of the input. */
  readonly inputs: number;
  /** Added to every row of the input, d numbers; minus the mean of the rows centres them. Default none. */
  readonly shift?: ArrayLike<number> | undefined;
  /** Widths of the hidden layers; none makes a linear model. */
  readonly hidden: readonly number[];
  /** Columns of the output. Default 1. */
  readonly outputs?: number;
  /** After every hidden layer. Default softplus. */
  readonly activation?: Activation;
  /** leakyRelu's slope below 0, minus elu's floor. Default 0.01 and 1. */
  readonly alpha?: number;
  /** Adds a hidden layer's input to its output where both are of one width. Default false. */
  readonly skip?: boolean;
  /** Keep running averages of the weights. Default false. */
  readonly targets?: boolean;
  readonly adam?: AdamOptions;
}

/** A stack as plain data. `tensors` are named `layer0.weight`, `layer0.bias.first`, `layer1.weight.target`, ... */
export interface StackState {
  readonly step: number;
  readonly tensors: Readonly<Record<string, TensorData>>;
}

/** The networks as trained, or their running averages. */
export type Copy = 'models' | 'targets';

interface Layer {
  readonly weight: Variable;
  readonly bias: Variable;
}

/** Answers to a block of rows. */
interface Evaluator {
  readonly x: Variable;
  readonly y: Variable;
  readonly program: Program;
}

/** Columns from which on the kernels look for rows that are mostly zeros. */
const LEAST_SPARSE = 256;

/** Rows that `evaluate` takes at a time. */
const CHUNK = 128;

/** K networks of the same shape, side by side in the memory of an engine. */
export class NetworkStack {
  readonly spec: Required<Omit<StackSpec, 'adam' | 'alpha' | 'shift'>> & {
    readonly alpha: number | undefined;
  };
  private readonly shift: Variable | null = null;
  private readonly layers: readonly Layer[];
  private readonly targetLayers: readonly Layer[];
  private readonly optimizer: Adam;
  private readonly moments: AdamState;
  /** Whether the moments may be anything but zero. */
  private hasMoved = false;
  private readonly evaluators = new Map<string, Evaluator>();

  constructor(
    private readonly engine: Engine,
    spec: StackSpec,
  ) {
    const { outputs = 1, activation = 'softplus', skip = false, targets = false, alpha } = spec;
    requireCount('models', spec.models);
    requireCount('inputs', spec.inputs);
    requireCount('outputs', outputs);
    for (const width of spec.hidden) requireCount('hidden', width);
    this.spec = { ...spec, outputs, activation, skip, targets, alpha };
    if (spec.shift) {
      if (spec.shift.length !== spec.inputs)
        throw new ShapeError('shift', `shift has ${spec.shift.length} numbers for ${spec.inputs} inputs`);
      this.shift = engine.variable('input.shift', { rows: 1, columns: spec.inputs });
      this.shift.write(spec.shift);
    }
    this.layers = this.makeLayers('');
    this.targetLayers = targets ? this.makeLayers('.target') : [];
    this.optimizer = adam(spec.adam);
    this.moments = this.optimizer.init(engine, this.parameters());
  }

  /** Steps of Adam taken. */
  get step(): number {
    return this.moments.step;
  }

  private makeLayers(suffix: string): Layer[] {
    const { models, inputs, hidden, outputs } = this.spec;
    const widths = [inputs, ...hidden, outputs];
    return widths.slice(1).map((columns, i) => ({
      weight: this.engine.variable(`layer${i}.weight${suffix}`, {
        rows: widths[i]!,
        columns,
        models,
        layout: 'weight',
      }),
      bias: this.engine.variable(`layer${i}.bias${suffix}`, { rows: 1, columns, models }),
    }));
  }

  /** Weight and bias of every layer, first to last. */
  parameters(of: Copy = 'models'): Variable[] {
    return this.layersOf(of).flatMap(({ weight, bias }) => [weight, bias]);
  }

  private layersOf(of: Copy): readonly Layer[] {
    if (of === 'targets' && !this.spec.targets) throw new ArgumentError('of', 'this stack keeps no targets');
    return of === 'models' ? this.layers : this.targetLayers;
  }

  /** The networks' answers to the rows of `x`, r x outputs per model. */
  output(x: Tensor, of: Copy = 'models'): Tensor {
    const { weight, bias } = this.layersOf(of).at(-1)!;
    return apply('identity', matmul(this.features(x, of), value(weight)), value(bias));
  }

  /** What the last layer sees, r x the last hidden width; without hidden layers `x` itself, shifted. */
  features(x: Tensor, of: Copy = 'models'): Tensor {
    const { activation, alpha, skip } = this.spec;
    const layers = this.layersOf(of).slice(0, -1);
    // (X + s) W = X W + s W, which leaves the zeros of X to be skipped
    const isApart = this.shift && x.op.kind === 'rows' && x.columns >= LEAST_SPARSE && layers.length > 0;
    const seen = this.shift && !isApart ? apply('identity', x, value(this.shift)) : x;
    return layers.reduce((input, { weight, bias }, i) => {
      const w = value(weight);
      const b = isApart && i === 0 ? add(value(bias), matmul(value(this.shift!), w)) : value(bias);
      const h = apply(activation, matmul(input, w), b, alpha);
      return skip && i > 0 && input.columns === h.columns ? add(h, input) : h;
    }, seen);
  }

  /** One step of Adam on the models, and of the targets towards them. `gradients` in the order of `parameters()`. */
  update(gradients: readonly Tensor[]): Effect[] {
    const targets = this.spec.targets ? this.parameters('targets') : undefined;
    return this.optimizer.update(this.parameters(), gradients, this.moments, targets);
  }

  /** Says how large the next step is; call it before each run of a program that holds `update`'s effects. */
  advance(settings: StepSettings): void {
    this.hasMoved = true;
    this.optimizer.advance(this.moments, settings);
  }

  /** Fresh weights, uniform within 1 / sqrt(inputs of the layer), a stream of its own per model; moments at zero. */
  initialize(key: Key): void {
    const room = new Float32Array(extent(this.parameters().map(({ size }) => size)).max);
    splitKey(key, this.spec.models).forEach((modelKey, model) => {
      const stream = new Stream(modelKey);
      for (const { weight, bias } of this.layers) {
        const bound = 1 / Math.sqrt(weight.rows);
        for (const parameter of [weight, bias]) {
          const values = room.subarray(0, parameter.size);
          stream.fillUniform(values, -bound, bound);
          parameter.write(values, model);
        }
      }
    });
    if (this.hasMoved) for (const moment of [...this.moments.first, ...this.moments.second]) moment.clear();
    this.hasMoved = false;
    this.moments.step = 0;
    if (this.spec.targets) this.copyToTargets();
  }

  /** targets = models. */
  copyToTargets(): void {
    const targets = this.parameters('targets');
    this.parameters().forEach((parameter, i) => targets[i]!.copy(parameter));
  }

  /** Answers to `x` (rows x inputs), `[model][row][output]`. */
  evaluate(x: ArrayLike<number>, of: Copy = 'models'): Promise<Float32Array | Float64Array> {
    return this.answer('output', x, of);
  }

  /** `features` of `x` (rows x inputs), `[model][row][feature]`. */
  evaluateFeatures(x: ArrayLike<number>, of: Copy = 'models'): Promise<Float32Array | Float64Array> {
    return this.answer('features', x, of);
  }

  private async answer(
    what: 'output' | 'features',
    x: ArrayLike<number>,
    of: Copy,
  ): Promise<Float32Array | Float64Array> {
    const { models, inputs } = this.spec;
    const count = x.length / inputs;
    if (!Number.isInteger(count))
      throw new ShapeError('x', `x has ${x.length} numbers, not a multiple of ${inputs}`);
    requireFinite('x', x);
    const evaluator = this.evaluators.get(`${what} ${of}`) ?? this.makeEvaluator(what, of);
    const width = evaluator.y.columns;
    const size = models * count * width;
    const answers = this.engine.kernel === 'reference' ? new Float64Array(size) : new Float32Array(size);
    const block = new Float64Array(CHUNK * inputs);
    for (let from = 0; from < count; from += CHUNK) {
      const rows = Math.min(CHUNK, count - from);
      block.fill(0);
      for (let i = 0; i < rows * inputs; i++) block[i] = x[from * inputs + i]!;
      evaluator.x.write(block);
      await evaluator.program.run();
      const y = evaluator.y.read();
      for (let model = 0; model < models; model++) {
        const start = model * CHUNK * width;
        answers.set(y.subarray(start, start + rows * width), (model * count + from) * width);
      }
    }
    return answers;
  }

  private makeEvaluator(what: 'output' | 'features', of: Copy): Evaluator {
    const { models, inputs } = this.spec;
    const x = this.engine.variable('x', { rows: CHUNK, columns: inputs });
    const from = this[what](value(x), of);
    const y = this.engine.variable('y', { rows: CHUNK, columns: from.columns, models });
    const program = this.engine.compile(`${what} of ${of}`, [[{ kind: 'store', to: y, from }]]);
    const evaluator = { x, y, program };
    this.evaluators.set(`${what} ${of}`, evaluator);
    return evaluator;
  }

  private everything(): Variable[] {
    const targets = this.spec.targets ? this.parameters('targets') : [];
    const shift = this.shift ? [this.shift] : [];
    return [...this.parameters(), ...this.moments.first, ...this.moments.second, ...targets, ...shift];
  }

  /** All that training changes, as a copy. */
  state(): StackState {
    const tensors: Record<string, TensorData> = {};
    for (const variable of this.everything()) tensors[variable.name] = dataOf(variable);
    return { step: this.moments.step, tensors };
  }

  /** Goes on from `state`, bit for bit, if the stack that made it ran on the same kernel. */
  restore(state: StackState): void {
    const variables = this.everything();
    for (const { name } of variables) {
      if (!state.tensors[name])
        throw new ArgumentError('state', `the state has no ${name}: it is of another stack`);
    }
    this.hasMoved = true;
    for (const variable of variables) variable.write(state.tensors[variable.name]!.data);
    this.moments.step = state.step;
  }

  /** The networks alone, without what training needs: enough to evaluate them. */
  weights(): Record<string, TensorData> {
    const all = [...this.parameters(), ...(this.shift ? [this.shift] : [])];
    return Object.fromEntries(all.map((variable) => [variable.name, dataOf(variable)]));
  }

  /** Puts weights in place, and Adam's moments at zero. Weights without a shift are of networks that had none. */
  loadWeights(tensors: Readonly<Record<string, TensorData>>): void {
    for (const parameter of this.parameters()) {
      const tensor = tensors[parameter.name];
      const size = parameter.models * parameter.size;
      if (tensor?.data.length !== size) {
        const found = tensor ? `${tensor.data.length} numbers` : 'nothing';
        throw new ArgumentError('tensors', `${parameter.name} needs ${size} numbers, and there is ${found}`);
      }
      parameter.write(tensor.data);
    }
    if (this.shift) this.shift.write(tensors[this.shift.name]?.data ?? new Float64Array(this.spec.inputs));
    for (const moment of [...this.moments.first, ...this.moments.second]) moment.clear();
    this.moments.step = 0;
    if (this.spec.targets) this.copyToTargets();
  }

  /** Gives all memory back. */
  dispose(): void {
    for (const { x, y, program } of this.evaluators.values()) {
      program.dispose();
      this.engine.free(x);
      this.engine.free(y);
    }
    this.evaluators.clear();
    for (const variable of [...this.everything(), this.moments.control]) this.engine.free(variable);
  }
}

function dataOf(variable: Variable): TensorData {
  return { shape: [Math.max(1, variable.models), variable.rows, variable.columns], data: variable.read() };
}
