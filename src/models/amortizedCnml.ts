/**
 * Amortised conditional NML (§4.1): K networks, one per bin of the score. All are trained on the data; network k is also
 * trained on sampled designs with label k. At the designs, the K networks approximate the K maximum-likelihood fits of
 * Eq. 2. Designs climb their running averages ("targets"), and predictions are read from these.
 */
import { type Adam, type AdamState, adam, type StepSettings } from '../numeric/adam.js';
import type { Engine, Program } from '../numeric/engine.js';
import { categorical, constant, type Tensor, thermometer, value } from '../numeric/graph.js';
import type { Key } from '../numeric/key.js';
import type { NetworkStack, StackState } from '../numeric/stack.js';
import type { Variable } from '../numeric/variable.js';
import { MahalanobisAscent } from '../search/ascent.js';
import { type Encoding, hasGrid, modelInputs, modelInputsOf, roundToGrid } from '../search/encoding.js';
import { type AmortizedReadout, type OutputHead, readOutputs, seedsOf } from './amortizedReadout.js';
import { DesignGradient, type Minibatch, NetworkFit } from './networkFit.js';
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
  /** What the networks see of the designs, M x P, where columns are classes; in the bits of the engine's softmax. */
  readonly designInputs?: Float32Array | Float64Array;
}

/** K networks that track conditional NML at the designs of a search, trained in lockstep with them. */
export class AmortizedCnml {
  readonly encoding: Encoding;
  private readonly fit: NetworkFit;
  private readonly stack: NetworkStack;
  private readonly ascent: Adam = adam({ ascend: true });
  private readonly moments: AdamState;
  private alongData: MahalanobisAscent | null = null;
  /** What the networks see of the M designs: rows behind those of the data. */
  private readonly designInputs: Variable;
  private readonly designVariable: Variable;
  /** z, M x P, if the space has grids: the designs before they are rounded. */
  private latent: Float32Array | Float64Array | null = null;
  private readonly batch: Minibatch;
  private readonly augmentedBatch: Minibatch;
  /** g_x. */
  private readonly designGradient: DesignGradient;
  private readonly programs: Record<'pretrain' | 'train' | 'ascend', Program>;
  /**
   * Minus the log-likelihood of the data's labels, as training lowers it (per threshold with the logistic head): mean
   * over the networks, not their running averages, and over at most 512 rows, spread evenly.
   */
  readonly dataLoss: () => Promise<number>;

