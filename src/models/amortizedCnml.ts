/**
 * Amortised conditional NML (§4.1): K networks, one per bin of the score. All learn the data; network k is also told,
 * one sampled design at a time, that it scored k. Together, at the designs, they stand for the K maximum-likelihood
 * fits of Eq. 2. Their running averages ("targets") are what designs climb and what is read out.
 */
import { type Adam, type AdamState, adam, type StepSettings } from '../numeric/adam.js';
import type { Engine, Program } from '../numeric/engine.js';
import { gradient } from '../numeric/gradient.js';
import { categorical, constant, rows, type Tensor, thermometer, value } from '../numeric/graph.js';
import type { Key } from '../numeric/key.js';
import { NetworkStack, type StackState } from '../numeric/stack.js';
import type { Variable } from '../numeric/variable.js';
import {
  centringShift,
  type Encoding,
  hasGrid,
  modelInputs,
  modelInputsOf,
  roundToGrid,
} from '../search/encoding.js';
import { MahalanobisAscent } from '../search/mahalanobisAscent.js';
import { type AmortizedReadout, type OutputHead, readOutputs, seedsOf } from './amortizedReadout.js';
import type { Quantizer } from './quantizer.js';

export interface AmortizedCnmlSpec {
  readonly encoding: Encoding;
  readonly quantizer: Quantizer;
  readonly head: OutputHead;
  readonly hidden: readonly number[];
  /** What is climbed: the mean of mu over the networks (Alg. 2), or the mean under p_NML (Alg. 1). */
  readonly objective: 'mu' | 'nml';
  /** Parameters of the data's designs, N x P. */
  readonly parameters: Float64Array;
  /** Lowest and highest bin of each score, N x 2. */
  readonly labels: ArrayLike<number>;
  /** Rows of data per step. */
  readonly minibatch: number;
  /** M, designs. */
  readonly batchSize: number;
  /** w, weight of a query against the mean of a minibatch. */
  readonly queryWeight: number;
}

/** All that training and climbing change, as plain data. */
export interface AmortizedCnmlState {
  readonly networks: StackState;
  /** M x P, with Adam's moments. Between grid points where the space has grids; the networks see them rounded. */
  readonly designs: Float32Array | Float64Array;
  readonly firstMoment: Float32Array | Float64Array;
  readonly secondMoment: Float32Array | Float64Array;
}

/** Rows of data that `dataLoss` asks about, at most. */
const ROWS_JUDGED = 512;

export class AmortizedCnml {
  readonly encoding: Encoding;
  private readonly stack: NetworkStack;
  private readonly ascent: Adam = adam({ ascend: true });
  private readonly moments: AdamState;
  private alongData: MahalanobisAscent | null = null;
  private readonly N: number;
  /** What the networks see: N rows of data, then the M designs. */
  private readonly designInputs: Variable;
  private readonly designVariable: Variable;
  /** z, M x P, if the space has grids: the designs before they are rounded. */
  private latent: Float32Array | Float64Array | null = null;
  private readonly table: Variable;
  private readonly rowTable: Variable;
  private readonly labelTable: Variable;
  private readonly losses: Variable;
  private readonly seeds: Variable;
  /** g_x, M x P. */
  private readonly slopes: Variable;
  private readonly outputs: Variable;
  private readonly programs: Record<
    'pretrain' | 'judge' | 'train' | 'answer' | 'differentiate' | 'ascend',
    Program
  >;

