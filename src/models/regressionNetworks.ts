/**
 * B networks that predict scores: one is a surrogate, several are an ensemble. Each has its own random beginning and,
 * if wanted, its own bootstrap resample of the rows. Scores are standardised by the data.
 *
 *   mean head      f(x), trained by (f - y)^2
 *   gaussian head  mu(x) and log sigma(x), trained by minus the log-density of y. log sigma is held between two trained
 *                  numbers per network, low and high, by two softplus: c = high - softplus(high - raw),
 *                  log sigma = low + softplus(c - low) (Chua et al. 2018, App. A.1).
 */
import { type Adam, type AdamState, adam } from '../numeric/adam.js';
import type { Engine, Program } from '../numeric/engine.js';
import { requireFinite, requireLength } from '../numeric/errors.js';
import {
  type Activation,
  add,
  apply,
  columns,
  multiply,
  scale,
  subtract,
  type Tensor,
  value,
} from '../numeric/graph.js';
import { foldKey, type Key, splitKey } from '../numeric/key.js';
import { portableExp, portableLog } from '../numeric/portable.js';
import { Stream } from '../numeric/random.js';
import { rowOf } from '../numeric/rows.js';
import { softplus } from '../numeric/special.js';
import type { NetworkStack, StackState } from '../numeric/stack.js';
import { fitStandardization, type Standardization, standardize } from '../numeric/stats.js';
import type { Variable } from '../numeric/variable.js';
import { type Encoding, modelInputs, modelInputsOf, roundToGrid } from '../search/encoding.js';
import type { SearchSpace } from '../search/searchSpace.js';
import { type Aggregate, aggregateSlopes } from './aggregate.js';
import { DesignGradient, type Minibatch, NetworkFit } from './networkFit.js';

export interface RegressionSpec {
  readonly encoding: Encoding;
  /** B. */
  readonly networks: number;
  readonly head: 'mean' | 'gaussian';
  /** Widths of the hidden layers. */
  readonly hidden: readonly number[];
  /** Default softplus. */
  readonly activation?: Activation;
  /** leakyRelu's slope below 0. */
  readonly alpha?: number;
  /** Parameters of the data's designs, N x P. */
  readonly parameters: Float64Array;
  /** N. */
  readonly y: ArrayLike<number>;
  /** Rows of data per step. */
  readonly minibatch: number;
  /** M, designs whose gradient is taken together. */
  readonly batchSize: number;
}

/** All that training changes, as plain data. */
export interface RegressionState {
  readonly networks: StackState;
  /** Of which the resamples are made; null: every network learns all rows. */
  readonly bootstrap: Key | null;
  /** Weights of the rows, N or B x N; null: 1. */
  readonly weights: Float64Array | null;
  /** low and high of each network with Adam's moments, 6 x B; empty with the mean head. */
  readonly bounds: Float32Array | Float64Array;
}

/** In the units of the scores, `[network][row]`. */
export interface NetworkPrediction {
  readonly mean: Float64Array;
  /** null: the mean head knows none. */
  readonly std: Float64Array | null;
}

/** Where low and high begin, of standardised scores. */
const FIRST_BOUNDS = [portableLog(0.1), portableLog(0.2)] as const;

const HALF_LOG_TWO_PI = 0.5 * portableLog(2 * Math.PI);

export class RegressionNetworks {
  readonly scores: Standardization;
  private readonly N: number;
  private readonly stack: NetworkStack;
  private readonly boundsAdam: Adam = adam();
  private readonly low: Variable;
  private readonly high: Variable;
  private readonly boundMoments: AdamState;
  private readonly batch: Minibatch;
  private readonly weightTable: Variable;
  private readonly program: Program;
  private readonly designs: Variable;
  private readonly designGradient: DesignGradient;
  private bootstrap: Key | null = null;
  /** Rows of each network's resample, B x N. */
  private resamples: Uint32Array | null = null;
  private weights: Float64Array | null = null;
  /** Mean loss over the networks and over at most 512 rows, spread evenly, without weights; of standardised scores. */
  readonly dataLoss: () => Promise<number>;