  constructor(
    engine: Engine,
    private readonly spec: AmortizedCnmlSpec,
  ) {
    const { encoding, head, hidden, labels, minibatch: B, batchSize: M, queryWeight, objective } = spec;
    const K = head.bins;
    this.encoding = encoding;
    this.fit = new NetworkFit(engine, {
      encoding,
      parameters: spec.parameters,
      // labels of the data, then the K labels that queries are given
      labels: [...Array.from(labels), ...Array.from({ length: 2 * K }, (_, i) => i >> 1)],
      labelColumns: 2,
      networks: { models: K, hidden, outputs: head.kind === 'logistic' ? 1 : K, targets: true },
      designRows: M,
    });
    this.stack = this.fit.stack;
    this.designInputs = this.fit.pool.window('designInputs', this.fit.rowCount, M);
    const isPlain = encoding.blocks.every(({ classes }) => classes === 0);
    this.designVariable = isPlain
      ? this.designInputs
      : engine.variable('designs', { rows: M, columns: encoding.parameters });

    const loss = ({ output, label }: Minibatch): Tensor =>
      head.kind === 'logistic' ? thermometer(output, label, K, head.scale) : categorical(output, label);
    this.batch = this.fit.minibatch(B);
    const dataLoss = loss(this.batch);
    this.dataLoss = this.fit.meanLoss('judge', this.batch, dataLoss);

    // log-likelihood of D and (x', k): mean over the minibatch, plus w times the query (§4.1)
    this.augmentedBatch = this.fit.minibatch(B + 1, { perNetwork: true, labelsApart: true });
    const weights = engine.variable('weights', { rows: B + 1, columns: 1 });
    weights.write([...Array<number>(B).fill(1 / B), queryWeight]);

    // Alg. 2: g_x = gradient of (1/K) sum_k mu_k(x); otherwise the slopes of the objective in each output are given
    this.designGradient = new DesignGradient(
      engine,
      this.designVariable,
      K,
      (x) => this.stack.output(modelInputsOf(encoding, x), 'targets'),
      this.isMeanOfMu(objective) ? constant(1 / K, M, 1) : 'given',
    );
    this.moments = this.ascent.init(engine, [this.designVariable]);
    const slopes = value(this.designGradient.slopes);
    const ascend = this.ascent.update([this.designVariable], [slopes], this.moments);
    const seen = modelInputsOf(encoding, value(this.designVariable));
    const place = isPlain ? [] : [[{ kind: 'store' as const, to: this.designInputs, from: seen }]];

    this.programs = {
      pretrain: this.fit.compile('pretrain', this.fit.descend(dataLoss).effects),
      train: this.fit.compile('train', this.fit.descend(loss(this.augmentedBatch), value(weights)).effects),
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
    this.batch.table.write(batch);
    this.stack.advance({ rate, targetRate: 0 });
    await this.programs.pretrain.run();
  }

  copyToTargets(): void {
    this.stack.copyToTargets();
  }

  /** One step on rows of the data and, for network k, the design `queries[k]` with label k; then of the targets. */
  async train(batch: ArrayLike<number>, queries: ArrayLike<number>, settings: StepSettings): Promise<void> {
    const { minibatch: B, head } = this.spec;
    const N = this.fit.rowCount;
    const rowNumbers = new Int32Array(head.bins * (B + 1));
    const labelNumbers = new Int32Array(head.bins * (B + 1));
    for (let k = 0; k < head.bins; k++) {
      const at = k * (B + 1);
      rowNumbers.set(batch, at);
      labelNumbers.set(batch, at);
      rowNumbers[at + B] = N + queries[k]!;
      labelNumbers[at + B] = N + k;
    }
    this.augmentedBatch.table.write(rowNumbers);
    this.augmentedBatch.labelTable.write(labelNumbers);
    this.stack.advance(settings);
    await this.programs.train.run();
  }

  /**
   * One step of the designs up the objective of the targets. On grids it is straight-through (Bengio et al. 2013): the slope
   * is taken at r = round(z), which is what the networks were told about, and moves z.
   */
  async climb(rate: number, ascent: 'adam' | 'mahalanobis' = 'adam'): Promise<void> {
    const { head, objective, batchSize } = this.spec;
    const { designGradient } = this;
    const weights = this.isMeanOfMu(objective)
      ? undefined
      : seedsOf(head, objective, await designGradient.evaluate(), batchSize);
    await designGradient.differentiate(weights);
    if (ascent === 'mahalanobis') {
      this.alongData ??= new MahalanobisAscent(this.spec.parameters, this.encoding.parameters);
      this.placeDesigns(this.alongData.step(this.designs(), designGradient.slopes.read(), rate));
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
    const [phi] = await this.fit.features(inputs, [k], 'targets');
    return phi!;
  }

  state(): AmortizedCnmlState {
    return {
      networks: this.stack.state(),
      designs: this.designs(),
      firstMoment: this.moments.first[0]!.read(),
      secondMoment: this.moments.second[0]!.read(),
      ...(this.designInputs !== this.designVariable && { designInputs: this.designInputs.read() }),
    };
  }

  /** `climbs`: steps of the designs taken so far, 0 before there were any. */
  restore(state: AmortizedCnmlState, climbs: number): void {
    this.stack.restore(state.networks);
    this.placeDesigns(state.designs);
    if (state.designInputs) this.designInputs.write(state.designInputs);
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