  constructor(
    engine: Engine,
    private readonly spec: AmortizedCnmlSpec,
  ) {
    const { encoding, head, hidden, labels, minibatch: B, batchSize: M, queryWeight, objective } = spec;
    const P = encoding.parameters;
    const K = head.bins;
    const N = spec.parameters.length / P;
    this.encoding = encoding;
    this.N = N;
    const outputs = head.kind === 'logistic' ? 1 : K;
    const inputs = modelInputs(encoding, spec.parameters);
    const shift = centringShift(encoding, inputs);
    this.stack = new NetworkStack(engine, { models: K, inputs: P, shift, hidden, outputs, targets: true });

    const pool = engine.variable('pool', { rows: N + M, columns: P });
    pool.writeRows(0, inputs);
    this.designInputs = pool.window('designInputs', N, M);
    const isPlain = encoding.blocks.every(({ classes }) => classes === 0);
    this.designVariable = isPlain ? this.designInputs : engine.variable('designs', { rows: M, columns: P });
    // labels of the data, then the K labels that queries are given
    const labelPool = engine.variable('labels', { rows: N + K, columns: 2 });
    labelPool.write([...Array.from(labels), ...Array.from({ length: 2 * K }, (_, i) => i >> 1)]);

    const loss = (mu: Tensor, bins: Tensor): Tensor =>
      head.kind === 'logistic' ? thermometer(mu, bins, K, head.scale) : categorical(mu, bins);
    const parameters = this.stack.parameters().map(value);

    this.table = engine.variable('table', { rows: B, columns: 1, index: true });
    const dataLoss = loss(this.stack.output(rows(pool, this.table)), rows(labelPool, this.table));
    this.losses = engine.variable('losses', { rows: B, columns: 1, models: K });
    const pretrain = this.stack.update(gradient(dataLoss, parameters, constant(1 / B, B, 1)));

    // log-likelihood of D and (x', k): mean over the minibatch, plus w times the query (§4.1)
    this.rowTable = engine.variable('rowTable', { rows: B + 1, columns: 1, models: K, index: true });
    this.labelTable = engine.variable('labelTable', { rows: B + 1, columns: 1, models: K, index: true });
    const weights = engine.variable('weights', { rows: B + 1, columns: 1 });
    weights.write([...Array<number>(B).fill(1 / B), queryWeight]);
    const augmented = loss(this.stack.output(rows(pool, this.rowTable)), rows(labelPool, this.labelTable));
    const train = this.stack.update(gradient(augmented, parameters, value(weights)));

    const x = value(this.designVariable);
    const answer = this.stack.output(modelInputsOf(encoding, x), 'targets');
    this.outputs = engine.variable('outputs', { rows: M, columns: outputs, models: K });
    this.seeds = engine.variable('seeds', { rows: M, columns: outputs, models: K });
    this.slopes = engine.variable('designGradient', { rows: M, columns: P });
    // Alg. 2: g_x = gradient of (1/K) sum_k mu_k(x); otherwise the slopes of the objective in each output are given
    const seed = this.isMeanOfMu(objective) ? constant(1 / K, M, 1) : value(this.seeds);
    const [dx] = gradient(answer, [x], seed);
    this.moments = this.ascent.init(engine, [this.designVariable]);
    const ascend = this.ascent.update([this.designVariable], [value(this.slopes)], this.moments);
    const place = isPlain
      ? []
      : [[{ kind: 'store' as const, to: this.designInputs, from: modelInputsOf(encoding, x) }]];

    this.programs = {
      pretrain: engine.compile('pretrain', [pretrain]),
      judge: engine.compile('judge', [[{ kind: 'store', to: this.losses, from: dataLoss }]]),
      train: engine.compile('train', [train]),
      answer: engine.compile('answer', [[{ kind: 'store', to: this.outputs, from: answer }]]),
      differentiate: engine.compile('differentiate', [[{ kind: 'sum', to: this.slopes, from: dx! }]]),
      ascend: engine.compile('ascend', [ascend, ...place]),
    };
  }

  private isMeanOfMu(objective: 'mu' | 'nml'): boolean {
    return objective === 'mu' && this.spec.head.kind === 'logistic';
  }

  initialize(key: Key): void {
    this.stack.initialize(key);
  }

  /** One step of maximum likelihood on rows of the data, the same for all networks. */
  async pretrain(batch: ArrayLike<number>, rate: number): Promise<void> {
    this.table.write(batch);
    this.stack.advance({ rate, targetRate: 0 });
    await this.programs.pretrain.run();
  }

  /**
   * Minus the log-likelihood of the data's labels, as training lowers it (per threshold with the logistic head): mean
   * over the networks, not their running averages, and over at most 512 rows, taken evenly.
   */
  async dataLoss(): Promise<number> {
    const { minibatch: B, head } = this.spec;
    const n = Math.min(this.N, ROWS_JUDGED);
    let sum = 0;
    for (let from = 0; from < n; from += B) {
      const count = Math.min(B, n - from);
      // the last table is filled up with rows that are not counted
      this.table.write(Array.from({ length: B }, (_, i) => Math.floor((((from + i) % n) * this.N) / n)));
      await this.programs.judge.run();
      const losses = this.losses.read();
      for (let k = 0; k < head.bins; k++) for (let i = 0; i < count; i++) sum += losses[k * B + i]!;
    }
    return sum / (n * head.bins);
  }

  copyToTargets(): void {
    this.stack.copyToTargets();
  }