  constructor(
    engine: Engine,
    private readonly spec: RegressionSpec,
  ) {
    const { encoding, networks: B, head, hidden, activation, alpha, y, minibatch, batchSize: M } = spec;
    requireFinite('y', y);
    this.N = y.length;
    this.scores = fitStandardization(y, 1);
    const fit = new NetworkFit(engine, {
      encoding,
      parameters: spec.parameters,
      labels: standardize(y, this.scores),
      labelColumns: 1,
      networks: {
        models: B,
        hidden,
        outputs: head === 'mean' ? 1 : 2,
        ...(activation && { activation }),
        ...(alpha !== undefined && { alpha }),
      },
    });
    this.stack = fit.stack;
    this.low = engine.variable('lowLogStd', { rows: 1, columns: 1, models: B });
    this.high = engine.variable('highLogStd', { rows: 1, columns: 1, models: B });
    const bounds = head === 'mean' ? [] : [this.low, this.high];
    this.boundMoments = this.boundsAdam.init(engine, [this.low, this.high]);

    this.batch = fit.minibatch(minibatch, { perNetwork: true });
    this.weightTable = engine.variable('weights', { rows: minibatch, columns: 1, models: B });
    const loss = this.lossOf(this.batch.output, this.batch.label);
    this.dataLoss = fit.meanLoss('judge regression', this.batch, loss);
    const { effects, gradients } = fit.descend(loss, value(this.weightTable), bounds);
    this.program = fit.compile('train regression', [
      ...effects,
      ...this.boundsAdam.update(bounds, gradients, this.boundMoments),
    ]);

    this.designs = engine.variable('designs', { rows: M, columns: encoding.parameters });
    this.designGradient = new DesignGradient(
      engine,
      this.designs,
      B,
      (x) => meanOf(this.stack.output(modelInputsOf(encoding, x))),
      'given',
    );
  }

  /** Of each row, before weights. */
  private lossOf(output: Tensor, y: Tensor): Tensor {
    const error = subtract(meanOf(output), y);
    if (this.spec.head === 'mean') return apply('square', error);
    const [low, high] = [value(this.low), value(this.high)];
    const under = apply('softplus', scale(subtract(columns(output, 1, 1), high), -1));
    const capped = scale(subtract(under, high), -1);
    const logStd = add(apply('softplus', subtract(capped, low)), low);
    const z = multiply(error, apply('exp', scale(logStd, -1)));
    return add(scale(apply('square', z), 0.5, HALF_LOG_TWO_PI), logStd);
  }

  /** Fresh networks; with `bootstrap`, each with a resample of its own. All rows weigh 1. */
  initialize(key: Key, { bootstrap }: { readonly bootstrap: boolean }): void {
    this.stack.initialize(foldKey(key, 'weights'));
    const { networks: B } = this.spec;
    this.low.write(new Float64Array(B).fill(FIRST_BOUNDS[0]));
    this.high.write(new Float64Array(B).fill(FIRST_BOUNDS[1]));
    for (const moment of this.momentsOfBounds()) moment.clear();
    this.boundMoments.step = 0;
    this.resample(bootstrap ? foldKey(key, 'bootstrap') : null);
    this.setWeights(null);
  }

  private resample(key: Key | null): void {
    const { networks: B } = this.spec;
    if (key?.[0] === this.bootstrap?.[0] && key?.[1] === this.bootstrap?.[1]) return;
    this.bootstrap = key;
    this.resamples = key && new Uint32Array(B * this.N);
    if (!key) return;
    splitKey(key, B).forEach((networkKey, b) => {
      this.resamples!.set(new Stream(networkKey).sampleWithReplacement(this.N, this.N), b * this.N);
    });
  }

  /** How often row i is in network b's resample, B x N. */
  counts(): Float64Array {
    const counts = new Float64Array(this.spec.networks * this.N);
    if (!this.resamples) return counts.fill(1);
    for (let i = 0; i < counts.length; i++) {
      counts[Math.floor(i / this.N) * this.N + this.resamples[i]!]! += 1;
    }
    return counts;
  }

  /** What each row's loss is multiplied by from now on, N for all networks alike or B x N; null: 1. */
  setWeights(weights: ArrayLike<number> | null): void {
    const { networks: B } = this.spec;
    if (weights) {
      requireLength('weights', weights, weights.length === this.N ? this.N : B * this.N);
      requireFinite('weights', weights);
    }
    this.weights = weights && Float64Array.from(weights);
  }

  /** A minibatch: numbers below N, for `train`. */
  draw(stream: Stream): Uint32Array {
    return stream.sampleWithReplacement(this.N, this.spec.minibatch);
  }

  /**
   * One step of Adam on the mean of weight times loss over a minibatch. `batch` counts in each network's own resample:
   * number i is the i-th row drawn for it, so its loss is that of bootstrap counts.
   */
  async train(batch: ArrayLike<number>, rate: number): Promise<void> {
    const { networks: B, minibatch } = this.spec;
    const { N, resamples, weights } = this;
    const numbers = new Int32Array(B * minibatch);
    const factors = new Float64Array(B * minibatch).fill(1 / minibatch);
    for (let b = 0; b < B; b++) {
      for (let i = 0; i < minibatch; i++) {
        const row = resamples ? resamples[b * N + batch[i]!]! : batch[i]!;
        numbers[b * minibatch + i] = row;
        if (weights)
          factors[b * minibatch + i]! *= weights.length === N ? weights[row]! : weights[b * N + row]!;
      }
    }
    this.batch.table.write(numbers);
    this.weightTable.write(factors);
    this.stack.advance({ rate });
    if (this.spec.head === 'gaussian') this.boundsAdam.advance(this.boundMoments, { rate });
    await this.program.run();
  }