  /** One step on rows of the data and, for network k, the design `queries[k]` with label k; then of the targets. */
  async train(batch: ArrayLike<number>, queries: ArrayLike<number>, settings: StepSettings): Promise<void> {
    const { minibatch: B, head } = this.spec;
    const rowNumbers = new Int32Array(head.bins * (B + 1));
    const labelNumbers = new Int32Array(head.bins * (B + 1));
    for (let k = 0; k < head.bins; k++) {
      const at = k * (B + 1);
      rowNumbers.set(batch, at);
      labelNumbers.set(batch, at);
      rowNumbers[at + B] = this.N + queries[k]!;
      labelNumbers[at + B] = this.N + k;
    }
    this.rowTable.write(rowNumbers);
    this.labelTable.write(labelNumbers);
    this.stack.advance(settings);
    await this.programs.train.run();
  }

  /**
   * One step of the designs up the objective of the targets. On grids it is straight-through (Bengio et al. 2013): the slope
   * is taken at r = round(z), which is what the networks were told about, and moves z.
   */
  async climb(rate: number, ascent: 'adam' | 'mahalanobis' = 'adam'): Promise<void> {
    const { head, objective, batchSize } = this.spec;
    if (!this.isMeanOfMu(objective)) {
      await this.programs.answer.run();
      this.seeds.write(seedsOf(head, objective, this.outputs.read(), batchSize));
    }
    await this.programs.differentiate.run();
    if (ascent === 'mahalanobis') {
      this.alongData ??= new MahalanobisAscent(this.spec.parameters, this.encoding.parameters);
      this.placeDesigns(this.alongData.step(this.designs(), this.slopes.read(), rate));
      return;
    }
    this.ascent.advance(this.moments, { rate });
    const { latent } = this;
    const rounded = latent && this.designVariable.read();
    await this.programs.ascend.run();
    if (!latent || !rounded) return;
    const climbed = this.designVariable.read();
    this.placeDesigns(climbed.map((r, i) => r + (latent[i]! - rounded[i]!)));
  }

  /** Parameters of the designs, M x P; not rounded to grids. */
  designs(): Float32Array | Float64Array {
    return this.latent?.slice() ?? this.designVariable.read();
  }

  /** Puts the designs somewhere else, and leaves Adam's moments as they are. */
  placeDesigns(parameters: ArrayLike<number>): void {
    this.designVariable.write(parameters);
    if (hasGrid(this.encoding)) {
      this.latent = this.designVariable.read();
      this.designVariable.write(roundToGrid(this.encoding, this.latent));
    }
    if (this.designVariable !== this.designInputs)
      this.designInputs.write(modelInputs(this.encoding, this.designVariable.read()));
  }

  /** What the networks see of the designs, M x P. */
  seenDesigns(): Float32Array | Float64Array {
    return this.designInputs.read();
  }

  /** p_NML and what follows from it at any inputs (n x P, as `modelInputs` makes them), by the targets. */
  async read(inputs: ArrayLike<number>): Promise<AmortizedReadout> {
    const answers = await this.stack.evaluate(inputs, 'targets');
    return readOutputs(
      this.spec.head,
      this.spec.quantizer,
      answers,
      inputs.length / this.encoding.parameters,
    );
  }

  /** What the last layer of network k's running average sees of inputs (n x P), with a 1 for the bias: n x (h + 1). */
  async features(inputs: ArrayLike<number>, k: number): Promise<Float64Array> {
    const n = inputs.length / this.encoding.parameters;
    const all = await this.stack.evaluateFeatures(inputs, 'targets');
    const h = all.length / (n * this.spec.head.bins);
    const phi = new Float64Array(n * (h + 1)).fill(1);
    for (let i = 0; i < n; i++) phi.set(all.subarray((k * n + i) * h, (k * n + i + 1) * h), i * (h + 1));
    return phi;
  }

  state(): AmortizedCnmlState {
    return {
      networks: this.stack.state(),
      designs: this.designs(),
      firstMoment: this.moments.first[0]!.read(),
      secondMoment: this.moments.second[0]!.read(),
    };
  }

  /** `climbs`: steps of the designs taken so far, 0 before there were any. */
  restore(state: AmortizedCnmlState, climbs: number): void {
    this.stack.restore(state.networks);
    this.placeDesigns(state.designs);
    this.moments.first[0]!.write(state.firstMoment);
    this.moments.second[0]!.write(state.secondMoment);
    this.moments.step = climbs;
  }

  /** Begins a climb: designs in place, Adam's moments at zero. */
  startFrom(parameters: ArrayLike<number>): void {
    this.placeDesigns(parameters);
    this.moments.first[0]!.clear();
    this.moments.second[0]!.clear();
    this.moments.step = 0;
  }
}