  /** What each network says of inputs (n x P, as `modelInputs` makes them). */
  async predict(inputs: ArrayLike<number>): Promise<NetworkPrediction> {
    const { networks: B, head } = this.spec;
    const answers = await this.stack.evaluate(inputs);
    const [center, unit] = [this.scores.mean[0]!, this.scores.scale[0]!];
    if (head === 'mean') return { mean: Float64Array.from(answers, (f) => center + unit * f), std: null };
    const [low, high] = [this.low.read(), this.high.read()];
    const mean = new Float64Array(answers.length / 2);
    const std = new Float64Array(answers.length / 2);
    for (let i = 0; i < mean.length; i++) {
      const b = Math.floor((i * B) / mean.length);
      const capped = high[b]! - softplus(high[b]! - answers[2 * i + 1]!);
      mean[i] = center + unit * answers[2 * i]!;
      std[i] = unit * portableExp(low[b]! + softplus(capped - low[b]!));
    }
    return { mean, std };
  }

  /** `predict` at designs, n x P parameters that may lie between points of a grid. */
  predictDesigns(parameters: Float32Array | Float64Array): Promise<NetworkPrediction> {
    const { encoding } = this.spec;
    return this.predict(modelInputs(encoding, roundToGrid(encoding, parameters)));
  }

  /**
   * Gradient of an aggregate of the networks' means, as standardised scores, at M designs (M x P parameters). On fine
   * grids it is taken at the nearest point (straight-through), which is what the networks can be asked about.
   */
  async gradientAt(
    parameters: Float32Array | Float64Array,
    aggregate: Aggregate,
  ): Promise<Float32Array | Float64Array> {
    const { encoding, networks: B, batchSize: M } = this.spec;
    this.designs.write(roundToGrid(encoding, parameters));
    const { designGradient } = this;
    const weights =
      aggregate.kind === 'mean'
        ? new Float64Array(B * M).fill(1 / B)
        : aggregateSlopes(aggregate, await designGradient.evaluate(), B);
    await designGradient.differentiate(weights);
    return designGradient.slopes.read();
  }

  private momentsOfBounds(): Variable[] {
    return [...this.boundMoments.first, ...this.boundMoments.second];
  }

  state(): RegressionState {
    const { networks: B, head } = this.spec;
    const parts = [this.low, this.high, ...this.momentsOfBounds()].map((variable) => variable.read());
    const Numbers = parts[0] instanceof Float64Array ? Float64Array : Float32Array;
    const bounds = new Numbers(head === 'mean' ? 0 : 6 * B);
    if (head === 'gaussian') parts.forEach((part, i) => bounds.set(part, i * B));
    return {
      networks: this.stack.state(),
      bootstrap: this.bootstrap,
      weights: this.weights?.slice() ?? null,
      bounds,
    };
  }

  restore(state: RegressionState): void {
    const { networks: B, head } = this.spec;
    this.stack.restore(state.networks);
    this.resample(state.bootstrap);
    this.setWeights(state.weights);
    if (head === 'mean') return;
    requireLength('bounds', state.bounds, 6 * B);
    [this.low, this.high, ...this.momentsOfBounds()].forEach((variable, i) => {
      variable.write(rowOf(state.bounds, B, i));
    });
    this.boundMoments.step = state.networks.step;
  }
}

/** The first output. */
function meanOf(output: Tensor): Tensor {
  return output.columns === 1 ? output : columns(output, 0, 1);
}

/** Options of the networks in Design-Bench's baselines. */
export interface RegressionOptions {
  readonly hidden: readonly number[];
  readonly activation: 'softplus' | 'relu' | 'leakyRelu';
  readonly head: 'mean' | 'gaussian';
  readonly minibatch: number;
  readonly batchSize: number;
}

/** Slope of Keras' leaky ReLU below 0. */
const LEAK = 0.3;

/** Networks for the rows of a search space. */
export function makeNetworks(
  engine: Engine,
  { data, encoding, parameters }: SearchSpace,
  networks: number,
  { hidden, activation, head, minibatch, batchSize }: RegressionOptions,
): RegressionNetworks {
  return new RegressionNetworks(engine, {
    encoding,
    networks,
    head,
    hidden,
    activation,
    ...(activation === 'leakyRelu' && { alpha: LEAK }),
    parameters,
    y: data.y,
    minibatch,
    batchSize,
  });
}
